"""A slip is one finding, at its place, with a remedy that leads to what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_cases import compile_folder, write
from project import ROOT

from dsl.diagnostics import Diagnostic

GAME = (ROOT / "tests" / "rulesets" / "skirmish" / "skirmish.grog").read_text(encoding="utf-8")
EFFECT = """
effect frenzy() lasts turn { modify wild for dice stage all by 1 }
procedure rage() { start frenzy() }
"""


def found_in(tmp_path: Path, text: str, **others: str) -> list[Diagnostic]:
    """What is said of a ruleset of one file, without advice, with *others* beside it."""
    write(text, tmp_path / "skirmish", "skirmish.grog")
    for name, other in others.items():
        write(other, tmp_path / name, f"{name}.grog")
    folder = tmp_path / next(iter(others), "skirmish")
    return [d for d in compile_folder(folder, emit_code=False).diagnostics if not d.code.startswith("L8")]


SLIPS = {
    "arguments in another order": (
        "do blow(d, a, reply)",
        "do blow(reply, d, a)",
        "the arguments of procedure blow stand in another order",
        "(p: Piece, foe: Piece, mode: Mode)",
    ),
    "two arguments exchanged": (
        "gap(h: Hex, s: Side)",
        "gap(s: Side, h: Hex)",
        "the arguments of",
        "(s: Side",
    ),
    "a sum with a member": (
        "rule printed for dice = p.sort.dice",
        "function next_sort(p: Piece): Sort = p.sort + 1\nrule printed for dice = next_sort(p).dice",
        "'+' needs numbers; this is Sort",
        "shift(",
    ),
    "a roll as a number": ("do hurt(foe, tally(r, hit))", "do hurt(foe, r + 1)", "'+' needs", "tally("),
    "an effect as a name": (
        "deny full for may_enter when Piece[h] is not none",
        "deny full for may_enter when frenzy and Piece[h] is not none" + EFFECT,
        "unknown name 'frenzy'",
        "'effect frenzy'",
    ),
    "an effect that is called like a card": (
        "deny full for may_enter when Piece[h] is not none",
        "deny full for may_enter when parry" + EFFECT.replace("frenzy", "parry"),
        "this is Card",
        "'effect parry'",
    ),
    "a field that was tested": (
        "let before = d.hex\n",
        "let before = d.hex\n      if last_fight is not none { do hurt(last_fight, 1) }\n",
        "this may be none, but 'p' of procedure hurt may not",
        "let x = …",
    ),
    "a branch without its menu": (
        "procedure fight(a: Piece, d: Piece) {",
        "forecast odds(p: Piece) of order { outcome dice(1) }\nprocedure fight(a: Piece, d: Piece) {",
        "unknown prompt 'order'",
        "'orders.order'",
    ),
    "a refusal that excepts a refusal": (
        "deny full for may_enter when Piece[h] is not none",
        "deny full for may_enter when Piece[h] is not none\ndeny rough except full for may_enter when h.rough",
        "'rough' denies just as 'full' does",
        "leave out 'except full'",
    ),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_told_once_with_what_was_meant(tmp_path: Path, name: str) -> None:
    old, new, message, remedy = SLIPS[name]
    text = GAME.replace("last_rolled: set of Face }", "last_rolled: set of Face  last_fight: Piece? }", 1)
    assert old in text
    findings = found_in(tmp_path, text.replace(old, new, 1))
    if name == "two arguments exchanged":
        assert {(d.code, d.message) for d in findings} == {
            ("T301", "the arguments of function gap stand in another order")
        }
        return
    (finding,) = findings
    assert message in finding.message
    assert remedy in finding.remedy


MORE = "ruleset more extends skirmish\n"
VERBS = {
    "a function that the base has lost": (
        "function gap(h: Hex, s: Side): int = max(row(h), far(s)) - min(row(h), far(s))\n",
        "",
        "replace function gap(h: Hex, s: Side): int = 1",
        ("R105", "there is no function 'gap' here to change", "more", "or declare it there"),
    ),
    "a kind that the base has lost": (
        GAME[GAME.index("piece Piece {") : GAME.index("fields of Side")],
        "",
        "extend piece Piece { tired: bool = false }\nrule slow except printed for dice = 1 when p.tired",
        ("R105", "there is no piece 'Piece' here to change", "more", "or declare it there"),
    ),
    "other parameters": (
        "",
        "",
        "replace procedure hurt(p: Piece, n: Steps, by: Side) { leave }",
        ("T303", "'hurt' has other parameters than what it replaces", "more", "keep (p: Piece, n: Steps)"),
    ),
    "fewer parameters, and their names in use": (
        "",
        "",
        "replace function gap(h: Hex): int = row(h) - far(s)",
        ("T303", "'gap' has other parameters than what it replaces", "more", "keep (h: Hex, s: Side)"),
    ),
    "a member without its row": (
        "",
        "",
        "extend enum Sort { rider, cart }\nextend table sorts {\n  | rider | 2 | 3 | 2 |\n}",
        ("F401", "table sorts has no row for cart", "more", "| cart |"),
    ),
    "a member without a table": (
        "",
        "",
        "extend enum Sort { rider }",
        ("F401", "table sorts has no row for rider", "more", "extend table sorts { … }: a row | rider |"),
    ),
    "rows for a table that is not there": (
        "",
        "",
        "extend enum Sort { rider }\nextend table sort {\n  | rider | 2 | 3 | 2 |\n}",
        ("R105", "there is no table 'sort' here to change", "more", "did you mean 'sorts'?"),
    ),
    "a rule of an effect to be dropped": (
        "permission may_enter",
        EFFECT + "permission may_enter",
        "drop rule wlid",
        ("R105", "there is no rule 'wlid' here to drop", "more", "did you mean 'wild'?"),
    ),
}


@pytest.mark.parametrize("name", VERBS)
def test_what_a_verb_does_is_told_at_the_verb(tmp_path: Path, name: str) -> None:
    old, new, more, (code, message, file, remedy) = VERBS[name]
    assert old in GAME
    (finding,) = found_in(tmp_path, GAME.replace(old, new, 1) if old else GAME, more=MORE + more + "\n")
    assert (finding.code, finding.message) == (code, message)
    assert finding.span.file.startswith(f"{file}/")
    assert remedy in finding.remedy


def test_a_base_that_is_misspelt_is_named(tmp_path: Path) -> None:
    write(GAME, tmp_path / "skirmish", "skirmish.grog")
    write("ruleset more extends skirmihs\n", tmp_path / "more", "more.grog")
    (finding,) = compile_folder(tmp_path / "more", emit_code=False).diagnostics
    assert finding.remedy == "did you mean 'skirmish'?"
