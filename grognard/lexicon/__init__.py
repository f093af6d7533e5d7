"""Names and words: what things are called, and what somebody means who types a name."""
