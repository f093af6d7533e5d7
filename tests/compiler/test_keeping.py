"""What checking keeps between two texts: all that hangs on nothing which has changed, and no more."""

from __future__ import annotations

import re

import pytest
from project import ROOT
from test_again import assert_as_from_nothing, begun

from compiler.check.keeping import CachingChecker
from compiler.ruleset import Ruleset
from dsl import parser

#: Edits, each with the procedures and functions that are checked again by it; None: many.
EDITS = [
    # the body alone
    ("skirmish", "set a.fought = true", "set a.fought = false", {"fight"}),
    # what is called so, and what calls it
    ("skirmish", "function far(s: Side): int", "function far(s: Side?): int", {"far", "gap"}),
    # a note before others, which get other numbers
    ("skirmish", "note lost(p, p.side, p.hex)", "note gone(p) note lost(p, p.side, p.hex)", None),
    # the condition of a reaction, which stands in the window of its event
    ("skirmish", "when d.sort is scout and size", "when size", {"reaction_slip", "fight"}),
    # a field, and what names it
    ("skirmish", "rounds: int = 1", "rounds: int = 2", {"play"}),
    # a field that is a place, on which all may hang
    ("skirmish", "place alone", "place", None),
    # a field of a kind of which one is created, where it is not named
    ("mixture", "piece Peg of Chip {}", "piece Peg of Chip { tall: int = 1 }", {"mint", "turn"}),
    # the measure in which a die is rolled
    ("skirmish", "mode: Mode): Dice {", "mode: Mode): Steps {", None),
    # measures that do not fit, where it counts how often they do elsewhere
    ("skirmish", "if n <= 0 {", "\n\nif n <= p.sort.move {", None),
    # a member that two enums have
    ("skirmish", "enum Mode { strike, reply }", "enum Mode { strike, reply, guard }", None),
    # a column that makes clear what is read
    ("skirmish", "columns dice: Dice, move: Hexes", "columns dice: Dice, far: Hexes", None),
    # a rule that excepts another
    (
        "skirmish",
        "deny full for may_enter",
        "deny other for may_enter when h.rough\ndeny full for may_enter",
        set(),
    ),
    # how far a travel goes
    ("skirmish", "within p.sort.move {", "within 2 {", None),
    # what a question tells, though it stands elsewhere
    (
        "secrets",
        "where g.side is not f.side",
        "where g.side is not f.side and g.order is hold",
        {"foes"},
    ),
    # what a window tells
    (
        "secrets",
        "and d.shown is not lunge\n",
        "and d.order is not lunge\n",
        {"reaction_ward", "strike"},
    ),
    # who sees something
    ("secrets", "order: Plan = hold seen by side", "order: Plan = hold", None),
    # a procedure that runs another and changes what was known to hold
    ("secrets", "note mocked(f)", "note mocked(f) do reveal(left)", {"carry_out"}),
]


@pytest.mark.parametrize(("name", "old", "new", "anew"), EDITS)
def test_what_hangs_on_an_edit_is_checked_again(
    name: str, old: str, new: str, anew: set[str] | None
) -> None:
    begins, texts = begun(ROOT / "tests/rulesets" / name)
    apart = _apart(texts)
    first = begins.with_overlay(apart)
    before = _bodies(first)
    changed = {file: text.replace(old, new) for file, text in apart.items() if old in text}
    assert changed
    again = first.with_overlay({**apart, **changed})
    if anew is not None:
        after = _bodies(again)
        assert {name for name in after if after[name] is not before.get(name)} == anew
    assert_as_from_nothing(again, {**apart, **changed}, program=True)
    assert_as_from_nothing(again.with_overlay(apart), apart, program=True)


