"""Write the rulebook that the rules of a ruleset make, as one page for browsers or as PDF.

By section: the rules in words with their tables and with the numbers of the printed rulebook, cases
as examples with pictures, what is designed here and why, what is doubtful and which switch changes
it, what is covered by cases.  The book is of the whole game, with what the ruleset extends.

--aids writes player's aids instead: the sequence of play, the ground, what changes numbers, and
tables, on one page or two.  A file that ends in .pdf becomes a PDF; that needs the extra `book`
(pip install 'grognard[book]').

  grognard book no_retreat --output no_retreat.html
  grognard book cc_ancients --aids --language cs --output pomucky.pdf
"""

from __future__ import annotations

import argparse

from grognard import places
from grognard.book.printing import PAPERS, aids_page_of, page_of, pdf_of
from grognard.book.summary import aids_of
from grognard.book.volume import book_of
from grognard.files import output
from grognard.fronts.cli.exits import CLEAN
from grognard.fronts.cli.flags import add_language, add_output, count
from grognard.lexicon.catalogue import language_of
from runtime.errors import ArgumentError


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's name or folder")
    add_output(parser, "where to write it: .html or .pdf (default: standard output, as HTML)")
    parser.add_argument("--aids", action="store_true", help="player's aids, on one page or two")
    parser.add_argument(
        "--paper", choices=PAPERS, default=PAPERS[0], help="of which size (default: A4)"
    )
    parser.add_argument(
        "--examples",
        metavar="N",
        type=count,
        default=2,
        help="how many cases each section shows in full (default: 2; 0: none)",
    )
    parser.add_argument(
        "--cases", metavar="PATH", nargs="+", default=[], help="further files or folders of cases"
    )
    parser.add_argument(
        "--games",
        metavar="N",
        type=count,
        default=0,
        help="count over so many random games which rules come up (default: 0)",
    )
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """The command."""
    for option in ("examples", "games"):
        if getattr(args, option) < 0:
            raise ArgumentError(
                f"--{option} {getattr(args, option)} must not be negative", "give 0 or more"
            )
    folder = places.ruleset_folder(args.ruleset)
    ruleset = places.readable_ruleset(folder)
    language = language_of(ruleset.spec, args.language)
    if args.aids:
        book = book_of(ruleset, language, examples=0)
        document = aids_page_of(aids_of(book, ruleset, args.paper), args.paper)
    else:
        book = book_of(ruleset, language, args.examples, args.games, args.cases)
        document = page_of(book, args.paper)
    pdf = args.output.casefold().endswith(".pdf")
    output(args.output, pdf_of(document) if pdf else document)
    return CLEAN
