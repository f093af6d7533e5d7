"""Why a condition does not hold in a position: the part that fails, followed down to a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from compiler import ir
from compiler.interpreter import Evaluator, explain_permission
from compiler.interpreter.rules import bind
from compiler.interpreter.services import line_stop
from compiler.interpreter.values import Locals, Value
from compiler.trees import child_expressions, conjuncts, disjuncts
from compiler.types import Type
from grognard.explain.rules import HIDDEN, UNSEEN, Rules, label, place_of
from runtime.board import Passage
from runtime.games.explanation import Reason, plainly
from runtime.model import NONE
from runtime.scenario.setup import SetUp
from runtime.state import RulesetFault, StateBase
from runtime.view import Unseen

#: How many functions deep a condition is followed.
_DEEPEST: Final = 4
#: How many numbers of a condition are told.
_NUMBERS: Final = 6


class Conditions:
    """Conditions of one ruleset in one position of a scenario."""

    def __init__(self, rules: Rules, state: StateBase, setup: SetUp) -> None:
        self.rules = rules
        self.program = rules.program
        self.state = state
        #: the names of its pieces by kind
        self.names = {kind: [one.name for one in all_] for kind, all_ in setup.pieces.items()}
        self.x = Evaluator(rules.program, state)

    def value(self, value: object, type_: Type) -> str:
        """A value in words."""
        return self.rules.words.value(value, type_, self.names) if isinstance(value, int) else "…"

    def arguments(self, values: Iterable[object], params: Iterable[ir.ParamInfo]) -> str:
        """Arguments in words."""
        return ", ".join(self.value(v, p.type) for v, p in zip(values, params, strict=True))

    # ------------------------------------------------------------------ what fails

    def because(self, expr: ir.Expr, env: Locals, depth: int = 0) -> list[Reason]:
        """Why a condition does not hold: the first part that fails, followed down to a rule."""
        hidden: list[Reason] = []
        for part in conjuncts(expr):
            try:
                if not self.x.holds(part, env):
                    return self._fails(part, env, depth)
            except Unseen:
                text, plain = f"it {HIDDEN}: {self.rules.text(part)}", self.rules.plainly(UNSEEN)
                hidden = hidden or [_because(part, text, plain=plain)]
        return hidden

    def _fails(self, part: ir.Expr, env: Locals, depth: int) -> list[Reason]:
        text = self.rules.text(part)
        if isinstance(part, ir.Apply):
            call = self.program.calls[part.name]
            args = [self.x.value(a, env) for a in part.args]
            shown = self.arguments(args, call.params)
            if call.kind == "permission":
                *others, last = self.refusal(call, args)
                of = Reason(f"({part.name} of {shown})")
                return [*others, replace(last, below=(*last.below, of))]
            if call.body is not None and depth < _DEEPEST:
                below = self.because(call.body, bind(call.params, args), depth + 1)
                text = f"{part.name}({shown}) is not so"
                return [self.rules.statement(text, call.rules, below, "because", span=call.span)]
        if isinstance(part, ir.Logic) and part.op == "or":
            below = []
            for side in disjuncts(part) if depth < _DEEPEST else ():
                bare = Reason(f"does not hold: {self.rules.text(side)}")
                below += self.because(side, env, depth + 1) or [bare]
            return [_because(part, f"neither holds: {text}", below)]
        if isinstance(part, ir.Quant) and part.kind == "some" and part.where is not None:
            return [self._why_none(part, part.where, env)]
        if isinstance(part, ir.Allot) and part.source.type.of is not None:
            left = [self.value(v, part.source.type.of) for v in self.x.unallotted(part, env)]
            below = [Reason(f"nothing is left for {', '.join(left)}")]
        else:
            below = self.numbers(part, env)
        text, plain = f"does not hold: {text}", self._common(part)
        return [_because(part, text, below, plain)]

    def _why_none(self, part: ir.Quant, where: ir.Expr, env: Locals) -> Reason:
        """Why nothing is such as a condition asks: what a permission says of each that it would be
        but for it.
        """
        below: list[Reason] = []
        for member in self.x.members(part.source, env):
            inner = {**env, part.var: member}
            failing = next(p for p in conjuncts(where) if not self.x.holds(p, inner))
            if not isinstance(failing, ir.Apply):
                continue
            if self.program.calls[failing.name].kind == "permission":
                of = part.source.type.of
                name = self.value(member, of) if of is not None else str(member)
                reasons = self._fails(failing, inner, _DEEPEST)
                why = "; ".join(line.text for line in plainly(reasons))
                plain = f"{name}: {why}" if why else ""
                below.append(
                    Reason(f"not {name}", below=tuple(map(_without_wording, reasons)), plain=plain)
                )
        plain = self.rules.plainly("nothing is there for it to choose")
        text = f"does not hold: {self.rules.text(part)}"
        return _because(part, text, below[:_NUMBERS], plain)

    def _common(self, part: ir.Expr) -> str:
        """What fails in a player's words, where it is what many choices ask for."""
        asked = part.operand if isinstance(part, ir.Not) else part
        if isinstance(asked, ir.Get) and asked.type.kind == "bool":
            answer = self.rules.plainly("no" if asked is part else "yes")
            return f"{self.rules.field_name(asked.field)}: {answer}"
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

    def refusal(self, call: ir.Callable, args: Sequence[Value]) -> Iterator[Reason]:
        """Which rules refuse, and why they speak; or that nothing allows."""
        trace = explain_permission(self.program, self.state, call.name, args)
        env = bind(call.params, args)
        for rule in trace.refusing:
            when, below = rule.rule.when, list[Reason]()
            if when is not None:
                deeper = tuple(self._refusals_within(when, env)) or tuple(self.numbers(when, env))
                text = f"because {self.rules.text(when)}"
                below = [_because(when, text, deeper)]
            plain = self.rules.refusal_text(call.name, rule.label, rule.all_citations)
            yield self.rules.rule_statement(
                f"refused: {label(rule.label)}", rule, "refuses", below, plain
            )
        if not trace.allowed and not trace.refusing:
            wording, source = self.rules.statement, self.rules.text
            ways = [
                wording(
                    f"it is allowed ({label(one.name)}) when {source(one.when)}",
                    one.rules,
                    span=one.span,
                )
                for one in call.roots
                if one.when is not None
            ]
            plain = self.rules.refusal_text(call.name, cited=call.rules)
            text = "refused: nothing allows it"
            yield wording(text, call.rules, ways, "refuses", plain, call.span)

    def _refusals_within(self, when: ir.Expr, env: Locals) -> Iterator[Reason]:
        """Why the permissions refuse whose refusal is a part of a condition, with their names."""
        for part in conjuncts(when):
            if isinstance(part, ir.Not) and isinstance(part.operand, ir.Apply):
                call = self.program.calls[part.operand.name]
                if call.kind == "permission":
                    args = [self.x.number(a, env) for a in part.operand.args]
                    text = f"{call.name}({self.arguments(args, call.params)}) refuses"
                    yield Reason(text, below=tuple(self.refusal(call, args)), role="refuses")

    # ------------------------------------------------------------------ facts

    def numbers(self, expr: ir.Expr, env: Locals) -> list[Reason]:
        """The values of the sides of the comparisons in a condition, and of its locals; what stops
        its lines.
        """
        shown: dict[str, str] = {}
        for part in parts(expr):
            if not isinstance(part, ir.Compare | ir.Get | ir.Apply):
                continue
            for side in (part.left, part.right) if isinstance(part, ir.Compare) else (part,):
                if isinstance(side, ir.Const) or side.type.kind in ("set", "roll", "pile"):
                    continue
                try:
                    value = self.x.value(side, env)
                except (KeyError, RulesetFault, Unseen):
                    continue
                shown.setdefault(self.rules.text(side), self.value(value, side.type))
        known = [f"{text} is {value}" for text, value in shown.items() if text != value][:_NUMBERS]
        return [*([Reason("here " + ", ".join(known))] if known else []), *self._sights(expr, env)]

    def _sights(self, expr: ir.Expr, env: Locals) -> Iterator[Reason]:
        """What stops the lines of sight in a condition."""
        for line, inner in stopped_lines(self.x, expr, env):
            ends = (line.start, line.end)
            start, end = (self.rules.words.value(self.x.number(e, inner), e.type, {}) for e in ends)
            by = blockers(self.x, line, inner)
            stops = by[0] if len(by) == 1 else f"{by[0]} on the one hand, {by[1]} on the other"
            yield Reason(f"the line from {start} to {end} is stopped by {stops}")


