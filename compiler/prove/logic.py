"""Cases that conditions tell apart: finding one in which a claim holds, or knowing that there is none.

A claim is compiled to a closure that answers true, false, or "not known yet" under a partial assignment of
*atoms*: members of enums, yes-or-no facts, and bounds on differences of numbers.  The search assigns the
atom that the claim asked for first, so only what matters is enumerated, and an impossible case (a number
below 2 and above 5, a piece that is none and has a side) is never entered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import gcd

from compiler import ir
from compiler.check.rules import walk
from compiler.check.statements import substitute
from compiler.types import BOOL, Type
from compiler.wording import Wording
from runtime.model import NONE

#: Answers under the current assignment; None: it depends on an atom that has no value yet.
Test = Callable[[], bool | None]
#: A member, a mask or a number: an int.
Value = Callable[[], int | None]
#: Names of numbers with their factors, and a constant.
Form = tuple[tuple[tuple[str, int], ...], int]
Number = Callable[[], Form | None]

_DEEPEST = 8
#: How tightly words bind that stand after 'not', or beside 'is'.
_NEGATED, _COMPARED = 3, 7
#: The services that never give less than 0.
_COUNTS = ("size", "distance", "tally", "cards", "rank", "row", "column")
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


class TooMany(Exception):
    """The search was given up."""


@dataclass(slots=True, eq=False)
class Atom:
    """Something that has one of a few values.

    *kind* is ``enum``, ``bool``, ``none`` (whether a thing is none), ``same`` (whether two things are the same)
    or ``bound`` (whether a difference is at most *limit*).
    """

    kind: str
    text: str
    domain: tuple[int, ...]
    form: tuple[tuple[str, int], ...] = ()
    limit: int = 0
    type: Type = BOOL


class Cases:
    """The atoms of one quantity or permission, and the search over them."""

    def __init__(self, program: ir.Program, cap: int) -> None:
        self.program = program
        self.cap = cap
        self.wording = Wording(program)
        self.atoms: dict[tuple[object, ...], Atom] = {}
        self.values: dict[Atom, int] = {}
        self.least: dict[str, int] = {}
        self.wanted: Atom | None = None
        self.nodes = 0
        self._depth = 0

    # ------------------------------------------------------------------ the search

    def find(self, claim: Test) -> dict[Atom, int] | None:
        """A smallest assignment under which *claim* holds; None when there is none."""
        self.values.clear()
        self.nodes = 0
        if not self._search(claim):
            self.values.clear()
            return None
        order = dict(self.values)
        for atom in list(order)[::-1]:
            kept = self.values.pop(atom)
            if claim() is not True:
                self.values[atom] = kept
        found = {atom: value for atom, value in order.items() if atom in self.values}
        self.values.clear()
        return found

    def _search(self, claim: Test) -> bool:
        self.wanted = None
        held = claim()
        if held is not None:
            return held
        atom = self.wanted
        assert atom is not None
        for value in atom.domain:
            self.nodes += 1
            if self.nodes > self.cap:
                raise TooMany
            self.values[atom] = value
            if (atom.kind != "bound" or self._possible()) and self._search(claim):
                return True
        del self.values[atom]
        return False

    def _possible(self) -> bool:
        """Whether there are numbers within all bounds assumed (the graph of differences has no negative circle)."""
        edges: list[tuple[str, str, int]] = []
        names: set[str] = set()
        for atom, value in self.values.items():
            if atom.kind != "bound":
                continue
            high, low = _ends_of(atom.form)
            edges.append((high, low, atom.limit) if value else (low, high, -atom.limit - 1))
            names |= {high, low}
        edges.extend(("", name, -self.least[name]) for name in names if name in self.least)
        distance = dict.fromkeys(names | {""}, 0)
        for _ in range(len(distance) + 1):
            changed = False
            for high, low, limit in edges:
                if distance[low] + limit < distance[high]:
                    distance[high] = distance[low] + limit
                    changed = True
            if not changed:
                return True
        return False

    def _key(self, e: ir.Expr) -> str:
        """What is the same for expressions that mean the same."""
        plain = canonical(e, {})
        # Where the wording of a part is not exact, the tree itself has to do.
        return repr(plain) if any(isinstance(x, ir.Way) for x in walk(e)) else self.wording.expr(plain)

    def _ask(self, atom: Atom) -> int | None:
        value = self.values.get(atom)
        if value is None and self.wanted is None:
            self.wanted = atom
        return value

    def _atom(self, kind: str, key: object, text: str, domain: tuple[int, ...], **more: object) -> Atom:
        full = (kind, key)
        atom = self.atoms.get(full)
        if atom is None:
            atom = self.atoms[full] = Atom(kind, text, domain, **more)  # type: ignore[arg-type]
        return atom

    # ------------------------------------------------------------------ claims

    def both(self, claims: Iterable[Test]) -> Test:
        """All of *claims*."""
        return self._several(tuple(claims), False)

    def either(self, claims: Iterable[Test]) -> Test:
        """One of *claims* at least."""
        return self._several(tuple(claims), True)

    def _several(self, claims: tuple[Test, ...], decisive: bool) -> Test:
        if len(claims) == 1:
            return claims[0]

        def test() -> bool | None:
            wanted = self.wanted
            result: bool | None = not decisive
            for claim in claims:
                held = claim()
                if held is decisive:
                    self.wanted = wanted
                    return held
                if held is None:
                    result = None
            return result

        return test

    @staticmethod
    def negated(claim: Test) -> Test:
        """That *claim* does not hold."""

        def test() -> bool | None:
            held = claim()
            return None if held is None else not held

        return test

    def unequal(self, a: ir.Expr, b: ir.Expr) -> Test:
        """That two values differ."""
        if self._key(a) == self._key(b):
            return lambda: False
        return self.test(ir.Compare("!=", a, b, type=BOOL))

    # ------------------------------------------------------------------ conditions

    def test(self, e: ir.Expr) -> Test:
        """The condition *e*."""
        if isinstance(e, ir.Const):
            constant = bool(e.value)
            return lambda: constant
        if isinstance(e, ir.Not):
            return self.negated(self.test(e.operand))
        if isinstance(e, ir.Logic):
            return self._several((self.test(e.left), self.test(e.right)), e.op == "or")
        if isinstance(e, ir.Compare):
            return self._compare(e.op, e.left, e.right)
        if isinstance(e, ir.In):
            return self._inside(e)
        if isinstance(e, ir.If):
            return self._branch(self.test(e.test), self.test(e.then), self.test(e.orelse))
        if isinstance(e, ir.Col | ir.Cell):
            looked_up = self._lookup(e)

            def member() -> bool | None:
                value = looked_up()
                return None if value is None else bool(value)

            return member
        if isinstance(e, ir.Quant) and e.kind in ("no", "every"):
            where = e.where if e.kind == "no" or e.where is None else ir.Not(e.where, type=BOOL)
            if isinstance(where, ir.Not) and isinstance(where.operand, ir.Not):
                where = where.operand.operand
            return self.negated(self.test(replace(e, kind="some", where=where)))
        if isinstance(e, ir.Apply):
            body = self._inlined(e)
            if body is not None:
                self._depth += 1
                known = len(self.atoms)
                inner = self.test(body)
                self._depth -= 1
                if len(self.atoms) == known + 1 and self._is_atom(body):
                    list(self.atoms.values())[-1].text = self.wording.expr(e)
                return inner
        if isinstance(e, ir.Get) and e.owner is not None:
            atom = self._opaque(e)
            return self._unless_none(e.owner, lambda: self._known(atom), lambda: False)
        atom = self._opaque(e)
        return lambda: self._known(atom)

    @staticmethod
    def _is_atom(e: ir.Expr) -> bool:
        return isinstance(e, ir.Line | ir.Active | ir.Service) or (isinstance(e, ir.Quant) and e.kind == "some")

    def _opaque(self, e: ir.Expr) -> Atom:
        return self._atom("bool", self._key(e), self.wording.expr(e, _NEGATED), (0, 1))

    def _known(self, atom: Atom) -> bool | None:
        value = self._ask(atom)
        return None if value is None else bool(value)

    def _branch(self, test: Test, then: Test, orelse: Test) -> Test:
        def choose() -> bool | None:
            held = test()
            return None if held is None else (then() if held else orelse())

        return choose

    def _unless_none(self, owner: ir.Expr, then: Test, zero: Test) -> Test:
        missing = self.none(owner)
        return then if missing is None else self._branch(missing, zero, then)

    def _inlined(self, e: ir.Apply) -> ir.Expr | None:
        """The body of a function with the arguments in it; None when it is better left alone."""
        call = self.program.calls.get(e.name)
        if call is None or call.body is None or self._depth >= _DEEPEST or len(call.params) != len(e.args):
            return None
        bound = {x.var for x in walk(call.body) if isinstance(x, ir.Quant | ir.Line)}
        if bound and any(isinstance(x, ir.Local) and x.name in bound for a in e.args for x in walk(a)):
            return None
        return substitute(call.body, {p.name: a for p, a in zip(call.params, e.args, strict=True)})

    def _compare(self, op: str, left: ir.Expr, right: ir.Expr) -> Test:
        if left.type.kind == "none":
            left, right, op = right, left, _MIRRORED[op]
        if right.type.kind == "none" or (isinstance(right, ir.Const) and right.value == NONE and right.type.finite):
            missing = self.none(left)
            gone: Test = missing if missing is not None else (lambda: False)
            return gone if op == "==" else self.negated(gone)
        kind = left.type.kind
        if kind == "int" and right.type.kind == "int":
            return self._numbers(op, self.number(left), self.number(right))
        if kind == "enum" or kind == "bool":
            a, b = (self.member(left), self.member(right)) if kind == "enum" else (self._bit(left), self._bit(right))
            ordered = self._ordered(op, a, b)
            if kind == "enum" and op in ("==", "!="):
                # What is none differs from all that never is; which member that is does not matter.
                for one, other in ((left, right), (right, left)):
                    missing = self.none(one)
                    if missing is not None and self.none(other) is None:
                        return self._branch(missing, lambda: op == "!=", ordered)
            return ordered
        if op in ("==", "!="):
            same = self._same(left, right)
            return same if op == "==" else self.negated(same)
        atom = self._opaque(ir.Compare(op, left, right, type=BOOL))
        return lambda: self._known(atom)

    def _bit(self, e: ir.Expr) -> Value:
        test = self.test(e)

        def value() -> int | None:
            held = test()
            return None if held is None else int(held)

        return value

    @staticmethod
    def _ordered(op: str, left: Value, right: Value) -> Test:
        def test() -> bool | None:
            a, b = left(), right()
            return None if a is None or b is None else _holds(op, a - b)

        return test

    def _same(self, left: ir.Expr, right: ir.Expr) -> Test:
        """Whether two pieces, hexes or sets are the same."""
        if isinstance(left, ir.Const) and isinstance(right, ir.Const):
            agree = left.value == right.value
            return lambda: agree
        a, b = self.mask(left), self.mask(right)
        if left.type.kind == "set" and a is not None and b is not None:
            return self._ordered("==", a, b)
        keys = sorted(((self._key(e), self.wording.expr(e, _COMPARED)) for e in (left, right)), key=lambda k: k[0])
        if keys[0][0] == keys[1][0]:
            return lambda: True
        first = (left, right) if self._key(left) == keys[0][0] else (right, left)
        text = f"{self.wording.expr(left, _COMPARED)} is {self.wording.expr(right, _COMPARED)}"
        atom = self._atom("same", tuple(self._key(e) for e in first), text, (0, 1))
        known: Test = lambda: self._known(atom)  # noqa: E731
        for e, other in ((left, right), (right, left)):
            missing = self.none(e) if e.type.finite else None
            if missing is not None:
                known = self._branch(missing, self.none(other) or (lambda: False), known)
        return known

    def _inside(self, e: ir.In) -> Test:
        source, item = e.source, e.item
        if isinstance(source, ir.SetLit):
            return self.either([*(self._compare("==", item, i) for i in source.items), lambda: False])
        if isinstance(source, ir.Range):
            n = self.number(item)
            return self.both([self._numbers(">=", n, self.number(source.low)), self._numbers("<=", n, self.number(source.high))])
        if isinstance(source, ir.Op) and source.op in ("|", "&~") and source.type.kind == "set":
            left, right = (self._inside(replace(e, source=s)) for s in (source.left, source.right))
            return self.either([left, right]) if source.op == "|" else self.both([left, self.negated(right)])
        if item.type.kind == "enum":
            mask = self.mask(source)
            if mask is not None:
                member = self.member(item)

                def test() -> bool | None:
                    m, s = member(), mask()
                    return None if m is None or s is None else m >= 0 and bool(s >> m & 1)

                return test
        atom = self._opaque(e)
        known: Test = lambda: self._known(atom)  # noqa: E731
        missing = self.none(item) if item.type.finite else None
        return known if missing is None else self._branch(missing, lambda: False, known)

    def none(self, e: ir.Expr) -> Test | None:
        """Whether *e* is none; None when it never is."""
        if isinstance(e, ir.Const):
            constant = e.value == NONE
            return (lambda: True) if constant else None
        if isinstance(e, ir.If):
            then, orelse = self.none(e.then), self.none(e.orelse)
            if then is None and orelse is None:
                return None
            return self._branch(self.test(e.test), then or (lambda: False), orelse or (lambda: False))
        if e.type.kind == "int":
            if not e.type.optional and not isinstance(e, ir.Col | ir.Get):
                return None
            return self._numbers("==", self.number(e), lambda: ((), NONE))
        if e.type.kind == "enum":
            if not e.type.optional and self._some_member(e):
                return None
            member = self.member(e)

            def test() -> bool | None:
                value = member()
                return None if value is None else value == NONE

            return test
        if isinstance(e, ir.Otherwise):
            left, right = self.none(e.left), self.none(e.right)
            return None if left is None or right is None else self.both([left, right])
        if not e.type.finite:
            return None
        own: Test | None = None
        if e.type.optional:
            atom = self._atom("none", self._key(e), f"{self.wording.expr(e, _COMPARED)} is none", (0, 1))
            own = lambda: self._known(atom)  # noqa: E731
        owner = e.owner if isinstance(e, ir.Get) else e.hex if isinstance(e, ir.At) else None
        missing = self.none(owner) if owner is not None else None
        if missing is None:
            return own
        return self._branch(missing, lambda: True, own or (lambda: False))

    def _some_member(self, e: ir.Expr) -> bool:
        """Whether what *e* reads from is never none."""
        if isinstance(e, ir.Local):
            return True
        if isinstance(e, ir.Get):
            return e.owner is None or self.none(e.owner) is None
        if isinstance(e, ir.Service) and e.name in ("opponent", "shift"):
            return self.none(e.args[0]) is None
        return isinstance(e, ir.Col) and self.none(e.key) is None

    # ------------------------------------------------------------------ members and sets

    def member(self, e: ir.Expr) -> Value:
        """A member of an enum."""
        if isinstance(e, ir.Const):
            constant = e.value
            return lambda: constant
        if isinstance(e, ir.Col | ir.Cell):
            return self._lookup(e)
        if isinstance(e, ir.If):
            return self._choice(self.test(e.test), self.member(e.then), self.member(e.orelse))
        if isinstance(e, ir.Otherwise):
            left, right = self.member(e.left), self.member(e.right)

            def otherwise() -> int | None:
                value = left()
                return right() if value == NONE else value

            return otherwise
        if isinstance(e, ir.Service) and e.name in ("opponent", "shift"):
            return self._service(e)
        if isinstance(e, ir.Apply):
            body = self._inlined(e)
            if body is not None:
                self._depth += 1
                inner = self.member(body)
                self._depth -= 1
                return inner
        members = tuple(range(len(self.program.enums[e.type.name])))
        if e.type.optional or not members:
            members = (*members, NONE)
        atom = self._atom("enum", self._key(e), self.wording.expr(e, _COMPARED), members, type=e.type)
        value: Value = lambda: self._ask(atom)  # noqa: E731
        missing = self.none(e.owner) if isinstance(e, ir.Get) and e.owner is not None else None
        return value if missing is None else self._choice(missing, lambda: NONE, value)

    @staticmethod
    def _choice(test: Test, then: Value, orelse: Value) -> Value:
        def choose() -> int | None:
            held = test()
            return None if held is None else (then() if held else orelse())

        return choose

    def _service(self, e: ir.Service) -> Value:
        member = self.member(e.args[0])
        count = len(self.program.enums[e.type.name])
        by = self.number(e.args[1]) if e.name == "shift" else None

        def value() -> int | None:
            m = member()
            if m is None or m == NONE:
                return m
            if by is None:
                return (m + 1) % count
            n = by()
            return None if n is None else min(max(m + n[1], 0), count - 1)

        if by is not None and not isinstance(e.args[1], ir.Const):
            atom = self._atom("enum", self._key(e), self.wording.expr(e, _COMPARED), tuple(range(count)), type=e.type)
            return lambda: self._ask(atom)
        return value

    def _lookup(self, e: ir.Col | ir.Cell) -> Value:
        """The entry of a table or matrix."""
        zero = _zero(e.type)
        if isinstance(e, ir.Col):
            key, values = self.member(e.key), e.column.values

            def entry() -> int | None:
                k = key()
                return None if k is None else values[k] if k >= 0 else zero

            return entry
        row, column, matrix = self.member(e.row), self.member(e.column), e.matrix

        def cell() -> int | None:
            r, c = row(), column()
            if r is None or c is None:
                return None
            return matrix.values[r][c] if r >= 0 and c >= 0 else zero

        return cell

    def mask(self, e: ir.Expr) -> Value | None:
        """A set of members that the case decides; None when it is the state that decides."""
        if e.type.kind != "set" or e.type.of is None or e.type.of.kind not in ("enum", "none"):
            return None
        if isinstance(e, ir.Const):
            constant = e.value
            return lambda: constant
        if isinstance(e, ir.Members):
            full = (1 << len(self.program.enums[e.type.of.name])) - 1
            return lambda: full
        if isinstance(e, ir.Col | ir.Cell):
            return self._lookup(e)
        if isinstance(e, ir.If):
            then, orelse = self.mask(e.then), self.mask(e.orelse)
            return None if then is None or orelse is None else self._choice(self.test(e.test), then, orelse)
        if isinstance(e, ir.Op) and e.op in ("|", "&~"):
            left, right, join = self.mask(e.left), self.mask(e.right), e.op == "|"
            if left is None or right is None:
                return None

            def joined() -> int | None:
                a, b = left(), right()
                return None if a is None or b is None else a | b if join else a & ~b

            return joined
        if isinstance(e, ir.SetLit):
            items = [self.member(i) for i in e.items]

            def built() -> int | None:
                result = 0
                for item in items:
                    value = item()
                    if value is None:
                        return None
                    result |= 1 << value if value >= 0 else 0
                return result

            return built
        return None

    # ------------------------------------------------------------------ numbers

    def number(self, e: ir.Expr) -> Number:
        """A number, as a sum of numbers that nothing is known of."""
        if isinstance(e, ir.Const):
            constant: Form = ((), e.value)
            return lambda: constant
        if isinstance(e, ir.Col | ir.Cell):
            return self._entry(e)
        if isinstance(e, ir.If):
            return self._pick(self.test(e.test), self.number(e.then), self.number(e.orelse))
        if isinstance(e, ir.Otherwise):
            missing = self.none(e.left)
            left = self.number(e.left)
            return left if missing is None else self._pick(missing, self.number(e.right), left)
        if isinstance(e, ir.Op) and e.op in ("+", "-", "*", "/", "mod"):
            return self._arithmetic(e)
        if isinstance(e, ir.Service) and e.name in ("min", "max"):
            a, b = (self.number(x) for x in e.args)
            return self._pick(self._numbers("<=" if e.name == "min" else ">=", a, b), a, b)
        if isinstance(e, ir.Service) and e.name == "rank":
            member = self.member(e.args[0])

            def rank() -> Form | None:
                value = member()
                return None if value is None else ((), value)

            return rank
        if isinstance(e, ir.Apply):
            body = self._inlined(e)
            if body is not None:
                self._depth += 1
                inner = self.number(body)
                self._depth -= 1
                return inner
        own = self._unknown(e)
        missing = self.none(e.owner) if isinstance(e, ir.Get) and e.owner is not None else None
        zero: Form = ((), _zero(e.type))
        return own if missing is None else self._pick(missing, lambda: zero, own)

    def _unknown(self, e: ir.Expr) -> Number:
        name = self._key(e)
        if (isinstance(e, ir.Service) and e.name in _COUNTS) or (isinstance(e, ir.Quant) and e.kind == "count"):
            self.least[name] = 0
        elif e.type.optional:
            self.least[name] = NONE
        form: Form = (((name, 1),), 0)
        return lambda: form

    def _entry(self, e: ir.Col | ir.Cell) -> Number:
        looked_up = self._lookup(e)

        def entry() -> Form | None:
            value = looked_up()
            return None if value is None else ((), value)

        return entry

    @staticmethod
    def _pick(test: Test, then: Number, orelse: Number) -> Number:
        def choose() -> Form | None:
            held = test()
            return None if held is None else (then() if held else orelse())

        return choose

    def _arithmetic(self, e: ir.Op) -> Number:
        left, right, op = self.number(e.left), self.number(e.right), e.op
        opaque = self._unknown(e)

        def result() -> Form | None:
            a, b = left(), right()
            if a is None or b is None:
                return None
            if op in ("/", "mod"):
                if a[0] or b[0] or not b[1]:
                    return opaque()
                return (), a[1] // b[1] if op == "/" else a[1] % b[1]
            if op != "*":
                return _sum(a, b, 1 if op == "+" else -1)
            if not b[0]:
                return _sum(((), 0), a, b[1])
            return _sum(((), 0), b, a[1]) if not a[0] else opaque()

        return result

    def _numbers(self, op: str, left: Number, right: Number) -> Test:
        def test() -> bool | None:
            a, b = left(), right()
            if a is None or b is None:
                return None
            form, constant = _sum(a, b, -1)
            if not form:
                return _holds(op, constant)
            if op == "<=":
                return self._at_most(form, -constant)
            if op == "<":
                return self._at_most(form, -constant - 1)
            if op in (">", ">="):
                held = self._at_most(form, -constant - (op == ">="))
                return None if held is None else not held
            high = self._at_most(form, -constant)
            low = None if high is False else self._at_most(form, -constant - 1)
            equal = False if high is False or low is True else None if high is None or low is None else True
            return equal if equal is None or op == "==" else not equal

        return test

    def _at_most(self, form: tuple[tuple[str, int], ...], limit: int) -> bool | None:
        """Whether the sum *form* is at most *limit*."""
        whole = gcd(*(factor for _, factor in form))
        turned = form[0][1] < 0
        if turned:
            form, limit = tuple((name, -factor) for name, factor in form), -limit
        # turned: the sum is at least the limit, that is: not at most the limit − 1
        edge = -(-limit // whole) - 1 if turned else limit // whole
        form = tuple((name, factor // whole) for name, factor in form)
        value = self._ask(self._atom("bound", (form, edge), "", (1, 0), form=form, limit=edge))
        return None if value is None else bool(value) != turned


def _sum(a: Form, b: Form, factor: int) -> Form:
    total = dict(a[0])
    for name, n in b[0]:
        total[name] = total.get(name, 0) + n * factor
    return tuple(sorted((name, n) for name, n in total.items() if n)), a[1] + b[1] * factor


def _holds(op: str, difference: int) -> bool:
    if op in ("==", "!="):
        return (difference == 0) == (op == "==")
    if op in ("<", "<="):
        return difference < 0 or (op == "<=" and difference == 0)
    return difference > 0 or (op == ">=" and difference == 0)


def _ends_of(form: tuple[tuple[str, int], ...]) -> tuple[str, str]:
    """The two numbers whose difference *form* is (``""`` is zero); anything else is a number of its own."""
    if len(form) == 1 and form[0][1] == 1:
        return form[0][0], ""
    if len(form) == 2 and [factor for _, factor in form] == [1, -1]:
        return form[0][0], form[1][0]
    return shown(form), ""


def shown(form: tuple[tuple[str, int], ...]) -> str:
    """A sum in the author's words."""
    parts: list[str] = []
    for name, factor in sorted(form, key=lambda part: part[1] < 0):
        term = name if abs(factor) == 1 else f"{abs(factor)} * {name}"
        parts.append((" - " if factor < 0 else " + ") + term)
    return "".join(parts).removeprefix(" + ").strip()


