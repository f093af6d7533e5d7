"""What every part reads and writes, what can ask, and what refers to itself."""

from __future__ import annotations

from collections.abc import Iterable

from compiler import ir
from compiler.check.context import Context
from compiler.ir.travels import TravelInfo
from compiler.trees import expressions_of, rules_of, statements_of, walk, written


def call_expressions(call: ir.Callable) -> list[ir.Expr]:
    """Every expression that may be asked when *call* is evaluated."""
    found: list[ir.Expr] = [call.body] if call.body is not None else []
    for rule in rules_of(call.roots):
        found.extend(e for e in (rule.when, rule.value) if e is not None)
        found.extend(when for _, when in rule.suspended)
    for modifiers in call.modifiers.values():
        for m in modifiers:
            found.append(m.value)
            if m.when is not None:
                found.append(m.when)
    return found


def travel_expressions(travel: TravelInfo) -> list[ir.Expr]:
    """The expressions of a travel."""
    carried = (
        *(c.initial for c in travel.carried),
        *travel.then,
        *(e for s in travel.stays for e in (s.when, *s.then, s.cost)),
    )
    parts = (travel.origin, travel.budget, travel.enter, travel.cost, travel.halt, travel.end, *carried)
    return [e for e in parts if e is not None]


def direct_reads(program: ir.Program, exprs: Iterable[ir.Expr]) -> tuple[set[str], set[str]]:
    """Slots that *exprs* read themselves, and the calls and travels they use (``call x``, ``travel x``)."""
    slots: set[str] = set()
    used: set[str] = set()
    for top in exprs:
        for e in walk(top):
            if isinstance(e, ir.Get):
                slots.add(e.field.slot)
            elif isinstance(e, ir.Pick):
                slots.update(f.slot for f in e.fields)
            elif isinstance(e, ir.At):
                place = program.place_of(e.kind)
                if place is not None:
                    slots.add(place.slot)
            elif isinstance(e, ir.Pile):
                slots.add(e.pile.slot)
            elif isinstance(e, ir.Active):
                slots.add(e.effect.slot)
            elif isinstance(e, ir.Apply):
                used.add(f"call {e.name}")
            elif isinstance(e, ir.Reach | ir.Steps | ir.Way):
                used.add(f"travel {e.travel}")
    return slots, used


def analyse(ctx: Context) -> None:
    """Fill in the read and write sets and report what refers to itself."""
    program = ctx.program
    parts: dict[str, tuple[set[str], set[str]]] = {}
    for call in program.calls.values():
        parts[f"call {call.name}"] = direct_reads(program, call_expressions(call))
    for travel in program.travels.values():
        parts[f"travel {travel.name}"] = direct_reads(program, travel_expressions(travel))
    _circles(ctx, parts)
    closed: dict[str, frozenset[str]] = {}

    def close(name: str, under_way: tuple[str, ...] = ()) -> frozenset[str]:
        if name in closed:
            return closed[name]
        if name in under_way or name not in parts:
            return frozenset()
        slots, used = parts[name]
        result = (
            frozenset(slots).union(*(close(u, (*under_way, name)) for u in used))
            if used
            else frozenset(slots)
        )
        if not under_way:
            closed[name] = result
        return result

    for call in program.calls.values():
        call.reads = close(f"call {call.name}")
    for travel in program.travels.values():
        travel.reads = close(f"travel {travel.name}")

    def total(exprs: Iterable[ir.Expr]) -> frozenset[str]:
        slots, used = direct_reads(program, exprs)
        return frozenset(slots).union(*(close(u) for u in used)) if used else frozenset(slots)

    for procedure in program.procedures.values():
        procedure.reads = total(expressions_of(procedure.body))
        procedure.writes = frozenset(written(procedure.body))
    for check in program.checks.values():
        check.reads = total([check.when])
        check.writes = frozenset(written(check.body))
    _asking(program)
    _deciding_checks(ctx)


def _asking(program: ir.Program) -> None:
    """Mark the procedures that can reach a decision; all cases of a procedure are alike."""
    changed = True
    while changed:
        changed = False
        for procedure in program.procedures.values():
            if procedure.asks:
                continue
            asks = any(
                isinstance(s, ir.Choose | ir.Offer)
                or (
                    isinstance(s, ir.Do)
                    and s.procedure in program.procedures
                    and program.procedures[s.procedure].asks
                )
                for s in statements_of(procedure.body)
            )
            family = [program.procedures[c] for c in procedure.cases.values()]
            if procedure.case_of in program.procedures and procedure.case_of is not None:
                family.append(program.procedures[procedure.case_of])
            if asks or any(f.asks for f in family):
                procedure.asks = True
                changed = True


def _deciding_checks(ctx: Context) -> None:
    """Report checks that run procedures which make decisions."""
    procedures = ctx.program.procedures
    for check in ctx.program.checks.values():
        for stmt in statements_of(check.body):
            if isinstance(stmt, ir.Do) and stmt.procedure in procedures and procedures[stmt.procedure].asks:
                ctx.error(
                    "S601",
                    f"procedure {stmt.procedure} makes a decision, which a check cannot wait for",
                    stmt.span,
                    "a check acts by itself; run the procedure from the sequence of play",
                    citation=check.rules,
                )


def _circles(ctx: Context, parts: dict[str, tuple[set[str], set[str]]]) -> None:
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            circle = [*path[path.index(name) :], name]
            shown = " → ".join(c.split(" ", 1)[1] for c in circle)
            kind, plain = name.split(" ", 1)
            span = ctx.program.calls[plain].span if kind == "call" else ctx.program.travels[plain].span
            ctx.error(
                "Q507",
                f"these refer to each other in a circle: {shown}",
                span,
                "expressions must come to an end: break the circle",
            )
            return
        if name in done or name not in parts:
            return
        for used in sorted(parts[name][1]):
            visit(used, (*path, name))
        done.add(name)

    for name in parts:
        visit(name, ())