@pytest.mark.parametrize("name", ["skirmish", "secrets", "mixture"])
def test_what_only_stands_elsewhere_is_taken_along(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, texts = begun(ROOT / "tests/rulesets" / name)
    first = begins.with_overlay({})
    assert first.sound
    own = {file: text for file, text in texts.items() if file.endswith(".grog")}
    lower = {file: text.replace("\n", "\n\n", 1) for file, text in own.items()}
    checked: list[object] = []
    monkeypatch.setattr(CachingChecker, "_new_part", lambda *args: checked.append(args[1]))
    again = first.with_overlay(lower)
    assert again.sound
    assert checked == []
    monkeypatch.undo()
    assert_as_from_nothing(again, lower, program=True)


#: What numbers a decision, a note and an outcome.
FIRST = """procedure before_all(s: Side) {
  choose n in 0 .. 3 by s prompt begun
  note begun(n)
  observe begun(n)
}
"""


@pytest.mark.parametrize("name", ["skirmish", "secrets", "mixture", "plotted", "everything"])
def test_what_only_gets_other_numbers_is_not_checked_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, _ = begun(ROOT / "tests/rulesets" / name)
    first = begins.with_overlay({})
    assert first.sound
    for overlay in ({f"{name}/a.grog": FIRST}, {}):
        files: set[str] = set()
        monkeypatch.setattr(
            CachingChecker, "_new_part", lambda *args, to=files: to.add(args[1][0].span.file)
        )
        again = first.with_overlay(overlay)
        assert again.sound
        assert files == set(overlay)
        monkeypatch.undo()
        assert_as_from_nothing(again, overlay, program=True)


@pytest.mark.parametrize("name", ["skirmish", "secrets", "mixture"])
def test_an_edit_taken_back_has_nothing_read_or_checked_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, texts = begun(ROOT / "tests/rulesets" / name)
    first = begins.with_overlay({})
    assert first.sound
    own = {file: text for file, text in texts.items() if file.endswith(".grog")}
    read_or_checked: list[object] = []
    for edited in (
        {file: text.replace("\n", "\n# more\n\n", 1) for file, text in own.items()},
        {
            file: text + "\nsides one, two\nprocedure more() { note more() }"
            for file, text in own.items()
        },
        {file: "enum Before { one }\n" + text[: -len(text) // 3] for file, text in own.items()},
    ):
        other = first.with_overlay(edited)
        assert other.diagnostics is not None
        monkeypatch.setattr(
            CachingChecker, "_new_part", lambda *args: read_or_checked.append(args[1])
        )
        monkeypatch.setattr(parser, "_piece", lambda *args: read_or_checked.append(args[1]))
        again = other.with_overlay({})
        assert again.sound
        assert read_or_checked == []
        monkeypatch.undo()
        assert_as_from_nothing(again, {}, program=True)


def _apart(texts: dict[str, str]) -> dict[str, str]:
    """The rules with each declaration in a file of its own, so that an edit moves no other."""
    apart: dict[str, str] = {}
    for name, text in texts.items():
        if name.endswith(".grog"):
            folder = name.partition("/")[0]
            parts = enumerate(re.split(r"(?m)^(?=\w)", text))
            apart |= {name: ""} | {f"{folder}/{i:03}.grog": part for i, part in parts}
    return apart


def _bodies(ruleset: Ruleset) -> dict[str, object]:
    """What the procedures and functions say, by name, that say anything."""
    assert ruleset._check_result is not None
    program, _ = ruleset._check_result
    parts: dict[str, object] = {p.name: p.body for p in program.procedures.values()}
    parts |= {c.name: c.body or c.steps for c in program.calls.values()}
    return {name: body for name, body in parts.items() if body}


def test_a_step_that_cites_is_called_by_its_line_wherever_it_stands() -> None:
    begins, texts = begun(ROOT / "tests/rulesets/skirmish")
    (name,) = (file for file in texts if file.endswith(".grog"))
    cited = texts[name].replace("note round(rounds)", "@rule S-1 note round(rounds)")
    first = begins.with_overlay({name: cited})
    assert first.sound
    lower = {name: cited.replace("\n", "\n\n", 1)}
    assert_as_from_nothing(first.with_overlay(lower), lower, program=True)
