"""A scenario as a game of OpenSpiel, written in Python.

Chance stands at the root: eight nodes of 256 outcomes each spell the seed, and from there on all
follows from what is done.  Rulesets without chance have no such nodes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import Any

import numpy as np
import pyspiel

from grognard.fronts.envs.actions import Numbering
from grognard.fronts.envs.observations import Observer
from grognard.opening import open_scenario
from grognard.scenario import Scenario
from runtime.errors import ArgumentError, GameOver, blaming, whole_number
from runtime.model import NONE, closed_slots
from runtime.runs.bots import value_of_end
from runtime.state import RUNNING, RulesetFault, StateBase
from runtime.view import Sight, view

__all__ = ["NAME", "SpielGame"]

#: The game's name in OpenSpiel's registry.
NAME = "python_grognard"
#: How many chance nodes spell a seed, and how many outcomes each has.
_BYTES, _BYTE = 8, 256
#: The most decisions of a game for which neither the ruleset nor anybody else says it.
_MOST = 100_000
#: What is kept of a position as it is.
_PLAIN = ("seed", "spelled", "begun", "guessed", "broken", "taken")
_NOT_BEGUN = "the game has not begun"


def _game_type(scenario: Scenario | None) -> pyspiel.GameType:
    """The type of a scenario's game; that of all of them where there is none."""
    kinds = pyspiel.GameType
    chance, open_ = True, False
    fewest, most = 1, 64
    if scenario is not None:
        spec = scenario.program.spec
        chance = _has_chance(scenario)
        secret = any(decision.secret for decision in spec.decisions)
        closed = closed_slots(spec.fields, spec.piles.values())
        # the seed is never seen, so where there is chance something is hidden
        open_ = not (chance or secret or closed)
        fewest = most = len(spec.sides)
    return kinds(
        short_name=NAME,
        long_name="A scenario of Grognard",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC
        if chance
        else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION
        if open_
        else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"scenario": "", "ruleset": "", "limit": 0},
        default_loadable=False,
    )


def _has_chance(scenario: Scenario) -> bool:
    spec = scenario.program.spec
    return bool(spec.dice or spec.decks or spec.streams or spec.draws)


class _Rules:
    """What is the same for all positions of a game."""

    def __init__(self, scenario: Scenario, params: Mapping[str, Any]) -> None:
        limit = whole_number("limit", params["limit"], 0)
        program, setup = scenario.program, scenario.setup
        self.scenario, self.program, self.setup = scenario, program, setup
        self.params = params
        self.spec = program.spec
        self.sides = range(len(self.spec.sides))
        self.numbers = Numbering(scenario.names)
        self.observer = Observer(scenario.names, program, self.numbers)
        self.chances = _BYTES if _has_chance(scenario) else 0
        stated = program.decision_limit(program.new_state(setup, 0))
        self.most = min((n for n in (limit or None, stated) if n is not None), default=_MOST)


@lru_cache(maxsize=16)
def _open_rules(scenario: str, ruleset: str, limit: int) -> _Rules:
    """The rules of a game that OpenSpiel loads by name, perhaps once for each state it reads."""
    params = {"scenario": scenario, "ruleset": ruleset, "limit": limit}
    return _Rules(open_scenario(scenario, None, ruleset or None), params)


class SpielGame(pyspiel.Game):
    """A scenario; *limit* is after how many decisions a game is a draw (0: as many as the ruleset
    states).  A *scenario* that is open already is taken instead of that which *params* name.
    """

    def __init__(
        self, params: Mapping[str, Any] | None = None, scenario: Scenario | None = None
    ) -> None:
        known = {"scenario": "", "ruleset": "", "limit": 0, **(params or {})}
        rules = _open_rules(**known) if scenario is None else _Rules(scenario, known)
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.numbers.size,
            max_chance_outcomes=_BYTE if rules.chances else 0,
            num_players=len(rules.sides),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=rules.most,
        )
        super().__init__(_game_type(rules.scenario), info, known)
        self._rules = rules

    @property
    def rules(self) -> _Rules:
        """What is the same for all positions.  OpenSpiel keeps a game that it has loaded itself,
        but not its attributes.
        """
        known: _Rules | None = self.__dict__.get("_rules")
        return _open_rules(**self.get_parameters()) if known is None else known

    def max_chance_nodes_in_history(self) -> int:
        """How many chance nodes there are on the way to an end."""
        return self.rules.chances

    def new_initial_state(self) -> SpielState:
        """Where a game begins."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _SpielObserver:
        """What tells observations."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return _SpielObserver(self, kind, params)


