"""Members of enums and sets of them, as far as a case decides them; and what is none."""

from __future__ import annotations

from compiler import ir
from compiler.prove.claims import ALWAYS, COMPARED, NEVER, Claims, Value, constant, zero
from compiler.prove.search import Test, branch, mapped
from runtime.model import NONE
from runtime.words.said import said

#: The services that give a member for a member, and none for none.
_STEPPING = ("opponent", "next", "shift")


class Members(Claims):
    """What is said of members and sets."""

    # ------------------------------------------------------------------ none

    def none(self, e: ir.Expr) -> Test | None:
        """Whether *e* is none; None when it never is."""
        if isinstance(e, ir.Const):
            return (lambda: True) if e.value == NONE else None
        if isinstance(e, ir.Common):
            return self.none(e.then)
        if isinstance(e, ir.If):
            then, orelse = self.none(e.then), self.none(e.orelse)
            if then is None and orelse is None:
                return None
            return branch(self.test(e.test), then or NEVER, orelse or NEVER)
        if e.type.kind == "int":
            return self._no_number(e)
        if e.type.kind == "enum":
            return self._no_member(e)
        if isinstance(e, ir.Otherwise):
            left, right = self.none(e.left), self.none(e.right)
            return None if left is None or right is None else self.all_of([left, right])
        if isinstance(e, ir.Widen | ir.Narrow):
            return self.none(e.value)
        return self._no_thing(e) if e.type.finite else None

    def _no_number(self, e: ir.Expr) -> Test | None:
        """Whether a number is none."""
        raise NotImplementedError

    def _no_member(self, e: ir.Expr) -> Test | None:
        if not e.type.optional and self._some_member(e):
            return None
        return mapped(self.member(e), lambda member: member == NONE)

    def _no_thing(self, e: ir.Expr) -> Test | None:
        """Whether a piece or hex is none: as itself, or because what it is read of is."""
        own: Test | None = None
        if e.type.optional:
            text = said("{expr} is none", expr=self.printer.expr(e, COMPARED))
            own = self._known(self.atom("none", self._key(e), text, (0, 1)))
        missing = self.none(e.hex) if isinstance(e, ir.At) else self._nobodys(e)
        return own if missing is None else branch(missing, ALWAYS, own or NEVER)

    def _some_member(self, e: ir.Expr) -> bool:
        """Whether what *e* reads from is never none."""
        if isinstance(e, ir.Local):
            return True
        if isinstance(e, ir.Get | ir.Pick):
            return self._nobodys(e) is None
        if isinstance(e, ir.Service) and e.name in _STEPPING:
            return self.none(e.args[0]) is None
        return isinstance(e, ir.Col) and self.none(e.key) is None

    # ------------------------------------------------------------------ members

    def _member_expr(self, e: ir.Expr) -> Value:
        members = tuple(range(len(self.program.enums[e.type.name])))
        if e.type.optional or not members:
            members = (*members, NONE)
        atom = self.atom("enum", self._key(e), self.printer.expr(e, COMPARED), members, type=e.type)
        value: Value = self._unless(self._nobodys(e), NONE, lambda: self.ask(atom))
        return value

    def _member_const(self, e: ir.Const) -> Value:
        return constant(e.value)

    def _member_col(self, e: ir.Col | ir.Cell) -> Value:
        return self._lookup(e)

    _member_cell = _member_col

    def _member_otherwise(self, e: ir.Otherwise) -> Value:
        left, right = self.member(e.left), self.member(e.right)

        def otherwise() -> int | None:
            value = left()
            return right() if value == NONE else value

        return otherwise

    def _member_service(self, e: ir.Service) -> Value:
        return self._service(e) if e.name in _STEPPING else self._member_expr(e)

    def _member_apply(self, e: ir.Apply) -> Value:
        inner: Value | None = self._ask_body(e, self.member)
        return self._member_expr(e) if inner is None else inner

    def _service(self, e: ir.Service) -> Value:
        count = len(self.program.enums[e.type.name])
        if e.name != "shift":
            member = self.member(e.args[0])
            return mapped(member, lambda m: m if m == NONE else (m + 1) % count)
        if isinstance(e.args[1], ir.Const):
            by, member = e.args[1].value, self.member(e.args[0])
            return mapped(member, lambda m: m if m == NONE else min(max(m + by, 0), count - 1))
        shown, places = self.printer.expr(e, COMPARED), tuple(range(count))
        atom = self.atom("enum", self._key(e), shown, places, type=e.type)
        shifted: Value = self._unless(self.none(e.args[0]), NONE, lambda: self.ask(atom))
        return shifted

    def _lookup(self, e: ir.Col | ir.Cell) -> Value:
        """The entry of a table or matrix."""
        nothing = zero(e.type)
        if isinstance(e, ir.Col):
            values = e.column.values
            return mapped(self.member(e.key), lambda k: values[k] if k >= 0 else nothing)
        row, column, matrix = self.member(e.row), self.member(e.column), e.matrix

        def cell() -> int | None:
            r, c = row(), column()
            if r is None or c is None:
                return None
            return matrix.values[r][c] if r >= 0 and c >= 0 else nothing

        return cell

    # ------------------------------------------------------------------ sets

    def _mask_expr(self, e: ir.Expr) -> Value | None:
        return None

    def _mask_const(self, e: ir.Const) -> Value:
        return constant(e.value)

    def _mask_members(self, e: ir.Members) -> Value:
        assert e.type.of is not None
        return constant((1 << len(self.program.enums[e.type.of.name])) - 1)

    def _mask_col(self, e: ir.Col | ir.Cell) -> Value:
        return self._lookup(e)

    _mask_cell = _mask_col

    def _mask_op(self, e: ir.Op) -> Value | None:
        if e.op not in ("|", "&~"):
            return None
        left, right, join = self.mask(e.left), self.mask(e.right), e.op == "|"
        if left is None or right is None:
            return None

        def joined() -> int | None:
            a, b = left(), right()
            return None if a is None or b is None else a | b if join else a & ~b

        return joined

    def _mask_setlit(self, e: ir.SetLit) -> Value:
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
