"""What a case expects, compared with what is."""

from __future__ import annotations

from typing import Any

from compiler import ir
from compiler.interpreter.evaluate import Evaluator
from compiler.interpreter.explain import explain_permission, explain_quantity
from grognard.cases.reading import CaseError
from grognard.cases.schema import DECISION_KEYS, EXPECT_KEYS
from grognard.cases.seeing import check_sees
from grognard.cases.words import Words
from runtime.game import TIE, Game
from runtime.scenario.finding import suggestion
from runtime.state import StateBase


class Comparison:
    """Compares one game with what is expected of it; *problems* get every difference."""

    def __init__(self, checked: ir.Program, game: Game, words: Words, problems: list[str]) -> None:
        self.checked = checked
        self.game = game
        self.words = words
        self.problems = problems
        self._when = ""

    def _problem(self, text: str) -> None:
        self.problems.append(self._when + text)

    def check(self, wanted: Any, when: str = "") -> None:
        """Compare with an expectation; *when* stands before each difference."""
        game, words, problem = self.game, self.words, self._problem
        self._when = when
        if not isinstance(wanted, dict):
            raise CaseError("'expect' is a mapping")
        for key in wanted:
            if key not in EXPECT_KEYS:
                raise CaseError(f"unknown expectation '{key}'; {suggestion(str(key), EXPECT_KEYS)}")

        state = game.state
        for key, value in (wanted.get("fields") or {}).items():
            expected, actual, type_ = words.compare(state, str(key), value)
            if expected != actual:
                problem(f"{key}: expected {words.name(type_, expected)}, is {words.name(type_, actual)}")
        for key, cards in (wanted.get("piles") or {}).items():
            actual_cards = words.pile(state, str(key))
            if sorted(str(c) for c in cards or []) != sorted(actual_cards):
                problem(
                    f"pile {key}: expected {', '.join(map(str, cards or [])) or 'nothing'}, is {', '.join(actual_cards) or 'nothing'}"
                )
        self._decision(wanted)
        for text, value in (wanted.get("values") or {}).items():
            self._value(state, str(text), value)
        for text, citation in (wanted.get("refused") or {}).items():
            self._refused(state, str(text), citation)
        if "over" in wanted and bool(wanted["over"]) != game.over:
            problem(f"over: expected {str(bool(wanted['over'])).lower()}, is {str(game.over).lower()}")
        self._ended(wanted)
        if "sees" in wanted:
            check_sees(game, wanted["sees"], words, problem)
        text = "\n".join(game.log)
        for words_ in wanted.get("log") or ():
            if str(words_) not in text:
                problem(f"log: expected a line with '{words_}'")
        for words_ in wanted.get("not_log") or ():
            if str(words_) in text:
                problem(f"log: expected no line with '{words_}'")

    def _ended(self, wanted: dict[str, Any]) -> None:
        """Who has won, and the ranks."""
        game, problem = self.game, self._problem
        sides = game.spec.sides
        if "winner" in wanted:
            given = wanted["winner"] if wanted["winner"] is not None else "none"
            expected = [str(side) for side in given] if isinstance(given, list) else [str(given)]
            for side in expected:
                if side not in sides and (isinstance(given, list) or side not in ("tie", "none")):
                    raise CaseError(
                        f"winner: there is no side '{side}'; sides: {', '.join(sides)}, or tie, or none"
                    )
            actual = list(game.winners) or [
                "nobody yet" if not game.over else "tie" if game.result == TIE else "none"
            ]
            if sorted(expected) != sorted(actual):
                problem(f"winner: expected {', '.join(expected)}, is {', '.join(actual)}")
        ranks = wanted.get("ranks") or {}
        if not isinstance(ranks, dict):
            raise CaseError("'ranks' is a mapping: {side: rank}")
        for side, rank in ranks.items():
            if side not in sides:
                raise CaseError(f"ranks: there is no side '{side}'; sides: {', '.join(sides)}")
            if game.ranks.get(side) != rank:
                problem(f"ranks: expected {side} {rank}, is {game.ranks.get(side, 'none yet')}")

    def _decision(self, wanted: dict[str, Any]) -> None:
        game, problem = self.game, self._problem
        decision = game.decision
        if "decision" in wanted:
            expected = wanted["decision"]
            shown = (
                f"{decision.name} decides {decision.question} ({options_of(game)})"
                if decision
                else "nothing is to be decided"
            )
            if expected in (None, "none"):
                if decision is not None:
                    problem(f"decision: expected none, but {shown}")
            elif decision is None:
                problem(f"decision: expected {expected}, but {shown}")
            else:
                for key in expected if isinstance(expected, dict) else (expected,):
                    if not isinstance(expected, dict) or key not in DECISION_KEYS:
                        raise CaseError(
                            f"'{key}' cannot be expected of a decision; {suggestion(str(key), DECISION_KEYS)}"
                        )
                for key, actual in (("side", decision.name), ("prompt", decision.prompt)):
                    if key in expected and str(expected[key]) != actual:
                        problem(f"decision: expected {key} {expected[key]}, but {shown}")
                if "about" in expected and [str(v) for v in expected["about"] or ()] != [
                    s.text for s in decision.about
                ]:
                    problem(
                        f"decision: expected about {', '.join(map(str, expected['about'] or ())) or 'nothing'}, but {shown}"
                    )
        texts = [o.text for o in decision.options] if decision else []
        for text in wanted.get("offered") or ():
            if str(text) not in texts:
                problem(f"'{text}' should be offered; there is: {', '.join(texts) or 'nothing'}")
        for text in wanted.get("not_offered") or ():
            if str(text) in texts:
                problem(f"'{text}' should not be offered")
        if "options" in wanted and sorted(map(str, wanted["options"] or [])) != sorted(texts):
            problem(
                f"options: expected {', '.join(map(str, wanted['options'] or [])) or 'none'}; there is: {', '.join(texts) or 'nothing'}"
            )

    def _value(self, state: StateBase, text: str, wanted: Any) -> None:
        words, problem = self.words, self._problem
        calls = {n: [(p.name, p.type) for p in c.params] for n, c in self.checked.calls.items()}
        name, args = words.call(text, calls, "quantity, permission or function")
        call = self.checked.calls[name]
        expected = wanted if isinstance(wanted, dict) else {"is": wanted}
        cited: tuple[str, ...] = ()
        rule = ""
        if call.kind == "quantity":
            trace = explain_quantity(self.checked, state, name, list(args))
            actual: Any = trace.value
            rule = trace.decided.label
            applied = [a.rule for stage in trace.stages for a in stage.applied]
            cited = trace.decided.all_citations + tuple(c for r in applied for c in r.all_citations)
            for label in expected.get("modifiers", ()):
                if label not in [r.label for r in applied]:
                    problem(
                        f"{text}: modifier {label} should apply; applied: {', '.join(r.label for r in applied) or 'none'}"
                    )
        elif call.kind == "permission":
            permission = explain_permission(self.checked, state, name, list(args))
            actual = int(permission.allowed)
            cited = tuple(c for r in permission.refusing for c in r.all_citations)
            rule = ", ".join(r.label for r in permission.refusing)
        else:
            actual = Evaluator(self.checked, state).call(name, list(args))
        if "is" in expected:
            value = words.value(call.type.spec(), expected["is"])
            if value != actual:
                problem(
                    f"{text}: expected {words.name(call.type.spec(), value)}, is {words.name(call.type.spec(), int(actual))}"
                    + (f" (by {rule})" if rule else "")
                )
        if "rule" in expected and expected["rule"] != rule:
            problem(f"{text}: expected to be decided by {expected['rule']}, is by {rule or 'no rule'}")
        if "cites" in expected and str(expected["cites"]) not in cited:
            problem(f"{text}: expected to cite {expected['cites']}, cites {', '.join(cited) or 'nothing'}")

    def _refused(self, state: StateBase, text: str, citation: Any) -> None:
        words, problem = self.words, self._problem
        permissions = {
            n: [(p.name, p.type) for p in c.params]
            for n, c in self.checked.calls.items()
            if c.kind == "permission"
        }
        name, args = words.call(text, permissions, "permission")
        trace = explain_permission(self.checked, state, name, list(args))
        if trace.allowed:
            problem(f"{text} should be refused by {citation}, but is allowed")
            return
        cited = {c for r in trace.refusing for c in (*r.all_citations, r.label)}
        if str(citation) not in cited:
            problem(
                f"{text}: expected to be refused by {citation}, is refused by {', '.join(sorted(cited)) or 'nothing in particular'}"
            )


def options_of(game: Game) -> str:
    """The options of the pending decision, for messages."""
    decision = game.decision
    return ", ".join(o.text for o in decision.options) if decision else ""
