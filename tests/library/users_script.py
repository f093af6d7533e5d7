"""What a user might write, with annotations: it is checked by mypy --strict, and run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import grognard
from grognard import Finding, Game, Option, Position, View
from grognard.bots.players import Bot, GreedyBot


class Patient:
    """Looks one decision ahead, in what could be."""

    def __init__(self, tries: int = 2) -> None:
        self.tries = tries

    def choose(self, view: View, options: Sequence[Option], rng: Random) -> Option:
        """The option that leaves most choice."""

        def worth(option: Option) -> int:
            total = 0
            for _ in range(self.tries):
                ahead: Game = view.sample(rng)
                ahead.play(option.index)
                total += len(ahead.options)
            return total

        return max(options, key=worth)


def strength(position: Position, side: str) -> int:
    """How many blocks a side has on the board."""
    return sum(
        int(piece["blocks"])
        for piece in position.pieces("Unit", side=side)
        if piece.hex is not None
    )


def reach(view: View) -> int:
    """How near its pieces are to each other."""
    units = [piece.hex for piece in view.pieces("Unit", side=view.side) if piece.hex is not None]
    return min(view.board.distance(one, other) for one in units for other in units)


def main(scenario: str | Path = "akragas") -> str:
    """Play some of a game."""
    findings: list[Finding] = grognard.check("cc_ancients")
    assert not any(finding.is_error for finding in findings)
    game = grognard.load(scenario, seed=3, switches={"any_way_back": True})
    bots: dict[str, Bot] = {"top": Patient(), "bottom": GreedyBot(budget=4)}
    rng = Random(1)
    for _ in range(30):
        if game.side is None:
            break
        assert reach(game.view(game.side)) == 0
        try:
            game.play(bots[game.side].choose(game.view(game.side), game.options, rng))
        except grognard.RulesError as error:
            print(error.message, error.remedy)
            raise
    series = grognard.play_series(scenario, [lambda: Patient(1), "random"], games=1)
    share: float = series.wins.get("random", 0) / len(series.games)
    assert 0 <= share <= 1
    return f"{strength(game.position, 'top')} against {strength(game.position, 'bottom')}"


if __name__ == "__main__":
    print(main())
