"""Print the JSON Schema of a ruleset's scenarios, with which editors complete and check them."""

from __future__ import annotations

import argparse
import json

from grognard import places
from grognard.files import output
from grognard.fronts.cli.exits import CLEAN
from grognard.fronts.cli.flags import add_output
from runtime.scenario import schema_for


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's name or folder")
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """The command."""
    program = places.program_of(places.ruleset_folder(args.ruleset))
    text = json.dumps(schema_for(program.spec, any_board=True), indent=2, ensure_ascii=False) + "\n"
    output(args.output, text, folders=True)
    if args.output != "-":
        print(f"{args.output}: put this line on top of a scenario:")
        print(f"# yaml-language-server: $schema={args.output}")
    return CLEAN
