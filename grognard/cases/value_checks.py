"""What a case expects of quantities, permissions, functions and travels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from compiler import ir
from compiler.interpreter import (
    Evaluator,
    PermissionTrace,
    explain_permission,
    explain_quantity,
    travel,
)
from compiler.trees import conjuncts, rules_of
from grognard.cases.file import CaseError
from grognard.cases.words import CaseWords
from runtime.model import NONE, TypeSpec
from runtime.state import StateBase
from runtime.words.said import said

#: ``reach march(hi)``, ``steps march(hi) to E7``, ``way march(hi) via D6 to E7``
_TRAVEL: Final = re.compile(
    r"\s*(reach|steps|way)\s+(\w+\s*\(.*?\))(?:\s+via\s+(.+?))?(?:\s+to\s+(.+?))?\s*$"
)
_HEXES: Final = TypeSpec("set", "", of=TypeSpec("hex", "Hex"))


@lru_cache(maxsize=8)
def _params(checked: ir.Program, *kinds: str) -> dict[str, list[tuple[str, TypeSpec]]]:
    """The names and types of the parameters of all that is of these kinds."""
    return {
        name: [(param.name, param.type.spec()) for param in call.params]
        for name, call in checked.calls.items()
        if call.kind in kinds
    }


class Values:
    """Compares values in a state; *problem* is told of every difference."""

    def __init__(
        self, checked: ir.Program, words: CaseWords, problem: Callable[[str], None]
    ) -> None:
        self.checked = checked
        self.words = words
        self.problem = problem

    # ------------------------------------------------------------------ values

    def value(self, state: StateBase, text: str, wanted: Any) -> None:
        """Compare a value, the rule that decides it, what is cited, which modifiers applied."""
        asked = _TRAVEL.match(text)
        if asked is not None:
            self._travel(state, text, asked, wanted)
            return
        known = _params(self.checked, "quantity", "permission", "function")
        name, args = self.words.call(text, (), known, "quantity, permission or function")
        call = self.checked.calls[name]
        expected = wanted if isinstance(wanted, dict) else {"is": wanted}
        applied: list[str] = []
        if call.kind == "quantity":
            trace = explain_quantity(self.checked, state, name, list(args))
            actual: Any = trace.value
            rule = trace.decided.label
            rules = [a.rule for stage in trace.stages for a in stage.applied]
            applied = [r.label for r in rules]
            cited = trace.decided.all_citations + tuple(c for r in rules for c in r.all_citations)
        elif call.kind == "permission":
            permission = explain_permission(self.checked, state, name, list(args))
            actual = int(permission.allowed)
            speaking = permission.refusing or permission.allowing
            cited = tuple(c for r in speaking for c in r.all_citations)
            rule = ", ".join(r.label for r in speaking)
        else:
            actual = Evaluator(self.checked, state).call(name, list(args))
            cited, rule = tuple(call.rules), ""
        if "is" in expected:
            self._compare(
                text,
                call.type.spec(),
                expected["is"],
                actual,
                said(" (by {rule})", rule=rule) if rule else "",
            )
        for label in expected.get("modifiers", ()):
            if label not in applied:
                shown = ", ".join(applied) or "none"
                self.problem(
                    said(
                        "{text}: modifier {label} should apply; applied: {shown}",
                        text=text,
                        label=label,
                        shown=shown,
                    )
                )
        if "rule" in expected and expected["rule"] != rule:
            self.problem(
                said(
                    "{text}: expected to be decided by {wanted}, is by {rule}",
                    text=text,
                    wanted=expected["rule"],
                    rule=rule or "no rule",
                )
            )
        if "cites" in expected and str(expected["cites"]) not in cited:
            shown = ", ".join(cited) or "nothing"
            self.problem(
                said(
                    "{text}: expected to cite {cites}, cites {shown}",
                    text=text,
                    cites=expected["cites"],
                    shown=shown,
                )
            )

    def _compare(self, text: str, type_: TypeSpec, wanted: Any, actual: Any, by: str = "") -> None:
        value = self.words.value(type_, wanted)
        if value != actual:
            name = self.words.name
            self.problem(
                said(
                    "{text}: expected {wanted}, is {actual}{by}",
                    text=text,
                    wanted=name(type_, value),
                    actual=name(type_, int(actual)),
                    by=by,
                )
            )

    # ------------------------------------------------------------------ travels

    def _travel(self, state: StateBase, text: str, asked: re.Match[str], wanted: Any) -> None:
        """Compare what a travel reaches, the steps to a hex, or the way to it."""
        if isinstance(wanted, dict):
            if set(wanted) != {"is"}:
                raise CaseError(said("of '{text}' only 'is' can be expected", text=text))
            wanted = wanted["is"]
        what, call, via, target = asked.groups()
        if (target is None) != (what == "reach"):
            raise CaseError(
                said(
                    "write '{what} {call}{to}'",
                    what=what,
                    call=call,
                    to="" if what == "reach" else " to HEX",
                )
            )
        travels = {n: t for n, t in self.checked.travels.items() if t.via_of is None}
        known = {n: [(p.name, p.type.spec()) for p in t.params] for n, t in travels.items()}
        name, args = self.words.call(call, (), known, "travel")
        if via is not None:
            over = next((n for n, t in self.checked.travels.items() if t.via_of == name), None)
            if over is None:
                raise CaseError(
                    said(
                        "the ruleset never asks for ways of {name} via a hex, so a case cannot",
                        name=name,
                    )
                )
            name, args = over, [*args, self.words.value(TypeSpec("hex", "Hex"), via)]
        x, info = Evaluator(self.checked, state), self.checked.travels[name]
        if what == "reach":
            reached = sum(1 << h for h in travel.ends(x, info, list(args)))
            self._compare(text, _HEXES, wanted, reached)
            return
        hex_ = self.words.value(TypeSpec("hex", "Hex"), target)
        if what == "steps":
            steps = travel.ends(x, info, list(args)).get(hex_, NONE)
            expected = NONE if wanted == "none" else self.words.value(TypeSpec("int", ""), wanted)
            if expected != steps:
                self.problem(
                    said(
                        "{text}: expected {wanted}, is {what}",
                        text=text,
                        wanted=wanted,
                        what="none" if steps == NONE else steps,
                    )
                )
            return
        labels = [self.words.spec.board.label(h) for h in travel.way(x, info, list(args), hex_)]
        expected_way = self.words.names_in(wanted)
        for label in expected_way:
            self.words.value(TypeSpec("hex", "Hex"), label)
        if [h for h in expected_way if h != "none"] != labels:
            way, actual = " ".join(expected_way) or "none", " ".join(labels) or "none"
            self.problem(
                said("{text}: expected {way}, is {actual}", text=text, way=way, actual=actual)
            )

    # ------------------------------------------------------------------ refusals

    def refused(self, state: StateBase, text: str, wanted: Any) -> None:
        """Compare by which rule a permission refuses, and which permission inside its condition
        does.
        """
        name, args = self.words.call(text, (), _params(self.checked, "permission"), "permission")
        expected: Mapping[str, Any] = wanted if isinstance(wanted, dict) else {"by": wanted}
        trace = explain_permission(self.checked, state, name, list(args))
        by = ", ".join(str(value) for value in expected.values())
        if trace.allowed:
            self.problem(said("{text} should be refused by {by}, but is allowed", text=text, by=by))
            return
        cited = {c for r in trace.refusing for c in (*r.all_citations, r.label)}
        inner = list(self._inner(state, self.checked.calls[name], trace))
        shown = ", ".join(sorted(cited)) or "nothing in particular"
        shown += "".join(
            said("; inside, {one} by {names}", one=one, names=", ".join(sorted(names)))
            for one, names in inner
        )
        inside = {word for one, names in inner for word in (one, *names)}
        for key, words, known in (("by", "by", cited), ("inner", "inside by", inside)):
            if key in expected and str(expected[key]) not in known:
                wanted_by = f"{words} {expected[key]}"
                self.problem(
                    said(
                        "{text}: expected to be refused {wanted_by}, is refused by {shown}",
                        text=text,
                        wanted_by=wanted_by,
                        shown=shown,
                    )
                )

    def _inner(
        self, state: StateBase, call: ir.Callable, trace: PermissionTrace
    ) -> Iterator[tuple[str, set[str]]]:
        """The permissions whose refusal is a part of the conditions that refuse, with their rules
        and what these cite.
        """
        x = Evaluator(self.checked, state)
        env = dict(zip((p.name for p in call.params), trace.args, strict=True))
        for rule in trace.refusing:
            written = next((r for r in rules_of(call.roots) if r.span == rule.span), None)
            when = None if written is None else written.when
            for part in () if when is None else conjuncts(when):
                if not (isinstance(part, ir.Not) and isinstance(part.operand, ir.Apply)):
                    continue
                below = self.checked.calls[part.operand.name]
                if below.kind != "permission":
                    continue
                args = [x.number(a, dict(env)) for a in part.operand.args]
                deeper = explain_permission(self.checked, state, below.name, args)
                yield below.name, {c for r in deeper.refusing for c in (*r.all_citations, r.label)}
                yield from self._inner(state, below, deeper)
