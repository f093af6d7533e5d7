"""Rules taken out in turn: what a case notices, what none does, and the journal."""

from __future__ import annotations

from pathlib import Path

import pytest

import bench.checks.removals as removals
from bench.checks.changes import apply_change, changes
from grognard.fronts.cli.main import main as grognard

CASES = """\
ruleset: hills
scenario: hills/first
cases:
  - name: Too far
    rules: [H-3.1]
    position:
      pieces:
        Unit:
          - {side: blue, type: infantry, hex: A3, name: ours}
          - {side: red, type: cavalry, hex: F5, name: theirs}
    run: nothing
    expect: {refused: {"may_fire(ours, theirs)": H-3.1}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert grognard(["new", "hills"]) == 0
    (tmp_path / "cases.yaml").write_text(CASES)
    return tmp_path


def run(*words: str) -> int:
    return removals.main(["hills", "--cases", "cases.yaml", *words])


def test_what_cases_notice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--only", "out_of_range", "--journal", "found") == 0
    told = capsys.readouterr().out
    assert "1 of 1 noticed, 1 only by cases that run nothing" in told
    assert (
        "only a case that runs nothing notices: deny may_fire.out_of_range (H-3.1; hills/" in told
    )
    assert run("--journal", "found") == 1
    told = capsys.readouterr().out
    assert "1 known from the journal" in told
    assert "no case notices: deny may_enter.occupied (H-2.2; hills/ruleset.grog:" in told
    assert "no case notices: modify fire_dice.cover (H-3.4; " in told
    assert "no case notices: deny may_fire.out_of_range" not in told


PLAYED = """\
  - name: Asked by play
    rules: [H-3.4]
    position:
      pieces:
        Unit:
          - {side: blue, type: infantry, hex: A3, name: ours}
          - {side: red, type: cavalry, hex: F5, name: theirs}
    run: turn(blue)
    expect: {offered: [move ours], not_offered: [fire ours]}
"""


def test_a_case_that_plays_counts_before_one_that_asks(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "cases.yaml").write_text(CASES + PLAYED)
    assert run("--only", "out_of_range") == 0
    told = capsys.readouterr().out
    assert "1 of 1 noticed\n" in told and "runs nothing" not in told


def test_a_changed_case_is_run_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--only", "out_of_range", "--journal", "found") == 0
    (folder / "cases.yaml").write_text(
        CASES.replace("hex: F5", "hex: A4")
        .replace("refused:", "values:")
        .replace(": H-3.1}}", ": true}}")
    )
    assert run("--only", "out_of_range", "--journal", "found") == 1
    assert "0 known from the journal" in capsys.readouterr().out


def test_cases_that_fail_anyway_tell_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "cases.yaml").write_text(CASES.replace("F5", "A4"))
    assert run() == 2
    assert "1 cases fail as it is, first 'Too far'" in capsys.readouterr().err


def test_values_that_are_changed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "cases.yaml").write_text(
        CASES.replace(
            'refused: {"may_fire(ours, theirs)": H-3.1}', 'values: {"fire_dice(ours, theirs)": 2}'
        )
    )
    assert run("--values", "1000", "--only", "dice of infantry", "--journal", "found") == 0
    assert "1 changes, 1 cases" in capsys.readouterr().out
    assert run("--values", "1000", "--only", "may_fire.out_of_range", "--journal", "found") == 1
    told = capsys.readouterr().out
    assert "no case notices: change may_fire.out_of_range.> as >= at hills/ruleset.grog:" in told
    chosen = []
    for seed in ("1", "2", "1"):
        run("--values", "3", "--seed", seed, "--journal", "found")
        chosen.append(capsys.readouterr().out.splitlines()[1:-1])
    assert chosen[0] == chosen[2] != chosen[1]


def test_a_change_is_undone_afterwards(folder: Path) -> None:
    bench = removals.Bench("hills", [Path("cases.yaml")])
    program = bench.program

    def content() -> list[object]:
        facts = [*program.columns.values(), *program.matrices.values()]
        return [*map(str, changes(program)), *(fact.values for fact in facts)]

    whole = content()
    assert len(bench.changes) > 20
    for change in bench.changes:
        with apply_change(change):
            assert content() != whole, change
        assert content() == whole, change


def test_a_rule_is_there_again_afterwards(folder: Path) -> None:
    bench = removals.Bench("hills", [Path("cases.yaml")])
    whole = [str(removal) for removal in bench.removals]
    for removal in bench.removals:
        with removals.without_rule(bench.program, removal):
            assert str(removal) not in map(str, removals.removals(bench.program))
        assert [str(other) for other in removals.removals(bench.program)] == whole
