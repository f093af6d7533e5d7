"""Walking through checked trees, and putting expressions into them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from functools import cache
from operator import is_not
from typing import Final, TypeGuard

from compiler import ir

#: What fields without expressions are annotated with.
_PLAIN: Final = {"str", "int", "bool", "None", "Type", "Span", "tuple", "FieldSpec", "PileSpec"}
#: How the size of a reach is compared where only its being empty matters.
_ASKED = {
    (">", 0): ">",
    ("!=", 0): ">",
    (">=", 1): ">",
    ("==", 0): "==",
    ("<", 1): "==",
    ("<=", 0): "==",
}


def child_expressions(node: object) -> list[ir.Expr]:
    """The expressions directly below an expression, a step or the end of a block."""
    names, plain = _shape(type(node))  # type: ignore[arg-type]
    if plain:
        return [getattr(node, name) for name in names]
    parts: list[ir.Expr] = []
    for name in names:
        value = getattr(node, name)
        if isinstance(value, ir.Expr):
            parts.append(value)
        elif isinstance(value, tuple):
            parts += [item for item in value if isinstance(item, ir.Expr)]
    return parts


@cache
def _holding(kind: type) -> tuple[str, ...]:
    """The fields of a kind of node that can hold expressions."""
    fields = kind.__dataclass_fields__.items()  # type: ignore[attr-defined]
    return tuple(n for n, f in fields if not _PLAIN.issuperset(re.findall(r"\w+", str(f.type))))


def bodies_of(stmt: ir.Stmt) -> list[tuple[ir.Stmt, ...]]:
    """The blocks directly below a step."""
    bodies: list[tuple[ir.Stmt, ...]] = []
    for name in _blocks(type(stmt)):
        value = getattr(stmt, name)
        if value and isinstance(value[0], ir.Branch):
            bodies += [branch.body for branch in value]
        elif value:
            bodies.append(value)
    return bodies


@cache
def _blocks(kind: type[ir.Stmt]) -> tuple[str, ...]:
    """The fields of a kind of step that hold steps, or branches of a menu."""
    types = {f.name: str(f.type) for f in fields(kind)}
    return tuple(n for n, type_ in types.items() if type_ in ("tuple[Stmt, ...]", _BRANCHES))


_BRANCHES: Final = "tuple[Branch, ...]"


@cache
def _shape(kind: type) -> tuple[tuple[str, ...], bool]:
    """The fields of a kind of node that can hold expressions; whether each of them holds one."""
    fields, names = kind.__dataclass_fields__, _holding(kind)  # type: ignore[attr-defined]
    return names, all(str(fields[name].type) == "Expr" for name in names)


def multiplies_freely(e: ir.Op) -> bool:
    """Whether repeating a product can square a number: no factor is written down, or yes or no."""
    return e.op == "*" and not any(
        isinstance(side, ir.Const | ir.Weight | ir.Col | ir.Cell) or side.type.kind == "bool"
        for side in (e.left, e.right)
    )


def walk(expr: ir.Expr) -> list[ir.Expr]:
    """*expr* and everything below it."""
    result: list[ir.Expr] = []
    ahead = [expr]
    while ahead:
        result.append(e := ahead.pop())
        ahead.extend(reversed(child_expressions(e)))
    return result


def locals_of(expr: ir.Expr) -> set[str]:
    """The locals that an expression mentions."""
    return {e.name for e in walk(expr) if isinstance(e, ir.Local)}


def varying(travel: ir.TravelInfo) -> bool:
    """Whether how far a travel goes depends on what it carries: it is asked after each move."""
    return bool({c.after for c in travel.carried} & locals_of(travel.budget))


def bound_locals(expr: ir.Quant | ir.Allot | ir.Line) -> tuple[str, ...]:
    """The locals that a quantifier, an allotment or a line gives to its conditions."""
    match expr:
        case ir.Quant():
            return (expr.var,)
        case ir.Allot():
            return (expr.var, expr.own)
        case ir.Line():
            return tuple(name for name in (expr.var, expr.leaves, expr.enters) if name)


def step_expressions(stmt: ir.Stmt) -> list[ir.Expr]:
    """The expressions directly below a step; of a menu those of its options too."""
    branches = stmt.branches if isinstance(stmt, ir.Offer) else ()
    return [
        *child_expressions(stmt),
        *(e for branch in branches for e in branch.option_expressions),
    ]


def expressions_of(stmts: Iterable[ir.Stmt]) -> Iterator[ir.Expr]:
    """All expressions directly in *stmts* and the steps below them."""
    for stmt in statements_of(stmts):
        yield from step_expressions(stmt)


def statements_of(stmts: Iterable[ir.Stmt]) -> Iterator[ir.Stmt]:
    """*stmts* and all steps below them."""
    for stmt in stmts:
        yield stmt
        for body in bodies_of(stmt):
            yield from statements_of(body)


def uncovers(stmt: ir.Shuffle) -> bool:
    """Whether shuffling shows cards that not all could see before."""
    shown = (stmt.into or stmt.pile).pile.visibility
    return shown == "top" or (shown == "open" and stmt.pile.pile.visibility != "open")


def conjuncts(expr: ir.Expr | None) -> list[ir.Expr]:
    """The parts of a conjunction, in order."""
    return _operands(expr, "and")


def disjuncts(expr: ir.Expr | None) -> list[ir.Expr]:
    """The parts of a disjunction, in order."""
    return _operands(expr, "or")


def _operands(expr: ir.Expr | None, op: str) -> list[ir.Expr]:
    if expr is None:
        return []
    if isinstance(expr, ir.Logic) and expr.op == op:
        return _operands(expr.left, op) + _operands(expr.right, op)
    return [expr]


def rebuilt(expr: ir.Expr, change: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """*expr* with each of the expressions directly below it changed; itself where none is."""
    changes: dict[str, object] = {}
    for name in _holding(type(expr)):
        value = getattr(expr, name)
        if isinstance(value, ir.Expr):
            new = change(value)
            if new is not value:
                changes[name] = new
        elif isinstance(value, tuple) and value and isinstance(value[0], ir.Expr):
            items = tuple(map(change, value))
            if any(map(is_not, items, value)):
                changes[name] = items
    return replace(expr, **changes) if changes else expr  # type: ignore[arg-type]


def substitute(expr: ir.Expr, values: dict[str, ir.Expr]) -> ir.Expr:
    """*expr* with locals replaced by expressions."""
    if not values:
        return expr

    def change(part: ir.Expr) -> ir.Expr:
        if isinstance(part, ir.Local):
            return values.get(part.name, part)
        return rebuilt(part, change)

    return change(expr)


def rules_of(roots: Iterable[ir.Rule]) -> list[ir.Rule]:
    """*roots* and all rules below them, each once, and before its exceptions."""
    rules: list[ir.Rule] = []
    seen: set[int] = set()
    for root in reversed(list(roots)):
        ahead = [(root, reversed(root.exceptions))] if id(root) not in seen else []
        seen.add(id(root))
        while ahead:  # not by calls: a chain of exceptions may be longer than Python calls deep
            rule, exceptions = ahead[-1]
            below = next((e for e in exceptions if id(e) not in seen), None)
            if below is None:
                rules.append(rule)
                ahead.pop()
            else:
                seen.add(id(below))
                ahead.append((below, reversed(below.exceptions)))
    rules.reverse()
    return rules


#: A tree of rules as deep as this is written as a list.
_DEEP = 24


def is_tangled(roots: Iterable[ir.Rule]) -> bool:
    """Whether rules hang below each other in too many ways, or too deep, to be drawn as a tree."""
    sizes: dict[int, tuple[int, int]] = {}
    rules = rules_of(roots)
    for rule in reversed(rules):
        below = [sizes[id(e)] for e in rule.exceptions]
        sizes[id(rule)] = (
            1 + sum(size for size, _ in below),
            1 + max((depth for _, depth in below), default=0),
        )
    return any(size > 4 * len(rules) + 12 or depth > _DEEP for size, depth in sizes.values())


def written_slots(body: tuple[ir.Stmt, ...]) -> Iterator[str]:
    """The slots that the steps of *body* change."""
    for stmt in statements_of(body):
        yield from slots_written_by(stmt)


def slots_written_by(stmt: ir.Stmt) -> Iterator[str]:
    """The slots that a step changes, apart from the steps below it."""
    match stmt:
        case ir.SetField() | ir.Renew() | ir.Mix():
            yield from (f.slot for f in stmt.fields)
        case ir.Expire() | ir.Within():
            yield from (f.slot for f in stmt.fields)
            yield from (e.slot for e in stmt.effects)
        case ir.Draw() | ir.Put() | ir.Remove() | ir.Shuffle(into=None):
            yield stmt.pile.pile.slot
        case ir.Shuffle(pile=pile, into=ir.Pile() as into):
            yield from (pile.pile.slot, into.pile.slot)
        case ir.SetEffect():
            yield stmt.effect.slot


def moved_kinds(program: ir.Program, body: tuple[ir.Stmt, ...]) -> tuple[str, ...]:
    """The kinds, alone on their places, whose pieces may be moved by steps and by what they run."""
    slots: set[str] = set()
    seen: set[str] = set()

    def look(steps: tuple[ir.Stmt, ...]) -> None:
        slots.update(written_slots(steps))
        for stmt in statements_of(steps):
            if isinstance(stmt, ir.Do) and stmt.procedure not in seen:
                seen.add(stmt.procedure)
                procedure = program.procedures[stmt.procedure]
                for name in (procedure.name, *procedure.cases.values()):
                    look(program.procedures[name].body)

    look(body)
    return tuple(
        f.owner for f in program.fields.values() if f.place and f.alone and f.slot in slots
    )


def is_filter(source: ir.Expr) -> TypeGuard[ir.Quant]:
    """Whether a set is a filter, and finds its members in order, each once: not one of a roll."""
    return (
        isinstance(source, ir.Quant) and source.kind == "all" and source.source.type.kind != "roll"
    )


def ends_anywhere(e: ir.Compare) -> tuple[ir.Reach, str] | None:
    """The travel of which *e* asks only whether it ends anywhere (``>``) or nowhere (``==``)."""
    match e:
        case ir.Compare(
            op=op,
            left=ir.Service(name="size", args=(ir.Reach() as reach,)),
            right=ir.Const(value=n),
        ) if (op, n) in _ASKED:
            return reach, _ASKED[op, n]
        case ir.Compare(("==" | "!=") as op, ir.Reach() as reach, ir.SetLit(())):
            return reach, _ASKED[op, 0]
    return None
