"""What an expansion does to the ruleset that it extends: what it replaces, drops, makes exceptions
of, changes, extends and adds, each with the rules that it cites.

  grognard diff cc_ancients cc_ancients_greece
"""

from __future__ import annotations

import argparse
import json

from grognard import places
from grognard.expansion import VERBS, changes
from grognard.fronts.cli.exits import CLEAN


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "base", metavar="BASE", help="the ruleset that is extended: its name or folder"
    )
    parser.add_argument("expansion", metavar="EXPANSION", help="the ruleset that extends it")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    """The command."""
    base, expansion = places.ruleset_folder(args.base), places.ruleset_folder(args.expansion)
    places.readable(base)
    places.readable(expansion)
    differences = changes(base.name, places.ruleset(expansion))
    if args.json:
        data = {
            "base": base.name,
            "expansion": expansion.name,
            "changes": [c.to_data() for c in differences],
        }
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return CLEAN
    print(f"{expansion.name} extends {base.name}")
    for verb in VERBS:
        group = [change for change in differences if change.verb == verb]
        if group:
            print(f"\n{verb} ({len(group)})")
        for change in group:
            cited = f"  ({', '.join(change.rules)})" if change.rules else ""
            print(f"  {change.what}{cited}  {change.file}:{change.line}")
    if not differences:
        print("it changes nothing")
    return CLEAN
