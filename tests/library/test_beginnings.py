"""The games that ``grognard new`` begins: each is complete, clean and played to its end, and either side can win it."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import grognard
from grognard.fronts.cli.main import main
from grognard.fronts.cli.rulesets.new import BEGINNINGS, FAMILIES, SKIRMISH
from grognard.lab.experiment import read_experiment

#: The languages that the games come in.
BOTH = ("en", "cs")


def _text(name: str) -> str:
    return Path(name).read_text(encoding="utf-8")


def test_families_are_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert {path.name for path in BEGINNINGS.iterdir()} == set(FAMILIES)
    assert main(["new", "--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(FAMILIES)


@pytest.mark.parametrize("family", [family for family in FAMILIES if family != SKIRMISH])
def test_a_family(
    family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "the_war", "--family", family]) == 0
    assert f"grognard play the_war/{FAMILIES[family][1]}" in capsys.readouterr().out
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in files if "new_game" in path.read_text(encoding="utf-8")]
    scenarios = [f"the_war/{path.stem}" for path in Path("scenarios/the_war").iterdir()]
    for command in (
        *(["book", "the_war", "--aids", "--language", one, "-o", f"{one}.html"] for one in BOTH),
        ["check", "the_war"],
        ["check", "the_war", "--texts", "--language", "cs"],
        ["fmt", "--check", "rulesets"],
        ["validate", *scenarios],
        ["test", "tests/cases/the_war"],
        ["test", "the_war"],
        ["test", "rulesets/the_war"],
    ):
        assert main(command) == 0, capsys.readouterr()
    english, czech = (set(re.findall("<h2>(.*?)</h2>", _text(f"{one}.html"))) for one in BOTH)
    assert czech and not english & czech
    told = capsys.readouterr().out
    assert "warning" not in told and " 0 failed" in told
    assert main(["cover", "the_war", "--games", "0", "--json"]) == 0
    totals = json.loads(capsys.readouterr().out)["totals"]
    assert totals["rules"] == totals["cited"] == totals["cases"] > 10
    assert read_experiment(Path("experiments/the_war.yaml"), "the_war").arrangements
    games, won = 0, Counter[str]()
    for scenario, bot, count in (
        (scenarios[0], "random", 40),
        (scenarios[1], "random", 40),
        (f"the_war/{FAMILIES[family][1]}", "greedy", 1),
    ):
        sides = len(grognard.load(scenario).sides)
        series = grognard.play_series(scenario, [bot] * sides, count)
        games += count
        won.update(series.wins_by_side)
    assert min(won.values()) > 0 and max(won.values()) < games, won
