"""Lines that hexsides stop and travels that carry values: both executions, and for travels all ways there are.

Positions are drawn at random.  What a travel may do is written down here a second time, in Python, and every way is
walked to its end.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from agreement import Pair, pair
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from project import ROOT

from runtime.bitsets import mask_of

RULES = """
ruleset carrying
sides top, bottom
board field { layout even_q;  rows 5;  columns 5; }
enum Gait { walk, trot, gallop }
fields of Hex { wood: bool = false   walls: set of Hex }
fields of Game { speed: int = 0   heading: Direction = north }

function hedge(p: Hex, q: Hex): bool = q in p.walls
procedure look(a: Hex, b: Hex) {
  note lines(line a to b across p to q where hedge(p, q),
    line a to b clear of h where h.wood across p to q where hedge(p, q),
    line a to b clear of h where false across p to q where hedge(p, q) and q is not b and p is not a,
    line b to a clear of h where (some n in neighbors(h) where n.wood) across p to q where hedge(q, p),
    line a to b clear of h where h.wood, line a to b clear of h where h.wood across p to q where false, entries(a, b))
}

function ahead(f: Direction): set of Direction = { f, turn(f, 1) }
travel ride(h: Hex, wanted: Direction?) from h within speed carrying f: Direction = heading, g: Gait = walk, mud: bool = h.wood {
  step a to b when direction(a, b) in ahead(f) and not hedge(a, b) and not (mud and b.wood) then mud = b.wood, g = shift(g, 1)
  cost if g is gallop or a.wood then 2 else 1
  stay when not mud then f = turn(f, 1), g = walk cost 2
  stay when g is walk then f = turn(f, -1)
  halt when b.wood and g is gallop
  end when wanted is none or f is wanted
}
procedure go(h: Hex, t: Hex, wanted: Direction?) {
  note went(reach ride(h, none), reach ride(h, wanted), steps ride(h, wanted) to t, way ride(h, wanted) to t, way ride(h, none) to t)
}
# Who has been in the wood may pass what others may not.
travel fetch(h: Hex) from h within 4 carrying key: bool = false {
  step a to b when key or size(b.walls) is 0 then key = key or b.wood
}
procedure errand(h: Hex, t: Hex) { note done(steps fetch(h) to t, steps fetch(h) to h, way fetch(h) to t, reach fetch(h)) }
# Back for n hexes, and on over friends (here woods) to a free hex; hedges are what nobody passes.
travel fall_back(h: Hex, n: int) from h within size(Hex) carrying gone: int = 0 {
  step a to b when direction(a, b) in { heading, turn(heading, 1) } and not hedge(a, b) then gone = gone + 1
  halt when gone >= n and not b.wood
  end when gone >= n and not b.wood
}
travel fall_back_exactly(h: Hex, n: int) from h within n carrying gone: int = 0 {
  step a to b when not hedge(a, b) then gone = gone + 1
  end when gone is n and not b.wood
}
procedure retreat(h: Hex, n: int, t: Hex) {
  note back(reach fall_back(h, n), steps fall_back(h, n) to t, way fall_back(h, n) to t, reach fall_back_exactly(h, n), way fall_back_exactly(h, n) to t)
}
procedure play() { do retreat(A1, 1, A1)   do errand(A1, A1)   do look(A1, A1)   do go(A1, A1, none) }
"""
SIZE = 25
NONE = -1
HEXES = st.integers(0, SIZE - 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rules") / "carrying"
    folder.mkdir()
    (folder / "rules.grog").write_text(RULES, encoding="utf-8")
    (folder / "open.yaml").write_text("ruleset: carrying\ntitle: Open\n", encoding="utf-8")
    return folder


@cache
def both(folder: Path) -> Pair:
    return pair(folder, folder / "open.yaml")


def noted(
    program: Any, setup: Any, position: dict[str, Any], procedure: str, args: list[int]
) -> tuple[Any, ...]:
    state = program.new_state(setup, 1)
    for slot, value in position.items():
        setattr(state, slot, value)
    state.log = []
    program.start(state, procedure, args)
    return tuple(state.log[0][1:])


@st.composite
def positions(draw: st.DrawFn) -> dict[str, Any]:
    """Woods, hedges that may stop one way only, how fast and whither; columns end with what no hex has."""
    return {
        "hex_wood": [*(int(draw(st.integers(0, 3)) == 0) for _ in range(SIZE)), 0],
        "hex_walls": [*(mask_of(draw(st.sets(HEXES, max_size=8))) for _ in range(SIZE)), 0],
        "game_speed": draw(st.integers(-1, 6)),
        "game_heading": draw(st.integers(0, 5)),
    }


FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@FEW
@given(position=positions(), a=st.integers(NONE, SIZE - 1), b=st.integers(NONE, SIZE - 1))
def test_lines(folder: Path, position: dict[str, Any], a: int, b: int) -> None:
    rules = both(folder)
    compiled, interpreted = (
        noted(p, rules.setup, position, "look", [a, b]) for p in (rules.compiled, rules.interpreted)
    )
    assert tuple(map(int, compiled)) == tuple(map(int, interpreted))
    sides, joint, beyond, _, hexes, nothing, _ = map(int, interpreted)
    # Hedges only ever take sight away, and what is no hedge changes nothing.
    assert joint <= min(sides, hexes) and hexes == nothing and sides <= beyond


def cheapest(rules: Pair, position: dict[str, Any], start: int, wanted: int) -> dict[int, int]:
    """The least cost of ending on each hex: every sequence of moves is tried."""
    board = rules.compiled.spec.board
    wood, walls, speed = position["hex_wood"], position["hex_walls"], position["game_speed"]
    found: dict[int, int] = {}
    todo = [(0, start, position["game_heading"], 0, wood[start])] if start >= 0 else []
    seen = set(todo)

    def arrive(cost: int, h: int, f: int, g: int, mud: int, halts: bool) -> None:
        if cost > speed:
            return
        if h != start and wanted in (NONE, f):
            found[h] = min(cost, found.get(h, cost))
        stage = (cost, h, f, g, mud)
        if not halts and stage not in seen:
            seen.add(stage)
            todo.append(stage)

    while todo:
        cost, h, f, g, mud = todo.pop()
        if not mud:
            arrive(cost + 2, h, (f + 1) % 6, 0, mud, False)
        if g == 0:
            arrive(cost + 1, h, (f - 1) % 6, g, mud, False)
        for d in (f, (f + 1) % 6):
            there = board.toward[h][d]
            if there < 0 or walls[h] >> there & 1 or (mud and wood[there]):
                continue
            faster = min(g + 1, 2)
            arrive(
                cost + (2 if g == 2 or wood[h] else 1),
                there,
                f,
                faster,
                wood[there],
                bool(wood[there] and faster == 2),
            )
    return found


@FEW
@given(
    position=positions(),
    start=st.integers(NONE, SIZE - 1),
    target=HEXES,
    wanted=st.integers(NONE, 5),
)
def test_travels(
    folder: Path, position: dict[str, Any], start: int, target: int, wanted: int
) -> None:
    rules = both(folder)
    compiled, interpreted = (
        noted(p, rules.setup, position, "go", [start, target, wanted])
        for p in (rules.compiled, rules.interpreted)
    )
    assert compiled == interpreted
    anyhow, some, cost, way, _ = interpreted
    ends = cheapest(rules, position, start, wanted)
    assert (anyhow, some) == (mask_of(cheapest(rules, position, start, NONE)), mask_of(ends))
    assert cost == ends.get(target, NONE)
    board = rules.compiled.spec.board
    assert bool(way) == (target in ends)
    assert all(b in board.neighbors[a] for a, b in zip((start, *way), way, strict=False))
    assert not way or way[-1] == target


@FEW
@given(position=positions(), start=st.integers(NONE, SIZE - 1), n=st.integers(0, 3), target=HEXES)
def test_numbers_are_carried(
    folder: Path, position: dict[str, Any], start: int, n: int, target: int
) -> None:
    rules = both(folder)
    compiled, interpreted = (
        noted(p, rules.setup, position, "retreat", [start, n, target])
        for p in (rules.compiled, rules.interpreted)
    )
    assert compiled == interpreted
    board, wood = rules.compiled.spec.board, position["hex_wood"]
    heading = position["game_heading"]

    def onward(hexes: set[int], directions: Iterable[int]) -> set[int]:
        return {
            there
            for h in hexes
            for d in directions
            if (there := board.toward[h][d]) >= 0 and not position["hex_walls"][h] >> there & 1
        }

    back: dict[int, int] = {}
    edge = {start} - {NONE}
    for gone in range(1, SIZE + 1):
        edge = onward(edge, (heading, (heading + 1) % 6))
        for h in edge if gone >= n else ():
            if not wood[h]:
                back.setdefault(h, gone)
        edge = {h for h in edge if gone < n or wood[h]}
    reached, cost, way, exactly, wound = interpreted
    assert reached == mask_of(back)
    assert cost == back.get(target, NONE) == (len(way) or NONE)
    edge = {start} - {NONE}
    for _ in range(n):
        edge = onward(edge, range(6))
    free = {h for h in edge if n > 0 and not wood[h] and h != start}
    assert exactly == mask_of(free)
    assert len(wound) == (n if target in free else 0)


def test_a_way_may_lead_over_its_start(folder: Path) -> None:
    rules = both(folder)
    board = rules.compiled.spec.board
    start, wood, gate = board.at(2, 2), board.at(1, 2), board.at(3, 2)
    position = {
        "hex_wood": [*(int(h == wood) for h in range(SIZE)), 0],
        "hex_walls": [*(int(h != start and h != wood) for h in range(SIZE)), 0],
    }
    for program in (rules.compiled, rules.interpreted):
        cost, back, way, reached = noted(program, rules.setup, position, "errand", [start, gate])
        assert (cost, back, way) == (3, NONE, (wood, start, gate))
        # The start is no hex to end on, though the way comes over it.
        assert not reached >> start & 1
        assert reached.bit_count() == 1 + sum(
            board.distance(wood, h) <= 3 for h in range(SIZE) if h not in (start, wood)
        )


def test_what_is_read(folder: Path) -> None:
    program = both(folder).compilation.program
    assert program.travels["ride"].reads == {"game_speed", "game_heading", "hex_wood", "hex_walls"}
    assert program.procedures["look"].reads == {"hex_wood", "hex_walls"}


def test_the_module_passes_mypy_strict(folder: Path, tmp_path: Path) -> None:
    emitted = both(folder).compilation.emitted
    assert emitted is not None
    path = tmp_path / "carrying.py"
    path.write_text(emitted.text, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--config-file=",
        "--follow-imports=silent",
        str(path),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
