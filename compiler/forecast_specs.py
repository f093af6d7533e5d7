"""What the engine is told of a forecast: what it may read and change, with all that it runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from compiler import ir
from compiler.check.analysis import call_expressions, read_by, travel_expressions
from compiler.trees import bodies_of, changed_by, parts_of
from runtime.model import ForecastSpec


def forecast_specs(program: ir.Program) -> dict[str, ForecastSpec]:
    """What the engine may know of the forecasts, by name."""
    known: Known = {}
    return {f.name: _forecast_spec(program, f, known) for f in program.forecasts.values()}


def _forecast_spec(program: ir.Program, info: ir.ForecastInfo, known: Known) -> ForecastSpec:
    never = {place for place, how in info.assumed if how == "never"}
    options = {
        (decision, b) for decision, b in never if b is not None and (decision, b) in program.never
    }
    left_out = {ir.left_out(program.procedures, place) for place in options}
    seen = _Reached(program, options, left_out, known)
    if info.takes:  # play goes on wherever the option was taken
        for procedure in program.procedures.values():
            seen.procedure(procedure.name)
    seen.procedure(info.procedure)
    for _, how in info.assumed:
        if " " in how:  # most, or least, of a function
            seen.expressions(call_expressions(program.calls[how.split()[1]]))
    if seen.writes:
        for check in program.checks.values():
            seen.expressions([check.when])
            seen.steps(check.body)
    procedure = program.procedures[info.procedure]
    mask = 0
    for option in options:
        mask |= program.never[option]
    return ForecastSpec(
        info.name,
        tuple(p.type.spec() for p in procedure.params),
        tuple(p.name for p in procedure.params),
        info.at,
        tuple(sorted(seen.reads | seen.writes)),
        tuple(sorted(seen.writes)),
        tuple(i for i, die in enumerate(program.dice.values()) if (die.enum or "") in seen.ordered),
        tuple((place, how) for place, how in info.assumed if how != "never"),
        mask,
        info.takes,
    )


@dataclass
class _Found:
    """What an expression reads and asks; *ordered*: what is on its dice whose order matters."""

    reads: set[str] = field(default_factory=set)
    ordered: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    travels: set[str] = field(default_factory=set)
    #: what is asked is not the same for all forecasts
    hangs_on_options: bool = False


#: What expressions of a program read and ask, by identity; the expressions are kept, as another
#: could come to have the identity of one that is gone.
Known = dict[int, tuple[ir.Expr, _Found]]


class _Reached:
    """What can be reached where certain options are never offered."""

    def __init__(
        self,
        program: ir.Program,
        never: set[tuple[int, int]],
        left_out: set[str | None],
        known: Known,
    ) -> None:
        self.program = program
        self.never = never
        self.left_out = left_out
        self.known = known
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        #: what is on the dice of rolls whose order can matter: an enum, or nothing for numbers
        self.ordered: set[str] = set()
        self._done: set[str] = set()

    def procedure(self, name: str) -> None:
        """Look at a procedure with its cases, and at what it runs."""
        if name in self.left_out or not self.first(f"procedure {name}"):
            return
        procedure = self.program.procedures[name]
        self.steps(procedure.body)
        for case in procedure.cases.values():
            self.procedure(case)

    def steps(self, stmts: Iterable[ir.Stmt]) -> None:
        """Look at steps."""
        for stmt in stmts:
            match stmt:
                case ir.Choose() if (stmt.decision.index, 0) in self.never:
                    self.steps(stmt.orelse)
                    continue
                case ir.Offer():
                    self._offer(stmt)
                    continue
                case ir.Each():
                    self.ordered |= _on_dice(stmt.source)
                case ir.Do():
                    self.procedure(stmt.procedure)
            self.writes.update(changed_by(stmt))
            self.expressions(parts_of(stmt))
            for body in bodies_of(stmt):
                self.steps(body)

    def _offer(self, stmt: ir.Offer) -> None:
        self.expressions(parts_of(stmt))
        self.steps(stmt.on_pass)
        for number, branch in enumerate(stmt.branches):
            if (stmt.decision.index, number) not in self.never:
                self.expressions(branch.asked)
                self.steps(branch.body)

    def expressions(self, exprs: Iterable[ir.Expr]) -> None:
        """Look at expressions, and at what they ask in their turn."""
        for e in exprs:
            _, found = self.known.get(id(e), (e, None))
            if found is None:
                found = self._look(e)
                if not found.hangs_on_options:
                    self.known[id(e)] = e, found
            self.reads |= found.reads
            self.ordered |= found.ordered
            for name in found.calls:
                if self.first(f"call {name}"):
                    self.expressions(call_expressions(self.program.calls[name]))
            for name in found.travels:
                if self.first(f"travel {name}"):
                    self.expressions(travel_expressions(self.program.travels[name]))

    def _look(self, top: ir.Expr) -> _Found:
        """What an expression reads and asks, without what is not asked where some options are never
        offered.
        """
        found = _Found()
        pending = [top]
        while pending:
            e = pending.pop()
            if isinstance(e, ir.Logic) and isinstance(e.left, ir.Offered):
                found.hangs_on_options = True
                if e.left.option in self.never:
                    continue
            found.reads |= read_by(self.program.place_of, e)
            match e:
                case ir.Service(name="face", args=(source,)) | ir.Quant("first", source=source):
                    found.ordered |= _on_dice(source)
                case ir.Compare():
                    found.ordered |= _on_dice(e.left)
                case ir.Apply():
                    found.calls.add(e.name)
                case ir.Reach() | ir.Steps() | ir.Way():
                    found.travels.add(e.travel)
            pending += parts_of(e)
        return found

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
