"""Commands for games: playing them, replaying, explaining, drawing, testing."""
