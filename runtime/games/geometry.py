"""Hexes, directions and distances that are written as the rules work them out:
``neighbor(C4, east)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from runtime.bitsets import bits
from runtime.board import Board
from runtime.data.findings import suggestion
from runtime.errors import ArgumentError
from runtime.model import TypeSpec
from runtime.services import turn
from runtime.spelling import split_arguments

#: Reads the value of a type out of a text.
Reader: TypeAlias = Callable[[TypeSpec, str], int]

_HEX, _NUMBER = TypeSpec("hex", "Hex"), TypeSpec("int")
_DIRECTION = TypeSpec("enum", "Direction")
_HEXES, _DIRECTIONS = TypeSpec("set", of=_HEX), TypeSpec("set", of=_DIRECTION)


@dataclass(frozen=True, slots=True)
class _Form:
    """A service of the language that reads nothing but the board."""

    params: tuple[tuple[str, TypeSpec], ...]
    type: TypeSpec
    work_out: Callable[..., Any]


_PAIR = (("a", _HEX), ("b", _HEX))
_FORMS = {
    "neighbor": _Form((("h", _HEX), ("d", _DIRECTION)), _HEX, lambda b, h, d: b.toward[h][d]),
    "neighbors": _Form((("h", _HEX),), _HEXES, lambda b, h: b.neighbor_masks[h]),
    "around": _Form((("h", _HEX), ("n", _NUMBER)), _HEXES, Board.around_mask),
    "crossed": _Form(_PAIR, _HEXES, Board.crossed_mask),
    "entries": _Form(_PAIR, _HEXES, Board.entries_mask),
    "distance": _Form(_PAIR, _NUMBER, Board.distance),
    "direction": _Form(_PAIR, _DIRECTION, Board.direction),
    "bearing": _Form(_PAIR, _DIRECTIONS, Board.bearing_mask),
    "turn": _Form((("d", _DIRECTION), ("n", _NUMBER)), _DIRECTION, lambda _, d, n: turn(d, n)),
}
#: A call that holds no other.
_INNERMOST = re.compile(rf"(?<![\w.])({'|'.join(_FORMS)})\s*\(([^()]*)\)")


def worked_out(text: str, board: Board, read: Reader) -> str:
    """*text* with the name of its value in the place of each call of the board's geometry; of a set
    the names of its members, or ``none``.

    ArgumentError where a call has other arguments than it takes.
    """

    def direction(text: str) -> int:
        """A direction; a ruleset that speaks of none has no enum of them."""
        if text in board.directions:
            return board.directions.index(text)
        if text == "none":
            return -1
        raise ArgumentError(f"'{text}' is not a direction", suggestion(text, board.directions))

    def name(call: re.Match[str]) -> str:
        form, given = _FORMS[call[1]], split_arguments(call[2])
        if len(given) != len(form.params):
            count = f"{len(form.params)} argument{'s' if len(form.params) != 1 else ''}"
            names = ", ".join(name for name, _ in form.params)
            raise ArgumentError(f"{call[1]} expects {count} ({names}), got {len(given)}")
        values = [
            direction(one) if type_ is _DIRECTION else read(type_, one)
            for (_, type_), one in zip(form.params, given, strict=True)
        ]
        return _value_name(board, form.type, int(form.work_out(board, *values)))

    changed = ""
    while text != changed and "(" in text:
        changed, text = text, _INNERMOST.sub(name, text)
    return text


def _value_name(board: Board, type_: TypeSpec, value: int) -> str:
    """A value as cases and commands write it."""
    if type_.of is not None:
        return " ".join(_value_name(board, type_.of, one) for one in bits(value)) or "none"
    if type_.kind == "int":
        return str(value)
    names = board.labels if type_.kind == "hex" else board.directions
    return names[value] if value >= 0 else "none"
