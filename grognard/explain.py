"""Why: which rules gave a number, why a thing is not allowed, what stands behind an option or a rule ID.

Explanations are found by evaluating the checked rules in the position at hand; they change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compiler import ir
from compiler import lower as low
from compiler.check import check
from compiler.emit.blocks import block_locals, candidates
from compiler.interpreter import Cited, Evaluator, PermissionTrace, QuantityTrace, explain_permission, explain_quantity
from compiler.interpreter.travel import approaches
from compiler.resolve import resolve
from compiler.rulebook import Entry
from compiler.travel import TravelInfo
from compiler.trees import conjuncts, disjuncts, rules_of, substitute
from compiler.types import Type
from compiler.wording import Wording
from dsl.diagnostics import did_you_mean
from dsl.source import NOWHERE, Span
from grognard import places
from grognard.commands import Misuse
from grognard.sight import blockers, stopped_lines
from runtime.alike import stands_for
from runtime.board import Board
from runtime.game import Game
from runtime.model import NONE, SECOND, SHIFT, TypeSpec, branch_of
from runtime.scenario.setup import SetUp
from runtime.state import RulesetFault, StateBase
from runtime.view import Unseen, view
from runtime.wording import Option

_DEEPEST = 4
#: Said of what cannot be explained to a side.
_HIDDEN = "depends on what this side does not see"


@dataclass(frozen=True, slots=True)
class Target:
    """Something that could be chosen: a branch of a decision and, where it takes one, a value, or a pair of them."""

    branch: int
    value: int | None
    second: int | None = None

    @property
    def option(self) -> int:
        """The option that it would be; of a pair without its second value, the first such."""
        return max(0, self.second or 0) << SECOND | self.branch << SHIFT | max(0, self.value or 0)


class Explainer:
    """Explains one ruleset, with the labels of *board* where that is not the ruleset's own."""

    def __init__(self, folder: Path, board: Board | None = None) -> None:
        places.readable(folder)
        resolved = resolve(folder.name, folder, lambda name: places.find(name, folder.parent))
        if resolved.abstract:
            raise Misuse(f"the ruleset '{folder.name}' is abstract: it is only there to be extended", "name a ruleset that extends it")
        self.program, ctx = check(resolved)
        found = [*resolved.diagnostics, *ctx.diagnostics]
        if any(d.is_error for d in found):
            raise Misuse(f"the ruleset '{folder.name}' has errors", f"`grognard check {folder.name}` shows them")
        self.folders = resolved.folders
        self.sources = resolved.sources
        self.words = Wording(self.program, board)
        self._lowered: low.Lowered | None = None
        #: the IDs of the ruleset's own index and of those that it extends, in this order
        self.index: dict[str, Entry] = {r: entry for index in resolved.indexes for r, entry in index.entries.items()}
        self.indexes = resolved.indexes
        for index in reversed(resolved.indexes):
            self.index.update(index.entries)

    # ------------------------------------------------------------------ words

    def source(self, span: Span) -> str:
        """The text of a span on one line."""
        source = self.sources.get(span.file)
        if span == NOWHERE or source is None:
            return ""
        lines = [line.split("#")[0] for line in source.text[span.start : span.end].splitlines()]
        return " ".join(" ".join(lines).split())

    def text(self, expr: ir.Expr) -> str:
        """An expression as its author wrote it."""
        return self.source(expr.span) or self.words.expr(expr)

    def cite(self, rules: Sequence[str], topics: bool = True) -> str:
        """Citations with their topics in the rulebook."""
        shown: list[str] = []
        before = ""
        for rule in rules:
            entry = self.index.get(rule)
            topic = entry.topic if entry is not None else ""
            if entry is not None and entry.page:
                topic += f", p. {entry.page}"
            shown.append(f"{rule} ({topic})" if topics and topic and topic != before else rule)
            before = topic
        return f"[{', '.join(shown)}]" if shown else ""

    def label(self, name: str) -> str:
        """A rule's label in words."""
        return name.replace("_", " ")

    def _line(self, *parts: str) -> str:
        return "  ".join(part for part in parts if part)

    # ------------------------------------------------------------------ quantities, permissions, functions

    def quantity(self, state: StateBase, name: str, args: Sequence[int], setup: SetUp) -> list[str]:
        """How a quantity, permission or function comes to its value."""
        call = self.program.calls[name]
        names = _names(setup)
        shown = ", ".join(self.words.value(a, p.type, names) for a, p in zip(args, call.params, strict=True))
        try:
            if call.kind == "quantity":
                return self._quantity(call, shown, explain_quantity(self.program, state, name, args))
            if call.kind == "permission":
                return self._permission(state, call, shown, explain_permission(self.program, state, name, args), names)
            value = Evaluator(self.program, state).call(name, list(args))
        except RulesetFault as fault:
            return [f"{name}({shown}): {fault}"]
        except Unseen:
            return [f"{name}({shown}) {_HIDDEN}"]
        text = self.words.value(value, call.type, names) if isinstance(value, int) else str(value)
        lines = [self._line(f"{name}({shown}) = {text}", self.cite(call.rules))]
        if call.body is not None:
            lines.append(f"  = {self.text(call.body)}")
            if call.type.kind == "bool" and not value:
                env = dict(zip((p.name for p in call.params), args, strict=True))
                lines += [f"  {line}" for line in self.because(state, call.body, env, names)]
        return lines

    def _quantity(self, call: ir.Callable, shown: str, trace: QuantityTrace) -> list[str]:
        value = self.words.value(trace.value, call.type)
        base = self.words.value(trace.base, call.type)
        lines = [f"{call.name}({shown}) = {value}"]
        lines.append("  " + self._line(f"{base} by rule '{self.label(trace.decided.label)}'", self._from(trace.decided)))
        for rule in trace.beaten:
            lines.append("  " + self._line(f"which excepts '{self.label(rule.label)}'", self._from(rule)))
        for rule, by in trace.suspended:
            lines.append("  " + self._line(f"'{self.label(rule.label)}' is suspended by '{self.label(by)}'", self._from(rule)))
        for stage in trace.stages:
            for applied in stage.applied:
                limit = {"most": "at most", "least": "at least"}.get(applied.op, "")
                amount = f"{limit} {applied.amount}" if limit else f"{applied.amount:+d}"
                what = f"{amount} '{self.label(applied.rule.label)}' in stage {stage.name}"
                lines.append("  " + self._line(what, self._from(applied.rule)))
            if stage.applied:
                lines.append(f"    → {self.words.value(stage.value, call.type)}")
        return lines

    def _permission(
        self, state: StateBase, call: ir.Callable, shown: str, trace: PermissionTrace, names: dict[str, list[str]]
    ) -> list[str]:
        lines = [f"{call.name}({shown}): {'allowed' if trace.allowed else 'refused'}"]
        lines += ["  " + line for line in self._refusal(state, call, trace, names)]
        for rule, beating in trace.excepted:
            by = ", ".join(f"'{self.label(b.label)}'" for b in beating)
            what = f"'{self.label(rule.label)}' would {self._verdict(call, rule)}, but {by} excepts it"
            lines.append("  " + self._line(what, self._from(rule)))
        for rule, name in trace.suspended:
            lines.append("  " + self._line(f"'{self.label(rule.label)}' is suspended by '{self.label(name)}'", self._from(rule)))
        if len(lines) == 1:
            lines.append(f"  nothing speaks against it (it is '{call.default}' by default)")
        return lines

    def _refusal(self, state: StateBase, call: ir.Callable, trace: PermissionTrace, names: dict[str, list[str]]) -> Iterator[str]:
        env = dict(zip((p.name for p in call.params), trace.args, strict=True))
        for rule in trace.refusing:
            yield self._line(f"refused: {self.label(rule.label)}", self._from(rule))
            found = next((r for r in rules_of(call.roots) if r.span == rule.span), None)
            if found is not None and found.when is not None:
                yield f"  because {self.text(found.when)}"
                deeper = list(self._denied(state, found.when, env, names))
                yield from (f"    {line}" for line in deeper or self._numbers(state, found.when, env, names))
        if not trace.allowed and not trace.refusing:
            yield self._line("refused: nothing allows it", self.cite(call.rules))
            for allow in call.roots:
                if allow.when is not None:
                    yield self._line(f"  it is allowed ({self.label(allow.name)}) when {self.text(allow.when)}", self.cite(allow.rules))

    def _denied(self, state: StateBase, when: ir.Expr, env: Mapping[str, Any], names: dict[str, list[str]]) -> Iterator[str]:
        """Why the permissions refuse whose refusal is a part of a condition."""
        x = Evaluator(self.program, state)
        for part in conjuncts(when):
            if isinstance(part, ir.Not) and isinstance(part.operand, ir.Apply):
                call = self.program.calls[part.operand.name]
                if call.kind == "permission":
                    args = [x.number(a, dict(env)) for a in part.operand.args]
                    yield from self._refusal(state, call, explain_permission(self.program, state, call.name, args), names)

    def _verdict(self, call: ir.Callable, rule: Cited) -> str:
        return next((r.verdict for r in rules_of(call.roots) if r.span == rule.span), "speak")

    def _from(self, rule: Cited) -> str:
        origin = {"house": "house rule", "published": "published"}.get(rule.provenance or "", "")
        effect = f"effect {rule.effect}" if rule.effect else ""
        cells = [f"{cell.label} {self.cite(cell.citations)}" for cell in rule.cells if cell.citations]
        return self._line(self.cite(rule.citations), *cells, origin, effect)

    # ------------------------------------------------------------------ why a condition fails

    def because(self, state: StateBase, expr: ir.Expr, env: Mapping[str, Any], names: dict[str, list[str]], depth: int = 0) -> list[str]:
        """Why a condition does not hold: the first part of it that fails, followed down to a rule."""
        x = Evaluator(self.program, state)
        hidden: list[str] = []
        for part in conjuncts(expr):
            try:
                if not x.holds(part, dict(env)):
                    return self._fails(state, part, env, names, depth)
            except Unseen:
                hidden = hidden or [f"it {_HIDDEN}: {self.text(part)}"]
        return hidden

    def _fails(self, state: StateBase, part: ir.Expr, env: Mapping[str, Any], names: dict[str, list[str]], depth: int) -> list[str]:
        x = Evaluator(self.program, state)
        text = self.text(part)
        if isinstance(part, ir.Apply):
            call = self.program.calls[part.name]
            args = [x.value(a, dict(env)) for a in part.args]
            shown = ", ".join(self._value(v, p.type, names) for v, p in zip(args, call.params, strict=True))
            if call.kind == "permission":
                trace = explain_permission(self.program, state, part.name, args)
                return [*self._refusal(state, call, trace, names), f"  ({part.name} of {shown})"]
            if call.body is not None and depth < _DEEPEST:
                inner = dict(zip((p.name for p in call.params), args, strict=True))
                head = self._line(f"{part.name}({shown}) is not so", self.cite(call.rules))
                return [head, *(f"  {line}" for line in self.because(state, call.body, inner, names, depth + 1))]
        if isinstance(part, ir.Logic) and part.op == "or":
            lines = [f"neither holds: {text}"]
            if depth < _DEEPEST:
                for side in disjuncts(part):
                    lines += [f"  {line}" for line in self._fails_all(state, side, env, names, depth + 1)]
            return lines
        lines = [f"does not hold: {text}"]
        if isinstance(part, ir.Allot) and part.source.type.of is not None:
            left = [self._value(v, part.source.type.of, names) for v in x.left_over(part, dict(env))]
            return [*lines, f"  nothing is left for {', '.join(left)}"]
        return [*lines, *(f"  {line}" for line in self._numbers(state, part, env, names))]

    def _fails_all(self, state: StateBase, side: ir.Expr, env: Mapping[str, Any], names: dict[str, list[str]], depth: int) -> list[str]:
        return self.because(state, side, env, names, depth) or [f"does not hold: {self.text(side)}"]

    def _numbers(self, state: StateBase, expr: ir.Expr, env: Mapping[str, Any], names: dict[str, list[str]]) -> list[str]:
        """The values of the sides of the comparisons in a condition, and of the locals in it; what stops its lines."""
        x = Evaluator(self.program, state)
        shown: dict[str, str] = {}
        for part in _parts(expr, env):
            sides = (part.left, part.right) if isinstance(part, ir.Compare) else (part,) if isinstance(part, ir.Get | ir.Apply) else ()
            for side in sides:
                if isinstance(side, ir.Const) or side.type.kind in ("set", "roll", "pile"):
                    continue
                try:
                    value = x.value(side, dict(env))
                except (KeyError, RulesetFault, Unseen):
                    continue
                shown.setdefault(self.text(side), self._value(value, side.type, names))
        known = [f"{text} is {value}" for text, value in shown.items() if text != value][:6]
        return [*(["here " + ", ".join(known)] if known else []), *self._sights(x, expr, env)]

    def _sights(self, x: Evaluator, expr: ir.Expr, env: Mapping[str, Any]) -> list[str]:
        """What stops the lines of sight in a condition."""
        lines: list[str] = []
        for line, inner in stopped_lines(x, expr, env):
            start, end = (self._value(x.value(e, dict(inner)), e.type, {}) for e in (line.start, line.end))
            by = blockers(x, line, inner)
            stops = by[0] if len(by) == 1 else f"{by[0]} on the one hand, {by[1]} on the other"
            lines.append(f"the line from {start} to {end} is stopped by {stops}")
        return lines

    def _value(self, value: object, type_: Type, names: dict[str, list[str]]) -> str:
        return self.words.value(value, type_, names) if isinstance(value, int) else "…"

    # ------------------------------------------------------------------ decisions

    def targets(self, game: Game, text: str) -> list[Target]:
        """What *text* could mean at the pending decision, offered or not."""
        decision = game.decision
        assert decision is not None
        spec = game.spec.decisions[decision.point]
        given = text.casefold().split()
        found: list[Target] = []
        for number, option in enumerate(spec.options):
            phrases = {option.word.casefold(), option.word.replace("_", " ").casefold()}
            phrases.add(re.sub(r"\{\d+\}", "", game.spec.text(f"option.{option.word}", default="")).strip().casefold())
            for phrase in sorted(filter(None, phrases), key=len, reverse=True):
                words = phrase.split()
                if given[: len(words)] == words:
                    rest = " ".join(given[len(words) :])
                    found += self._in_branch(game, number, option.values, rest)
                    break
        if not found:
            for number, option in enumerate(spec.options):
                if option.value is not None:
                    found += self._in_branch(game, number, option.values, " ".join(given))
        return list(dict.fromkeys(found))

    def _in_branch(self, game: Game, number: int, types: Sequence[TypeSpec], text: str) -> list[Target]:
        if not types:
            return [Target(number, None)] if not text else []
        if not text:
            return []
        found = []
        if len(types) > 1:
            words = text.split()
            for at in range(1, len(words)):
                seconds = self.values(game, types[1], " ".join(words[at:]))
                found += [Target(number, v, w) for v in self.values(game, types[0], " ".join(words[:at])) for w in seconds]
        found = found or [Target(number, value) for value in self.values(game, types[0], text)]
        return [t for t in found if 0 <= (t.value or 0) < 1 << SHIFT]  # as options can hold

    def values(self, game: Game, type_: TypeSpec, text: str) -> list[int]:
        """The values of a type that *text* names."""
        state = view(game.state, game.state.chooser).guarded()
        return parse_value(game.spec, game.setup, state, type_, text)

    def why_not(self, game: Game, target: Target) -> list[str]:
        """Why something is not offered at the pending decision, as far as its side sees it."""
        decision = game.decision
        assert decision is not None
        node = self.program.decision_nodes[decision.point]
        names = _names(game.setup)
        state = view(game.state, decision.side).guarded()
        env = self.locals(state, decision.point)
        branch = node.branches[target.branch] if isinstance(node, ir.Offer) else None
        source = branch.source if branch is not None else node.source if isinstance(node, ir.Choose) else None
        where = branch.where if branch is not None else node.where if isinstance(node, ir.Choose) else None
        var = branch.var if branch is not None else node.var if isinstance(node, ir.Choose) else None
        try:
            if branch is not None and branch.when is not None:
                lines = self.because(state, branch.when, env, names)
                if lines:
                    return [self._line(f"'{branch.name}' is not possible at all now", self.cite(branch.rules)), *_indent(lines)]
            if target.value is not None and source is not None and var is not None:
                if target.value not in Evaluator(self.program, state).members(source, dict(env)):
                    return self._not_among(state, source, target.value, env, names)
                if where is not None:
                    lines = self.because(state, where, {**env, var: target.value}, names)
                    if lines or branch is None or branch.second is None or target.second is None:
                        return lines
                if branch is not None and branch.second is not None and target.second is not None:
                    second, inner = branch.second, {**env, var: target.value}
                    if target.second not in Evaluator(self.program, state).members(second.source, dict(inner)):
                        return self._not_among(state, second.source, target.second, inner, names)
                    if second.where is not None:
                        return self.because(state, second.where, {**inner, second.var: target.second}, names)
        except KeyError as missing:
            return [f"cannot be worked out here (the value of {missing} is not kept)"]
        except RulesetFault as fault:
            return [str(fault)]
        except Unseen:
            return [f"it {_HIDDEN}"]
        return self._alike(game, target)

    def _alike(self, game: Game, target: Target) -> list[str]:
        """That a piece is like another one which is offered."""
        decision = game.decision
        assert decision is not None
        types = decision.point >= 0 and game.spec.decisions[decision.point].options[target.branch].values
        if not types or types[0].kind != "piece" or target.value is None:
            return []
        offered = [o.index for o in decision.options if not o.passes and branch_of(o.value) == target.branch]
        other = stands_for(game.state, types[0], target.value, offered)
        return [f"it is in nothing different from {game.wording.name(types[0], other)}, which stands for it"] if other >= 0 else []

    def _not_among(self, state: StateBase, source: ir.Expr, value: int, env: Mapping[str, Any], names: dict[str, list[str]]) -> list[str]:
        of = source.type.of or Type("enum", source.type.name)
        lines = [f"{self.words.value(value, of, names)} is not in: {self.text(source)}"]
        reach = next((e for e in _parts(source, env) if isinstance(e, ir.Reach)), None)
        if reach is not None:
            lines += _indent(self._not_reached(state, reach, value, env, names))
        return lines

    def _not_reached(
        self, state: StateBase, reach: ir.Reach, target: int, env: Mapping[str, Any], names: dict[str, list[str]]
    ) -> list[str]:
        """Why a travel does not end in a hex."""
        x = Evaluator(self.program, state)
        travel = self.program.travels[reach.travel]
        args = [x.value(a, dict(env)) for a in reach.args]
        inner: dict[str, Any] = dict(zip((p.name for p in travel.params), args, strict=True))
        board = x.board
        # Where it depends on the way, how far it goes from the start.
        begun = {**inner, **{c.after: x.value(c.initial, inner) for c in travel.carried}}
        start, budget = x.number(travel.origin, inner), x.number(travel.budget, begun)
        cited = self.cite(travel.rules)
        if start < 0:
            return [self._line(f"{travel.via_of or travel.name} has nowhere to start from", cited)]
        if start == target:
            return [self._line(f"{travel.via_of or travel.name} starts there", cited)]
        name = travel.via_of or travel.name
        lines = [self._line(f"{name} from {board.label(start)} goes as far as {budget}: {self.text(travel.budget)}", cited)]
        away = board.distance(start, target)
        if travel.cost is None and away > budget and not travel.varying:
            return [*lines, f"it is {away} hexes away"]
        if travel.carried:
            return [*lines, *self._not_arrived(state, travel, args, target, names)]
        reached = set(x.members(reach, dict(env))) | {start}
        if travel.end is not None and not x.holds(travel.end, {**inner, travel.there: target}):
            lines += [f"it may not end in {board.label(target)}:"]
            return [*lines, *_indent(self.because(state, travel.end, {**inner, travel.there: target}, names))]
        for here in board.neighbors[target]:
            if here not in reached:
                continue
            step = {**inner, travel.here: here, travel.there: target}
            if not x.holds(travel.enter, step):
                why = self.because(state, travel.enter, step, names)
                return [*lines, f"no step from {board.label(here)} to {board.label(target)}:", *_indent(why)]
        return [*lines, "no way leads there that is short enough"]

    def _not_arrived(self, state: StateBase, travel: TravelInfo, args: list[Any], target: int, names: dict[str, list[str]]) -> list[str]:
        """Why a travel that carries values does not end in a hex: what is wrong with the end, or else with the step before it."""
        x = Evaluator(self.program, state)
        label = x.board.label
        refused: list[str] = []
        for before, after in approaches(x, travel, args, target):
            carried = ", ".join(f"{c.name} {self._value(before[c.before], c.type, names)}" for c in travel.carried)
            if not x.holds(travel.enter, before):
                why = self.because(state, travel.enter, before, names)
                refused = refused or [f"no step from {label(before[travel.here])} to {label(target)} with {carried}:", *_indent(why)]
            elif travel.end is not None and not x.holds(travel.end, after):
                # The values after the step under the names that the ruleset gives them.
                end = substitute(travel.end, {c.after: ir.Local(c.before, type=c.type) for c in travel.carried})
                arrived = {**after, **{c.before: after[c.after] for c in travel.carried}}
                return [f"it may not end in {label(target)}:", *_indent(self.because(state, end, arrived, names))]
        return refused or ["no way leads there that is short enough"]

    def locals(self, state: StateBase, point: int) -> dict[str, Any]:
        """The locals of the procedure that asks."""
        if self._lowered is None:
            self._lowered = low.lower(self.program)
        lowered = self._lowered
        frame = state.frames[-1]
        procedure = self.program.decision_nodes[point].decision.procedure
        node = self.program.decision_nodes[point]
        block = next(b for b in lowered.blocks if isinstance(b.end, low.Ask) and b.end.node.decision.index == node.decision.index)
        procedure = block.procedure
        blocks = [b for b in lowered.blocks if b.procedure == procedure]
        uses: dict[str, int] = {}
        for b in blocks:
            for name in block_locals(b) - candidates(b):
                uses[name] = uses.get(name, 0) + 1
        params = {p.name for p in self.program.procedures[procedure].params}
        slots = lowered.slots[procedure]
        env: dict[str, Any] = {n: frame[at] for n, at in slots.items() if (uses.get(n, 0) > 1 or n in params) and at < len(frame)}
        x = Evaluator(self.program, state)
        for stmt in block.body:  # what only this block needs is not kept: work it out again
            if isinstance(stmt, ir.Let) and stmt.name not in env:
                try:
                    env[stmt.name] = x.value(stmt.value, dict(env))
                except (KeyError, RulesetFault, Unseen):
                    continue
        return env

    def option(self, game: Game, option: Option) -> list[str]:
        """What stands behind an option: its rules, where it is written."""
        decision = game.decision
        assert decision is not None
        node = self.program.decision_nodes[decision.point]
        spec = game.spec.decisions[decision.point]
        if option.passes:
            return [f"'{option.text}' takes nothing (more) here.", *self._at(node.span, spec.rules)]
        branch = node.branches[branch_of(option.value)] if isinstance(node, ir.Offer) else None
        lines: list[str] = []
        for value_type, index in zip(spec.options[branch_of(option.value)].values, (option.index, option.second), strict=False):
            if value_type.kind == "enum":
                key = f"{value_type.name}.{game.spec.enums[value_type.name][index]}"
                text = game.spec.text(f"{key}.text", default="")
                lines += [f"{game.spec.text(key)}: {text}"] if text else []
                lines += self._cases(value_type.name, index)
        rules = branch.rules if branch is not None and branch.rules else spec.rules
        return [*lines, *self._at(branch.span if branch is not None else node.span, rules)]

    def _cases(self, enum: str, member: int) -> list[str]:
        """The citations of what the ruleset writes for one member: its cases."""
        rules: list[str] = []
        for procedure in self.program.procedures.values():
            if procedure.params and procedure.params[0].type.name == enum and member in procedure.cases:
                rules += self.program.procedures[procedure.cases[member]].rules
        return [f"rules: {self.cite(list(dict.fromkeys(rules)))}"] if rules else []

    def _at(self, span: Span, rules: Sequence[str]) -> list[str]:
        cited = [f"rules: {self.cite(rules)}"] if rules else []
        return [*cited, f"written in {span.file}:{span.line}: {_cut(self.source(span))}"]

    # ------------------------------------------------------------------ rule IDs

    def _written(self, rule: str) -> list[str]:
        """The IDs that stand in the sources where *rule* is meant: itself, and those of a base that carry it out."""
        found = [rule]
        for known in found:
            entry = self.index.get(known)
            found += [r for r in (entry.by if entry is not None else ()) if r not in found]
        return found

    def rule_id(self, rule: str) -> list[str]:
        """Where a rule ID is used, with the lines that cite it."""
        entry = self.index.get(rule)
        uses = self.program.citations.get(rule, [])
        if entry is None and not uses:
            return []
        about = ", ".join(_about(entry)) if entry is not None else ""
        lines = [f"{rule}: {entry.topic if entry is not None else 'not in the rulebook index'}" + (f"  ({about})" if about else "")]
        for use in dict.fromkeys(uses):
            lines.append(f"  {use}")
        written = "|".join(re.escape(r) for r in self._written(rule))
        pattern = re.compile(rf"(?<![\w.-])(?:{written})(?![\w-]|\.\d)")
        for name, source in sorted(self.sources.items()):
            text = source.text.splitlines()
            for number, line in enumerate(text):
                if re.search("@(rule|section)", line.split("#")[0]) and pattern.search(line):
                    below = number
                    while below < len(text) and (text[below].lstrip().startswith("@") or not text[below].strip()):
                        below += 1
                    if below < len(text):
                        lines.append(f"  {name}:{below + 1}: {_cut(' '.join(text[below].split()))}")
        if not uses:
            lines.append("  no rule cites it")
        return lines


