"""What a scenario says, checked and encoded: the engine starts a game from it.

Values are ints, as everywhere in the engine: a number, 0 or 1, the index of a member, hex or piece,
``NONE`` for none, a bit mask for a set.  Only what the scenario gives is there; the rest keeps its
initial value.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import Any

from runtime.model import NONE, BoardSetUp


@dataclass(frozen=True, slots=True)
class Unmet:
    """What a set-up does not meet, in words, and the slots that it rests on."""

    sentence: str
    reads: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class PieceSetUp:
    """A piece: its name, fit for option texts, and the fields that are given.

    *pool* is the same number for the pieces of a kind that come from one entry with ``count``,
    ``NONE`` for all others.
    """

    name: str
    values: dict[str, int]
    pool: int = NONE


@dataclass(frozen=True, slots=True)
class SideInfo:
    """How a side is called, and the prefix of the names of its pieces."""

    name: str
    prefix: str


@dataclass(frozen=True)
class SetUp:
    """A scenario.

    *switches* holds all switches of the ruleset, *game* the fields of the game, *fields* those of
    enum members (the sides among them) and hexes as ``owner → field → index → value``, *pieces* the
    pieces of each kind in the order of their indices, *board* the board where it is not the
    ruleset's.  The rest is wording and plays no part in play.
    """

    ruleset: str
    title: str
    switches: dict[str, bool] = field(default_factory=dict)
    game: dict[str, int] = field(default_factory=dict)
    fields: dict[str, dict[str, dict[int, int]]] = field(default_factory=dict)
    pieces: dict[str, tuple[PieceSetUp, ...]] = field(default_factory=dict)
    sides: tuple[SideInfo, ...] = ()
    date: str = ""
    provenance: str = ""
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    length: int = 0
    board: BoardSetUp | None = None

    def pieces_of(self, kinds: Iterable[str]) -> tuple[PieceSetUp, ...]:
        """The pieces of several kinds, numbered as those of their common parent."""
        return tuple(piece for kind in kinds for piece in self.pieces.get(kind, ()))

    def own_number(self, kinds: Iterable[str], number: int) -> tuple[str, int]:
        """Kind and number there of a piece that is numbered so; ``("", NONE)`` for none."""
        for kind in kinds:
            count = len(self.pieces.get(kind, ()))
            if 0 <= number < count:
                return kind, number
            number -= count
        return "", NONE

    def common_number(self, kinds: Iterable[str], kind: str, number: int) -> int:
        """The number of a piece of a kind among those of *kinds*."""
        before = takewhile(lambda other: other != kind, kinds)
        return number + sum(len(self.pieces.get(other, ())) for other in before)

    @cached_property
    def hash(self) -> str:
        """SHA-256 of everything that matters to play and its record."""
        content: dict[str, Any] = {
            "ruleset": self.ruleset,
            "switches": self.switches,
            "game": self.game,
            "fields": self.fields,
            "pieces": {
                kind: [[piece.name, piece.values] for piece in pieces]
                for kind, pieces in self.pieces.items()
                if pieces
            },
        }
        if self.board is not None:
            board = self.board.board.spec()
            content["board"] = [
                {key: board[key] for key in board if key not in ("name", "names")},
                self.board.values,
            ]
        pools = {
            kind: [piece.pool for piece in pieces]
            for kind, pieces in self.pieces.items()
            if any(p.pool != NONE for p in pieces)
        }
        if pools:
            content["pools"] = pools
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()
