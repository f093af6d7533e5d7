"""What a ruleset says of a thing that it names: a member of an enumeration (a kind of ground or
units, a card), or what is drawn on the map (a field of Hex).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from compiler import ir
from compiler.check.analysis import call_expressions
from compiler.trees import expressions_of, rules_of, walk
from runtime.model import TypeSpec

_Names: TypeAlias = Callable[[ir.Expr], bool]
#: Quantities that say what a position is worth to a bot, not what the rules make of it.
_OF_BOTS = frozenset({"standing", "settled", "decision_limit"})


@dataclass(frozen=True, slots=True)
class Value:
    """What a table holds of a member: the *column*, the value as the engine has it, and what is
    cited for it.

    *usual* is the value of the member that is there where nothing else is said; None where there is
    no such.  *remark* is what the author says of the column.
    """

    column: str
    type: TypeSpec
    value: int
    usual: int | None
    rules: tuple[str, ...]
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A rule that names a thing.

    *call* is what it is a rule of, with the *kind* of that: ``quantity``, ``permission`` or
    ``travel``; of functions and procedures nothing is told but what they cite, and both are empty.
    *label* is what the rule is called. *op* is the verdict on a permission, ``allow`` or ``deny``;
    of a quantity what becomes of it where that is a plain number, the *amount*: ``=``, ``by``,
    ``most``, ``least``; ``""`` where it hangs on more.
    """

    call: str
    kind: str
    label: str
    rules: tuple[str, ...]
    op: str = ""
    amount: int = 0


@dataclass(frozen=True, slots=True)
class ThingFacts:
    """What is known of a thing: its values, the rules that name it, what it cites itself, and what
    its author says that it is.
    """

    values: tuple[Value, ...] = ()
    mentions: tuple[Mention, ...] = ()
    rules: tuple[str, ...] = ()
    remark: str = ""


def about_member(program: ir.Program, enum: str, member: int) -> ThingFacts:
    """What tables and rules say of a member of an enumeration."""
    bit = 1 << member

    def names(expr: ir.Expr) -> bool:
        if not isinstance(expr, ir.Const):
            return False
        type_ = expr.type if expr.type.of is None else expr.type.of
        if (type_.kind, type_.name) != ("enum", enum):
            return False
        if expr.type.kind == "set":
            return expr.value > 0 and bool(expr.value & bit)
        return expr.type.kind == "enum" and expr.value == member

    usual = _usual(program, enum)
    values = [
        Value(
            name,
            column.type.spec(),
            column.values[member],
            None if usual is None or usual == member else column.values[usual],
            tuple(dict.fromkeys(column.citations_at(member) or column.rules)),
            program.remarks.get(f"column {name} of {column.table}", ""),
        )
        for (owner, name), column in program.columns.items()
        if owner == enum and (enum, member, name) not in program.unknown
    ]
    what = f"member {program.enums[enum][member]} of {enum}"
    cited = tuple(rule for rule, uses in program.citations.items() if what in uses)
    mentions = tuple(_mentions(program, names, (enum, member)))
    return ThingFacts(tuple(values), mentions, cited, program.remarks.get(what, ""))


def about_field(program: ir.Program, name: str) -> ThingFacts:
    """What rules say of hexes with a mark of their own: a field of Hex."""

    def names(expr: ir.Expr) -> bool:
        return isinstance(expr, ir.Get) and expr.field.owner == "Hex" and expr.field.base == name

    mentions = tuple(_mentions(program, names, None))
    return ThingFacts((), mentions, (), program.remarks.get(f"field Hex.{name}", ""))


def _usual(program: ir.Program, enum: str) -> int | None:
    """The member that hexes have where nothing else is said; None where they have none."""
    fields = [f for f in program.fields.values() if f.owner == "Hex" and f.type.name == enum]
    return next((f.initial for f in fields if f.initial is not None and f.initial >= 0), None)


def _mentions(
    program: ir.Program, names: _Names, member: tuple[str, int] | None
) -> Iterator[Mention]:
    """The rules that name something, themselves or by way of functions, those of quantities also by
    way of a permission; then what procedures cite.
    """
    near = _functions(program, names, False)
    through = _functions(program, names)

    def names_it(by: Collection[str], *parts: ir.Expr | None) -> bool:
        """Whether parts of a rule name the thing, or ask what does."""
        asked = [e for part in parts if part is not None for e in walk(part)]
        return any(names(e) or (isinstance(e, ir.Apply) and e.name in by) for e in asked)

    permissions = {
        call.name
        for call in program.calls.values()
        if call.kind == "permission"
        and any(names_it(near, rule.when) for rule in rules_of(call.roots))
    }
    by = through | permissions
    for call in program.calls.values():
        if call.kind == "permission":
            naming = [rule for rule in rules_of(call.roots) if names_it(through, rule.when)]
            yield from (Mention(call.name, call.kind, r.name, r.rules, r.verdict) for r in naming)
        elif call.kind == "quantity" and call.name not in _OF_BOTS:
            ruled: list[ir.Rule | ir.Modifier] = [*rules_of(call.roots)]
            ruled += [m for modifiers in call.modifiers.values() for m in modifiers]
            for one in ruled:
                if names_it(by, one.when, one.value):
                    yield Mention(call.name, call.kind, one.name, one.rules, *_worth(one))
    for travel in program.travels.values():
        parts = (travel.origin, travel.budget, travel.enter, travel.cost, travel.halt, travel.end)
        if travel.via_of is None and names_it(through, *parts):
            yield Mention(travel.name, "travel", "", travel.rules)
    cited = [
        rule
        for call in program.calls.values()
        if call.kind == "function"
        and call.name not in _OF_BOTS | through
        and names_it((), *call_expressions(call))
        for rule in call.rules
    ]
    cited += _procedures(program, names, member)
    if cited:
        yield Mention("", "", "", tuple(dict.fromkeys(cited)))


def _functions(program: ir.Program, names: _Names, by_others: bool = True) -> frozenset[str]:
    """The functions that name something, of those that tell whether, or where; also by way of
    others.
    """
    bodies = {
        call.name: [e for expr in call_expressions(call) for e in walk(expr)]
        for call in program.calls.values()
        if call.kind == "function" and call.type.kind in ("bool", "set")
    }
    users = {name for name, body in bodies.items() if any(map(names, body))}
    while by_others:
        more = {
            name
            for name, body in bodies.items()
            if name not in users and any(isinstance(e, ir.Apply) and e.name in users for e in body)
        }
        if not more:
            break
        users |= more
    return frozenset(users)


def _procedures(
    program: ir.Program, names: _Names, member: tuple[str, int] | None
) -> Iterable[str]:
    """What the procedures cite that are written for a member, or name something; forecasts left
    out.
    """
    forecasts = {forecast.procedure for forecast in program.forecasts.values()}
    for procedure in program.procedures.values():
        if procedure.name in forecasts:
            continue
        enum = procedure.params[0].type.name if procedure.params and procedure.cases else ""
        if member is not None and enum == member[0] and member[1] in procedure.cases:
            yield from program.procedures[procedure.cases[member[1]]].rules
        elif any(names(e) for expr in expressions_of(procedure.body) for e in walk(expr)):
            yield from procedure.rules


def _worth(rule: ir.Rule | ir.Modifier) -> tuple[str, int]:
    """What a rule makes of a quantity, where that is a plain number."""
    if isinstance(rule.value, ir.Const) and rule.value.type.kind == "int":
        return rule.op if isinstance(rule, ir.Modifier) else "=", rule.value.value
    return "", 0
