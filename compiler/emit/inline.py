"""Small pure definitions written out where they are used.

A call costs more than most rules.  A function, permission or plain quantity whose expression is
small and asks no quantifier is therefore substituted into the place that uses it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from operator import eq, ge, gt, le, lt, ne

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.queries import query
from compiler.trees import child_expressions, is_tangled, rebuilt, rules_of, substitute, walk
from compiler.types import BOOL, Type
from runtime.model import NONE, names_hexes

TRUE, FALSE = ir.Const(1, type=BOOL), ir.Const(0, type=BOOL)

#: How heavy an expression may be that is written out.
_LARGEST = 90
#: what the filter of a loop asks may be larger: much of it is found before the loop
_LARGEST_FILTER = 250
_FEW = 4
_DEEPEST = 5
#: Through how many definitions that use one another an expression is written out.
_HIGHEST = 16
_TOO_LARGE = 10_000


@query
def body_of(program: Emission, name: str) -> ir.Expr | None:
    """The expression that a call stands for, when it is small enough to be written out."""
    if program.watched is not None:
        return None
    expr = _expression(program.calls[name])
    if expr is None or _weight(program, expr, 0) > _LARGEST:
        return None
    return expr if _height(program, expr) < _HIGHEST else None


def fold_calls(program: Emission, e: ir.Expr) -> ir.Expr:
    """*e* without the calls that always come to the same."""
    e = rebuilt(e, lambda part: fold_calls(program, part))
    if isinstance(e, ir.Apply):
        body = body_of(program, e.name)
        return body if isinstance(body, ir.Const) else e
    return _folded(e)


@query
def filter_of(program: Emission, name: str) -> ir.Expr | None:
    """The expression that a call stands for in the filter of a loop."""
    body = body_of(program, name)
    if body is not None or program.watched is not None:
        return body
    expr = _expression(program.calls[name])
    light = expr is not None and _weight(program, expr, 0) <= _LARGEST_FILTER
    return expr if light else None


def _height(program: Emission, expr: ir.Expr) -> int:
    """Through how many definitions *expr* is written out, with those that are written out in it."""
    names = sorted({e.name for e in walk(expr) if isinstance(e, ir.Apply)})
    return max((_height_of(program, name) for name in names), default=0)


@query
def _height_of(program: Emission, name: str) -> int:
    body = None if program.table_of(name) is not None else body_of(program, name)
    return 0 if body is None else 1 + _height(program, body)


def unrolled(program: Emission, e: ir.Quant) -> ir.Expr | None:
    """A question about the few members of a small enum, as a chain of ``or`` or ``and``."""
    member = e.source.type.of
    if (
        not isinstance(e.source, ir.Members)
        or member is None
        or member.kind != "enum"
        or e.where is None
    ):
        return None
    count = len(program.enums[member.name])
    if e.kind not in ("some", "no", "every") or not 0 < count <= _FEW:
        return None
    if any(isinstance(x, ir.Quant | ir.Allot | ir.Line) for x in walk(e.where)):
        return None
    parts = (
        substitute(e.where, {e.var: ir.Const(i, type=member, span=e.span)}) for i in range(count)
    )
    chain = _chain("and" if e.kind == "every" else "or", parts)
    return ir.Not(chain, type=BOOL) if e.kind == "no" and chain is not None else chain


def _weight(program: Emission, expr: ir.Expr, depth: int) -> int:
    weight = 0
    if any(isinstance(e, ir.Quant) for e in walk(expr)):
        if not isinstance(expr, ir.Quant):
            return _TOO_LARGE
        chain = unrolled(program, expr)
        return _TOO_LARGE if chain is None else _weight(program, chain, depth)
    for e in _evaluated_parts(expr):
        if isinstance(
            e, ir.Quant | ir.Allot | ir.Line | ir.Reach | ir.Steps | ir.Way | ir.Range | ir.Members
        ):
            return _TOO_LARGE
        weight += 1
        if isinstance(e, ir.Apply) and not program.call_info(e.name).remembered:
            looked_up = program.table_of(e.name) is not None
            inner = body_of(program, e.name) if depth < _DEEPEST and not looked_up else None
            weight += _weight(program, inner, depth + 1) if inner is not None else 2
    return weight


def _evaluated_parts(expr: ir.Expr) -> list[ir.Expr]:
    """What is evaluated of *expr*: one reading of a parent's field, no members of a kind."""
    if isinstance(expr, ir.Common):
        return [expr, *_evaluated_parts(expr.owner)]
    if (
        isinstance(expr, ir.In)
        and isinstance(expr.source, ir.Widen)
        and isinstance(expr.source.value, ir.Members)
    ):
        return [expr, *_evaluated_parts(expr.item)]
    return [expr, *(e for part in child_expressions(expr) for e in _evaluated_parts(part))]


