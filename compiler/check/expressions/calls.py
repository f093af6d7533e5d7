"""Calls of what the ruleset defines and of services; and whether an effect is in force."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Env
from compiler.check.expressions.base import ExpressionChecker, bad
from compiler.check.expressions.services import SERVICES
from compiler.types import BOOL, INT, Type, from_spec, set_of
from dsl import nodes as n
from dsl.diagnostics import Called
from dsl.source import Span
from runtime.model import EffectSpec


class Calls(ExpressionChecker):
    """Checks what is called with arguments."""

    def _call(self, node: n.Call, env: Env, expected: Type | None) -> ir.Expr:
        name = node.name.text
        called = self.program.calls.get(name)
        if called is None:
            service = SERVICES.get(name)
            if service is not None:
                return service(self, node, env)
            known = [*self.program.calls, *SERVICES]
            hint = (
                f"'{name}' is a procedure: write 'do {name}(…)' as a step"
                if name in self.program.procedures
                else ""
            )
            self.ctx.unknown("R201", "function, quantity or permission", node.name, known, hint)
            self.without(node.args, env)
            return bad(node)
        self.ctx.used.add(f"call {name}")
        args = self.arguments(
            node.args, called.params, env, f"{called.kind} {name}", node.span, lenient=True
        )
        return ir.Apply(name, args, type=called.type, span=node.span)

    def _active(self, node: n.Active, env: Env, expected: Type | None) -> ir.Expr:
        effect = self.program.effects.get(node.effect.text)
        if effect is None:
            self.ctx.unknown("R201", "effect", node.effect, self.program.effects)
            return bad(node)
        self.ctx.used.add(f"effect {effect.name}")
        if not node.args:
            if len(effect.params) > 1:
                message = f"effect {effect.name} is in force for several values together"
                self.ctx.error(
                    "T303",
                    message,
                    node.span,
                    f"write effect {effect.name}({', '.join(effect.names)})",
                    about=(Called(f"effect {effect.name}"),),
                )
                return bad(node)
            return active(effect, node.span)
        item = self.instance(effect, node.args, env, node.span)
        return (
            bad(node)
            if item is None
            else ir.In(item, active(effect, node.span), type=BOOL, span=node.span)
        )

    def instance(
        self, effect: EffectSpec, nodes: tuple[n.Expr, ...], env: Env, span: Span
    ) -> ir.Expr | None:
        """For which values an effect starts, ceases or is asked about: the value, or the number of
        several; None when they do not fit.
        """
        if len(nodes) != len(effect.params):
            wanted = f"{len(effect.params)} argument{'s' if len(effect.params) != 1 else ''}"
            message = f"effect {effect.name} expects {wanted}, got {len(nodes)}"
            called = Called(f"effect {effect.name}", len(nodes))
            self.ctx.error("T303", message, span, about=(called,))
            for node in nodes:
                self.check(node, env)
            return None
        args = tuple(
            self.of_type(a, env, from_spec(t), "the effect's argument")
            for a, t in zip(nodes, effect.params, strict=True)
        )
        return args[0] if len(args) == 1 else ir.Instance(effect, args, type=INT, span=span)


def active(effect: EffectSpec, span: Span) -> ir.Active:
    """Whether an effect is in force, or the set of what it is in force for."""
    member = from_spec(effect.param) if effect.param is not None else INT
    return ir.Active(effect, type=set_of(member) if effect.params else BOOL, span=span)
