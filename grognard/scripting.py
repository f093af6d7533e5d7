"""Scripts of chance that programs give."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

from grognard.errors import ArgumentError, as_text, given
from runtime.model import RulesetSpec

#: What chance is to give: by the name of a die its faces, by that of a deck the top cards of each shuffle, by
#: ``draw`` what is drawn; a list alone is for the only die.
Script = Mapping[str, Sequence[Any]] | Sequence[int | str]


def script_of(spec: RulesetSpec, dice: Any) -> dict[str, list[Any]]:
    """A script by the names of dice and decks, as plain data."""
    if isinstance(dice, list | tuple):
        if len(spec.dice) != 1:
            raise ArgumentError(
                f"the dice must say which die they are: {', '.join(d.name for d in spec.dice)}",
                "write {'d6': [6, 1]}",
            )
        dice = {spec.dice[0].name: dice}
    if not isinstance(dice, Mapping) or not all(isinstance(faces, list | tuple) for faces in dice.values()):
        raise ArgumentError(
            f"dice are lists of faces by the name of the die, not {given(dice)}", "write {'d6': [6, 1]}"
        )
    return {
        as_text(name): [
            [_face(card) for card in one] if isinstance(one, list | tuple) else _face(one) for one in entries
        ]
        for name, entries in dice.items()
    }


def _face(face: Any) -> int | str:
    """A face of a die, a card, or what is drawn, as it may be written in a script."""
    try:
        made: int | str = face if isinstance(face, str) else operator.index(face)
    except TypeError:
        raise ArgumentError(
            f"a face is a number or a name, not {given(face)}", "write {'d6': [6, 1]}"
        ) from None
    as_text(made)
    return made
