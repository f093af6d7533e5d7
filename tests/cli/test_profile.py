"""What rules cost while games are played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from project import ROOT

from grognard import opening
from grognard.coverage.costs import Costs, costs

MASSES = ROOT / "tests/rulesets/masses"


@pytest.fixture(scope="module")
def found() -> Costs:
    opened = opening.open_scenario(MASSES / "meadow.yaml", ruleset=MASSES)
    return costs(opened, ["random", "random"], 2)


def test_shares(found: Costs) -> None:
    assert found.games > 0 and found.decisions > 100 and found.samples > 100
    assert sum(cost.own for cost in found.lines) == pytest.approx(found.rules)
    assert sum(cost.own for cost in found.definitions) == pytest.approx(found.rules)
    assert 0.2 < found.rules <= 1
    for cost in (*found.lines, *found.definitions):
        assert 0 <= cost.own <= cost.whole <= 1
    owns = [cost.own for cost in found.lines]
    assert owns == sorted(owns, reverse=True)


def test_places(found: Costs) -> None:
    source = (MASSES / "masses.grog").read_text(encoding="utf-8").splitlines()
    for cost in (*found.lines, *found.definitions):
        assert Path(cost.file).name == "masses.grog"
    assert all(source[cost.line - 1].strip() == cost.what for cost in found.lines)
    for cost in found.definitions:
        kind, _, name = cost.what.partition(" ")
        assert source[cost.line - 1].startswith((f"{kind} {name}", f"modify {name}")), cost


def test_what_costs_most(found: Costs) -> None:
    """In these games pieces march, and look round for foes."""
    whole = {cost.what: cost.whole for cost in found.definitions}
    assert whole["procedure turn"] > whole["travel march"] > 0.1
    assert whole["travel march"] > whole.get("quantity dice", 0)


def test_the_command(run: Any, desk: Path) -> None:
    done = run("profile", "first", "--seconds", "1", "--top", "3")
    head, _, *rest = done.out.splitlines()
    assert done.code == 0 and head.startswith("First skirmish, random against random: ")
    assert len(rest) == 4 + 1 + 4 and rest[0].split() == ["own", "whole", "definitions"]
    words = ("--seconds", "1", "--bots", "greedy,random", "--json")
    told = json.loads(run("profile", "first", *words).out)
    assert all(one["file"].endswith(".grog") for one in told["lines"]) and told["games"] > 0
    refused = run("profile", "first", "--bots", "random")
    assert refused.code == 2 and "there are 2 sides: blue, red" in refused.err
    for words in (("--seconds", "0"), ("--seconds", "-1"), ("--top", "0")):
        refused = run("profile", "first", *words)
        assert refused.code == 2 and f"{' '.join(words)}: that leaves nothing" in refused.err
