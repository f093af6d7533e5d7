"""Tune the weights by which a ruleset values positions.

Bots with other weights play against bots with those of the ruleset, at every side, on all the
scenarios given, which are of one ruleset.  What is found plays twenty times as many games as a
candidate, with seeds of their own; it is told how many of them it has won, and which weights
differ, with file and line.  With --write the sources are changed, where what was found is surely
better: where the whole 95% interval is above a half.  Weights that stand in a base are replaced in
the ruleset.

What has been played is kept in a journal, so that the same command goes on after an interruption.
The same arguments find the same weights, whatever --jobs says; bots have no limit of time here.
Exit codes: 0 when what was found is surely better, 1 when it is not.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from contextlib import suppress
from pathlib import Path

from compiler.output.report import shown_path
from compiler.ruleset import Ruleset
from grognard import opening, places
from grognard.bots.tuning import Plan, Tuner, TuningResult, bot_with, chosen_weights
from grognard.bots.written import changes, files_with_weights, tunable
from grognard.files import reason, replace, target
from grognard.fronts.cli.exits import CLEAN, FINDINGS, SIGNALLED
from grognard.fronts.cli.flags import count, seed
from grognard.fronts.cli.native_build import build_for
from grognard.fronts.cli.progress import Bar
from grognard.fronts.cli.signals import Stopped, stopped_by_signals
from grognard.scenario import Scenario
from runtime.errors import ArgumentError
from runtime.private_files import cache_folder
from runtime.runs.series import MOST_GAMES
from runtime.spelling import with_words_cut


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "scenarios", metavar="SCENARIO", nargs="+", help="a scenario's file or name"
    )
    parser.add_argument(
        "--games",
        metavar="N",
        type=count,
        default=50,
        help="how many games each candidate plays, on all scenarios together (default: 50)",
    )
    parser.add_argument(
        "--generations", metavar="N", type=count, default=20, help="how often (default: 20)"
    )
    parser.add_argument(
        "--bot",
        metavar="NAME",
        default="greedy",
        help="who plays: greedy, novice, regular or veteran (default: greedy)",
    )
    parser.add_argument("--seed", metavar="S", type=seed, default=1, help="a seed (default: 1)")
    parser.add_argument(
        "--jobs",
        metavar="J",
        type=count,
        default=1,
        help="processes (default: 1; 0: one for each processor)",
    )
    parser.add_argument(
        "--only",
        metavar="NAME",
        nargs="+",
        default=[],
        help="these weights, such as banner_won or 'judgement.*.worth' (default: all)",
    )
    parser.add_argument(
        "--write", action="store_true", help="change the sources, where that is surely better"
    )
    parser.add_argument(
        "--out", metavar="FILE", help="where the journal is kept (default: in the cache)"
    )


def run(args: argparse.Namespace) -> int:
    """The command."""
    for name, least in (("games", 1), ("generations", 1), ("jobs", 0)):
        if not least <= getattr(args, name) <= MOST_GAMES:
            message = f"--{name} {getattr(args, name)} is not from {least} to {MOST_GAMES}"
            raise ArgumentError(message, f"give a number such as {max(1, least)}")
    bot_with(args.bot, {})
    out = None if args.out is None else target(args.out, "--out")
    scenarios, folder = _open_scenarios(args.scenarios)
    ruleset = places.readable_ruleset(folder)
    names = chosen_weights(ruleset.spec, tunable(ruleset), args.only)
    jobs = args.jobs or os.cpu_count() or 1
    plan = Plan(args.games, args.generations, args.bot, args.seed, jobs, tuple(args.only))
    for opened in scenarios.values():
        build_for(opened, [args.bot], args.games * args.generations)
    bar = Bar(sys.stderr) if sys.stderr.isatty() else None

    def tell(done: int, of: int) -> None:
        if bar is not None:
            bar(done, of)

    def say(text: str) -> None:
        if bar is not None:
            bar.clear()
        print(text, file=sys.stderr, flush=True)

    journal = out or _journal_file(args, ruleset, names)
    say(f"tuning {len(names)} weights of {ruleset.name}; what is played is kept in {journal}")
    try:
        with stopped_by_signals():
            found = Tuner(scenarios, names, plan, journal, tell, say).run()
    except Stopped as stop:
        return SIGNALLED + stop.number
    finally:
        if bar is not None:
            bar.clear()
    print(with_words_cut(_summary(ruleset, found)))
    better = found.interval[0] > 0.5
    if args.write and better:
        _write_sources(ruleset, files_with_weights(ruleset, found.weights))
    elif args.write:
        print("nothing is written: what was found is not surely better", file=sys.stderr)
    return CLEAN if better else FINDINGS


def _open_scenarios(given: list[str]) -> tuple[dict[str, Scenario], Path]:
    """The scenarios by their names, with the folder of their ruleset.  ArgumentError where they are
    of several.
    """
    scenarios: dict[str, Scenario] = {}
    for name in given:
        opened = opening.open_scenario(name)
        scenarios.setdefault(opened.setup.title, opened)
    folders = {opened.folder.resolve(): opened for opened in scenarios.values()}
    if len(folders) > 1:
        names = ", ".join(folder.name for folder in folders)
        raise ArgumentError(f"the scenarios are of several rulesets: {names}", "give those of one")
    first, *_ = folders
    program = next(iter(scenarios.values())).program
    if len(program.spec.sides) < 2:
        message = f"{program.spec.name} has one side: nobody can play against others"
        raise ArgumentError(message, "tune a ruleset with two sides or more")
    return scenarios, first


def _journal_file(args: argparse.Namespace, ruleset: Ruleset, names: list[str]) -> Path:
    """Where the journal of such a command is kept."""
    weights = [(w.name, w.value) for w in ruleset.spec.weights.values()]
    what = (args.scenarios, args.games, args.generations, args.bot, args.seed, names)
    whole = repr((what, weights, ruleset.spec.hash)).encode()
    digest = hashlib.blake2b(whole, digest_size=6).hexdigest()
    folder = cache_folder() / "tuning"
    with suppress(OSError):  # that the journal cannot be written is told with its name
        folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{ruleset.name}-{digest}.jsonl"


def _summary(ruleset: Ruleset, found: TuningResult) -> str:
    """What was found, for people."""
    games, (low, high) = sum(found.games.values()), found.interval
    lines = [
        f"{ruleset.name}: {len(found.weights)} of {found.tuned} weights differ",
        f"  against the weights as they are, on fresh seeds: {sum(found.won.values()):g} of {games}"
        f" games won, {found.share:.1%}  (95%: {low:.1%} to {high:.1%})",
    ]
    if len(found.won) > 1:
        lines += [
            f"    {scenario}: {won:g} of {found.games[scenario]}"
            for scenario, won in found.won.items()
        ]
    lines += [f"  {change}" for change in changes(ruleset, found.weights)]
    return "\n".join(lines)


def _write_sources(ruleset: Ruleset, texts: dict[str, str]) -> None:
    """Change the sources.  ArgumentError where one cannot be written."""
    for file, text in texts.items():
        try:
            replace(Path(ruleset.paths[file]), text)
        except OSError as error:
            message = f"{shown_path(ruleset.paths[file])} cannot be written: {reason(error)}"
            remedy = "copy the ruleset to a folder of your own, or change the lines by hand"
            raise ArgumentError(message, remedy) from None
    print(f"written: {', '.join(shown_path(ruleset.paths[file]) for file in texts)}")
