"""Small pure definitions written out where they are used.

A call costs more than most rules.  A function, permission or plain quantity whose expression is
small and asks no quantifier is therefore substituted into the place that uses it.
"""

from __future__ import annotations

from dataclasses import replace
from operator import eq, ge, gt, le, lt, ne

from compiler import ir
from compiler.emit.emission import Emission
from compiler.trees import parts_of, rebuilt, substitute, tangled, walk
from compiler.types import BOOL
from runtime.model import NONE, located

_LARGEST = 90
#: what the filter of a loop asks may be larger: much of it is found before the loop
_LARGEST_FILTER = 250
_TABLE = 4000
_FEW = 4
_DEEPEST = 5
#: Through how many definitions that use one another an expression is written out.
_HIGHEST = 16
_TOO_LARGE = 10_000


def body_of(program: Emission, name: str) -> ir.Expr | None:
    """The expression that a call stands for, when it is small enough to be written out."""
    if program.watched is not None:
        return None
    if name not in program.inlined:
        program.inlined[name] = None  # while it is looked at
        call = program.calls[name]
        expr = _expression(call)
        if expr is not None and _small(program, expr) and _height(program, expr) < _HIGHEST:
            program.inlined[name] = expr
    return program.inlined[name]


def fold_calls(program: Emission, e: ir.Expr) -> ir.Expr:
    """*e* without the calls that always come to the same."""
    e = rebuilt(e, lambda part: fold_calls(program, part))
    if isinstance(e, ir.Apply):
        body = body_of(program, e.name)
        return body if isinstance(body, ir.Const) else e
    return _folded(e)


def filter_of(program: Emission, name: str) -> ir.Expr | None:
    """The expression that a call stands for in the filter of a loop."""
    body = body_of(program, name)
    if body is not None or program.watched is not None:
        return body
    if name not in program.filters:
        program.filters[name] = None
        expr = _expression(program.calls[name])
        if expr is not None and _weight(program, expr, 0) <= _LARGEST_FILTER:
            program.filters[name] = expr
    return program.filters[name]


def _small(program: Emission, expr: ir.Expr) -> bool:
    return _weight(program, expr, 0) <= _LARGEST


def _height(program: Emission, expr: ir.Expr) -> int:
    """Through how many definitions *expr* is written out, with those that are written out in it."""
    return max((_kept_height(program, e.name) for e in walk(expr) if isinstance(e, ir.Apply)), default=0)


def _kept_height(program: Emission, name: str) -> int:
    body = None if table_of(program, name) is not None else body_of(program, name)
    if body is None:
        return 0
    if name not in program.heights:
        program.heights[name] = 1 + _height(program, body)
    return program.heights[name]


def unrolled(program: Emission, e: ir.Quant) -> ir.Expr | None:
    """A question about the few members of a small enum, as a chain of ``or`` or ``and``."""
    member = e.source.type.of
    if not isinstance(e.source, ir.Members) or member is None or member.kind != "enum" or e.where is None:
        return None
    count = len(program.enums[member.name])
    if e.kind not in ("some", "no", "every") or not 0 < count <= _FEW:
        return None
    if any(isinstance(x, ir.Quant | ir.Allot | ir.Line) for x in walk(e.where)):
        return None
    parts = [substitute(e.where, {e.var: ir.Const(i, type=member, span=e.span)}) for i in range(count)]
    result = parts[0]
    for part in parts[1:]:
        result = ir.Logic("and" if e.kind == "every" else "or", result, part, type=BOOL, span=e.span)
    return ir.Not(result, type=BOOL, span=e.span) if e.kind == "no" else result


def _weight(program: Emission, expr: ir.Expr, depth: int) -> int:
    weight = 0
    if any(isinstance(e, ir.Quant) for e in walk(expr)):
        if not isinstance(expr, ir.Quant):
            return _TOO_LARGE
        chain = unrolled(program, expr)
        return _TOO_LARGE if chain is None else _weight(program, chain, depth)
    for e in _looked_at(expr):
        if isinstance(
            e, ir.Quant | ir.Allot | ir.Line | ir.Reach | ir.Steps | ir.Way | ir.Range | ir.Members
        ):
            return _TOO_LARGE
        weight += 1
        if isinstance(e, ir.Apply):
            looked_up = table_of(program, e.name) is not None
            inner = body_of(program, e.name) if depth < _DEEPEST and not looked_up else None
            weight += _weight(program, inner, depth + 1) if inner is not None else 2
    return weight


