"""What forecasts say, in words: a few of them beside an option, all of them where one asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from grognard.words import Words, words_in
from runtime.forecast import Alternative, Foreseen, Foretold
from runtime.wording import Wording, filled

#: How many of the alternatives of an outcome are named beside an option, and in all.
_BESIDE, _LISTED = 6, 24
_ENGLISH = Words()


def percent(chance: Fraction | float, places: int = 0, words: Words = _ENGLISH) -> str:
    """A chance in words: ``41%``; what is possible is not 0, what is not certain not 100."""
    least = 0.5 / 10**places
    share = float(chance)
    if 0 < 100 * share < least:
        return words("under {share}", share=words.percent(2 * least / 100, places))
    if 100 - least <= 100 * share < 100:
        return words("over {share}", share=words.percent(1 - 2 * least / 100, places))
    return words.percent(share, places)


def _text(wording: Wording, outcome: Foretold, words: Sequence[str]) -> str:
    template = wording.text(f"outcome.{outcome.name}", default="")
    return filled(template, words) if template else " ".join([outcome.name.replace("_", " "), *words])


def _worded(wording: Wording, outcome: Foretold, one: Alternative) -> str:
    """An outcome with certain values."""
    words = [wording.word(type_, value) for type_, value in zip(outcome.types, one.values, strict=True)]
    return _text(wording, outcome, words)


def _mean(wording: Wording, outcome: Foretold) -> str:
    """An outcome of one number with its mean."""
    return _text(wording, outcome, [_words(wording).number(float(outcome.mean), 1)])


def beside(wording: Wording, foreseen: Foreseen) -> str:
    """What a forecast says itself, in a few words; nothing where it says nothing."""
    parts: list[str] = []
    for outcome in (o for o in foreseen.outcomes if not o.depth):
        parts += _few(wording, outcome)
    told = ", ".join(parts)
    words = _words(wording)
    return words("about {outcomes}", outcomes=told) if parts and not foreseen.exact else told


def _few(wording: Wording, outcome: Foretold) -> Iterator[str]:
    if outcome.number and len(outcome.alternatives) > 1:
        chance = f" ({_percent(wording, outcome.chance)})" if outcome.chance < 1 else ""
        yield _mean(wording, outcome) + chance
        return
    likely = outcome.alternatives
    if len(likely) > _BESIDE:
        likely = tuple(sorted(likely, key=lambda a: -a.chance)[: _BESIDE - 1])
    for one in likely:
        chance = f" {_percent(wording, one.chance)}" if one.chance < 1 else ""
        yield _worded(wording, outcome, one) + chance
    if len(likely) < len(outcome.alternatives):
        yield "…"


def lines(wording: Wording, foreseen: Foreseen) -> list[str]:
    """All that a forecast says, an outcome a line; what it goes on with is indented."""
    return ["  " * outcome.depth + _whole(wording, outcome) for outcome in foreseen.outcomes]


def _whole(wording: Wording, outcome: Foretold) -> str:
    first = outcome.alternatives[0]
    if outcome.certain or len(outcome.types) == 0:
        return _worded(wording, outcome, first) + ("" if outcome.certain else f" {_chance(wording, first)}")
    if not outcome.number:
        each = (
            f"{_worded(wording, outcome, one)} {_chance(wording, one)}"
            for one in outcome.alternatives[:_LISTED]
        )
        return ", ".join([*each, *(["…"] if len(outcome.alternatives) > _LISTED else [])])
    when = f"{_percent(wording, outcome.chance, 1)}: " if outcome.chance < 1 else ""
    numbers = ", ".join(f"{one.values[0]} {_chance(wording, one)}" for one in outcome.alternatives[:_LISTED])
    more = ", …" if len(outcome.alternatives) > _LISTED else ""
    words, mean = _words(wording), _mean(wording, outcome)
    return when + words("{outcome} on average ({numbers})", outcome=mean, numbers=numbers + more)


def _words(wording: Wording) -> Words:
    return words_in(wording.language)


def _percent(wording: Wording, chance: Fraction | float, places: int = 0) -> str:
    return percent(chance, places, _words(wording))


def _chance(wording: Wording, one: Alternative) -> str:
    if one.interval is None:
        return _percent(wording, one.chance, 1)
    low, high = one.interval
    return f"{_percent(wording, one.chance)} ({100 * low:.0f}–{100 * high:.0f})"


def source(foreseen: Foreseen, words: Words = _ENGLISH) -> str:
    """Where the numbers come from."""
    if foreseen.exact:
        return ""
    return words("from {count} samples; in brackets the 95% interval", count=f"{foreseen.ways:,}")
