"""Proofs about rules by enumeration: cases without a rule, rules that disagree, dead exceptions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations

from compiler import ir
from compiler.prove.conditions import Conditions
from compiler.prove.search import Atom, Test, TooMany, negated
from compiler.prove.witness import describe
from compiler.trees import rules_of
from dsl.diagnostics import Diagnostic, Label, Severity
from dsl.source import NOWHERE, Span
from runtime.words.said import join_with_sign, said

#: How many steps the search for one case may take.
CAP = 20_000
#: How much all searches about one quantity or permission may do together; those of a ruleset
#: twice that.
WORK = 2_000_000
#: What looking at a pair of rules costs of it.
_PAIR = 100


@dataclass(frozen=True)
class Proof:
    """What was found about a quantity or permission, at what cost, and what that follows from: what
    it was *given*, the *places* that findings name, and the functions that its rules ask for, as
    they were.
    """

    given: tuple[object, ...]
    places: list[Span]
    asked: dict[str, tuple[object, ...]]
    cost: int
    diagnostics: list[Diagnostic]

    def follows(self, program: ir.Program, given: tuple[object, ...], places: list[Span]) -> bool:
        """Whether the same would be found again."""
        named = not self.diagnostics or self.places == places
        return named and self.given == given and self.asked == _function_facts(program, self.asked)


def prove(
    program: ir.Program, cap: int = CAP, work: int = WORK, known: dict[str, Proof] | None = None
) -> list[Diagnostic]:
    """Gaps, overlaps and dead exceptions of all quantities and permissions.

    What is *known* by their names is taken over where it still follows; what is found is entered.
    """
    known = {} if known is None else known
    facts = (
        *(program.enums, program.kinds, program.parents, program.effects),
        [replace(travel, span=NOWHERE) for travel in program.travels.values()],
        *(program.board, program.board and program.board.names),
    )
    diagnostics: list[Diagnostic] = []
    left = 2 * work
    for call in program.calls.values():
        if call.kind == "function":
            continue
        content, places = _content(call)
        given = (facts, content, cap, min(work, left))
        proof = known.get(call.name)
        if proof is None or not proof.follows(program, given, places):
            found = _Proof(program, call, cap, min(work, left))
            own = found.run()
            asked = _function_facts(program, found.cases.asked)
            cost = min(work, left) - max(0, found.cases.left)
            proof = known[call.name] = Proof(given, places, asked, cost, own)
        diagnostics.extend(proof.diagnostics)
        left -= proof.cost
    return diagnostics


def _content(call: ir.Callable) -> tuple[tuple[object, ...], list[Span]]:
    """What is said of a quantity or permission, and where; rules are listed, since exceptions may
    go deeper than Python calls.
    """
    rules = rules_of(call.roots)
    numbers = {id(rule): number for number, rule in enumerate(rules)}
    listed = [
        (
            *(r.name, r.when, r.value, r.verdict, r.suspended, r.excepts, r.rules),
            [numbers[id(e)] for e in r.exceptions],
        )
        for r in rules
    ]
    modifiers = [m for stage in call.modifiers.values() for m in stage]
    changes = [(m.name, m.op, m.when, m.value, m.rules) for m in modifiers]
    roots = [numbers[id(rule)] for rule in call.roots]
    head = (call.kind, call.params, call.type, call.rules)
    places = [call.span, *(rule.span for rule in rules), *(m.span for m in modifiers)]
    return (head, roots, listed, changes), places


def _function_facts(program: ir.Program, names: Iterable[str]) -> dict[str, tuple[object, ...]]:
    """What a proof knows of functions."""
    calls = {name: program.calls.get(name) for name in names}
    return {n: () if call is None else (call.params, call.body) for n, call in calls.items()}


#: How many questions without an answer a finding names.
_SHOWN = 3


class _Proof:
    """The proof of one quantity or permission."""

    def __init__(self, program: ir.Program, call: ir.Callable, cap: int, work: int) -> None:
        self.program = program
        self.call = call
        self.cases = Conditions(program, cap, work)
        self.diagnostics: list[Diagnostic] = []
        self.rules: list[ir.Rule] = []
        self.parents: dict[int, list[ir.Rule]] = {}
        self.gave_up = False
        #: what was not proved, in words, with the rules it is about
        self.unproved: list[tuple[str, list[ir.Rule]]] = []
        self._speaks: dict[int, Test] = {}
        self._reached: dict[int, Test] = {}
        self._collect(call.roots, None)

    def _collect(self, rules: list[ir.Rule], parent: ir.Rule | None) -> None:
        for rule in rules:
            known = id(rule) in self.parents
            above = self.parents.setdefault(id(rule), [])
            if parent is not None:
                above.append(parent)
            if not known:
                self.rules.append(rule)
                self._collect(rule.exceptions, rule)

    def run(self) -> list[Diagnostic]:
        """All findings."""
        call = self.call
        dead = self._dead()
        if call.kind == "quantity":
            self._gap()
            self._overlaps([r for r in self.rules if id(r) not in dead])
        for m in (m for modifiers in call.modifiers.values() for m in modifiers):
            question = said("whether '{name}' can ever apply", name=m.name)
            if m.when is not None and self._never(self.cases.test(m.when), question, []):
                message = said(
                    "'{name}' never changes {call}: its condition cannot hold",
                    name=m.name,
                    call=call.name,
                )
                self._report("Q503", message, m, "correct the condition, or remove it")
        if self.unproved:
            self._report_unproved()
        return self.diagnostics

    # ------------------------------------------------------------------ what rules claim

    def speaks(self, rule: ir.Rule) -> Test:
        """That the condition of *rule* holds and nothing suspends it."""
        test = self._speaks.get(id(rule))
        if test is None:
            parts = [] if rule.when is None else [self.cases.test(rule.when)]
            parts.extend(negated(self.cases.test(when)) for _, when in rule.suspended)
            test = self._speaks[id(rule)] = self.cases.memoized(self.cases.all_of(parts))
        return test

    def is_reached(self, rule: ir.Rule) -> Test:
        """That *rule* speaks, and where it is an exception also a rule that it excepts."""
        test = self._reached.get(id(rule))
        if test is None:
            above = self.parents[id(rule)]
            test = self.speaks(rule)
            if above:
                test = self.cases.all_of(
                    [self.cases.any_of([self.is_reached(p) for p in above]), test]
                )
            self._reached[id(rule)] = test = self.cases.memoized(test)
        return test

    def decides(self, rule: ir.Rule) -> Test:
        """That *rule* is reached and none of its exceptions speaks."""
        return self.cases.all_of(
            [self.is_reached(rule), *(negated(self.speaks(e)) for e in rule.exceptions)]
        )

    # ------------------------------------------------------------------ findings

    def _find(self, claim: Test, question: str, rules: list[ir.Rule]) -> dict[Atom, int] | None:
        self.gave_up = False
        try:
            return self.cases.find(claim)
        except TooMany:
            self.cases.forget()
            self.unproved.append((question, rules))
            self.gave_up = True
            return None

    def _report_unproved(self) -> None:
        """Report what the search was given up for."""
        questions = [question for question, _ in self.unproved]
        shown = join_with_sign("; ", questions[:_SHOWN])
        if len(questions) > _SHOWN:
            shown += said("; and {count} more questions", count=len(questions) - _SHOWN)
        rules = list({id(r): r for _, about in self.unproved for r in about}.values())[:_SHOWN]
        message = said(
            "there are too many cases to go through for {name}; not proved: {shown}",
            name=self.call.name,
            shown=shown,
        )
        labels = tuple(Label(r.span, "this rule") for r in rules[:-1])
        cited = tuple(dict.fromkeys(c for r in rules for c in r.rules)) or self.call.rules
        remedy = (
            "let the rules ask about fewer things, or give what they ask for together a column of "
            "a table"
        )
        about = rules[-1] if rules else self.call
        self._report("Q508", message, about, remedy, labels, cited)

    def _never(self, claim: Test, question: str, rules: list[ir.Rule]) -> bool:
        return self._find(claim, question, rules) is None and not self.gave_up

    def _report(
        self,
        code: str,
        message: str,
        about: ir.Rule | ir.Modifier | ir.Callable,
        remedy: str,
        labels: tuple[Label, ...] = (),
        citation: tuple[str, ...] | None = None,
    ) -> None:
        cited = about.rules if citation is None else citation
        severity = Severity.WARNING if code == "Q508" else Severity.ERROR
        diagnostic = Diagnostic(code, message, about.span, severity, labels, cited, remedy)
        self.diagnostics.append(diagnostic)

    def _dead(self) -> set[int]:
        """Report the rules that can never speak."""
        dead: set[int] = set()
        for rule in self.rules:
            above = self.parents[id(rule)]
            if rule.when is None and not rule.suspended and not above:
                continue
            listed = [p for p in above if p.name in rule.excepts]
            if any(id(p) in dead for p in listed):
                dead.add(id(rule))
                continue
            if self._never(
                self.speaks(rule), said("whether '{name}' can ever speak", name=rule.name), [rule]
            ):
                dead.add(id(rule))
                why = "its condition cannot hold"
                if rule.suspended:
                    why = "wherever its condition holds, it is suspended"
                message = said(
                    "'{name}' never applies to {call}: {why}",
                    name=rule.name,
                    call=self.call.name,
                    why=why,
                )
                self._report("Q503", message, rule, "correct the condition, or remove the rule")
                continue
            for parent in listed if not self.gave_up else ():
                claim = self.cases.all_of([self.is_reached(parent), self.speaks(rule)])
                question = said(
                    "whether '{name}' and '{rule_name}' ever hold together",
                    name=parent.name,
                    rule_name=rule.name,
                )
                if not self._never(claim, question, [parent, rule]):
                    continue
                message = said(
                    "'{name}' excepts '{parent_name}', but the two never hold together",
                    name=rule.name,
                    parent_name=parent.name,
                )
                take = said(
                    "take '{name}' out of what '{rule_name}' excepts",
                    name=parent.name,
                    rule_name=rule.name,
                )
                remedy = said("correct one of the conditions, or {take}", take=take)
                label = Label(
                    parent.span,
                    said("'{name}' applies only under its own condition", name=parent.name),
                )
                self._report("Q503", message, rule, remedy, (label,))
                if len(listed) == 1:
                    dead.add(id(rule))
        return dead

    def _gap(self) -> None:
        """Report a case without a rule."""
        call, roots = self.call, self.call.roots
        if any(r.when is None and not r.suspended for r in roots):
            return
        if not roots:
            names = ", ".join(p.name for p in call.params)
            remedy = said("add one: rule … for {name}({names}) = …", name=call.name, names=names)
            self._report("Q501", said("{name} has no rules", name=call.name), call, remedy)
            return
        claim = negated(self.cases.any_of([self.speaks(r) for r in roots]))
        case = self._find(claim, "whether some rule decides every case", [])
        if case is not None:
            when = describe(self.program, call, case)
            message = "no rule decides {name} when {when}"
            if not when:
                message = "no rule decides {name} in any case"
            message = said(message, name=call.name, when=when)
            remedy = "add a rule for it, or a general rule without 'when' that the others except"
            labels = tuple(
                Label(r.span, said("'{name}' does not apply then", name=r.name)) for r in roots[:4]
            )
            self._report("Q501", message, call, remedy, labels)

    def _overlaps(self, rules: list[ir.Rule]) -> None:
        """Report rules that decide a case differently."""
        cases = self.cases
        for a, b in combinations(rules, 2):
            if a.value is None or b.value is None or self._behind(a, b) or self._behind(b, a):
                continue
            if cases.left <= 0:  # nor could anything be found of the pairs behind it
                self.unproved.append(("whether others ever decide differently", [a, b]))
                return
            cases.left -= _PAIR
            claim = cases.all_of(
                [cases.unequal(a.value, b.value), self.decides(a), self.decides(b)]
            )
            question = said(
                "whether '{name}' and '{another}' ever decide differently",
                name=a.name,
                another=b.name,
            )
            case = self._find(claim, question, [a, b])
            if case is None:
                continue
            when = describe(self.program, self.call, case)
            when = said("when {when}", when=when) if when else "in every case"
            two = said(
                "'{name}' and '{second}' both decide {call}",
                name=a.name,
                second=b.name,
                call=self.call.name,
            )
            example = said(
                "let one except the other (rule {name} except {another} …)",
                name=b.name,
                another=a.name,
            )
            labels = (Label(a.span, said("'{name}' applies then, too", name=a.name)),)
            cited = tuple(dict.fromkeys((*a.rules, *b.rules)))
            remedy = said("{example}, or narrow a condition", example=example)
            self._report(
                "Q502",
                said("{two} {when}, differently", two=two, when=when),
                b,
                remedy,
                labels,
                cited,
            )

    def _behind(self, rule: ir.Rule, other: ir.Rule) -> bool:
        """Whether *other* is asked only where an exception of *rule* speaks (then they never decide
        together).
        """
        ways = {id(e): True for e in rule.exceptions}

        def all_ways(r: ir.Rule) -> bool:
            known = ways.get(id(r))
            if known is None:
                above = self.parents[id(r)]
                known = ways[id(r)] = bool(above) and all(all_ways(p) for p in above)
            return known

        return all_ways(other)
