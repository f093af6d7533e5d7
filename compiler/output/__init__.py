"""What is printed: dumps of every stage, reports of findings."""
