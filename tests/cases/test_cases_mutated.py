"""A fault in a file of cases is found or makes a case fail: none goes unnoticed, none is a fault of ours."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from cases_mutated import Path as Place
from cases_mutated import mutations

from compiler.ruleset import Ruleset
from grognard.cases.file import CaseError, read_cases
from grognard.cases.runner import CaseRunner
from runtime.data.reader import plain, read_file

RULESETS = Path(__file__).resolve().parents[1] / "rulesets"
FILES = [
    RULESETS / "concealed" / "cases" / "spotting.yaml",
    RULESETS / "blocks" / "cases" / "battles.yaml",
]


@cache
def runner(ruleset: str, scenario: str) -> CaseRunner:
    """A runner, made once."""
    compilation = Ruleset(RULESETS / ruleset)
    root, findings = read_file(RULESETS / ruleset / f"{scenario}.yaml", scenario)
    assert root is not None, findings
    return CaseRunner(compilation.program, compilation.compiled, plain(root))


def expects(place: Place) -> bool:
    """Whether a place is part of what a case expects."""
    return "expect" in place and (place.index("expect") == 2 or "actions" in place)


def pieces() -> list[Any]:
    """Each case in a file of its own."""
    found = []
    for path in FILES:
        root, _ = read_file(path, path.name)
        assert root is not None
        file = plain(root)
        found += [{**file, "cases": [case]} for case in file["cases"]]
    return found


@pytest.mark.parametrize("file", pieces(), ids=lambda file: file["cases"][0]["name"][:40])
def test_no_mutation_goes_unnoticed(file: dict[str, Any], tmp_path: Path) -> None:
    written, unnoticed = tmp_path / "case.yaml", []
    for number, (what, place, mutated) in enumerate(mutations(file)):
        if number % 8 and not expects(place):
            continue
        written.write_text(
            yaml.safe_dump(mutated, sort_keys=False, allow_unicode=True), encoding="utf-8"
        )
        try:
            read = read_cases(written, "case.yaml")
        except CaseError as error:
            assert error.findings, (what, place)
            assert all(f.line and f.message for f in error.findings), (what, place)
            continue
        if (read.ruleset, read.scenario) != (file["ruleset"], file["scenario"]):
            continue
        outcome = runner(read.ruleset, read.scenario).run(read.cases[0])
        if outcome.ok and what != "left out" and expects(place):
            unnoticed.append((what, place))
    assert not unnoticed
