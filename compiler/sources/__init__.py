"""Reading a ruleset: its folder, those it extends, its files, and what its verbs change."""