@dataclass(frozen=True)
class _Memory:
    """What players know beside what they see now: a key for each, which stands for all that he has
    seen and done before *state*, and the options that were taken since.

    It is worked out when somebody asks, as playouts do not.
    """

    state: StateBase
    keys: tuple[str, ...]
    since: tuple[int, ...] = ()


class _Position:
    """Where a game stands; copies cost little."""

    state: StateBase
    memory: _Memory

    def __init__(self, rules: _Rules) -> None:
        self.rules = rules
        self.seed, self.spelled = 0, 0
        self.begun = self.guessed = self.broken = False
        self.taken = 0
        self.actions: dict[int, int] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> _Position:
        other = object.__new__(_Position)
        other.__dict__.update(self.__dict__)
        if self.begun:
            other.state = self.state.copy()
        return other

    def __getstate__(self) -> dict[str, Any]:
        rest = {name: getattr(self, name) for name in _PLAIN}
        if self.begun:
            self.knowledge_key(0)
            rest |= {"state": self.state.to_data(), "keys": self.memory.keys}
        return {"params": self.rules.params, **rest}

    def __setstate__(self, data: dict[str, Any]) -> None:
        self.__init__(_open_rules(**data.pop("params")))  # type: ignore[misc]
        state, keys = data.pop("state", None), data.pop("keys", ())
        self.__dict__.update(data)
        if self.begun:
            self.state = self.rules.program.state_class.from_data(state)
            self.remember(keys)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        if not self.begun:
            return False
        return self.broken or self.state.over != RUNNING or self.taken >= self.rules.most

    def spell(self, byte: int) -> None:
        """A chance node has come out."""
        self.seed = self.seed * _BYTE + byte
        self.spelled += 1

    def begin(self) -> None:
        """Run to the first decision."""
        rules = self.rules
        self.state = rules.program.new_state(rules.setup, self.seed)
        with blaming(rules.spec.name):
            rules.program.begin(self.state)
        self.begun = True
        self.remember(("",) * len(rules.sides))

    def remember(self, keys: tuple[str, ...]) -> None:
        """Players know *keys*, and what they see now."""
        self.memory = _Memory(self.state.copy(), keys)
        self.actions = self.rules.numbers.actions(self.state.point, self.state.options)

    def take(self, action: int) -> None:
        """An action of whoever decides."""
        rules, option = self.rules, self.actions[action]
        try:
            with blaming(rules.spec.name):
                rules.program.answer(self.state, option)
        except RulesetFault:
            if not self.guessed:
                raise
            self.broken = True  # what was drawn contradicts what procedures under way remember
            return
        self.taken += 1
        memory = self.memory
        self.memory = _Memory(memory.state, memory.keys, (*memory.since, option))
        self.actions = rules.numbers.actions(self.state.point, self.state.options)

    def knowledge_key(self, player: int) -> str:
        """The key of what a player has seen and done before."""
        memory, rules = self.memory, self.rules
        if memory.since:
            state, keys = memory.state.copy(), list(memory.keys)
            for option in memory.since:
                for side in rules.sides:
                    own = option if state.chooser == side else ""
                    whole = f"{keys[side]} {own} {view_text(view(state, side))}"
                    keys[side] = blake2b(whole.encode(), digest_size=12).hexdigest()
                rules.program.answer(state, option)
            memory = self.memory = _Memory(state, tuple(keys))
        return memory.keys[player]

    def resample(self, player: int, rng: Random) -> None:
        """Be a position that a player cannot tell from this one, drawn at random.  What others have
        seen is forgotten.
        """
        key = self.knowledge_key(player)
        self.state = view(self.state, player).sample(rng)
        self.guessed = True
        self.remember(tuple(key if side == player else "" for side in self.rules.sides))


