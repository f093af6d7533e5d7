"""What a ruleset demands of scenarios, by both executions."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from runtime.scenario import load

RULESET = """ruleset small
sides a, b
enum Type { known, dark }
table types of Type {
  columns strength: int
  | known | 3 |
  | dark  | ? |
}
board field { layout odd_r; rows 2; columns 3; }
piece Unit { type: Type fixed setup  side: Side fixed setup  hex: Hex place alone setup }
fields of Side { goal: int setup }
@rule X-1.2
require goals_differ that a.goal is not b.goal
procedure play() {
  choose u in Unit where u.type.strength > 0 by a prompt pick else { leave }
  win by u.side
}
"""
SCENARIO = """ruleset: small
title: Small
sides: {{a: {{goal: {a}}}, b: {{goal: 2}}}}
pieces:
  Unit:
    - {{side: a, type: {type}, hex: A1}}
    - {{side: b, type: known, hex: A2}}
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    folder: Path = tmp_path_factory.mktemp("rulesets") / "small"
    folder.mkdir()
    (folder / "small.grog").write_text(RULESET, encoding="utf-8")
    compilation = Ruleset(folder)
    assert [d.code for d in compilation.diagnostics] == ["F408"]
    return compilation.compiled, InterpretedProgram(compilation.program, compilation.spec)


@pytest.mark.parametrize(
    ("a", "type_", "expected"),
    [
        (1, "known", []),
        (2, "known", ["the ruleset requires: goals differ (X-1.2)"]),
        (1, "dark", ["the strength of dark is not known"]),
        (
            2,
            "dark",
            ["the ruleset requires: goals differ (X-1.2)", "the strength of dark is not known"],
        ),
    ],
)
def test_what_a_scenario_must_meet(both, a: int, type_: str, expected: list[str]) -> None:  # type: ignore[no-untyped-def]
    text = SCENARIO.format(a=a, type=type_)
    for program in both:
        setup, findings = load(text, program.spec, broken=program.unmet_requirements)
        assert sorted(f.message for f in findings) == sorted(expected)
        assert (setup is None) == bool(expected)
        assert all(f.code == "S219" and f.remedy for f in findings)


def test_what_is_not_met_is_told_where_the_scenario_gives_it(both) -> None:  # type: ignore[no-untyped-def]
    text = SCENARIO.format(a=2, type="known")
    for program in both:
        _, (finding,) = load(text, program.spec, broken=program.unmet_requirements)
        line = text.splitlines()[finding.line - 1]
        assert line[finding.column - 1] == "2"
        assert finding.remedy.startswith("change what it rests on (sides.")
