"""How games go: between bots, and for the people who are asked."""
