"""The rulebook that a ruleset makes, and aids for players of two pages.

``naming`` says what things are called, ``sentences`` words expressions and ``instructions`` steps,
by the ``phrases``; ``articles`` says what a declaration says, ``grids`` prints tables.  ``volume``
arranges it all, with ``illustrations`` from cases; ``summary`` makes the aids; ``printing`` writes
them as HTML and PDF.
"""
