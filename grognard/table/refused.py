"""Why a seat does not get what it wants."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.errors import GrognardError
from runtime.games.explanation import Line


class Refused(GrognardError):
    """What a seat wants is not done.

    *kind* is ``turn`` (another side is asked), ``over``, ``option`` (no option, or several),
    ``sure`` (a pass would leave something undone; the same again is taken), ``undo`` or ``version``
    (an answer to what is asked no more).  Of a line that is no option, *reasons* are what the rules
    say of it, *where* the answer in it after which it goes wrong, *matches* the options that it
    could mean, and *text* is what one may ask about.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        remedy: str = "",
        *,
        reasons: Sequence[Line] = (),
        where: str = "",
        matches: Sequence[str] = (),
        text: str = "",
    ) -> None:
        super().__init__(message, remedy)
        self.kind = kind
        self.reasons = tuple(reasons)
        self.where = where
        self.matches = tuple(matches)
        self.text = text
