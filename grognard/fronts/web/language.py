"""The language that a browser asks for."""

from __future__ import annotations

from grognard.lexicon.catalogue import ENGLISH, languages


def language_of(accepted: str) -> str:
    """The language of an ``Accept-Language`` that the program speaks and the browser likes best;
    else English.
    """
    best, most = ENGLISH, 0.0
    for part in accepted.split(","):
        name, _, more = part.partition(";")
        code = name.strip().split("-")[0].casefold()
        liked = _number(more.strip().removeprefix("q="))
        if code in languages() and liked > most:
            best, most = code, liked
    return best


def _number(text: str) -> float:
    try:
        return float(text) if text else 1.0
    except ValueError:
        return 0.0
