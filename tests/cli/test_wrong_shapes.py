"""Boards, styles, texts, indices and scenarios of every wrong shape: a finding that names the file, never a fault, soon.

``GROGNARD_MUTANTS`` says how many of each file the long tests try (``all``: every one); those of the large rulesets are
always a few.
"""

from __future__ import annotations

import io
import itertools
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from mutants import mutants
from running import ROOT, Ran

_LONG = os.environ.get("GROGNARD_MUTANTS", "60")
WANTED = [20, pytest.param(None if _LONG == "all" else int(_LONG), marks=pytest.mark.long)]
SECONDS = 10
RULES = """ruleset mini
sides a, b
enum Ground { open, wood }
enum Arm { foot, horse }
@rule M-1
table arms of Arm { columns hits: int
  | foot  | 1 |
  | horse | 2 |
}
switch late off
board field { layout odd_r; rows 3; columns 4; letters up; file field; }
piece Unit { arm: Arm fixed setup  side: Side fixed setup  hex: Hex place alone setup  heading: Direction = east setup  aim: Unit? setup }
fields of Hex {
  ground: Ground = open fixed map  rivers: set of Hex fixed map  holy: bool fixed map  depth: int fixed map  sorts: set of Arm fixed map
  mud: bool = false setup  walls: set of Hex = {} setup
}
fields of Side { goal: int = 1 setup  holds: set of Hex = {} setup  needs per Arm: int = 0 setup }
fields of Arm { lost: int = 0 setup }
fields of Game { round: int = 1 setup  leads: Side = a setup }
procedure play() {
  choose u in Unit where u.hex is not none and near(u, A1) and not late by leads prompt pick else { leave }
  note picked(u, u.arm.hits)
  note told(u.heading, u.aim, u.hex.ground, u.hex.rivers, u.hex.holy, u.hex.depth, u.hex.sorts, u.hex.mud, u.hex.walls)
  note told_more(u.side.goal, u.side.holds, u.side.needs[foot], foot.lost, round)
  win by u.side
}
function near(u: Unit, h: Hex): bool = h is not u.hex
"""
FILES = {
    "rulesets/mini/boards/field.yaml": """name: A field
provenance: house
sources: [somewhere]
notes: none
columns: 4
rows: ["..w.", ".. .", "w..."]
legend: {w: {ground: wood, sorts: foot horse}}
fields: {rivers: [[A1, A2], [B1, B2]], holy: [A1], depth: {2: [A1], 3: B2}, sorts: {foot: [C1]}}
joins: [[A1, C4]]
names: {A1: Gate}
""",
    "rulesets/mini/style.yaml": """background: "#a9c6d9"
labels: "#8a8570"
names: black
hexes:
  ground: {wood: {fill: "#b7cf9c", pattern: trees, ink: "#5c7f45", sign: f, label: wood}}
  holy: {yes: {rim: "#b03a2e"}}
hexsides: {rivers: {color: "#4a86c5", width: 4, label: river}}
borders: {ground: {color: "#b03a2e", width: 2, dash: "8 5"}}
sides: {a: {fill: "#c0392b", ink: white}}
flags: holds
short: {Arm: {horse: HO}}
pieces:
  Unit:
    shape: square
    size: 1.1
    fill: arm
    colors: {foot: "#333333"}
    label: "{arm}"
    figures: "{arm.hits}-{name:3}"
    symbol: {by: arm, foot: cross, horse: {glyph: dot, fill: black}}
    marks: {aim: {text: T, color: "#d68910"}}
    facing: {by: heading, at: side}
    cases: [{when: {arm: horse}, figures: "{arm.hits}"}]
tray: "{side}"
header: [round, leads]
panel: [goal, holds]
about: {Unit: [arm.hits, aim], Hex: [ground, holy]}
highlights: {near: {sign: "+", color: "#b03a2e", label: near}, holds: {sign: "!", color: red}}
""",
    "rulesets/mini/texts/en.yaml": 'title: Mini\nprompt.pick: Which one?\nnote.picked: "{0} has {1}"\nArm.foot: on foot\nSide.a: The As\nvalue.near: near\n',
    "rulesets/mini/rulebook.yaml": "M-1: {source: house, page: 1, topic: Arms, mechanic: true}\nM-2: {source: house, topic: Aims, mechanic: false}\n",
    "scenarios/mini/one.yaml": """ruleset: mini
title: One
date: today
provenance: house
sources: [here]
notes: [nothing]
switches: {late: false}
game: {round: 2, leads: b}
sides: {a: {name: The As, prefix: A, goal: 2, holds: [A1], needs: {foot: 1}}, b: {name: Bs}}
fields: {Arm: {lost: {foot: 1}}}
hexes: {mud: {true: [A1]}, walls: [[A1, A2]]}
pieces:
  Unit:
    - {side: a, arm: foot, hex: [A2, A3], heading: west}
    - {side: b, arm: horse, hex: none, count: 2, name: Old}
    - {side: b, arm: foot, hex: C1, name: Guard, aim: Old1}
roster: {Unit: {a: {foot: 2}, b: {horse: 2, foot: 1}}}
""",
    "scenarios/mini/two.yaml": """ruleset: mini
title: Two
board:
  name: Hill
  rows: ["....", "w. ."]
  narrow: none
  legend: {w: {ground: wood}}
  fields: {rivers: [[A1, A2]], holy: [A1], depth: {2: [A1]}}
  joins: [[A1, B4]]
  names: {A1: Gate}
map:
  legend: {i: {kind: Unit, side: a, arm: foot}, f: [{kind: Hex, mud: true}, {kind: Unit, side: b, arm: foot}]}
  rows: [". i . f", ". . ."]
""",
}
#: What is done with wrong files, in turn.
COMMANDS = {
    "boards": [["check", "mini"], ["cover", "mini", "--house"]],
    "texts": [["check", "mini"]],
    "rulebook.yaml": [["check", "mini"]],
    "style.yaml": [
        ["render", "mini/one", "-o", "one.svg"],
        ["play", "mini/one", "--plain", "--teach"],
    ],
    "one.yaml": [["validate", "mini/one"], ["cover", "--house", "scenarios/mini/one.yaml"]],
    "two.yaml": [["validate", "mini/two"], ["odds", "mini/two"]],
}
#: Files of the project's own rulesets: how many wrong ones are tried, and by which command.
LARGE = {
    "rulesets/no_retreat/boards/ostfront.yaml": (1, ["check", "no_retreat"]),
    "rulesets/no_retreat/rulebook.yaml": (3, ["check", "no_retreat"]),
    "rulesets/no_retreat/texts/en.yaml": (1, ["check", "no_retreat"]),
    "rulesets/no_retreat/style.yaml": (4, ["render", "barbarossa_1941", "-o", "one.svg"]),
    "rulesets/cc_ancients/style.yaml": (6, ["render", "akragas", "-o", "one.svg"]),
    "rulesets/cc_ancients/rulebook.yaml": (2, ["check", "cc_ancients"]),
    "scenarios/no_retreat/barbarossa_1941.yaml": (8, ["validate", "barbarossa_1941"]),
    "scenarios/cc_ancients/akragas.yaml": (8, ["validate", "akragas"]),
}


