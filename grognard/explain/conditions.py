"""Why a condition does not hold in a position: the part of it that fails, followed down to a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from compiler import ir
from compiler.interpreter import Evaluator, PermissionTrace, explain_permission
from compiler.trees import conjuncts, disjuncts, rules_of
from compiler.types import Type
from grognard.explain.explanation import Reason, plainly
from grognard.explain.rules import HIDDEN, UNSEEN, Rules, label
from grognard.explain.sight import blockers, stopped_lines
from runtime.model import NONE
from runtime.state import RulesetFault, StateBase
from runtime.view import Unseen

#: How many functions deep a condition is followed.
_DEEPEST: Final = 4
#: How many numbers of a condition are told.
_NUMBERS: Final = 6

Locals = Mapping[str, Any]


class Conditions:
    """Conditions of one ruleset in one position; *names* are the names of its pieces by kind."""

    def __init__(self, rules: Rules, state: StateBase, names: dict[str, list[str]]) -> None:
        self.rules = rules
        self.program = rules.program
        self.state = state
        self.names = names
        self.x = Evaluator(rules.program, state)

    def value(self, value: object, type_: Type) -> str:
        """A value in words."""
        return self.rules.words.value(value, type_, self.names) if isinstance(value, int) else "…"

    def arguments(self, values: Iterable[object], params: Iterable[ir.ParamInfo]) -> str:
        """Arguments in words."""
        return ", ".join(self.value(v, p.type) for v, p in zip(values, params, strict=True))

    # ------------------------------------------------------------------ what fails

    def because(self, expr: ir.Expr, env: Locals, depth: int = 0) -> list[Reason]:
        """Why a condition does not hold: the first part of it that fails, followed down to a rule."""
        hidden: list[Reason] = []
        for part in conjuncts(expr):
            try:
                if not self.x.holds(part, dict(env)):
                    return self._fails(part, env, depth)
            except Unseen:
                hidden = hidden or [
                    Reason(
                        f"it {HIDDEN}: {self.rules.text(part)}",
                        role="because",
                        plain=self.rules.plainly(UNSEEN),
                    )
                ]
        return hidden

    def _fails(self, part: ir.Expr, env: Locals, depth: int) -> list[Reason]:
        text = self.rules.text(part)
        if isinstance(part, ir.Apply):
            call = self.program.calls[part.name]
            args = [self.x.value(a, dict(env)) for a in part.args]
            shown = self.arguments(args, call.params)
            if call.kind == "permission":
                refusals = self.refusal(call, explain_permission(self.program, self.state, part.name, args))
                return _under(list(refusals), Reason(f"({part.name} of {shown})"))
            if call.body is not None and depth < _DEEPEST:
                inner = dict(zip((p.name for p in call.params), args, strict=True))
                below = self.because(call.body, inner, depth + 1)
                return [self.rules.said(f"{part.name}({shown}) is not so", call.rules, below, "because")]
        if isinstance(part, ir.Logic) and part.op == "or":
            below = []
            if depth < _DEEPEST:
                for side in disjuncts(part):
                    below += self.because(side, env, depth + 1) or [
                        Reason(f"does not hold: {self.rules.text(side)}")
                    ]
            return [Reason(f"neither holds: {text}", below=tuple(below), role="because")]
        if isinstance(part, ir.Quant) and part.kind == "some" and part.where is not None:
            return [self._none(part, part.where, env)]
        if isinstance(part, ir.Allot) and part.source.type.of is not None:
            left = [self.value(v, part.source.type.of) for v in self.x.left_over(part, dict(env))]
            below = [Reason(f"nothing is left for {', '.join(left)}")]
        else:
            below = self.numbers(part, env)
        return [
            Reason(f"does not hold: {text}", below=tuple(below), role="because", plain=self._common(part))
        ]

    def _none(self, part: ir.Quant, where: ir.Expr, env: Locals) -> Reason:
        """Why nothing is such as a condition asks: what a permission says of each that it would be but for
        it.
        """
        below: list[Reason] = []
        for member in self.x.members(part.source, dict(env)):
            inner = {**env, part.var: member}
            failing = next(p for p in conjuncts(where) if not self.x.holds(p, dict(inner)))
            if isinstance(failing, ir.Apply) and self.program.calls[failing.name].kind == "permission":
                of = part.source.type.of
                name = self.value(member, of) if of is not None else str(member)
                found = self._fails(failing, inner, _DEEPEST)
                told = "; ".join(plainly(found))
                plain = f"{name}: {told}" if told else ""
                below.append(Reason(f"not {name}", below=tuple(map(_unworded, found)), plain=plain))
        plain = self.rules.plainly("nothing is there for it to choose")
        text = f"does not hold: {self.rules.text(part)}"
        return Reason(text, below=tuple(below[:_NUMBERS]), role="because", plain=plain)

    def _common(self, part: ir.Expr) -> str:
        """What fails in a player's words, where it is what many choices ask for."""
        asked = part.operand if isinstance(part, ir.Not) else part
        if isinstance(asked, ir.Get) and asked.type.kind == "bool":
            said = self.rules.plainly("no" if asked is part else "yes")
            return f"{self.rules.called(asked.field)}: {said}"
        if not isinstance(part, ir.Compare) or part.op not in ("==", "!="):
            return ""
        plainly = self.rules.plainly
        if part.left.type.name == "Side":
            return plainly("of the other side") if part.op == "==" else plainly("of the same side")
        empty = isinstance(part.right, ir.Const) and part.right.value == NONE
        if part.left.type.kind == "hex" and part.op == "!=" and empty:
            return plainly("not on the board")
        return ""

    # ------------------------------------------------------------------ permissions

    def refusal(self, call: ir.Callable, trace: PermissionTrace) -> Iterator[Reason]:
        """Which rules refuse, and why they speak; or that nothing allows."""
        env = dict(zip((p.name for p in call.params), trace.args, strict=True))
        for rule in trace.refusing:
            found = next((r for r in rules_of(call.roots) if r.span == rule.span), None)
            below: list[Reason] = []
            if found is not None and found.when is not None:
                deeper = list(self._denied(found.when, env)) or self.numbers(found.when, env)
                below = [
                    Reason(f"because {self.rules.text(found.when)}", below=tuple(deeper), role="because")
                ]
            plain = self.rules.why(call.name, rule.label, rule.all_citations)
            yield self.rules.by(f"refused: {label(rule.label)}", rule, "refuses", below, plain)
        if not trace.allowed and not trace.refusing:
            ways = [
                self.rules.said(
                    f"it is allowed ({label(allow.name)}) when {self.rules.text(allow.when)}", allow.rules
                )
                for allow in call.roots
                if allow.when is not None
            ]
            plain = self.rules.why(call.name, cited=call.rules)
            yield self.rules.said("refused: nothing allows it", call.rules, ways, "refuses", plain)

    def _denied(self, when: ir.Expr, env: Locals) -> Iterator[Reason]:
        """Why the permissions refuse whose refusal is a part of a condition, with their names."""
        for part in conjuncts(when):
            if isinstance(part, ir.Not) and isinstance(part.operand, ir.Apply):
                call = self.program.calls[part.operand.name]
                if call.kind == "permission":
                    args = [self.x.number(a, dict(env)) for a in part.operand.args]
                    below = self.refusal(call, explain_permission(self.program, self.state, call.name, args))
                    text = f"{call.name}({self.arguments(args, call.params)}) refuses"
                    yield Reason(text, below=tuple(below), role="refuses")

    # ------------------------------------------------------------------ facts

    def numbers(self, expr: ir.Expr, env: Locals) -> list[Reason]:
        """The values of the sides of the comparisons in a condition, and of its locals; what stops its
        lines.
        """
        shown: dict[str, str] = {}
        for part in parts(expr):
            sides = (part.left, part.right) if isinstance(part, ir.Compare) else (part,)
            if not isinstance(part, ir.Compare | ir.Get | ir.Apply):
                continue
            for side in sides:
                if isinstance(side, ir.Const) or side.type.kind in ("set", "roll", "pile"):
                    continue
                try:
                    value = self.x.value(side, dict(env))
                except (KeyError, RulesetFault, Unseen):
                    continue
                shown.setdefault(self.rules.text(side), self.value(value, side.type))
        known = [f"{text} is {value}" for text, value in shown.items() if text != value][:_NUMBERS]
        return [*([Reason("here " + ", ".join(known))] if known else []), *self._sights(expr, env)]

    def _sights(self, expr: ir.Expr, env: Locals) -> Iterator[Reason]:
        """What stops the lines of sight in a condition."""
        for line, inner in stopped_lines(self.x, expr, env):
            ends = (line.start, line.end)
            start, end = (self.rules.words.value(self.x.number(e, dict(inner)), e.type, {}) for e in ends)
            by = blockers(self.x, line, inner)
            stops = by[0] if len(by) == 1 else f"{by[0]} on the one hand, {by[1]} on the other"
            yield Reason(f"the line from {start} to {end} is stopped by {stops}")


def _unworded(reason: Reason) -> Reason:
    """The same without a player's words, which somebody else says for it."""
    return replace(reason, plain="", below=tuple(map(_unworded, reason.below)))


def _under(reasons: list[Reason], more: Reason) -> list[Reason]:
    """The statements, with one more below the last."""
    if not reasons:
        return [more]
    last = reasons[-1]
    return [*reasons[:-1], replace(last, below=(*last.below, more))]


def parts(expr: ir.Expr) -> Iterator[ir.Expr]:
    """The expression and what is below it, but not inside quantifiers, whose locals have no single value."""
    yield expr
    if isinstance(expr, ir.Quant | ir.Allot | ir.Line):
        return
    for name in expr.__dataclass_fields__:
        value = getattr(expr, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, ir.Expr):
                yield from parts(item)