def _zero(type_: Type) -> int:
    return NONE if type_.finite or type_.optional else 0


def canonical(e: ir.Expr, names: Mapping[str, str]) -> ir.Expr:
    """*e* with the members that it quantifies over named by their depth."""
    if isinstance(e, ir.Local):
        return replace(e, name=names[e.name]) if e.name in names else e
    inner = names
    changes: dict[str, object] = {}
    if isinstance(e, ir.Quant | ir.Line):
        name = f"${len(names)}"
        inner = {**names, e.var: name}
        changes["var"] = name
    for field in e.__dataclass_fields__:
        value = getattr(e, field)
        within = names if field in ("source", "start", "end") else inner
        if isinstance(value, ir.Expr):
            changes[field] = canonical(value, within)
        elif isinstance(value, tuple) and value and isinstance(value[0], ir.Expr):
            changes[field] = tuple(canonical(v, within) for v in value)
    return replace(e, **changes) if changes else e  # type: ignore[arg-type]


def describe(program: ir.Program, call: ir.Callable, case: Mapping[Atom, int]) -> str:
    """A case in the author's words: members first, in the order of the parameters."""
    places = {param.name: i for i, param in enumerate(call.params)}

    def place(atom: Atom) -> tuple[bool, int]:
        return atom.kind != "enum", places.get(re.split(r"\W", atom.text, maxsplit=1)[0], len(places))

    case = {atom: case[atom] for atom in sorted(case, key=place)}
    wording = Wording(program)
    parts: list[str] = []
    bounds: dict[tuple[tuple[str, int], ...], list[int | None]] = {}
    for atom, value in case.items():
        if atom.kind == "enum":
            parts.append(f"{atom.text} is {wording.value(value, atom.type)}")
        elif atom.kind == "bound":
            at = bounds.setdefault(atom.form, [None, None])
            if value:
                at[1] = atom.limit if at[1] is None else min(at[1], atom.limit)
            else:
                at[0] = atom.limit + 1 if at[0] is None else max(at[0], atom.limit + 1)
        else:
            parts.append(atom.text if value else _not(atom.text))
    for form, (low, high) in bounds.items():
        parts.append(_range(form, low, high))
    return " and ".join(parts)


def _not(text: str) -> str:
    head, found, tail = text.rpartition(" is ")
    if found and " " not in tail and "(" not in tail:
        return f"{head} is not {tail}"
    if text.startswith("(some ") and text.endswith(")"):
        return f"(no {text[6:]}"
    return f"not {text}"


def _range(form: tuple[tuple[str, int], ...], low: int | None, high: int | None) -> str:
    left, right = shown(form), ""
    if len(form) == 2 and [factor for _, factor in form] == [1, -1]:
        left, right = form[0][0], form[1][0]

    def side(n: int) -> str:
        if not right:
            return str(n)
        return right if n == 0 else f"{right} {'+' if n > 0 else '-'} {abs(n)}"

    if low is not None and high is not None:
        if low == high:
            return f"{left} is {side(low)}"
        return f"{left} >= {side(low)} and {left} <= {side(high)}"
    if low is not None:
        return f"{left} > {side(low - 1)}" if right and low == 1 else f"{left} >= {side(low)}"
    assert high is not None
    return f"{left} < {side(high + 1)}" if right and high == -1 else f"{left} <= {side(high)}"
