"""Several people at one terminal: who looks at it, and what each has been told."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.draw.text.position import TextBoard
from grognard.table.menu import Menu
from grognard.table.table import Table
from runtime.games.decision import Decision
from runtime.games.game import Game
from runtime.model import NONE

#: How wide a screen is taken to be where two are compared.
_WIDE = 160
#: Commands that show nothing of what only the side knows that is asked.
_HARMLESS = ("help", "options", "more", "board", "undo", "never", "save", "quit", "exit")


class Seats:
    """Who of several *people* looks at the screen, and which questions everybody may read.

    What is asked openly (:attr:`runtime.model.DecisionSpec.open`) is asked in sight of who looked
    before, as at a table, if they all look at a *terminal*: then *open* holds, and *facing* stays
    who it was.
    """

    def __init__(self, table: Table, terminal: bool) -> None:
        self.table = table
        self.people = tuple(table.people)
        self.terminal = terminal
        self.facing: int | None = None
        self.open = False

    def stays(self, decision: Decision) -> bool:
        """Whether a question needs no handing over; notes who looks from now on."""
        self.open = False
        if len(self.people) < 2 or self.facing == decision.side:
            self.facing = decision.side
            return True
        self.open = self.terminal and self.facing is not None and self._for_all(decision)
        return self.open

    def looks(self, decision: Decision) -> int:
        """The side that looks at the screen while a question is asked."""
        return self.facing if self.open and self.facing is not None else decision.side

    def takes(self, side: int) -> None:
        """From now on only *side* looks."""
        self.facing, self.open = side, False

    def harmless(self, word: str) -> bool:
        """Whether a command shows nothing that only the side may see that is asked."""
        return not self.open or word in _HARMLESS

    def _for_all(self, decision: Decision) -> bool:
        """Whether all that stands on the screen at a question is the same for who looks now."""
        if not self.table.open_question(decision):
            return False
        assert self.facing is not None
        return self._sight(decision, decision.side) == self._sight(decision, self.facing)

    def _sight(self, decision: Decision, side: int) -> tuple[object, ...]:
        """What would stand on the screen if a side saw it: the board and beside it, and the
        question.
        """
        game, scene = self.table.game, self.table.scene
        seen, menu = self.table.seen(side), Menu(game, scene)
        menu.foreteller = None
        looks, marks = scene.looks(seen), menu.marks(decision, seen)
        panel = self.table.panel(seen).lines(self.people[0], False)
        shown = TextBoard(scene, seen.data, looks, marks).whole(panel, _WIDE)
        return shown, self.table.place(seen), menu.choices(decision, seen)


class Telling:
    """Tells each note once: what all may know to whoever looks next, what is for one side when it
    looks.

    *people* are the sides that are played by people.  Where they take *turns* at a screen, each is
    told all that has happened since it last looked.
    """

    def __init__(self, game: Game, people: Sequence[int], turns: bool = False) -> None:
        self.game = game
        self.people = list(people)
        self.turns = turns and len(self.people) > 1
        self._start = game.notes if game.actions else 0
        #: how many notes there were when those for all were told, and those for a side alone
        self._common: dict[int, int] = {}
        self._own: dict[int, int] = {}

    @property
    def watcher(self) -> int:
        """Who looks on where nobody in particular does: the only person, or somebody who sees what
        all see (NONE).
        """
        return self.people[0] if len(self.people) == 1 else NONE

    def news(self, side: int) -> list[str]:
        """The notes that *side* (NONE: everybody) has not been told yet."""
        own = self._own.get(side, self._start)
        self._own[side] = self.game.notes
        return self._lines(side, self._since(side), own)

    def openly(self, side: int) -> list[str]:
        """The notes for all since *side* last looked, which looks on; its own wait until it is
        asked.
        """
        return self._lines(NONE, self._since(side), 0)

    def _since(self, side: int) -> int:
        """How many notes there were when those for all were told last; they are told now."""
        key = side if self.turns else NONE
        since = self._common.get(key, self._start)
        self._common[key] = self.game.notes
        return since

    def _lines(self, side: int, common: int, own: int) -> list[str]:
        """The notes for all from the number *common* on, and those for a side from *own* on."""
        tells, first = self.game.wording.tells, min(common, own)
        return [
            self.game.wording.note(note)
            for n, note in enumerate(self.game.noted(first), first)
            if tells(note, side) and n >= (common if tells(note, NONE) else own)
        ]

    def taken_back(self) -> None:
        """Notes of what was taken back are forgotten."""
        for told in (self._common, self._own):
            told.update({side: min(count, self.game.notes) for side, count in told.items()})
        self._start = min(self._start, self.game.notes)
