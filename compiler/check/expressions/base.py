"""What every part of the checker of expressions stands on: dispatch, what is demanded of a
value, and what a test excludes.
"""

from __future__ import annotations

from itertools import permutations

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.parents import base_of, coerce, learn_kinds, make_sure_of
from compiler.types import BAD, BOOL, Type, fits, from_spec
from dsl import nodes as n
from dsl.diagnostics import MisfitCall
from dsl.source import Span
from runtime.words.said import said

#: How numbers are had of a roll.
OF_ROLL = (
    "write face(r) for what a die shows, 'sum x for x in r' for all dice, tally(r, f) for how many "
    "show a face"
)
#: Of how many arguments that do not fit other orders are tried.
_EXCHANGED = 4


def none_remedy(value: ir.Expr, node: n.Expr) -> str:
    """How to make sure that *value*, which *node* reads, is not none: only locals can be tested."""
    if isinstance(value, ir.Local) and isinstance(node, n.Name):
        return said("check it first (if {name} is not none)", name=node.name)
    return "keep it in a local and test that (let x = …  if x is not none { … })"


def _parameter_list(params: list[ir.ParamInfo]) -> str:
    """The parameters of what is called as they are declared; nothing where one is wrong."""
    if any(p.type.wrong for p in params):
        return ""
    return said(
        "it is declared with ({params})", params=", ".join(f"{p.name}: {p.type}" for p in params)
    )


def error_expression(node: n.Node) -> ir.Expr:
    """What stands for an expression that is wrong."""
    return ir.Const(0, type=BAD, span=node.span)


