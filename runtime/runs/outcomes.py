"""What a forecast says: outcomes with their chances, and the questions at which ways end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
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

    *depth* is 0 for what is observed, at least on some way, before chance comes in or behind its
    first time, n for what is observed behind n further ones.  What is observed again behind further
    chance is an outcome of its own.
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

    @property
    def deviation(self) -> float:
        """The standard deviation of a number where it comes to it."""
        mean = self.mean
        square = sum((a.chance * (a.values[0] - mean) ** 2 for a in self.alternatives), Fraction())
        return sqrt(square / self.chance)


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
class Foreseen:
    """What a forecast says: its outcomes in the order in which they come, the *questions* at which
    it ends, and from how many *ways* or samples.

    *exact* says whether all ways were gone; else *ways* is the number of samples.
    """

    forecast: str
    outcomes: tuple[Foretold, ...]
    exact: bool
    ways: int
    questions: tuple[Question, ...] = ()


#: What is observed: the number of the outcome, and how often it was on the same way behind less
#: chance.
Key: TypeAlias = tuple[int, int]


@dataclass
class Tally:
    """What was observed: of each outcome, the weight of each of its values; and the weight of each
    question.
    """

    weights: dict[Key, dict[Values, Fraction]] = field(default_factory=dict)
    questions: dict[tuple[int, int, Values], Fraction] = field(default_factory=dict)
    #: of each, at least: how often chance had come in, and how many things were observed since
    places: dict[Key, tuple[int, int]] = field(default_factory=dict)

    def note(self, times: int, keys: Iterable[Key]) -> None:
        """Note what was observed since chance came in so many times, in order."""
        for place, key in enumerate(keys):
            at = times, place
            if key not in self.places or at < self.places[key]:
                self.places[key] = at

    def add(self, key: Key, values: Values, weight: Fraction) -> None:
        """Count values that were observed."""
        weights = self.weights.setdefault(key, {})
        weights[values] = weights.get(values, Fraction()) + weight

    def ask(self, question: tuple[int, int, Values], weight: Fraction) -> None:
        """Count a question that was come to."""
        self.questions[question] = self.questions.get(question, Fraction()) + weight

    def foreseen(self, spec: RulesetSpec, forecast: str, ways: int, sampled: bool) -> Foreseen:
        """All of it."""
        times = ways if sampled else 0
        foretold = []
        for key in sorted(self.weights, key=lambda key: (self.places[key], key)):
            name, types = spec.outcomes[key[0]]
            alternatives = tuple(
                Alternative(values, weight, _interval(weight, times))
                for values, weight in sorted(self.weights[key].items())
            )
            foretold.append(Foretold(name, types, alternatives, max(0, self.places[key][0] - 1)))
        questions = tuple(
            Question(*question, weight, _interval(weight, times))
            for question, weight in sorted(self.questions.items())
        )
        return Foreseen(forecast, tuple(foretold), not sampled, ways, questions)


def _interval(share: Fraction, times: int) -> tuple[float, float] | None:
    return wilson(int(share * times), times) if times else None
