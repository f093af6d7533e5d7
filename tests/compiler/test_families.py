"""Families: a base has an index of its own, and what extends it is small, clean and plays."""

from __future__ import annotations

from pathlib import Path

import agreement
import pytest
from agreement import play
from project import ROOT

from compiler.api import Compilation, compile_ruleset

#: A game of one's own on the shared base.
MINE = """ruleset mine extends cc_core
enum Type { foot, horse }
table unit_types of Type {
  columns blocks: int, move: Hexes, dice: Dice
  | foot  | 4 | 1 | 3 |
  | horse | 3 | 3 | 4 |
}
enum Card { probe, push }
table command_cards of Card { columns count: int, left: int, center: int, right: int, helmet: bool
  | probe | 12 | 1 | 2 | 1 | no |
  | push  | 8  | 0 | 3 | 0 | no |
}
extend enum Terrain { wood, water }
extend table ground {
  | wood  | yes | yes | no | closed |
  | water | no  | no  | no | free   |
}
enum Face { sword, flag, miss }
die battle of Face { sword 2, flag 1, miss 3 }
function deadly(): Face = sword
@rule M-1.1
rule printed for allowance = u.type.move
rule two for escape_dice = 2
procedure enact(c: Card, s: Side) { do open_sections(c) }
procedure give_orders(c: Card, s: Side) {
  each u in Unit where u.side is s and section_open(u.hex, s) { set u.ordered = true do use_section_order(u.hex, s) }
}
procedure movement_step(c: Card, s: Side) { do movement(s) }
procedure battle_step(c: Card, s: Side) {
  each u in Unit where u.side is s and u.ordered {
    choose foe in Unit where foe.side is not s and adjacent(foe.hex, u.hex) by s prompt target pass hold else { leave }
    roll u.type.dice battle as r
    if foe is not none { do damage(foe, tally(r, sword)) }
  }
}
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


def findings(compilation: Compilation) -> list[str]:
    return [f"{d.span} {d.code} {d.message}" for d in compilation.diagnostics]


@pytest.mark.parametrize("index", [None, 'M-1.1: {source: house, topic: "Movement"}\n'])
def test_a_small_game_of_the_family_is_clean(tmp_path: Path, index: str | None) -> None:
    text = MINE if index else MINE.replace("@rule M-1.1\n", "")
    assert findings(compile_ruleset(folder_of(tmp_path, text, index), find)) == []


def test_it_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(tmp_path)
    (tmp_path / "first.yaml").write_text(FIRST, encoding="utf-8")
    monkeypatch.setattr(agreement, "compile_ruleset", lambda one: compile_ruleset(one, find))
    both = agreement.pair(folder, tmp_path / "first.yaml")
    played = [play(both, seed) for seed in range(3)]
    assert any(game.actions > 20 for game in played)


def test_a_slip_in_the_child_is_found_and_nothing_else(tmp_path: Path) -> None:
    found = findings(compile_ruleset(folder_of(tmp_path, MINE.replace("M-1.1", "M-1.2")), find))
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
    finding = next(d for d in compile_ruleset(child).diagnostics if d.code == "C701")
    assert finding.span.file == "base/r.grog" and "by" in (finding.remedy or "")
    assert [d.code for d in compile_ruleset(base).diagnostics] == ["C701"]


def test_what_a_base_cites_is_told_in_the_terms_of_the_game() -> None:
    """The base cites IDs of its own; the game's rulebook is what is cited when the game is asked."""
    program = compile_ruleset(ROOT / "rulesets" / "cc_ancients").program
    moved = next(r for r in program.calls["may_move"].roots if r.name == "moved_already")
    assert moved.rules == ("CCA-8.3",)
    assert "rule moved_already of may_move" in program.citations["CCA-8.3"]
    assert "rule moved_already of may_move" in program.citations["CORE-2.4"]
    for path in (ROOT / "rulesets" / "cc_core").glob("*.grog"):
        assert "CCA-" not in path.read_text(encoding="utf-8")
