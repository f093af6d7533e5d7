"""Cases that stand beside the small rulesets of the tests, by both executions."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from grognard.cases.file import Case, read_cases
from grognard.cases.runner import CaseRunner
from runtime.data.reader import plain, read_file

FOLDER = Path(__file__).resolve().parents[1] / "rulesets"
FILES = sorted(FOLDER.glob("*/cases/*.yaml"))


@cache
def runners(ruleset: str, scenario: str) -> list[CaseRunner]:
    """A runner for each execution."""
    compilation = Ruleset(FOLDER / ruleset)
    assert compilation.ok, compilation.diagnostics
    path = FOLDER / f"{scenario}.yaml"
    root, findings = read_file(
        path if path.is_file() else FOLDER / ruleset / f"{scenario}.yaml", scenario
    )
    assert root is not None, findings
    programs = (
        compilation.compiled,
        InterpretedProgram(compilation.program, compilation.spec),
    )
    return [CaseRunner(compilation.program, program, plain(root)) for program in programs]


CASES = [
    (read.ruleset, read.scenario, case)
    for read in (read_cases(path, path.name) for path in FILES)
    for case in read.cases
]


def test_there_are_cases() -> None:
    assert CASES


@pytest.mark.parametrize(
    ("ruleset", "scenario", "case"), CASES, ids=lambda v: v.name[:60] if isinstance(v, Case) else ""
)
def test_case(ruleset: str, scenario: str, case: Case) -> None:
    for runner in runners(ruleset, scenario):
        outcome = runner.run(case)
        assert outcome.ok, "\n".join(
            [type(runner).__name__, *outcome.problems, "log:", *outcome.log]
        )


def test_a_shuffle_that_never_comes_is_told() -> None:
    data = {
        "name": "dealt twice",
        "dice": {"chances": [["storm"], ["levy"]]},
        "expect": {"over": False},
    }
    for runner in runners("spaces", "spaces/delta"):
        outcome = runner.run(Case("", 0, data))
        assert outcome.problems == ("dice: 1 of chances were never shuffled",)
