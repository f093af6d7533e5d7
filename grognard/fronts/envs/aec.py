"""A scenario as a PettingZoo AEC environment."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from operator import index
from random import Random
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from grognard.fronts.envs.actions import Numbering
from grognard.fronts.envs.observations import Observer, Part, observation_space
from grognard.scenario import Scenario
from runtime.errors import ArgumentError, GameOver, blaming, value_in_words
from runtime.games.game import Game
from runtime.games.scripts import engine_seed
from runtime.runs.bots import value_of_end
from runtime.view import view

__all__ = ["AEC", "Part"]

#: What is the same for all environments of a scenario.
_SHARED = ("_scenario", "_numbers", "_observer", "_maker")
#: What there is when a game has begun.
_LATER = (
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
)

Observed = dict[str, npt.NDArray[Any]]


class AEC(AECEnv[str, Observed, int]):
    """One agent for each side, who acts when its side decides.

    An observation is ``{"observation": float32 (n,), "action_mask": int8 (actions,)}``: what the
    agent's side sees, in the layout :attr:`layout`, and which actions are possible (none for who
    does not decide). Rewards come at the end: 1 for who has won alone, -1 for the last, between
    them by rank; all 0 for a tie, or where the game was cut off.
    """

    metadata = {"name": "grognard_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        scenario: Scenario,
        limit: int | None = None,
        render_mode: str | None = None,
        maker: Callable[[], AEC] | None = None,
    ) -> None:
        super().__init__()
        self._maker = maker
        if not (render_mode is None or (isinstance(render_mode, str) and render_mode == "ansi")):
            raise ArgumentError(
                f"there is no render mode {value_in_words(render_mode)}", "give None or 'ansi'"
            )
        if limit is not None and (
            isinstance(limit, bool) or not isinstance(limit, int) or limit < 1
        ):
            raise ArgumentError(
                f"limit is a whole number of at least 1 or None, not {value_in_words(limit)}"
            )
        self._scenario = scenario
        self._limit = limit
        self.render_mode = render_mode
        spec = scenario.program.spec
        self.possible_agents = list(spec.sides)
        self.agents: list[str] = []
        self._numbers = Numbering(scenario.names)
        self._observer = Observer(scenario.names, scenario.program, self._numbers)
        self._observed = {
            agent: observation_space(self._observer, self._numbers)
            for agent in self.possible_agents
        }
        self._acted = {agent: spaces.Discrete(self._numbers.size) for agent in self.possible_agents}
        self.observation_spaces = {**self._observed}
        self.action_spaces = {**self._acted}
        self._most: int | None = None
        self._random = Random()
        self._game: Game | None = None
        self._options: dict[int, int] = {}
        self._taken = 0

    # ------------------------------------------------------------------ what there is

    @property
    def layout(self) -> list[Part]:
        """What the numbers of an observation are, one part after the other."""
        return self._observer.layout

    @property
    def game(self) -> Game:
        """The game that is played; it knows everything."""
        if self._game is None:
            raise ArgumentError("there is no game yet", "call reset first")
        return self._game

    def action_text(self, action: int) -> str:
        """What an action is, as the text of an option (``"march red1"``).  ArgumentError when there
        is none.
        """
        try:
            return self._numbers.text(index(action))
        except (IndexError, TypeError):
            raise ArgumentError(
                f"there is no action {value_in_words(action)}",
                f"there are 0 to {self._numbers.size - 1}",
            ) from None

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations, always the same object."""
        return self._observed[self.possible_agents[self._side(agent)]]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions, always the same object."""
        return self._acted[self.possible_agents[self._side(agent)]]

    def _side(self, agent: str) -> int:
        """The side that an agent plays."""
        for side, name in enumerate(self.possible_agents):
            if isinstance(agent, str) and agent == name:
                return side
        raise ArgumentError(
            f"there is no agent {value_in_words(agent)}",
            f"the agents are {', '.join(self.possible_agents)}",
        )

    # ------------------------------------------------------------------ copies

    def __copy__(self) -> AEC:
        copied = object.__new__(type(self))
        copied.__dict__.update(self.__dict__)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> AEC:
        """An independent environment that stands where this one does, with the same chance."""
        copied = memo[id(self)] = object.__new__(type(self))
        shared = {name: self.__dict__[name] for name in _SHARED}
        rest = {name: value for name, value in self.__dict__.items() if name not in shared}
        copied.__dict__.update(shared, **deepcopy(rest, memo))
        return copied

    def __reduce__(self) -> tuple[Callable[[], AEC], tuple[()]]:
        """Before :meth:`reset`, how it was made; ArgumentError afterwards."""
        if self._game is not None or self._maker is None:
            raise ArgumentError(
                "an environment cannot be pickled once it has been reset",
                "give other processes what makes it: functools.partial(aec_env, …)",
            )
        return self._maker, ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in _LATER:
                raise AttributeError(f"there is no '{name}' yet (call reset first)")
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    # ------------------------------------------------------------------ playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.  With a *seed* this game and all later ones are determined by it and by
        what is done.
        """
        if seed is not None:
            self._random = Random(engine_seed(seed))
        self._game = self._scenario.begin(
            self._random.getrandbits(63), log=self.render_mode is not None
        )
        self._taken = 0
        stated = self._scenario.program.decision_limit(self._game.state)
        self._most = min((n for n in (self._limit, stated) if n is not None), default=None)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._decide()
        if self.game.over:
            self._end()

    def _decide(self) -> None:
        """Whose decision it is, and the options by their actions."""
        state = self.game.state
        if state.over:
            self._options = {}
            return
        self.agent_selection = self.possible_agents[state.chooser]
        self._options = self._numbers.actions(state.point, state.options)

    def observe(self, agent: str) -> Observed:
        """What an agent sees."""
        seen = view(self.game.state, self._side(agent))
        mask = np.zeros(self._numbers.size, dtype=np.int8)
        if seen.own:
            mask[list(self._options)] = 1
        return {"observation": self._observer.observe(seen), "action_mask": mask}

    def step(self, action: SupportsIndex | None) -> None:
        """Take an action of the agent that decides; ArgumentError when it is not possible now,
        GameOver when no agent is left.
        """
        game = self.game
        if not self.agents:
            raise GameOver("the game is over, and no agent is left", "call reset")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            option = None if action is None else self._options.get(index(action))
        except TypeError:
            option = None
        if option is None:
            raise ArgumentError(
                f"action {value_in_words(action)} is not possible for {agent} now",
                "take one whose action_mask is 1",
            )
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        with blaming(game.ruleset):
            game.take(option)
        self._taken += 1
        if game.over:
            self._end()
        elif self._most is not None and self._taken >= self._most:
            self.truncations = dict.fromkeys(self.agents, True)
        self._decide()
        self._accumulate_rewards()

    def _end(self) -> None:
        state = self.game.state
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = {
            agent: value_of_end(state, side) for side, agent in enumerate(self.possible_agents)
        }

    # ------------------------------------------------------------------ looking

    def render(self) -> str | None:
        """With ``render_mode="ansi"`` what has happened last and what is asked, as text."""
        if self.render_mode is None:
            return None
        game = self.game
        asked = f"{game.side}: {game.question}" if not game.over else f"over: {game.result}"
        return "\n".join([*game.log[-8:], asked])

    def close(self) -> None:
        """Nothing is held open."""