class ExpressionChecker:
    """Turns syntax into checked expressions; every problem becomes a finding and a ``bad`` type.

    The methods that check a node of a class are in the modules of this folder, by topic.
    """

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.program = ctx.program

    def check(self, node: n.Expr, env: Env, expected: Type | None = None) -> ir.Expr:
        """Check *node*; *expected* helps to tell members of the same name apart."""
        method = getattr(self, "_" + type(node).__name__.lower())
        result = method(node, env, expected)
        assert isinstance(result, ir.Expr)
        return result

    def bind(self, env: Env, name: n.Ident, type_: Type) -> str:
        """Declare a local in *env*; returns its unique name."""
        unique = env.bind(name.text, type_)
        self.ctx.use(f"local {unique}", name.span)
        return unique

    def condition(self, node: n.Expr, env: Env, beside: n.Expr | None = None) -> ir.Expr:
        """Check a condition; *beside*: what stands before it, linked by ``and`` or ``or``."""
        value = self.check(node, env, BOOL)
        remedy = "write 'x > 0' or 'x is not none'"
        if isinstance(beside, n.Binary) and isinstance(node, n.Name | n.Int):
            remedy = "each side is a condition of its own: write 'x in { a, b }', or 'x is …' twice"
        if value.type.kind == "set":
            remedy = "write 'some x in …'"
        if isinstance(node, n.Name) and node.name in self.program.effects:
            remedy = said("did you mean 'effect {name}'?", name=node.name)
        self.of_kind(value, "bool", "a condition must be true or false", node.span, remedy, "T306")
        return value

    def of_kind(
        self,
        value: ir.Expr,
        kind: str,
        rule: str,
        span: Span,
        remedy: str = "",
        code: str = "T301",
    ) -> bool:
        """Whether a value is of a kind; else the *rule* is told, and what it is."""
        if value.type.kind != kind:
            if value.type.kind == "roll" and kind == "int":
                remedy = remedy or OF_ROLL
            self.ctx.report_misfit(
                said("{rule}; this is {0}", rule=rule), span, value.type, remedy=remedy, code=code
            )
        return value.type.kind == kind

    def where(self, node: n.Expr | None, env: Env) -> ir.Expr | None:
        """Check a condition that may be left out."""
        return self.condition(node, env) if node is not None else None

    def of_type(self, node: n.Expr, env: Env, wanted: Type, what: str) -> ir.Expr:
        """Check *node* and that it fits *wanted*."""
        return self.require(self.check(node, env, wanted), wanted, what, node.span)

    def require(self, value: ir.Expr, wanted: Type, what: str, span: Span) -> ir.Expr:
        """*value* as one of type *wanted*; a finding where it does not fit."""
        value = coerce(self.program, value, wanted)
        if fits(value.type, wanted):
            self.ctx.agree(value.type, wanted)
            if value.type.kind == "none" and not wanted.optional:
                remedy = said("declare it as {wanted}?", wanted=wanted)
                if wanted.kind == "hex":
                    remedy += said(", or with 'place' where it says where a piece is")
                message = said("{what} has type {0} and cannot be none", what=what)
                self.ctx.report_misfit(message, span, wanted, remedy=remedy, code="T304")
            return value
        if value.type.kind == "int" and wanted.kind == "int":
            message = said(
                "{what} is measured in {wanted}; this is in {type}",
                what=what,
                wanted=wanted,
                type=value.type,
            )
            remedy = (
                "numbers of different measures do not mix; use the right column, or a plain int"
            )
            self.ctx.report_mixed(message, span, value.type, wanted, remedy)
        else:
            message, remedy = (
                said("{what} has type {0}; this is {1}", what=what),
                self._part_remedy(value, wanted),
            )
            self.ctx.report_misfit(message, span, wanted.plain(), value.type, remedy=remedy)
        return value

    def _part_remedy(self, value: ir.Expr, wanted: Type) -> str:
        """What of *value* has the type that is wanted, as a question."""
        if wanted.name in self.program.parents.get(value.type.name, ()):
            return make_sure_of(wanted.name)
        if value.type.kind == "roll" and wanted.kind == "int":
            return OF_ROLL
        part = self.only_part(value.type, wanted)
        return said("did you mean its '{fitting}'?", fitting=part) if part else ""

    def only_part(self, whole: Type, wanted: Type) -> str:
        """The only field or column that has the type *wanted*, of *whole* or of a member that it
        has: ``type``, ``type.arm``.
        """
        parts = self._readable_parts(whole.owner)
        deep = [
            (f"{name}.{inner}", of)
            for name, type_ in parts
            if type_.kind == "enum"
            for inner, of in self._readable_parts(type_.owner)
        ]
        for known in (parts, deep):
            fitting = [
                name
                for name, type_ in known
                if type_.kind != "int" and type_.kind == wanted.kind and fits(type_.plain(), wanted)
            ]
            if fitting:
                return fitting[0] if len(fitting) == 1 else ""
        return ""

    def _readable_parts(self, owner: str) -> list[tuple[str, Type]]:
        """What can be read of an owner of fields or columns, with its types."""
        program = self.program
        parts = [(f.name, from_spec(f.type)) for f in program.fields.values() if f.owner == owner]
        return parts + [(c.name, c.type) for c in program.columns.values() if c.enum == owner]

    def _set_remedy(self, node: n.Expr, t: Type) -> str:
        """What is a set where *node* is only one thing, of type *t*."""
        shown = node.name if isinstance(node, n.Name) else "…"
        if t.kind == "int":
            shown = str(node.value) if isinstance(node, n.Int) else shown.replace("…", "n")
            return said("numbers are a range: 1 .. {shown}", shown=shown)
        for f in self.program.fields.values():
            if f.owner in self.program.kinds and from_spec(f.type).plain() == t.plain():
                if f.place:
                    return said("what stands there is {kind}[{shown}]", kind=f.owner, shown=shown)
                return self.filter_remedy(f.owner, f.name, shown)
        return said("one alone is no set; the set of it is { {shown} }", shown=shown)

    def filter_remedy(self, kind: str, field: str, shown: str) -> str:
        """How to ask for the pieces of a kind with a value in a field."""
        return said(
            "write 'x in {kind} where x.{field} is {shown}'", kind=kind, field=field, shown=shown
        )

    def members(
        self,
        node: n.Expr,
        env: Env,
        expected: Type | None = None,
        sought: n.Expr | None = None,
    ) -> tuple[ir.Expr, Type]:
        """Check a source of members, in which one may be *sought*; returns it with the type of the
        members.
        """
        value = self.check(node, env, expected)
        t = value.type
        if t.kind in ("set", "roll"):
            assert t.of is not None
            return value, t.of if t.of.kind != "none" else BAD
        if t.kind == "pile":
            return value, Type("enum", t.name)
        remedy = self._set_remedy(node, t)
        if sought is not None and t.kind != "int":
            part = self.only_part(self.check(sought, env).type, t)
            remedy = "write 'is'"
            if part and isinstance(sought, n.Name) and isinstance(node, n.Name):
                written = f"{sought.name}.{part} is {node.name}"
                remedy = said("write {written}", written=written)
        self.ctx.report_misfit("this is {0}, not a set", node.span, t, remedy=remedy, code="T307")
        return value, BAD

    def arguments(
        self,
        nodes: tuple[n.Expr, ...],
        params: list[ir.ParamInfo],
        env: Env,
        what: str,
        span: Span,
        lenient: bool = False,
    ) -> tuple[ir.Expr, ...]:
        """Check arguments; *lenient*: ``none`` may be passed (it is harmless in pure code)."""
        if len(nodes) != len(params):
            self.has_arity(nodes, len(params), what, span, _parameter_list(params))
            for arg in nodes:
                self.check(arg, env)
            return tuple(ir.Const(0, type=BAD) for _ in params)
        types = [param.type.maybe() if lenient else param.type for param in params]
        values = [self.check(arg, env, type_) for arg, type_ in zip(nodes, types, strict=True)]
        if self._are_swapped(values, types):
            message = said("the arguments of {what} stand in another order", what=what)
            about = (MisfitCall(what, len(nodes)),)
            self.ctx.error("T301", message, span, _parameter_list(params), about=about)
            return tuple(ir.Const(0, type=BAD) for _ in params)
        result = []
        for arg, param, type_, given in zip(nodes, params, types, values, strict=True):
            whose = said("'{name}' of {what}", name=param.name, what=what)
            value = self.require(given, type_, whose, arg.span)
            if not lenient and value.type.optional:
                remedy = said(
                    "{untested}, or declare the parameter as {type}?",
                    untested=none_remedy(given, arg),
                    type=param.type,
                )
                self.ctx.require_not_none(value, param.type, whose, arg.span, remedy)
            result.append(value)
        return tuple(result)

    def has_arity(
        self, args: tuple[n.Expr, ...], count: int, what: str, span: Span, remedy: str = ""
    ) -> bool:
        """Whether there are as many arguments as *what* expects; else a finding."""
        if len(args) != count:
            message = said(
                "{what} expects {count: 1 # argument | # arguments}, got {given}",
                what=what,
                count=count,
                given=len(args),
            )
            self.ctx.error("T303", message, span, remedy, about=(MisfitCall(what, len(args)),))
        return len(args) == count

    def _are_swapped(self, values: list[ir.Expr], types: list[Type]) -> bool:
        """Whether several arguments do not fit their parameters, and in another order all would."""

        def suits(value: ir.Expr, type_: Type) -> bool:
            as_wanted = coerce(self.program, value, type_)
            return value.type.kind != "bad" and fits(as_wanted.type, type_)

        wrong = [i for i, type_ in enumerate(types) if not suits(values[i], type_)]
        return 1 < len(wrong) <= _EXCHANGED and any(
            all(suits(values[i], types[to]) for i, to in zip(wrong, order, strict=True))
            for order in permutations(wrong)
        )

    def check_unexpected(self, nodes: tuple[n.Expr, ...], env: Env) -> None:
        """Check arguments of something unknown, but for bare members of several enums."""
        for node in nodes:
            if not self.ambiguous(node, env) and not self._labels(node):
                self.check(node, env)

    def _labels(self, node: n.Expr) -> bool:
        """Whether *node* may be the label of a hex, which only means one where a hex is wanted."""
        board = self.program.board
        return isinstance(node, n.Name) and board is not None and node.name in board.labels

    def ambiguous(self, node: n.Expr, env: Env) -> bool:
        """Whether *node* is the bare name of a member of several enums."""
        return (
            isinstance(node, n.Name)
            and env.find(node.name) is None
            and len(self.ctx.members.get(node.name, ())) > 1
        )


