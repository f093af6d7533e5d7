"""What a ruleset says without a position: its declarations, and where a rule ID is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compiler import ir
from compiler.sources.rulebook import Entry
from dsl.parser import only_marks
from grognard.explain.rules import Rules, cut
from runtime.games.explanation import Explanation, Reason

_MODIFIES = {"by": "by", "most": "at most", "least": "at least"}


@dataclass(frozen=True, slots=True)
class Explainable:
    """Something that can be asked for: its parameters as (name, type), and the type of its value.

    *kind* is ``quantity``, ``permission``, ``function`` or ``travel``, which may be given a hex
    more: the way to it.
    """

    kind: str
    name: str
    params: tuple[tuple[str, str], ...]
    type: str

    @property
    def signature(self) -> str:
        """``name(a: T, …): T``."""
        params = ", ".join(f"{name}: {type_}" for name, type_ in self.params)
        return f"{self.name}({params}): {self.type}"


def explainable(rules: Rules, name: str) -> Explainable:
    """One quantity, permission, function or travel."""
    call = rules.program.calls.get(name)
    params = rules.program.travels[name].params if call is None else call.params
    types = tuple((param.name, str(param.type)) for param in params)
    if call is None:
        return Explainable("travel", name, types, "set of Hex")
    return Explainable(call.kind, name, types, str(call.type))


# ---------------------------------------------------------------------- declarations


def declaration(rules: Rules, name: str) -> Explanation:
    """A quantity, permission or function with its rules, each with its exceptions below it."""
    about = explainable(rules, name)
    if about.kind == "travel":
        return _travel(rules, about)
    call = rules.program.calls[name]
    cited = tuple(call.rules)
    if call.kind == "function":
        body = tuple(map(Reason, rules.words.steps(call.steps, 0)))
        if call.body is not None:
            body = (Reason(f"= {rules.text(call.body)}"),)
        kept = " remembered" if call.remembered else ""
        head = f"function {about.signature}{kept}"
        note = _ids(cited) + rules.under(call.span)
        return Explanation(head, body, cited=cited, note=note.strip())
    shown: set[int] = set()
    reasons = [_rule(rules, rule, shown) for rule in call.roots] or [Reason("(no rules)")]
    for stage in call.stages:
        below = tuple(_modifier(rules, m) for m in call.modifiers.get(stage, ()))
        reasons.append(Reason(f"stage {stage}", below=below, role="stage"))
    text = about.signature
    if call.kind == "permission":
        text = f"{text.rpartition(':')[0]} {call.default}"
    note = _ids(cited) + rules.under(call.span)
    return Explanation(f"{call.kind} {text}", tuple(reasons), cited=cited, note=note.strip())


def _travel(rules: Rules, about: Explainable) -> Explanation:
    travel = rules.program.travels[about.name]
    parts = (
        ("from", travel.origin),
        ("within", travel.budget),
        ("step when", travel.enter),
        ("cost", travel.cost),
        ("halt when", travel.halt),
        ("end when", travel.end),
    )
    reasons = tuple(Reason(f"{word} {rules.text(expr)}") for word, expr in parts if expr)
    cited = tuple(travel.rules)
    note = _ids(cited) + rules.under(travel.span)
    return Explanation(f"travel {about.signature}", reasons, cited=cited, note=note.strip())


def _rule(rules: Rules, rule: ir.Rule, shown: set[int], below: bool = False) -> Reason:
    words = rules.words
    verdict = f"{rule.verdict} " if rule.verdict else ""
    role: Literal["exception", ""] = "exception" if below else ""
    if id(rule) in shown and rule.exceptions:
        text = f"{verdict}{rule.name} (with its exceptions as above)"
        return Reason(text, tuple(rule.rules), role=role)
    shown.add(id(rule))
    value = f" = {words.expr(rule.value)}" if rule.value is not None else ""
    text = f"{verdict}{rule.name}{value}{words.where(rule.when, 'when')}{_effect(rule)}"
    inner = [
        Reason(f"suspended by {name} when {words.expr(when)}") for name, when in rule.suspended
    ]
    inner += [_rule(rules, exception, shown, True) for exception in rule.exceptions]
    return Reason(text, tuple(rule.rules), _ids(rule.rules), tuple(inner), role)


def _modifier(rules: Rules, m: ir.Modifier) -> Reason:
    value, when = rules.words.expr(m.value), rules.words.where(m.when, "when")
    text = f"{m.name} {_MODIFIES[m.op]} {value}{when}{_effect(m)}"
    return Reason(text, tuple(m.rules), _ids(m.rules), role="modifier")


def _effect(rule: ir.Rule | ir.Modifier) -> str:
    return f"  (effect {rule.effect})" if rule.effect else ""


def _ids(rules: tuple[str, ...]) -> str:
    return f"[{', '.join(rules)}]" if rules else ""


# ---------------------------------------------------------------------- rule IDs


def explain_rule(rules: Rules, rule: str) -> Explanation | None:
    """Where a rule ID is used, with the lines that cite it; None when neither index nor rules know
    it.
    """
    entry = rules.index.get(rule)
    uses = rules.program.citations.get(rule, ())
    if entry is None and not uses:
        return None
    about = ", ".join(_about(entry)) if entry is not None else ""
    remarks = rules.program.remarks
    reasons = [
        Reason(f"{use}: {remarks[use]}" if use in remarks else use, role="use")
        for use in dict.fromkeys(uses)
    ]
    reasons += [Reason(line, role="use") for line in _source_lines(rules, rule)]
    if not uses:
        reasons.append(Reason("no rule cites it"))
    text = f"{rule}: {entry.topic if entry is not None else 'not in the rulebook index'}"
    return Explanation(text, tuple(reasons), cited=(rule,), note=f"({about})" if about else "")


def _source_lines(rules: Rules, rule: str) -> list[str]:
    """The lines of the sources that a citation of the ID, or of one of a base that carries it out,
    stands in or above.
    """
    ids = [rule]
    for known in ids:
        entry = rules.index.get(known)
        ids += [r for r in (entry.by if entry is not None else ()) if r not in ids]
    resolved, places = rules.ruleset.resolved, list[str]()
    for name, citations in sorted(resolved.citations.items()):
        text = rules.sources[name].text.splitlines()
        for citation in citations:
            below = citation.span.line - 1
            while below < len(text) and only_marks(text[below]):
                below += 1
            if citation.rule in ids and below < len(text):
                under = rules.under(citation.span)
                places.append(f"{name}:{below + 1}{under}: {cut(' '.join(text[below].split()))}")
    return list(dict.fromkeys(places))


def _about(entry: Entry) -> list[str]:
    """What an index says of an ID besides its topic."""
    about = [
        f"{key} {value}" for key, value in (("source", entry.source), ("page", entry.page)) if value
    ]
    about += [f"carried out by {', '.join(entry.by)}"] if entry.by else []
    return about if entry.mechanic else [*about, "states no mechanic"]
