"""What forecasts say is what happens: each is held against games that are
played on from the same option.

A game goes on as the forecast assumes: decisions are answered so, and of what is assumed never to be offered nothing
is taken.  Where something must be taken that is assumed never to be offered, the game is left out; so are outcomes
that the steps of a forecast say themselves.  A difference is reported where chance would make one so rarely that of
all comparisons of a run one in ten million is (Chernoff's bound for exact chances; for samples that of types).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import inf, log
from random import Random
from typing import Any

import pytest
from project import compiled, placed, playable, sampled, setup_of

from compiler import ir
from compiler.trees import statements_of
from runtime.model import PASS, ForecastSpec, branch_of
from runtime.program import CompiledProgram
from runtime.runs.forecast import Assumptions, ForecastResult, arguments, foresee, of_option
from runtime.runs.outcomes import together
from runtime.state import StateBase
from runtime.view import view

#: A false alarm is rarer than this, of all comparisons together; of these there are fewer than that.
ALARM, COMPARISONS = 1e-7, 1e6
#: How many positions of each forecast are looked at, and how many decisions of games at most.
POSITIONS, LONGEST = 2, 3000
#: How many samples are taken of what is not exact.
SAMPLES = 400


# ---------------------------------------------------------------------- playing on


class Observed(list[Any]):
    """What is observed at play, each with how far chance has come by then."""

    def __init__(self, state: StateBase) -> None:
        super().__init__()
        self.state = state
        self.times: list[tuple[int, ...]] = []

    def append(self, entry: Any) -> None:
        super().append(entry)
        self.times.append(tuple(self.state.counters))

    def first(self) -> dict[int, tuple[Any, ...]]:
        """By number of the outcome, its values when it was first observed: the last before more chance."""
        periods: dict[tuple[int, ...], dict[int, tuple[Any, ...]]] = {}
        for at, (number, *values) in zip(self.times, self, strict=True):
            plain = tuple(tuple(sorted(v)) if isinstance(v, tuple) else int(v) for v in values)
            periods.setdefault(at, {})[number] = plain
        found: dict[int, tuple[Any, ...]] = {}
        for period in periods.values():
            found = {**period, **found}
        return found


def never(spec: Any, program: ir.Program, forecast: ForecastSpec) -> set[tuple[int, int]]:
    """The options that a forecast assumes never to be offered."""
    return {option for option, bit in program.never.items() if forecast.never & bit}


def played_on(
    program: CompiledProgram,
    state: StateBase,
    option: int,
    assumed: Assumptions,
    out: set[tuple[int, int]],
) -> dict[int, tuple[Any, ...]] | None:
    """What is observed when an option is taken in a game until somebody is asked; None where it cannot go on as is
    assumed.
    """
    state.observed = observed = Observed(state)
    state.answer = option
    for _ in range(100_000):
        asks = program.step(state)
        if asks is None:
            break
        if not asks:
            continue
        point = state.point
        left = [o for o in state.options if (point, PASS if o == PASS else branch_of(o)) not in out]
        if not left:
            return None
        if len(left) < len(state.options) and len(left) == 1:
            state.answer = left[0]
            continue
        state.options = left
        answer = assumed.answer(state)
        if answer is None:
            break
        state.answer = answer
    else:
        raise AssertionError("play goes on without end")
    return observed.first()


# ---------------------------------------------------------------------- comparing


def divergence(share: float, chance: float) -> float:
    """How far a share is from what it should be (Kullback and Leibler)."""
    parts = ((share, chance), (1 - share, 1 - chance))
    return sum(s * log(s / c) if c > 0 else inf for s, c in parts if s > 0)


def told(found: ForecastResult, numbers: dict[Any, int], own: set[int]) -> dict[Any, float]:
    """The chances of a forecast by number and values; without what its own steps say, and what it
    comes to more than once.
    """
    chances: dict[Any, float] = {}
    for outcome in together(found.outcomes).values():
        number = numbers[outcome.name, outcome.types]
        if number not in own and outcome.chance <= 1:
            for one in outcome.alternatives:
                chances[number, one.values] = float(one.chance)
    return chances


def differences(
    found: ForecastResult, chances: dict[Any, float], counts: Counter[Any], games: int
) -> Iterator[tuple[Any, str]]:
    """Where a forecast and the games differ more than by chance."""
    for what in sorted(chances.keys() | counts.keys()):
        share, chance = counts[what] / games, chances.get(what, 0.0)
        if found.exact:
            far, most = games * divergence(share, min(chance, 1.0)), log(2 * COMPARISONS / ALARM)
        else:
            both = (counts[what] + chance * found.ways) / (games + found.ways)
            far = games * divergence(share, both) + found.ways * divergence(chance, both)
            most = log((games + 1) * (found.ways + 1) * COMPARISONS / ALARM)
        if far > most:
            yield what, f"foretold {chance:.4f}, {share:.4f} in {games} games"


# ---------------------------------------------------------------------- positions


def run_by(program: ir.Program, forecast: ir.ForecastInfo) -> set[str]:
    """The procedures of a forecast, and of those that it runs."""
    procedures = {info.procedure for info in program.forecasts.values()}
    ahead, seen = [forecast.procedure], set[str]()
    while ahead:
        name = ahead.pop()
        seen.add(name)
        steps = statements_of(program.procedures[name].body)
        called = {s.procedure for s in steps if isinstance(s, ir.Do)} & procedures
        ahead.extend(called - seen)
    return seen


@cache
def own_outcomes(ruleset: str, forecast: str) -> frozenset[int]:
    """The numbers of outcomes that a forecast, or what it runs of others, says in its own steps."""
    program = compiled(ruleset).program
    names = run_by(program, program.forecasts[forecast])
    steps = (s for name in names for s in statements_of(program.procedures[name].body))
    return frozenset(step.index for step in steps if isinstance(step, ir.Observe))


def positions(scenario: str, names: set[str]) -> Iterator[tuple[StateBase, int, ForecastSpec]]:
    """Positions of games at random, with an option of which there is one of the forecasts."""
    program, setup, rng = placed(scenario), setup_of(scenario), Random(scenario)
    left, seed = dict.fromkeys(names, POSITIONS), 0
    state = program.new_state(setup, seed)
    program.begin(state)
    for _ in range(LONGEST):
        if state.over or not any(left.values()):
            if not any(left.values()):
                return
            seed += 1
            state = program.new_state(setup, seed)
            program.begin(state)
        for option in rng.sample(state.options, min(3, len(state.options))):
            for forecast in of_option(program.spec, state.point, option):
                if left.get(forecast.name) and rng.random() < 0.5:
                    left[forecast.name] -= 1
                    yield state, option, forecast
        program.answer(state, rng.choice(state.options))


def hold(scenario: str, games: int) -> Iterator[str]:
    """What does not hold of the forecasts of a scenario's ruleset."""
    ruleset = scenario.split("/")[0]
    program, ir_program = placed(scenario), compiled(ruleset).program
    spec = program.spec
    numbers = {entry: i for i, entry in enumerate(spec.outcomes)}
    rng = Random(f"{scenario} {games}")
    kept = {f.name for f in spec.forecasts.values() if f.at}
    for state, option, forecast in positions(scenario, kept):
        seen = view(state, state.chooser)
        args = arguments(spec, state.point, option, state.about)
        found = foresee(
            program, seen, forecast, args, Random(1), option=option, times=SAMPLES, seconds=60
        )
        chances = told(found, numbers, set(own_outcomes(ruleset, forecast.name)))
        assumed, out = Assumptions(forecast, program.value_of), never(spec, ir_program, forecast)
        counts: Counter[Any] = Counter()
        for game in range(games):
            copy = seen.sample(rng)
            copy.seed = rng.getrandbits(64)
            observed = played_on(program, copy, option, assumed, out)
            if observed is None:
                if game == 0:
                    break  # what is assumed never to be offered must be taken
                continue
            # what only comes behind the end of the forecast is none of its values
            counts.update(one for one in observed.items() if one in chances)
            counts[None] += 1
        if counts[None]:
            played = counts.pop(None)
            for (number, values), difference in differences(found, chances, counts, played):
                yield f"{forecast.name}{args}: {spec.outcomes[number][0]}{values}: {difference}"


