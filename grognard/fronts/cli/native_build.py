"""Building a ruleset natively, for the commands."""

from __future__ import annotations

import sys
import time

from compiler.native.build import CannotBuild, toolchain
from compiler.native.build_cache import SWITCH, builds_enabled
from compiler.ruleset import Ruleset
from grognard import opening, places
from grognard.bots.players import GreedyBot, RandomBot, SearchBot, find_bot
from grognard.fronts.cli.exits import CLEAN, SIGNALLED
from grognard.fronts.cli.signals import Stopped, stopped_by_signals
from grognard.scenario import Scenario
from runtime.errors import GrognardError
from runtime.runs.machine import Shape, shape_of

#: A series of so many games is worth a build: at random, with a greedy bot, with one that searches.
_AT_RANDOM, _THOUGHT_OUT, _SEARCHED = 500, 10, 2
#: The bots that a build makes quicker.
_NATIVELY = (RandomBot, GreedyBot, SearchBot)


def build_all(ruleset: Ruleset) -> int:
    """Build a ruleset for all scenarios of it that are found, saying how far it is."""
    toolchain()
    begun, built, size = time.monotonic(), 0, 0
    shapes = _shapes(ruleset)
    if not shapes:
        print(f"{ruleset.name}: no scenario of it is found, for which it could be built")
        return CLEAN
    try:
        with stopped_by_signals():
            for number, (shape, title) in enumerate(shapes.items(), 1):
                if ruleset.native.whole(shape):
                    continue
                of = f" ({number} of {len(shapes)}, as for {title})" if len(shapes) > 1 else ""
                print(f"building {ruleset.name} natively{of} …", file=sys.stderr, flush=True)
                size += ruleset.build_natively(shape)
                built += 1
    except Stopped as stop:
        return SIGNALLED + stop.number
    where = ruleset.native.folder
    if not built:
        print(f"{ruleset.name}: the native builds in {where} are up to date")
    else:
        spent = time.monotonic() - begun
        print(f"{ruleset.name}: built natively in {spent:.0f} s, {size / 1e6:.1f} MB in {where}")
    if not builds_enabled():
        print(f"{SWITCH} says that they are not to be used", file=sys.stderr)
    return CLEAN


def _shapes(ruleset: Ruleset) -> dict[Shape, str]:
    """What builds the scenarios of a ruleset need, each with one of them."""
    shapes: dict[Shape, str] = {}
    for name, path in places.scenarios().items():
        if places.head_of(path)[0] == ruleset.name:
            try:
                opened = opening.open_scenario(path)
            except GrognardError:
                continue  # `grognard validate` tells what is wrong with it
            shapes.setdefault(shape_of(opened.program.spec, opened.setup), name)
    return shapes


def build_for(opened: Scenario, bots: list[str], games: int) -> None:
    """Build a scenario's ruleset natively for a series that is worth it, where that can be."""
    if games < _SEARCHED or not builds_enabled():
        return  # before bots are made to see of what kind they are
    spec, setup = opened.program.spec, opened.setup
    kinds = {type(find_bot(bot)) for bot in bots}
    enough = _SEARCHED if SearchBot in kinds else _THOUGHT_OUT if GreedyBot in kinds else _AT_RANDOM
    if games < enough or not kinds.issubset(_NATIVELY):
        return
    shape, ruleset = shape_of(spec, setup), places.ruleset(opened.folder)
    if ruleset.native.whole(shape):
        return
    try:
        toolchain()
        print(f"building {ruleset.name} natively, once …", file=sys.stderr, flush=True)
        ruleset.build_natively(shape)
    except CannotBuild as error:
        print(f"{error.message}; the games are played in Python", file=sys.stderr)
