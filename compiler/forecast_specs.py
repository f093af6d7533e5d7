"""What the engine is told of a forecast: what it may read and change, with all that it runs."""

from __future__ import annotations

from collections.abc import Iterable

from compiler import ir
from compiler.check.analysis import call_expressions, travel_expressions
from compiler.trees import expressions_of, statements_of, walk
from runtime.model import ForecastSpec


def forecast_spec(program: ir.Program, info: ir.ForecastInfo) -> ForecastSpec:
    """What the engine may know of a forecast."""
    seen = _Reached(program)
    seen.procedure(info.procedure)
    if seen.writes:
        for check in program.checks.values():
            seen.expressions([check.when])
            seen.steps(check.body)
    procedure = program.procedures[info.procedure]
    return ForecastSpec(
        info.name,
        tuple(p.type.spec() for p in procedure.params),
        tuple(p.name for p in procedure.params),
        info.at,
        tuple(sorted(seen.reads | seen.writes)),
        tuple(sorted(seen.writes)),
        tuple(i for i, die in enumerate(program.dice.values()) if (die.enum or "") in seen.ordered),
    )


class _Reached:
    """What can be reached from a procedure."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        #: what is on the dice of rolls whose order can matter: an enum, or nothing for numbers
        self.ordered: set[str] = set()
        self._done: set[str] = set()

    def procedure(self, name: str) -> None:
        """Look at a procedure with its cases, and at what it runs."""
        if not self.first(f"procedure {name}"):
            return
        procedure = self.program.procedures[name]
        self.reads |= procedure.reads
        self.writes |= procedure.writes
        self.steps(procedure.body)
        for case in procedure.cases.values():
            self.procedure(case)

    def steps(self, stmts: tuple[ir.Stmt, ...]) -> None:
        """Look at steps."""
        for stmt in statements_of(stmts):
            if isinstance(stmt, ir.Each):
                self.ordered |= _on_dice(stmt.source)
            elif isinstance(stmt, ir.Do):
                self.procedure(stmt.procedure)
            elif isinstance(stmt, ir.Follow):
                self.procedure(self.program.forecasts[stmt.forecast].procedure)
        self.expressions(expressions_of(stmts))

    def expressions(self, exprs: Iterable[ir.Expr]) -> None:
        """Look at expressions, and at what they ask in their turn."""
        for e in (e for top in exprs for e in walk(top)):
            match e:
                case ir.Service(name="face", args=(source,)) | ir.Quant("first", source=source):
                    self.ordered |= _on_dice(source)
                case ir.Compare():
                    self.ordered |= _on_dice(e.left)
                case ir.Apply() if self.first(f"call {e.name}"):
                    self.expressions(call_expressions(self.program.calls[e.name]))
                case ir.Reach() | ir.Steps() | ir.Way() if self.first(f"travel {e.travel}"):
                    self.expressions(travel_expressions(self.program.travels[e.travel]))

    def first(self, what: str) -> bool:
        """Whether this is the first time that something is come to."""
        known = what in self._done
        self._done.add(what)
        return not known


def _on_dice(e: ir.Expr) -> set[str]:
    """What is on the dice of a roll: an enum, or nothing for numbers; of no roll, none."""
    if e.type.kind != "roll":
        return set()
    return {e.type.of.name if e.type.of is not None and e.type.of.kind == "enum" else ""}
