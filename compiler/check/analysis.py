"""What every part reads and writes, what can ask, and what refers to itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from compiler import ir
from compiler.check.context import Context
from compiler.ir.travels import TravelInfo
from compiler.trees import child_expressions, expressions_of, rules_of, statements_of, written_slots
from dsl.source import Span
from runtime.model import FieldSpec
from runtime.words.said import said


def expression_groups(call: ir.Callable) -> Iterator[list[ir.Expr]]:
    """The expressions of a call, those together of which one is asked only where another holds."""
    if call.body is not None:
        yield [call.body]
    for e in expressions_of(call.steps):
        yield [e]
    for rule in rules_of(call.roots):
        yield [e for e in (rule.when, rule.value) if e is not None]
        for _, when in rule.suspended:
            yield [when]
    for modifiers in call.modifiers.values():
        for m in modifiers:
            yield [e for e in (m.when, m.value) if e is not None]


def call_expressions(call: ir.Callable) -> list[ir.Expr]:
    """Every expression that may be asked when *call* is evaluated."""
    return [e for exprs in expression_groups(call) for e in exprs]


def travel_expressions(travel: TravelInfo) -> list[ir.Expr]:
    """The expressions of a travel."""
    parts = [travel.origin, travel.budget, travel.enter, travel.cost, travel.halt, travel.end]
    parts += [*(c.initial for c in travel.carried), *travel.then]
    parts += [e for s in travel.stays for e in (s.when, *s.then, s.cost)]
    return [e for e in parts if e is not None]


def slots_read_by(place_of: Callable[[str], FieldSpec | None], e: ir.Expr) -> set[str]:
    """Slots that an expression reads, apart from those below it and from what it uses."""
    match e:
        case ir.Get():
            return {e.field.slot}
        case ir.Pick():
            return {f.slot for f in e.fields}
        case ir.At():
            place = place_of(e.kind)
            return {place.slot} if place is not None else set()
        case ir.Pile():
            return {e.pile.slot}
        case ir.Active():
            return {e.effect.slot}
    return set()


def direct_reads(
    place_of: Callable[[str], FieldSpec | None], exprs: Iterable[ir.Expr], deep: bool = True
) -> tuple[set[str], set[str]]:
    """Slots that *exprs* read themselves, and what they use (``call x``, ``travel x``); not *deep*:
    apart from the expressions below them.
    """
    slots: set[str] = set()
    used: set[str] = set()
    ahead = list(exprs)
    while ahead:
        e = ahead.pop()
        if deep:
            ahead += child_expressions(e)
        match e:
            case ir.Local() | ir.Const() | ir.Logic() | ir.Compare():  # most are
                pass
            case ir.Apply():
                used.add(f"call {e.name}")
            case ir.Reach() | ir.Steps() | ir.Way():
                used.add(f"travel {e.travel}")
            case _:
                slots |= slots_read_by(place_of, e)
    return slots, used


def reads_of(program: ir.Program, exprs: Iterable[ir.Expr]) -> set[str]:
    """Slots that *exprs* read, themselves and by the calls and travels that they use."""
    return with_indirect_reads(program, *direct_reads(program.place_of, exprs))


def with_indirect_reads(program: ir.Program, slots: set[str], used: set[str]) -> set[str]:
    """*slots* with those that the calls and travels *used* read."""
    for name in used:
        kind, plain = name.split(" ")
        part = (program.calls if kind == "call" else program.travels).get(plain)
        slots |= part.reads if part is not None else set()
    return slots


def analyse(ctx: Context) -> None:
    """Fill in the read and write sets and report what refers to itself."""
    program = ctx.program
    parts: dict[str, tuple[set[str], set[str]]] = {}
    named: dict[str, ir.Callable | TravelInfo] = {}
    for call in program.calls.values():
        named[f"call {call.name}"] = call
        ctx.asked[call.name] = call_expressions(call)
        parts[f"call {call.name}"] = _direct_reads(ctx, ctx.asked[call.name])
    for travel in program.travels.values():
        named[f"travel {travel.name}"] = travel
        parts[f"travel {travel.name}"] = _direct_reads(ctx, travel_expressions(travel))
    order = _in_order(ctx, parts)
    for name in order:
        named[name].reads = frozenset(with_indirect_reads(program, *parts[name]))
    _chains(ctx, parts, order)
    for procedure in program.procedures.values():
        slots, used, writes = ctx.trees.result_anywhere(
            reads_uses_and_writes, procedure.body, program
        )
        procedure.reads = frozenset(with_indirect_reads(program, set(slots), used))
        procedure.writes = writes
    for check in program.checks.values():
        check.reads = frozenset(reads_of(program, [check.when]))
        check.writes = frozenset(written_slots(check.body))
    _asking(ctx)
    _deciding_checks(ctx)


def _direct_reads(ctx: Context, exprs: Iterable[ir.Expr]) -> tuple[set[str], set[str]]:
    """As :func:`direct_reads`, of what is known of each expression."""
    slots: set[str] = set()
    used: set[str] = set()
    for e in exprs:
        more, further = ctx.trees.result_anywhere(reads_and_uses, e, ctx.program)
        slots |= more
        used |= further
    return slots, used


def reads_and_uses(e: ir.Expr, program: ir.Program) -> tuple[set[str], set[str]]:
    """The slots that an expression reads, and what it uses (:func:`direct_reads`)."""
    return direct_reads(program.place_of, [e])


def reads_uses_and_writes(
    body: tuple[ir.Stmt, ...], program: ir.Program
) -> tuple[set[str], set[str], frozenset[str]]:
    """The slots that steps read, what they use (:func:`direct_reads`), and what they write."""
    slots, used = direct_reads(program.place_of, expressions_of(body))
    return slots, used, frozenset(written_slots(body))


def _runs(body: tuple[ir.Stmt, ...]) -> tuple[bool, list[str]]:
    """Whether steps ask themselves, and the procedures that they run."""
    steps = list(statements_of(body))
    asks = any(isinstance(s, ir.Choose | ir.Offer) for s in steps)
    return asks, [s.procedure for s in steps if isinstance(s, ir.Do)]


def _asking(ctx: Context) -> None:
    """Mark the procedures that can reach a decision; all cases of a procedure are alike."""
    program, procedures = ctx.program, ctx.program.procedures
    runs: dict[str, list[str]] = {}  # by procedure: those that ask when it does
    ahead = [forecast.procedure for forecast in program.forecasts.values()]  # run block by block
    for procedure in procedures.values():
        asks, run = ctx.trees.result_anywhere(_runs, procedure.body)
        if asks:
            ahead.append(procedure.name)
        for name in run:
            runs.setdefault(name, []).append(procedure.name)
        for case in procedure.cases.values():
            runs.setdefault(case, []).append(procedure.name)
            runs.setdefault(procedure.name, []).append(case)
        if procedure.case_of is not None:
            runs.setdefault(procedure.case_of, []).append(procedure.name)
    while ahead:
        asking = procedures.get(ahead.pop())
        if asking is not None and not asking.asks:
            asking.asks = True
            ahead.extend(runs.get(asking.name, ()))


def _deciding_checks(ctx: Context) -> None:
    """Report checks that run procedures which make decisions."""
    procedures = ctx.program.procedures
    for check in ctx.program.checks.values():
        for stmt in statements_of(check.body):
            run = procedures.get(stmt.procedure) if isinstance(stmt, ir.Do) else None
            if run is not None and run.asks:
                message = said(
                    "procedure {name} makes a decision, which a check cannot wait for",
                    name=run.name,
                )
                remedy = "a check acts by itself; run the procedure from the sequence of play"
                ctx.error("S601", message, stmt.span, remedy, citation=check.rules)


def _in_order(ctx: Context, parts: dict[str, tuple[set[str], set[str]]]) -> list[str]:
    """All *parts*, each behind those that it uses; circles are reported."""
    order: list[str] = []
    done: set[str] = set()
    for first in parts:
        if first in done:
            continue
        path = {first: None}  # what is under way, outermost first
        ahead = [iter(sorted(parts[first][1]))]
        while ahead:
            used = next(ahead[-1], None)
            if used is None:
                ahead.pop()
                name, _ = path.popitem()
                done.add(name)
                order.append(name)
            elif used in path:
                _circle(ctx, [*path], used)
            elif used not in done and used in parts:
                path[used] = None
                ahead.append(iter(sorted(parts[used][1])))
    return order


def _circle(ctx: Context, path: list[str], name: str) -> None:
    remedy = "expressions must come to an end: break the circle"
    circle = [*path[path.index(name) :], name]
    message = said("these refer to each other in a circle: {circle}", circle=_chain_text(circle))
    ctx.error("Q507", message, _span(ctx, name), remedy)


#: How many definitions may use one another in a row: Python calls no deeper than a thousand.
_LONGEST = 200
#: Of a long chain, how many are named at its ends.
_ENDS = 5


def _chains(ctx: Context, parts: dict[str, tuple[set[str], set[str]]], order: list[str]) -> None:
    """Report the first definition that uses others through more than may be."""
    height: dict[str, int] = {}
    next_: dict[str, str] = {}
    for name in order:
        below = max(parts[name][1] & height.keys(), key=lambda u: (height[u], u), default=None)
        height[name] = 1 if below is None else 1 + height[below]
        if below is not None:
            next_[name] = below
        if height[name] > _LONGEST:
            chain = [name]
            while chain[-1] in next_:
                chain.append(next_[chain[-1]])
            message = said(
                "these refer to each other in a chain of more than {longest}: {chain}",
                longest=_LONGEST,
                chain=_chain_text(chain),
            )
            remedy = "put what the definitions in the middle say into fewer ones"
            ctx.error("Q507", message, _span(ctx, name), remedy)
            return


def _chain_text(names: list[str]) -> str:
    """Names of parts in a row; the middle of a long row is left out."""
    plain = [name.split(" ", 1)[1] for name in names]
    return " → ".join(plain if len(plain) <= 4 * _ENDS else [*plain[:_ENDS], "…", *plain[-_ENDS:]])


def _span(ctx: Context, name: str) -> Span:
    kind, plain = name.split(" ", 1)
    return ctx.program.calls[plain].span if kind == "call" else ctx.program.travels[plain].span
