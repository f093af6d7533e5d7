"""List the rulesets and scenarios that Grognard finds, in the current directory, then in the
installation; and the games under way. Of one ruleset, list its files, their headings, and what is
declared under each.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from compiler.native.build_cache import builds_enabled
from compiler.output.report import shown_path
from grognard import places
from grognard.database import NotKept
from grognard.explain.outline import lines, outline
from grognard.files import printable_path, short
from grognard.fronts.cli.exits import CLEAN
from grognard.table.store import GameEntry, Store


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "ruleset", metavar="RULESET", nargs="?", help="outline this ruleset (name or folder)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    """The command."""
    if args.ruleset is not None:
        return _print_outline(args.ruleset, args.json)
    folders = places.rulesets()
    native = {name for name, path in folders.items() if _has_native_build(path)}
    battles = {name: (path, *places.head_of(path)) for name, path in places.scenarios().items()}
    games = _games()
    if args.json:
        data = {
            "rulesets": [
                {"name": n, "path": str(p), "native": n in native} for n, p in folders.items()
            ],
            "scenarios": [
                {"name": n, "path": str(p), "ruleset": r, "title": t}
                for n, (p, r, t) in battles.items()
            ],
            "games": [
                {
                    "name": game.name,
                    "scenario": str(game.scenario),
                    "title": game.title,
                    "decisions": game.decisions,
                    "record": None if game.file is None else str(game.file),
                }
                for game in games
            ],
        }
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return CLEAN
    print("Rulesets")
    for name, path in folders.items():
        built = "  (built natively)" if name in native else ""
        print(f"  {short(name):22} {short(shown_path(path), 5_000)}{built}")
    if not folders:
        print("  none found; `grognard new NAME` begins one")
    print("\nScenarios")
    for name, (_, ruleset, title) in battles.items():
        for_ = (
            ""
            if name.startswith(f"{ruleset}/")
            else f"  (for {short(ruleset) or 'an unknown ruleset'})"
        )
        print(f"  {short(name):32} {short(title)}{for_}")
    if not battles:
        print("  none found")
    if games:
        print("\nGames under way")
    for game in games:
        count = f"{game.decisions} decision{'s' if game.decisions != 1 else ''}"
        file = "" if game.file is None else f", to be written to {printable_path(game.file)}"
        print(f"  {short(game.name):32} {short(game.title)}: {count}{file}")
    return CLEAN


def _print_outline(name: str, as_json: bool) -> int:
    """What is declared in a ruleset, under its headings."""
    folder = places.ruleset_folder(name)
    places.readable(folder)
    resolved = places.ruleset(folder).resolved
    if as_json:
        sections = [asdict(heading) for heading in outline(resolved)]
        print(json.dumps({"ruleset": resolved.name, "sections": sections}, ensure_ascii=False))
    else:
        print("\n".join(lines(resolved)))
    return CLEAN


def _games() -> list[GameEntry]:
    """The games under way, none where they cannot be read, which is said."""
    try:
        with Store() as store:
            return store.games()
    except NotKept as error:
        print(f"grognard list: {error.message}", file=sys.stderr)
        return []


def _has_native_build(folder: Path) -> bool:
    """Whether there is a native build of a ruleset."""
    try:
        return builds_enabled() and places.ruleset(folder).native.has_any()
    except (OSError, ValueError):
        return False
