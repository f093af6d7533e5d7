"""A small ruleset with hands, dice of both sorts, notes to one side, and procedures with values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

RULES = """\
ruleset parley

sides red, blue

enum Card { bribe, threat, oath }
enum Face { yea, nay }

table card_table of Card {
  columns copies: int, weight: int, beats: Card
  | bribe  | 2 | 1 | oath   |
  | threat | 2 | 3 | bribe  |
  | oath   | 1 | 2 | threat |
}

deck words of Card copies copies {
  pile stock hidden
  pile hand per Side owner
  pile spent open
}

die vote of Face
die d6 of 1 .. 6

board strip { layout odd_r; rows 1; columns 3; }

piece Envoy {
  side: Side fixed setup
  hex: Hex place alone setup
  nerve: int = 0 setup seen by side
}

fields of Side { heard: int = 0 }

require both_there that (some e in Envoy where e.side is red) and (some e in Envoy where e.side is blue)

# What an envoy is worth, with two dice.
procedure haggle(e: Envoy, bold: bool): int {
  if bold { note bold(e) }
  roll 2 d6 as r
  note nerve(e, e.nerve) to e.side
  return size(hand[e.side]) + face(r)
}

procedure speak(s: Side) {
  choose c in hand[s] by s prompt speak
  if c is not none {
    remove c from hand[s]
    put c on spent
    add 1 to s.heard
    roll 1 vote as v
    note spoke(s, c, face(v) is yea)
  }
}

procedure favourite(s: Side): Card {
  choose c in Card by s prompt favourite
  return c
}

procedure over() { win by red }

procedure even() { tie }

procedure play() {
  shuffle stock
  repeat 2 times { each s in Side { draw c from stock put c on hand[s] } }
  repeat 2 times { each s in Side { do speak(s) } }
  if red.heard > 5 { win by red }
}
"""
SCENARIO: dict[str, Any] = {
    "ruleset": "parley",
    "title": "Parley",
    "sides": {"red": {"name": "The Reds"}, "blue": {}},
    "pieces": {
        "Envoy": [
            {"side": "red", "hex": "A1", "name": "rosa", "nerve": 4},
            {"side": "blue", "hex": "A3", "name": "bert"},
        ]
    },
}


def written(folder: Path) -> Path:
    """The ruleset, written to a folder in *folder*."""
    made = folder / "parley"
    made.mkdir()
    (made / "ruleset.grog").write_text(RULES)
    return made
