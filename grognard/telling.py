"""Which notes of a game have been told to those who sit at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.typed import plain_number
from grognard.words import words_in
from runtime.game import Game
from runtime.model import NONE


class Telling:
    """Tells each note once: what all may know to whoever looks next, what is for one side when it looks.

    *people* are the sides that are played by people.  Where they take turns at a screen, each is told
    all that has happened since it last looked.
    """

    def __init__(self, game: Game, people: Sequence[int], turns: bool = False) -> None:
        self.game = game
        self.people = list(people)
        self.turns = turns and len(self.people) > 1
        #: how many notes there were when each side last looked, where they take turns
        self._looked: dict[int, int] = {}
        self._told = game.notes if game.actions else 0
        self._waiting: dict[int, list[str]] = {side: [] for side in people}

    @property
    def watcher(self) -> int:
        """Who looks on where nobody in particular does: the only person, or somebody who sees what all see
        (NONE).
        """
        return self.people[0] if len(self.people) == 1 else NONE

    def news(self, side: int) -> list[str]:
        """The notes that *side* (NONE: everybody) has not been told yet."""
        game = self.game
        if self.turns and side != NONE:
            since = self._looked.get(side, self._told)
            self._looked[side] = game.notes
            return self._waited(side) + game.log_of(side, since)
        lines = self._waited(side)
        common = game.log_of(NONE, self._told)
        for person in self.people:
            if person != side:
                # In the order of the log; what all have been told is not told again.
                own = game.log_of(person, self._told)
                for line in common:
                    own.remove(line)
                self._waiting[person] += own
        lines = lines + game.log_of(side, self._told)
        self._told = game.notes
        return lines

    def openly(self, side: int) -> list[str]:
        """The notes for all since *side* last looked, which looks on; its own wait until it is asked."""
        since = self._looked.get(side, self._told)
        self._looked[side] = self.game.notes
        common, own = self.game.log_of(NONE, since), self.game.log_of(side, since)
        for line in common:
            own.remove(line)
        self._waiting[side] += own
        return common

    def _waited(self, side: int) -> list[str]:
        lines = self._waiting.get(side, [])
        self._waiting[side] = []
        return lines

    def taken_back(self) -> None:
        """Notes of what was taken back are forgotten."""
        self._told = min(self._told, self.game.notes)
        self._looked = {side: min(count, self.game.notes) for side, count in self._looked.items()}


#: How many lines `log` shows at most where it is not told how many.
_RECENT = 40


def folded(game: Game, side: int, asked: str) -> list[str]:
    """What has happened, as *side* knows it.

    *asked* is what stood behind `log`: nothing (the turn under way and the one before), a number of lines,
    ``turn`` and a number, or ``all``.  Turns are what the ruleset's checkpoints end.
    """
    starts = [0, *game.folds]
    turns = [
        game.log_of(side, start, end) for start, end in zip(starts, [*starts[1:], game.notes], strict=True)
    ]
    lines = [line for turn in turns for line in turn]
    words = words_in(game.wording.language)
    if not lines:
        return [words("nothing has happened yet")]
    if words.understood(asked) == "all":
        return lines
    word, _, rest = asked.partition(" ")
    by_turn = words.understood(word) == "turn"
    number = plain_number(rest.strip() if by_turn else asked) if asked else None
    if by_turn and number is not None:
        if not 1 <= number <= len(turns):
            return [words("there are turns 1 to {count}", count=len(turns))]
        return turns[number - 1] or [words("nothing happened in this turn")]
    if asked and number is None:
        return [words("write 'log', 'log 30' for lines, 'log turn 2' or 'log all'")]
    if number is not None:
        return lines[max(0, len(lines) - number) :]
    recent = [line for turn in turns[-2:] for line in turn][-_RECENT:]
    before = len(lines) - len(recent)
    told = words("({count: 1 # line | # lines} before; 'log all', 'log turn 1')", count=before)
    return [told, *recent] if before else recent
