"""Begin a new ruleset: a small game that can be played at once, to be changed from there.

It is written below the current directory: rules to rulesets/NAME, with a README that says what is
where; set-ups to scenarios/NAME, cases to tests/cases/NAME, an experiment to experiments/NAME.yaml.
--list shows the families of games; without --family it is the skirmish of docs/authors.md, which
has rules and a set-up alone.
"""

from __future__ import annotations

import argparse
import re
from contextlib import suppress
from pathlib import Path

from dsl.language import keywords
from grognard.files import reason, replace, short
from grognard.fronts.cli.exits import CLEAN
from runtime.errors import ArgumentError

#: The games, each a folder of files as they are written, and a game that can be played where it is.
BEGINNINGS = Path(__file__).resolve().parents[3] / "beginnings"
#: What its games are called in it.
PLACEHOLDER = "new_game"
SKIRMISH = "skirmish"
#: By name, what a family is, and the scenario to begin with.
FAMILIES: dict[str, tuple[str, str]] = {
    SKIRMISH: (
        "units move or fire, the last side wins: the game that docs/authors.md grows",
        "first",
    ),
    "crt": ("hex and counter: zones of control, supply, odds on a combat results table", "valley"),
    "colors": ("Commands & Colors: cards order sections, dice of symbols, banners", "stream"),
    "blocks": ("blocks: fog of war, steps, orders, battles in rounds", "province"),
    "card_driven": ("cards and areas: each card is an event or operations, control", "rising"),
    "plotted": ("plotted moves: secret orders for ships, carried out all at once", "meeting"),
    "solitaire": ("solitaire: one player against hosts that cards drive", "siege"),
}
#: What may be a name; it is as long as the language lets it be.
_NAME = r"[a-z][a-z0-9_]{0,99}"
_REMEDY = (
    "take small letters, digits and _ (at most 100), beginning with a letter, "
    "and no word of the language"
)
#: Where the infantry and the cavalry of each side begin.
STARTS = (("B3, B5", "A7"), ("F4, F6", "G2"), ("C1, E1", "D1"), ("C9, E9", "D8"))


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="the ruleset's name: letters, digits and _, beginning with a letter",
    )
    parser.add_argument(
        "--family",
        choices=FAMILIES,
        metavar="FAMILY",
        default=SKIRMISH,
        help=f"the kind of game (default: {SKIRMISH}): {', '.join(FAMILIES)}",
    )
    parser.add_argument("--list", action="store_true", help="list the families, and write nothing")
    parser.add_argument(
        "--sides",
        metavar="A,B",
        help="the sides of a skirmish, two to four (default: blue,red)",
    )


def run(args: argparse.Namespace) -> int:
    """The command."""
    if args.list:
        for family, (about, _) in FAMILIES.items():
            print(f"{family:<{max(map(len, FAMILIES))}}  {about}")
        return CLEAN
    if args.name is None:
        raise ArgumentError(
            "the new ruleset has no name", "give it one: grognard new hills --family crt"
        )
    name: str = args.name
    if not re.fullmatch(_NAME, name) or name in keywords():
        raise ArgumentError(f"'{short(name)}' cannot be the name of a ruleset", _REMEDY)
    if args.sides is not None and args.family != SKIRMISH:
        raise ArgumentError(
            f"--sides {args.sides}: the sides of the family '{args.family}' are its own",
            "leave the option out, and rename the sides in the files that are written",
        )
    made = _initial_files(args.family, name)
    if args.sides is not None:
        made = _with_sides(made, args.sides)
    for path in made:
        if path.exists() or (
            path.parent.exists() and path.suffix == ".grog" and any(path.parent.iterdir())
        ):
            raise ArgumentError(
                f"{path if path.exists() else path.parent} is there already",
                "take another name, or remove it first",
            )
    _write(made)
    for path in made:
        print(f"wrote {path}")
    print(f"\nNext:\n  grognard check {name}\n  grognard play {name}/{FAMILIES[args.family][1]}")
    return CLEAN


def _initial_files(family: str, name: str) -> dict[Path, str]:
    """The files of a family's game under another name."""
    names = {form(PLACEHOLDER): form(name) for form in (str, _initials, _title)}
    pattern = re.compile(rf"\b({'|'.join(names)})\b")

    def with_new_name(text: str) -> str:
        return pattern.sub(lambda found: names[found[1]], text)

    folder = BEGINNINGS / family
    return {
        Path(with_new_name(str(path.relative_to(folder)))): with_new_name(
            path.read_text(encoding="utf-8")
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _initials(name: str) -> str:
    """The prefix of its rule IDs."""
    return "".join(part[0] for part in name.split("_") if part).upper()


def _title(name: str) -> str:
    return name.replace("_", " ").title()


def _with_sides(made: dict[Path, str], named: str) -> dict[Path, str]:
    """The skirmish between other sides."""
    sides = [side.strip() for side in named.split(",")]
    (rules,) = (text for path, text in made.items() if path.suffix == ".grog")
    taken = {*keywords(), *re.findall(r"^  (?:§\S+ )?(\w+): ", rules, re.MULTILINE)}
    bad = next((side for side in sides if not re.fullmatch(_NAME, side) or side in taken), None)
    if bad is not None:
        remedy = _REMEDY + (", nor a field of the little game" if bad in taken else "")
        raise ArgumentError(f"'{short(bad)}' cannot be the name of a side", remedy)
    if not 2 <= len(sides) <= len(STARTS) or len(set(sides)) < len(sides):
        raise ArgumentError(
            f"--sides {named}: the little board has room for two to four different sides",
            "write --sides blue,red,green",
        )
    pieces = "".join(
        f"    - {{side: {side}, type: infantry, hex: [{foot}]}}\n"
        f"    - {{side: {side}, type: cavalry, hex: {horse}}}\n"
        for side, (foot, horse) in zip(sides, STARTS, strict=False)
    )

    def changed(text: str) -> str:
        text = text.replace("sides blue, red", f"sides {', '.join(sides)}")
        text = text.replace(": Side = blue", f": Side = {sides[0]}")
        return re.sub(r"(?<=  Unit:\n)(?:    - .*\n)+", pieces, text)

    return {path: changed(text) for path, text in made.items()}


def _write(files: dict[Path, str]) -> None:
    """Write all files, or none.  ArgumentError when one cannot be written."""
    written: list[Path] = []
    for path, text in files.items():
        try:
            written += _make_folders(path.parent)
            replace(path, text)
            written.append(path)
        except OSError as error:
            for one in reversed(written):
                with suppress(OSError):
                    one.rmdir() if one.is_dir() else one.unlink()
            raise ArgumentError(
                f"{path} cannot be written: {reason(error)}",
                "change to a folder where you may write",
            ) from None


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder and those above it; those that were not there."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]
