"""The report of a record: figures that agree with the game."""

from __future__ import annotations

import re

import pytest
from retold import GAMES, course_of, record_of

from grognard.retelling.prose import Report


@pytest.fixture(params=GAMES, scope="module")
def report(request: pytest.FixtureRequest) -> Report:
    return Report(course_of(str(request.param)), record_of(str(request.param)))


def test_losses_add_up(report: Report) -> None:
    """What the turns say was lost is what is missing at the end."""
    course, forces = report.course, report.account.forces
    first = next(iter(course.moments())).after
    before = [forces.total(first, side) for side in range(len(course.spec.sides))]
    end = report.course.played.state
    for side in range(len(course.spec.sides)):
        lost = sum(turn.lost[side] for turn in report.account.turns)
        assert before[side] - forces.total(end, side) == lost
    assert sum(turn.decisions for turn in report.account.turns) == len(course.played.choices)
    assert len(report._notes) == course.played.notes


def test_dice_are_those_of_the_game(report: Report) -> None:
    rolled = sum(sum(counted.values()) for counted in report.account.faces.values())
    dice = len(report.course.spec.dice)
    assert rolled >= sum(report.course.played.state.counters[:dice]) > 0
    for (die, _), counted in report.account.faces.items():
        assert set(counted) <= set(report.course.spec.dice[die].faces)


def test_as_markdown_and_as_html(report: Report) -> None:
    text, html = report.markdown(), report.html()
    assert text.startswith(f"# {report.title}") and text.count("## ") == html.count("<h2>") >= 5
    for row in re.findall(r"^\|.*\|$", text, re.MULTILINE):
        assert row.count("|") > 2
    assert "{" not in text and "None" not in text and "Traceback" not in text
    assert "script" not in html and "default-src 'none'" in html


def test_expectations_of_a_known_battle() -> None:
    """A roll of one die that hits on two faces of six costs a third of a block on average."""
    course = course_of("cc_ancients/akragas")
    report = Report(course, record_of("cc_ancients/akragas"))
    lost = {course.sides[side]: balance for side, balance in report.luck.sides.items()}
    assert 18 < lost["Syracuse"].expected < 28 and lost["Syracuse"].lost == 19
    assert lost["Carthage"].lost == 3 and lost["Carthage"].variance > 0
