"""What is said to people, apart from what it is said of."""
