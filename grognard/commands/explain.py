"""Explain a value, a permission, or a rule ID.

  grognard explain akragas cc_dice S.HI1 C.AUX1 attack   a quantity or function of a position: the rule that
                                                         decides, those it beats, the modifiers by stages
  grognard explain akragas may_enter S.HI1 C4            a permission: what refuses, and by which rule
  grognard explain CCA-7.6                               where a rule ID is used
  grognard explain cc_ancients                           what can be explained

The position is the scenario's start (the first decision), or with --record that where a record ends.
Arguments are piece names (or the hex where a piece stands), hexes, members, numbers, yes and no.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from grognard import places
from grognard.commands import CLEAN, FINDINGS, Misuse
from grognard.typed import seed

if TYPE_CHECKING:
    from grognard.explain import Explainer
    from runtime.game import Game
    from runtime.state import StateBase


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("subject", metavar="SCENARIO|RULESET|RULE-ID", help="what it is about")
    words = "a quantity, permission or function with its arguments, or a rule ID"
    parser.add_argument("words", metavar="NAME [ARG …]", nargs="*", help=words)
    parser.add_argument("--record", metavar="FILE", help="the position where this record of the scenario ends")
    parser.add_argument("--side", metavar="SIDE", help="as this side sees it (default: all; of a game that goes on, what all see)")
    parser.add_argument("--seed", metavar="N", type=seed, default=1, help="the seed of the start position (default: 1)")


def run(args: argparse.Namespace) -> int:
    """The command."""
    subject: str = args.subject
    if re.fullmatch(r"[A-Z][\w]*-[\w.\-]+", subject) and not Path(subject).exists():
        return rule_everywhere(subject)
    from grognard.explain import Explainer

    known = places.rulesets()
    path = Path(subject)
    if subject in known or path.is_dir():
        explainer = Explainer(places.ruleset_folder(subject))
        if not args.words:
            return show(catalogue(explainer))
        if len(args.words) == 1 and args.words[0] in {*explainer.index, *explainer.program.citations}:
            return show(explainer.rule_id(args.words[0]))
        name = args.words[0]
        if name not in explainer.program.calls and re.fullmatch(r"[A-Z][\w]*-[\w.\-]+", name):
            return nothing(name, [subject])
        if name in explainer.program.calls:
            return show(declaration(explainer, name))
        from grognard.explain import unknown_callable

        raise unknown_callable(explainer.program, name)
    from grognard.records import looks_on, open_record
    from runtime.game import Game
    from runtime.view import view

    if args.record:
        opened, game = open_record(Path(args.record), subject)
        side = looks_on(game, args.side)
    else:
        opened = places.open_scenario(subject)
        game = Game(opened.program, opened.setup, args.seed)
        side = places.side_of(game.spec, game.setup, args.side) if args.side else None
    explainer = Explainer(opened.folder, game.spec.board)
    if not args.words:
        return show(catalogue(explainer))
    name = args.words[0]
    if name not in explainer.program.calls:
        if name in {*explainer.index, *explainer.program.citations}:
            return show(explainer.rule_id(name))
        from grognard.explain import unknown_callable

        raise unknown_callable(explainer.program, name)
    state = game.state if side is None else view(game.state, side).guarded()
    return show(explainer.quantity(state, name, arguments(explainer, game, state, name, args.words[1:]), game.setup))


def show(lines: list[str]) -> int:
    """Print lines, broken where they are too long."""
    import shutil
    import textwrap

    width = max(60, min(120, shutil.get_terminal_size((120, 40)).columns))
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        print("\n".join(textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)))
    return CLEAN


def nothing(rule: str, where: list[str]) -> int:
    """A rule ID that is nowhere."""
    print(f"{rule}: no such rule in {', '.join(where)}")
    return FINDINGS


def rule_everywhere(rule: str) -> int:
    """A rule ID in all rulesets that are found."""
    from grognard.explain import Explainer

    found = False
    names = places.rulesets()
    last: list[str] = []
    for name, folder in names.items():
        try:
            lines = Explainer(folder).rule_id(rule)
        except Misuse:
            continue
        if lines and lines[1:] != last[1:]:
            print("\n".join([f"in {name}:", *(f"  {line}" for line in lines)]))
            found, last = True, lines
    return CLEAN if found else nothing(rule, list(names))


def catalogue(explainer: Explainer) -> list[str]:
    """What can be explained."""
    lines: list[str] = []
    for kind, title in (("quantity", "Quantities"), ("permission", "Permissions"), ("function", "Functions")):
        calls = [c for c in explainer.program.calls.values() if c.kind == kind]
        if calls:
            lines += ["", title] if lines else [title]
            lines += [f"  {signature(explainer, c.name)}" for c in calls]
    return lines


def signature(explainer: Explainer, name: str) -> str:
    """``name(a: T, …): T``."""
    call = explainer.program.calls[name]
    return f"{name}({', '.join(f'{p.name}: {p.type}' for p in call.params)}): {call.type}"


def declaration(explainer: Explainer, name: str) -> list[str]:
    """A quantity or permission with its rules, without a position."""
    from compiler.dump import rule_trees

    call = explainer.program.calls[name]
    if call.kind == "function":
        return [f"function {signature(explainer, name)}", f"  = {explainer.text(call.body)}" if call.body is not None else ""]
    lines = list(rule_trees(explainer.program))
    start = next(i for i, line in enumerate(lines) if line.startswith(f"{call.kind} {name}("))
    end = next((i for i in range(start, len(lines)) if not lines[i]), len(lines))
    return lines[start:end]


def arguments(explainer: Explainer, game: Game, state: StateBase, name: str, words: list[str]) -> list[int]:
    """Arguments as values; *state* is the game's, or as much of it as a side sees."""
    from grognard.explain import parse_value

    call = explainer.program.calls[name]
    if len(words) != len(call.params):
        raise Misuse(f"{name} takes {len(call.params)} arguments, here are {len(words)}", f"write: {signature(explainer, name)}")
    made = []
    for param, word in zip(call.params, words, strict=True):
        values = parse_value(game.spec, game.setup, state, param.type.spec(), word)
        if len(values) != 1:
            problem = "names none" if not values else "could be several"
            raise Misuse(f"'{word}' for {param.name}: {param.type} {problem}", examples(game, param.type.kind, param.type.name))
        made.append(values[0])
    return made


def examples(game: Game, kind: str, name: str) -> str:
    """What could be written for a value of a type."""
    known: list[str] = []
    if kind == "piece":
        known = [piece.name for piece in game.setup.pieces_of(game.spec.kinds_of(name))]
    elif kind == "hex":
        known = list(game.spec.board.labels)
    elif kind == "enum":
        known = list(game.spec.enums[name])
    elif kind == "bool":
        known = ["yes", "no"]
    else:
        return "write a number"
    return f"possible: {', '.join(known[:12])}{' …' if len(known) > 12 else ''}"
