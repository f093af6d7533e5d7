"""Golden records after a change: ``python -m bench.golden [--write]``.

A state's hash covers where in the rules a game stands, so rules that are only arranged anew change the hashes
of games that go on just as before.  For each record of ``tests/golden`` that no longer replays, its decisions
are taken without looking at the hashes.  Where they lead to the same result the record is given with the
hashes of today (``--write``); where they do not, the rules have changed, and it is said at which line.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from grognard.exits import Found, Misuse
from grognard.files import replace
from grognard.places import open_scenario
from runtime.game import Game
from runtime.record import Record, RecordError, replay

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"


def again(path: Path) -> Record | None:
    """The record at *path* with the hashes of today; None where it replays as it is.

    RecordError where its decisions no longer lead to its result.
    """
    record = Record.parse(path.read_text(encoding="utf-8"))
    opened = open_scenario(path.relative_to(GOLDEN).parent.as_posix())
    try:
        replay(opened.program, opened.setup, record, lenient=True)
        return None
    except RecordError:
        pass
    if record.seed is None:
        raise RecordError("the seed is kept secret", remedy="golden records tell their seeds")
    game = Game(opened.program, opened.setup, record.seed, log=False)
    for entry in record.actions:
        decision = game.decision
        option = decision.find(entry.text) if decision is not None and decision.name == entry.side else None
        if option is None or option.text != entry.text:
            raise RecordError(f"'{entry.text}' of {entry.side} is not on offer here", entry.line)
        game.play(option)
    if game.result != record.result:
        raise RecordError(f"the result is '{game.result}', not '{record.result}'")
    return Record.of(game, dict(record.players))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.golden", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the records whose hashes alone differ")
    options = parser.parse_args(arguments)
    changed = False
    for path in sorted(GOLDEN.rglob("*.record")):
        name = path.relative_to(GOLDEN)
        try:
            record = again(path)
        except (Misuse, OSError, ValueError) as error:
            print(f"{name}: the game has changed: {error}")
            changed = True
            continue
        except Found:
            print(f"{name}: its scenario has errors")
            changed = True
            continue
        if record is not None:
            print(f"{name}: only hashes differ" + (", written" if options.write else ""))
            if options.write:
                replace(path, record.write())
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