def _looked_at(expr: ir.Expr) -> list[ir.Expr]:
    """What is evaluated of *expr*: of a field of a parent one reading, of a question for a kind no
    members.
    """
    if isinstance(expr, ir.Common):
        return [expr, *_looked_at(expr.owner)]
    if (
        isinstance(expr, ir.In)
        and isinstance(expr.source, ir.Widen)
        and isinstance(expr.source.value, ir.Members)
    ):
        return [expr, *_looked_at(expr.item)]
    return [expr, *(e for part in parts_of(expr) for e in _looked_at(part))]


def _expression(call: ir.Callable) -> ir.Expr | None:
    if call.type.kind in ("set", "roll"):
        return None
    if call.kind == "function":
        return call.body
    if tangled(call.roots):
        return None
    if call.kind == "permission":
        refused = _any([_in_force(rule) for rule in call.roots])
        if refused is None:
            return ir.Const(int(call.default == "allow"), type=BOOL)
        return ir.Not(refused, type=BOOL) if call.default == "allow" else refused
    if any(call.modifiers.get(stage) for stage in call.stages):
        return None
    return _decided(call.roots, call)


def _any(parts: list[ir.Expr]) -> ir.Expr | None:
    result: ir.Expr | None = None
    for part in parts:
        result = part if result is None else ir.Logic("or", result, part, type=BOOL)
    return result


def _speaks(rule: ir.Rule) -> ir.Expr | None:
    result = rule.when
    for _, when in rule.suspended:
        free = ir.Not(when, type=BOOL)
        result = free if result is None else ir.Logic("and", result, free, type=BOOL)
    return result


def _in_force(rule: ir.Rule) -> ir.Expr:
    speaks = _speaks(rule)
    excepted = _any([_in_force(e) for e in rule.exceptions])
    if excepted is None:
        return speaks if speaks is not None else ir.Const(1, type=BOOL)
    stands = ir.Not(excepted, type=BOOL)
    return stands if speaks is None else ir.Logic("and", speaks, stands, type=BOOL)


def _decided(rules: list[ir.Rule], call: ir.Callable, otherwise: ir.Expr | None = None) -> ir.Expr | None:
    """A chain of conditionals; None when some case might be left open."""
    result = otherwise
    for rule in reversed(rules):
        value = _decided(rule.exceptions, call, rule.value) if rule.exceptions else rule.value
        if value is None:
            return None
        speaks = _speaks(rule)
        if speaks is None:
            result = value
        elif result is None:
            return None
        else:
            result = ir.If(speaks, value, result, type=call.type)
    return result


def table_of(program: Emission, name: str) -> tuple[int, ...] | None:
    """The sizes of the table that a function of finite things, which reads no state, is worked out into."""
    call = program.calls[name]
    if program.watched is not None:
        return None
    if name in program.tabulated:
        return program.tabulated[name]
    program.tabulated[name] = None
    if (
        call.kind != "function"
        or call.body is None
        or not call.params
        or not reads_no_state(program, call.body)
    ):
        return None
    sizes: list[int] = []
    for param in call.params:
        if param.type.kind == "enum":
            sizes.append(len(program.enums[param.type.name]))
        elif param.type.kind == "hex" and program.board is not None:
            sizes.append(program.board.size)
        else:
            return None
    total = 1
    for size in sizes:
        total *= size + 1
    if total <= _TABLE:
        program.tabulated[name] = tuple(sizes)
    return program.tabulated[name]


def reads_no_state(program: Emission, expr: ir.Expr) -> bool:
    """Whether *expr* reads no state, nor what it calls; each function is looked at once."""
    called: set[str] = set()
    todo = [expr]
    while todo:
        for e in walk(todo.pop()):
            if isinstance(
                e, ir.Get | ir.Pick | ir.At | ir.Pile | ir.Reach | ir.Steps | ir.Way | ir.Active | ir.SwitchOn
            ):
                return False
            if e.type.kind == "piece" or (e.type.of is not None and e.type.of.kind == "piece"):
                return False
            if isinstance(e, ir.Apply) and e.name not in called:
                called.add(e.name)
                call = program.calls[e.name]
                if call.body is None or call.kind != "function":
                    return False
                todo.append(call.body)
    return True