def _expression(call: ir.Callable) -> ir.Expr | None:
    if call.type.kind in ("set", "roll") or call.remembered:
        return None
    if call.kind == "function":
        return call.body
    if is_tangled(call.roots):
        return None
    if call.kind == "permission":
        refused = _chain("or", map(_in_force, call.roots))
        if refused is None:
            return ir.Const(int(call.default == "allow"), type=BOOL)
        return ir.Not(refused, type=BOOL) if call.default == "allow" else refused
    if any(call.modifiers.get(stage) for stage in call.stages):
        return None
    return _as_conditionals(call.roots, call)


def _chain(op: str, parts: Iterable[ir.Expr]) -> ir.Expr | None:
    """*parts* joined by ``and`` or ``or``; None where there is none."""
    result: ir.Expr | None = None
    for part in parts:
        result = part if result is None else ir.Logic(op, result, part, type=BOOL)
    return result


def _speaks(rule: ir.Rule) -> ir.Expr | None:
    free = [ir.Not(when, type=BOOL) for _, when in rule.suspended]
    return _chain("and", free if rule.when is None else [rule.when, *free])


def _in_force(rule: ir.Rule) -> ir.Expr:
    speaks = _speaks(rule)
    excepted = _chain("or", map(_in_force, rule.exceptions))
    stands = [] if excepted is None else [ir.Not(excepted, type=BOOL)]
    return _chain("and", stands if speaks is None else [speaks, *stands]) or TRUE


def _as_conditionals(
    rules: list[ir.Rule], call: ir.Callable, otherwise: ir.Expr | None = None
) -> ir.Expr | None:
    """A chain of conditionals; None when some case might be left open."""
    result = otherwise
    for rule in reversed(rules):
        value = (
            _as_conditionals(rule.exceptions, call, rule.value) if rule.exceptions else rule.value
        )
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


def uses(expr: ir.Expr, name: str) -> int:
    """How often *expr* uses the local *name*."""
    return sum(isinstance(e, ir.Local) and e.name == name for e in walk(expr))


def mentions(expr: ir.Expr | None, name: str) -> bool:
    """Whether *expr* uses the local *name*."""
    return expr is not None and uses(expr, name) > 0


def is_cheap(expr: ir.Expr) -> bool:
    """Whether writing *expr* twice costs less than keeping it."""
    return isinstance(expr, ir.Const | ir.Weight | ir.Local) or (
        isinstance(expr, ir.Widen) and is_cheap(expr.value)
    )


def fill_in(body: ir.Expr, values: dict[str, ir.Expr]) -> ir.Expr:
    """*body* with its parameters replaced."""
    return simplified(substitute(body, values))


_COMPARED = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def simplified(e: ir.Expr) -> ir.Expr:
    """*e* with what is already known worked out."""
    if isinstance(e, ir.Common) and isinstance(owner := simplified(e.owner), ir.Widen):
        reading: ir.Expr = e
        while isinstance(reading, ir.Common) and reading.kind != kind_of(owner.value):
            reading = reading.orelse
        return simplified(reading.then if isinstance(reading, ir.Common) else reading)
    e = rebuilt(e, simplified)
    if (
        isinstance(e, ir.Narrow)
        and isinstance(e.value, ir.Widen)
        and kind_of(e.value.value) == kind_of(e)
    ):
        return e.value.value
    if isinstance(e, ir.In) and isinstance(e.item, ir.Widen) and isinstance(e.source, ir.Widen):
        item, source = e.item.value, e.source.value
        return replace(e, item=item, source=source) if kind_of(item) == kind_of(source) else FALSE
    return _folded(e)


