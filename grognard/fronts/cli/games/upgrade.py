"""What rules that have changed do to a recorded game, and let it go on with them.

A game goes on with the rules and the scenario that it began with, whatever becomes of their files.
This command takes its decisions once more with the rules as they are now, and tells from where on
the states are other ones, or which decision is not possible any more; where the rules that it began
with were kept, also what they named that is gone, and what differs where the states first part.
Exit code 1 where the game cannot go on with the rules of now.

With --write it goes on with them: a record is replaced, a game under way is played on so by every
command and server.  The record as it was is put by.

  grognard upgrade akragas
  grognard upgrade game.record --write
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from grognard.files import reason, short
from grognard.fronts.cli.exits import CLEAN, FINDINGS
from grognard.kept_rules import KeptRules, fits
from grognard.opening import open_scenario
from grognard.records import NamedRecord, successor_of, write_record
from grognard.retelling.upgrading import Upgrade
from grognard.scenario import Scenario
from grognard.table.store import GameEntry, Store, find_game
from runtime.errors import ArgumentError
from runtime.games.record import excerpt
from runtime.games.sealing import conceals

#: How much is told of one kind of thing.
_MOST: Final = 12


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("record", metavar="FILE", help="the record of a game, or a game under way")
    parser.add_argument(
        "--scenario", metavar="SCENARIO", help="the scenario, where the record's is not found"
    )
    parser.add_argument(
        "--write", action="store_true", help="let the game go on with the rules of now"
    )


def run(args: argparse.Namespace) -> int:
    """The command."""
    kept, source = find_game(args.record)
    now = _current_scenario(args.scenario, source, kept)
    print(
        f"{source.name}: {excerpt(source.record.title)},"
        f" {_count_text(len(source.record.actions), 'decision')}"
    )
    if fits(now, source.record):
        print("rules and scenario are as they were when it began")
        return CLEAN
    upgrade = Upgrade.of(source, now)
    _print_upgrade(upgrade)
    if upgrade.retraced.refused is not None:
        return FINDINGS
    if args.write:
        _write(upgrade, args.record, kept)
    return CLEAN


def _current_scenario(
    argument: str | None, source: NamedRecord, kept: GameEntry | None
) -> Scenario:
    """The scenario of the game as it is now."""
    if argument is not None:
        now = open_scenario(argument)
    elif kept is not None and kept.scenario.is_file():
        now = open_scenario(kept.scenario)
    else:
        now = successor_of(source.record, source.name)
    if now.program.spec.name != source.record.ruleset:
        raise ArgumentError(
            f"{source.name} was played with ruleset '{short(source.record.ruleset)}',"
            f" '{short(now.setup.title)}' is of '{now.program.spec.name}'",
            "give a scenario of the record's ruleset",
        )
    return now


def _print_upgrade(upgrade: Upgrade) -> None:
    """Say what becomes of the game."""
    record, retraced = upgrade.source.record, upgrade.retraced
    if upgrade.then is None:
        print("the rules that it began with were not kept: what they named is not known")
    for verb, named_things in (("gone", upgrade.gone), ("new", upgrade.added)):
        for kind, names in named_things.items():
            print(f"  {verb}: {kind} {_first_names(names)}")
    if retraced.parted is None and retraced.refused is not None:
        number = len(retraced.game.actions) + 1
        print(f"every state that the record tells of before decision {number} is as it was")
    elif retraced.parted is None:
        print("every state that the record tells of is as it was")
    else:
        print(f"the states are other ones {_after_decisions(retraced.parted)}")
        lines = [f"{what}: {was}, now {now}" for what, was, now in upgrade.differences]
        for line in lines[:_MOST]:
            print(f"  {line}")
        if len(lines) > _MOST:
            print(f"  and {len(lines) - _MOST} more")
    if retraced.refused is None:
        end = retraced.game.outcome
        differs = record.finished and end != record.result
        over = "all decisions hold"
        if retraced.game.over and not record.finished:
            over = f"{over}, and with the last the game is over: {end}"
        print(f"it ends as '{end}', not '{record.result}'" if differs else over)
        return
    game = retraced.game
    number = len(game.actions) + 1
    told = f"decision {number}, of {record.actions[number - 1].side}, is not possible any more"
    # of a game that goes on, what was chosen or offered may be a secret
    secret = conceals(game.spec) and not record.finished
    print(told if secret else f"{told}: {retraced.refused.message}", file=sys.stderr)
    remedy = "keep those rules"
    if upgrade.then is not None:
        goes_on = "is replayed" if record.finished else "goes on"
        remedy = f"it {goes_on} with the rules that it began with"
    print(f"  remedy: {remedy}", file=sys.stderr)


def _write(upgrade: Upgrade, name: str, kept: GameEntry | None) -> None:
    """Let the game go on with the rules of now."""
    source, game = upgrade.source, upgrade.retraced.game
    players, path = dict(source.record.players), Path(name)
    try:
        before = upgrade.put_by()
        if kept is None:
            write_record(path, game, players, source.key)
        else:
            with Store() as store:
                KeptRules().keep(upgrade.now, {other.rules for other in store.games()})
                store.carry_over(source, game, upgrade.now.file)
                if game.over:
                    resumed = store.resume(kept.name, game, players, source.key, kept.file)
                    print(f"it is over, and recorded in {resumed.finish()}")
    except OSError as error:
        raise _write_error(error, name, "check the path and its permissions") from None
    goes_on = "has been played" if game.over else "goes on"
    print(f"it {goes_on} with the rules of now; as it was it stands in {before}")
    if kept is not None and kept.file is not None and not game.over:
        try:
            write_record(kept.file, game, players, source.key)
        except OSError as error:
            remedy = f"the game itself goes on: grognard play --resume {kept.name}"
            raise _write_error(error, str(kept.file), remedy) from None


def _write_error(error: OSError, name: str, remedy: str) -> ArgumentError:
    message = f"{short(str(error.filename or name))} cannot be written: {reason(error)}"
    return ArgumentError(message, remedy)


def _after_decisions(decisions: int) -> str:
    return "from the start on" if not decisions else f"after {_count_text(decisions, 'decision')}"


def _count_text(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number} {what}s"


def _first_names(names: list[str]) -> str:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return f"{', '.join(names[:_MOST])}{more}"