def uses(expr: ir.Expr, name: str) -> int:
    """How often *expr* mentions the local *name*."""
    return sum(isinstance(e, ir.Local) and e.name == name for e in walk(expr))


def is_cheap(expr: ir.Expr) -> bool:
    """Whether writing *expr* twice costs less than keeping it."""
    return isinstance(expr, ir.Const | ir.Local) or (isinstance(expr, ir.Widen) and is_cheap(expr.value))


def fill_in(body: ir.Expr, values: dict[str, ir.Expr]) -> ir.Expr:
    """*body* with its parameters replaced."""
    return simplified(substitute(body, values))


TRUE, FALSE = ir.Const(1, type=BOOL), ir.Const(0, type=BOOL)
_COMPARED = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def simplified(e: ir.Expr) -> ir.Expr:
    """*e* with what is already known worked out."""
    if isinstance(e, ir.Common) and isinstance(owner := simplified(e.owner), ir.Widen):
        reading: ir.Expr = e
        while isinstance(reading, ir.Common) and reading.kind != _kind(owner.value):
            reading = reading.orelse
        return simplified(reading.then if isinstance(reading, ir.Common) else reading)
    e = rebuilt(e, simplified)
    if isinstance(e, ir.Narrow) and isinstance(e.value, ir.Widen) and _kind(e.value.value) == _kind(e):
        return e.value.value
    if isinstance(e, ir.In) and isinstance(e.item, ir.Widen) and isinstance(e.source, ir.Widen):
        item, source = e.item.value, e.source.value
        return replace(e, item=item, source=source) if _kind(item) == _kind(source) else FALSE
    return _folded(e)


def _folded(e: ir.Expr) -> ir.Expr:
    """An expression about constants, worked out as far as they go."""
    if isinstance(e, ir.Compare) and isinstance(e.left, ir.Const) and isinstance(e.right, ir.Const):
        return TRUE if _COMPARED[e.op](e.left.value, e.right.value) else FALSE
    if (
        isinstance(e, ir.Col)
        and isinstance(e.key, ir.Const)
        and e.key.value >= 0
        and not located(e.type.spec())
    ):
        return ir.Const(e.column.values[e.key.value], type=e.type, span=e.span)
    if isinstance(e, ir.Not) and isinstance(e.operand, ir.Const):
        return FALSE if e.operand.value else TRUE
    if isinstance(e, ir.If) and isinstance(e.test, ir.Const):
        return e.then if e.test.value else e.orelse
    if isinstance(e, ir.Otherwise) and isinstance(e.left, ir.Const):
        return e.right if e.left.value == NONE else e.left
    if isinstance(e, ir.Logic):
        for known, other in ((e.left, e.right), (e.right, e.left)):
            if isinstance(known, ir.Const):
                decisive = bool(known.value) == (e.op == "or")
                return known if decisive else other
    return e


def _kind(e: ir.Expr) -> str:
    """The kind of a piece, or of the pieces in a set."""
    return e.type.of.name if e.type.of is not None else e.type.name


def invariant(expr: ir.Expr) -> bool:
    """Whether *expr* is made of look-ups only, worth keeping and free of statements."""
    plain = (
        ir.Get,
        ir.Col,
        ir.At,
        ir.Cell,
        ir.Local,
        ir.Const,
        ir.Op,
        ir.SwitchOn,
        ir.Active,
        ir.Service,
        ir.Compare,
        ir.Logic,
        ir.Not,
    )
    services = ("distance", "row", "column", "opponent", "rank", "neighbors")
    for e in walk(expr):
        if not isinstance(e, plain):
            return False
        if isinstance(e, ir.Service) and e.name not in services:
            return False
        if isinstance(e, ir.Op) and e.op in ("/", "mod"):
            return False
    return isinstance(expr, ir.Get | ir.Col | ir.At | ir.Cell | ir.Compare | ir.Op | ir.Service | ir.Logic)


def mentions(e: ir.Expr, name: str) -> bool:
    """Whether *e* uses the local *name*."""
    return any(isinstance(x, ir.Local) and x.name == name for x in walk(e))
