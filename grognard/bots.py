"""Bots: players that are programs.

A bot is an object with a method ``choose``; see :class:`Bot`.  One of one's own::

    class Careful:
        def choose(self, view, options, rng):
            return min(options, key=lambda option: option.branch == "attack")

It plays in a loop of one's own, in :func:`grognard.play_series`, and from the command line as ``--bots
mymodule:Careful,greedy``. The module is imported like any other: it is the user's own program, with all that
a program may do, and no part of a ruleset.
"""

from __future__ import annotations

import operator
import sys
import traceback
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Protocol, runtime_checkable

from dsl.diagnostics import did_you_mean
from grognard.errors import ArgumentError, BotError, RulesError, counted, given
from grognard.game import View
from grognard.option import Option
from grognard.scenario import Scenario
from grognard.translating import failing
from runtime.bots import BOTS, make_bot
from runtime.bots import Bot as EngineBot
from runtime.bots import GreedyBot as _Greedy
from runtime.program import CompiledProgram, Program
from runtime.scenario.setup import SetUp
from runtime.view import View as Seen

__all__ = ["Bot", "BotLike", "GreedyBot", "RandomBot", "find_bot"]


@runtime_checkable
class Bot(Protocol):
    """Chooses for a side.  It is asked at each decision of its side, and at no others."""

    def choose(self, view: View, options: Sequence[Option], rng: Random) -> Option | int | str:
        """One of *options* (two at least, but for a lone pass): the option, its index or its text.

        *view* is what the side sees; it has no log.  *rng* is for chance: seeded by game and side, so that a
        series can be repeated.  One bot object may play several games one after the other, and both sides of
        a game.
        """


#: What names a bot: an object, a class or function that makes one, ``"random"``, ``"greedy"`` or
#: ``"package.module:Class"``.
BotLike = Bot | Callable[[], Bot] | str


class RandomBot:
    """Any option, all being as likely."""

    def __repr__(self) -> str:
        return "RandomBot()"

    def choose(self, view: View, options: Sequence[Option], rng: Random) -> Option:
        """One of *options*."""
        return options[int(rng.random() * len(options))]


class GreedyBot:
    """Takes what leads to the best positions soon, as the ruleset's ``standing`` values them.

    *budget* is about how many decisions it looks at for one of its own (a decision takes some milliseconds),
    *depth* how many it plays ahead at most; both are 1 at least, else ArgumentError.
    """

    def __init__(self, budget: int = 60, depth: int = 12) -> None:
        self.budget = counted("budget", budget, 1)
        self.depth = counted("depth", depth, 1)

    def __repr__(self) -> str:
        return f"GreedyBot(budget={self.budget}, depth={self.depth})"

    def choose(self, view: View, options: Sequence[Option], rng: Random) -> Option:
        """The best of *options* on average, any of the best.  RulesError where the rules fail."""
        with failing(view.program.spec.name):
            raw = _Greedy(view.program, self.budget, self.depth).choose(
                view.raw, tuple(o.raw for o in options), rng
            )
        return next(o for o in options if o.raw == raw)


_OWN: dict[str, Callable[[], Bot]] = {"random": RandomBot, "greedy": GreedyBot}


def name_of(bot: BotLike) -> str:
    """What a bot is called in series, records and messages."""
    if isinstance(bot, str):
        return bot
    kind = bot if isinstance(bot, type) or not hasattr(bot, "choose") else type(bot)
    for name, own in _OWN.items():
        if kind is own:
            return name
    return getattr(kind, "__qualname__", type(bot).__name__)


def find_bot(bot: BotLike) -> Bot:
    """The bot that is meant, made if need be.

    Of ``"package.module:Class"`` the module is looked for where Python looks, and at last in the current
    directory.  ArgumentError when there is none such; BotError when making it fails.
    """
    made: Any = _named(bot) if isinstance(bot, str) else bot
    if isinstance(made, type) or not hasattr(made, "choose"):
        if not callable(made):
            raise ArgumentError(
                f"{given(made)} is no bot", "a bot is an object with a method choose(view, options, rng)"
            )
        try:
            made = made()
        except Exception as error:
            raise failed(name_of(bot), "", error, "cannot be made") from error
    if not callable(getattr(made, "choose", None)):
        raise ArgumentError(
            f"'{name_of(bot)}' is no bot", "a bot is an object with a method choose(view, options, rng)"
        )
    return made  # type: ignore[no-any-return]


