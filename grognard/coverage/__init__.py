"""Which rules of a rulebook a ruleset cites, its cases name, and random games reach."""