def _because(expr: ir.Expr, text: str, below: Iterable[Reason] = (), plain: str = "") -> Reason:
    """What is said of a condition that does not hold, or that does."""
    return Reason(text, below=tuple(below), role="because", plain=plain, place=place_of(expr.span))


def _without_wording(reason: Reason) -> Reason:
    """The same without a player's words, which somebody else says for it."""
    return replace(reason, plain="", below=tuple(map(_without_wording, reason.below)))


def parts(expr: ir.Expr) -> Iterator[ir.Expr]:
    """The expression and what is below it, but not inside quantifiers, whose locals have no single
    value.
    """
    yield expr
    if not isinstance(expr, ir.Quant | ir.Allot | ir.Line):
        for part in child_expressions(expr):
            yield from parts(part)


# ---------------------------------------------------------------------- lines of sight


def stopped_lines(
    x: Evaluator, expr: ir.Expr, env: Locals, depth: int = 0
) -> Iterator[tuple[ir.Line, Locals]]:
    """The lines in a condition, and in the functions it calls, that are not clear; each with the
    locals it stands among.
    """
    if isinstance(expr, ir.Line) and not x.holds(expr, env):
        yield expr, env
    if isinstance(expr, ir.Line | ir.Quant | ir.Allot):
        return  # its locals have no single value
    if isinstance(expr, ir.Apply) and depth < _DEEPEST:
        call = x.program.calls[expr.name]
        if call.body is not None:
            inner = bind(call.params, [x.value(a, env) for a in expr.args])
            yield from stopped_lines(x, call.body, inner, depth + 1)
    for part in child_expressions(expr):
        yield from stopped_lines(x, part, env, depth)


def blockers(x: Evaluator, line: ir.Line, env: Locals) -> list[str]:
    """What stops a line that is not clear, in words: one thing, or one each of two ways round."""
    start, end = x.number(line.start, env), x.number(line.end, env)
    if start < 0 or end < 0:
        return ["one of its ends being off the board"]
    passages: Iterable[Passage] = x.board.passages(start, end)
    if line.whole:
        passages = x.board.wholes(start, end)
    elif line.barrier is None:  # the hexes that a line meets, each as a way of one step
        passages = (tuple(((start, h),) for h in gate) for gate in x.board.lines(start, end))
    for passage in passages:
        stops = [_stop(x, line, env, way, end) for way in passage]
        if all(stops):
            return list(dict.fromkeys(stops)) or ["the edge of the board"]
    return []


def _stop(
    x: Evaluator, line: ir.Line, env: Locals, way: Iterable[tuple[int, int]], end: int
) -> str:
    """The first thing on a way that stops the line."""
    label = x.board.label
    for p, q in way:
        what = line_stop(x, line, env, (p, q), end)
        if what:
            return f"the hexside from {label(p)} to {label(q)}" if what == "barrier" else label(q)
    return ""