def _named(name: str) -> Any:
    if name in _OWN:
        return _OWN[name]
    module_name, colon, path = name.partition(":")
    if not colon:
        remedy = (
            did_you_mean(name, _OWN)
            or f"bots: {', '.join(sorted(BOTS))}, or one of your own as package.module:Class"
        )
        raise ArgumentError(f"there is no bot '{name}'", remedy)
    if not all(part.isidentifier() for part in module_name.split(".")) or not path:
        raise ArgumentError(f"'{name}' names no bot", "write package.module:Class")
    with suppress(OSError):  # the current folder may have been removed
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.append(here)
    try:
        found: Any = import_module(module_name)
    except Exception as error:
        if (
            isinstance(error, ModuleNotFoundError)
            and error.name is not None
            and (module_name + ".").startswith(error.name + ".")
        ):
            remedy = (
                f"name the module, not its file: {module_name.removesuffix('.py')}:{path}"
                if module_name.endswith(".py")
                else "it is looked for where Python looks (PYTHONPATH) and in the current directory"
            )
            raise ArgumentError(f"there is no module '{error.name}' for the bot '{name}'", remedy) from None
        raise failed(name, "", error, "cannot be imported") from error
    for part in path.split("."):
        if not hasattr(found, part):
            known = (
                [key for key, value in vars(found).items() if isinstance(value, type)]
                if hasattr(found, "__dict__")
                else []
            )
            raise ArgumentError(f"the module '{module_name}' has no '{part}'", did_you_mean(part, known))
        found = getattr(found, part)
    return found


# --------------------------------------------------------------------------- bots at the engine


class Seat:
    """A bot as the engine asks it: it is given views of the engine and gives back ints."""

    blind = False

    def __init__(self, bot: Bot, name: str, scenario: Scenario) -> None:
        self.bot = bot
        self.name = name
        self.scenario = scenario

    def choose(self, view: Seen | None, options: Sequence[int], rng: Random) -> int:
        """The option that the bot chooses.  BotError when it fails, or returns what is none."""
        assert view is not None
        seen = View(self.scenario, view)
        return ask(self.bot, self.name, seen, rng).raw


def seated(bot: BotLike, program: Program, setup: SetUp) -> EngineBot:
    """A bot as the engine asks it; those that come with the engine are asked without a detour."""
    if isinstance(bot, str) and bot in BOTS:
        return make_bot(bot, program)
    assert isinstance(program, CompiledProgram)
    return Seat(find_bot(bot), name_of(bot), Scenario(program, setup, Path()))


def ask(bot: Bot, name: str, view: View, rng: Random) -> Option:
    """Ask a bot for the option it takes.  BotError when it fails, or returns what is no option; RulesError
    when the rules have failed, as it looked ahead.
    """
    options = view.options
    side = view.side or ""
    try:
        answer: Any = bot.choose(view, options, rng)
    except RulesError:
        raise
    except (Exception, SystemExit) as error:
        raise failed(name, side, error, "failed") from error
    if isinstance(answer, Option) and answer.index < len(options) and options[answer.index] == answer:
        return answer
    if isinstance(answer, str):
        for option in options:
            if option.text == answer:
                return option
    elif not isinstance(answer, bool | Option):
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
    message = (
        f"the bot '{name}', which plays {side}, returned {given(answer)}, which is none of its "
        f"{len(options)} options"
    )
    raise BotError(message, f"{remedy}: {few}", name, side)


def _said(error: BaseException) -> str:
    """An error of somebody's program, by its kind and, where it has one, its text."""
    try:
        text = str(error)
    except Exception:  # of a class of the user's own
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def failed(name: str, side: str, error: BaseException, what: str) -> BotError:
    """The error for a bot that raised one, with the traceback of the bot's own code."""
    own = Path(__file__).resolve().parent
    ours = tuple(
        f"{own if folder == 'grognard' else own.parent / folder}/"
        for folder in ("grognard", "runtime", "compiler", "dsl")
    )
    frames = [
        f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith((*ours, "<frozen"))
    ]
    plays = f", which plays {side}," if side else ""
    made = BotError(f"the bot '{name}'{plays} {what}: {_said(error)}", "", name, side)
    made.trace = "".join(traceback.format_list([f for f in frames if "importlib" not in f.filename]))
    return made
