"""Positions in characters, for the terminal: what each hex shows (``cells``), boards of such cells
in full (``full``) and small (``sketch``), as can best be read (``maps``), with the places of their
hexes (``located``), with what the signs mean and what stands beside them (``position``).
"""
