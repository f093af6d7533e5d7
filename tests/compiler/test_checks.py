"""Checks: an equal value is no change, and a check does not trigger itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import Pair, pair

HEADER = """ruleset checks
sides top, bottom
board b { rows 1; columns 3; }
enum Card { one, two }
table cards of Card { columns count: int
  | one | 2 |
  | two | 2 |
}
scope turn
piece Unit { side: Side fixed setup  hex: Hex place alone setup  hits: int = 0 }
fields of Game { x: int = 0  y: int = 0  asked: int = 0  others: int = 0  marks: set of Card }
fields of Side { purse per Card: int = 0 }
effect rain() lasts turn { }
effect mud(u: Unit) lasts turn { }
"""
SCENARIO = """ruleset checks
title: Checks
sides: {top: {name: Top}, bottom: {name: Bottom}}
pieces:
  Unit:
    - {side: top, hex: A1}
    - {side: bottom, hex: A2}
"""


def both(root: Path, text: str) -> Pair:
    folder = root / "checks"
    folder.mkdir()
    (folder / "checks.grog").write_text(HEADER + text, encoding="utf-8")
    (root / "s.yaml").write_text(
        SCENARIO.replace("ruleset checks", "ruleset: checks", 1), encoding="utf-8"
    )
    return pair(folder, root / "s.yaml")


def ends(root: Path, text: str, *fields: str) -> tuple[int, ...]:
    """Game fields when play has ended, on which both executions agree."""
    found = []
    programs = both(root, text)
    for program in (programs.compiled, programs.interpreted):
        state = program.new_state(programs.setup, 1)
        program.begin(state)
        assert state.over
        found.append(tuple(getattr(state, f"game_{name}") for name in fields))
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize(
    ("step", "times"),
    [
        ("set x = 0", 0),
        ("set x = 1", 1),
        ("set x = 1 set x = 1", 1),
        ("add 0 to x", 0),
        ("add 2 to x take 2 from x", 2),
        ("take one from marks", 0),
        ("add one to marks add one to marks", 1),
        ("each u in Unit { set u.hits = 0 }", 0),
        ("each u in Unit { set u.hits = 2 }", 2),
        ("each u in Unit { set u.hex = u.hex }", 0),
        ("set top.purse[one] = 0 set top.purse[two] = 3", 1),
        ("start rain() start rain()", 1),
        ("cease rain()", 0),
        ("each u in Unit { start mud(u) start mud(u) }", 2),
    ],
)
def test_an_equal_value_is_no_change(tmp_path: Path, step: str, times: int) -> None:
    watched = """
function watched(): bool = x >= 0 and size(marks) >= 0 and (every u in Unit has u.hits >= 0 and u.hex is not none) and effect rain is not true or true
function more(): bool = top.purse[one] + top.purse[two] >= 0 and size(effect mud) >= 0
check count when watched() and more() { add 1 to asked }
"""
    assert ends(tmp_path, f"{watched}procedure play() {{ {step} }}\n", "asked") == (times,)


def test_a_check_does_not_trigger_itself(tmp_path: Path) -> None:
    text = "check climb when x > 0 { add 1 to x  do more() }\nprocedure more() { add 1 to x }\nprocedure play() { set x = 1 set x = 7 }\n"
    assert ends(tmp_path, text, "x") == (9,)


def test_a_check_triggers_others_once_each(tmp_path: Path) -> None:
    """While a check runs, others are asked of what it changes; what they change does not ask it again."""
    text = """
check first_one when x > 0 { add 1 to asked  add 1 to y }
check second_one when y > 0 { add 1 to others  add 1 to x }
procedure play() { set x = 1 }
"""
    assert ends(tmp_path, text, "asked", "others", "x", "y") == (1, 1, 2, 1)


def test_together_inside_a_check(tmp_path: Path) -> None:
    text = """
check first_one when x > 0 { together { add 1 to x  add 1 to y }  add 1 to asked  if asked > 3 { leave } }
check second_one when y > 2 { add 1 to others }
procedure play() { set x = 1 set x = 5 set y = 3 }
"""
    assert ends(tmp_path, text, "asked", "others", "x", "y") == (2, 1, 6, 3)


def test_a_check_that_leaves_early_is_asked_again(tmp_path: Path) -> None:
    text = "check one_more when x > 0 { add 1 to asked  leave }\nprocedure play() { set x = 1 set x = 2 }\n"
    assert ends(tmp_path, text, "asked") == (2,)