def first_of(ruleset: str) -> str:
    """The scenario of a ruleset with which its forecasts are held against games."""
    return next(s for s in sampled() if s.split("/")[0] == ruleset)


@pytest.mark.long
@pytest.mark.parametrize("ruleset", playable())
def test_forecasts_hold(ruleset: str) -> None:
    assert list(hold(first_of(ruleset), 400)) == []


@pytest.mark.parametrize("ruleset", playable())
def test_no_forecast_rolls_itself(ruleset: str) -> None:
    """A forecast in whose own steps chance comes in tells again what the rules say."""
    program, rolling = compiled(ruleset).program, set()
    for info in program.forecasts.values():
        names = run_by(program, info) if info.at else set()
        steps = [s for name in names for s in statements_of(program.procedures[name].body)]
        if any(isinstance(s, ir.Roll | ir.DrawFrom | ir.Draw | ir.Shuffle | ir.Mix) for s in steps):
            rolling.add(info.name)
    assert not rolling


@pytest.mark.parametrize("exact", [True, False])
def test_only_what_is_more_than_chance_is_reported(exact: bool) -> None:
    found = ForecastResult("f", (), exact, 1000)
    chances = {"a": 0.5, "b": 0.5, "c": 1.0, "d": 0.001}
    counts = Counter(a=540, b=760, c=1000, e=80)
    assert {what for what, _ in differences(found, chances, counts, 1000)} == {"b", "e"}
