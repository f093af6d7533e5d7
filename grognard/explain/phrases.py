"""What forecasts say, in words: in short beside an option, all of it where one asks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import Any

from grognard.lexicon.catalogue import Words
from runtime.games.wording import Wording, filled
from runtime.runs.forecast import Alternative, Foreseen, Foretold

#: How many of the alternatives of an outcome are named beside an option, and in all.
_BESIDE, _LISTED = 6, 24


class Phrases:
    """Outcomes in the words of a ruleset's catalogue."""

    def __init__(self, wording: Wording, words: Words) -> None:
        self.wording = wording
        self.words = words

    def percent(self, chance: Fraction | float, digits: int = 0) -> str:
        """A chance; what is possible is not told as 0, what is not certain not as 100."""
        least = 0.5 / 10**digits / 100
        share = float(chance)
        if 0 < share < least:
            return self.words("under {share}", share=self.words.percent(2 * least, digits))
        if 1 - least <= share < 1:
            return self.words("over {share}", share=self.words.percent(1 - 2 * least, digits))
        return self.words.percent(share, digits)

    # ------------------------------------------------------------------ beside an option

    def beside(self, foreseen: Foreseen, further: Collection[str] = ()) -> str:
        """What a forecast says itself, in a few words, and what it says of *further* outcomes
        behind that.
        """
        sure: list[str] = []
        about: list[str] = []
        for outcome in (o for o in foreseen.outcomes if not o.depth or o.name in further):
            (sure if foreseen.exact or (outcome.certain and not about) else about).extend(
                self._few(outcome)
            )
        rest = [self.words("about {outcomes}", outcomes=", ".join(about))] if about else []
        return ", ".join([*sure, *rest])

    def _few(self, outcome: Foretold) -> Iterator[str]:
        if outcome.number and len(outcome.alternatives) > 1:
            yield self.mean(outcome) + (
                f" ({self.percent(outcome.chance)})" if outcome.chance < 1 else ""
            )
            return
        likely = outcome.alternatives
        if len(likely) > _BESIDE:
            likely = tuple(sorted(likely, key=lambda a: -a.chance)[: _BESIDE - 1])
        for one in likely:
            yield self.worded(outcome, one) + (
                f" {self.percent(one.chance)}" if one.chance < 1 else ""
            )
        if len(likely) < len(outcome.alternatives):
            yield "…"

    # ------------------------------------------------------------------ all

    def lines(self, foreseen: Foreseen) -> list[str]:
        """All that a forecast says, an outcome a line; what it goes on with is indented."""
        made = ["  " * outcome.depth + self._whole(outcome) for outcome in foreseen.outcomes]
        if not foreseen.exact:
            message = "from {count} samples; in brackets the 95% interval"
            made.append(self.words(message, count=foreseen.ways))
        return made

    def _whole(self, outcome: Foretold) -> str:
        first = outcome.alternatives[0]
        if outcome.certain:
            return self.worded(outcome, first)
        listed = outcome.alternatives[:_LISTED]
        more = ["…"] if len(outcome.alternatives) > len(listed) else []
        if not outcome.number or len(listed) == 1:
            each = (f"{self.worded(outcome, one)} {self._chance(one)}" for one in listed)
            return ", ".join([*each, *more])
        numbers = ", ".join([*(f"{one.values[0]}: {self._chance(one)}" for one in listed), *more])
        when = f"{self.percent(outcome.chance, 1)}: " if outcome.chance < 1 else ""
        message = "{outcome} on average ({numbers})"
        return when + self.words(message, outcome=self.mean(outcome), numbers=numbers)

    def _chance(self, one: Alternative) -> str:
        if one.interval is None:
            return self.percent(one.chance, 1)
        low, high = one.interval
        words = self.words
        return f"{self.percent(one.chance)} ({words.number(100 * low)}–{words.number(100 * high)})"

    # ------------------------------------------------------------------ texts

    def worded(self, outcome: Foretold, one: Alternative) -> str:
        """An outcome with certain values."""
        word = self.wording.word
        words = [word(type_, value) for type_, value in zip(outcome.types, one.values, strict=True)]
        return self._text(outcome, words, one.values)

    def mean(self, outcome: Foretold) -> str:
        """An outcome of one number with its mean."""
        return self._text(outcome, [self.words.number(float(outcome.mean), 1)], ())

    def _text(self, outcome: Foretold, words: Sequence[str], values: Sequence[Any]) -> str:
        template = self.wording.text(f"outcome.{outcome.name}", default="")
        if not template:
            return " ".join([outcome.name.replace("_", " "), *words])

        def inflected(place: int, case: str) -> str:
            return (
                self.wording.word(outcome.types[place], values[place], case)
                if values
                else words[place]
            )

        return filled(template, words, inflected)
