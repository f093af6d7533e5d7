"""What people and programs meet: the command line, the terminal, environments for learning."""
