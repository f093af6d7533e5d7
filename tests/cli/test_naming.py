"""What `?` tells of a thing that a ruleset names: kinds of ground and of units, cards, what is drawn on the map."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from running import Ran

from grognard.fronts.terminal.session import help_text
from grognard.lexicon.catalogue import words_in

RULES = """\
ruleset fords
sides red, blue
enum Ground { grass, hill, fen }
enum View { free, blocked }
@rule F-1
table grounds of Ground {
  columns points: int, @rule F-2 view: View, @rule F-3 carts: bool
             | grass | 1 | free    | yes |
  @rule F-9  | hill  | 1 | blocked | yes |
             | fen   | 2 | free    | no  |
}
enum Type { foot, cart }
board field { layout odd_r; rows 3; columns 3; letters up; }
fields of Hex {
  ground: Ground = grass setup
  streams: set of Hex = {} setup
  depth: int = 0 setup
}
piece Unit {
  type: Type fixed setup
  side: Side fixed setup
  hex: Hex place alone setup
}
function wet(a: Hex, b: Hex): bool = b in a.streams
function on_height(u: Unit): bool = u.hex.ground is hill
permission may_enter(u: Unit, h: Hex) allow
@rule F-4
deny no_carts for may_enter when u.type is cart and (not h.ground.carts or wet(u.hex, h))
quantity dice(u: Unit, h: Hex): int { stage ground }
rule one for dice = 3
@rule F-5
modify height for dice stage ground by 1 when on_height(u)
@rule F-6
limit bog for dice stage ground at most 1 when h.ground is fen
@rule F-6
modify deep for dice stage ground by -1 when u.hex.depth > 0
@rule F-8
function worth(h: Hex): int = if h.ground is fen then 2 else 0
procedure come_upon(g: Ground, u: Unit) {}
@rule F-7
case fen of come_upon { note sinks(u) }
procedure play() {
  repeat 2 times {
    each s in Side {
      offer by s prompt march {
        march(u in Unit where u.side is s) {
          choose h in neighbors(u.hex) where Unit[h] is none and may_enter(u, h) by s prompt march_to else { leave }
          set u.hex = h
          do come_upon(h.ground, u)
          if dice(u, h) > 3 + worth(h) { note sinks(u) }
        }
        pass enough
      }
    }
  }
}
"""
TEXTS = """\
title: Fords
prompt.march: Whom?
prompt.march_to: Where to?
option.march: "march {0}"
pass.enough: enough
note.sinks: "{0} sinks"
Ground.fen: soft fen
value.Ground.points: points to enter
value.Ground.view: view over it
value.Ground.carts: carts may enter
value.dice: dice
why.no_carts: no way for carts
why.bog: fighting in a bog
"""
INDEX = "".join(
    f"F-{n}: {{source: rulebook, page: {page}, topic: {topic}}}\n"
    for n, page, topic in [
        (1, 9, "Ground"), (2, 10, "Ground"), (3, 9, "Ground"), (4, 3, "Moves"), (5, 4, "Fights"), (6, 4, "Fights"),
        (7, 9, "Ground"), (8, 9, "Ground"), (9, 9, "Ground"),
    ]
)  # fmt: skip
SCENARIO = """\
ruleset: fords
title: Two fords
board: {rows: 3, columns: 3}
hexes: {ground: {hill: [A2], fen: [B2]}, depth: {1: [C1]}, streams: {A1: [B1], B1: [A1]}}
pieces:
  Unit:
    - {side: red, type: foot, hex: A2, name: Ant}
    - {side: blue, type: cart, hex: C3, name: Hilda}
"""
STYLE = "hexsides: {streams: {color: blue, label: brook}}\nhexes: {depth: {1: {sign: v, label: hole}}}\n"


@pytest.fixture
def ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Ran]
) -> Callable[..., str]:
    monkeypatch.chdir(tmp_path)
    for path, text in (
        ("rulesets/fords/rules.grog", RULES),
        ("rulesets/fords/rulebook.yaml", INDEX),
        ("rulesets/fords/style.yaml", STYLE),
        ("rulesets/fords/texts/en.yaml", TEXTS),
        ("scenarios/fords/two.yaml", SCENARIO),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")

    def ask(*asked: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"? {one}\n" for one in asked)))
        return run("play", "two", "--seed", "1").out

    return ask


def test_a_kind_of_ground(ask: Callable[..., str]) -> None:
    shown = ask("soft fen")
    told = """\
soft fen
  points to enter: 2 [F-1]
  carts may enter: no [F-3]
  dice: at most 1 (fighting in a bog) [F-6]
  rules that name it: F-8, F-7
  in the rulebook: Ground, p. 9; Fights, p. 4
"""
    assert told in shown


def test_what_is_as_usual_is_not_told_and_functions_are_followed(ask: Callable[..., str]) -> None:
    told = """\
hill
  view over it: blocked [F-9, F-2]
  dice: +1 [F-5]
  in the rulebook: Ground, p. 9, 10; Fights, p. 4
"""
    assert told in ask("hill")
    assert told in ask("hills")


def test_a_name_in_full_goes_before_the_beginning_of_another(ask: Callable[..., str]) -> None:
    assert "Hilda: cart at C3" in ask("hil")
    assert "Hilda" not in ask("hill").partition("\nhill\n")[2]


def test_what_is_drawn_along_hexsides(ask: Callable[..., str]) -> None:
    told = "brook\n  reasons why not: no way for carts [F-4]\n  in the rulebook: Moves, p. 3\n"
    assert told in ask("brook") and told in ask("streams")


def test_what_has_a_label_on_the_map(ask: Callable[..., str]) -> None:
    told = "hole\n  dice: -1 [F-6]\n"
    assert told in ask("hole") and told in ask("C1")


def test_a_hex_leads_to_its_ground(ask: Callable[..., str]) -> None:
    shown = ask("b2", "b1", "c2")
    assert "B2\n  ground: soft fen\nsoft fen\n  points to enter: 2 [F-1]\n" in shown
    assert "brook\n  reasons why not" in shown
    assert "grass\n  points" not in shown


def test_a_hex_that_is_offered_is_told_with_its_ground(ask: Callable[..., str]) -> None:
    shown = ask("ant b2")
    assert "B2\n  ground: soft fen\n  soft fen\n    points to enter: 2 [F-1]\n" in shown


def test_what_nothing_is_said_of_is_not_told(ask: Callable[..., str]) -> None:
    assert "'free' cannot be chosen here" in ask("free")


def test_the_help_is_folded_to_the_terminal() -> None:
    for language in ("en", "cs"):
        told = help_text(words_in(language), 80).split("\n")
        assert max(len(line) for line in told) <= 80
        assert len(help_text(words_in(language), 200).split("\n")) < len(told)
