"""The studio: a page on which an author writes a game while it is played beside the text."""
