"""Expressions as one would write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from compiler import ir
from compiler.printer.values import ValuePrinter
from compiler.trees import walk
from runtime.board import Board

_LOOSE = {
    "or": 1,
    "and": 2,
    "not": 3,
    "compare": 4,
    "range": 5,
    "otherwise": 6,
    "+": 7,
    "-": 7,
    "|": 7,
    "*": 8,
    "/": 8,
    "mod": 8,
}
_SHOWN = {"==": "is", "!=": "is not", "|": "+", "&~": "-"}
#: What binds more tightly than any operator: what is read of something, and what stands alone.
TIGHT, ALONE = 10, 11

#: A text, and how tightly its outermost operator binds.
Printed = tuple[str, int]


class ExpressionPrinter(ValuePrinter):
    """Writes expressions: one method for each kind, named as the kind is."""

    def __init__(self, program: ir.Program, board: Board | None = None) -> None:
        super().__init__(program, board)
        self._methods: dict[type[ir.Expr], Callable[[Any], Printed]] = {}

    def expr(self, e: ir.Expr, around: int = 0) -> str:
        """An expression; in parentheses when it binds more loosely than *around*."""
        text, strength = self._printed(e)
        return f"({text})" if strength < around else text

    def _printed(self, e: ir.Expr) -> Printed:
        kind = type(e)
        method = self._methods.get(kind)
        if method is None:
            method = self._methods[kind] = getattr(self, "_" + kind.__name__.lower())
        return method(e)

    def _all(self, items: tuple[ir.Expr, ...]) -> str:
        return ", ".join(map(self.expr, items))

    # ------------------------------------------------------------------ values and what is read

    def _const(self, e: ir.Const) -> Printed:
        return self.value(e.value, e.type), ALONE if e.value >= 0 or e.type.kind != "int" else 9

    def _label(self, e: ir.Label) -> Printed:
        return e.name, ALONE

    def _local(self, e: ir.Local) -> Printed:
        return e.name, ALONE

    def _switchon(self, e: ir.SwitchOn) -> Printed:
        return e.name, ALONE

    def _of(self, owner: ir.Expr | None, name: str) -> Printed:
        """What is read of *owner*, or of the game."""
        return (name, ALONE) if owner is None else (f"{self.expr(owner, TIGHT)}.{name}", TIGHT)

    def _get(self, e: ir.Get) -> Printed:
        return self._of(e.owner, e.field.name)

    def _pick(self, e: ir.Pick) -> Printed:
        return self._of(e.owner, f"{e.fields[0].base}[{self.expr(e.key)}]")

    def _common(self, e: ir.Common) -> Printed:
        if isinstance(e.then, ir.Get):
            return self._of(e.owner, e.then.field.name)
        if isinstance(e.then, ir.Pick):
            return self._of(e.owner, f"{e.then.fields[0].base}[{self.expr(e.then.key)}]")
        return self._if(e)

    def _col(self, e: ir.Col) -> Printed:
        return self._of(e.key, e.column.name)

    def _rung(self, e: ir.Rung) -> Printed:
        return self._printed(e.number)

    def _cell(self, e: ir.Cell) -> Printed:
        return f"{e.matrix.name}[{self.expr(e.row)}, {self.expr(e.column)}]", TIGHT

    def _at(self, e: ir.At) -> Printed:
        return f"{e.kind}[{self.expr(e.hex)}]", TIGHT

    def _gathered(self, e: ir.Gathered) -> Printed:
        at = next(one for one in walk(e) if isinstance(one, ir.At))
        return f"{e.type.of}[{self.expr(at.hex)}]", TIGHT

    def _pile(self, e: ir.Pile) -> Printed:
        if e.owner is None:
            return e.pile.name, ALONE
        return f"{e.pile.name}[{self.expr(e.owner)}]", TIGHT

    def _part(self, e: ir.Part) -> Printed:
        return self._of(e.number, e.effect.names[e.index])

    def _instance(self, e: ir.Instance) -> Printed:
        return f"({self._all(e.args)})", ALONE

    def _active(self, e: ir.Active) -> Printed:
        return f"effect {e.effect.name}", ALONE

    def _apply(self, e: ir.Apply) -> Printed:
        return f"{e.name}({self._all(e.args)})", ALONE

    def _service(self, e: ir.Service) -> Printed:
        return f"{e.name}({self._all(e.args)})", ALONE

    def _widen(self, e: ir.Widen) -> Printed:
        return self._printed(e.value)

    def _narrow(self, e: ir.Narrow) -> Printed:
        return self._printed(e.value)

    # ------------------------------------------------------------------ operators

    def _not(self, e: ir.Not) -> Printed:
        if isinstance(e.operand, ir.In) and not isinstance(e.operand.source, ir.Active):
            return f"{self.expr(e.operand.item, 5)} not in {self.expr(e.operand.source, 5)}", 4
        return f"not {self.expr(e.operand, 3)}", 3

    def _op(self, e: ir.Op) -> Printed:
        if e.op == "-" and isinstance(e.left, ir.Const) and e.left.value == 0:
            return f"-{self.expr(e.right, 9)}", 9
        shown = _SHOWN.get(e.op, e.op)
        strength = _LOOSE.get(shown, 7)
        return f"{self.expr(e.left, strength)} {shown} {self.expr(e.right, strength + 1)}", strength

    def _compare(self, e: ir.Compare) -> Printed:
        return f"{self.expr(e.left, 5)} {_SHOWN.get(e.op, e.op)} {self.expr(e.right, 5)}", 4

    def _logic(self, e: ir.Logic) -> Printed:
        strength = _LOOSE[e.op]
        return f"{self.expr(e.left, strength)} {e.op} {self.expr(e.right, strength)}", strength

    def _if(self, e: ir.If) -> Printed:
        return f"if {self.expr(e.test)} then {self.expr(e.then)} else {self.expr(e.orelse)}", 0

    def _otherwise(self, e: ir.Otherwise) -> Printed:
        return f"{self.expr(e.left, 7)} otherwise {self.expr(e.right, 7)}", 6

    def _in(self, e: ir.In) -> Printed:
        if isinstance(e.source, ir.Active):
            args = e.item.args if isinstance(e.item, ir.Instance) else (e.item,)
            return f"effect {e.source.effect.name}({self._all(args)})", ALONE
        return f"{self.expr(e.item, 5)} in {self.expr(e.source, 5)}", 4

    def _range(self, e: ir.Range) -> Printed:
        return f"{self.expr(e.low, 6)} .. {self.expr(e.high, 6)}", 5

    # ------------------------------------------------------------------ sets, lines, travels

    def _setlit(self, e: ir.SetLit) -> Printed:
        return "{" + self._all(e.items) + "}", ALONE

    def _members(self, e: ir.Members) -> Printed:
        inner = e.type.of or e.type
        return inner.name or inner.kind, ALONE

    def _quant(self, e: ir.Quant) -> Printed:
        word = {"every": "has"}.get(e.kind, "where")
        what = f"{self.expr(e.value, 5)} for {e.var}" if e.value is not None else e.var
        return f"{e.kind} {what} in {self.expr(e.source, 5)}{self.where(e.where, word)}", 0

    def _allot(self, e: ir.Allot) -> Printed:
        limit = f" up to {self.expr(e.limit, 5)}" if e.limit is not None else ""
        among = f"its own {e.own} in {self.expr(e.among, 5)}"
        return f"every {e.var} in {self.expr(e.source, 5)} has {among}{limit}{self.where(e.where)}", 0

    def _line(self, e: ir.Line) -> Printed:
        whole = " whole" if e.whole else ""
        parts = [f"line {self.expr(e.start, TIGHT)} to {self.expr(e.end, TIGHT)}{whole}"]
        if e.obstacle is not None:
            parts.append(f"clear of {e.var} where {self.expr(e.obstacle, 0 if e.barrier is None else 1)}")
        if e.barrier is not None:
            parts.append(f"across {e.leaves} to {e.enters} where {self.expr(e.barrier)}")
        return " ".join(parts), 0

    def _travel(self, e: ir.Reach | ir.Steps | ir.Way) -> str:
        """A travel with its arguments, and the hex it goes over."""
        travel = self.program.travels.get(e.travel)
        if travel is None or travel.via_of is None:
            return f"{e.travel}({self._all(e.args)})"
        return f"{travel.via_of}({self._all(e.args[:-1])}) via {self.expr(e.args[-1], ALONE)}"

    def _reach(self, e: ir.Reach) -> Printed:
        return f"reach {self._travel(e)}", ALONE

    def _steps(self, e: ir.Steps) -> Printed:
        return f"steps {self._travel(e)} to {self.expr(e.target, ALONE)}", ALONE

    def _way(self, e: ir.Way) -> Printed:
        return f"way {self._travel(e)} to {self.expr(e.target, ALONE)}", ALONE

    # ------------------------------------------------------------------ conditions

    def where(self, condition: ir.Expr | None, word: str = "where") -> str:
        """`` where c``, or nothing."""
        return f" {word} {self.expr(condition)}" if condition is not None else ""
