"""Positions as people read them: pieces, hexes, fields and piles by their names.

A value is read as

=========================  =====================================================================
a number                   ``int``
a bool                     ``bool``
a member, hex or piece     its name (``str``), ``None`` for none
a set or a roll            a tuple of such values, in ascending order, or in the order rolled
a field ``per`` an enum    a dict from the names of the members to values
what a side does not see   :data:`UNSEEN`
=========================  =====================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NoReturn, Self

from runtime.bitsets import bits
from runtime.board import Board as Grid
from runtime.errors import ArgumentError, value_in_words
from runtime.games.names import Names, known_names
from runtime.model import NONE, FieldSpec
from runtime.option import Value
from runtime.spelling import did_you_mean
from runtime.state import StateBase, values_of
from runtime.view import Sight

__all__ = ["UNSEEN", "Board", "Piece", "Position"]

#: Stands where there is a value, or a card, that a side does not see.
UNSEEN: Final = "unseen"


@dataclass(frozen=True, repr=False)
class Piece:
    """A piece as it stood when the position was read: ``piece.name``, ``piece.kind``, and its
    fields.

    A field is read as an attribute (``piece.hex``) or, where it is called like something else here,
    as ``piece["name"]``.
    """

    kind: str
    name: str
    fields: Mapping[str, Value]

    def __getitem__(self, field: str) -> Value:
        try:
            return self.fields[field]
        except (KeyError, TypeError):
            known = known_names(field, self.fields)
            raise ArgumentError(
                f"{self.kind} has no field {value_in_words(field)}", known
            ) from None

    def __getattr__(self, field: str) -> Value:
        if field.startswith("__") or field == "fields":
            raise AttributeError(field)
        if field in self.fields:
            return self.fields[field]
        known = known_names(field, self.fields)
        raise AttributeError(f"{self.kind} has no field {field!r} ({known})")

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name!r}>"

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.fields]

    def __hash__(self) -> int:
        return hash((self.kind, self.name))


#: What looks like the label of a hex.
_LABEL = re.compile(r"[A-Za-z]{1,2}\d{1,3}|\d{3,4}")


class Position:
    """What there is at one moment, or what a side sees of it; it does not change."""

    def __init__(self, names: Names, state: StateBase, seen: Sight | None = None) -> None:
        self._names = names
        self._state = state
        self._seen = seen

    def __copy__(self) -> Self:
        return self  # it does not change

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> NoReturn:
        message = f"a {type(self).__name__.lower()} cannot be pickled"
        raise ArgumentError(message, "its 'data' can, or the game's record")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._names.setup == other._names.setup and self.data == other.data

    __hash__ = None  # type: ignore[assignment]

    @property
    def board(self) -> Board:
        """The board."""
        return Board(self._names)

    # ------------------------------------------------------------------ fields

    def _value(self, field: FieldSpec, owner: int = NONE) -> Value:
        if self._seen is not None and not self._seen.shows(field.slot, owner):
            return UNSEEN
        value = getattr(self._state, field.slot)
        return self._names.read(field.type, value if owner == NONE else value[owner])

    def _fields(self, owner: str, index: int = NONE) -> dict[str, Value]:
        values: dict[str, Value] = {}
        for field in self._names.fields(owner):
            value = self._value(field, index)
            if field.per is None:
                values[field.name] = value
            else:
                member = self._names.spec.enums[field.per][field.member]
                values.setdefault(field.base, {})[member] = value
        return values

    @cached_property
    def fields(self) -> dict[str, Value]:
        """The fields of the game, by name."""
        return self._fields("Game")

    def pieces(self, kind: str | None = None, **where: Value) -> tuple[Piece, ...]:
        """The pieces, on the board or off it, in order: all, those of a kind or of a common parent,
        those whose fields are as given.

        ``position.pieces("Unit", side="top", hex="C4")``.  ArgumentError where there is no such
        kind or field.
        """
        spec = self._names.spec
        all_kinds = (*spec.kinds, *spec.parents)
        if kind is not None and not (isinstance(kind, str) and kind in all_kinds):
            message = f"there is no kind of pieces {value_in_words(kind)}"
            raise ArgumentError(message, known_names(kind, all_kinds))
        kinds = spec.kinds if kind is None else spec.kinds_of(kind)
        pieces = [piece for k in kinds for piece in self._pieces[k]]
        known = tuple(dict.fromkeys(f.base for k in kinds for f in self._names.fields(k)))
        for name, value in where.items():
            if name not in known:
                raise ArgumentError(f"no piece has a field {name!r}", known_names(name, known))
            if isinstance(value, str) and value != UNSEEN:
                self._check_member(name, value, kinds)
            pieces = [p for p in pieces if name in p.fields and p.fields[name] == value]
        return tuple(pieces)

    def _check_member(self, name: str, value: str, kinds: Iterable[str]) -> None:
        """ArgumentError where the field *name* of these kinds cannot have a *value*."""
        spec = self._names.spec
        types = [f.type for k in kinds for f in self._names.fields(k) if f.base == name]
        if all(type_.kind == "enum" for type_ in types):
            known = tuple(member for type_ in types for member in spec.enums[type_.name])
            if value not in known:
                raise ArgumentError(
                    f"{name} is never {value_in_words(value)}", known_names(value, known)
                )

    @cached_property
    def _pieces(self) -> dict[str, tuple[Piece, ...]]:
        pieces = self._names.setup.pieces
        return {
            kind: tuple(
                Piece(kind, piece.name, self._fields(kind, i))
                for i, piece in enumerate(pieces.get(kind, ()))
            )
            for kind in self._names.spec.kinds
        }

    def piece(self, name: str) -> Piece:
        """The piece called *name*.  ArgumentError when there is none."""
        place = self._names.pieces.get(name) if isinstance(name, str) else None
        if place is None:
            remedy = did_you_mean(str(name), self._names.pieces)
            raise ArgumentError(f"there is no piece {value_in_words(name)}", remedy)
        return self._pieces[place[0]][place[1]]

    def at(self, hex: str) -> tuple[Piece, ...]:
        """The pieces that stand on a hex, given by its label or its name on the board."""
        label = self._names.spec.board.labels[self._names.hex(hex)]
        places = {f.owner: f.name for f in self._names.spec.fields if f.place}
        there = (p for kind in places for p in self._pieces[kind])
        return tuple(p for p in there if p.fields[places[p.kind]] == label)

    @cached_property
    def hexes(self) -> dict[str, dict[str, Value]]:
        """The fields of each hex, by its label."""
        labels = self._names.spec.board.labels
        return {label: self._fields("Hex", h) for h, label in enumerate(labels)}

    def members(self, enum: str) -> dict[str, dict[str, Value]]:
        """The fields of each member of an enum, by its name."""
        enums = self._names.spec.enums
        if not isinstance(enum, str) or enum not in enums:
            raise ArgumentError(
                f"there is no enum {value_in_words(enum)}", known_names(enum, enums)
            )
        return {member: self._fields(enum, i) for i, member in enumerate(enums[enum])}

    @property
    def sides(self) -> dict[str, dict[str, Value]]:
        """The fields of each side, by its name."""
        return self.members("Side")

    # ------------------------------------------------------------------ cards and effects

    @cached_property
    def piles(self) -> dict[str, Any]:
        """The cards of each pile, the top one last; of a pile ``per`` an enum by its members."""
        piles: dict[str, Any] = {}
        for pile in self._names.spec.piles.values():
            content, members = getattr(self._state, pile.slot), self._names.spec.enums[pile.enum]
            if pile.per is None:
                piles[pile.name] = _cards(content, members)
            else:
                parts = zip(self._names.spec.enums[pile.per], content, strict=False)
                piles[pile.name] = {owner: _cards(part, members) for owner, part in parts}
        return piles

    @cached_property
    def effects(self) -> tuple[str, ...]:
        """The effects in force, ``charge`` or with their values ``pinned(red1)``."""
        texts: list[str] = []
        for effect in self._names.spec.effects:
            mask = int(getattr(self._state, effect.slot))
            sizes = [values_of(self._state, param) for param in effect.params]
            for number in bits(mask):
                values: list[str] = []
                for param, size in zip(reversed(effect.params), reversed(sizes), strict=True):
                    number, value = divmod(number, size)
                    values.insert(0, self._names.name(param, value))
                texts.append(f"{effect.name}({', '.join(values)})" if values else effect.name)
        return tuple(texts)

    # ------------------------------------------------------------------ together

    def __getitem__(self, path: str) -> Value:
        """One value: ``"round"``, ``"red1.hex"``, ``"top.points"``, ``"C4.terrain"``."""
        owner, dot, field = str(path).rpartition(".")
        if not dot:
            fields = self.fields
        elif owner in self._names.pieces:
            return self.piece(owner)[field]
        else:
            enum = self._enum_of(owner)
            fields = self.members(enum)[owner] if enum is not None else self._hex(owner)
        if field not in fields:
            raise ArgumentError(
                f"there is no field {value_in_words(path)}", known_names(field, fields)
            )
        return fields[field]

    def _hex(self, owner: str) -> dict[str, Value]:
        """The fields of the hex *owner*, which is no piece and no member."""
        try:
            return self._fields("Hex", self._names.hex(owner))
        except ArgumentError:
            if _LABEL.fullmatch(owner):
                raise
            enums = self._names.spec.enums
            members = [m for enum in enums if self._names.fields(enum) for m in enums[enum]]
            nearest = did_you_mean(owner, [*self._names.pieces, *members])
            message = f"there is no piece, member or hex {value_in_words(owner)}"
            raise ArgumentError(message, nearest or "position.pieces() has the pieces") from None

    def _enum_of(self, member: str) -> str | None:
        for enum, members in self._names.spec.enums.items():
            if member in members and self._names.fields(enum):
                return enum
        return None

    @cached_property
    def data(self) -> dict[str, Any]:
        """All of it as JSON-able data: ``fields``, ``pieces`` by kind and name, ``hexes``,
        ``members`` by enum, ``piles``, ``effects``.
        """
        spec = self._names.spec
        owners = [enum for enum in spec.enums if self._names.fields(enum)]
        return {
            "fields": self.fields,
            "pieces": {
                kind: {p.name: dict(p.fields) for p in pieces}
                for kind, pieces in self._pieces.items()
            },
            "hexes": self.hexes if self._names.fields("Hex") else {},
            "members": {enum: self.members(enum) for enum in owners},
            "piles": self.piles,
            "effects": list(self.effects),
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._names.setup.title!r}>"


def _cards(cards: list[int], members: tuple[str, ...]) -> list[str]:
    return [UNSEEN if card == NONE else members[card] for card in cards]


class Board:
    """The board of a game: its hexes by their labels."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._grid: Grid = names.spec.board

    @property
    def hexes(self) -> tuple[str, ...]:
        """The labels of all hexes, row by row from the top left."""
        return self._grid.labels

    @property
    def names(self) -> dict[str, str]:
        """The names that hexes have on the board (towns), by label."""
        return {self._grid.labels[h]: name for h, name in self._grid.names.items()}

    def neighbors(self, hex: str) -> tuple[str, ...]:
        """The hexes adjacent to one."""
        return tuple(self._grid.labels[h] for h in self._grid.neighbors[self._names.hex(hex)])

    def distance(self, one: str, other: str) -> int:
        """How many steps lie between two hexes, over the grid."""
        return self._grid.distance(self._names.hex(one), self._names.hex(other))

    def center(self, hex: str) -> tuple[float, float]:
        """Where the centre of a hex is: x to the right, y downwards, in units of a hexside."""
        return self._grid.center(self._names.hex(hex))

    def __iter__(self) -> Iterator[str]:
        return iter(self._grid.labels)

    def __len__(self) -> int:
        return self._grid.size

    def __contains__(self, hex: object) -> bool:
        return hex in self._grid.labels

    def __eq__(self, other: object) -> bool:
        return self._grid == other._grid if isinstance(other, Board) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._grid)

    def __repr__(self) -> str:
        return f"<Board {self._grid.name!r}: {self._grid.size} hexes>"
