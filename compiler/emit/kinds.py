"""Pieces of a common parent, as Python.

The pieces of a parent are numbered kind by kind; ``o_unit`` of the state is the number of the first unit
among them.
"""

from __future__ import annotations

from compiler import ir
from compiler.emit.host import Expressions
from compiler.emit.inline import simplified
from compiler.trees import walk


class KindEmitter:
    """Writes what one expression emitter needs to know of kinds and their parents."""

    def __init__(self, emitter: Expressions) -> None:
        self.x = emitter

    def common(self, e: ir.Common) -> str:
        """A field of a parent; empty where it is kept per member of an enum.

        The piece is found once; which column has the value, its number tells.
        """
        owner, kinds = e.owner, list(e.kinds)
        if isinstance(owner, ir.Widen):
            return self.x.expr(simplified(e))
        if not all(isinstance(kind, ir.Get) for kind in kinds):
            return ""
        piece = self.x.simple(owner)
        texts = []
        for kind in kinds:
            assert isinstance(kind, ir.Get) and kind.owner is not None
            texts.append(f"s.{kind.field.slot}[{self._own(piece, kind.field.owner)}]")
        text = texts.pop()
        for kind, one in zip(reversed(kinds[:-1]), reversed(texts), strict=True):
            assert isinstance(kind, ir.Get)
            text = f"({one} if {piece} < {self._end(kind.field.owner)} else {text})"
        return text

    def first(self, kind: str) -> str:
        """The number which the first piece of a kind has among those of its parent."""
        return "0" if self._siblings(kind)[0] == kind else f"s.o_{kind.lower()}"

    def _end(self, kind: str) -> str:
        """The number behind those of the pieces of a kind."""
        siblings = self._siblings(kind)
        after = siblings[siblings.index(kind) + 1 :]
        return f"s.o_{after[0].lower()}" if after else f"s.n_{(self.x.program.parent_of(kind) or '').lower()}"

    def _siblings(self, kind: str) -> tuple[str, ...]:
        return self.x.program.parents[self.x.program.parent_of(kind) or ""]

    def _own(self, piece: str, kind: str) -> str:
        """The number of a piece among those of its kind, where *piece* is a name that may be none but is of
        no earlier kind.
        """
        first = self.first(kind)
        return piece if first == "0" else f"{piece} - {first} if {piece} >= 0 else -1"

    def widen(self, e: ir.Widen) -> str:
        """A piece, or a set, as of the parent of its kind."""
        own = e.value.type.of if e.value.type.kind == "set" else e.value.type
        if own is None or own.kind == "none":
            return self.x.expr(e.value)
        first = self.first(own.name)
        if first == "0":
            return self.x.expr(e.value)
        if e.value.type.kind == "set":
            return f"({self.x.expr(e.value)} << {first})"
        piece = self.x.simple(e.value)
        return f"({piece} + {first} if {piece} >= 0 else -1)"

    def narrow(self, e: ir.Narrow) -> str:
        """A piece, or a set, as of its own kind."""
        inner = simplified(e)
        if not isinstance(inner, ir.Narrow):
            return self.x.expr(inner)
        kind = e.type.of.name if e.type.of is not None else e.type.name
        first, last = self.first(kind), self._siblings(kind)[-1] == kind
        if e.type.kind == "set":
            mask = self.x.expr(e.value)
            moved = mask if first == "0" else f"({mask} >> {first})"
            return moved if last else f"({moved} & ((1 << s.n_{kind.lower()}) - 1))"
        piece = self.x.simple(e.value)
        return f"({self._own(piece, kind)})"

    def member(self, item: str, source: ir.Expr, kind: str) -> str:
        """Whether a piece of a parent is of a kind, and there among *source*."""
        item = self.x.named(item)
        first, end, last = self.first(kind), self._end(kind), self._siblings(kind)[-1] == kind
        inside = f"{item} >= {first}" if last else f"{first} <= {item} < {end}"
        if isinstance(source, ir.Members):
            return f"({inside})"
        own = self.x.w.temp()
        self.x.w.add(f"{own} = ({item}{'' if first == '0' else f' - {first}'} if {inside} else -1)")
        return f"({own} >= 0 and {self.x.member(own, source)})"

    def indexed(self, parts: list[str | None], get: ir.Common) -> str | None:
        """The indices over a field of a parent, one kind after another; None where one is lacking."""
        firsts = [self.first(one.field.owner) for one in get.kinds if isinstance(one, ir.Get)]
        if None in parts or len(firsts) != len(parts):
            return None
        walked = (
            f"*{part}" if first == "0" else f"*(p + {first} for p in {part})"
            for first, part in zip(firsts, parts, strict=True)
        )
        return f"({', '.join(walked)},)"

    def anybody(self, e: ir.Gathered, there: bool) -> str:
        """Whether pieces of a parent are at a hex, or none."""
        tests = []
        for at in (one for one in walk(e) if isinstance(one, ir.At)):
            alone = at.type.kind == "piece"
            tests.append(
                f"{self.x.expr(at)} {'>=' if there else '<'} 0"
                if alone
                else f"{self.x.expr(at)} {'!=' if there else '=='} 0"
            )
        return f"({(' or ' if there else ' and ').join(tests)})"
