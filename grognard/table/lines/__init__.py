"""Several answers in one line: ``S.HI2 D6``, ``9th 1106 1107, 4th 1207, done``, ``all``.

A line is tried on copies of the game (:class:`Trial`) and taken as a whole, or not at all.  Only
its last answer may do what cannot be taken back: roll dice, show something, let another side
decide.
"""

from grognard.table.lines.reader import ALL, DONE, LineReader
from grognard.table.lines.trial import Halfway, Stuck, Trial, Unread

__all__ = ["ALL", "DONE", "Halfway", "LineReader", "Stuck", "Trial", "Unread"]
