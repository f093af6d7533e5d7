"""What pieces look like is worked out once for a scene: whoever looks at whichever position gets what is made anew."""

from __future__ import annotations

from random import Random

import pytest
from hidden_games import GAMES, hiding
from project import ROOT, placed, setup_of

from grognard.draw.picture import Picture
from grognard.draw.scene import Scene
from grognard.draw.style import Style
from grognard.draw.svg import Drawing
from grognard.places import family
from runtime.games.game import Game
from runtime.model import NONE
from runtime.view import view


def compare(game: Game, style: Style, rng: Random, moments: int) -> None:
    """All seats look in turn at the positions that a game comes to."""
    scene = Scene.of_game(game, style)
    drawings = {side: Drawing(scene.picture(game.state)) for side in (0, 1, NONE, None)}
    for _ in range(moments):
        if game.over:
            break
        for side, drawing in drawings.items():
            seen = None if side is None else view(game.state, side)
            drawing.picture.show(game.state, seen)
            program = game.program
            anew = Picture(
                game.spec, game.setup, game.state, style, seen, program.value, game.wording
            )
            assert drawing.picture.tokens() == anew.tokens()
            assert scene.picture(game.state, seen).tokens() == anew.tokens()
            drawing.refresh()
            fresh = Drawing(anew)
            fresh.defined = dict(drawing.defined)
            assert drawing.key_entries() == fresh.key_entries()
        game.play(rng.choice(game.options))


@pytest.mark.parametrize("name", sorted(GAMES))
def test_pieces_that_are_hidden(name: str) -> None:
    compare(hiding(name).game(3, 10), Style.read([hiding(name).folder]), Random(3), 30)


@pytest.mark.parametrize("scenario", ["cc_ancients/akragas", "no_retreat/barbarossa_1941"])
def test_games_with_styles(scenario: str) -> None:
    game = Game(placed(scenario), setup_of(scenario), 5)
    style = Style.read(family(ROOT / "rulesets" / game.spec.name))
    compare(game, style, Random(5), 30)
