"""Names and words: what things are called, what somebody means who types a name, the program's own words."""
