"""Where a line that is too long for the canonical layout is broken.

Places are known by how deep they stand in the tree: the shallowest place before which the line fits is the
best one, and among equals what the words suggest, a condition before a value, the last before the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

WIDTH = 120  # of a line at most

#: Words before which a line may end, by how gladly.
_BEFORE = {
    **dict.fromkeys(("when", "carrying", "veiled"), 0),
    **dict.fromkeys(("by", "across", "clear", "from"), 1),
    **dict.fromkeys(("where", "prompt", "pass", "or", "else", "then", "stay"), 2),
    **dict.fromkeys(("and", "for", "within", "except", "has"), 3),
    **dict.fromkeys(("otherwise", "+", "-", "*", "/", "mod", ".."), 4),
}
_AFTER_VALUE = 2
_AFTER_COMMA = 3
# Where the value always starts a line of its own rather than being broken.
_BODIES = {"function", "base_rule", "requirement"}


@dataclass(slots=True)
class Token:
    """What of a token decides about breaking: its text, its rule of the grammar, its level in the tree, a
    name or not.
    """

    text: str
    rule: str
    level: int
    word: bool


def best_break(
    tokens: Callable[[int], Token],
    places: Iterable[int],
    end: int,
    width: Callable[[int, int], int],
    start: int,
) -> int | None:
    """The place among *places*, in ascending order, at which the line from *start* to *end* is best broken;
    *width* measures a part of it.
    """
    found: list[tuple[bool, int, int, int]] = []
    for at in places:
        here, last = tokens(at), tokens(at - 1)
        if last.text == "=" and not last.word and (last.rule in _BODIES or width(at, end) <= WIDTH):
            level, gladly = last.level, _AFTER_VALUE
        elif last.text == ",":
            level, gladly = last.level, _AFTER_COMMA
        elif not here.word and here.text in _BEFORE and here.rule not in ("neg", "if_stmt"):
            level, gladly = here.level, _BEFORE[here.text]
        else:
            continue
        fits = width(start, at) <= WIDTH
        if not fits and found and not found[0][0]:
            break  # what comes later fits no better
        found.append((not fits, level, gladly, -at if fits else at))
    if not found:
        return None
    return abs(min(found)[3])