def view_text(sight: Sight) -> str:
    """What a view shows, as text."""
    return json.dumps(sight.data, separators=(",", ":"))


class SpielState(pyspiel.State):
    """A position of a game."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        #: all that there is in Python: OpenSpiel copies the attributes of a state deeply
        self.at = _Position(game.rules)
        if not self.at.rules.chances:
            self.at.begin()

    def current_player(self) -> int:
        """Who decides."""
        if not self.at.begun:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.at.over else self.at.state.chooser

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.at.actions) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next byte of the seed."""
        return [(byte, 1 / _BYTE) for byte in range(_BYTE)]

    def _apply_action(self, action: int) -> None:
        at = self.at
        if at.over:
            raise GameOver("the game is over", "begin another: new_initial_state()")
        if action not in (at.actions if at.begun else range(_BYTE)):
            legal = self.legal_actions()
            few = ", ".join(map(str, legal[:8])) + (" …" if len(legal) > 8 else "")
            raise ArgumentError(f"action {action} is not possible now", f"legal_actions(): {few}")
        if at.begun:
            at.take(action)
            return
        at.spell(action)
        if at.spelled == at.rules.chances:
            at.begin()

    def _action_to_string(self, player: int, action: int) -> str:
        return f"byte {action}" if player < 0 else self.at.rules.numbers.text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.at.over

    def returns(self) -> list[float]:
        """1 for who has won alone, -1 for the last, between them by rank; together nothing."""
        at = self.at
        if not at.over or at.broken:
            return [0.0 for _ in at.rules.sides]
        worths = [value_of_end(at.state, side) for side in at.rules.sides]
        mean = sum(worths) / len(worths)
        return [worth - mean for worth in worths]

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> SpielState:
        """A state that the player who decides cannot tell from this one, with dice of its own; its
        history is that of this one.
        """
        if player_id != self.current_player():
            raise ArgumentError(
                f"player {player_id} does not decide", "sample for the player who decides"
            )
        other: SpielState = self.clone()
        other.at.resample(player_id, Random(int(probability_sampler() * (1 << 53))))
        return other

    def __str__(self) -> str:
        at = self.at
        if not at.begun:
            return f"{_NOT_BEGUN}: {at.spelled} of {at.rules.chances} bytes of its seed are known"
        if at.over:
            return f"over: {at.state.hash()}"
        spec, state = at.rules.spec, at.state
        prompt = spec.decisions[state.point].prompt
        return f"{spec.sides[state.chooser]} decides {prompt}: {state.hash()}"


class _SpielObserver:
    """Tells what a player sees: see OpenSpiel's ``observation.py``."""

    def __init__(self, game: SpielGame, kind: Any, params: Any) -> None:
        if params:
            raise ArgumentError(f"an observer has no parameters; {params} are given")
        whose = pyspiel.PrivateInfoType
        if not kind.public_info or kind.private_info == whose.ALL_PLAYERS:
            raise ArgumentError("a player sees all that is public, and what is his own")
        self._observer, self._recalls = game.rules.observer, kind.perfect_recall
        self._own = kind.private_info == whose.SINGLE_PLAYER
        self.tensor = np.zeros(self._observer.size, np.float32)
        self.dict = {
            part.name: self.tensor[part.start : part.start + part.size]
            for part in self._observer.layout
        }

    def set_from(self, state: SpielState, player: int) -> None:
        """Let :attr:`tensor` and :attr:`dict` be what a player sees."""
        self.tensor.fill(0)
        if state.at.begun:
            sight = view(state.at.state, player if self._own else NONE)
            self.tensor[:] = self._observer.observe(sight)

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player sees, as text; with perfect recall also the key of all that he has seen and
        done before.
        """
        if not state.at.begun:
            return _NOT_BEGUN
        now = view_text(view(state.at.state, player if self._own else NONE))
        return f"{state.at.knowledge_key(player)} {now}" if self._recalls and self._own else now


pyspiel.register_game(_game_type(None), SpielGame)
