"""Families: a base has an index of its own, and what extends it is small, clean and plays."""

from __future__ import annotations

from pathlib import Path

import agreement
import pytest
from agreement import play
from project import ROOT

from compiler.ruleset import Ruleset

#: A game of one's own on the shared base.
MINE = """ruleset mine extends cc_core
enum Face { pikes, hooves, sword, flag }
die battle of Face { pikes 2, hooves 1, sword 2, flag 1 }
function deadly(): Face = sword
function blades(): Face = sword
function wild(): Face = sword
function ordering_faces(): set of Face = {pikes, hooves, sword}
enum Type { foot, horse }
table unit_types of Type {
  columns blocks: int, symbol: Face, keen: bool, move: Hexes, fights_after: Hexes, per_flag: Hexes, advances: bool,
      further: bool, range: Hexes, dice: Dice, worth: int, bite: int, eager: int
  | foot  | 4 | pikes  | yes | 1 | 1 | 1 | no  | no  | 2 | 3 | 8 | 4 | 2 |
  | horse | 3 | hooves | yes | 3 | 3 | 1 | yes | yes | 0 | 4 | 9 | 5 | 1 |
}
enum Card { probe, push, rouse, counter_attack, first_strike }
table command_cards of Card {
  columns count: int, left: int, center: int, right: int, orders: int, manner: Manner, leaders: bool, detaching: bool,
      otherwise_one: bool, mirror: Card?, value: int
  | probe          | 10 | 1 | 2 | 1 | 0 | in_sections | yes | yes | no | probe | 5 |
  | push           | 6  | 0 | 0 | 0 | 3 | counted     | no  | no  | no | push  | 5 |
  | rouse          | 2  | 0 | 0 | 0 | 0 | by_dice     | yes | no  | no | rouse | 5 |
  | counter_attack | 2  | 0 | 0 | 0 | 0 | nothing     | no  | no  | no | —     | 4 |
  | first_strike   | 2  | 0 | 0 | 0 | 0 | nothing     | no  | no  | no | —     | 4 |
}
extend enum Terrain { wood, water }
extend table ground {
  | wood  | yes | yes | no | closed |
  | water | no  | no  | no | free   |
}
function fire_range(u: Unit): Hexes = u.type.range
function command_now(s: Side): int = s.command
function has_footing(u: Unit): bool = not u.hex.terrain.stops
@rule M-1.1
quantity fire_dice(u: Unit, h: Hex): Dice
rule two for fire_dice = 2
quantity close_dice(u: Unit, h: Hex, mode: Mode): Dice
rule printed for close_dice = u.type.dice
rule two for escape_dice = 2
case rouse of give_orders { do roll_for_orders(s) do hand_out(c, s) }
"""
FIRST = """ruleset: mine
title: A brush
sides: {top: {name: Red, command: 3, goal: 2}, bottom: {name: Blue, command: 3, goal: 2}}
game: {first_side: top}
pieces:
  Unit:
    - {side: top, type: foot, hex: [E5, E6]}
    - {side: top, type: horse, hex: E8}
    - {side: bottom, type: foot, hex: [D5, D6]}
    - {side: bottom, type: horse, hex: D8}
  Leader:
    - {side: top, hex: E5}
"""


def find(name: str) -> Path | None:
    folder = ROOT / "rulesets" / name
    return folder if folder.is_dir() else None


def folder_of(
    root: Path, text: str = MINE, index: str | None = 'M-1.1: {source: house, topic: "Movement"}\n'
) -> Path:
    """The ruleset ``mine`` below *root*."""
    folder = root / "mine"
    folder.mkdir()
    (folder / "mine.grog").write_text(text, encoding="utf-8")
    if index is not None:
        (folder / "rulebook.yaml").write_text(index, encoding="utf-8")
    return folder


def findings(compilation: Ruleset) -> list[str]:
    return [f"{d.span} {d.code} {d.message}" for d in compilation.diagnostics]


@pytest.mark.parametrize("index", [None, 'M-1.1: {source: house, topic: "Movement"}\n'])
def test_a_small_game_of_the_family_is_clean(tmp_path: Path, index: str | None) -> None:
    text = MINE if index else MINE.replace("@rule M-1.1\n", "")
    assert findings(Ruleset(folder_of(tmp_path, text, index), find)) == []


def test_it_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(tmp_path)
    (tmp_path / "first.yaml").write_text(FIRST, encoding="utf-8")
    monkeypatch.setattr(agreement, "Ruleset", lambda one: Ruleset(one, find))
    both = agreement.pair(folder, tmp_path / "first.yaml")
    played = [play(both, seed) for seed in range(3)]
    assert any(game.actions > 20 for game in played)


