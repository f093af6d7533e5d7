"""Checking facts: names, tables, matrices, dice, decks, the board, and the layout of the state."""
