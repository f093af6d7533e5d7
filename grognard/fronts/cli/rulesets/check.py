"""Check rulesets and report what is found.

A ruleset is given by its name or its folder.  Exit code 1 when there are errors or warnings. The
looks of a ruleset (style.yaml) are checked as well. With --texts, the texts that its catalogues
lack are listed as lines to be filled in, with --language those of one language; exit code 1 when
any are missing.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from compiler.output.report import Report
from compiler.ruleset import Ruleset
from compiler.texts import ENGLISH, missing, possible
from compiler.types import from_spec
from grognard import places
from grognard.draw.style import Style, StyleError
from grognard.draw.style_findings import look_findings
from grognard.fronts.cli.exits import CLEAN, FINDINGS
from grognard.fronts.cli.flags import add_format
from grognard.fronts.cli.reporting import print_report
from runtime.errors import ArgumentError


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("rulesets", metavar="RULESET", nargs="+", help="a ruleset's name or folder")
    files = "the arguments are files: check the rulesets that they belong to, each once"
    parser.add_argument("--files", action="store_true", help=files)
    parser.add_argument(
        "--texts",
        action="store_true",
        help="list the texts that the catalogues lack, instead of findings",
    )
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="the language of findings (default: as the environment says); with --texts the one "
        "to look at, also one without texts",
    )
    add_format(parser)


def run(args: argparse.Namespace) -> int:
    """The command."""
    find = ruleset_around if args.files else places.ruleset_folder
    folders = list(dict.fromkeys(find(argument) for argument in args.rulesets))
    report = Report()
    rulesets = [places.readable_ruleset(folder, abstract=True) for folder in folders]
    if args.texts and all(ruleset.ok for ruleset in rulesets):
        return list_missing(rulesets, args.language)
    for ruleset in rulesets:
        report.add_ruleset(ruleset)
        report.add_findings(look_findings(ruleset))
    print_report(report, args.format, language=args.language)
    return CLEAN if report.clean else FINDINGS


def list_missing(rulesets: list[Ruleset], only: str | None = None) -> int:
    """Print the texts that catalogues lack: the key, and what its arguments are; in other languages
    than English what it says there.
    """
    code = CLEAN
    for ruleset in rulesets:
        english = ruleset.program.texts.get(ENGLISH, {})
        besides = panel_keys(ruleset)
        for language in [only] if only else sorted(ruleset.program.texts) or [ENGLISH]:
            lacking = missing(ruleset.program, language, besides)
            print(
                f"# {ruleset.name}: texts/{language}.yaml lacks {len(lacking) or 'no'} "
                f"text{'s' * (len(lacking) != 1)}"
            )
            for text in lacking:
                arguments = ", ".join(
                    f"{{{i}}} {from_spec(type_)}" for i, type_ in enumerate(text.arguments)
                )
                original = english.get(text.key, "") if language != ENGLISH else ""
                notes = " · ".join(filter(None, (arguments, original)))
                print(f'{text.key}: ""' + (f"  # {notes}" if notes else ""))
                code = FINDINGS
    return code


def panel_keys(ruleset: Ruleset) -> list[str]:
    """The keys of what players are told beside the board: kinds without sorts, effects, switches,
    and what the style names.
    """
    program = ruleset.program
    enums = [f for f in program.fields.values() if f.type.kind == "enum" and f.type.name != "Side"]
    sorts = {f.owner for f in enums if f.fixed or f.seen_by}
    keys = [f"piece.{kind}" for kind in program.kinds if kind not in sorts]
    keys += [f"effect.{name}" for name in program.effects] + [
        f"switch.{name}" for name in program.switches
    ]
    try:
        style = Style.read(ruleset.resolved.folders)
    except StyleError:
        return keys
    names = [*style.names("panel"), *style.names("header")]
    names += [path for kind in (*program.kinds, "Hex") for path in style.names("about", kind)]
    types = {f.base: f.type.name for f in program.fields.values()}
    for track in style.part("track"):
        names += [
            one for name in style.names("track", track, "show") for one in (name, f"{track}.{name}")
        ]
    for name in names:
        first, _, column = name.partition(".")
        if column:
            keys.append(f"value.{types.get(first, '')}.{column}")
        else:
            keys += [f"field.{name}", f"pile.{name}", f"value.{name}"]
    known = possible(program)
    parts = ("hexsides", "borders", "highlights")
    looks = [look for part in parts for look in style.part(part).values() if isinstance(look, dict)]
    labels = [f"name.{look['label']}" for look in looks if "label" in look]
    return [*(key for key in dict.fromkeys(keys) if key in known), *labels]


def ruleset_around(argument: str) -> Path:
    """The folder of the ruleset that a file belongs to."""
    folder = places.ruleset_around(Path(argument))
    if folder is None:
        message = f"'{argument}' belongs to no ruleset"
        raise ArgumentError(message, "give a file in the folder of a ruleset")
    return folder
