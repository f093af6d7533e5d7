"""A game goes on by other rules: a ruleset was changed, and play continues from the same position.

Nothing is played again, since that would change what has happened.  All is found by its stable
name: fields by owner and name, pieces by kind and name, hexes by label, members and cards by name,
procedures by name, the place where each of them waits by what is asked or called there.  Then the
question is asked again, by the new rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from runtime.bitsets import bits
from runtime.errors import blaming
from runtime.games.explanation import Library
from runtime.games.game import Game
from runtime.games.play import Beginning, Past
from runtime.model import (
    NONE,
    FieldSpec,
    FrameSpec,
    PileSpec,
    RulesetSpec,
    TypeSpec,
    WaitSpec,
    put_aside,
    zero,
)
from runtime.program import CompiledProgram
from runtime.scenario.setup import SetUp
from runtime.state import RETURNED, ROLLED, RUNNING, StateBase, reindex, values_of

#: Why something could not be kept; ``{value}`` is what it was.
GONE = "the rules have it no more"
OTHER = "it holds something else now"
NO_VALUE = "{value} is not there any more"
NO_PIECE = "the scenario has it no more"
TAKEN_PLACE = "{value} is taken"
NOT_KNOWN = "nothing has given it a value yet"

#: How many stretches of play by earlier rules are remembered.
_REMEMBERED = 4


@dataclass(frozen=True, slots=True)
class Loss:
    """What could not be kept, by its stable name, and why: a sentence with *value* in it."""

    what: str
    why: str
    value: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.why.format(value=self.value)}"


@dataclass(frozen=True, slots=True)
class Carried:
    """The *game* that goes on, None where nothing of it can; how many answers it went *back*, since
    what asked is gone; what was *lost*, which stands as it is set up.
    """

    game: Game | None
    back: int = 0
    lost: tuple[Loss, ...] = ()


def carry_over(
    game: Game, program: CompiledProgram, setup: SetUp, library: Library | None = None
) -> Carried:
    """Go on with *game* by other rules, in a set-up of them, from where it stands.

    The procedures under way go on where they wait.  Where one of them is gone, or what it waits
    for, it goes back to the latest decision at which all can be kept.  The game has no record then,
    and takes back no further.  *game* stays as it is.  RulesError where the new rules fail.
    """
    program = program.on(setup.board)
    if program.spec.sides != game.spec.sides:
        return Carried(None, 0, (Loss("Side", OTHER),))
    present = _past_of(game)
    past: Past | None = present
    back = 0
    while past is not None:
        carrier = _Carrier(past.program.spec, past.setup, program, setup)
        for decision in past.decisions(game.state if past is present else None):
            if carrier.keeps(decision.state):
                there = carrier.carried(past, decision.state)
                carried = _standing(carrier, there, past, (decision.notes, decision.events), game)
                carried.library = library
                earlier = past if decision.number else past.beginning and past.beginning.before
                _begin(carried, earlier, decision.number)
                return Carried(carried, back, tuple(carrier.lost))
            back += 1
        past = past.beginning.before if past.beginning is not None else None
        back -= 1  # the last decision there is the first here
    return Carried(None, 0, (Loss(game.prompt, GONE),))
