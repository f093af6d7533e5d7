"""A slip is one finding, at its place, with a remedy that leads to what was meant."""

from __future__ import annotations

import re
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
    return [d for d in compile_folder(folder).diagnostics if not d.code.startswith("L8")]


SLIPS = {
    "a field without its owner": (
        "set a.fought = true",
        "set fought = true",
        "unknown name 'fought'",
        "write x.fought",
    ),
    "a hand of no side in a choice": (
        "choose c in hand[s] by s",
        "choose c in hand by s",
        "for each Side",
        "hand[…]",
    ),
    "what the engine asks for, mistyped": (
        "quantity standing(s: Side): int { stage all }",
        "function score(s: Side): bool = s.points\nquantity standing(s: Side): int { stage all }",
        "function score has type bool; this is int",
        "",
    ),
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
    "a roll as a number": (
        "do hurt(foe, tally(r, hit))",
        "do hurt(foe, r + 1)",
        "'+' needs",
        "tally(",
    ),
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
        "forecast odds(p: Piece) of order { observe dice(1) }\nprocedure fight(a: Piece, d: Piece) {",
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
    text = GAME.replace(
        "last_rolled: set of Face }", "last_rolled: set of Face  last_fight: Piece? }", 1
    )
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
        (
            "T303",
            "'hurt' has other parameters than what it replaces",
            "more",
            "keep (p: Piece, n: Steps)",
        ),
    ),
    "fewer parameters, and their names in use": (
        "",
        "",
        "replace function gap(h: Hex): int = row(h) - far(s)",
        (
            "T303",
            "'gap' has other parameters than what it replaces",
            "more",
            "keep (h: Hex, s: Side)",
        ),
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
        (
            "F401",
            "table sorts has no row for rider",
            "more",
            "extend table sorts { … }: a row | rider |",
        ),
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
    (finding,) = found_in(
        tmp_path, GAME.replace(old, new, 1) if old else GAME, more=MORE + more + "\n"
    )
    assert (finding.code, finding.message) == (code, message)
    assert finding.span.file.startswith(f"{file}/")
    assert remedy in finding.remedy


def test_a_base_that_is_misspelt_is_named(tmp_path: Path) -> None:
    write(GAME, tmp_path / "skirmish", "skirmish.grog")
    write("ruleset more extends skirmihs\n", tmp_path / "more", "more.grog")
    (finding,) = compile_folder(tmp_path / "more").diagnostics
    assert finding.remedy == "did you mean 'skirmish'?"


TABLES = {
    "two cells exchanged": (
        "| scout | foot | 2 |",
        "| scout | 2 | foot |",
        "the cells of 'arm' and 'dice' are exchanged",
        "Sort, arm, dice",
    ),
    "two columns exchanged": (
        "columns arm: Arm, dice: Dice,",
        "columns dice: Dice, arm: Arm,",
        "the columns 'dice' and 'arm' stand in another order than their cells",
        "put the columns",
    ),
    "commas in a cell": (
        "| foot | 2 | 2 | 2 | strike |",
        "| foot | 2 | 2 | 2 | strike, reply |",
        "the members in a cell are separated by blanks",
        "write strike reply",
    ),
    "the last bar left out": (
        "| foot | 2 | 2 | 2 | strike |",
        "| foot | 2 | 2 | 2 | strike",
        "this row has something after its last '|': 'strike'",
        "a row ends with '|'",
    ),
}
TABLE = """enum Arm { foot, mounted }
table sorts of Sort {
  columns arm: Arm, dice: Dice, move: Hexes, steps: Steps, modes: set of Mode
  | scout | foot | 2 | 2 | 2 | strike |
  | guard | mounted | 3 | 1 | 3 | strike |
  | rider | foot | 3 | 1 | 3 | strike |
  | cart  | foot | 3 | 1 | 3 | strike |
}
"""


@pytest.mark.parametrize("name", TABLES)
def test_a_slip_in_a_table_is_told_once(tmp_path: Path, name: str) -> None:
    old, new, message, remedy = TABLES[name]
    head, _, rest = GAME.partition("table sorts of Sort {")
    text = head + TABLE + rest[rest.index("}\n") + 2 :]
    text = text.replace("enum Sort { scout, guard }", "enum Sort { scout, guard, rider, cart }")
    assert old in text
    (finding,) = found_in(tmp_path, text.replace(old, new, 1))
    assert message in finding.message
    assert remedy in finding.remedy


DECKS = {
    "a deck of another enum": (
        "deck plans of Card",
        "deck plans of Sort",
        "F406",
        "did you mean 'deck plans of Card'?",
    ),
    "a hand of nobody": (
        "pile hand per Side owner",
        "pile hand owner",
        "T301",
        "write: pile hand per Side owner",
    ),
    "a pile like a field": (
        "pile discard open",
        "pile rounds open",
        "R104",
        "rename one of the two",
    ),
    "a pile like a member": (
        "pile discard open",
        "pile parry open",
        "R104",
        "rename one of the two",
    ),
    "a pile like a kind": ("pile discard open", "pile Piece open", "R104", "rename one of the two"),
}


@pytest.mark.parametrize("name", DECKS)
def test_a_slip_in_a_deck_is_told_once(tmp_path: Path, name: str) -> None:
    old, new, code, remedy = DECKS[name]
    text = GAME.replace(old, new, 1)
    if code == "R104":  # also where the pile is meant
        text = re.sub(r"\bdiscard\b", new.split()[1], text)
    (finding,) = found_in(tmp_path, text)
    assert finding.code == code
    assert remedy in finding.remedy


SYNTAX = {
    "fields of, extended": (
        "require goals_to_reach",
        "extend fields of Hex { deep: bool = false }\nrequire goals_to_reach",
        "unexpected 'of'",
        "write 'extend fields Hex'",
    ),
    "a field that is called": (
        "p.sort.dice",
        "p.sort.dice(p)",
        "'dice' stands behind a point",
        "dice[…]",
    ),
    "a word of two, one of them known": (
        "prompt target",
        "prompt target gap",
        "unexpected 'gap'",
        "target_gap",
    ),
    "a prompt of two words": (
        "prompt target",
        "prompt target unit",
        "unexpected 'unit'",
        "target_unit",
    ),
    "an else behind a menu": (
        "    pass done\n  }\n  offer",
        "    pass done\n  } else { leave }\n  offer",
        "a menu has no 'else'",
        "when the side passes",
    ),
}


@pytest.mark.parametrize("name", SYNTAX)
def test_a_slip_of_syntax_is_told_in_words(tmp_path: Path, name: str) -> None:
    old, new, message, remedy = SYNTAX[name]
    assert old in GAME
    (finding,) = found_in(tmp_path, GAME.replace(old, new, 1))
    assert finding.code.startswith("P")
    assert message in finding.message
    assert remedy in finding.remedy


FIELDS = """fields of Hex { ground: Ground fixed map  height: int fixed map }
enum Ground { plain, woods }
function held(h: Hex): bool = h.ground is woods and h.height > 1
"""
BOARD = """rows: ["..f", " .."]
legend: {f: {ground: woods, height: 2}, ".": {ground: plain, height: 0}}
joins:
  - [A2, B1]
"""
BOARDS = {
    "a member misspelt where it is declared": (
        "{ plain, woods }",
        "{ plain, wodos }",
        "R201",
        "'wodos' is used nowhere",
    ),
    "a value left out": (
        "{ground: woods, height: 2}",
        "{height: 2}",
        "F405",
        "gives no 'ground' for B3",
    ),
    "a join without its comma": ("[A2, B1]", "[A2 B1]", "F405", "joins.1 has 1 item: expected 2"),
    "a field misspelt in the legend": (
        "f: {ground: woods,",
        "f: {gruond: woods,",
        "F405",
        "gives values for 'gruond', which",
    ),
    "a sign that the legend lacks": (
        "f: {ground: woods, height: 2}, ",
        "",
        "F405",
        "does not say what 'f' is",
    ),
    "names misspelt": (
        "joins:\n  - [A2, B1]",
        "name:\n  A2: Ford",
        "F405",
        "a mapping in name: expected text",
    ),
}


@pytest.mark.parametrize("name", BOARDS)
def test_a_slip_in_the_file_of_a_board_is_told_once(tmp_path: Path, name: str) -> None:
    old, new, code, message = BOARDS[name]
    text = GAME.replace(
        "board field { layout odd_r; rows 5; columns 6; letters up; }", "board field { file f; }"
    )
    (tmp_path / "skirmish" / "boards").mkdir(parents=True)
    (tmp_path / "skirmish" / "boards" / "f.yaml").write_text(BOARD.replace(old, new))
    (finding,) = found_in(tmp_path, text + FIELDS.replace(old, new))
    assert finding.code == code
    assert message in finding.message
    place = text + FIELDS.replace(old, new) if code == "R201" else BOARD.replace(old, new)
    pointed = place[finding.span.start : finding.span.end]
    assert pointed == {
        "a value left out": "f",
        "a join without its comma": "[",
        "names misspelt": "A",
        "a sign that the legend lacks": '"..f"',
    }.get(name, message.partition("'")[2].partition("'")[0])


def test_boards_without_slips_are_not_told_of(tmp_path: Path) -> None:
    text = GAME.replace(
        "board field { layout odd_r; rows 5; columns 6; letters up; }", "board field { file f; }"
    )
    (tmp_path / "skirmish" / "boards").mkdir(parents=True)
    (tmp_path / "skirmish" / "boards" / "f.yaml").write_text(BOARD)
    assert found_in(tmp_path, text + FIELDS) == []


def test_a_declaration_that_many_calls_do_not_fit_is_one_finding(tmp_path: Path) -> None:
    text = GAME.replace("function gap(h: Hex, s: Side)", "function gap(h: Hex, s: Side, n: int)", 1)
    (finding,) = found_in(tmp_path, text)
    assert finding.message == "function gap expects 3 arguments, got 2"
    assert {label.text for label in finding.labels} == {"here"}


def test_pieces_that_have_lost_their_place_are_one_finding(tmp_path: Path) -> None:
    text = GAME.replace("hex: Hex place alone setup", "hex: Hex setup", 1)
    (finding,) = found_in(tmp_path, text)
    assert (finding.code, finding.message) == ("T301", "Piece has no place on the board")
    assert finding.remedy == "declare the field 'hex' with 'place': hex: Hex place"
