"""Hexes named by their numbers in rules, on a board whose labels are numbers."""

from __future__ import annotations

from pathlib import Path

from agreement import pair

RULES = """ruleset numbered
sides top, bottom
board b { rows 9; columns 12; numbers; }
piece Unit { side: Side fixed setup  hex: Hex place alone setup }
fields of Game { place: Hex?  far: int = 0  here: bool = false  spot: int = 0 }
procedure play() {
  each u in Unit where u.hex is 0304 { set u.hex = 1206 }
  set place = first h in Hex where h in { 0907, 0809 } and h is not 0809
  set far = distance(0101, 0105)
  set here = Unit[1206] is not none and Unit[0304] is none
  set spot = 100 * column(1206) + row(1206) + 0012
}
"""


def test_both_executions_know_the_hexes(tmp_path: Path) -> None:
    folder = tmp_path / "numbered"
    folder.mkdir()
    (folder / "r.grog").write_text(RULES, encoding="utf-8")
    scenario = "ruleset: numbered\ntitle: One\nsides: {top: {name: T}, bottom: {name: B}}\npieces: {Unit: [{side: top, hex: '0304'}]}\n"
    (tmp_path / "s.yaml").write_text(scenario, encoding="utf-8")
    both = pair(folder, tmp_path / "s.yaml")
    board = both.compiled.spec.board
    for program in (both.compiled, both.interpreted):
        state = program.new_state(both.setup, 1)
        program.begin(state)
        assert board.label(state.unit_hex[0]) == "1206"  # type: ignore[attr-defined]
        assert board.label(state.game_place) == "0907"  # type: ignore[attr-defined]
        assert (state.game_far, state.game_here) == (4, 1)  # type: ignore[attr-defined]
        assert state.game_spot == 1105 + 12  # type: ignore[attr-defined]
