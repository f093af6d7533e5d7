"""Begin a new ruleset: a small one that compiles and can be played, to be changed from there.

It is written to rulesets/NAME and scenarios/NAME below the current directory.
"""

from __future__ import annotations

import argparse
import re
from contextlib import suppress
from pathlib import Path

from dsl.language import keywords
from grognard.files import reason, replace, short
from grognard.fronts.cli.exits import CLEAN
from runtime.errors import ArgumentError

RULESET = """\
# A small game to begin with: {count} sides on a little board; a unit moves or fires, the last side
# wins.
ruleset {name}
cites {id}

sides {sides}
measure Hexes, Dice

enum Terrain {{ clear, forest }}
enum Type {{ infantry, cavalry }}

table unit_types of Type §1.1 {{
  columns strength: int, move: Hexes, range: Hexes, dice: Dice
  | infantry | 3 | 1 | 2 | 2 |
  | cavalry  | 2 | 3 | 1 | 2 |
}}

enum Face {{ hit, miss }}

die battle of Face §3.2 {{ hit 1, miss 2 }}

board field {{
  layout odd_r;
  rows 7; columns 9;
  narrow odd;
  letters up;
}}

@section "State"

scope turn checkpoint

piece Unit {{
  type: Type fixed setup
  side: Side fixed setup
  hex: Hex place alone setup
  strength: int = it.type.strength
}}

fields of Hex {{ terrain: Terrain = clear setup }}

fields of Game {{
  active: Side = {first}
  §4.2 turns_left: int = 30 setup
}}

@section "Movement"

quantity allowance(u: Unit): Hexes §2.1 {{
  rule printed = u.type.move
}}

permission may_enter(u: Unit, h: Hex) allow {{
  deny occupied §2.2 when Unit[h] is not none
}}

travel march(u: Unit) §2.3 from u.hex within allowance(u) {{
  step a to b when may_enter(u, b)
  halt when b.terrain is forest
}}

@section "Fire"

permission may_fire(u: Unit, foe: Unit) allow {{
  deny out_of_range §3.1 when distance(u.hex, foe.hex) > u.type.range
  deny no_sight §3.3
      when not (line u.hex to foe.hex clear of h where h.terrain is forest or Unit[h] is not none)
}}

quantity fire_dice(u: Unit, foe: Unit): Dice §3.2 {{
  stage terrain
  rule printed = u.type.dice
  modify cover §3.4 stage terrain by -1 when foe.hex.terrain is forest
}}

function target_of(u: Unit): bool =
    some v in Unit where v.side is not u.side and v.hex is not none and may_fire(u, v)

procedure fire(u: Unit) §3.2 {{
  choose foe in Unit where foe.side is not u.side and foe.hex is not none and may_fire(u, foe)
      by u.side prompt target else {{
    leave
  }}
  roll fire_dice(u, foe) battle as r
  let hits = tally(r, hit)
  note fired(u, foe, hits)
  take min(hits, foe.strength) from foe.strength
  if foe.strength is 0 {{
    note lost(foe)
    set foe.hex = none
  }}
}}

@section "The sequence of play"

procedure play() §4.1 {{
  repeat turns_left times {{
    do turn(active)
    expire turn
    set active = next(active)
  }}
  tie
}}

procedure turn(s: Side) §4.1 {{
  offer once by s prompt action {{
    move(u in Unit where u.side is s and u.hex is not none and size(reach march(u)) > 0) {{
      choose to in reach march(u) by s prompt destination else {{ leave }}
      set u.hex = to
    }}
    fire(u in Unit where u.side is s and u.hex is not none and target_of(u)) {{ do fire(u) }}
    pass wait
  }}
}}

function standing_on(s: Side): bool = some u in Unit where u.side is s and u.hex is not none

check last_standing §4.3 when (count s in Side where standing_on(s)) <= 1 {{
  win by all s in Side where standing_on(s)
}}
"""

TEXTS = """\
title: "{title}"

Type.infantry: infantry
Type.cavalry: cavalry
Terrain.clear: clear ground
Terrain.forest: forest

prompt.action: "What do you do?"
prompt.target: "At whom?"
prompt.destination: "Where to?"

option.move: "move {{0}}"
option.fire: "fire with {{0}}"
option.target: "at {{0}}"
option.destination: "to {{0}}"
pass.wait: wait

note.fired: "{{0}} fires at {{1}}, hits: {{2}}"
note.lost: "{{0}} is lost"
why.occupied: "somebody stands there"
"""

