"""How far is a native build from C written by hand?  python -m bench.speed.by_hand [--games N]

Plays random games of the small game that ``grognard new`` begins, at length: in Python, by a native
build, and by ``by_hand.c`` beside this, a program of one page for this game alone, without records,
views and options of other games, and with the quickest chance there is.  Prints decisions a second,
and how games ended, by which it can be seen that all three play the same game.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.command import command, option, parse_arguments
from compiler.native.build import toolchain
from grognard.fronts.cli.main import main as grognard
from grognard.opening import open_scenario
from grognard.places import readable_ruleset
from grognard.scenario import Scenario
from runtime.board import Board
from runtime.runs.machine import shape_of
from runtime.runs.series import run_series

SOURCE = Path(__file__).with_suffix(".c")
NAME, TURNS = "hills", 100


def tables(opened: Scenario) -> Iterator[str]:
    """The board and the units as C; behind the last hex is one that closes every line."""
    spec, count = opened.program.spec, len(opened.setup.pieces["Unit"])
    board = spec.board
    hexes = range(board.size)
    state = opened.program.new_state(opened.setup, 1)
    held = {f.name: getattr(state, f.slot) for f in spec.fields}
    yield f"enum {{ HEXES = {board.size}, TURNS = {held['turns_left']} }};"
    near = [[*board.neighbors[h], *[-1] * (7 - len(board.neighbors[h]))] for h in hexes]
    yield _table("NEAR", near)
    yield _table("APART", [[board.distance(a, b) for b in hexes] for a in hexes])
    yield _table("GATES", [[_gates(board, a, b) for b in hexes] for a in hexes])
    yield _table("FOREST", [*held["terrain"][: board.size], 1])
    for column in ("strength", "move", "range", "dice"):
        yield _table(column.upper(), list(spec.columns[f"Type.{column}"].values))
    for name, field in (("TYPE", "type"), ("SIDE", "side"), ("START", "hex")):
        yield _table(name, held[field][:count])


def _gates(board: Board, a: int, b: int) -> list[int]:
    """The gates of a short line, each as the two hexes that close it."""
    lines = board.lines(a, b) if board.distance(a, b) == 2 else ()
    gates = [gate or (board.size,) for gate in lines]
    pairs = [h for gate in gates for h in (gate[0], gate[-1])]
    return [*pairs, *[-1] * (5 - len(pairs))]


def _table(name: str, values: list[Any]) -> str:
    sizes, inner = "", values
    while isinstance(inner, list):
        sizes += f"[{len(inner)}]"
        inner = inner[0]
    text = (
        repr(list(values)).replace("[", "{").replace("]", "}").replace("(", "{").replace(")", "}")
    )
    return f"static const signed char {name}{sizes} = {text};"


def by_hand(opened: Scenario, folder: Path, games: int) -> tuple[list[int], float]:
    """How many decisions, games won by either side and tied; and the seconds that took."""
    source = folder / "by_hand.c"
    source.write_text("\n".join([*tables(opened), SOURCE.read_text(encoding="utf-8")]))
    compiler, *words = toolchain()
    made = folder / "by_hand"
    subprocess.run([compiler, *words, "-O2", "-o", str(made), str(source)], check=True)
    begun = time.perf_counter()
    done = subprocess.run([str(made), str(games)], check=True, capture_output=True, text=True)
    return [int(word) for word in done.stdout.split()], time.perf_counter() - begun


def by_engine(opened: Scenario, games: int) -> tuple[list[int], float]:
    """The same of random games as the engine plays them."""
    begun = time.perf_counter()
    series = run_series((opened.program, opened.setup), ["random", "random"], games)
    spent = time.perf_counter() - begun
    data = series.data
    return [data["decisions"], *data["wins_by_side"].values(), data["ties"]], spent


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    many = option("--games", 20_000, "games; a twentieth of them in Python", least=20)
    args = parse_arguments("bench.speed.by_hand", __doc__, arguments, many)
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                grognard(["new", NAME])
            content = {**open_scenario("first").data, "game": {"turns_left": TURNS}}
            opened = open_scenario(content)
            opened.program.libraries = None
            found = {"in Python": by_engine(opened, args.games // 20)}
            ruleset = readable_ruleset(opened.folder)
            shape = shape_of(opened.program.spec, opened.setup)
            ruleset.build_natively(shape)
            found["by a native build"] = by_engine(open_scenario(content), args.games)
            found["by hand in C"] = by_hand(opened, Path(name), 20 * args.games)
        finally:
            os.chdir(before)
    for what, ((decisions, *ends), seconds) in found.items():
        games = sum(ends)
        shares = " : ".join(f"{100 * end / games:.1f}%" for end in ends)
        print(
            f"{what:18} {decisions / seconds:>12,.0f} decisions a second, "
            f"{decisions / games:.1f} a game; won and tied {shares}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