def locals_not_none(test: ir.Expr) -> set[str]:
    """Locals that cannot be none where *test* holds."""
    if isinstance(test, ir.Logic) and test.op == "and":
        return locals_not_none(test.left) | locals_not_none(test.right)
    if isinstance(test, ir.Compare) and isinstance(base_of(test.left), ir.Local):
        local = base_of(test.left)
        assert isinstance(local, ir.Local)
        right_none = test.right.type.kind == "none"
        if test.op == "!=" and right_none:
            return {local.name}
        if test.op == "==" and not right_none and not test.right.type.optional:
            return {local.name}
    if isinstance(test, ir.In) and isinstance(item := base_of(test.item), ir.Local):
        return {item.name}
    if isinstance(test, ir.Not) and isinstance(test.operand, ir.Compare):
        return locals_not_none_else(test.operand)
    return set()


def assume(program: ir.Program, env: Env, test: ir.Expr, holds: bool = True) -> None:
    """Let *env* know what follows for locals where *test* holds, or does not."""
    env.sure |= locals_not_none(test) if holds else locals_not_none_else(test)
    learn_kinds(program, env, test, holds)


def locals_not_none_else(test: ir.Expr) -> set[str]:
    """Locals that cannot be none where *test* does not hold."""
    if isinstance(test, ir.Logic) and test.op == "or":
        return locals_not_none_else(test.left) | locals_not_none_else(test.right)
    if isinstance(test, ir.Compare) and test.op == "==" and test.right.type.kind == "none":
        local = base_of(test.left)
        return {local.name} if isinstance(local, ir.Local) else set()
    if isinstance(test, ir.Not):
        return locals_not_none(test.operand)
    return set()


def never_empty(source: ir.Expr) -> bool:
    """Whether a set has members whatever the state: an enum, the board, what is written down."""
    match source:
        case ir.Members():
            return source.type.of is not None and source.type.of.kind != "piece"
        case ir.SetLit():
            return any(not item.type.optional for item in source.items)
        case ir.Range(ir.Const(low), ir.Const(high)):
            return low <= high
        case ir.Op("|"):
            return never_empty(source.left) or never_empty(source.right)
        case _:
            return False
