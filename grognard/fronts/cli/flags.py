"""Arguments that several commands take: records, seeds, numbers of things, the language, output."""

from __future__ import annotations

import argparse
import textwrap
from argparse import ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grognard.files import short
from grognard.lexicon.catalogue import choose_language, words_in
from grognard.lexicon.typed import is_number, plain_number

if TYPE_CHECKING:
    from grognard.draw.art import Art


def seed(text: str) -> int:
    """A seed: a number of at most 128 bits.  What argparse wants when it is none."""
    if not is_number(text) or len(text) > 40 or int(text).bit_length() > 128:
        raise ArgumentTypeError(
            f"'{short(text, 40)}' is not a seed (a whole number of at most 128 bits)"
        )
    return int(text)


def count(text: str) -> int:
    """A number of things that people ask for, perhaps negative.  What argparse wants when it is
    none.
    """
    number = plain_number(text.removeprefix("-"))
    if number is None:
        raise ArgumentTypeError(f"'{short(text, 40)}' is not a whole number")
    return -number if text.startswith("-") else number


def add_record(parser: argparse.ArgumentParser) -> None:
    """A recorded game, and who looks on."""
    parser.add_argument("record", metavar="FILE", help="the record of a game, or a game under way")
    parser.add_argument(
        "--scenario", metavar="SCENARIO", help="the scenario, where the record's is not found"
    )
    parser.add_argument(
        "--lenient",
        action="store_true",
        help="the ruleset or scenario may have changed, as long as the states agree",
    )
    parser.add_argument(
        "--side",
        metavar="SIDE",
        help="tell only what this side sees (default: all; of an unfinished game, what all see)",
    )


def add_position(parser: argparse.ArgumentParser) -> None:
    """The position of a scenario that is meant: where a record ends, or the start."""
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="the position where this record of the scenario ends, or a game under way",
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=seed,
        default=1,
        help="the seed of the start position (default: 1)",
    )


def add_output(
    parser: argparse.ArgumentParser,
    where: str = "where to write it (default: standard output)",
    default: str | None = "-",
) -> None:
    """The file that is written."""
    parser.add_argument("-o", "--output", metavar="FILE", default=default, help=where)


def add_art(parser: argparse.ArgumentParser) -> None:
    """Folders of pictures of one's own."""
    parser.add_argument(
        "--art",
        metavar="FOLDER",
        action="append",
        default=[],
        help="a folder of your own pictures of map, counters and cards (docs/art.md); repeatable",
    )


def read_art(args: argparse.Namespace) -> list[Art]:
    """What stands in these folders.  ArtError."""
    from grognard.draw.art import Art  # start-up: only what draws needs it

    return [Art.read(Path(folder)) for folder in args.art]


def add_format(parser: argparse.ArgumentParser) -> None:
    """The form in which findings are reported."""
    parser.add_argument(
        "--format",
        choices=("text", "json", "sarif"),
        default="text",
        help="how to report (default: text)",
    )


def add_findings_language(parser: argparse.ArgumentParser) -> None:
    """The option that chooses the language of findings."""
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="the language of findings, en or cs (default: as the environment says)",
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    """The option that chooses the language."""
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="the language of texts, as en or cs (default: as the environment says)",
    )


def translate(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Put what a command says of itself into the language that its *arguments* or the environment
    choose.
    """
    given = None
    for word, after in zip(arguments, [*arguments[1:], ""], strict=False):
        if word.partition("=")[0] == "--language":
            given = word.partition("=")[2] or after
    words = words_in(choose_language(given))
    if not words.messages:
        return
    paragraphs = (" ".join(part.split()) for part in (parser.description or "").split("\n\n"))
    parser.description = "\n\n".join(textwrap.fill(words(part), 100) for part in paragraphs)
    lines = (line.rpartition("  ") for line in (parser.epilog or "").splitlines())
    parser.epilog = "\n".join(f"{name}{gap}{words(line)}" for name, gap, line in lines)
    for group in parser._action_groups:
        group.title = words(group.title or "")
    for action in parser._actions:
        action.help = words(action.help or "")
