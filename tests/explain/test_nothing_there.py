"""Why an option is refused for which nothing would be there to choose: what speaks against each that could be."""

from __future__ import annotations

from project import placed, setup_of

from grognard.draw.scene import Scene
from grognard.explain.explainer import Explainer
from grognard.opening import open_scenario
from grognard.places import ruleset
from grognard.table.lines import LineReader
from grognard.table.menu import Menu
from grognard.table.why import LazyExplainer, Why
from runtime.games.game import Game

ROLICA = "cc_napoleonics/rolica_1"


def test_what_bars_each_target_is_told() -> None:
    game = Game(placed(ROLICA), setup_of(ROLICA), 3)
    scene = Scene(game.spec, game.setup, game.wording)
    folder = open_scenario(ROLICA).folder
    why = Why(
        game, Menu(game, scene), LazyExplainer(lambda: Explainer(ruleset(folder), game.spec.board))
    )
    for line in (
        "command probe_center",
        "order B.BLN2, order B.BLN3",
        "move B.BLN2, destination C7, move B.BLN3, destination C8",
    ):
        for option in LineReader(scene).read(Menu(game, scene), line):
            game.play(option)
    decision = game.decision
    assert decision is not None and decision.prompt == "battle"
    (fire,) = why.answer(decision, "fire C7")
    assert fire.text.startswith("fire with B.BLN2: E8: there is no line of sight [CCN-")
    (attack,) = why.answer(decision, "attack C7")
    assert attack.text == "attack with B.BLN2: nothing is there for it to choose"
    file, _, number = attack.place.rpartition(":")
    source = (folder.parent / file).read_text(encoding="utf-8").splitlines()
    assert "attack" in source[int(number) - 1]  # its place is where the rules say so
    whole = why.answer(decision, "fire C7", source=True)
    assert any("not E8" in line.text for line in whole) and any(
        "no line of sight" in line.text for line in whole
    )
