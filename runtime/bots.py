"""Players that are programs.  They get views, never states.

``BOTS`` names the kinds there are.  A bot is made for a program and may play any side of any game of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from random import Random
from typing import Protocol

from runtime.program import Program
from runtime.state import RUNNING, TIED, WON, RulesetFault, StateBase
from runtime.view import View

__all__ = ["BOTS", "Bot", "GreedyBot", "RandomBot", "make_bot"]

#: What a victory is worth beside any worth of a position.
VICTORY = 1_000_000.0


class Bot(Protocol):
    """Chooses options.  A *blind* bot is given no view, which saves making it."""

    blind: bool

    def choose(self, view: View | None, options: Sequence[int], rng: Random) -> int:
        """One of *options*, at a decision of the view's side."""


class RandomBot:
    """Any option, all being as likely."""

    blind = True

    def __init__(self, program: Program) -> None:
        del program

    def choose(self, view: View | None, options: Sequence[int], rng: Random) -> int:
        """One of *options*."""
        return options[int(rng.random() * len(options))]


class GreedyBot:
    """Takes what leads to the best positions soon.

    Each option is tried in a state that the view allows, and the ruleset says what the position right after
    it is worth.  The few best are looked at more closely: chance and a careless policy carry on to the next
    checkpoint, but no further than *depth* decisions, and what that is worth counts.  In each such state all
    have the same luck; after each the worse half is dropped, until two are left, both in some states and
    about *budget* decisions have been looked at.
    """

    blind = False
    #: how many options are looked at more closely, and those that are level with the last of them
    few = 4
    #: how much the position right after an option counts beside one that is carried on
    at_once = 2.0

    def __init__(self, program: Program, budget: int = 60, depth: int = 12, reluctance: float = 0.75) -> None:
        self.program = program
        self.budget = budget
        #: in how many states the best two are looked at, at least
        self.rounds = max(1, budget // 8)
        self.depth = depth
        #: how often a pass that comes up while carrying on is drawn again
        self.reluctance = reluctance
        #: the options that were looked at to the last when it chose, the best first
        self.ranked: tuple[int, ...] = ()

    def choose(self, view: View | None, options: Sequence[int], rng: Random) -> int:
        """One of *options*: the best on average, any of the best."""
        if view is None:
            raise ValueError("this bot needs its view")
        candidates = list(options)
        self.ranked = tuple(candidates)
        if len(candidates) == 1:
            return candidates[0]
        rng.shuffle(candidates)  # the first of equals wins
        totals = self._first_look(view, candidates, rng)
        if len(candidates) > self.few:
            least = sorted(totals.values())[-self.few]
            candidates = [o for o in candidates if totals[o] >= least]
        self._left = self.budget
        for done in count(1):
            world = view.sample(rng)
            luck = rng.getrandbits(64)
            for option in candidates[1:]:
                totals[option] += self._worth(world.copy(), option, view.side, Random(luck))
            totals[candidates[0]] += self._worth(world, candidates[0], view.side, Random(luck))
            candidates.sort(key=lambda o: -totals[o])
            if done >= self.rounds and self._left <= 0:
                break
            del candidates[max(2, (len(candidates) + 1) // 2) :]
        self.ranked = tuple(candidates)
        return candidates[0]

    def _first_look(self, view: View, options: Sequence[int], rng: Random) -> dict[int, float]:
        """What the position right after each option is worth, all in one possible state."""
        world = view.sample(rng)
        return {o: self.at_once * self._right_after(world.copy(), o, view.side) for o in options}

    def _right_after(self, state: StateBase, option: int, side: int) -> float:
        """What the position right after the option is worth in one possible state, which is used up."""
        try:
            self.program.answer(state, option)
        except RulesetFault:
            return 0.0
        return self._standing(state, side)

    def _standing(self, state: StateBase, side: int) -> float:
        return float(self.program.standing(state, side)) + VICTORY * ended(state, side)

    def _worth(self, state: StateBase, option: int, side: int, rng: Random) -> float:
        """What the option turns out to be worth to *side* in one possible state, which is used up."""
        answer, random = self.program.answer, rng.random
        start = state.checkpoints
        left = self.depth
        try:
            answer(state, option)
            while left and state.over == RUNNING and state.checkpoints == start:
                options = state.options
                taken = options[int(random() * len(options))]
                if taken < 0 and random() < self.reluctance:
                    taken = options[int(random() * len(options))]
                answer(state, taken)
                left -= 1
        except RulesetFault:
            # What is dealt at random may contradict what the procedures under way remember.
            return 0.0
        finally:
            self._left -= self.depth - left + 1
        return self._standing(state, side)


def ended(state: StateBase, side: int) -> float:
    """What the end of a game is worth to a side, from 1 (won alone) to −1 (last alone); 0 while it goes on.

    It falls with each side ahead and by half as much with each that is level; where nobody has won, the empty
    place counts as one ahead.  A tie is worth 0.
    """
    if state.over in (RUNNING, TIED):
        return 0.0
    rank = state.ranks[side]
    level = state.ranks.count(rank) - 1
    others = len(state.ranks) - (state.over == WON)
    return 1.0 if not others else 1.0 - 2.0 * (rank - 1 + level / 2) / others


#: The kinds of bots by name.
BOTS: dict[str, Callable[[Program], Bot]] = {"random": RandomBot, "greedy": GreedyBot}


def make_bot(name: str, program: Program) -> Bot:
    """A bot of the kind *name*.  ValueError with the kinds there are when it is none of them."""
    factory = BOTS.get(name)
    if factory is None:
        raise ValueError(f"there is no bot '{name}'; bots: {', '.join(sorted(BOTS))}")
    return factory(program)