def _folded(e: ir.Expr) -> ir.Expr:
    """An expression about constants, worked out as far as they go."""
    if isinstance(e, ir.Compare) and isinstance(e.left, ir.Const) and isinstance(e.right, ir.Const):
        return TRUE if _COMPARED[e.op](e.left.value, e.right.value) else FALSE
    if (
        isinstance(e, ir.Col)
        and isinstance(e.key, ir.Const)
        and e.key.value >= 0
        and e.column.place is None
        and not names_hexes(e.type.spec())
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


def kind_of(e: ir.Expr) -> str:
    """The kind of a piece, or of the pieces in a set."""
    return e.type.of.name if e.type.of is not None else e.type.name


#: Look-ups, those of them that are worth keeping, and the services among them.
_WORTH = ir.Get | ir.Col | ir.At | ir.Cell | ir.Compare | ir.Op | ir.Service | ir.Logic
_LOOK_UPS = _WORTH | ir.Local | ir.Const | ir.Weight | ir.SwitchOn | ir.Active | ir.Not
_SERVICES = ("distance", "row", "column", "opponent", "rank", "neighbors")


def invariant(expr: ir.Expr) -> bool:
    """Whether *expr* is made of look-ups only, worth keeping and free of statements."""
    return isinstance(expr, _WORTH) and all(
        isinstance(e, _LOOK_UPS)
        and not (isinstance(e, ir.Service) and e.name not in _SERVICES)
        and not (isinstance(e, ir.Op) and e.op in ("/", "mod"))
        for e in walk(expr)
    )


#: What loops wherever it stands.
_LOOPS = ir.Allot | ir.Line | ir.Reach | ir.Steps | ir.Way


def loops(program: Emission, expr: ir.Expr) -> bool:
    """Whether working *expr* out takes a loop, in it or in what it calls."""
    return any(
        isinstance(e, _LOOPS)
        or (isinstance(e, ir.Quant) and unrolled(program, e) is None)
        or (isinstance(e, ir.Apply) and _call_loops(program, e.name))
        for e in walk(expr)
    )


@query
def _call_loops(program: Emission, name: str) -> bool:
    call = program.calls[name]
    if program.table_of(name) is not None or call.remembered:
        return False
    if call.steps:
        return True
    return any(loops(program, e) for e in _expressions(call))


# --------------------------------------------------------------------------- what uses what


def _expressions(call: ir.Callable) -> list[ir.Expr]:
    """All that may be worked out for a call, but for its steps."""
    rules = rules_of(call.roots)
    asked = [call.body, *(e for rule in rules for e in (rule.when, rule.value))]
    asked += [when for rule in rules for _, when in rule.suspended]
    asked += [e for group in call.modifiers.values() for m in group for e in (m.when, m.value)]
    return [e for e in asked if e is not None]


@query
def called_names(program: Emission, name: str) -> list[str]:
    """The calls that a call uses in its expressions."""
    below = (e for one in _expressions(program.calls[name]) for e in walk(one))
    return sorted({e.name for e in below if isinstance(e, ir.Apply)})


def answer_from_below(program: Emission) -> None:
    """Answer what hangs on all calls that a call uses, first about these: a query about the last of
    a long chain would else ask as deep as that is long.
    """
    seen: set[str] = set()

    def visit(name: str) -> None:
        if name not in seen:
            seen.add(name)
            for other in called_names(program, name):
                visit(other)
            program.table_of(name)
            body_of(program, name)
            _call_loops(program, name)

    for name in program.calls:
        visit(name)


# --------------------------------------------------------------------------- variants: to look at
# the kind of a piece costs time at each field, so calls about a piece of a known kind are written
# out for that kind


def variant_of(program: Emission, e: ir.Apply) -> tuple[str, tuple[ir.Expr, ...]]:
    """The suffix of a call's variant for pieces of known kinds, if any, and its arguments."""
    call = program.call_info(e.name)
    known = [
        a.value if isinstance(a, ir.Widen) and a.value.type.kind == "piece" else None
        for a in e.args
    ]
    if not any(known) or program.watched is not None or call.type.kind in ("set", "roll"):
        return "", e.args
    if call.remembered or call.stepped:
        return "", e.args
    kinds = tuple(a.type.name if a is not None else "" for a in known)
    suffix = variant(program, e.name, kinds).suffix
    return suffix, tuple(own or arg for own, arg in zip(known, e.args, strict=True))


def made_variant(program: Emission, name: str, kinds: tuple[str, ...]) -> ir.Callable:
    """A call written out for pieces of these kinds, in the order of its parameters."""
    call = program.calls[name]
    suffix = "__" + "_".join(kind or "any" for kind in kinds)
    while f"{call.name}{suffix}" in program.calls:
        suffix += "_"
    values: dict[str, ir.Expr] = {}
    params = list(call.params)
    for i, (param, kind) in enumerate(zip(call.params, kinds, strict=True)):
        if kind:
            own = Type("piece", kind, param.type.optional)
            params[i] = ir.ParamInfo(param.name, own)
            values[param.name] = ir.Widen(ir.Local(param.name, type=own), type=param.type)

    def filled(e: ir.Expr | None) -> ir.Expr | None:
        return None if e is None else fill_in(e, values)

    rules: dict[int, ir.Rule | None] = {}

    def rule_of(rule: ir.Rule) -> ir.Rule | None:
        """The rule for these kinds; None where it is none of theirs."""
        if id(rule) not in rules:
            when = filled(rule.when)
            never = isinstance(when, ir.Const) and not when.value
            rules[id(rule)] = (
                None
                if never
                else replace(
                    rule,
                    when=None if isinstance(when, ir.Const) else when,
                    value=filled(rule.value),
                    exceptions=[one for one in map(rule_of, rule.exceptions) if one is not None],
                    suspended=[(name, fill_in(test, values)) for name, test in rule.suspended],
                )
            )
        return rules[id(rule)]

    return replace(
        call,
        params=params,
        suffix=suffix,
        body=filled(call.body),
        roots=[one for one in map(rule_of, call.roots) if one is not None],
        modifiers={
            stage: [replace(m, when=filled(m.when), value=fill_in(m.value, values)) for m in group]
            for stage, group in call.modifiers.items()
        },
    )


#: The query; what a part asked for is known by the function.
variant = query(made_variant)
