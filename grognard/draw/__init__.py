"""Positions drawn.

``scene`` tells in words what stands where, ``panel`` what stands beside the board; ``picture`` says
what is to be drawn of hexes and pieces (``tokens``), by the settings of a ``style``.  ``svg`` draws
a picture, ``text`` a scene in characters.
"""
