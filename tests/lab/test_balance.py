"""Cases of balance: played when they are asked for, and alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import grognard
from grognard.fronts.cli.main import main

FILE = """
ruleset: tiny
scenario: tiny/first
cases:
  - name: a unit has its strength
    run: nothing
    expect: {{fields: {{blue1.strength: {strength}}}}}
  - name: blue is no favourite
    balance: {balance}
"""


def run_cases(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["test", "cases.yaml", *words])
    return code, capsys.readouterr().out


def test_they_are_played_when_asked_for(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = desk / "cases.yaml"
    series = grognard.play_series("first", ["greedy", "greedy"], 20)
    share = (series.wins_by_side["blue"] + series.ties / 2) / 20
    close = (
        f"{max(0, share - 0.01):.2f}..{min(1, share + 0.01):.2f}, games 20, bots greedy, of blue"
    )
    file.write_text(FILE.format(strength=3, balance=close), encoding="utf-8")
    code, told = run_cases(capsys)
    assert "1 of balance left out (--balance runs them)" in told
    code, told = run_cases(capsys, "--balance")
    assert code == 0 and told == "1 passed, 0 failed\n"
    far = "0.99..1, games 20" if share < 0.9 else "0..0.01, games 20"
    file.write_text(FILE.format(strength=3, balance=far), encoding="utf-8")
    code, told = run_cases(capsys, "--balance")
    assert code == 1 and f"blue wins {share:.1%} of 20 games (95%: " in told
    assert "more games may show" not in told, "the interval ends before"
    near = f"{share + 0.01:.2f}..1, games 20" if share < 0.9 else f"0..{share - 0.01:.2f}, games 20"
    file.write_text(FILE.format(strength=3, balance=near), encoding="utf-8")
    code, told = run_cases(capsys, "--balance")
    assert code == 1 and "; more games may show that it is so" in told
    (result,) = grognard.run_cases(file, balance=True)
    assert not result.ok and result.name == "blue is no favourite"


def test_there_must_be_one(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = FILE.format(strength=3, balance="0..1").split("  - name: blue")[0]
    (desk / "cases.yaml").write_text(text, encoding="utf-8")
    assert main(["test", "cases.yaml", "--balance"]) == 2
    assert "there is no case of balance in these files" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("balance", "told"),
    [
        ("about half", "'about half' says no balance"),
        ("0.6..0.4", "'0.6..0.4': the first share is greater than the second"),
        ("0.4..0.6\n    switches: {foo: true}", "'tiny' has no switch 'foo'"),
        ("0.4..0.6, of green", "there is no side 'green'"),
        ("0.4..0.6, bots clever", "there is no bot 'clever'"),
        ("0.4..0.6\n    run: play()", "'run' in a case of balance"),
    ],
)
def test_what_is_wrong_with_one(
    balance: str, told: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = FILE.format(strength=3, balance=balance)
    (desk / "cases.yaml").write_text(text, encoding="utf-8")
    code, out = run_cases(capsys, "--balance")
    assert code == 1 and told in out
