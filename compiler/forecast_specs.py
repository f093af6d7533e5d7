"""What the engine is told of a forecast: what it may read and change, with all that it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from compiler import ir
from compiler.check.analysis import call_expressions, slots_read_by, travel_expressions
from compiler.emit.emission import Emission
from compiler.emit.queries import query
from compiler.trees import (
    bodies_of,
    child_expressions,
    expressions_of,
    slots_written_by,
    statements_of,
    walk,
)
from runtime.model import ForecastSpec

#: Options: a decision, and the number of a branch.
_Options = frozenset[tuple[int, int]]


def forecast_specs(program: Emission) -> dict[str, ForecastSpec]:
    """What the engine may know of the forecasts, by name."""
    parts: dict[str, _Part] = {}
    return {f.name: _forecast_spec(program, f, parts) for f in program.forecasts.values()}


def _forecast_spec(
    program: Emission, info: ir.ForecastInfo, parts: dict[str, _Part]
) -> ForecastSpec:
    never = {place for place, how in info.assumed if how == "never"}
    options = {
        (decision, b) for decision, b in never if b is not None and (decision, b) in program.never
    }
    left_out = {
        ir.omitted_procedure(program.procedures, place) for place in options if place[0] < 0
    }
    seen = _Reachable(program, parts, frozenset(options), {f"procedure {p}" for p in left_out})
    seen.look(f"procedure {info.procedure}")
    if info.takes:  # play goes on wherever the option was taken
        seen.look(*(f"procedure {name}" for name in program.procedures))
    for _, how in info.assumed:
        if " " in how:  # most, or least, of a function
            seen.look(f"call {how.split()[1]}")
    if seen.writes:
        seen.look(*(f"check {name}" for name in program.checks))
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


class _Part:
    """A procedure, check, call or travel: the options that it hangs on, and what it touches where
    certain ones of these are never offered.
    """

    def __init__(self, program: Emission, name: str) -> None:
        self.program = program
        self.name = name
        self.options = _options_in(program, name)
        self._touched: dict[_Options, _Accesses] = {}

    def accesses(self, never: _Options) -> _Accesses:
        """What it touches where some options are never offered."""
        own = never & self.options
        if own not in self._touched:
            self._touched[own] = _accesses(self.program, self.name, own)
        return self._touched[own]


class _Reachable:
    """What can be reached where certain options are never offered."""

    def __init__(
        self, program: Emission, parts: dict[str, _Part], never: _Options, left_out: set[str]
    ) -> None:
        self.program = program
        self.parts = parts
        self.never = never
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        #: what is on the dice of rolls whose order can matter: an enum, or nothing for numbers
        self.ordered: set[str] = set()
        #: what has been looked at, and what is left out
        self._done = left_out

    def look(self, *names: str) -> None:
        """Look at parts, and at all that they use."""
        ahead = list(names)
        while ahead:
            name = ahead.pop()
            if name in self._done:
                continue
            self._done.add(name)
            part = self.parts.get(name)
            if part is None:
                part = self.parts[name] = _Part(self.program, name)
            touched = part.accesses(self.never)
            self.reads |= touched.reads
            self.writes |= touched.writes
            self.ordered |= touched.ordered
            ahead += touched.uses


def _body(program: Emission, part: str) -> tuple[list[ir.Expr], tuple[ir.Stmt, ...]]:
    """The expressions and the steps of a part."""
    kind, _, name = part.partition(" ")
    if kind == "call":
        return call_expressions(program.calls[name]), ()
    if kind == "travel":
        return travel_expressions(program.travels[name]), ()
    if kind == "check":
        return [program.checks[name].when], program.checks[name].body
    return [], program.procedures[name].body


@query
def _options_in(program: Emission, part: str) -> _Options:
    """The options on which it hangs what a part touches."""
    exprs, steps = _body(program, part)
    options = set[tuple[int, int]]()
    for e in (e for one in (*exprs, *expressions_of(steps)) for e in walk(one)):
        if isinstance(e, ir.Offered):
            options.add(e.option)
    for stmt in statements_of(steps):
        if isinstance(stmt, ir.Choose):
            options.add((stmt.decision.index, 0))
        elif isinstance(stmt, ir.Offer):
            options.update((stmt.decision.index, number) for number in range(len(stmt.branches)))
    return frozenset(options)


@query
def _accesses(program: Emission, part: str, never: _Options) -> _Accesses:
    touched = _Accesses(never)
    exprs, steps = _body(program, part)
    touched.expressions(program, exprs)
    touched.steps(program, steps)
    kind, _, name = part.partition(" ")
    if kind == "procedure":
        touched.uses += (f"procedure {case}" for case in program.procedures[name].cases.values())
    touched.uses = list(dict.fromkeys(touched.uses))
    return touched


@dataclass
class _Accesses:
    """What a part reads, writes and uses where certain options are *never* offered; *ordered*: what
    is on its dice whose order matters.
    """

    never: _Options
    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    ordered: set[str] = field(default_factory=set)
    uses: list[str] = field(default_factory=list)

    def steps(self, program: Emission, stmts: Iterable[ir.Stmt]) -> None:
        """Look at steps."""
        for stmt in self._remaining_steps(stmts):
            self.expressions(program, child_expressions(stmt))
            self.writes.update(slots_written_by(stmt))
            match stmt:
                case ir.Each():
                    self.ordered |= _on_dice(stmt.source)
                case ir.Do():
                    self.uses.append(f"procedure {stmt.procedure}")
                case ir.Offer():
                    for branch in self._remaining_branches(stmt):
                        self.expressions(program, branch.option_expressions)

    def _remaining_steps(self, stmts: Iterable[ir.Stmt]) -> Iterator[ir.Stmt]:
        """Steps and those below them, without what is done where the options are taken."""
        for stmt in stmts:
            match stmt:
                case ir.Choose() if (stmt.decision.index, 0) in self.never:
                    yield from self._remaining_steps(stmt.orelse)
                    continue
                case ir.Offer():
                    bodies = [
                        stmt.on_pass,
                        *(branch.body for branch in self._remaining_branches(stmt)),
                    ]
                case _:
                    bodies = bodies_of(stmt)
            yield stmt
            for body in bodies:
                yield from self._remaining_steps(body)

    def _remaining_branches(self, stmt: ir.Offer) -> list[ir.Branch]:
        """The branches of a menu that may be offered."""
        numbered = enumerate(stmt.branches)
        return [one for number, one in numbered if (stmt.decision.index, number) not in self.never]

    def expressions(self, program: Emission, exprs: Iterable[ir.Expr]) -> None:
        """Look at expressions, without what is not asked where the options are never offered."""
        pending = list(exprs)
        while pending:
            e = pending.pop()
            if isinstance(e, ir.Logic) and isinstance(e.left, ir.Offered):
                if e.left.option in self.never:
                    continue
            self.reads |= slots_read_by(program.place_of, e)
            match e:
                case ir.Service(name="face", args=(source,)) | ir.Quant("first", source=source):
                    self.ordered |= _on_dice(source)
                case ir.Compare():
                    self.ordered |= _on_dice(e.left)
                case ir.Apply():
                    self.uses.append(f"call {e.name}")
                case ir.Reach() | ir.Steps() | ir.Way():
                    self.uses.append(f"travel {e.travel}")
            pending += child_expressions(e)


def _on_dice(e: ir.Expr) -> set[str]:
    """What is on the dice of a roll: an enum, or nothing for numbers; of no roll, none."""
    if e.type.kind != "roll":
        return set()
    return {e.type.of.name if e.type.of is not None and e.type.of.kind == "enum" else ""}