def _about(entry: Entry) -> list[str]:
    """What an index says of an ID besides its topic."""
    about = [f"{key} {value}" for key, value in (("source", entry.source), ("page", entry.page)) if value]
    about += [f"carried out by {', '.join(entry.by)}"] if entry.by else []
    return about if entry.mechanic else [*about, "states no mechanic"]


def parse_value(spec: Any, setup: SetUp, state: StateBase | None, type_: TypeSpec, text: str) -> list[int]:
    """The values of a type that *text* names; several when it is short for several."""
    given = text.casefold()
    if type_.kind == "int":
        return [int(text)] if re.fullmatch(r"-?[0-9]{1,18}", text) else []
    if type_.kind == "bool":
        return {"yes": [1], "true": [1], "no": [0], "false": [0]}.get(given, [])
    if given == "none":
        return [NONE]
    if type_.kind == "hex":
        return [h for h, label in enumerate(spec.board.labels) if label.casefold() == given]
    if type_.kind == "enum":
        members = spec.enums[type_.name]
        names = [(m.casefold(), m.replace("_", " ").casefold(), spec.text(f"{type_.name}.{m}").casefold()) for m in members]
        exact = [i for i, known in enumerate(names) if given in known]
        if type_.name == "Side":
            exact += [i for i, side in enumerate(setup.sides) if side.name.casefold() == given and i not in exact]
        return exact or [i for i, known in enumerate(names) if any(word.startswith(given) for word in known)]
    if type_.kind == "piece":
        kinds = spec.kinds_of(type_.name)
        pieces = [p.name.casefold() for p in setup.pieces_of(kinds)]
        exact = [i for i, name in enumerate(pieces) if name == given]
        if exact:
            return exact
        places = {kind: f for kind in kinds for f in spec.fields_of(kind) if f.place and f.type.kind == "hex"}
        hexes = [h for h, label in enumerate(spec.board.labels) if label.casefold() == given]
        if hexes and places and state is not None:
            standing = [(kind, i) for kind, f in places.items() for i, h in enumerate(getattr(state, f.slot)[:-1]) if h == hexes[0]]
            return [setup.common_number(kinds, kind, i) for kind, i in standing]
        return [i for i, name in enumerate(pieces) if name.rsplit(".", 1)[-1] == given]
    return []


def _names(setup: SetUp) -> dict[str, list[str]]:
    return {kind: [piece.name for piece in pieces] for kind, pieces in setup.pieces.items()}


def _parts(expr: ir.Expr, env: Mapping[str, Any]) -> Iterator[ir.Expr]:
    """The expression and what is below it, but not inside quantifiers, whose locals have no single value."""
    yield expr
    if isinstance(expr, ir.Quant | ir.Allot | ir.Line):
        return
    for name in expr.__dataclass_fields__:
        value = getattr(expr, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, ir.Expr):
                yield from _parts(item, env)


def _indent(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _cut(text: str, width: int = 110) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def unknown_callable(program: ir.Program, name: str) -> Misuse:
    """What to say about a name that is no quantity, permission or function."""
    remedy = did_you_mean(name, program.calls) or "without a name, the command lists what can be explained"
    return Misuse(f"there is no quantity, permission or function '{name}'", remedy)
