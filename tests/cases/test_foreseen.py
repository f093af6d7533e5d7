"""What cases expect of forecasts: chances, means, what is not said; the fault of each expectation is told."""

from __future__ import annotations

from functools import cache

import pytest

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from grognard.cases.file import CaseError, read_cases
from grognard.cases.runner import CaseRunner
from runtime.data.reader import plain, read_file

RULES = """ruleset cards

sides red, blue
enum Card { low, high }
table cards of Card {
  columns copies: int, worth: int
  | low  | 2 | 1 |
  | high | 4 | 5 |
}
die d4 of 1 .. 4
deck pack of Card copies copies {
  pile stock hidden
  pile hand per Side owner
}
board field { layout odd_r; rows 2; columns 2; }
piece Unit {
  side: Side fixed setup
  hex: Hex place alone setup
  blocks: int = 3 setup
}
function unseen(s: Side): set of Card = all c in Card where cards(hand[s], c) is 0
procedure play() {
  each s in Side { draw c from stock   put c on hand[s] }
  choose u in Unit by red prompt target
  take 1 from u.blocks
}
# Writes, rolls, and reads the hand of its own side alone: exact all the same.
forecast hit(u: Unit) of target {
  set u.blocks = u.blocks - 1
  observe worth(sum c.worth for c in unseen(red))
  roll 1 d4 as r
  if face(r) > 1 {
    observe hits(face(r))
    do more(u)
  }
}
forecast more(u: Unit) {
  roll 1 d4 as r
  if face(r) is u.blocks { observe again() }
}
forecast top(u: Unit) {
  set u.blocks = 0
  observe least(low)
  draw c from stock
  if c is high { observe again() }
}
"""
SCENE = """ruleset: cards
title: First
sides: {red: {name: Red}, blue: {name: Blue}}
pieces:
  Unit:
    - {side: blue, hex: A1, name: one}
    - {side: blue, hex: A2, name: two}
"""
FILE = """ruleset: cards
scenario: first
cases:
  - name: x
    piles: {stock: [low, high, low, high], "hand[red]": [high], "hand[blue]": [high]}
    run: play()
    expect: {foreseen: %s}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    folder = tmp_path_factory.mktemp("rules") / "cards"
    folder.mkdir()
    (folder / "cards.grog").write_text(RULES, encoding="utf-8")
    (folder / "first.yaml").write_text(SCENE, encoding="utf-8")
    compilation = Ruleset(folder)
    assert compilation.ok, compilation.diagnostics
    program = compilation.compiled
    root, findings = read_file(folder / "first.yaml", "first")
    assert root is not None, findings

    @cache
    def runner(interpreted: bool) -> CaseRunner:
        made = InterpretedProgram(compilation.program, program.spec) if interpreted else program
        return CaseRunner(compilation.program, made, plain(root))

    def told(expected: str, interpreted: bool = False) -> str:
        path = folder / "case.yaml"
        path.write_text(FILE % expected, encoding="utf-8")
        try:
            return "\n".join(runner(interpreted).run(read_cases(path).cases[0]).problems)
        except CaseError as error:
            return "\n".join([str(error), *map(str, error.findings)])

    return told


@pytest.mark.parametrize("interpreted", [False, True], ids=["compiled", "interpreted"])
def test_chances_and_means(run, interpreted: bool) -> None:  # type: ignore[no-untyped-def]
    told = "{worth: 1, hits: 3, again: 18.75%}"
    whole = f"{{target one: {told}, target two: {{hits: 3.0}}, 'more(two)': {{hits: none}}}}"
    assert run(whole, interpreted) == ""


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("{target one: {hits: 2.5}}", "expected hits 2.5, is 3.0"),
        ("{target one: {hits: 70%}}", "expected hits 70%, is 75%"),
        ("{target one: {again: 20%}}", "expected again 20%, is 19%"),
        ("{target one: {again: none}}", "expected again none, is"),
        ("{'more(two)': {hits: 3}}", "expected hits 3, is none"),
        ("{target one: {hit: 3}}", "no forecast says 'hit'"),
        ("{target one: {hits: {3: 60%, 5: 0%}}}", "expected hits 3 60%, is "),
        ("{'top(one)': {least: {low: 50%}}}", "expected least low 50%, is 100%"),
        ("{'top(one)': {least: {lo: 0%}}}", "Card has no 'lo'; did you mean 'low'?"),
        ("{target three: {hits: 3}}", "foreseen: 'target three'"),
        ("{'less(one)': {hits: 3}}", "there is no forecast 'less'"),
        ("{target one: 3}", "expected a mapping"),
        (
            "{target one: {hits: [3]}}",
            "a list in cases.1.expect.foreseen.target one.hits: expected a number",
        ),
    ],
)
def test_what_is_not_so_is_told(run, expected: str, said: str) -> None:  # type: ignore[no-untyped-def]
    assert said in run(expected)


def test_the_next_card_is_not_looked_at(run) -> None:  # type: ignore[no-untyped-def]
    # it is high; half of those that red does not see are
    said = run("{'top(one)': {again: 100%}}")
    assert 40 < int(said.partition("is ")[2].rstrip("%")) < 60, said
