"""Several answers in one line: ``S.HI2 D6``, ``9th 1106 1107, 4th 1207, done``, ``all``.

A line is tried on copies of the game (:class:`Trial`) and taken as a whole, or not at all.  Only its last
answer may do what cannot be taken back: roll dice, show something, let another side decide.
"""

from grognard.lines.line import Lines
from grognard.lines.order import ALL, DONE
from grognard.lines.trial import Halfway, Stuck, Unread

__all__ = ["ALL", "DONE", "Halfway", "Lines", "Stuck", "Unread"]
