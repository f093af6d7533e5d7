"""What all parts of the expression emitter use, and pieces of a common parent.

The pieces of a parent are numbered kind by kind; ``o_unit`` of the state is the number of the first
unit among them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.inline import kind_of, simplified
from compiler.emit.writer import Column, Name, Number, Writer, join, py
from compiler.trees import walk
from compiler.types import Type


class KindEmitter(ABC):
    """Writes what one function needs to know of kinds and their parents."""

    def __init__(self, program: Emission, writer: Writer) -> None:
        self.program = program
        self.w = writer

    @abstractmethod
    def expr(self, e: ir.Expr) -> str:
        """Python text for the value of *e* (a set: its mask)."""

    @abstractmethod
    def member(self, item: str, source: ir.Expr) -> str:
        """Python text for whether *item* is among *source*."""

    def simple(self, e: ir.Expr) -> str:
        """Like :meth:`expr`, but a name or number that can be repeated."""
        text = self.expr(e)
        return text if isinstance(text, Number) else self.as_local(text)

    def as_local(self, text: str) -> Name:
        """A local with the value of *text*; *text* itself where it is one."""
        if isinstance(text, Name):
            return text
        name = self.w.temp()
        self.w.add("{} = {}", name, text)
        return name

    def args(self, args: tuple[ir.Expr, ...]) -> str:
        """Arguments after the state."""
        return py(", {}" * len(args), *map(self.expr, args))

    def count(self, member: Type) -> str:
        """How many members a kind, enum or the board has."""
        if member.kind == "piece":
            return f"s.n_{member.name.lower()}"
        return "SIZE" if member.kind == "hex" else str(len(self.program.enums[member.name]))

    # ------------------------------------------------------------------ numbers among the pieces
    # of a parent

    def _siblings(self, kind: str) -> tuple[str, ...]:
        return self.program.parents[self.program.parent_of(kind) or ""]

    def _first_number(self, kind: str) -> str:
        """The number of a kind's first piece among those of its parent; nothing for 0."""
        return "" if self._siblings(kind)[0] == kind else f"s.o_{kind.lower()}"

    def _end(self, kind: str) -> str:
        """The number behind those of the pieces of a kind."""
        siblings = self._siblings(kind)
        after = siblings[siblings.index(kind) + 1 :]
        parent = self.program.parent_of(kind) or ""
        return f"s.o_{after[0].lower()}" if after else f"s.n_{parent.lower()}"

    def _own_number(self, piece: str, kind: str) -> str:
        """The number of *piece* (a name; none, or of no earlier kind) among those of its kind."""
        first = self._first_number(kind)
        return f"{piece} - {first} if {piece} >= 0 else -1" if first else piece

    # ------------------------------------------------------------------ expressions

    def common(self, e: ir.Common) -> str | None:
        """A field of a parent, by the number of the piece; None where it is kept per member."""
        if isinstance(e.owner, ir.Widen):
            return self.expr(simplified(e))
        fields = [get.field for get in e.kinds if isinstance(get, ir.Get)]
        if len(fields) < len(e.kinds):
            return None
        piece = self.simple(e.owner)
        *earlier, text = (
            py("{}[{}]", Column(f.slot), self._own_number(piece, f.owner)) for f in fields
        )
        for field, one in zip(reversed(fields[:-1]), reversed(earlier), strict=True):
            text = py("({} if {} < {} else {})", one, piece, self._end(field.owner), text)
        return text

    def _widen(self, e: ir.Widen) -> str:
        own = e.value.type.of if e.value.type.kind == "set" else e.value.type
        first = "" if own is None or own.kind == "none" else self._first_number(own.name)
        if not first:
            return self.expr(e.value)
        if e.value.type.kind == "set":
            return py("({} << {})", self.expr(e.value), first)
        piece = self.simple(e.value)
        return py("({} + {} if {} >= 0 else -1)", piece, first, piece)

    def _narrow(self, e: ir.Narrow) -> str:
        inner = simplified(e)
        if not isinstance(inner, ir.Narrow):
            return self.expr(inner)
        kind = kind_of(e)
        if e.type.kind != "set":
            return f"({self._own_number(self.simple(e.value), kind)})"
        mask, first = self.expr(e.value), self._first_number(kind)
        moved = py("({} >> {})", mask, first) if first else mask
        if self._siblings(kind)[-1] == kind:
            return moved
        return py("({} & ((1 << {}) - 1))", moved, f"s.n_{kind.lower()}")

    def member_of_kind(self, item: str, source: ir.Expr, kind: str) -> str:
        """Whether a piece of a parent is of a kind, and there among *source*."""
        item, first = self.as_local(item), self._first_number(kind)
        inside = f"{first or 0} <= {item} < {self._end(kind)}"
        if self._siblings(kind)[-1] == kind:
            inside = f"{item} >= {first or 0}"
        if isinstance(source, ir.Members):
            return f"({inside})"
        own = self.w.temp()
        number = f"{item} - {first}" if first else item
        self.w.add(f"{own} = ({number} if {inside} else -1)")
        return py("({} >= 0 and {})", own, self.member(own, source))

    def indexed_kinds(self, parts: list[str | None], get: ir.Common) -> str | None:
        """The indices over a field of a parent, kind after kind; None where one is lacking."""
        kinds = [one.field.owner for one in get.kinds if isinstance(one, ir.Get)]
        if len(kinds) != len(parts):
            return None
        numbered: list[str] = []
        for kind, part in zip(kinds, parts, strict=True):
            if part is None:
                return None
            first = self._first_number(kind)
            numbered.append(py("*(p + {} for p in {})", first, part) if first else py("*{}", part))
        return py("({},)", join(", ", numbered))

    def anybody(self, e: ir.Gathered, there: bool) -> str:
        """Whether pieces of a parent are at a hex, or none."""
        tests: list[str] = []
        for at in (one for one in walk(e) if isinstance(one, ir.At)):
            signs = (">=", "<") if at.type.kind == "piece" else ("!=", "==")
            tests.append(py("{} {} 0", self.expr(at), signs[0 if there else 1]))
        return py("({})", join(" or " if there else " and ", tests))
