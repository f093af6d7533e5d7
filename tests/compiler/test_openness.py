"""Which decisions are open: what they ask and offer follows from what all sides see."""

from __future__ import annotations

from pathlib import Path

from corpus_cases import compile_folder, write

RULES = """# preamble
extend piece Unit {
  seers: set of Side = { it.side } lasts turn
  nerve: int = 2 seen by seers
}
procedure measured(u: Unit): int { return u.nerve }
procedure arms(u: Unit): int { return u.blocks }
procedure wavers(u: Unit): bool {
  if u.nerve < 2 { return true }
  return false
}
procedure ask_twice(s: Side, n: int) { choose u in Unit where u.blocks > n by s prompt twice }
procedure ask_once(s: Side, m: int) { choose u in Unit where u.blocks > m by s prompt once }
procedure sum_up(a: int, b: int): int { return a + b }
procedure dare(s: Side) {
  each v in Unit where v.side is s {
    let plain = do arms(v)
    let n = do measured(v)
    let w = do wavers(v)
    let more = do sum_up(plain, n)
    let fewer = do sum_up(plain, 1)
    choose u in Unit where u.blocks > plain by s prompt plain
    choose u in Unit where u.blocks > n by s prompt measured
    choose u in Unit where w by s prompt wavers
    choose u in Unit where u.blocks > more by s prompt more
    choose u in Unit where u.blocks > fewer by s prompt fewer
    do ask_twice(s, plain)
    do ask_twice(s, n)
    do ask_once(s, fewer)
    draw lot from Unit where lot.blocks > 1
    choose u in Unit where u.blocks > lot.blocks by s prompt lot
  }
}
"""


def test_values_of_procedures_and_what_they_are_given_are_followed(tmp_path: Path) -> None:
    write(RULES, tmp_path / "corpus", "case.grog")
    compilation = compile_folder(tmp_path / "corpus")
    assert compilation.ok, compilation.diagnostics
    decisions, is_open = compilation.program.decisions, compilation.program.open_decisions
    assert {d.prompt for d in decisions if d.index in is_open} == {"plain", "fewer", "once", "lot"}
