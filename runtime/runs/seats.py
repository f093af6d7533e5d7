"""The bots that come with the engine, by name, and how bots are asked at its side, on ints."""

from __future__ import annotations

import operator
import traceback
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from runtime.errors import ArgumentError, BotError, RulesError, value_in_words
from runtime.games.game import View
from runtime.games.wording import wording_for
from runtime.option import Option
from runtime.program import Program
from runtime.runs.bots import Bot, GreedyBot, RandomBot
from runtime.runs.search import SearchBot, SearchResult
from runtime.runs.worlds import machine_at
from runtime.scenario.setup import SetUp
from runtime.state import RulesetFault
from runtime.view import Sight

__all__ = ["BOTS", "REGULAR", "Seat", "ask", "bot_error", "make_bot"]

#: How many playouts the regular bot makes.
REGULAR = 250

#: The kinds of bots that come with the engine, by name, from weak to strong.
BOTS: dict[str, Callable[[], Bot]] = {
    "random": RandomBot,
    "novice": partial(SearchBot, playouts=40, seconds=0.5, careless=0.3),
    "greedy": GreedyBot,
    "regular": partial(SearchBot, playouts=REGULAR, seconds=1.0),
    "veteran": partial(SearchBot, playouts=2500, seconds=2.0),
}


def make_bot(name: str) -> Bot:
    """A bot of the kind *name*.  ArgumentError with the kinds there are when it is none of them."""
    if name not in BOTS:
        raise ArgumentError(f"there is no bot '{name}'; bots: {', '.join(sorted(BOTS))}")
    return BOTS[name]()


# --------------------------------------------------------------------------- asking


class Seat:
    """A bot as games on ints ask it: it is given what the engine shows, and gives back ints.

    The bots that come with the engine are asked without texts; a *blind* one needs no view.
    """

    def __init__(self, bot: Bot, name: str, program: Program, setup: SetUp) -> None:
        self.bot = bot
        self.name = name
        self.program = program
        self.setup = setup
        self.wording = wording_for(program.spec, setup)
        self.blind = type(bot) is RandomBot
        #: a bot of the engine's; one derived from it may choose in another way
        self.engines: GreedyBot | SearchBot | None = None
        if type(bot) is GreedyBot or type(bot) is SearchBot:
            self.engines = bot

    @property
    def thought(self) -> SearchResult | None:
        """What the bot has found when it last had a choice; None where it tells nothing."""
        return self.engines.thought if isinstance(self.engines, SearchBot) else None

    def choose(self, view: Sight | None, options: Sequence[int], rng: Random) -> int:
        """The option that the bot chooses.  BotError when it fails, or returns what is none."""
        if self.blind:
            return options[int(rng.random() * len(options))]
        assert view is not None
        if isinstance(self.engines, GreedyBot):
            machine = machine_at(self.program, self.setup, view)
            with suppress(RulesetFault):  # it is told where the rules fail in Python
                if machine is not None:
                    return machine.greedy(self.engines, rng)
        if self.engines is not None:
            return self.engines.search(self.program, self.setup, view, options, rng)
        return ask(self.bot, self.name, View(self.program, self.wording, view), rng).raw


def ask(bot: Bot, name: str, view: View, rng: Random) -> Option:
    """Ask a bot for the option it takes.  BotError when it fails, or takes what is no option."""
    options = view.options
    side = view.side or ""
    try:
        answer: Any = bot.choose(view, options, rng)
    except RulesError:
        raise
    except (Exception, SystemExit) as error:
        raise bot_error(name, side, error, "failed") from error
    if isinstance(answer, Option | str):
        for option in options:
            if answer in (option, option.text):
                return option
    elif not isinstance(answer, bool):
        try:
            number = operator.index(answer)
        except TypeError:
            number = -1
        if 0 <= number < len(options):
            return options[number]
    remedy = "return an option, its index or its text"
    if isinstance(answer, Coroutine):
        answer.close()
        remedy = "define choose with 'def', not with 'async def'"
    few = ", ".join(option.text for option in options[:8]) + (" …" if len(options) > 8 else "")
    message = f"the bot '{name}', which plays {side}, returned {value_in_words(answer)}"
    message += f", which is none of its {len(options)} options"
    raise BotError(message, f"{remedy}: {few}", name, side)


def bot_error(name: str, side: str, error: BaseException, what: str) -> BotError:
    """The error for a bot that raised one, with the traceback of the bot's own code."""
    root = Path(__file__).resolve().parents[2]  # in an installation within the package
    folders = [root / name for name in ("grognard", "runtime", "compiler", "dsl")]
    folders += [root.parent] if root.name == "_engine" else []
    ours = [f"{folder}/" for folder in folders]
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((*ours, "<frozen")) and "importlib" not in frame.filename
    ]
    plays = f", which plays {side}," if side else ""
    reason = f"{type(error).__name__}: {error}".removesuffix(": ")
    failure = BotError(f"the bot '{name}'{plays} {what}: {reason}", "", name, side)
    failure.trace = "".join(traceback.format_list(frames))
    return failure
