"""What a side sees of a game, as programs read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from runtime.errors import blaming
from runtime.games.events import Event, History, events_of
from runtime.games.position import Position
from runtime.games.wording import Wording
from runtime.model import NONE
from runtime.option import Option
from runtime.program import Program
from runtime.scenario.setup import SetUp
from runtime.state import RUNNING
from runtime.view import Sight


class SideView(Position):
    """What a side sees of a game; :class:`runtime.games.game.View` samples games from it."""

    def __init__(
        self, program: Program, wording: Wording, raw: Sight, history: History | None = None
    ) -> None:
        super().__init__(wording.names, raw.state, raw)
        self._wording = wording
        self._history = history or History()
        #: what runs the rules, on ints: with ``raw.sample(rng)``, for bots that look ahead quickly
        self.program = program
        #: what the engine shows the side, on ints
        self.raw = raw

    @property
    def side(self) -> str | None:
        """Whose view it is; None: what everybody sees."""
        return self._names.spec.sides[self.raw.side] if self.raw.side >= 0 else None

    @property
    def setup(self) -> SetUp:
        """What the game began with."""
        return self._names.setup

    def __repr__(self) -> str:
        return f"<View of {self._names.setup.title!r}: what {self.side or 'everybody'} sees>"

    @property
    def decides(self) -> str | None:
        """The side that decides; None when the game is over."""
        return self._names.spec.sides[self.raw.decides] if self.raw.decides != NONE else None

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The options of the side's own decision."""
        if self.raw.decision == NONE:
            return ()
        return self._names.options(self.raw.decision, self.raw.options, self.subject)

    @property
    def prompt(self) -> str:
        """The name of the question that the side is asked."""
        point = self.raw.decision
        return self._names.spec.decisions[point].prompt if point != NONE else ""

    @property
    def subject(self) -> tuple[str, ...]:
        """What the question is about."""
        if self.raw.decision == NONE:
            return ()
        return tuple(s.text for s in self._names.subjects(self.raw.decision, self.raw.about))

    @property
    def over(self) -> bool:
        """Whether the game has ended, or the procedure that was run by itself."""
        return self._state.over != RUNNING

    @property
    def ranks(self) -> dict[str, int]:
        """The rank of each side; empty while the game goes on."""
        return dict(zip(self._names.spec.sides, self._state.ranks, strict=False))

    @property
    def scores(self) -> dict[str, int]:
        """The points of each side, as far as they follow from what is seen."""
        with blaming(self._names.spec.name):
            return by_side(self._names.spec.sides, self.raw.scores(self.program))

    @cached_property
    def log(self) -> list[str]:
        """What the side has been told so far, as sentences; a bot is told nothing."""
        words = self._wording
        return [words.note(n) for n in self._history.notes if words.tells(n, self.raw.side)]

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What the side knows of what has happened so far, as data, in order: the notes that it is
        told, all dice, which are rolled in the open, and its own options that were taken without
        asking.
        """
        return events_of(self._wording, self._history.entries(side=self.raw.side))

    @cached_property
    def latest(self) -> tuple[Event, ...]:
        """Those of :attr:`events` that have come since the last answer of any side."""
        return events_of(self._wording, self._history.latest(self.raw.side))

    @property
    def unseen(self) -> dict[str, dict[str, int]]:
        """For each deck how many of each card the side does not see, wherever they are."""
        decks = {deck.name: self._names.spec.enums[deck.enum] for deck in self._names.spec.decks}
        return {
            deck: {decks[deck][card]: n for card, n in sorted(Counter(cards).items())}
            for deck, cards in self.raw.unseen_cards.items()
        }

    @cached_property
    def data(self) -> dict[str, Any]:
        """All of it as JSON-able data: as of a position, and the decision."""
        return {
            "side": self.side,
            "decides": self.decides,
            "over": self.over,
            "ranks": self.ranks,
            "prompt": self.prompt,
            "subject": list(self.subject),
            "options": [option.text for option in self.options],
            **super().data,
        }

    def __eq__(self, other: object) -> bool:
        return self.raw == other.raw if isinstance(other, SideView) else NotImplemented

    __hash__ = None


def by_side(sides: Sequence[str], points: Sequence[int] | None) -> dict[str, int]:
    """Points by the names of the sides; empty where there are none."""
    return {} if points is None else dict(zip(sides, points, strict=True))
