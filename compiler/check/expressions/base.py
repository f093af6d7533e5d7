"""What every part of the checker of expressions stands on: dispatch, and what is demanded of a value."""

from __future__ import annotations

from itertools import permutations

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.parents import adapted
from compiler.types import BAD, BOOL, Type, fits, from_spec
from dsl import nodes as n
from dsl.source import Span

#: Of how many arguments that do not fit other orders are tried.
_EXCHANGED = 4


def untested(value: ir.Expr, node: n.Expr) -> str:
    """How to make sure that *value*, which *node* reads, is not none: only locals can be tested."""
    if isinstance(value, ir.Local) and isinstance(node, n.Name):
        return f"check it first (if {node.name} is not none)"
    return "keep it in a local and test that (let x = …  if x is not none { … })"


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

    def condition(self, node: n.Expr, env: Env) -> ir.Expr:
        """Check a condition."""
        value = self.check(node, env, BOOL)
        if value.type.kind not in ("bool", "bad"):
            remedy = "write 'x > 0' or 'x is not none'" if value.type.kind != "set" else "write 'some x in …'"
            if isinstance(node, n.Name) and node.name in self.program.effects:
                remedy = f"did you mean 'effect {node.name}'?"
            self.ctx.error(
                "T306", f"a condition must be true or false; this is {value.type}", node.span, remedy
            )
        return value

    def of_type(self, node: n.Expr, env: Env, wanted: Type, what: str) -> ir.Expr:
        """Check *node* and that it fits *wanted*."""
        return self.require(self.check(node, env, wanted), wanted, what, node.span)

    def require(self, value: ir.Expr, wanted: Type, what: str, span: Span) -> ir.Expr:
        """*value* as one of type *wanted*; a finding where it does not fit."""
        value = adapted(self.program, value, wanted)
        if fits(value.type, wanted):
            self.ctx.agree(value.type, wanted)
            if value.type.kind == "none" and not wanted.optional and wanted.kind != "bad":
                place = ", or with 'place' where it says where a piece is" if wanted.kind == "hex" else ""
                message = f"{what} has type {wanted} and cannot be none"
                self.ctx.error("T304", message, span, f"declare it as {wanted}?{place}")
            return value
        if value.type.kind == "int" and wanted.kind == "int":
            self.ctx.mixed(
                f"{what} is measured in {wanted}; this is in {value.type}",
                span,
                value.type,
                wanted,
                "numbers of different measures do not mix; use the right column, or a plain int",
            )
        else:
            self.ctx.error(
                "T301",
                f"{what} has type {wanted.plain()}; this is {value.type}",
                span,
                self._instead(value, wanted),
            )
        return value

    def _instead(self, value: ir.Expr, wanted: Type) -> str:
        """What of *value* has the type that is wanted, as a question."""
        if wanted.name in self.program.parents.get(value.type.name, ()):
            return (
                f"make sure of it first: if x in {wanted.name} {{ … }}, where x is a parameter or local "
                "that no step changes"
            )
        owner = {"piece": value.type.name, "enum": value.type.name, "hex": "Hex"}.get(value.type.kind)
        fields = [(f.name, from_spec(f.type)) for f in self.program.fields.values() if f.owner == owner]
        columns = [(c.name, c.type) for c in self.program.columns.values() if c.enum == owner]
        found = [
            name
            for name, type_ in fields + columns
            if type_.kind != "int" and type_.kind == wanted.kind and fits(type_, wanted)
        ]
        return f"did you mean its '{found[0]}'?" if len(found) == 1 else ""

    def members(self, node: n.Expr, env: Env, expected: Type | None = None) -> tuple[ir.Expr, Type]:
        """Check a source of members; returns it with the type of the members."""
        value = self.check(node, env, expected)
        t = value.type
        if t.kind in ("set", "roll"):
            assert t.of is not None
            return value, t.of if t.of.kind != "none" else BAD
        if t.kind == "pile":
            return value, Type("enum", t.name)
        if t.kind != "bad":
            self.ctx.error(
                "T307",
                f"this is {t}, not a set",
                node.span,
                "write a set, a kind, an enum, a pile, a roll or a range a .. b",
            )
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
        """Check arguments against parameters; *lenient*: ``none`` may be passed (it is harmless in pure
        code).
        """
        if len(nodes) != len(params):
            wanted = ", ".join(f"{p.name}: {p.type}" for p in params)
            self.ctx.error(
                "T303",
                f"{what} expects {len(params)} argument{'s' * (len(params) != 1)}, got {len(nodes)}",
                span,
                f"it is declared with ({wanted})",
            )
            for arg in nodes:
                self.check(arg, env)
            return tuple(ir.Const(0, type=BAD) for _ in params)
        types = [param.type.maybe() if lenient else param.type for param in params]
        values = [self.check(arg, env, type_) for arg, type_ in zip(nodes, types, strict=True)]
        if self._exchanged(values, types):
            wanted = ", ".join(f"{p.name}: {p.type}" for p in params)
            message = f"the arguments of {what} stand in another order"
            self.ctx.error("T301", message, span, f"it is declared with ({wanted})")
            return tuple(ir.Const(0, type=BAD) for _ in params)
        result = []
        for arg, param, type_, given in zip(nodes, params, types, values, strict=True):
            value = self.require(given, type_, f"'{param.name}' of {what}", arg.span)
            if (
                not lenient
                and value.type.optional
                and value.type.kind != "none"
                and not param.type.optional
                and param.type.kind != "bad"
            ):
                self.ctx.error(
                    "T304",
                    f"this may be none, but '{param.name}' of {what} may not",
                    arg.span,
                    f"{untested(given, arg)}, or declare the parameter as {param.type}?",
                )
            result.append(value)
        return tuple(result)

    def _exchanged(self, values: list[ir.Expr], types: list[Type]) -> bool:
        """Whether several arguments do not fit their parameters, and in another order all would."""

        def suits(value: ir.Expr, type_: Type) -> bool:
            return value.type.kind != "bad" and fits(adapted(self.program, value, type_).type, type_)

        wrong = [i for i, type_ in enumerate(types) if not suits(values[i], type_)]
        return 1 < len(wrong) <= _EXCHANGED and any(
            all(suits(values[i], types[to]) for i, to in zip(wrong, order, strict=True))
            for order in permutations(wrong)
        )

    def without(self, nodes: tuple[n.Expr, ...], env: Env) -> None:
        """Check arguments of something unknown: what members of several enums mean, that would have told."""
        for node in nodes:
            if not self.ambiguous(node, env):
                self.check(node, env)

    def ambiguous(self, node: n.Expr, env: Env) -> bool:
        """Whether *node* is the bare name of a member of several enums."""
        return (
            isinstance(node, n.Name)
            and env.find(node.name) is None
            and len(self.ctx.members.get(node.name, ())) > 1
        )
