"""Players that are programs.  They get views, never states.

``BOTS`` names the kinds there are.  A bot is made for a program and may play any side of any game of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from random import Random
from typing import Protocol

from runtime.program import Program
from runtime.state import RETURNED, RUNNING, TIED, WON, RulesetFault, StateBase
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
    at_once = 1.0

    def __init__(self, program: Program, budget: int = 60, depth: int = 12, reluctance: float = 0.75) -> None:
        self.program = program
        self.budget = budget
        #: in how many states the best two are looked at, at least
        self.rounds = max(1, budget // 15)
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
        side, turn = view.side, view.state.checkpoints
        afters = self._afters(view, candidates, rng)
        totals = {o: self.at_once * self._worth_at_once(o, after, side) for o, after in afters.items()}
        if len(candidates) > self.few:
            least = sorted(totals.values())[-self.few]
            candidates = [o for o in candidates if totals[o] >= least]
        self._left = self.budget
        for done in count(1):
            luck = [rng.random() for _ in range(3 * self.depth)]
            for option in candidates:
                totals[option] += self._worth_later(option, afters[option], side, turn, iter(luck))
            candidates.sort(key=lambda o: -totals[o])
            if done >= self.rounds and self._left <= 0:
                break
            del candidates[max(2, (len(candidates) + 1) // 2) :]
            afters = self._afters(view, candidates, rng)
        self.ranked = tuple(candidates)
        return candidates[0]

    def _afters(self, view: View, options: Sequence[int], rng: Random) -> dict[int, StateBase | None]:
        """The positions right after each option in one possible state; None where the rules fail there.

        What is dealt at random may contradict what the procedures under way remember.
        """
        world = view.sample(rng)
        afters: dict[int, StateBase | None] = {}
        for option in options:
            state = world if option == options[-1] else world.copy()
            try:
                self.program.answer(state, option)
                afters[option] = state
            except RulesetFault:
                afters[option] = None
        return afters

    def _worth_at_once(self, option: int, after: StateBase | None, side: int) -> float:
        """What the position right after *option* is worth to *side*."""
        return 0.0 if after is None else self._standing(after, side)

    def _worth_later(
        self, option: int, after: StateBase | None, side: int, turn: int, luck: Iterator[float]
    ) -> float:
        """What the position right after *option* is worth once *turn* is over, to which it is carried on."""
        self._left -= 1
        if after is None:
            return 0.0
        answer = self.program.answer
        left = self.depth
        try:
            while left and after.over == RUNNING and after.checkpoints == turn:
                options = after.options
                taken = options[int(next(luck) * len(options))]
                if taken < 0 and next(luck) < self.reluctance:
                    taken = options[int(next(luck) * len(options))]
                answer(after, taken)
                left -= 1
        except RulesetFault:
            return 0.0
        finally:
            self._left -= self.depth - left
        return self._standing(after, side)

    def _standing(self, state: StateBase, side: int) -> float:
        return float(self.program.standing(state, side)) + VICTORY * ended(state, side)


def ended(state: StateBase, side: int) -> float:
    """What the end of a game is worth to a side, from 1 (won alone) to −1 (last alone); 0 while it goes on.

    It falls with each side ahead and by half as much with each that is level; where nobody has won, the empty
    place counts as one ahead.  A tie is worth 0.
    """
    if state.over in (RUNNING, TIED, RETURNED):
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
