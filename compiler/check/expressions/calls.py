"""Calls of what the ruleset defines and of services; and whether an effect is in force."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Env
from compiler.check.expressions.base import error_expression
from compiler.check.expressions.names import Names
from compiler.check.expressions.services import SERVICES
from compiler.types import BOOL, INT, Type, from_spec, set_of
from dsl import nodes as n
from dsl.diagnostics import MisfitCall
from dsl.mistakes.foreign import CALLS
from dsl.source import Span
from runtime.model import EffectSpec
from runtime.words.said import said


class Calls(Names):
    """Checks what is called with arguments."""

    def _call(self, node: n.Call, env: Env, expected: Type | None) -> ir.Expr:
        name = node.name.text
        called = self.program.calls.get(name)
        if called is None:
            service = SERVICES.get(name)
            if service is not None:
                return service(self, node, env)
            known, hint = [*self.program.calls, *SERVICES], self.hint(name)
            if name.casefold() in CALLS:
                known, hint = [], hint or CALLS[name.casefold()]
            self.ctx.report_unknown(
                "R201", "function, quantity or permission", node.name, known, hint
            )
            self.check_unexpected(node.args, env)
            return error_expression(node)
        self.ctx.use(f"call {name}", node.name.span)
        what = f"{called.kind} {name}"
        args = self.arguments(node.args, called.params, env, what, node.span, lenient=True)
        return ir.Apply(name, args, type=called.type, span=node.span)

    def _active(self, node: n.Active, env: Env, expected: Type | None) -> ir.Expr:
        effect = self.ctx.look_up("effect", node.effect, self.program.effects)
        if effect is None:
            return error_expression(node)
        if not node.args:
            if len(effect.params) > 1:
                what = f"effect {effect.name}"
                message = said("{what} is in force for several values together", what=what)
                remedy, about = (
                    said("write {what}({names})", what=what, names=", ".join(effect.names)),
                    MisfitCall(what),
                )
                self.ctx.error("T303", message, node.span, remedy, about=(about,))
                return error_expression(node)
            return active(effect, node.span)
        item = self.instance(effect, node.args, env, node.span)
        if item is None:
            return error_expression(node)
        return ir.In(item, active(effect, node.span), type=BOOL, span=node.span)

    def instance(
        self, effect: EffectSpec, nodes: tuple[n.Expr, ...], env: Env, span: Span
    ) -> ir.Expr | None:
        """What an effect is for: the value, or the number of several; None: they do not fit."""
        if not self.has_arity(nodes, len(effect.params), f"effect {effect.name}", span):
            for node in nodes:
                self.check(node, env)
            return None
        what, given = "the effect's argument", zip(nodes, effect.params, strict=True)
        args = tuple(self.of_type(arg, env, from_spec(type_), what) for arg, type_ in given)
        return args[0] if len(args) == 1 else ir.Instance(effect, args, type=INT, span=span)


def active(effect: EffectSpec, span: Span) -> ir.Active:
    """Whether an effect is in force, or the set of what it is in force for."""
    member = from_spec(effect.param) if effect.param is not None else INT
    return ir.Active(effect, type=set_of(member) if effect.params else BOOL, span=span)
