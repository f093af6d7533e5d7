"""Small games with hidden pieces, and states that differ only in what a side does not see: written apart from the engine's views."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from compiler.ruleset import Ruleset
from runtime.games.game import Game
from runtime.program import Program
from runtime.scenario import SetUp, load
from runtime.state import StateBase, reindex

RULESETS = Path(__file__).resolve().parent / "rulesets"
#: ruleset and scenario
GAMES = {"blocks": "fords", "plotted": "passage", "concealed": "village"}
#: Games with cards, and how many decisions are taken at most before what two see is compared.
CARDS = {"cc_ancients/akragas": 60, "no_retreat/barbarossa_1941": 120}


@dataclass(frozen=True)
class Hiding:
    """A ruleset in which something is hidden, with its scenario."""

    folder: Path
    compilation: Ruleset
    program: Program
    setup: SetUp

    def game(self, seed: int, steps: int = 0) -> Game:
        """A game after some random actions (fewer if it is over before)."""
        game, rng = Game(self.program, self.setup, seed), Random(seed)
        for _ in range(steps):
            if game.over:
                break
            game.play(rng.randrange(len(game.state.options)))
        return game


@cache
def hiding(name: str) -> Hiding:
    """One of :data:`GAMES`."""
    compilation = Ruleset(RULESETS / name)
    assert compilation.ok, compilation.diagnostics
    program = compilation.compiled
    setup, findings = load(RULESETS / name / f"{GAMES[name]}.yaml", program.spec)
    assert setup is not None, findings
    return Hiding(RULESETS / name, compilation, program, setup)


def exchanged(name: str, state: StateBase, side: int, rng: Random) -> Any:
    """A state that differs from *state* only in what *side* does not see."""
    made: Any = state.copy()
    if name == "plotted":
        for u, owner in enumerate(made.ship_side[:-1]):
            if owner != side and made.ship_speed[u]:
                made.ship_first[u], made.ship_second[u] = rng.randrange(1, 4), rng.randrange(-1, 4)
                made.ship_speed[u] = rng.choice([1, 2])
        if made.side_goal[1 - side] >= 0:
            made.side_goal[1 - side] = rng.choice(
                [h for h in range(42) if made.SPEC.board.row_of[h] in (0, 5)]
            )
        return made
    kind, fields = ("block", ("type", "steps")) if name == "blocks" else ("squad", ("type", "ammo"))
    owners, places, seers = (getattr(made, f"{kind}_{f}") for f in ("side", "hex", "seers"))
    for there in (True, False):
        group = [
            i
            for i, o in enumerate(owners[:-1])
            if o != side and not seers[i] >> side & 1 and (places[i] >= 0) is there
        ]
        order = group[:]
        rng.shuffle(order)
        for f in fields:
            column = getattr(made, f"{kind}_{f}")
            for i, value in zip(group, [column[j] for j in order], strict=True):
                column[i] = value
    if name == "concealed":  # the ammunition is never seen by the other side, whoever is spotted
        group = [
            i
            for i, o in enumerate(owners[:-1])
            if o != side and seers[i] >> side & 1 and places[i] >= 0
        ]
        values = [made.squad_ammo[i] for i in group]
        rng.shuffle(values)
        for i, value in zip(group, values, strict=True):
            made.squad_ammo[i] = value
    return made


def play_some(game: Game, scenario: str, rng: Random) -> None:
    """Play a game of one of :data:`CARDS` on at random."""
    for _ in range(rng.randrange(CARDS[scenario])):
        assert game.decision is not None
        game.play(rng.choice(game.decision.options))


def dealt(state: Any, side: int, rng: Random) -> Any:
    """The same position with other cards in hands and piles that *side* does not look at."""
    made = state.copy()
    for deck in made.SPEC.decks:
        parts: list[list[int]] = []
        for pile in deck.piles:
            content = getattr(made, pile.slot)
            if pile.visibility == "hidden":
                parts += content[:-1] if pile.per else [content]
            elif pile.visibility == "owner":
                parts += [part for n, part in enumerate(content[:-1]) if n != side]
        pool = [card for part in parts for card in part]
        rng.shuffle(pool)
        for part in parts:
            part[:] = sorted(pool[: len(part)])
            del pool[: len(part)]
    reindex(made)
    return made
