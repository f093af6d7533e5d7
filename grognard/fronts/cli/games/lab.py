"""Carry out experiments: many games between bots, over scenarios, switches and differences of
rules.

  grognard lab FILE                      carry out the experiment in a file (docs/lab.md)
  grognard lab --what-if RULE SCENARIO…  what a difference of rules does: as printed and different,
                                         with the same seeds
  grognard lab --balance SCENARIO…       who wins
  grognard lab report FOLDER             write the report anew
  grognard lab query FOLDER [SQL]        ask the results (DuckDB); without SQL: how it stands

A RULE is 'NAME of MEMBER = value' (a cell of a table, or a quantity), 'NAME = value' (a quantity)
or 'without NAME'.  Results are written to a folder as they come; the same command goes on where it
was ended.  The report is one page, report.html.  Needs pip install 'grognard[lab]'.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grognard.files import replace, short
from grognard.fronts.cli.exits import CLEAN, SIGNALLED
from grognard.fronts.cli.flags import count, seed
from grognard.fronts.cli.native_build import build_for
from grognard.fronts.cli.progress import Bar
from grognard.fronts.cli.signals import Stopped, stopped_by_signals
from grognard.places import scenario_path
from runtime.errors import ArgumentError, GrognardError, LoadError
from runtime.runs.series import MOST_GAMES

if TYPE_CHECKING:
    from grognard.lab.experiment import Experiment
    from grognard.lab.queries import Results
    from grognard.lab.running import Crew

#: Words may stand between options.
MIXED = True
_REPORT = "report.html"
#: So many characters of a value a table shows.
_WIDEST = 60


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "words",
        metavar="FILE|SCENARIO|report|query",
        nargs="+",
        help="an experiment's file; scenarios; or what is to be done with a folder of results",
    )
    parser.add_argument(
        "--what-if",
        metavar="RULE",
        action="append",
        default=[],
        help="what is different, as 'close_dice of HI = 4'; repeatable",
    )
    parser.add_argument(
        "--balance",
        action="store_true",
        help="who wins these scenarios, without any difference",
    )
    parser.add_argument(
        "--games", metavar="N", type=count, help="games of each kind (default: 200)"
    )
    parser.add_argument(
        "--bots", metavar="A,B", help="who plays, one for each side (default: greedy)"
    )
    parser.add_argument(
        "--seed", metavar="S", type=seed, help="the seed of the first game (default: 1)"
    )
    parser.add_argument(
        "-o", "--output", metavar="FOLDER", help="where results go (default: by the file's name)"
    )
    parser.add_argument(
        "--jobs",
        metavar="J",
        type=count,
        default=0,
        help="processes (default: 0, one for each processor)",
    )
    parser.add_argument(
        "--ray", metavar="ADDRESS", help="play on this Ray cluster ('local': one on this machine)"
    )
    parser.add_argument(
        "--minutes",
        metavar="M",
        type=_minutes,
        default=math.inf,
        help="begin nothing after so long",
    )
    parser.add_argument(
        "--format",
        choices=("text", "csv", "json"),
        default="text",
        help="how a query is answered (default: text)",
    )


def _minutes(text: str) -> float:
    """For how long.  What argparse wants when it is none."""
    try:
        minutes = float(text)
    except ValueError:
        minutes = math.nan
    if not minutes >= 0:  # so nan is refused
        raise argparse.ArgumentTypeError(f"'{short(text, 40)}' is no number of minutes")
    return minutes


def run(args: argparse.Namespace) -> int:
    """The command."""
    try:
        # start-up: Arrow and DuckDB take half a second, and need not be there
        from grognard.lab.queries import Results
    except ImportError as error:
        missing = error.name or "duckdb"
        raise GrognardError(
            f"'{missing}' is not installed", "pip install 'grognard[lab]'"
        ) from error
    what, *rest = args.words
    if what in ("report", "query") and not Path(what).is_file():
        if not rest:
            raise ArgumentError(f"{what} of which experiment?", "name its folder of results")
        results = Results(Path(rest[0]))
        if what == "query":
            _print_answer(results, " ".join(rest[1:]), args.format)
        elif rest[1:] or args.output:
            raise ArgumentError("the report is written into its folder", "name that alone")
        else:
            print(_write_report(results))
        return CLEAN
    from grognard.lab.experiment import refuse_differences  # start-up: see above

    experiment, name = _experiment(args)
    folder = Path(args.output or f"{name}.lab")
    try:
        ended = _carried_out(experiment, folder, args)
    except (ArgumentError, LoadError):
        if Path(what).is_file():
            refuse_differences(Path(what), what)
        raise
    if ended and not folder.exists():
        print("ended before anything was played", file=sys.stderr)
        return ended
    results = Results(folder)
    print(_summary(results))
    print(f"results in {folder}, the report is {_write_report(results)}")
    return ended


def _experiment(args: argparse.Namespace) -> tuple[Experiment, str]:
    """What is to be carried out, and a name for it."""
    from grognard.lab.experiment import read_experiment, what_if  # start-up: see run

    if args.what_if or args.balance:
        bots = args.bots.split(",") if args.bots else None
        games = 200 if args.games is None else args.games
        if not 1 <= games <= MOST_GAMES:
            raise ArgumentError(f"--games {games} is not from 1 to {MOST_GAMES}", "give another")
        first = 1 if args.seed is None else args.seed
        experiment = what_if(args.words, args.what_if, games, bots, first)
        words = [*(Path(word).stem for word in args.words), *args.what_if]
        return experiment, re.sub(r"\W+", "_", "-".join(words)).strip("_")[:80]
    if len(args.words) > 1:
        raise ArgumentError(
            f"{len(args.words)} files are given", "give one experiment, or scenarios with --what-if"
        )
    path = Path(args.words[0])
    if not path.is_file():
        raise ArgumentError(f"there is no file {short(str(path))}", _meant(args.words[0]))
    for name in ("games", "bots", "seed"):
        if getattr(args, name) is not None:
            message = f"--{name} is for scenarios; {short(str(path))} says it itself"
            raise ArgumentError(message, f"change '{name}' in the file")
    return read_experiment(path, str(path)), path.stem


def _meant(word: str) -> str:
    """What can be done where no file has this name."""
    try:
        scenario_path(word)
    except LoadError:
        return "give an experiment's file, or scenarios with --balance or --what-if"
    return f"{short(word)} is a scenario: --balance plays it, --what-if RULE asks what would differ"


def _carried_out(experiment: Experiment, folder: Path, args: argparse.Namespace) -> int:
    """Play what is left; the exit code."""
    from grognard.lab.running import carry_out  # start-up: see run
    from grognard.lab.shards import Store  # start-up: see run
    from grognard.lab.work import Workplace  # start-up: see run

    bar = Bar(sys.stderr) if sys.stderr.isatty() else None
    until = time.monotonic() + 60 * args.minutes
    try:
        with stopped_by_signals(), redirect_stdout(sys.stderr), Store(folder, experiment) as store:
            place = Workplace(experiment, folder)
            carry_out(store, place, _crew(experiment, folder, args), build_for, bar, until)
    except Stopped as stop:
        return SIGNALLED + stop.number
    except KeyboardInterrupt:
        return SIGNALLED + signal.SIGINT
    finally:
        if bar:
            bar.clear()
    return CLEAN


def _crew(experiment: Experiment, folder: Path, args: argparse.Namespace) -> Crew:
    """Who plays."""
    if args.jobs < 0:
        raise ArgumentError(f"--jobs {args.jobs} must not be negative", "give 0 or more")
    if args.ray is not None:
        try:
            from grognard.lab.cluster import Cluster  # start-up: Ray takes seconds
        except ImportError as error:
            missing = error.name or "ray"
            remedy = "pip install 'grognard[ray]'"
            raise GrognardError(f"'{missing}' is not installed", remedy) from error
        return Cluster(experiment, folder, args.ray, args.jobs)
    from grognard.lab.running import Processes  # start-up: see run

    return Processes(experiment, folder, args.jobs or os.cpu_count() or 1)


def _write_report(results: Results) -> Path:
    """Write the report; where it is."""
    from grognard.lab.results_page import page_of  # start-up: Altair takes a second

    path = results.folder / _REPORT
    replace(path, page_of(results))
    return path


def _summary(results: Results) -> str:
    """How it stands, for people."""
    from grognard.lab.analysis import contrasts, games_left, outcomes  # start-up: see run
    from grognard.lab.ratings import ratings  # start-up: see run

    found = outcomes(results)
    lines = [
        f"{one.label}: {one.first} {one.share:.1%} of {one.games} "
        f"(95%: {one.low:.1%} to {one.high:.1%}), {one.verdict}"
        for one in found
    ]
    for one in contrasts(results):
        mean, low, high = one.share
        lines.append(
            f"{one.label}: {100 * mean:+.1f} percentage points (95%: {100 * low:+.1f} to "
            f"{100 * high:+.1f}) against as printed, over {one.games} pairs of games"
        )
    lines += [
        f"{one.bot} is rated {one.rating:+.0f} (95%: {one.low:+.0f} to {one.high:+.0f})"
        for one in ratings(results)
    ]
    if found and (left := games_left(results, found)):
        lines.append(f"not finished: {left:,} games may follow; the same command goes on")
    return "\n".join(lines) or "nothing has been played yet"


def _print_answer(results: Results, question: str, form: str) -> None:
    """Print what a question in SQL has as its answer; without one, how it stands."""
    if not question and form == "text":
        print(_summary(results))
        return
    heads, rows = results.table(question) if question else _standing_table(results)
    if form == "json":
        unique = _unique(heads)
        answer = [dict(zip(unique, map(_json_value, row), strict=True)) for row in rows]
        print(json.dumps(answer, ensure_ascii=False, default=str))
    elif form == "csv":
        csv.writer(sys.stdout).writerows([heads, *(map(_cell_text, row) for row in rows)])
    else:
        texts = ([" ".join(_cell_text(one).split()) for one in row] for row in rows)
        _print_table([heads, *([short(text, _WIDEST) for text in row] for row in texts)])


def _standing_table(results: Results) -> tuple[list[str], list[tuple[Any, ...]]]:
    """How each arrangement stands."""
    from grognard.lab.analysis import Outcome, outcomes  # start-up: see run

    heads = [column.name for column in fields(Outcome)]
    return heads, [tuple(getattr(one, name) for name in heads) for one in outcomes(results)]


def _unique(heads: Sequence[str]) -> list[str]:
    """Names of columns, with a number where one has been before."""
    seen: Counter[str] = Counter()
    found = []
    for head in heads:
        found.append(f"{head}_{seen[head]}" if seen[head] else head)
        seen[head] += 1
    return found


def _json_value(value: Any) -> Any:
    """What JSON can say: no infinity."""
    if isinstance(value, list | tuple):
        return [_json_value(one) for one in value]
    if isinstance(value, dict):
        return {key: _json_value(one) for key, one in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _cell_text(value: Any) -> str:
    """A value in a table; lists as JSON."""
    if isinstance(value, list | tuple):
        numbers = [float(f"{one:.6g}") if isinstance(one, float) else one for one in value]
        return json.dumps(_json_value(numbers), ensure_ascii=False, default=str)
    return f"{value:.6g}" if isinstance(value, float) else "" if value is None else str(value)


def _print_table(table: Sequence[Sequence[str]]) -> None:
    wide = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        print("  ".join(cell.ljust(w) for cell, w in zip(row, wide, strict=True)).rstrip())
