"""Players that are programs.  They get views, never states.

A bot is an object with a method ``choose`` (:class:`Bot`).  Here are those that look no further
than the turn; :mod:`runtime.runs.search` has one that does, and :mod:`runtime.runs.seats` asks
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from random import Random
from typing import Protocol, runtime_checkable

from runtime.errors import blaming, whole_number
from runtime.games.game import View
from runtime.model import PASS
from runtime.option import Option
from runtime.program import Program
from runtime.scenario.setup import SetUp
from runtime.state import RETURNED, RUNNING, TIED, WON, RulesetFault, StateBase
from runtime.view import Sight

__all__ = ["Bot", "GreedyBot", "RandomBot", "value_of_end", "worth"]

#: What a victory is worth beside any worth of a position.
VICTORY = 1_000_000.0


@runtime_checkable
class Bot(Protocol):
    """Chooses for a side.  It is asked at each decision of its side, and at no others."""

    def choose(self, view: View, options: Sequence[Option], rng: Random) -> Option | int | str:
        """One of *options* (two at least, but for a lone pass): the option, its index or its text.

        *view* is what the side sees; it has no log.  *rng* is for chance: seeded by game and side,
        so that a series can be repeated.  One bot object may play several games one after the
        other, and both sides of a game.
        """


class RandomBot:
    """Any option, all being as likely."""

    def __repr__(self) -> str:
        return "RandomBot()"

    def choose(self, view: View, options: Sequence[Option], rng: Random) -> Option:
        """One of *options*."""
        return options[int(rng.random() * len(options))]


class GreedyBot:
    """Takes what leads to the best positions soon, as the ruleset's ``standing`` values them.

    Each option is tried in a state that the view allows, and the ruleset says what the position
    right after it is worth.  The few best are looked at more closely: chance and a careless policy
    carry on to the next checkpoint, but no further than *depth* decisions, and what that is worth
    counts.  In each such state all have the same luck; after each the worse half is dropped, until
    two are left, both in some states and about *budget* decisions have been looked at (a decision
    takes some milliseconds).  *budget* and *depth* are 1 at least, else ArgumentError.

    *weights* are its own values of weights that the ruleset declares, by their names; those that it
    does not name are the ruleset's.

    Where the ruleset says when a position is ``settled``, nobody is careless: what an option has
    begun is carried on, whoever is asked taking what is best at once, until it is over and the
    position settled, and that is what counts.  Where chance had no part in it, one look is enough.
    Options are then tried some at a time, until one of them is better than passing.
    """

    #: how many options are looked at more closely, and those that are level with the last of them
    few = 4
    #: how much the position right after an option counts beside one that is carried on
    at_once = 1.0
    #: how many options are tried at a time where positions settle, and how many for others asked
    some = 6

    def __init__(
        self,
        budget: int = 60,
        depth: int = 12,
        reluctance: float = 0.75,
        weights: Mapping[str, int] | None = None,
    ) -> None:
        self.budget = whole_number("budget", budget, 1)
        self.depth = whole_number("depth", depth, 1)
        self.weights = dict(weights or {})
        #: in how many states the best two are looked at, at least
        self.rounds = max(1, budget // 15)
        #: how often a pass that comes up while carrying on is drawn again
        self.reluctance = reluctance

    def __repr__(self) -> str:
        return f"GreedyBot(budget={self.budget}, depth={self.depth})"

    def choose(self, view: View, options: Sequence[Option], rng: Random) -> Option:
        """The best of *options* on average, any of the best.  RulesError where the rules fail."""
        with blaming(view.program.spec.name):
            raw = self.search(view.program, view.setup, view.raw, [o.raw for o in options], rng)
        return next(o for o in options if o.raw == raw)

    def search(
        self, program: Program, setup: SetUp, view: Sight, options: Sequence[int], rng: Random
    ) -> int:
        """:meth:`choose` on ints."""
        program = self._program = program.with_weights(self.weights) if self.weights else program
        candidates = list(options)
        if len(candidates) == 1:
            return candidates[0]
        rng.shuffle(candidates)  # the first of equals wins
        side, turn = view.side, view.state.checkpoints
        self._settles = program.is_settled(view.state) is not None
        afters = self._afters(view, candidates, rng, self.some)
        totals = {o: self.at_once * self.worth_at_once(o, afters[o], side) for o in afters}
        candidates = [o for o in candidates if o in totals]
        if len(candidates) > self.few:
            least = sorted(totals.values())[-self.few]
            candidates = [o for o in candidates if totals[o] >= least]
        if self._settles and not any(self._by_chance(view, after) for after in afters.values()):
            candidates.sort(key=lambda o: -totals[o])
            return candidates[0]
        self._left = self.budget
        for done in count(1):
            luck = [rng.random() for _ in range(3 * self.depth)]
            for option in candidates:
                totals[option] += self.worth_later(option, afters[option], side, turn, iter(luck))
            candidates.sort(key=lambda o: -totals[o])
            if done >= self.rounds and self._left <= 0:
                break
            del candidates[max(2, (len(candidates) + 1) // 2) :]
            afters = self._afters(view, candidates, rng, len(candidates))
        return candidates[0]

    def _afters(
        self, view: Sight, options: Sequence[int], rng: Random, some: int
    ) -> dict[int, StateBase | None]:
        """The positions right after each option in one possible state, where positions settle tried
        *some* at a time.

        None where the rules fail: what is dealt may contradict what procedures under way remember.
        """
        world = view.sample(rng)
        afters: dict[int, StateBase | None] = {}
        if self._settles and PASS in options and len(options) > some:
            others = [option for option in options if option != PASS]
            passed = afters[PASS] = self._position_after(world, PASS, view.side)
            bar = float("-inf") if passed is None else self._standing(passed, view.side)
            for first in range(0, len(others), some):
                for option in others[first : first + some]:
                    after = afters[option] = self._position_after(world, option, view.side)
                    if after is not None and self._standing(after, view.side) > bar:
                        bar = float("inf")
                if bar == float("inf"):
                    break
            return afters
        for option in options:
            afters[option] = self._position_after(world, option, view.side)
        return afters

    def _position_after(self, world: StateBase, option: int, side: int) -> StateBase | None:
        """The position after an option; where positions settle, when that is over."""
        state = world.copy()
        try:
            self._program.answer(state, option)
            if self._settles:
                state = self._carried_on(state, len(world.frames))
        except RulesetFault:
            return None
        return state

    def _carried_on(self, state: StateBase, depth: int) -> StateBase:
        """The position when what was begun at a depth of procedures is over."""
        program, steps = self._program, 0
        while state.over == RUNNING and (
            len(state.frames) > depth or not program.is_settled(state)
        ):
            options, side = state.options, state.chooser
            steps += 1
            if steps > 4 * self.depth:
                break
            if len(options) == 1:
                program.answer(state, options[0])
                continue
            best, most = state, float("-inf")
            for option in options:
                after = state.copy()
                program.answer(after, option)
                worth = self._standing(after, side)
                if worth > most:
                    best, most = after, worth
            state = best
        return state

    @staticmethod
    def _by_chance(view: Sight, after: StateBase | None) -> bool:
        """Whether chance has had a part in what came of an option."""
        return after is not None and after.counters != view.state.counters

    def worth_at_once(self, option: int, after: StateBase | None, side: int) -> float:
        """What the position right after *option* is worth to *side*."""
        return 0.0 if after is None else self._standing(after, side)

    def worth_later(
        self, option: int, after: StateBase | None, side: int, turn: int, luck: Iterator[float]
    ) -> float:
        """What the position right after *option* is worth once *turn* is over."""
        self._left -= 1
        if after is None:
            return 0.0
        if self._settles:
            self._left -= self.depth
            return self._standing(after, side)
        answer = self._program.answer
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
        return worth(self._program, state, side)


def worth(program: Program, state: StateBase, side: int) -> float:
    """What a position is worth to a side: by the ruleset's ``standing``, and by the game's end."""
    return float(program.standing(state, side)) + VICTORY * value_of_end(state, side)


def value_of_end(state: StateBase, side: int) -> float:
    """What the end of a game is worth to a side, from 1 (won alone) to −1 (last alone); 0 while it
    goes on.

    It falls with each side ahead and by half as much with each that is level; where nobody has won,
    the empty place counts as one ahead.  A tie is worth 0.
    """
    if state.over in (RUNNING, TIED, RETURNED):
        return 0.0
    rank = state.ranks[side]
    level = state.ranks.count(rank) - 1
    others = len(state.ranks) - (state.over == WON)
    return 1.0 if not others else 1.0 - 2.0 * (rank - 1 + level / 2) / others
