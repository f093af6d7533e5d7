"""Positions drawn: what is to be drawn (``picture``, by the settings of ``style``), as SVG and in
characters.

``svg`` draws a picture with the ``symbols`` of grounds and counters, ``cells`` turns it into what
each hex shows in characters, ``text`` lays such cells out as a board.  ``scene`` is a position as a
terminal shows it: the board with its pieces, what each side has, the cards.
"""
