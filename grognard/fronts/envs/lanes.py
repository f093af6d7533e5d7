"""Games side by side, one in each lane, played in Python; :mod:`native_lanes` plays the same ones.

Chance hangs on the seed of a lane alone: the seeds of its games are one stream of numbers, those by
which others choose than the one who learns another.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from grognard.fronts.envs.actions import Numbering
from grognard.fronts.envs.observations import Observer
from runtime.chance import word
from runtime.model import NONE
from runtime.program import CompiledProgram
from runtime.runs.bots import Bot, GreedyBot, value_of_end
from runtime.scenario.setup import SetUp
from runtime.state import RUNNING, RulesetFault, StateBase
from runtime.view import view

#: The streams of a lane's chance.
OF_GAMES, OF_OTHERS = 0, 1
#: In so many games one after the other the side that learns decides at least once.
_GAMES = 1000


class LaneOutputs:
    """What lanes tell: an entry for each game."""

    def __init__(self, count: int, size: int, actions: int, sides: int) -> None:
        self.observed = np.empty((count, size), np.float32)
        self.mask = np.empty((count, actions), np.int8)
        #: who decides
        self.sides = np.empty(count, np.int8)
        #: of whoever has acted
        self.rewards = np.zeros(count, np.float64)
        self.terminated = np.zeros(count, np.bool_)
        self.truncated = np.zeros(count, np.bool_)
        #: of games that have ended, what was observed then, and the reward of each side
        self.last: npt.NDArray[np.float32] = np.empty((count, size), np.float32)
        self.results = np.zeros((count, sides), np.float32)


class PlainLanes:
    """Games of a scenario, in which *side* learns (NONE: all sides do), cut off after *limit*
    decisions.  *others* has for each side how it chooses where it does not learn: a RandomBot or a
    GreedyBot.
    """

    def __init__(
        self,
        program: CompiledProgram,
        setup: SetUp,
        numbers: Numbering,
        observer: Observer,
        count: int,
        side: int,
        others: Sequence[Bot],
        limit: int,
    ) -> None:
        self.count = count
        self._lanes = [_Lane(program, setup, side, others, limit) for _ in range(count)]
        self._numbers, self._observer = numbers, observer
        self._actions: list[dict[int, int]] = [{} for _ in range(count)]
        self._chosen: list[int] = []

    def seed(self, lane: int, seed: int) -> None:
        """The game of a lane, and all later ones, follow from a seed of 64 bits."""
        one = self._lanes[lane]
        one.seed, one.games, one.draws = seed, 0, 0

    def begin(self, told: LaneOutputs) -> None:
        """Begin a new game in each lane.  RulesetFault."""
        for number, lane in enumerate(self._lanes):
            lane.begin()
            self._tell(number, lane.state, told)

    def choose(self, actions: npt.NDArray[np.int64]) -> int:
        """Choose an action in each lane: the first in which it is not possible, or NONE."""
        self._chosen = []
        for lane, (known, action) in enumerate(zip(self._actions, actions.tolist(), strict=True)):
            if action not in known:
                return lane
            self._chosen.append(known[action])
        return NONE

    def step(self, told: LaneOutputs) -> None:
        """Take what was chosen, until it is to be chosen again; where a game ends another begins.
        RulesetFault.
        """
        for number, (lane, option) in enumerate(zip(self._lanes, self._chosen, strict=True)):
            side = lane.state.chooser
            lane.answer(option)
            lane.play_others()
            state = lane.state
            told.terminated[number] = state.over != RUNNING
            told.truncated[number] = state.over == RUNNING and lane.taken >= lane.most
            told.rewards[number] = value_of_end(state, side)
            told.results[number] = [value_of_end(state, s) for s in range(told.results.shape[1])]
            if not lane.playing:
                told.last[number] = self._observer.observe(view(state, side))
                lane.begin()
            self._tell(number, lane.state, told)

    def _tell(self, number: int, state: StateBase, told: LaneOutputs) -> None:
        known = self._actions[number] = self._numbers.actions(state.point, state.options)
        told.sides[number] = state.chooser
        told.observed[number] = self._observer.observe(view(state, state.chooser))
        told.mask[number] = 0
        told.mask[number, list(known)] = 1


class _Lane:
    """One game after the other."""

    state: StateBase

    def __init__(
        self,
        program: CompiledProgram,
        setup: SetUp,
        side: int,
        others: Sequence[Bot],
        limit: int,
    ) -> None:
        self.program, self.setup, self.limit = program, setup, limit
        self.side, self.others = side, others
        self.seed = self.games = self.draws = self.taken = self.most = 0

    @property
    def playing(self) -> bool:
        return self.state.over == RUNNING and self.taken < self.most

    def answer(self, option: Any) -> None:
        self.program.answer(self.state, option)
        self.taken += 1

    def begin(self) -> None:
        for _ in range(_GAMES):
            self.state = self.program.new_state(self.setup, word(self.seed, OF_GAMES, self.games))
            self.games += 1
            self.program.begin(self.state)
            stated = self.program.decision_limit(self.state)
            self.taken, self.most = 0, self.limit
            if stated is not None and 0 <= stated < self.limit:
                self.most = stated
            self.play_others()
            if self.playing:
                return
        raise RulesetFault("a thousand games end before the side that learns decides")

    def play_others(self) -> None:
        """Others than the one who learns decide."""
        while self.side != NONE and self.playing and self.state.chooser != self.side:
            drawn = word(self.seed, OF_OTHERS, self.draws)
            self.draws += 1
            self.answer(self._bot_choice(self.others[self.state.chooser], drawn))

    def _bot_choice(self, bot: Bot, drawn: int) -> int:
        state = self.state
        if not isinstance(bot, GreedyBot):
            return state.options[drawn % len(state.options)]
        seen = view(state, state.chooser)
        return bot.search(self.program, self.setup, seen, state.options, Random(drawn))
