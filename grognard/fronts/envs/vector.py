"""A scenario as a vector environment of Gymnasium: many games that are stepped at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from grognard.bots.players import BotLike, find_bot, name_of
from grognard.fronts.envs.actions import Numbering
from grognard.fronts.envs.lanes import LaneOutputs, PlainLanes
from grognard.fronts.envs.native_lanes import NativeLanes
from grognard.fronts.envs.observations import Observer, Part, observation_space
from grognard.scenario import Scenario
from runtime.errors import ArgumentError, blaming, value_in_words, whole_number
from runtime.games.scripts import engine_seed
from runtime.model import NONE, RulesetSpec
from runtime.program import spec_with_weights
from runtime.runs.bots import Bot, GreedyBot, RandomBot
from runtime.runs.machine import library_for

__all__ = ["Vector"]

#: More decisions than any game has.
_ENDLESS = (1 << 62) - 1
_WORD = (1 << 64) - 1

Batch = dict[str, npt.NDArray[Any]]


class Vector(VectorEnv):
    """*num_envs* games, in each of which an agent acts for *side* while *opponents* play all
    others, or for all sides where it is None.

    Observations and actions are those of :class:`grognard.fronts.envs.aec.AEC`, from the view of
    who decides.  A reward is that of who has acted, at the end of his game; then another begins in
    the same step.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        scenario: Scenario,
        num_envs: int,
        side: str | None = None,
        limit: int | None = None,
        jobs: int = 1,
        opponents: BotLike | Mapping[str, BotLike] | None = None,
    ) -> None:
        self.num_envs = whole_number("num_envs", num_envs, 1)
        whole_number("jobs", jobs, 1)
        most = _ENDLESS if limit is None else whole_number("limit", limit, 1)
        program, setup = scenario.program, scenario.setup
        #: the sides of the ruleset, in the order in which infos number them
        self.sides = tuple(program.spec.sides)
        if side is not None and side not in self.sides:
            raise ArgumentError(
                f"there is no side {value_in_words(side)}", f"the sides are {', '.join(self.sides)}"
            )
        learns = NONE if side is None else self.sides.index(side)
        others = _opponent_bots(program.spec, side, opponents)
        self._ruleset = program.spec.name
        self._numbers = Numbering(scenario.names)
        self._observer = Observer(scenario.names, program, self._numbers)
        self.single_observation_space: spaces.Dict = observation_space(
            self._observer, self._numbers
        )
        self.single_action_space: spaces.Discrete = spaces.Discrete(self._numbers.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        library = library_for(program, setup)
        #: whether a native build plays
        self.native = library is not None
        common = (program, setup, self._numbers, self._observer, num_envs, learns, others, most)
        self._lanes: PlainLanes | NativeLanes = (
            PlainLanes(*common) if library is None else NativeLanes(library, *common, jobs)
        )
        self._begun = False

    @property
    def layout(self) -> list[Part]:
        """What the numbers of an observation are, one part after the other."""
        return self._observer.layout

    def action_text(self, action: int) -> str:
        """What an action is, as the text of an option.  ArgumentError when there is none."""
        try:
            return self._numbers.text(int(action))
        except IndexError as error:
            raise ArgumentError(
                f"there is no action {value_in_words(action)}", str(error)
            ) from None

    def _told(self) -> LaneOutputs:
        seen, numbers = self._observer.size, self._numbers.size
        return LaneOutputs(self.num_envs, seen, numbers, len(self.sides))

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Batch, dict[str, Any]]:
        """Begin a new game in each.  A *seed* (of the first; the others have those that follow it;
        or one for each) determines these games and all later ones.
        """
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(1 << 62))
        if seed is not None:
            if not isinstance(seed, Sequence):
                seed = [engine_seed(seed) + lane for lane in range(self.num_envs)]
            if len(seed) != self.num_envs:
                raise ArgumentError(f"there are {len(seed)} seeds for {self.num_envs} games")
            for lane, one in enumerate(seed):
                self._lanes.seed(lane, engine_seed(one) & _WORD)
        told = self._told()
        with blaming(self._ruleset):
            self._lanes.begin(told)
        self._begun = True
        return self._observations(told), {"side": told.sides}

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Batch, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Take an action in each game; ArgumentError where one is not possible, and then none is
        taken.

        ``info["side"]`` tells who decides now.  Of games that have ended, ``final_obs`` holds what
        was observed at the end, and ``final_info["rewards"]`` the rewards of all sides.
        """
        if not self._begun:
            raise ArgumentError("there are no games yet", "call reset first")
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.num_envs,):
            raise ArgumentError(
                f"the actions are of the shape {chosen.shape}", f"give ({self.num_envs},)"
            )
        wrong = self._lanes.choose(chosen)
        if wrong >= 0:
            raise ArgumentError(
                f"action {chosen[wrong]} is not possible in game {wrong} now",
                "take one whose action_mask is 1",
            )
        told = self._told()
        with blaming(self._ruleset):
            self._lanes.step(told)
        info: dict[str, Any] = {"side": told.sides}
        over = told.terminated | told.truncated
        if over.any():
            info |= self._final_info(told, over)
        return self._observations(told), told.rewards, told.terminated, told.truncated, info

    def _observations(self, told: LaneOutputs) -> Batch:
        return {"observation": told.observed, "action_mask": told.mask}

    def _final_info(self, told: LaneOutputs, over: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """What is told of games that have ended, as Gymnasium's own environments do."""
        last = np.full(self.num_envs, None, dtype=object)
        for lane in np.flatnonzero(over):
            mask = np.zeros(self._numbers.size, np.int8)
            last[lane] = {"observation": told.last[lane].copy(), "action_mask": mask}
        rewards = {"rewards": told.results, "_rewards": over}
        return {"final_obs": last, "_final_obs": over, "final_info": rewards, "_final_info": over}


def _opponent_bots(
    spec: RulesetSpec, side: str | None, opponents: BotLike | Mapping[str, BotLike] | None
) -> list[Bot]:
    """For each side the bot that plays it where the agent acts for *side*.  ArgumentError."""
    sides = spec.sides
    bots: dict[str, Bot] = dict.fromkeys(sides, RandomBot())
    if opponents is None:
        return list(bots.values())
    others = [one for one in sides if side is not None and one != side]
    if not others:
        raise ArgumentError(
            "the agent acts for all sides, and there are opponents",
            f"name the side it acts for, of {', '.join(sides)}, or leave the opponents out",
        )
    if not isinstance(opponents, Mapping):
        opponents = dict.fromkeys(others, opponents)
    for one, bot in opponents.items():
        if one not in others:
            raise ArgumentError(
                f"an opponent plays {value_in_words(one)}",
                f"the other sides are {', '.join(others)}",
            )
        bots[one] = found = find_bot(bot)
        if type(found) not in (RandomBot, GreedyBot):
            raise ArgumentError(
                f"'{name_of(bot)}' cannot be an opponent here",
                "opponents are random, greedy, or a GreedyBot with settings of its own",
            )
        if isinstance(found, GreedyBot):
            spec_with_weights(spec, found.weights)  # weights that there are not are told at once
    return list(bots.values())
