"""Let bots play each other, and count.

The bots are given in the order of the sides; with --swap they change sides from game to game, and
as many games as there are sides share a seed.  A bot of your own is imported as your own program
and may do whatever a program may do (docs/python.md); when it fails, the exit code is 4.  The same
arguments give the same games, whatever --jobs says.  What bots print goes to the standard error.
With --json one JSON object is written to the standard output:

  games, ties, decisions   how many shared, lost             games won by several sides together,
  and games won by nobody wins                     by bot, in the order given, alone or with others
  wins_by_side             by side bots, sides              name, wins, share, the ends of its 95%
  interval (low, high), and ranks: how often
                           it had rank 1, 2, … (level sides share a rank; where nobody has won,
                           ranks begin at 2)
  decisions_per_game       mean, low, median, high; turns_per_game likewise
  elapsed                  seconds; decisions_per_second, games_per_second
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile

from grognard import opening
from grognard.bots.players import find_bot, levels
from grognard.bots.series import run as play
from grognard.files import reason, replace, short
from grognard.fronts.cli.crash import keep_record
from grognard.fronts.cli.exits import CLEAN, FINDINGS, SIGNALLED
from grognard.fronts.cli.flags import count, seed
from grognard.fronts.cli.native_build import build_for
from grognard.fronts.cli.progress import Bar
from grognard.fronts.cli.signals import Stopped, stopped_by_signals
from runtime.errors import ArgumentError, RulesError, broken_game
from runtime.games.record import Record
from runtime.games.wording import wording_for
from runtime.runs.series import MOST_GAMES, Series, Source
from runtime.spelling import with_words_cut
from runtime.state import RulesetFault


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("scenario", metavar="SCENARIO", help="a scenario's file or name")
    parser.add_argument(
        "--games", metavar="N", type=count, default=10, help="how many games (default: 10)"
    )
    parser.add_argument(
        "--seed", metavar="S", type=seed, default=1, help="the seed of the first game (default: 1)"
    )
    parser.epilog = levels()
    bots = (
        "a bot for each side, in order: one named below, or one of your own as "
        "package.module:Class (default: all random)"
    )
    parser.add_argument("--bots", metavar="A,B", default="", help=bots)
    parser.add_argument(
        "--swap", action="store_true", help="rotate the bots through the sides from game to game"
    )
    parser.add_argument(
        "--jobs",
        metavar="J",
        type=count,
        default=1,
        help="processes (default: 1; 0: one for each processor)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--records", metavar="DIR", help="write a record of each game to a folder")


def run(args: argparse.Namespace) -> int:
    """The command."""
    _check_numbers(args.games, args.jobs)
    folder = None if args.records is None else _make_folder(args.records)
    opened = opening.open_scenario(args.scenario)
    sides = opened.program.spec.sides
    with redirect_stdout(sys.stderr):  # what bots and their modules print is no result
        bots = _bot_names(args.bots, sides)
        if folder is None:
            build_for(opened, bots, args.games)
    jobs = min(args.jobs or os.cpu_count() or 1, args.games)
    path = opened.file
    if folder is not None:
        _check_folder(folder, path.stem, args.games)
    source = Source("grognard.bots.series:load_program", (str(path.resolve()),))
    bar = Bar(sys.stderr) if sys.stderr.isatty() else None
    if bar:
        bar(0, args.games)
    try:
        keep = (
            partial(_write_record, folder, path.stem, len(str(args.games)))
            if folder is not None
            else None
        )
        with stopped_by_signals(), redirect_stdout(sys.stderr):
            series = play(
                opened, bots, args.games, args.seed, jobs, args.swap, False, bar, source, keep
            )
    except Stopped as stop:
        return SIGNALLED + stop.number
    except RulesError as error:
        if isinstance(error, RulesetFault):
            raise
        print(f"grognard bots: {error}", file=sys.stderr)
        game = broken_game(error)
        if game is not None and game.record:
            written = keep_record(f"{path.stem}-{game.seed}", game.record, folder)
            print(
                f"  its record is {written}" if written else "  its record could not be written",
                file=sys.stderr,
            )
        return FINDINGS
    finally:
        if bar:
            bar.clear()
    if args.json:
        print(json.dumps(series.data, ensure_ascii=False))
    else:
        wording = wording_for(opened.program.spec, opened.setup)
        names = [wording.member("Side", side) for side in range(len(sides))]
        print(with_words_cut(f"{opened.setup.title}: {summary(series, bots, names)}"))
        if folder is not None:
            print(f"records in {folder}")
    return CLEAN


def _check_numbers(games: int, jobs: int) -> None:
    """ArgumentError for numbers of games and processes that cannot be."""
    if games < 1:
        raise ArgumentError(f"--games {games}: at least one game must be played", "give 1 or more")
    if games > MOST_GAMES:
        raise ArgumentError(
            f"--games {games} is too many", f"play at most {MOST_GAMES:,} games at a time"
        )
    if jobs < 0:
        raise ArgumentError(
            f"--jobs {jobs} must not be negative", "give 1 or more, or 0 for one for each processor"
        )


def _make_folder(name: str) -> Path:
    """The folder for records, made where it is not there."""
    if not name.strip():
        raise ArgumentError("--records is an empty folder name", "give the name of a folder")
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except (OSError, ValueError) as error:
        message = f"{short(name)} cannot be made or written: {reason(error)}"
        raise ArgumentError(message, "give another folder with --records") from None
    return folder


def _bot_names(given: str, sides: Sequence[str]) -> list[str]:
    """The names of the bots, one for each side.  ArgumentError for others."""

    bots = given.split(",") if given else ["random"] * len(sides)
    for name in bots:
        find_bot(name)
    if len(bots) != len(sides):
        count = "one bot" if len(bots) == 1 else f"{len(bots)} bots"
        raise ArgumentError(
            f"{count} for {len(sides)} sides ({', '.join(sides)})",
            "name one for each side: --bots a,b",
        )
    return bots


def _write_record(folder: Path, stem: str, digits: int, number: int, record: Record) -> None:
    """Write the record of a game that is over.  ArgumentError when it cannot be written."""
    file = _record_file(folder, stem, digits, number)
    _check_new(file)  # another series may have been begun meanwhile
    try:
        replace(file, record.write())
    except OSError as error:
        message = f"{short(str(file))} cannot be written: {reason(error)}"
        raise ArgumentError(message, "make room, or give another folder with --records") from None


def _check_folder(folder: Path, stem: str, games: int) -> None:
    """See that no record of another series would be overwritten.  ArgumentError where one would."""
    for number in range(games):
        _check_new(_record_file(folder, stem, len(str(games)), number))


def _check_new(file: Path) -> None:
    """ArgumentError where there is such a file already."""
    if file.exists():
        message = f"{short(str(file))} is there already"
        raise ArgumentError(message, "give another folder with --records, or remove it")


def _record_file(folder: Path, stem: str, digits: int, number: int) -> Path:
    """Where the record of a game of the series goes."""
    return folder / f"{stem}-{number + 1:0{digits}}.record"


def summary(series: Series, bots: list[str], names: list[str]) -> str:
    """The series for people."""
    data = series.data
    games = data["games"]
    counted = (("ties", "tied"), ("shared", "won by several"), ("lost", "won by nobody"))
    lines = [
        f"{games} game{'s' if games != 1 else ''}"
        + "".join(f", {data[key]} {word}" for key, word in counted if data[key])
    ]
    twice = len(set(bots)) < len(bots)
    labels = [
        f"{i}. {one['name']}" if twice else one["name"] for i, one in enumerate(data["bots"], 1)
    ]
    rows = [("bot", label, one) for label, one in zip(labels, data["bots"], strict=True)]
    rows += [("side", label, one) for label, one in zip(names, data["sides"], strict=True)]
    wide = max(len(label) for _, label, _ in rows)
    for what, label, one in rows:
        share = f"{one['share']:6.1%}  (95%: {one['low']:.1%} to {one['high']:.1%})"
        ranks = (
            f"  ranks {' '.join(map(str, one['ranks'][: -1 if not data['lost'] else None]))}"
            if len(names) > 2
            else ""
        )
        lines.append(
            f"  {what:4} {label:{wide}}  {one['wins']:>{len(str(games))}} won  {share}{ranks}"
        )
    for name, points in zip(names, data["scores"] or (), strict=False):
        few = f", {points['low']} to {points['high']}" if games > 1 else ""
        lines.append(f"  points of {name} in the end: {points['mean']:.1f} on average{few}")
    for word in ("decisions", "turns"):
        spread = data[f"{word}_per_game"]
        few = f"{spread['low']} to {spread['high']}, median {spread['median']:g}"
        lines.append(
            f"  {word} a game: {spread['mean']:.0f} on average" + (f", {few}" if games > 1 else "")
        )
    lines.append(
        f"  {data['elapsed']:.1f} s: {data['games_per_second']:.1f} games/s, "
        f"{data['decisions_per_second']:,.0f} decisions/s"
    )
    return "\n".join(lines)