def test_a_slip_in_the_child_is_found_and_nothing_else(tmp_path: Path) -> None:
    found = findings(Ruleset(folder_of(tmp_path, MINE.replace("M-1.1", "M-1.2")), find))
    assert len(found) == 1 and "C701" in found[0] and "M-1.2" in found[0]


def test_a_base_does_not_cite_what_only_its_child_has(tmp_path: Path) -> None:
    base, child = tmp_path / "base", tmp_path / "child"
    for folder, text, index in (
        (
            base,
            "ruleset base abstract\n@rule X-1\nsides a, b\n@rule C-1\nfunction one(): int = 1\n",
            "X-1: {source: house}\n",
        ),
        (
            child,
            "ruleset child extends base\nboard f { rows 1; columns 1; }\nprocedure play() { tie }\n",
            "C-1: {source: house}\n",
        ),
    ):
        folder.mkdir()
        (folder / "r.grog").write_text(text, encoding="utf-8")
        (folder / "rulebook.yaml").write_text(index, encoding="utf-8")
    finding = next(d for d in Ruleset(child).diagnostics if d.code == "C701")
    assert finding.span.file == "base/r.grog" and "by" in (finding.remedy or "")
    assert [d.code for d in Ruleset(base).diagnostics] == ["C701"]


def test_what_a_base_cites_is_told_in_the_terms_of_the_game() -> None:
    """The base cites IDs of its own; the game's rulebook is what is cited when the game is asked."""
    program = Ruleset(ROOT / "rulesets" / "cc_ancients").program
    moved = next(r for r in program.calls["may_move"].roots if r.name == "moved_already")
    assert moved.rules == ("CCA-8.3",)
    assert "rule moved_already of may_move" in program.citations["CCA-8.3"]
    assert "rule moved_already of may_move" in program.citations["CORE-2.4"]
    for path in (ROOT / "rulesets" / "cc_core").glob("*.grog"):
        assert "CCA-" not in path.read_text(encoding="utf-8")


def test_an_expansion_is_cited_beside_the_game_it_extends(tmp_path: Path) -> None:
    """IDs of an abstract base give way to those that they carry out; IDs of a game that is played stay."""
    below = "sides a, b\n@rule B-1\nfunction one(): int = 1\n"
    made = {
        "ground": (f"ruleset ground abstract\n{below}", "B-1: {source: house}\n"),
        "game": (
            "ruleset game extends ground\n@rule G-2\nboard f { rows 1; columns 1; }\nprocedure play() { tie }\n",
            "G-1: {source: house, by: B-1}\nG-2: {source: house}\n",
        ),
        "more": ("ruleset more extends game\n", "M-1: {source: house, by: [G-1, G-2]}\n"),
    }
    for name, (text, index) in made.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "r.grog").write_text(text, encoding="utf-8")
        (tmp_path / name / "rulebook.yaml").write_text(index, encoding="utf-8")
    compilation = Ruleset(tmp_path / "more", lambda name: tmp_path / name)
    assert findings(compilation) == []
    citing = {rule: set(where) for rule, where in compilation.program.citations.items()}
    assert {"B-1", "G-1", "M-1"} <= citing.keys() and citing["G-2"] == citing["M-1"] - citing["G-1"]
    assert compilation.program.calls["one"].rules == ("G-1", "M-1")


FIELDS = """ruleset base
sides top, bottom
board field { rows 1; columns 1; }
@rule B-1
fields of Side { gold: int = 0 setup }
@rule B-1
fields of Side { iron: int = 0 setup }
procedure play() { tie }
"""


def extended(root: Path, text: str) -> Ruleset:
    """What *text* makes of a base that declares fields of one owner in two places."""
    for name, made, index in (("base", FIELDS, "B-1"), ("child", text, "C-1")):
        (root / name).mkdir()
        (root / name / "r.grog").write_text(made, encoding="utf-8")
        (root / name / "rulebook.yaml").write_text(
            f"{index}: {{source: house}}\n", encoding="utf-8"
        )
    return Ruleset(root / "child", lambda name: root / name)


def test_fields_declared_in_several_places_are_dropped_and_replaced_together(
    tmp_path: Path,
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    dropped = extended(tmp_path / "a", "ruleset child extends base\ndrop fields Side\n")
    assert dropped.ok and not dropped.program.fields
    replaced = extended(
        tmp_path / "b",
        "ruleset child extends base\n@rule C-1\nreplace fields of Side { tin: int = 0 setup }\n",
    )
    assert replaced.ok and [name for _, name in replaced.program.fields] == ["tin"]
    assert "field Side.tin" in replaced.program.citations["C-1"]
