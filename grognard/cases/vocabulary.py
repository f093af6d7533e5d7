"""Whether a text could be an option, or stand in the log at all: else its absence says nothing."""

from __future__ import annotations

import re
from itertools import chain

from runtime.games.game import Game
from runtime.games.wording import Wording
from runtime.model import RulesetSpec, TypeSpec

_WORD = re.compile(r"[^\W\d_]{3,}")


def could_be_offered(game: Game, text: str) -> bool:
    """Whether *text* is an option of some decision of the ruleset, with a value that there is."""
    words = text.split()
    for decision in game.spec.decisions:
        if text == decision.passing:
            return True
        for option in decision.options:
            if not words or words[0] != option.word:
                continue
            values = words[1:]
            if len(values) == len(option.values) and all(
                _is_name(game, type_, word)
                for type_, word in zip(option.values, values, strict=True)
            ):
                return True
    return False


def _is_name(game: Game, type_: TypeSpec, word: str) -> bool:
    if type_.kind in ("hex", "piece", "enum"):
        return word in game.names.all(type_)
    return bool(re.fullmatch(r"-?\d+", word)) if type_.kind == "int" else True


def could_be_noted(game: Game, text: str) -> str:
    """The first word of *text* that stands neither in a note of the ruleset nor in a name; "" when
    there is none.
    """
    known = _vocabulary(game.spec, game.wording)
    names = chain.from_iterable(
        (piece.name for piece in pieces) for pieces in game.setup.pieces.values()
    )
    all_of = "\n".join(
        chain(known, names, (side.name for side in game.setup.sides), game.log)
    ).casefold()
    if not any(c.isalpha() for c in text):
        return "" if text.strip().casefold() in all_of else text
    return next((word for word in _WORD.findall(text) if word.casefold() not in all_of), "")


def _vocabulary(spec: RulesetSpec, wording: Wording) -> list[str]:
    """All that notes are made of."""
    texts = [
        spec.text(f"note.{name}", wording.language, default=name.replace("_", " "))
        for name in spec.notes
    ]
    for enum, members in spec.enums.items():
        texts += members
        texts += [spec.text(f"{enum}.{member}", wording.language) for member in members]
    texts += spec.board.labels
    texts += [
        spec.text(key, wording.language, default="") for key in ("none", "bool.yes", "bool.no")
    ]
    return texts
