"""The cases of the rulesets with hidden pieces, by both executions: also what each side sees."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from grognard.cases.file import Case, CaseError, read_cases
from grognard.cases.runner import CaseRunner
from runtime.data.reader import plain, read_file

RULESETS = Path(__file__).resolve().parents[1] / "rulesets"
NAMES = ("blocks", "concealed", "plotted")


@cache
def runner(name: str, interpreted: bool) -> CaseRunner:
    compilation = Ruleset(RULESETS / name)
    assert compilation.ok and not compilation.diagnostics
    program = compilation.compiled
    read = read_cases(next((RULESETS / name / "cases").glob("*.yaml")))
    root, findings = read_file(RULESETS / name / f"{read.scenario}.yaml", read.scenario)
    assert root is not None, findings
    made = InterpretedProgram(compilation.program, program.spec) if interpreted else program
    return CaseRunner(compilation.program, made, plain(root))


CASES = [
    (name, case)
    for name in NAMES
    for path in (RULESETS / name / "cases").glob("*.yaml")
    for case in read_cases(path).cases
]


@pytest.mark.parametrize("interpreted", [False, True], ids=["compiled", "interpreted"])
@pytest.mark.parametrize(
    ("name", "case"), CASES, ids=lambda v: v.name[:60] if isinstance(v, Case) else v
)
def test_case(name: str, case: Case, interpreted: bool) -> None:
    outcome = runner(name, interpreted).run(case)
    assert outcome.ok, "\n".join([*outcome.problems, "log:", *outcome.log])


@pytest.mark.parametrize(
    ("sees", "said"),
    [
        (
            "{red: {fields: {R.Block1.type: unseen}}}",
            "red sees: R.Block1.type: expected unseen, is seen",
        ),
        (
            "{blue: {fields: {R.Block1.type: foot}}}",
            "blue sees: R.Block1.type: expected foot, is unseen",
        ),
        (
            "{red: {fields: {R.Block1.type: guns}}}",
            "red sees: R.Block1.type: expected guns, is foot",
        ),
        ("{red: {log: [boo]}}", "red sees: log: expected a line with 'boo'"),
        ("{green: {log: [boo]}}", "there is no side 'green'"),
        ("{red: {hands: {}}}", "unknown expectation 'hands'"),
        ("{red: {}}", "the mapping in cases.1.expect.sees.red is empty"),
        ("red", "text 'red' in cases.1.expect.sees: expected a mapping"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, sees: str, said: str) -> None:
    path = tmp_path / "case.yaml"
    path.write_text(
        f"ruleset: blocks\nscenario: fords\ncases:\n  - name: x\n    run: nothing\n    expect: {{sees: {sees}}}\n",
        encoding="utf-8",
    )
    try:
        problems = runner("blocks", False).run(read_cases(path).cases[0]).problems
    except CaseError as error:
        problems = tuple(map(str, error.findings))
    assert any(said in problem for problem in problems), problems
