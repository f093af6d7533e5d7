"""Explanations say what stops a line of sight."""

from __future__ import annotations

import pytest
from project import ROOT

from compiler.ruleset import Ruleset
from grognard.explain.explainer import Explainer
from runtime.games.game import Game
from runtime.scenario import load

EVERYTHING = ROOT / "tests/rulesets/everything"


@pytest.fixture(scope="module")
def explained():
    program = Ruleset(EVERYTHING).compiled
    board = """
board:
  rows: [".......", ".w.....", ".....w.", "..w....", ".ww.w..", "......."]
  columns: 7
  narrow: none
  legend: {w: {terrain: wood}}
  fields: {rivers: [[A1, A2]]}
"""
    text = (EVERYTHING / "drill.yaml").read_text(encoding="utf-8") + board
    setup, findings = load(text, program.spec)
    assert setup is not None, findings
    placed = program.on(setup.board)
    explainer, game = Explainer(Ruleset(EVERYTHING), placed.spec.board), Game(placed, setup, 1)

    def asked(name: str, *labels: str) -> str:
        args = [placed.spec.board.index(label) for label in labels]
        return str(explainer.explain(game.state, name, args, setup))

    return asked


def test_a_hex(explained) -> None:
    assert "the line from B1 to B5 is stopped by B2" in explained("sees_over", "B1", "B5")
    assert "stopped" not in explained("sees_over", "A1", "A5")


def test_both_hands_of_a_hexside(explained) -> None:
    """From A2 to C2 the line runs along the side between B2 and B3."""
    assert "the line from A2 to C2 is stopped by B2 on the one hand, B3 on the other" in explained(
        "sees_over", "A2", "C2"
    )
    assert "stopped" not in explained("sees_over", "A1", "C1")


def test_a_line_taken_as_a_whole(explained) -> None:
    """From A5 to E5: B5 stands on the left of the first hexside, D6 on the right of the second."""
    assert "stopped" not in explained("sees_over", "A5", "E5")
    text = explained("sees_whole", "A5", "E5")
    assert (
        "the line from A5 to E5 is stopped by" in text
        and "B5" in text
        and "D6" in text
        and "on the one hand" in text
    )


def test_a_refusal_names_the_blocker(explained) -> None:
    text = explained("may_look", "B1", "B5")
    assert "refused: hidden there" in text and "the line from B1 to B5 is stopped by B2" in text
    text = explained("may_look", "A1", "A3")
    assert (
        "refused: beyond a river" in text
        and "the line from A1 to A3 is stopped by the hexside from A1 to A2" in text
    )
