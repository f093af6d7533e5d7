"""Expressions: one method for each kind, in the words of SPEC: expressions."""

from __future__ import annotations

import operator as op
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, cast

from compiler import ir
from compiler.interpreter import rules, services, steps, travel
from compiler.interpreter.trace import PermissionTrace, QuantityTrace, Tracer
from compiler.interpreter.values import Locals, Value, members_of, set_of
from compiler.trees import is_filter, multiplies_freely
from compiler.types import Type
from runtime.board import Board
from runtime.model import (
    NONE,
    PASS,
    SECOND,
    SHIFT,
    FieldSpec,
    TypeSpec,
    names_hexes,
    on_other_board,
    zero,
)
from runtime.services import bit, choosable, product, span, span_set
from runtime.state import StateBase

OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": op.add,
    "-": op.sub,
    "*": op.mul,
    "/": op.floordiv,
    "mod": op.mod,
    "|": op.or_,
    "&~": lambda left, right: left & ~right,
}
COMPARISONS: dict[str, Callable[[Value, Value], bool]] = {
    "==": op.eq,
    "!=": op.ne,
    "<": op.lt,
    "<=": op.le,
    ">": op.gt,
    ">=": op.ge,
}


class Evaluator:
    """Evaluates expressions of a checked program against one state; changes nothing.

    With a *tracer*, every quantity and permission that is asked leaves a record there.
    """

    def __init__(self, program: ir.Program, state: StateBase, tracer: Tracer | None = None) -> None:
        self.program = program
        self.state = state
        self.tracer = tracer
        self.board: Board = state.SPEC.board
        #: what calls have given; whoever changes the state empties it
        self.known: dict[tuple[Value, ...], Value] = {}
        self._first: dict[str, int] = {}
        self._places: dict[str, FieldSpec] = {}

    # ------------------------------------------------------------------ entry points

    def value(self, expr: ir.Expr, env: Locals) -> Value:
        """The value of *expr* where the locals are *env*."""
        return _METHODS[type(expr)](self, expr, env)

    def number(self, expr: ir.Expr, env: Locals) -> int:
        """The value of an expression that is a number, an index, a truth value or a set."""
        value: int = _METHODS[type(expr)](self, expr, env)
        return value

    def holds(self, condition: ir.Expr | None, env: Locals) -> bool:
        """Whether a condition holds; an absent one does."""
        return condition is None or bool(_METHODS[type(condition)](self, condition, env))

    def members(self, source: ir.Expr, env: Locals) -> list[int]:
        """What there is to walk through: sets ascending, rolls as rolled, each card once."""
        if isinstance(source, ir.Range):
            return list(span(self.number(source.low, env), self.number(source.high, env)))
        if isinstance(source, ir.SetLit):
            values = {self.number(item, env) for item in source.items}
            return members_of(self.set_of(source.type, values))
        if is_filter(source) and source.type.of_numbers:
            return list(self.chosen(source.var, source.source, source.where, env))
        value = self.value(source, env)
        if source.type.kind == "roll":
            return list(value)
        return sorted(set(value)) if source.type.kind == "pile" else members_of(value)

    def sequence(self, source: ir.Expr, env: Locals) -> list[int]:
        """What ``each`` walks through: of a pile every card, the top one first."""
        if source.type.kind == "pile":
            return list(reversed(cast("list[int]", self.value(source, env))))
        return self.members(source, env)

    def chosen(
        self, var: str, source: ir.Expr, where: ir.Expr | None, env: Locals
    ) -> Iterator[int]:
        """The members of *source* for which *where* holds, found one after the other."""
        return (
            member
            for member in self.members(source, env)
            if self.holds(where, {**env, var: member})
        )

    def options(self, node: ir.Choose | ir.Offer, env: Locals) -> list[int]:
        """The options of a decision, without passing: ``branch << 16 | value``."""
        decision = node.decision.index
        if isinstance(node, ir.Choose):
            if not self.offered((decision, 0)):
                return []
            return list(self._choosable(node.var, node.source, node.where, env))
        return [
            number << SHIFT | value
            for number, branch in enumerate(node.branches)
            if self.offered((decision, number)) and self.holds(branch.when, env)
            for value in self._values(branch, env)
        ]

    def _values(self, branch: ir.Branch, env: Locals) -> Iterator[int]:
        """The values of a branch: members, or pairs of them, as parts of options."""
        if branch.var is None or branch.source is None:
            yield 0
            return
        second = branch.second
        for value in self._choosable(branch.var, branch.source, branch.where, env):
            if second is None:
                yield value
                continue
            for other in self._choosable(
                second.var, second.source, second.where, {**env, branch.var: value}
            ):
                yield other << SECOND | value

    def _choosable(
        self, var: str, source: ir.Expr, where: ir.Expr | None, env: Locals
    ) -> Iterator[int]:
        """What :meth:`chosen` finds.  RulesetFault for numbers that no option has room for."""
        found = self.chosen(var, source, where, env)
        return map(choosable, found) if source.type.of_numbers else found

    def may_pass(self, node: ir.Choose | ir.Offer, env: Locals) -> bool:
        """Whether passing is an option, once there is another."""
        passing = node.decision.passing is not None and self.offered((node.decision.index, PASS))
        return passing and self.holds(node.pass_when, env)

    def all_options(self, node: ir.Choose | ir.Offer, env: Locals) -> list[int]:
        """The options with passing; none when there is nothing but passing, and no veil."""
        options = self.options(node, env)
        put = options or (node.veil is not None and self.holds(node.veil, env))
        return [*options, PASS] if put and self.may_pass(node, env) else options

    # ------------------------------------------------------------------ reading

    def _const(self, e: ir.Const, env: Locals) -> Value:
        return e.value

    def _label(self, e: ir.Label, env: Locals) -> Value:
        return self.board.index(e.name)

    def on_this_board(self, type_: Type, value: int) -> int:
        """A value written down in a ruleset; hexes are those with the same labels on this board."""
        home = self.program.board
        if home is None or home is self.board:
            return value
        spec = type_.spec()
        return on_other_board(spec, value, home, self.board) if names_hexes(spec) else value

    def _local(self, e: ir.Local, env: Locals) -> Value:
        return env[e.name]

    def _get(self, e: ir.Get, env: Locals) -> Value:
        stored = getattr(self.state, e.field.slot)
        if e.owner is None:
            return stored
        owner = self.number(e.owner, env)
        return stored[owner] if owner >= 0 else zero(e.field.type)

    def _pick(self, e: ir.Pick, env: Locals) -> Value:
        key = self.number(e.key, env)
        if key < 0:
            return zero(e.type.spec())
        return self.value(ir.Get(e.fields[key], e.owner, type=e.type), env)

    def _col(self, e: ir.Col, env: Locals) -> Value:
        key, type_ = self.number(e.key, env), e.column.type
        if e.column.place is not None and key >= 0:
            member = self.program.enums[e.column.enum][key]
            return self.program.weights[e.column.weight(member)].value
        return self.on_this_board(type_, e.column.values[key]) if key >= 0 else zero(type_.spec())

    def _cell(self, e: ir.Cell, env: Locals) -> Value:
        row, column = self.number(e.row, env), self.number(e.column, env)
        if row < 0 or column < 0:
            return zero(e.matrix.type.spec())
        return self.on_this_board(e.matrix.type, e.matrix.values[row][column])

    def _rung(self, e: ir.Rung, env: Locals) -> Value:
        number = self.number(e.number, env)
        if e.type.optional and number == NONE:
            return NONE
        return min(e.high, max(e.low, number)) - e.low

    def _at(self, e: ir.At, env: Locals) -> Value:
        """Found by looking where every piece is: the index that a state keeps is not trusted."""
        place = self._places.get(e.kind)
        if place is None:
            place = self.program.place_of(e.kind)
            assert place is not None
            self._places[e.kind] = place
        where, hex_ = getattr(self.state, place.slot), self.number(e.hex, env)
        pieces = range(self.count(e.kind)) if hex_ >= 0 else ()
        there = [piece for piece in pieces if where[piece] == hex_]
        return set_of(there) if not place.alone else there[0] if there else NONE

    def _pile(self, e: ir.Pile, env: Locals) -> Value:
        return self.pile(e, env) or []

    def pile(self, e: ir.Pile, env: Locals) -> list[int] | None:
        """The pile itself, to be changed; nobody's pile does not exist."""
        stored = getattr(self.state, e.pile.slot)
        if e.owner is None:
            return cast("list[int]", stored)
        owner = self.number(e.owner, env)
        return cast("list[int]", stored[owner]) if owner >= 0 else None

    def _active(self, e: ir.Active, env: Locals) -> Value:
        return getattr(self.state, e.effect.slot)

    def _instance(self, e: ir.Instance, env: Locals) -> Value:
        """The number of a combination of values, the last parameter counting quickest."""
        number = 0
        for arg, type_ in zip(e.args, e.effect.params, strict=True):
            value = self.number(arg, env)
            if value < 0:
                return NONE
            number = number * self._size_of(type_) + value
        return number

    def _part(self, e: ir.Part, env: Locals) -> Value:
        number, values = self.number(e.number, env), []
        for type_ in reversed(e.effect.params):
            number, value = divmod(number, self._size_of(type_))
            values.append(value)
        return values[-1 - e.index]

    def _size_of(self, type_: Type | TypeSpec) -> int:
        """How many members, pieces or hexes there are."""
        if type_.kind == "piece":
            return self.count(type_.name)
        return self.board.size if type_.kind == "hex" else len(self.program.enums[type_.name])

    def _weight(self, e: ir.Weight, env: Locals) -> Value:
        return self.program.weights[e.name].value

    def _switchon(self, e: ir.SwitchOn, env: Locals) -> Value:
        return getattr(self.state, f"switch_{e.name}")

    def _offered(self, e: ir.Offered, env: Locals) -> Value:
        return int(self.offered(e.option))

    def offered(self, option: tuple[int, int]) -> bool:
        """That no forecast under way assumes an option never to be offered."""
        return not self.state.assumed & self.program.never.get(option, 0)

    def count(self, kind: str) -> int:
        """How many pieces of a kind the game has."""
        return cast(int, getattr(self.state, f"n_{kind.lower()}"))

    # ------------------------------------------------------------------ operators

    def _not(self, e: ir.Not, env: Locals) -> Value:
        return int(not self.holds(e.operand, env))

    def _logic(self, e: ir.Logic, env: Locals) -> Value:
        if e.op == "and":
            return int(self.holds(e.left, env) and self.holds(e.right, env))
        return int(self.holds(e.left, env) or self.holds(e.right, env))

    def _if(self, e: ir.If, env: Locals) -> Value:
        return self.value(e.then if self.holds(e.test, env) else e.orelse, env)

    _common = _if

    def _first_of(self, kind: str) -> int:
        """The number which the first piece of a kind has among those of its parent."""
        if kind not in self._first:
            kinds = self.program.parents[self.program.parent_of(kind) or ""]
            self._first[kind] = sum(self.count(other) for other in kinds[: kinds.index(kind)])
        return self._first[kind]

    def _widen(self, e: ir.Widen, env: Locals) -> Value:
        value, own = self.number(e.value, env), e.value.type
        if own.kind == "set" and own.of is not None:
            first = self._first_of(own.of.name)
            return set_of(member + first for member in members_of(value))
        return value + self._first_of(own.name) if value >= 0 else NONE

    def _narrow(self, e: ir.Narrow, env: Locals) -> Value:
        value = self.number(e.value, env)
        kind = e.type.of.name if e.type.of is not None else e.type.name
        first = self._first_of(kind)
        among = range(first, first + self.count(kind))
        if e.type.kind == "set":
            return set_of(member - first for member in members_of(value) if member in among)
        return value - first if value in among else NONE

    def _otherwise(self, e: ir.Otherwise, env: Locals) -> Value:
        left = self.value(e.left, env)
        return self.value(e.right, env) if left == NONE else left

    def _op(self, e: ir.Op, env: Locals) -> Value:
        left, right = self.number(e.left, env), self.number(e.right, env)
        if e.op in ("/", "mod") and not right:
            return 0
        return product(left, right) if multiplies_freely(e) else OPERATORS[e.op](left, right)

    _gathered = _op

    def _compare(self, e: ir.Compare, env: Locals) -> Value:
        return int(COMPARISONS[e.op](self.value(e.left, env), self.value(e.right, env)))

    # ------------------------------------------------------------------ sets and quantifiers

    def _in(self, e: ir.In, env: Locals) -> Value:
        item = self.number(e.item, env)
        if isinstance(e.source, ir.Range):
            return int(self.number(e.source.low, env) <= item <= self.number(e.source.high, env))
        if isinstance(e.source, ir.SetLit):
            there = item >= 0 or e.source.type.of_numbers
            return int(there and item in [self.number(one, env) for one in e.source.items])
        walked = isinstance(e.source, ir.Quant) and e.source.type.of_numbers
        if e.source.type.kind == "set" and not walked:
            return int(item >= 0 and self.number(e.source, env) >> item & 1)
        return int(item in self.members(e.source, env))

    def _range(self, e: ir.Range, env: Locals) -> Value:
        return span_set(self.number(e.low, env), self.number(e.high, env))

    def set_of(self, type_: Type, members: Iterable[int]) -> int:
        """The set of some members of a type.  RulesetFault for numbers that no set can hold."""
        if not type_.of_numbers:
            return set_of(members)
        mask = 0
        for member in members:
            mask |= bit(member)
        return mask

    def _setlit(self, e: ir.SetLit, env: Locals) -> Value:
        return self.set_of(e.type, [self.number(item, env) for item in e.items])

    def _members(self, e: ir.Members, env: Locals) -> Value:
        assert e.type.of is not None
        return set_of(range(self._size_of(e.type.of)))

    def _quant(self, e: ir.Quant, env: Locals) -> Value:
        if e.kind == "every":
            members = self.members(e.source, env)
            return int(all(self.holds(e.where, {**env, e.var: member}) for member in members))
        passing = self.chosen(e.var, e.source, e.where, env)
        match e.kind:
            case "some":
                return int(any(True for _ in passing))
            case "no":
                return int(not any(True for _ in passing))
            case "count":
                return sum(1 for _ in passing)
            case "all":
                return self.set_of(e.type, passing)
            case "first":
                return next(passing, NONE)
        assert e.value is not None
        values = [self.number(e.value, {**env, e.var: member}) for member in passing]
        match e.kind:
            case "sum" if e.type.kind == "set":
                return set_of(member for value in values for member in members_of(value))
            case "sum":
                return sum(values)
            case "most":
                return max(values, default=0)
            case "least":
                return min(values, default=0)
        raise AssertionError(e.kind)

    def _allot(self, e: ir.Allot, env: Locals) -> Value:
        return int(not self.unallotted(e, env))

    def unallotted(self, e: ir.Allot, env: Locals) -> list[int]:
        """The members that get nothing when as many as possible get one of their own, later ones
        giving way.

        Served one after the other: a chain of exchanges is looked for that ends at something with
        room left.
        """
        given: dict[int, int] = {}  # by the place of a member: what it has
        members = self.members(e.source, env)
        choices = [
            list(self.chosen(e.own, e.among, e.where, {**env, e.var: member})) for member in members
        ]
        left: list[int] = []
        for place, member in enumerate(members):
            came_from: dict[int, int] = {}  # what could be had: by the place of whom
            waiting = [place]
            while waiting:
                who = waiting.pop(0)
                for thing in choices[who]:
                    if thing in came_from:
                        continue
                    came_from[thing] = who
                    served = [other for other, has in given.items() if has == thing]
                    if len(served) < (
                        1 if e.limit is None else self.number(e.limit, {**env, e.own: thing})
                    ):
                        while True:  # everybody on the chain moves on
                            who = came_from[thing]
                            before = given.get(who)
                            given[who] = thing
                            if before is None:
                                break
                            thing = before
                        waiting.clear()
                        break
                    waiting += served
            if place not in given:
                left.append(member)
        return left

    # ------------------------------------------------------------------ what has modules of its own

    def _service(self, e: ir.Service, env: Locals) -> Value:
        return services.call(self, e, env)

    def _line(self, e: ir.Line, env: Locals) -> Value:
        return int(services.clear_line(self, e, env))

    def _arguments(self, e: ir.Apply | ir.Reach | ir.Steps | ir.Way, env: Locals) -> list[Value]:
        return [self.value(a, env) for a in e.args]

    def _reach(self, e: ir.Reach, env: Locals) -> Value:
        return set_of(travel.ends(self, self.program.travels[e.travel], self._arguments(e, env)))

    def _steps(self, e: ir.Steps, env: Locals) -> Value:
        ends = travel.ends(self, self.program.travels[e.travel], self._arguments(e, env))
        return ends.get(self.number(e.target, env), NONE)

    def _way(self, e: ir.Way, env: Locals) -> Value:
        args, target = self._arguments(e, env), self.number(e.target, env)
        return travel.way(self, self.program.travels[e.travel], args, target)

    def _apply(self, e: ir.Apply, env: Locals) -> Value:
        return self.call(e.name, self._arguments(e, env))

    def call(self, name: str, args: list[Value]) -> Value:
        """A function, quantity or permission applied to values."""
        called = self.program.calls[name]
        if self.tracer is not None and not called.remembered:  # each asking leaves its record
            return self._call_value(called, args)
        key = name, *args
        if key not in self.known:
            self.known[key] = self._call_value(called, args)
        return self.known[key]

    def _call_value(self, called: ir.Callable, args: list[Value]) -> Value:
        if called.kind == "quantity":
            return rules.quantity(self, called, args)
        if called.kind == "permission":
            return int(rules.permission(self, called, args))
        env = rules.bind(called.params, args)
        if called.body is None:
            return steps.function_value(self, called, env)
        return self.value(called.body, env)


