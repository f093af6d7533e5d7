"""How games went, turn by turn: counted, told, drawn."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

import bench.games.course as course
from bench import charts
from bench.games.course import Course

TURNS = ["t1", "t2", "t3", "t4"]
#: Two sides, two kinds: in the second game the first side takes A1 in turn 2, and wins in turn 3.
GAMES = [
    Course("x", "", 1, 0, 3, [[[3, 0], [0, 2]]] * 5, [{"A1": 1}] * 5, ["bottom"], 40),
    Course(
        "x", "", 2, 0, 2,
        [[[3, 0], [0, 2]], [[3, 0], [0, 2]], [[3, 1], [0, 1]], [[3, 2], [0, 0]]],
        [{"A1": 1}, {"A1": 1}, {"A1": 0}, {"A1": 0}], ["top"], 30,
    ),
]  # fmt: skip


def test_who_has_won_and_when() -> None:
    rows = list(course.table(GAMES, TURNS, ["top", "bottom"]))
    assert rows[1:] == [
        "| top | 1 | 50% (9 to 91) | t3: 1 |",
        "| bottom | 1 | 50% (9 to 91) | t4: 1 |",
    ]


def test_a_hex_changes_hands_in_the_turn_before_it_is_counted() -> None:
    assert course.turns_of_capture(GAMES, "A1") == [1]


def test_what_a_side_holds_is_counted_of_the_games_that_come_so_far() -> None:
    assert course.by_turn(GAMES, 0, 1, 4) == [[0, 0], [0, 0], [0, 1], [0, 2], [0]]


def test_a_chart_has_a_line_and_a_band_for_each(tmp_path: Path) -> None:
    lines = [(side, course.by_turn(GAMES, n, 1, 3)) for n, side in enumerate(("top", "bottom"))]
    chart = charts.course("Held", lines, [turn[1:] for turn in TURNS], 2)
    (values,) = chart.to_dict()["datasets"].values()
    assert [(v["what"], v["turn"], v["median"]) for v in values if v["what"] == "top"] == [
        ("top", "1 (2)", 0), ("top", "2 (2)", 0), ("top", "3 (2)", 0.5), ("top", "4 (2)", 1),
    ]  # fmt: skip
    charts.save(chart, tmp_path / "held.svg")
    drawing = ElementTree.parse(tmp_path / "held.svg").getroot()
    words = {"".join(part.itertext()) for part in drawing.iter() if part.tag.endswith("}text")}
    assert {"Held", "top", "bottom", "4 (2)", "2 games; line: median, band: middle half"} <= words


def test_of_what_the_ruleset_lacks_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = ["--journal", str(tmp_path / "games"), "--games", "0"]
    assert course.main(["barbarossa_1941", "owns", "home", *journal]) == 2
    assert "Side has no field 'owns' that is a set" in capsys.readouterr().err
    assert course.main(["barbarossa_1941", "holds", "home", *journal]) == 0
