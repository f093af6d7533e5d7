"""How values and states lie in memory: the width of sets, the size of columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from compiler import ir
from compiler.layout import layout
from compiler.types import Type, from_spec
from runtime.board import Board
from runtime.model import EffectSpec, closed_slots

#: The largest set of plain numbers.
_NUMBERS = 4096


@dataclass
class Shapes:
    """The sizes of a *program* on a *board*, with room for so many pieces of each kind."""

    program: ir.Program
    board: Board
    pieces: Mapping[str, int]
    #: the widths of sets that are used
    widths: set[int] = field(default_factory=set)

    @cached_property
    def fixed_slots(self) -> frozenset[str]:
        """The slots that never change during a game, which all its states share: not those of which
        samples hold something else.
        """
        hidden = closed_slots(self.program.fields.values(), ())
        still = {slot.name for slot in layout(self.program) if slot.shape == "fixed"}
        return frozenset(still - hidden)

    def slot(self, name: str) -> str:
        """A slot of the state as C."""
        return f"{'GIVEN' if name in self.fixed_slots else 's'}->{name}"

    def first_number(self, kind: str) -> str:
        """The number of a kind's first piece among those of its parent, as C."""
        parent = self.program.parent_of(kind)
        first = parent is None or self.program.parents[parent][0] == kind
        return "0" if first else f"GIVEN->o_{kind.lower()}"

    def size(self, type_: Type) -> int:
        """How many values a type has at most."""
        match type_.kind:
            case "hex":
                return self.board.size
            case "piece":
                kinds = self.program.parents.get(type_.name, (type_.name,))
                return sum(self.pieces.get(kind, 0) for kind in kinds)
            case "enum":
                return len(self.program.enums[type_.name])
            case "bool":
                return 2
        return _NUMBERS

    def words(self, size: int) -> int:
        """The width of a set of so many members."""
        width = max(1, (size + 63) // 64)
        self.widths.add(width)
        return width

    @cached_property
    def check_width(self) -> int:
        """The width of a set of checks."""
        return self.words(len(self.program.checks))

    def width(self, type_: Type) -> int:
        """The width of a set type."""
        assert type_.of is not None
        return self.words(self.size(type_.of))

    def value(self, type_: Type) -> str:
        """The C type of a value."""
        if type_.kind == "set":
            return f"set{self.width(type_)}"
        if type_.kind == "pile":
            return "pile"
        return "roll" if type_.kind == "roll" else "num"

    def column_type(self, type_: Type) -> str:
        """The C type of a value in a column."""
        if type_.kind == "set":
            return self.value(type_)
        if type_.kind == "int":
            return "num"
        return "uint8_t" if type_.kind == "bool" else "int16_t"

    def count(self, type_: Type) -> str:
        """How many values a type has in a game, as C."""
        if type_.kind == "piece":
            return f"GIVEN->n_{type_.name.lower()}"
        return str(self.size(type_))

    def owners(self, owner: str) -> int:
        """How many pieces, members or hexes have the fields of *owner*, at most."""
        if owner == "Hex":
            return self.board.size
        if owner in self.program.kinds:
            return self.pieces.get(owner, 0)
        return len(self.program.enums[owner])

    def cards(self, deck: str) -> int:
        """How many cards a pile of a deck has room for: all of them."""
        return max(1, sum(self.program.decks[deck].copies))

    def effect_width(self, effect: EffectSpec) -> int:
        """The width of the set of values for which an effect is in force."""
        return self.words(prod(self.size(from_spec(t)) for t in effect.params))

    def words_of(self, type_: Type) -> int:
        """How many words a local takes in a frame (a roll: where it lies, its length, its room)."""
        if type_.kind == "set":
            return self.width(type_)
        return 3 if type_.kind == "roll" else 1
