"""What a forecast says: outcomes with their chances, and the questions at which ways end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeAlias

from runtime.model import RulesetSpec, TypeSpec
from runtime.runs.intervals import wilson

Values: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """Values of an outcome, and how likely they are; from samples with the 95% interval."""

    values: Values
    chance: Fraction
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Foretold:
    """An outcome: its *name*, the types of its values, and what these can be, in ascending order.

    *depth* is 0 for what is observed before chance comes in or behind its first time, n for what is
    observed behind n further ones; chance with nothing observed between is one time.
    """

    name: str
    types: tuple[TypeSpec, ...]
    alternatives: tuple[Alternative, ...]
    depth: int = 0

    @property
    def chance(self) -> Fraction:
        """How likely it is that it comes to this outcome at all."""
        return sum((a.chance for a in self.alternatives), Fraction())

    @property
    def certain(self) -> bool:
        """Whether nothing else can be."""
        return len(self.alternatives) == 1 and self.chance == 1

    @property
    def number(self) -> bool:
        """Whether it is one number, of which there is a mean."""
        return len(self.types) == 1 and self.types[0].kind == "int"

    @property
    def mean(self) -> Fraction:
        """The mean of a number where it comes to it."""
        return sum((a.chance * a.values[0] for a in self.alternatives), Fraction()) / self.chance


def together(outcomes: Iterable[Foretold]) -> dict[str, Foretold]:
    """Outcomes by their names, each with its chances behind however much chance."""
    found: dict[str, list[Foretold]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.name, []).append(outcome)
    return {name: same[0] if len(same) == 1 else _sum(same) for name, same in found.items()}


def _sum(outcomes: list[Foretold]) -> Foretold:
    chances: dict[Values, Fraction] = {}
    for one in (one for outcome in outcomes for one in outcome.alternatives):
        chances[one.values] = chances.get(one.values, Fraction()) + one.chance
    alternatives = tuple(Alternative(v, chance) for v, chance in sorted(chances.items()))
    return replace(outcomes[0], alternatives=alternatives)


@dataclass(frozen=True, slots=True)
class Question:
    """A decision at which ways end, as nothing is assumed of it: the *side* that is asked, the
    decision, what it is about, and how likely it is.
    """

    side: int
    decision: int
    about: Values
    chance: Fraction
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class ForecastResult:
    """What a forecast says: its outcomes in the order in which they come, the *questions* at which
    it ends, and from how many *ways* or samples.

    *exact* says whether all ways were gone; else *ways* is the number of samples.
    """

    forecast: str
    outcomes: tuple[Foretold, ...]
    exact: bool
    ways: int
    questions: tuple[Question, ...] = ()


@dataclass
class Tally:
    """What was observed: by the times that chance had come in, and number of the outcome, the
    weight of each of its values; and the weight of each question.
    """

    weights: dict[tuple[int, int], dict[Values, Fraction]] = field(default_factory=dict)
    questions: dict[tuple[int, int, Values], Fraction] = field(default_factory=dict)
    #: how many things were observed before each on the same way, at least
    before: dict[tuple[int, int], int] = field(default_factory=dict)

    def note(self, times: int, numbers: Iterable[int]) -> None:
        """Note in which order outcomes are observed."""
        for place, number in enumerate(numbers):
            if place < self.before.get((times, number), place + 1):
                self.before[times, number] = place

    def add(self, times: int, number: int, values: Values, weight: Fraction) -> None:
        """Count values that were observed."""
        weights = self.weights.setdefault((times, number), {})
        weights[values] = weights.get(values, Fraction()) + weight

    def ask(self, question: tuple[int, int, Values], weight: Fraction) -> None:
        """Count a question that was come to."""
        self.questions[question] = self.questions.get(question, Fraction()) + weight

    def foreseen(
        self, spec: RulesetSpec, forecast: str, ways: int, sampled: bool
    ) -> ForecastResult:
        """All of it."""
        times = ways if sampled else 0
        foretold = []
        order = sorted(self.weights, key=lambda key: (key[0], self.before.get(key, 0), key[1]))
        for key in order:
            name, types = spec.outcomes[key[1]]
            alternatives = tuple(
                Alternative(values, weight, _interval(weight, times))
                for values, weight in sorted(self.weights[key].items())
            )
            foretold.append(Foretold(name, types, alternatives, max(0, key[0] - 1)))
        questions = tuple(
            Question(*question, weight, _interval(weight, times))
            for question, weight in sorted(self.questions.items())
        )
        return ForecastResult(forecast, tuple(foretold), not sampled, ways, questions)


def _interval(share: Fraction, times: int) -> tuple[float, float] | None:
    return wilson(int(share * times), times) if times else None
