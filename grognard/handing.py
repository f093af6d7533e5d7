"""Who looks at a terminal that several people share."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.draw.scene import Scene
from grognard.listing import Listing
from grognard.menu import Menu
from grognard.whereabouts import Whereabouts, beside
from runtime.forecast import of_option
from runtime.game import Decision, Game
from runtime.view import view

#: How wide a screen is taken to be where two are compared.
_WIDE = 160
#: Commands that show nothing of what only the side knows that is asked.
_HARMLESS = ("help", "options", "more", "board", "undo", "never", "save", "quit", "exit")


class Seats:
    """Who of several *people* looks at the screen, and which questions everybody may read.

    What is asked openly (:attr:`runtime.model.DecisionSpec.open`) is asked in sight of who looked before, as
    at a table, if they all look at a *terminal*: then *open* holds, and *facing* stays who it was.
    """

    def __init__(self, game: Game, scene: Scene, people: Sequence[int], terminal: bool) -> None:
        self.game = game
        self.scene = scene
        self.people = tuple(people)
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
        spec = self.game.spec
        if not spec.decisions[decision.point].open:
            return False
        for option in decision.options:
            if any(
                not spec.closed.isdisjoint(f.reads) for f in of_option(spec, decision.point, option.value)
            ):
                return False
        assert self.facing is not None
        return self._sight(decision, decision.side) == self._sight(decision, self.facing)

    def _sight(self, decision: Decision, side: int) -> tuple[object, ...]:
        """What would stand on the screen if a side saw it: the board and beside it, and the question."""
        seen, menu = view(self.game.state, side), Menu(self.game, self.scene)
        menu.foreteller = None
        looks, marks = self.scene.looks(seen), menu.marks(decision, seen)
        panel = beside(self.game, self.scene, seen, self.people[0], False)
        table = self.scene.whole(seen.data, panel, marks, False, _WIDE, looks)
        asked = Listing(self.scene, False, _WIDE).options(menu, decision, seen, True)
        return table, Whereabouts(self.game, self.scene).lines(seen), tuple(asked)