RULEBOOK = """\
# The index of rule IDs: where each stands.
{id}-1.1: {{source: house, page: 1, topic: "Units"}}
{id}-2.1: {{source: house, page: 1, topic: "Movement"}}
{id}-2.2: {{source: house, page: 1, topic: "Movement"}}
{id}-2.3: {{source: house, page: 1, topic: "Movement"}}
{id}-3.1: {{source: house, page: 1, topic: "Fire"}}
{id}-3.2: {{source: house, page: 1, topic: "Fire"}}
{id}-3.3: {{source: house, page: 1, topic: "Fire"}}
{id}-3.4: {{source: house, page: 1, topic: "Fire"}}
{id}-4.1: {{source: house, page: 1, topic: "Sequence of play"}}
{id}-4.2: {{source: house, page: 1, topic: "Sequence of play"}}
{id}-4.3: {{source: house, page: 1, topic: "Victory"}}
"""

SCENARIO = """\
ruleset: {name}
title: First skirmish
provenance: house

game: {{turns_left: 30}}

hexes:
  terrain:
    forest: [D3, D6, C5]

pieces:
  Unit:
{pieces}"""


#: What may be a name; it is as long as the language lets it be.
_NAME = r"[a-z][a-z0-9_]{0,99}"
#: Where the infantry and the cavalry of each side begin.
STARTS = (("B3, B5", "A7"), ("F4, F6", "G2"), ("C1, E1", "D1"), ("C9, E9", "D8"))


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "name",
        metavar="NAME",
        help="the ruleset's name: letters, digits and _, beginning with a letter",
    )
    parser.add_argument(
        "--sides",
        metavar="A,B",
        default="blue,red",
        help="the sides, two to four (default: blue,red)",
    )


def run(args: argparse.Namespace) -> int:
    """The command."""
    name: str = args.name
    remedy = "take small letters, digits and _ (at most 100), beginning with a letter, "
    remedy += "and no word of the language"
    if not re.fullmatch(_NAME, name) or name in keywords():
        raise ArgumentError(f"'{short(name)}' cannot be the name of a ruleset", remedy)
    initials = "".join(part[0] for part in name.split("_") if part).upper()
    sides = [side.strip() for side in args.sides.split(",")]
    taken = {*keywords(), *re.findall(r"^  (?:§\S+ )?(\w+): ", RULESET, re.MULTILINE)}
    bad = next((side for side in sides if not re.fullmatch(_NAME, side) or side in taken), None)
    if bad is not None:
        remedy += ", nor a field of the little game" if bad in taken else ""
        raise ArgumentError(f"'{short(bad)}' cannot be the name of a side", remedy)
    if not 2 <= len(sides) <= len(STARTS) or len(set(sides)) < len(sides):
        raise ArgumentError(
            f"--sides {args.sides}: the little board has room for two to four different sides",
            "write --sides blue,red,green",
        )
    pieces = "".join(
        f"    - {{side: {side}, type: infantry, hex: [{foot}]}}\n"
        f"    - {{side: {side}, type: cavalry, hex: {horse}}}\n"
        for side, (foot, horse) in zip(sides, STARTS, strict=False)
    )
    values = {"name": name, "id": initials, "title": name.replace("_", " ").title()}
    values |= {
        "sides": ", ".join(sides),
        "first": sides[0],
        "pieces": pieces,
        "count": ("two", "three", "four")[len(sides) - 2],
    }
    files = {
        Path("rulesets", name, "ruleset.grog"): RULESET,
        Path("rulesets", name, "rulebook.yaml"): RULEBOOK,
        Path("rulesets", name, "texts", "en.yaml"): TEXTS,
        Path("scenarios", name, "first.yaml"): SCENARIO,
    }
    for path in files:
        if path.exists() or (
            path.parent.exists() and path.suffix == ".grog" and any(path.parent.iterdir())
        ):
            raise ArgumentError(
                f"{path if path.exists() else path.parent} is there already",
                "take another name, or remove it first",
            )
    _write({path: text.format(**values) for path, text in files.items()})
    for path in files:
        print(f"wrote {path}")
    print(f"\nNext:\n  grognard check {name}\n  grognard play {name}/first")
    return CLEAN


def _write(files: dict[Path, str]) -> None:
    """Write all files, or none.  ArgumentError when one cannot be written."""
    written: list[Path] = []
    for path, text in files.items():
        try:
            written += _folders(path.parent)
            replace(path, text)
            written.append(path)
        except OSError as error:
            for one in reversed(written):
                with suppress(OSError):
                    one.rmdir() if one.is_dir() else one.unlink()
            raise ArgumentError(
                f"{path} cannot be written: {reason(error)}",
                "change to a folder where you may write",
            ) from None


def _folders(folder: Path) -> list[Path]:
    """Make a folder and those above it; those that were not there."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]
