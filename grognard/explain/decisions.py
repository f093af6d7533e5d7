"""What stands behind an option of a decision, and why something else is not offered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from compiler import ir
from compiler.interpreter.values import Locals
from compiler.trees import statements_of
from dsl.source import Span
from grognard.explain.conditions import Conditions
from grognard.explain.rules import HIDDEN, UNSEEN, Rules, cut, place_of
from grognard.explain.travels import not_among
from grognard.lexicon.names import Lexicon
from grognard.lexicon.values import parse_value
from runtime.alike import stands_for
from runtime.games.decision import Decision
from runtime.games.explanation import Explanation, Reason
from runtime.games.game import Game
from runtime.model import SECOND, SHIFT, DecisionSpec, TypeSpec, branch_of
from runtime.option import Option
from runtime.spelling import plain
from runtime.state import RulesetFault, StateBase
from runtime.view import Unseen, view
from runtime.words.said import ARGUMENT


@dataclass(frozen=True, slots=True)
class Target:
    """Something that could be chosen: a branch of a decision and, where it takes one, a value, or a
    pair of them.
    """

    branch: int
    value: int | None
    second: int | None = None

    @property
    def option(self) -> int:
        """The option that it would be; of a pair without its second value, the first such."""
        return max(0, self.second or 0) << SECOND | self.branch << SHIFT | max(0, self.value or 0)


def targets(game: Game, text: str) -> list[Target]:
    """What *text* could mean at the pending decision, offered or not."""
    spec = game.spec.decisions[_pending(game).point]
    given = text.casefold().split()
    possible: list[Target] = []
    for number, option in enumerate(spec.options):
        called = ARGUMENT.sub("", game.wording.text(f"option.{option.word}", default=""))
        phrases = set(map(plain, (option.word, option.word.replace("_", " "), called))) - {""}
        for phrase in sorted(phrases, key=len, reverse=True):
            count = len(phrase.split())
            if plain(" ".join(given[:count])) == phrase:
                possible += _in_branch(game, number, option.values, " ".join(given[count:]))
                break
    if not possible:
        for number, option in enumerate(spec.options):
            if option.value is not None:
                possible += _in_branch(game, number, option.values, " ".join(given))
    return list(dict.fromkeys(possible))


def _in_branch(game: Game, number: int, types: Sequence[TypeSpec], text: str) -> list[Target]:
    if not types and not text:
        return [Target(number, None)]
    if not types or not text:
        return []
    possible = []
    if len(types) > 1:
        words = text.split()
        for at in range(1, len(words)):
            seconds = _values(game, types[1], " ".join(words[at:]))
            firsts = _values(game, types[0], " ".join(words[:at]))
            possible += [Target(number, v, w) for v in firsts for w in seconds]
    possible = possible or [Target(number, value) for value in _values(game, types[0], text)]
    return [t for t in possible if 0 <= (t.value or 0) < 1 << SHIFT]  # as options can hold


def _values(game: Game, type_: TypeSpec, text: str) -> list[int]:
    state = view(game.state, game.state.chooser).guarded_state()
    return parse_value(Lexicon.of(game.wording), state, type_, text)


def _pending(game: Game) -> Decision:
    decision = game.decision
    assert decision is not None
    return decision


# ---------------------------------------------------------------------- why not


def why_not(rules: Rules, game: Game, target: Target) -> tuple[Reason, ...]:
    """Why something is not offered at the pending decision, as far as its side sees it; () when
    nothing says so.
    """
    decision = _pending(game)
    node = rules.program.decision_nodes[decision.point]
    state = view(game.state, decision.side).guarded_state()
    conditions = Conditions(rules, state, game.setup)
    env = locals_of(state)
    try:
        reasons = _not_possible(conditions, node, target, env, _lets(rules, decision.point))
    except KeyError as missing:
        return (Reason(f"cannot be worked out here (the value of {missing} is not kept)"),)
    except RulesetFault as fault:
        return (Reason(str(fault)),)
    except Unseen:
        return (Reason(f"it {HIDDEN}", plain=rules.plainly(UNSEEN)),)
    return tuple(reasons or _alike(rules, game, target))


def _not_possible(
    conditions: Conditions,
    node: ir.Offer | ir.Choose | Any,
    target: Target,
    env: Locals,
    lets: Mapping[str, ir.Expr],
) -> list[Reason] | None:
    """What speaks against a target; None when nothing does.  *lets* are what locals were given."""
    branch = node.branches[target.branch] if isinstance(node, ir.Offer) else None
    asked = branch if branch is not None else node if isinstance(node, ir.Choose) else None
    if branch is not None and branch.when is not None:
        reasons = conditions.because(branch.when, env)
        if reasons:
            text, rules = f"'{branch.name}' is not possible at all now", conditions.rules
            plain = rules.plainly("not now")
            return [rules.statement(text, branch.rules, reasons, plain=plain, span=branch.span)]
    second = branch.second if branch is not None else None
    for choice, value in ((asked, target.value), (second, target.second)):
        if value is None or choice is None or choice.source is None or choice.var is None:
            break
        if value not in conditions.x.members(choice.source, env):
            return not_among(conditions, choice.source, value, env, lets)
        env = {**env, choice.var: value}
        reasons = [] if choice.where is None else conditions.because(choice.where, env)
        if reasons:
            return reasons
    return None


def _lets(rules: Rules, point: int) -> dict[str, ir.Expr]:
    """What the locals were given in the procedure that asks; of several values the first."""
    name = rules.program.decisions[point].procedure
    lets: dict[str, ir.Expr] = {}
    for procedure in rules.program.procedures.values():
        if name in (procedure.name, procedure.case_of):
            for stmt in statements_of(procedure.body):
                if isinstance(stmt, ir.Let):
                    lets.setdefault(stmt.name, stmt.value)
    return lets


def _alike(rules: Rules, game: Game, target: Target) -> list[Reason]:
    """That a piece is like another one which is offered."""
    decision = _pending(game)
    types = game.spec.decisions[decision.point].options[target.branch].values
    if not types or types[0].kind != "piece" or target.value is None:
        return []
    offered = [
        o.number for o in decision.options if not o.passes and branch_of(o.raw) == target.branch
    ]
    other = stands_for(game.state, types[0], target.value, offered)
    if other < 0:
        return []
    message = "it is in nothing different from {piece}, which stands for it"
    text = rules.plainly(message, piece=game.names.name(types[0], other))
    return [Reason(text, plain=text)]


def locals_of(state: StateBase) -> Locals:
    """The locals of the procedure that asks."""
    frame = state.frames[-1]
    procedure, _ = state.SPEC.waiting[frame[0]]
    return {name: frame[place] for name, place, _ in state.SPEC.frames[procedure].locals}


# ---------------------------------------------------------------------- later


def coming(rules: Rules, procedure: str, step: str) -> list[tuple[str, list[DecisionSpec]]]:
    """The steps behind one in the procedure that has them, with the decisions that each asks for by
    itself, not for what disturbs it.
    """
    program = rules.program
    steps = [(name, span) for of, name, span in program.steps if of == procedure]
    behind = steps[[name for name, _ in steps].index(step) + 1 :]
    body = list(statements_of(program.procedures[procedure].body))
    return [
        (name, _asked_in(program, [s for s in body if _within(s.span, span)]))
        for name, span in behind
    ]


def _within(span: Span, outer: Span) -> bool:
    return span.file == outer.file and outer.start <= span.start and span.end <= outer.end


def _asked_in(program: ir.Program, stmts: Sequence[ir.Stmt]) -> list[DecisionSpec]:
    """The decisions of steps, and of the procedures that they run in general."""
    decisions, ahead, run = [], list(stmts), set()
    while ahead:
        stmt = ahead.pop(0)
        if isinstance(stmt, ir.Choose | ir.Offer):
            decisions.append(stmt.decision)
        elif isinstance(stmt, ir.Do) and stmt.procedure not in run:
            run.add(stmt.procedure)
            ahead += statements_of(program.procedures[stmt.procedure].body)
    return decisions


# ---------------------------------------------------------------------- options


def explain_option(rules: Rules, game: Game, option: Option) -> Explanation:
    """What stands behind an option: its rules, where it is written."""
    decision = _pending(game)
    node = rules.program.decision_nodes[decision.point]
    spec = game.spec.decisions[decision.point]
    if option.passes:
        name = game.wording.text(f"pass.{option.branch}")
        passes = Reason(rules.plainly("'{option}' takes nothing (more) here.", option=name))
        reasons = [passes, *_reasons_at(rules, node.span, spec.rules)]
        return Explanation(option.text, tuple(reasons), cited=tuple(spec.rules))
    branch = node.branches[branch_of(option.raw)] if isinstance(node, ir.Offer) else None
    reasons = []
    types = spec.options[branch_of(option.raw)].values
    for value_type, index in zip(types, (option.number, option.second), strict=False):
        if value_type.kind == "enum":
            key = f"{value_type.name}.{game.spec.enums[value_type.name][index]}"
            text = game.wording.text(f"{key}.text", default="")
            reasons += [Reason(f"{game.wording.text(key)}: {text}")] if text else []
            reasons += _cases(rules, value_type.name, index)
    cited = branch.rules if branch is not None and branch.rules else spec.rules
    reasons += _reasons_at(rules, branch.span if branch is not None else node.span, cited)
    return Explanation(option.text, tuple(reasons), cited=tuple(cited))


def _cases(rules: Rules, enum: str, member: int) -> list[Reason]:
    """The citations of what the ruleset writes for one member: its cases."""
    cited: list[str] = []
    for procedure in rules.program.procedures.values():
        if procedure.params and procedure.params[0].type.name == enum and member in procedure.cases:
            cited += rules.program.procedures[procedure.cases[member]].rules
    return _cites(rules, list(dict.fromkeys(cited)))


def _cites(rules: Rules, cited: Sequence[str]) -> list[Reason]:
    if not cited:
        return []
    return [Reason(rules.plainly("rules: {rules}", rules=rules.cite(cited)), tuple(cited))]


def _reasons_at(rules: Rules, span: Span, cited: Sequence[str]) -> list[Reason]:
    text = f"written in {span.file}:{span.line}: {cut(rules.source(span))}"
    return [*_cites(rules, cited), Reason(text, role="source", place=place_of(span))]
