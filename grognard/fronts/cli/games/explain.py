"""Explain a value, a permission, or a rule ID.

  grognard explain akragas close_dice S.HI1 F4 attack   a quantity or function of a position: the
                                                        rule that decides, those it beats, the
                                                        modifiers by stages
  grognard explain akragas may_enter S.HI1 C4           a permission: what refuses or allows, by
                                                        which rule
  grognard explain akragas march S.HI1                  where a travel leads, and at what cost
  grognard explain akragas march S.HI1 C4               the way to a hex, or why there is none
  grognard explain akragas 'steps march(S.HI1) to C4'   the same, written as in the rules
  grognard explain CCA-7.6                              where a rule ID is used
  grognard explain cc_ancients                          what can be explained

The position is the scenario's start (the first decision), or with --record that where a record
ends. Arguments are piece names (or the hex where a piece stands), hexes, members, numbers, yes and
no; a hex may be written as in the rules, too: 'neighbor(C4, east)'.
"""

from __future__ import annotations

import argparse
import re
import shutil
import textwrap
from collections.abc import Iterable
from pathlib import Path

from grognard import opening, places
from grognard.explain.explainer import Explainer
from grognard.files import short
from grognard.fronts.cli.exits import CLEAN, FINDINGS
from grognard.fronts.cli.flags import add_position
from grognard.lexicon.names import Lexicon
from grognard.lexicon.typed import name_and_arguments
from grognard.records import looks_on
from grognard.table.store import find_game
from runtime.errors import ArgumentError, LoadError
from runtime.files import entries, read_bytes
from runtime.games.explanation import Explanation, Line
from runtime.view import view

_RULE = re.compile(r"[A-Z][\w]*-[\w.\-]+")

#: Options may stand among the words.
MIXED = True


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("subject", metavar="SCENARIO|RULESET|RULE-ID", help="what it is about")
    words = "a quantity, permission, function or travel with its arguments, or a rule ID"
    parser.add_argument("words", metavar="NAME [ARG …]", nargs="*", help=words)
    add_position(parser)
    parser.add_argument(
        "--side",
        metavar="SIDE",
        help="as this side sees it (default: all; of an unfinished game, what all see)",
    )


def run(args: argparse.Namespace) -> int:
    """The command."""
    subject: str = args.subject
    if _RULE.fullmatch(subject) and not Path(subject).exists():
        return rule_everywhere(subject)
    if subject in places.rulesets() or Path(subject).is_dir():
        if len(args.words) > 1 or args.record is not None or args.side is not None:
            raise ArgumentError(
                f"'{short(subject)}' is a ruleset, without a position",
                "give a scenario in its place",
            )
        return explain_ruleset(_explainer(places.ruleset_folder(subject)), subject, args.words)
    if args.record is not None:
        opened, game = find_game(args.record, "--record")[1].open(subject)
        side = looks_on(game, args.side)
    else:
        opened = opening.open_scenario(subject)
        game = opened.begin(args.seed)
        side = Lexicon.of(game.wording).side_named(args.side) if args.side else None
    explainer = Explainer(places.ruleset(opened.folder), game.spec.board)
    if not args.words:
        return print_lines(catalogue(explainer))
    name, words = name_and_arguments(" ".join(args.words))
    known = (*explainer.program.calls, *explainer.program.travels)
    uses = explainer.rule(name) if name not in known else None
    if uses is None:
        explainer.explainable(name)
        state = game.state if side is None else view(game.state, side).guarded_state()
        uses = explainer.explain(
            state, name, explainer.arguments(game, name, words, state), game.setup
        )
    return print_lines(uses.lines)


def _explainer(folder: Path) -> Explainer:
    return Explainer(places.readable_ruleset(folder))


def explain_ruleset(explainer: Explainer, subject: str, words: list[str]) -> int:
    """What a ruleset says without a position."""
    if not words:
        return print_lines(catalogue(explainer))
    name = words[0]
    rule = explainer.rule(name) if len(words) == 1 else None
    if rule is not None:
        return print_lines(rule.lines)
    if name not in explainer.program.calls and _RULE.fullmatch(name):
        return report_unknown(name, [subject])
    return print_lines(explainer.declaration(name).lines)


def print_lines(lines: Iterable[Line]) -> int:
    """Print lines, indented by their levels and broken where they are too long."""
    width = max(60, min(120, shutil.get_terminal_size((120, 40)).columns))
    wrapper = textwrap.TextWrapper(width, break_on_hyphens=False, break_long_words=False)
    for line in lines:
        wrapper.initial_indent = "  " * line.level
        wrapper.subsequent_indent = wrapper.initial_indent + " " * 4
        print(wrapper.fill(line.text))
    return CLEAN


def report_unknown(rule: str, where: list[str]) -> int:
    """A rule ID that is nowhere."""
    print(f"{rule}: no such rule in {', '.join(where)}")
    return FINDINGS


def rule_everywhere(rule: str) -> int:
    """A rule ID in all rulesets that are found."""
    names = places.rulesets()
    last: Explanation | None = None
    for name, folder in names.items():
        if not _mentions(folder, rule):  # to compile all that there are takes long
            continue
        try:
            uses = _explainer(folder).rule(rule)
        except LoadError:
            continue
        if uses is not None and (last is None or uses.reasons != last.reasons):
            print(f"in {name}:", *uses.lines, sep="\n  ")
            last = uses
    return CLEAN if last is not None else report_unknown(rule, list(names))


def _mentions(folder: Path, rule: str) -> bool:
    """Whether a file of a ruleset, or of one that it extends, names a rule ID."""
    try:
        folders = places.family(folder)
        return any(
            rule.encode() in read_bytes(path, within=one)
            for one in folders
            for path in entries(one, ".grog", ".yaml")
        )
    except OSError:
        return True  # what is wrong is said by whoever reads it


def catalogue(explainer: Explainer) -> list[Line]:
    """What can be explained, by kinds."""
    lines: list[Line] = []
    known = explainer.catalogue()
    for kind, title in (
        ("quantity", "Quantities"),
        ("permission", "Permissions"),
        ("function", "Functions"),
        ("travel", "Travels"),
    ):
        signatures = [Line(one.signature, 1) for one in known if one.kind == kind]
        if signatures:
            lines += [Line("")] if lines else []
            lines += [Line(title), *signatures]
    return lines
