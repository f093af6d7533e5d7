"""What comes of an option, how likely it is, and by which rules.

  grognard odds akragas                          what can be asked here: forecasts, and options that
                                                 have one
  grognard odds akragas "attack_at(S.HI1, F4)"   a forecast with its arguments
  grognard odds game.record "target F4"          an option of the decision at which a record ends
  grognard odds akragas close_dice S.HI1 F4 attack
                                                 a quantity, permission or function: its value
  grognard odds akragas "close_dice(S.HI1, F4, attack) - close_dice(C.HI1, B4, reply)"
                                                 a sum of such values and numbers, with + - * / and
                                                 brackets

The position is a scenario's start (the first decision), or that where a record or a game under way
ends.  What a
forecast says is exact where chance can be gone through, else from samples with 95% intervals; below
it stand the numbers that it rests on, with every modifier's name and rule.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from grognard import opening, places
from grognard.explain.arithmetic import is_sum, worth
from grognard.explain.explainer import Explainer
from grognard.explain.forecasts import (
    Phrases,
    forecasts_named,
    of_state,
    seen_by,
    signature,
    worked_out,
)
from grognard.fronts.cli.exits import CLEAN
from grognard.fronts.cli.flags import add_position
from grognard.fronts.cli.games.explain import print_lines
from grognard.lexicon.catalogue import words_in
from grognard.lexicon.names import Lexicon
from grognard.lexicon.typed import name_and_arguments
from grognard.records import looks_on
from grognard.scenario import Scenario
from grognard.table.store import Store, find_game
from runtime.errors import ArgumentError
from runtime.files import read_bytes
from runtime.games.explanation import Line
from runtime.games.game import Game
from runtime.view import Sight

#: Options may stand among the words.
MIXED = True


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("subject", metavar="SCENARIO|RECORD", help="the position that it is about")
    add_position(parser)
    words = "an option of the pending decision, or a forecast, quantity, permission or function"
    parser.add_argument("words", metavar="EXPRESSION", nargs="*", help=words)
    sees = "as this side sees it (default: whoever decides; "
    sees += "of an unfinished game's record, what all see)"
    parser.add_argument("--side", metavar="SIDE", help=sees)
    parser.add_argument("--json", action="store_true", help="what forecasts say, as JSON")


def run(args: argparse.Namespace) -> int:
    """The command."""
    opened, game, side = _open_position(args)
    seen = seen_by(game, side)
    text = " ".join(args.words).strip()
    if not text:
        return print_lines(_catalogue(game, seen))
    explainer = Explainer(places.ruleset(opened.folder), game.spec.board)
    if is_sum(text):
        return print_lines(_sum(game, seen, explainer, text))
    name, words = name_and_arguments(text)
    if name in explainer.program.calls or name in explainer.program.travels:
        state = seen.guarded_state()
        given = explainer.arguments(game, name, words, state)
        return print_lines(explainer.explain(state, name, given, game.setup).lines)
    return _forecasts(game, seen, explainer, text, args.json)


def _sum(game: Game, seen: Sight, explainer: Explainer, text: str) -> list[Line]:
    """What a sum is worth, and how the values in it come about."""
    state = seen.guarded_state()
    reasons: list[Line] = []

    def called(name: str, words: Sequence[str]) -> int:
        if name not in explainer.program.calls:
            raise ArgumentError(
                f"there is no quantity, permission or function '{name}'", "a sum takes only these"
            )
        given = explainer.arguments(game, name, list(words), state)
        explanation = explainer.explain(state, name, given, game.setup)
        if explanation.number is None:
            raise ArgumentError(
                f"'{name}' is no number", "a sum takes quantities and functions that are numbers"
            )
        reasons.extend(line.under() for line in explanation.lines)
        return explanation.number

    value = worth(text, called)
    about = "" if value.denominator == 1 else f" (about {float(value):.2f})"
    return [Line(f"{' '.join(text.split())} = {value}{about}"), *reasons]


def _open_position(args: argparse.Namespace) -> tuple[Scenario, Game, int | None]:
    """The game of a record, or the beginning of a scenario's; and for whom: a side, NONE for what
    all see, None for whoever decides.
    """
    if args.record is not None:
        opened, game = find_game(args.record, "--record")[1].open(args.subject)
    elif _is_record(args.subject):
        opened, game = find_game(args.subject)[1].open()
    else:
        opened = opening.open_scenario(args.subject)
        game = opened.begin(args.seed)
        named = Lexicon.of(game.wording).side_named
        return opened, game, named(args.side) if args.side else None
    return opened, game, looks_on(game, args.side)


def _is_record(subject: str) -> bool:
    """Whether a subject is the record of a game, or a game under way of which no scenario has the
    name.
    """
    path = Path(subject)
    if path.is_file():
        yaml = path.suffix.casefold() in (".yaml", ".yml")
        return not yaml or read_bytes(path, 1 << 24)[:10].startswith(b"grognard: ")
    if any(subject in (name, name.partition("/")[2]) for name in places.scenarios()):
        return False
    with Store() as store:
        return store.find(subject) is not None


def _catalogue(game: Game, seen: Sight) -> list[Line]:
    """What can be asked for."""
    forecasts = game.spec.forecasts.values()
    lines = [Line("Forecasts" if forecasts else "The ruleset declares no forecasts.")]
    lines += [Line(signature(forecast), 1) for forecast in forecasts]
    phrases = Phrases(game.wording, words_in(game.wording.language))
    options: list[Line] = []
    if game.decision is not None and seen.own:
        for option in game.decision.options:
            for one in of_state(game, seen, option.raw, follow=False):
                options.append(Line(f"{option.text}: {phrases.beside(one.foreseen)}", 1))
    if options and game.decision:
        lines += [Line(""), Line(f"Options ({game.decision.question})"), *options]
    return lines


def _forecasts(game: Game, seen: Sight, explainer: Explainer, text: str, as_json: bool) -> int:
    wanted = forecasts_named(game, seen, text)
    forecasts = [worked_out(game, seen, *one) for one in wanted]
    if not forecasts:
        raise ArgumentError(
            f"there is no forecast of '{text}'", "`grognard odds SCENARIO` lists what can be asked"
        )
    if as_json:
        print(json.dumps([asdict(one) for one in forecasts], ensure_ascii=False, indent=2))
        return CLEAN
    lines: list[Line] = []
    for one, (forecast, args, _) in zip(forecasts, wanted, strict=True):
        given = ", ".join("none" if a is None else str(a) for a in one.arguments)
        lines += [Line(f"{one.name}({given})"), *(line.under() for line in one.lines)]
        for reason in explainer.forecast(seen, forecast.name, args, game.setup):
            lines += reason.lines
    return print_lines(lines)
