"""Code that notes what it uses: for coverage, in place of the reference interpreter, which takes
many times as long.

Nothing is written out elsewhere, found before a loop or taken from an index or table, so that what
runs is what the rules say.  ``see(m)`` notes the mark *m* and is nothing, ``held(m)`` notes it and
is true, ``shown(m, v)`` notes it where *v* is not empty, and ``keyed(m, k)`` notes the member *k*;
both are their second argument.
"""

from __future__ import annotations

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.expressions import ExpressionEmitter
from compiler.emit.writer import Writer
from dsl.source import NOWHERE, Span


def expressions_for(program: Emission, writer: Writer) -> ExpressionEmitter:
    """What writes the expressions of one function."""
    kind = ExpressionEmitter if program.watched is None else WatchingEmitter
    return kind(program, writer)


class WatchingEmitter(ExpressionEmitter):
    """Writes expressions of one function, with marks at what they read."""

    def with_mark(self, what: str, text: str) -> str:
        """*text*, before which a thing is noted."""
        return f"(see({self.program.mark(what)}) or {text})"

    def _get(self, e: ir.Get) -> str:
        return self.with_mark(f"field {e.field.owner}.{e.field.base}", super()._get(e))

    def _pick(self, e: ir.Pick) -> str:
        return self.with_mark(f"field {e.fields[0].owner}.{e.fields[0].base}", super()._pick(e))

    def _common(self, e: ir.Common) -> str:
        return self._if(e)

    def _otherwise(self, e: ir.Otherwise) -> str:
        name = self.w.temp()
        self.w.add(f"{name} = {self.expr(e.left)}")
        with self.w.block(f"if {name} == -1:"):
            self.w.add(f"{name} = {self.expr(e.right)}")
        return name

    def _marked_key(
        self, rows: tuple[tuple[str, ...], ...], table: str, enum: str, key: ir.Expr
    ) -> str:
        """The key of a table, which is noted where single rows of it cite rules."""
        text = self.expr(key)
        if not any(rows):
            return text
        return f"keyed({self.program.mark(table, tuple(self.program.enums[enum]))}, {text})"

    def column_entry(self, prefix: str, e: ir.Col) -> str:
        """An entry of a table's column (``T`` values or masks, ``I`` lists)."""
        column = e.column
        key = self._marked_key(column.of_rows, column.table, column.enum, e.key)
        text = self.with_mark(
            f"table {column.table}", f"{prefix}_{column.enum}_{column.name}[{key}]"
        )
        return self.with_mark(f"column {column.name} of {column.table}", text)

    def _cell(self, e: ir.Cell) -> str:
        matrix = e.matrix
        row = self._marked_key(matrix.of_rows, matrix.name, matrix.row, e.row)
        return self.with_mark(
            f"matrix {matrix.name}", f"M_{matrix.name}[{row}][{self.expr(e.column)}]"
        )

    def _switchon(self, e: ir.SwitchOn) -> str:
        return self.with_mark(f"switch {e.name}", super()._switchon(e))

    def _active(self, e: ir.Active) -> str:
        return f"shown({self.program.mark(f'effect {e.effect.name}')}, {super()._active(e)})"

    def member(self, item: str, source: ir.Expr) -> str:
        """Python text for whether *item* is among *source*."""
        text = super().member(item, source)
        if isinstance(source, ir.Active) and len(source.effect.params) > 1:
            return f"({self._active(source)} is not None and {text})"
        return text

    def holding(self, what: str, text: str, at: Span) -> str:
        """*text*, of the condition of a rule, after which that is noted if it held."""
        return f"({text} and held({self.program.mark(what, at=at)}))"

    def note(self, what: str, at: Span = NOWHERE) -> None:
        """Note something as a step."""
        self.w.add(f"see({self.program.mark(what, at=at)})")
