"""``grognard watch``: what a change is told to do, and which cases are about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.ruleset import Ruleset
from grognard.cases.file import Case
from grognard.editing.differences import changed_names, is_about
from grognard.fronts.cli.main import main

ROOT = Path(__file__).parents[2]
SKIRMISH = ROOT / "tests/rulesets/skirmish"


def after(old: str, new: str) -> tuple[set[str], set[str]]:
    """What has changed in the skirmish when something is written otherwise."""
    before = Ruleset(SKIRMISH)
    text = (SKIRMISH / "skirmish.grog").read_text(encoding="utf-8")
    assert old in text
    edited = before.with_overlay({"skirmish/skirmish.grog": text.replace(old, new, 1)})
    return changed_names(before.resolved, edited.resolved)


def test_what_is_declared_otherwise_is_what_has_changed() -> None:
    assert after("# A small game", "# A very small game") == (set(), set())
    assert after("| guard | 3 |", "| guard | 4 |")[0] == {"sorts", "dice", "move", "steps"}
    assert after("deny full for may_enter", "deny full §2.1 for may_enter") == (
        {"may_enter"},
        {"§2.1"},
    )


def test_a_case_is_about_what_it_names() -> None:
    case = Case("", 1, {"name": "x", "rules": ["S-2.1"], "run": "hurt(ours, 1)"})
    assert is_about(case, {"hurt"}, set()) and is_about(case, set(), {"S-2.1"})
    assert not is_about(case, {"shove"}, {"S-2.2"})


def test_a_change_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "hills"]) == 0
    cases = tmp_path / "tests/cases/hills"
    cases.mkdir(parents=True)
    source = next((tmp_path / "rulesets/hills").glob("ruleset.grog"))
    text = source.read_text(encoding="utf-8")
    (cases / "strength.yaml").write_text(
        "ruleset: hills\nscenario: hills/first\ncases:\n"
        "  - {name: three steps, run: nothing, expect: {fields: {B.infantry1.strength: 3}}}\n"
        "  - {name: it rides, run: nothing, expect: {values: {allowance(B.cavalry1): 3}}}\n"
    )
    more = text.replace("| infantry | 3 |", "| infantry | 4 |")
    changes = iter([more, more.replace("| cavalry  | 2 | 3 |", "| cavalry  | 2 | 4 |"), "ruleset"])

    def watch(*watched: Path, raise_interrupt: bool) -> object:
        assert cases in watched and source.parent in watched
        for new in changes:
            source.write_text(new)
            yield {new}

    monkeypatch.setattr("watchfiles.watch", watch)
    capsys.readouterr()
    assert main(["watch", "hills", "hills/first", "--games", "1"]) == 0
    told = capsys.readouterr().out
    assert "hills: nothing found" in told and "1 game:" in told
    _, *after = told.split("cases: 2 hold, 0 do not")
    assert "cases about it: 0 hold, 1 do not" in after[0] and "cases: 1 hold, 1 do not" in after[0]
    # nothing in a case names what the table gives, and yet it is another value
    assert "it rides" in after[0] and "cases: 0 hold, 2 do not" in after[0]
    assert "error P1" in told
