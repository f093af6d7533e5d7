"""Which locals tell pieces apart while a game stands still: those with pieces that are read later.

Asked only where options may be alike (SPEC: decisions): pieces that nothing refers to and that
agree in all fields are one option.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler import ir
from compiler.trees import bound_locals, child_expressions, walk
from compiler.types import Type

_Names = frozenset[str]
_NONE: _Names = frozenset()


@dataclass(frozen=True)
class HeldPieces:
    """What a procedure under way holds of pieces.

    *locals* are names with the piece kind and whether it is a set, *kinds* those whose pieces it is
    walking through.
    """

    locals: tuple[tuple[str, str, bool], ...] = ()
    kinds: frozenset[str] = frozenset()


@dataclass
class Liveness:
    """What is held at each decision (by index) and during each call (by its step's identity)."""

    decisions: dict[int, HeldPieces] = field(default_factory=dict)
    calls: dict[int, HeldPieces] = field(default_factory=dict)


def alike_kinds(program: ir.Program) -> set[str]:
    """The piece kinds with no hidden field, and their parents: an option less would tell it."""
    hidden = {f.owner for f in program.fields.values() if f.seen_by is not None}
    open_ = set(program.kinds) - hidden
    return open_ | {name for name, kinds in program.parents.items() if not open_.isdisjoint(kinds)}


def liveness(program: ir.Program) -> Liveness:
    """What is held, of all procedures that can reach a decision."""
    held = Liveness()
    alike = alike_kinds(program)
    values = (t for d in program.decisions for o in d.options for t in o.values)
    if any(t.kind == "piece" and t.name in alike for t in values):
        for procedure in program.procedures.values():
            if procedure.asks:
                _Look(program, dict(procedure.locals), held).block(procedure.body, _NONE)
    return held


class _Look:
    """Goes through steps from the last to the first, with the locals that are read after each."""

    def __init__(self, program: ir.Program, types: dict[str, Type], result: Liveness) -> None:
        self.program = program
        self.types = types
        self.result = result
        self.stops: list[_Names] = []
        self.walked: list[str] = []

    def block(self, stmts: tuple[ir.Stmt, ...], after: _Names) -> _Names:
        """The locals that are read from the beginning of a block on."""
        for stmt in reversed(stmts):
            after = self.step(stmt, after)
        return after

    def held_pieces(self, names: _Names) -> HeldPieces:
        """What of *names* refers to pieces."""
        kept = []
        for name in sorted(names):
            type_ = self.types.get(name)
            member = type_.of if type_ is not None and type_.kind == "set" else type_
            if type_ is not None and member is not None and member.kind == "piece":
                kept.append((name, member.name, type_.kind == "set"))
        return HeldPieces(tuple(kept), frozenset(self.walked))

    def step(self, stmt: ir.Stmt, after: _Names) -> _Names:
        """The locals that are read from a step on."""
        match stmt:
            case ir.Let():
                return after - {stmt.name} | _locals_read(stmt.value)
            case ir.Return() | ir.Finish():
                return _locals_used(stmt)
            case ir.Stop():
                return self.stops[-1] if self.stops else after
            case ir.IfStmt():
                return (
                    _locals_used(stmt)
                    | self.block(stmt.then, after)
                    | self.block(stmt.orelse, after)
                )
            case ir.Each():
                return self.each(stmt, after)
            case ir.Repeat():
                head = after if stmt.times is not None else _NONE
                return self.loop(stmt.body, head, after, _NONE) | _locals_used(stmt)
            case ir.Do():
                kept = after - {stmt.target} if stmt.target is not None else after
                self.result.calls[id(stmt)] = self.held_pieces(kept)
                return kept | _locals_used(stmt)
            case ir.Choose():
                kept = after | self.block(stmt.orelse, after)
                kept -= {stmt.var}
                self.result.decisions[stmt.decision.index] = self.held_pieces(kept)
                return kept | _locals_used(stmt) - {stmt.var}
            case ir.Offer():
                return self.offer(stmt, after)
            case ir.Together() | ir.Within():
                return self.block(stmt.body, after)
            case ir.Roll() | ir.Draw() | ir.DrawFrom():
                return after - {stmt.name} | _locals_used(stmt) - {stmt.name}
        return after | _locals_used(stmt)

    def loop(self, body: tuple[ir.Stmt, ...], head: _Names, after: _Names, bound: _Names) -> _Names:
        """The locals read from the head of a loop on; *head*: also if it ends there."""
        self.stops.append(after)
        while True:
            more = head | (self.block(body, head) - bound)
            if more == head:
                break
            head = more
        self.stops.pop()
        return head

    def each(self, stmt: ir.Each, after: _Names) -> _Names:
        member = stmt.source.type.of
        walked = [member.name] if member is not None and member.kind == "piece" else []
        where = _locals_read(stmt.where) if stmt.where is not None else _NONE
        outer, self.walked = self.walked, [*self.walked, *walked]
        head = self.loop(stmt.body, after | where - {stmt.var}, after, frozenset({stmt.var}))
        self.walked = outer
        return head | _locals_read(stmt.source)

    def offer(self, stmt: ir.Offer, after: _Names) -> _Names:
        asked = _locals_used(stmt).union(
            *(_locals_read(e) - {*b.variables} for b in stmt.branches for e in b.option_expressions)
        )
        head: _Names = asked if not stmt.once else _NONE
        self.stops.append(after)
        while True:
            again = after if stmt.once else head | after
            kept = after | self.block(stmt.on_pass, after)
            for branch in stmt.branches:
                kept |= self.block(branch.body, again) - set(branch.variables)
            if stmt.once or kept | asked == head:
                break
            head = kept | asked
        self.stops.pop()
        self.result.decisions[stmt.decision.index] = self.held_pieces(kept if stmt.once else head)
        return kept | asked


def _locals_read(expr: ir.Expr) -> _Names:
    """The locals that an expression reads, without those that it binds itself."""
    read, bound = set[str](), set[str]()
    for e in walk(expr):
        if isinstance(e, ir.Local):
            read.add(e.name)
        elif isinstance(e, ir.Quant | ir.Allot | ir.Line):
            bound.update(bound_locals(e))
    return frozenset(read - bound)


def _locals_used(stmt: ir.Stmt) -> _Names:
    """The locals that a step itself reads."""
    return frozenset(name for part in child_expressions(stmt) for name in _locals_read(part))
