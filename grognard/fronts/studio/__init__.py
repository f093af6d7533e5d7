"""The studio: a page for an author, with the game beside its sources."""
