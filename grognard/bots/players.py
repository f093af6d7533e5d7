"""Bots: players that are programs.

A bot is an object with a method ``choose``; see :class:`Bot`.  One of one's own::

    class Careful:
        def choose(self, view, options, rng):
            return min(options, key=lambda option: option.branch == "attack")

It plays in a loop of one's own, in :func:`grognard.play_series`, and from the command line as
``--bots mymodule:Careful,greedy``. The module is imported like any other: it is the user's own
program, with all that a program may do, and no part of a ruleset.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from runtime.errors import ArgumentError, value_in_words
from runtime.program import Program
from runtime.runs.bots import Bot, GreedyBot, RandomBot
from runtime.runs.search import SearchBot
from runtime.runs.seats import BOTS, Seat, bot_error
from runtime.scenario.setup import SetUp
from runtime.spelling import did_you_mean

__all__ = ["Bot", "BotLike", "GreedyBot", "RandomBot", "SearchBot", "find_bot"]

#: What the bots of ``BOTS`` are, and how long they take for a decision.
LEVELS: Final = {
    "random": "any option, at once",
    "novice": "a small search that errs at times, half a second at most",
    "greedy": "what is best by the end of the turn, a tenth of a second or less",
    "regular": "a search, a second at most",
    "veteran": "a search ten times as large, two seconds at most",
}

#: What names a bot: an object, a class or function that makes one, a name of ``BOTS``, or
#: ``"package.module:Class"``.
BotLike = Bot | Callable[[], Bot] | str


def name_of(bot: BotLike) -> str:
    """What a bot is called in series, records and messages."""
    if isinstance(bot, str):
        return bot
    kind = bot if isinstance(bot, type) or not hasattr(bot, "choose") else type(bot)
    for name, own in BOTS.items():
        if kind is own:
            return name
    return getattr(kind, "__qualname__", type(bot).__name__)


def find_bot(bot: BotLike) -> Bot:
    """The bot that is meant, made if need be.

    Of ``"package.module:Class"`` the module is looked for where Python looks, and at last in the
    current directory.  ArgumentError when there is none such; BotError when making it fails.
    """
    maker: Any = _named(bot) if isinstance(bot, str) else bot
    if isinstance(maker, type) or not hasattr(maker, "choose"):
        if not callable(maker):
            raise ArgumentError(
                f"{value_in_words(maker)} is no bot",
                "a bot is an object with a method choose(view, options, rng)",
            )
        try:
            maker = maker()
        except Exception as error:
            raise bot_error(name_of(bot), "", error, "cannot be made") from error
    if not callable(getattr(maker, "choose", None)):
        raise ArgumentError(
            f"'{name_of(bot)}' is no bot",
            "a bot is an object with a method choose(view, options, rng)",
        )
    return maker  # type: ignore[no-any-return]


def _named(name: str) -> Any:
    if name in BOTS:
        return BOTS[name]
    module_name, colon, path = name.partition(":")
    if not colon:
        remedy = (
            did_you_mean(name, BOTS)
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
        module: Any = import_module(module_name)
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
            raise ArgumentError(
                f"there is no module '{error.name}' for the bot '{name}'", remedy
            ) from None
        raise bot_error(name, "", error, "cannot be imported") from error
    for part in path.split("."):
        if not hasattr(module, part):
            known = (
                [key for key, value in vars(module).items() if isinstance(value, type)]
                if hasattr(module, "__dict__")
                else []
            )
            raise ArgumentError(
                f"the module '{module_name}' has no '{part}'", did_you_mean(part, known)
            )
        module = getattr(module, part)
    return module


def levels() -> str:
    """The bots that come with the engine, for the help of a command."""
    lines = [f"  {name:8}  {line}" for name, line in LEVELS.items()]
    return "\n".join(["bots, from weak to strong, and their time for a decision:", *lines])


def seat_for(bot: BotLike, program: Program, setup: SetUp) -> Seat:
    """A bot as games on ints ask it."""
    return Seat(find_bot(bot), name_of(bot), program, setup)
