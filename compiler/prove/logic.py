"""What conditions say about atoms: checked expressions as claims that the search can ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import gcd

from compiler import ir
from compiler.prove.search import Atom, Search, Test
from compiler.trees import bound_by, conjuncts, locals_of, substitute, walk
from compiler.types import BOOL, Type
from compiler.wording import Wording
from runtime.model import NONE

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


class Cases(Search):
    """The atoms of one quantity or permission, and what its conditions say about them."""

    def __init__(self, program: ir.Program, cap: int, work: int) -> None:
        super().__init__(cap, work)
        self.program = program
        self.wording = Wording(program)
        self._depth = 0

    def _key(self, e: ir.Expr) -> str:
        """What is the same for expressions that mean the same."""
        plain = canonical(e, {})
        # Where the wording of a part is not exact, the tree itself has to do.
        return (
            repr(plain) if any(isinstance(x, ir.Way | ir.Rung) for x in walk(e)) else self.wording.expr(plain)
        )

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
            return self.several((self.test(e.left), self.test(e.right)), e.op == "or")
        if isinstance(e, ir.Compare):
            return self._compare(e.op, e.left, e.right)
        if isinstance(e, ir.In):
            return self._inside(e)
        if isinstance(e, ir.Common):
            return self.test(e.then)
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
        if isinstance(e, ir.Active) and e.effect.group:
            return self._in_group(e, None)
        if (
            isinstance(e, ir.Quant)
            and e.kind == "some"
            and isinstance(e.source, ir.Active)
            and e.source.effect.group
        ):
            narrowed = _of_one(e)
            if narrowed is not None:
                return self.test(narrowed)
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
        if isinstance(e, ir.Get | ir.Pick):
            atom = self._opaque(e)
            missing = self._nobodys(e)
            return (
                (lambda: self._known(atom))
                if missing is None
                else self._branch(missing, lambda: False, lambda: self._known(atom))
            )
        atom = self._opaque(e)
        return lambda: self._known(atom)

    @staticmethod
    def _is_atom(e: ir.Expr) -> bool:
        return isinstance(e, ir.Allot | ir.Line | ir.Active | ir.Service) or (
            isinstance(e, ir.Quant) and e.kind == "some"
        )

    def _nobodys(self, e: ir.Expr) -> Test | None:
        """Whether a field is read of none, or kept for none; None when that cannot be."""
        parts = (e.owner, e.key) if isinstance(e, ir.Pick) else (e.owner,) if isinstance(e, ir.Get) else ()
        tests = [test for part in parts if part is not None and (test := self.none(part)) is not None]
        return self.several(tuple(tests), True) if tests else None

    def _opaque(self, e: ir.Expr) -> Atom:
        return self.atom("bool", self._key(e), self.wording.expr(e, _NEGATED), (0, 1))

    def _known(self, atom: Atom) -> bool | None:
        value = self.ask(atom)
        return None if value is None else bool(value)

    def _branch(self, test: Test, then: Test, orelse: Test) -> Test:
        def choose() -> bool | None:
            held = test()
            return None if held is None else (then() if held else orelse())

        return choose

    def _inlined(self, e: ir.Apply) -> ir.Expr | None:
        """The body of a function with the arguments in it; None when it is better left alone."""
        call = self.program.calls.get(e.name)
        if call is None or call.body is None or self._depth >= _DEEPEST or len(call.params) != len(e.args):
            return None
        bound = {
            name
            for x in walk(call.body)
            if isinstance(x, ir.Quant | ir.Allot | ir.Line)
            for name in bound_by(x)
        }
        if bound and any(isinstance(x, ir.Local) and x.name in bound for a in e.args for x in walk(a)):
            return None
        return substitute(call.body, {p.name: a for p, a in zip(call.params, e.args, strict=True)})

    def _compare(self, op: str, left: ir.Expr, right: ir.Expr) -> Test:
        if left.type.kind == "none":
            left, right, op = right, left, _MIRRORED[op]
        if right.type.kind == "none" or (
            isinstance(right, ir.Const) and right.value == NONE and right.type.finite
        ):
            missing = self.none(left)
            gone: Test = missing if missing is not None else (lambda: False)
            return gone if op == "==" else self.negated(gone)
        kind = left.type.kind
        if kind == "int" and right.type.kind == "int":
            return self._numbers(op, self.number(left), self.number(right))
        if kind == "enum" or kind == "bool":
            a, b = (
                (self.member(left), self.member(right))
                if kind == "enum"
                else (self._bit(left), self._bit(right))
            )
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
        keys = sorted(
            ((self._key(e), self.wording.expr(e, _COMPARED)) for e in (left, right)), key=lambda k: k[0]
        )
        if keys[0][0] == keys[1][0]:
            return lambda: True
        first = (left, right) if self._key(left) == keys[0][0] else (right, left)
        text = f"{self.wording.expr(left, _COMPARED)} is {self.wording.expr(right, _COMPARED)}"
        atom = self.atom("same", tuple(self._key(e) for e in first), text, (0, 1))
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
            return self.both(
                [
                    self._numbers(">=", n, self.number(source.low)),
                    self._numbers("<=", n, self.number(source.high)),
                ]
            )
        if isinstance(source, ir.Op) and source.op in ("|", "&~") and source.type.kind == "set":
            left, right = (self._inside(replace(e, source=s)) for s in (source.left, source.right))
            return self.either([left, right]) if source.op == "|" else self.both([left, self.negated(right)])
        if isinstance(source, ir.Widen):
            return self._of_kind(e, source.value)
        if item.type.kind == "enum":
            mask = self.mask(source)
            if mask is not None:
                member = self.member(item)

                def test() -> bool | None:
                    m, s = member(), mask()
                    return None if m is None or s is None else m >= 0 and bool(s >> m & 1)

                return test
        if isinstance(source, ir.Active) and source.effect.group:
            known = self._in_group(source, item)
        else:
            atom = self._opaque(e)
            known = lambda: self._known(atom)  # noqa: E731
        missing = self.none(item) if item.type.finite else None
        return known if missing is None else self._branch(missing, lambda: False, known)

    def _of_kind(self, e: ir.In, source: ir.Expr) -> Test:
        """Whether a piece of a parent is of one of its kinds, and among *source*: it is of one alone."""
        item, kind = e.item, source.type.of.name if source.type.of is not None else ""
        if isinstance(item, ir.Widen):
            own = replace(e, item=item.value, source=source)
            return self._inside(own) if item.value.type.name == kind else lambda: False
        parent = self.program.parent_of(kind) or ""
        kinds = self.program.parents[parent]
        shown = self.wording.expr(item, _COMPARED)
        atom = self.atom(
            "one",
            (parent, self._key(item)),
            shown,
            tuple(range(len(kinds))),
            names=tuple(f"{shown} in {k}" for k in kinds),
        )
        mine = kinds.index(kind)

        def is_one() -> bool | None:
            value = self.ask(atom)
            return None if value is None else value == mine

        known: Test = is_one
        if not isinstance(source, ir.Members):
            among = self._opaque(e)
            known = self.both([is_one, lambda: self._known(among)])
        missing = self.none(item)
        return known if missing is None else self._branch(missing, lambda: False, known)

    def _in_group(self, active: ir.Active, item: ir.Expr | None) -> Test:
        """Whether this effect of its group is in force (for *item*): at most one of them is."""
        group = active.effect.group
        effects = [e.name for e in self.program.effects.values() if e.group == group]
        shown = f"{self.wording.expr(item, _COMPARED)} in effect" if item is not None else "effect"
        none = f"no effect of '{group}' is in force" + (
            f" for {self.wording.expr(item)}" if item is not None else ""
        )
        names = (*(f"{shown} {name}" for name in effects), none)
        key = (group, self._key(item) if item is not None else "")
        atom = self.atom("one", key, shown, (*range(len(effects)), NONE), names=names)
        mine = effects.index(active.effect.name)

        def test() -> bool | None:
            value = self.ask(atom)
            return None if value is None else value == mine

        return test

    def none(self, e: ir.Expr) -> Test | None:
        """Whether *e* is none; None when it never is."""
        if isinstance(e, ir.Const):
            constant = e.value == NONE
            return (lambda: True) if constant else None
        if isinstance(e, ir.Common):
            return self.none(e.then)
        if isinstance(e, ir.If):
            then, orelse = self.none(e.then), self.none(e.orelse)
            if then is None and orelse is None:
                return None
            return self._branch(self.test(e.test), then or (lambda: False), orelse or (lambda: False))
        if e.type.kind == "int":
            if not e.type.optional and not isinstance(e, ir.Col | ir.Get | ir.Pick):
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
        if isinstance(e, ir.Widen | ir.Narrow):
            return self.none(e.value)
        if not e.type.finite:
            return None
        own: Test | None = None
        if e.type.optional:
            atom = self.atom("none", self._key(e), f"{self.wording.expr(e, _COMPARED)} is none", (0, 1))
            own = lambda: self._known(atom)  # noqa: E731
        missing = self.none(e.hex) if isinstance(e, ir.At) else self._nobodys(e)
        if missing is None:
            return own
        return self._branch(missing, lambda: True, own or (lambda: False))

    def _some_member(self, e: ir.Expr) -> bool:
        """Whether what *e* reads from is never none."""
        if isinstance(e, ir.Local):
            return True
        if isinstance(e, ir.Get | ir.Pick):
            return self._nobodys(e) is None
        if isinstance(e, ir.Service) and e.name in ("opponent", "next", "shift"):
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
        if isinstance(e, ir.Common):
            return self.member(e.then)
        if isinstance(e, ir.If):
            return self._choice(self.test(e.test), self.member(e.then), self.member(e.orelse))
        if isinstance(e, ir.Otherwise):
            left, right = self.member(e.left), self.member(e.right)

            def otherwise() -> int | None:
                value = left()
                return right() if value == NONE else value

            return otherwise
        if isinstance(e, ir.Service) and e.name in ("opponent", "next", "shift"):
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
        atom = self.atom("enum", self._key(e), self.wording.expr(e, _COMPARED), members, type=e.type)
        value: Value = lambda: self.ask(atom)  # noqa: E731
        missing = self._nobodys(e)
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
            atom = self.atom(
                "enum", self._key(e), self.wording.expr(e, _COMPARED), tuple(range(count)), type=e.type
            )
            return lambda: self.ask(atom)
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
        if isinstance(e, ir.Common):
            return self.mask(e.then)
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
        if isinstance(e, ir.Common):
            return self.number(e.then)
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
        missing = self._nobodys(e)
        zero: Form = ((), _zero(e.type))
        return own if missing is None else self._pick(missing, lambda: zero, own)

    def _unknown(self, e: ir.Expr) -> Number:
        name = self._key(e)
        if (isinstance(e, ir.Service) and e.name in _COUNTS) or (
            isinstance(e, ir.Quant) and e.kind == "count"
        ):
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
        value = self.ask(self.atom("bound", (form, edge), "", (1, 0), form=form, limit=edge))
        return None if value is None else bool(value) != turned


def _of_one(e: ir.Quant) -> ir.Expr | None:
    """*e*, where it asks of the one member that its condition says it is: whether that member is among them,
    and the rest.
    """
    parts = conjuncts(e.where)
    for part in parts:
        if isinstance(part, ir.Compare) and part.op == "==":
            for one, other in ((part.left, part.right), (part.right, part.left)):
                if isinstance(one, ir.Local) and one.name == e.var and e.var not in locals_of(other):
                    result: ir.Expr = ir.In(other, e.source, type=BOOL, span=e.span)
                    for rest in parts:
                        if rest is not part:
                            result = ir.Logic(
                                "and", result, substitute(rest, {e.var: other}), type=BOOL, span=rest.span
                            )
                    return result
    return None


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


def _zero(type_: Type) -> int:
    return NONE if type_.finite or type_.optional else 0


def canonical(e: ir.Expr, names: Mapping[str, str]) -> ir.Expr:
    """*e* with the members that it quantifies over named by their depth."""
    if isinstance(e, ir.Local):
        return replace(e, name=names[e.name]) if e.name in names else e
    inner = names
    changes: dict[str, object] = {}
    if isinstance(e, ir.Quant | ir.Allot | ir.Line):
        inner = {**names, **{name: f"${len(names) + i}" for i, name in enumerate(bound_by(e))}}
        changes.update(
            (field, inner[getattr(e, field)])
            for field in ("var", "own", "leaves", "enters")
            if getattr(e, field, "")
        )
    for field in e.__dataclass_fields__:
        value = getattr(e, field)
        within = names if field in ("source", "start", "end") else inner
        if isinstance(value, ir.Expr):
            changes[field] = canonical(value, within)
        elif isinstance(value, tuple) and value and isinstance(value[0], ir.Expr):
            changes[field] = tuple(canonical(v, within) for v in value)
    return replace(e, **changes) if changes else e  # type: ignore[arg-type]
