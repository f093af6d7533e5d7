"""Proofs about rules by enumeration: cases without a rule, rules that disagree, exceptions that never speak."""

from __future__ import annotations

from itertools import combinations

from compiler import ir
from compiler.prove.logic import Cases
from compiler.prove.search import Atom, Test, TooMany
from compiler.prove.wording import describe
from dsl.diagnostics import Diagnostic, Label, Severity

#: How many steps the search for one case may take.
CAP = 20_000


def prove(program: ir.Program, cap: int = CAP) -> list[Diagnostic]:
    """Gaps, overlaps and dead exceptions of all quantities and permissions."""
    found: list[Diagnostic] = []
    for call in program.calls.values():
        if call.kind != "function":
            found.extend(_Proof(program, call, cap).run())
    return found


class _Proof:
    """The proof of one quantity or permission."""

    def __init__(self, program: ir.Program, call: ir.Callable, cap: int) -> None:
        self.program = program
        self.call = call
        self.cases = Cases(program, cap)
        self.found: list[Diagnostic] = []
        self.rules: list[ir.Rule] = []
        self.parents: dict[int, list[ir.Rule]] = {}
        self.gave_up = False
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
        dead = self._dead()
        if self.call.kind == "quantity":
            self._gap()
            self._overlaps([r for r in self.rules if id(r) not in dead])
        for modifiers in self.call.modifiers.values():
            for modifier in modifiers:
                if modifier.when is not None and self._never(self.cases.test(modifier.when), [modifier.name]):
                    self._report(
                        "Q503",
                        f"'{modifier.name}' never changes {self.call.name}: its condition cannot hold",
                        modifier,
                        (),
                        "mend the condition, or remove it",
                    )
        return self.found

    # ------------------------------------------------------------------ what rules claim

    def speaks(self, rule: ir.Rule) -> Test:
        """That the condition of *rule* holds and nothing suspends it."""
        test = self._speaks.get(id(rule))
        if test is None:
            parts = [] if rule.when is None else [self.cases.test(rule.when)]
            parts.extend(self.cases.negated(self.cases.test(when)) for _, when in rule.suspended)
            test = self._speaks[id(rule)] = self.cases.both(parts)
        return test

    def reached(self, rule: ir.Rule) -> Test:
        """That *rule* speaks, and where it is an exception also a rule that it excepts."""
        test = self._reached.get(id(rule))
        if test is None:
            above = self.parents[id(rule)]
            test = self.speaks(rule)
            if above:
                test = self.cases.both([self.cases.either([self.reached(p) for p in above]), test])
            self._reached[id(rule)] = test
        return test

    def decides(self, rule: ir.Rule) -> Test:
        """That *rule* is reached and none of its exceptions speaks."""
        return self.cases.both([self.reached(rule), *(self.cases.negated(self.speaks(e)) for e in rule.exceptions)])

    # ------------------------------------------------------------------ findings

    def _find(self, claim: Test, names: list[str]) -> dict[Atom, int] | None:
        self.gave_up = False
        try:
            return self.cases.find(claim)
        except TooMany:
            shown = " and ".join(f"'{n}'" for n in names)
            about = f"{shown} of {self.call.name}" if names else f"the rules of {self.call.name}"
            rules = [r for r in self.rules if r.name in names]
            self.found.append(
                Diagnostic(
                    "Q508",
                    f"there are too many cases to prove {about} right",
                    rules[-1].span if rules else self.call.span,
                    Severity.WARNING,
                    tuple(Label(r.span, "this rule") for r in rules[:-1]),
                    tuple(c for r in rules for c in r.rules) or self.call.rules,
                    "let the rules ask about fewer things, or give what they ask for together a column of a table",
                )
            )
            self.cases.values.clear()
            self.gave_up = True
            return None

    def _never(self, claim: Test, names: list[str]) -> bool:
        return self._find(claim, names) is None and not self.gave_up

    def _report(self, code: str, message: str, rule: ir.Rule | ir.Modifier, labels: tuple[Label, ...], remedy: str) -> None:
        self.found.append(Diagnostic(code, message, rule.span, labels=labels, citation=rule.rules, remedy=remedy))

    def _dead(self) -> set[int]:
        """Report the rules that can never speak."""
        dead: set[int] = set()
        for rule in self.rules:
            above = self.parents[id(rule)]
            if rule.when is None and not rule.suspended and not above:
                continue
            if any(id(p) in dead for p in above):
                dead.add(id(rule))
                continue
            if self._never(self.speaks(rule), [rule.name]):
                dead.add(id(rule))
                why = "its condition cannot hold" if not rule.suspended else "wherever its condition holds, it is suspended"
                message = f"'{rule.name}' never speaks about {self.call.name}: {why}"
                self._report("Q503", message, rule, (), "mend the condition, or remove the rule")
                continue
            for parent in above if not self.gave_up else ():
                claim = self.cases.both([self.reached(parent), self.speaks(rule)])
                if self._never(claim, [parent.name, rule.name]):
                    self._report(
                        "Q503",
                        f"'{rule.name}' excepts '{parent.name}', but the two never hold together",
                        rule,
                        (Label(parent.span, f"'{parent.name}' speaks only under its own condition"),),
                        f"mend one of the conditions, or take '{parent.name}' out of what '{rule.name}' excepts",
                    )
                    if len(above) == 1:
                        dead.add(id(rule))
        return dead

    def _gap(self) -> None:
        call, roots = self.call, self.call.roots
        if any(r.when is None and not r.suspended for r in roots):
            return
        remedy = "add a rule for it, or a general rule without 'when' that the others except"
        if not roots:
            names = ", ".join(p.name for p in call.params)
            self._missing(f"{call.name} has no rules", f"add one: rule … for {call.name}({names}) = …", ())
            return
        case = self._find(self.cases.negated(self.cases.either([self.speaks(r) for r in roots])), [])
        if case is not None:
            when = describe(self.program, self.call, case)
            labels = tuple(Label(r.span, f"'{r.name}' does not speak then") for r in roots[:4])
            self._missing(f"no rule decides {call.name}" + (f" when {when}" if when else " in any case"), remedy, labels)

    def _missing(self, message: str, remedy: str, labels: tuple[Label, ...]) -> None:
        self.found.append(Diagnostic("Q501", message, self.call.span, labels=labels, citation=self.call.rules, remedy=remedy))

    def _overlaps(self, rules: list[ir.Rule]) -> None:
        for a, b in combinations(rules, 2):
            if a.value is None or b.value is None or self._related(a, b):
                continue
            claim = self.cases.both([self.cases.unequal(a.value, b.value), self.decides(a), self.decides(b)])
            case = self._find(claim, [a.name, b.name])
            if case is None:
                continue
            when = describe(self.program, self.call, case)
            when = f"when {when}" if when else "in every case"
            self.found.append(
                Diagnostic(
                    "Q502",
                    f"'{a.name}' and '{b.name}' both decide {self.call.name} {when}, differently",
                    b.span,
                    labels=(Label(a.span, f"'{a.name}' speaks then, too"),),
                    citation=(*a.rules, *(r for r in b.rules if r not in a.rules)),
                    remedy=f"let one except the other (rule {b.name} except {a.name} …), or narrow a condition",
                )
            )

    def _related(self, a: ir.Rule, b: ir.Rule) -> bool:
        """Whether one of two rules excepts the other directly (then they never decide together)."""
        return any(e is b for e in a.exceptions) or any(e is a for e in b.exceptions)
