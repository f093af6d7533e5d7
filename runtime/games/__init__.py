"""One game: its decisions, what has happened, its names and texts, its record."""
