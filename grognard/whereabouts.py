"""Where a game stands: what of it is worth telling above every question, and the steps of the turn."""

from __future__ import annotations

from dataclasses import dataclass

from grognard.draw.panel import Panel, Worked
from grognard.draw.scene import Scene
from runtime.game import Game
from runtime.view import View


def worked(game: Game, seen: View) -> Worked:
    """Works out calls for what a side sees; what it does not see counts as zero and none."""
    return lambda name, args: game.program.value(seen.state, name, args)


def as_seen(game: Game, seen: View) -> Worked:
    """The same, of what is told of one thing: raises :class:`Unseen` where it hangs on what the side does not
    see.
    """
    state = seen.guarded()
    return lambda name, args: game.program.value(state, name, args)


def panel_of(game: Game, scene: Scene, seen: View) -> Panel:
    """The panel beside the board."""
    return Panel(scene, seen.data, worked(game, seen), seen.scores(game.program))


def beside(game: Game, scene: Scene, seen: View, side: int, color: bool) -> list[str]:
    """The lines of the panel; the name of *side*, whose turn it is, stands out."""
    return panel_of(game, scene, seen).lines(side, color)


@dataclass
class Whereabouts:
    """Tells where a game stands, in the words of its catalogue."""

    game: Game
    scene: Scene

    def path(self) -> tuple[tuple[str, str], ...]:
        """The named steps under way that have words, the outermost first: procedure and step."""
        state = self.game.state
        found = self.game.spec.steps_of(frame[0] for frame in state.frames)
        pairs = [(step.partition(".")[0], step.partition(".")[2]) for step in found]
        return tuple(pair for pair in pairs if self._word(*pair))

    def _word(self, procedure: str, step: str) -> str:
        return self.game.wording.text(f"step.{procedure}.{step}", default="")

    def step(self) -> str:
        """The innermost step in words; nothing where none has any."""
        path = self.path()
        return self._word(*path[-1]) if path else ""

    def sequence(self) -> tuple[list[str], int]:
        """The steps that belong together, in words, and the place of the one under way."""
        path = self.path()
        if not path:
            return [], -1
        procedure, step = path[-1]
        there = [name for name in self.game.spec.steps[procedure] if self._word(procedure, name)]
        return [self._word(procedure, name) for name in there], there.index(step)

    def outer(self) -> list[str]:
        """The steps around the innermost one, in words."""
        return [self._word(*pair) for pair in self.path()[:-1]]

    def lines(self, seen: View) -> list[str]:
        """What stands above a question: the game, and the steps of the turn with the one under way marked."""
        panel = Panel(self.scene, seen.data, worked(self.game, seen))
        parts = panel.header()
        steps, here = self.sequence()
        strip = " › ".join(f"[{word}]" if i == here else word for i, word in enumerate(steps))
        return [line for line in (" · ".join([*parts, *self.outer()]), strip) if line]
