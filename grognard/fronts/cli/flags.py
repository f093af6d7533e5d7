"""Arguments that several commands take: seeds, numbers of things, the language."""

from __future__ import annotations

import argparse
import textwrap
from argparse import ArgumentTypeError
from collections.abc import Sequence

from grognard.files import short
from grognard.lexicon.catalogue import chosen, words_in
from grognard.lexicon.typed import is_number, plain_number


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
        raise ArgumentTypeError(f"'{short(text, 40)}' is no number of them")
    return -number if text.startswith("-") else number


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
    words = words_in(chosen(given))
    if not words.messages:
        return
    paragraphs = (" ".join(part.split()) for part in (parser.description or "").split("\n\n"))
    parser.description = "\n\n".join(textwrap.fill(words(part), 100) for part in paragraphs)
    for group in parser._action_groups:
        group.title = words(group.title or "")
    for action in parser._actions:
        action.help = words(action.help or "")