#: The method for each kind of expression.
_METHODS: Final[dict[type[ir.Expr], Callable[[Evaluator, Any, Locals], Value]]] = {
    kind: getattr(Evaluator, f"_{kind.__name__.lower()}")
    for kind in vars(ir).values()
    if isinstance(kind, type) and hasattr(Evaluator, f"_{kind.__name__.lower()}")
}


def explain_quantity(
    program: ir.Program, state: StateBase, name: str, args: Sequence[Value]
) -> QuantityTrace:
    """How the quantity *name* gets its value in *state*.  RulesetFault when no rule decides."""
    return _trace(program, state, name, args, "quantity").quantities[-1]


def explain_permission(
    program: ir.Program, state: StateBase, name: str, args: Sequence[Value]
) -> PermissionTrace:
    """What the permission *name* answers for *args* in *state*, and which rules refuse."""
    return _trace(program, state, name, args, "permission").permissions[-1]


def _trace(
    program: ir.Program, state: StateBase, name: str, args: Sequence[Value], kind: str
) -> Tracer:
    called = program.calls.get(name)
    if called is None or called.kind != kind:
        raise ValueError(f"there is no {kind} {name!r}")
    tracer = Tracer()
    Evaluator(program, state, tracer).call(name, list(args))
    return tracer