def attack(
    run: Callable[..., Ran], path: Path, commands: list[list[str]], wanted: int | None
) -> set[int]:
    """Try wrong forms of a file by one command after another; the exit codes that there were."""
    good = path.read_text(encoding="utf-8")
    every = list(mutants(good))
    tried = (
        every if wanted is None or wanted >= len(every) else Random(path.name).sample(every, wanted)
    )
    codes = set()
    for (what, write), command in zip(tried, itertools.cycle(commands), strict=False):
        path.write_text(write(), encoding="utf-8")
        start = time.process_time()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.stdin", io.StringIO("?\nlook A1\n1\nquit\n"))
            done = run(*command)
        both = done.out + done.err
        assert done.code in (0, 1, 2), f"{path.name}: {what}: exit code {done.code}\n{both[-1500:]}"
        assert done.code == 0 or path.name.replace("book.yaml", "book") in both, (
            f"{path.name}: {what}: the file is not named\n{both[-1500:]}"
        )
        assert len(both) < 40_000, f"{path.name}: {what}: {len(both)} characters are told"
        assert time.process_time() - start < SECONDS, f"{path.name}: {what}"
        codes.add(done.code)
    path.write_text(good, encoding="utf-8")
    return codes


@pytest.mark.parametrize("wanted", WANTED)
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_every_wrong_shape(
    run: Callable[..., Ran],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    wanted: int | None,
) -> None:
    monkeypatch.chdir(tmp_path)
    for file, text in {**FILES, "rulesets/mini/ruleset.grog": RULES}.items():
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    commands = next(words for part, words in COMMANDS.items() if part in name)
    before = run(*commands[0])
    assert before.code == 0, before.out + before.err
    codes = attack(run, tmp_path / name, commands, wanted)
    assert codes & {1, 2}


@pytest.mark.long
@pytest.mark.parametrize("name", LARGE)
def test_files_of_the_large_rulesets(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    for kind in ("rulesets", "scenarios"):
        shutil.copytree(ROOT / kind, tmp_path / kind)
    wanted, command = LARGE[name]
    assert attack(run, tmp_path / name, [command], wanted) & {1, 2}
