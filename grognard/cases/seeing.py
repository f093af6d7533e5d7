"""What a case expects that a side sees.

``sees: {bottom: {fields: {hi.nerve: unseen}, piles: {"hand[top]": 3}, log: [words], not_log:
[words]}}``
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from grognard.cases.saying import could_be_noted
from runtime.data.findings import suggestion
from runtime.games.game import Game
from runtime.model import NONE
from runtime.view import Sight, view

if TYPE_CHECKING:
    from grognard.cases.words import Words

_KEYS = ("fields", "piles", "log", "not_log")
#: What a field is expected to be that a side does not see.
UNSEEN = "unseen"


class SeesError(ValueError):
    """What a case says about what a side sees cannot be understood."""


def check_sees(game: Game, wanted: Any, words: Words, problem: Callable[[str], None]) -> None:
    """Compare what each side sees with what is expected; *problem* is told of every difference."""
    if not isinstance(wanted, Mapping):
        raise SeesError("'sees' is a mapping of sides to what they see")
    for name, expected in wanted.items():
        if name not in game.spec.sides:
            raise SeesError(f"there is no side '{name}'; {suggestion(str(name), game.spec.sides)}")
        if not isinstance(expected, Mapping):
            raise SeesError(f"what {name} sees is a mapping with the keys {', '.join(_KEYS)}")
        for key in expected:
            if key not in _KEYS:
                raise SeesError(
                    f"unknown expectation '{key}' of what {name} sees; {suggestion(str(key), _KEYS)}"
                )
        told = partial(_tell, problem, str(name))
        _check_side(game, game.spec.sides.index(name), expected, words, told)


def _tell(problem: Callable[[str], None], side: str, text: str) -> None:
    problem(f"{side} sees: {text}")


def _check_side(
    game: Game, side: int, wanted: Mapping[str, Any], words: Words, problem: Callable[[str], None]
) -> None:
    seen = view(game.state, side)
    _check_fields(game, seen, wanted.get("fields") or {}, words, problem)
    _check_piles(game, seen, wanted.get("piles") or {}, words, problem)
    text = "\n".join(game.log_of(side))
    for line in wanted.get("log") or ():
        if str(line) not in text:
            problem(f"log: expected a line with '{line}'")
    for line in wanted.get("not_log") or ():
        if str(line) in text:
            problem(f"log: expected no line with '{line}'")
        missing = could_be_noted(game, str(line))
        if missing:
            problem(
                f"log: no note of the ruleset says '{missing}', so this expectation can never fail"
            )


def _check_fields(
    game: Game, seen: Sight, wanted: Mapping[str, Any], words: Words, problem: Callable[[str], None]
) -> None:
    for key, value in wanted.items():
        field, index = words.field(str(key))
        shown = seen.shows(field.slot, NONE if index is None else index)
        if str(value) == UNSEEN or not shown:
            if shown or str(value) != UNSEEN:
                problem(f"{key}: expected {value}, is {'seen' if shown else UNSEEN}")
            continue
        expected, actual, type_ = words.compare(game.state, str(key), value)
        if expected != actual:
            problem(
                f"{key}: expected {words.name(type_, expected)}, is {words.name(type_, actual)}"
            )


def _check_piles(
    game: Game, seen: Sight, wanted: Mapping[str, Any], words: Words, problem: Callable[[str], None]
) -> None:
    for key, cards in wanted.items():
        pile, index = words.pile_of(str(key))
        content = seen.data[pile.slot] if index is None else seen.data[pile.slot][index]
        members = game.spec.enums[pile.enum]
        actual_cards = (
            content
            if isinstance(content, int)
            else [UNSEEN if card is None else members[card] for card in content]
        )
        expected_cards = cards if isinstance(cards, int) else [str(card) for card in cards or []]
        if isinstance(actual_cards, list) and isinstance(expected_cards, list):
            actual_cards, expected_cards = sorted(actual_cards), sorted(expected_cards)
        if actual_cards != expected_cards:
            problem(f"pile {key}: expected {expected_cards}, is {actual_cards}")
