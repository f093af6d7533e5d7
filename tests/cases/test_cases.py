"""The cases of the rulesets, by all executions; and what is said of files of cases that are wrong."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from native_builds import followed, missing
from other_languages import lacking
from project import ROOT, compiled, program_of

import grognard
from compiler.interpreter import InterpretedProgram
from grognard.cases.file import CaseError, CaseFile, read_cases
from grognard.cases.runner import CaseRunner
from runtime.data.reader import plain, read_file
from runtime.errors import words_of
from runtime.program import Program

#: One whose native build takes seconds; those of all others are long.
QUICK = "battles_of_westeros/battle_plan"
FILES = sorted((ROOT / "tests" / "cases").rglob("*.yaml"))
BAD = sorted((ROOT / "tests" / "bad_cases").glob("*.yaml"))


@cache
def runner(ruleset: str, scenario: str, execution: str = "compiled") -> CaseRunner:
    """A runner, made once."""
    compilation = compiled(ruleset)
    program: Program = program_of(ruleset)
    if execution == "interpreted":
        program = InterpretedProgram(compilation.program, compilation.spec)
    elif execution == "native":
        program = followed(ROOT / "rulesets" / ruleset, program_of(ruleset))
    root, findings = read_file(ROOT / "scenarios" / f"{scenario}.yaml", scenario)
    assert root is not None, findings
    rules = [rule for index in compilation.resolved.indexes for rule in index.entries]
    return CaseRunner(compilation.program, program, plain(root), rules)


@cache
def cases_of(path: Path) -> CaseFile:
    """A file of cases, read once."""
    return read_cases(path, path.name)


def test_there_are_files_of_cases() -> None:
    assert len(FILES) > 100


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("execution", ["compiled", "interpreted"])
@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_cases_of_a_file(path: Path, execution: str) -> None:
    """All of a file in one test: files are read when it is their turn, and reports stay short."""
    read = cases_of(path)
    assert len({case.name for case in read.cases}) == len(read.cases)
    run = runner(read.ruleset, read.scenario, execution).run
    # a forecast takes the interpreter seconds
    cases = (
        read.cases[::12] if execution == "interpreted" and path.stem == "forecasts" else read.cases
    )
    failed = [outcome for outcome in map(run, cases) if not outcome.ok]
    assert not failed, "\n".join(
        f"{path}:{one.case.line}: {one.case.name}\n  " + "\n  ".join([*one.problems, *one.log])
        for one in failed
    )


@pytest.mark.skipif(bool(missing()), reason=missing() or "it can")
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.long] if name_of(path) != QUICK else [])
        for path in FILES
    ],
    ids=name_of,
)
def test_native_cases_of_a_file(path: Path) -> None:
    """What a native build runs beside Python parts nowhere."""
    test_cases_of_a_file(path, "native")


@pytest.mark.parametrize("path", BAD, ids=lambda p: p.stem)
def test_what_is_wrong_is_said(path: Path) -> None:
    expected = path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# expect: ")
    try:
        read = read_cases(path, path.name)
    except CaseError as error:
        assert expected in str(error)
        assert path.name in str(error)
        assert lacking(words_of(error)) == []
        return
    outcome = runner(read.ruleset, read.scenario).run(read.cases[0])
    assert any(expected in problem for problem in outcome.problems), outcome.problems
    assert lacking(*outcome.problems) == []


def test_a_mistake_in_a_position_is_told_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(
        """\
ruleset: cc_ancients
scenario: cc_ancients/akragas
cases:
  - name: a
    position:
      pieces:
        Unit:
          - {side: top, type: HI, hex: A1}
          - side: bottom
            type: HI
            hex: A99
    expect: {over: false}
""",
        encoding="utf-8",
    )
    (outcome,) = grognard.run_cases(file)
    assert not outcome.ok and outcome.problems[0].startswith(
        "line 11: the position: there is no hex A99"
    )
