"""Pieces near a hex, found by what stands there: the same as when every piece is asked."""

from __future__ import annotations

from pathlib import Path
from random import Random

import agreement
import native_builds
import pytest
from project import ROOT

from compiler.nearness import SearchArea
from compiler.ruleset import Ruleset
from runtime.board import Board
from runtime.services import standing, standing_alone

#: Rulesets with such loops: one piece on a hex, or several; and a scenario of each.
RULESETS = {"everything": "drill", "skirmish": "meeting", "plotted": "passage", "blocks": "fords"}


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """They are looked for by their hexes however few they are."""
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path))
    monkeypatch.setattr(SearchArea, "worth", -1)
    monkeypatch.setattr(native_builds, "maker", native_builds.maker.__wrapped__)


def files(name: str) -> tuple[Path, Path]:
    folder = ROOT / "tests/rulesets" / name
    return folder, folder / f"{RULESETS[name]}.yaml"


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("name", RULESETS)
def test_games_are_the_same(name: str) -> None:
    folder, scenario = files(name)
    made = Ruleset(folder).emitted
    assert made is not None and " > -1" in made.text
    both = agreement.pair(folder, scenario)
    for seed in range(6):
        agreement.play(both, seed, longest=400)


@pytest.mark.usefixtures("always")
@pytest.mark.skipif(bool(native_builds.missing()), reason=native_builds.missing() or "it can")
@pytest.mark.parametrize("name", RULESETS)
def test_native_games_are_the_same(name: str) -> None:
    there = native_builds.built(*files(name))
    assert sum(there.play(seed, 300) for seed in range(6)) > 20


def test_who_stands_there() -> None:
    board = Board.from_spec({"name": "b", "layout": "odd_r", "rows": 8, "columns": 8})
    chance = Random(1)
    places = chance.sample(range(board.size), 30)
    alone, several = [-1] * (board.size + 1), [0] * (board.size + 1)
    for piece, h in enumerate(places):
        alone[h] = piece
        several[h] |= 1 << piece
    for h in range(board.size):
        near = [p for p, place in enumerate(places) if board.distance(place, h) == 1]
        assert standing_alone(alone, board.neighbors[h]) == near
        assert list(standing(several, board.neighbors[h])) == near
    assert standing_alone(alone, board.neighbors[-1]) == []
