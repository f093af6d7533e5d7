"""Cases: rulebook examples as data, and running them.

A file of cases is YAML::

    ruleset: cc_ancients
    scenario: cc_ancients/akragas          # sides and everything a position does not say
    cases:
      - name: Losses do not reduce dice
        rules: [CCA-9.5]
        position:                          # like a scenario; kinds of pieces named here replace the scenario's
          pieces:
            Unit:
              - {side: bottom, type: HI, hex: E5, name: hi}
        fields: {hi.blocks: 1, top.banners: 3, active: bottom}     # anything the scenario cannot say
        piles: {"hand[bottom]": [rally], stock: [rally, rally]}    # the last card is on top
        effects: [charge]                                          # in force; with a value: pinned(hi)
        run: attack_unit(hi, foe, E6, attack)                      # without: the whole game from play()
        dice: [light, flag, heavy]                                 # or {battle: [...], d6: [...], draw: [hi]}
        actions: [stand, "to B4", {do: decline, by: top}, {expect: {...}}]
        expect:
          fields: {foe.blocks: 2, foe.hex: none}
          decision: {side: top, prompt: retreat, about: [hi]}      # or: none
          offered: [retreat B4]
          not_offered: [retreat B5]
          options: [retreat B4, retreat B3]                        # exactly these, in any order
          values: {"close_dice(hi, E6, attack)": 5}                # or {is: 5, rule: attackers_dice, cites: CCA-11.23}
          refused: {"may_order(hi, rally)": CCA-7.6}               # a permission that refuses, and why
          piles: {"hand[top]": [rally]}
          over: false
          winner: bottom                                           # or tie, none, or several: [top, left]
          ranks: {bottom: 1, top: 2}
          log: [some words]
          sees: {bottom: {fields: {foe.nerve: unseen}, piles: {"hand[top]": 3}, not_log: [some words]}}     # what a side sees
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from compiler import ir
from compiler.interpreter.evaluate import Evaluator
from compiler.interpreter.explain import explain_permission, explain_quantity
from compiler.types import Type
from grognard.seeing import check_sees
from runtime.board import bits
from runtime.files import read_bytes
from runtime.game import TIE, ChoiceError, Game
from runtime.model import NONE, BoardSetUp, FieldSpec, PileSpec, RulesetSpec, TypeSpec
from runtime.program import Program
from runtime.scenario import SetUp, load
from runtime.scenario.finding import suggestion
from runtime.scenario.yaml_text import Mapping as YamlMapping
from runtime.scenario.yaml_text import Node, plain, read
from runtime.state import RulesetFault, StateBase, values_of

_FILE_KEYS = ("ruleset", "scenario", "cases", "notes", "provenance")
_CASE_KEYS = ("name", "rules", "position", "fields", "piles", "effects", "run", "dice", "actions", "expect", "seed", "switches", "note")
_EXPECT_KEYS = (
    "fields",
    "decision",
    "offered",
    "not_offered",
    "options",
    "values",
    "refused",
    "piles",
    "over",
    "winner",
    "ranks",
    "log",
    "not_log",
    "sees",
)
_DECISION_KEYS = ("side", "prompt", "about")
_CALL = re.compile(r"\s*([A-Za-z_]\w*)\s*\((.*)\)\s*$")


class CaseError(Exception):
    """A case cannot be read or set up: what is wrong and where."""


@dataclass
class Case:
    """One case as read, with its place."""

    file: str
    line: int
    data: dict[str, Any]

    @property
    def name(self) -> str:
        """What the case is called."""
        return str(self.data.get("name", f"case at line {self.line}"))

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule IDs it shows."""
        return tuple(str(r) for r in self.data.get("rules", ()))


@dataclass
class CaseFile:
    """A file of cases."""

    path: str
    ruleset: str
    scenario: str
    cases: list[Case]


@dataclass
class Outcome:
    """What came of a case: *problems* is empty when it held."""

    case: Case
    problems: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether everything was as expected."""
        return not self.problems


def read_cases(path: Path, name: str | None = None) -> CaseFile:
    """Read a file of cases; :class:`CaseError` says what is wrong with it and where."""
    shown = name or str(path)
    try:
        text = read_bytes(path)
    except OSError as error:
        raise CaseError(f"{shown}: cannot be read ({error.strerror})") from None
    root, findings = read(text, shown)
    for finding in findings:
        raise CaseError(str(finding))
    if not isinstance(root, YamlMapping):
        raise CaseError(f"{shown}:1:1: a file of cases is a mapping with the keys ruleset, scenario and cases")
    for key, _ in root.entries:
        if key.text not in _FILE_KEYS:
            raise CaseError(f"{shown}:{key.line}:{key.column}: unknown key '{key.text}'; {suggestion(key.text, _FILE_KEYS)}")
    for needed in ("ruleset", "scenario", "cases"):
        if root.get(needed) is None:
            raise CaseError(f"{shown}:1:1: the key '{needed}' is missing")
    nodes = getattr(root.get("cases"), "items", None)
    if nodes is None:
        raise CaseError(f"{shown}:{root.get('cases').line}:1: 'cases' is a list")  # type: ignore[union-attr]
    return CaseFile(shown, str(plain(_get(root, "ruleset"))), str(plain(_get(root, "scenario"))), [_case(shown, node) for node in nodes])


def _get(root: YamlMapping, key: str) -> Node:
    node = root.get(key)
    assert node is not None
    return node


def _case(file: str, node: Node) -> Case:
    data = plain(node)
    if not isinstance(data, dict) or not isinstance(node, YamlMapping):
        raise CaseError(f"{file}:{node.line}:{node.column}: a case is a mapping with a name and what to expect")
    for key, value in node.entries:
        if key.text not in _CASE_KEYS:
            raise CaseError(f"{file}:{key.line}:{key.column}: unknown key '{key.text}' of a case; {suggestion(key.text, _CASE_KEYS)}")
        if key.text == "expect" and isinstance(value, YamlMapping):
            for inner, _ in value.entries:
                if inner.text not in _EXPECT_KEYS:
                    raise CaseError(
                        f"{file}:{inner.line}:{inner.column}: unknown expectation '{inner.text}'; {suggestion(inner.text, _EXPECT_KEYS)}"
                    )
    if not data.get("expect") and not any(isinstance(a, dict) and a.get("expect") for a in data.get("actions") or ()):
        raise CaseError(f"{file}:{node.line}:{node.column}: the case expects nothing, so it cannot fail; add 'expect:'")
    return Case(file, node.line, data)


class _StartedAt:
    """A program that begins where a case says."""

    def __init__(self, program: Program, prepare: Callable[[StateBase], None], begin: Callable[[StateBase], None]) -> None:
        self.program = program
        self.spec = program.spec
        self.prepare = prepare
        self.begin = begin
        self.answer = program.answer
        self.start = program.start
        self.standing = program.standing
        self.score = program.score

    def on(self, board: BoardSetUp | None) -> _StartedAt:
        """The case stands on its board."""
        return self

    def new_state(self, setup: SetUp, seed: int) -> StateBase:
        """The position of the case."""
        state = self.program.new_state(setup, seed)
        self.prepare(state)
        return state


class CaseRunner:
    """Runs cases of one ruleset with one program; values are explained by the checked tree."""

    def __init__(self, checked: ir.Program, program: Program, scenario: dict[str, Any]) -> None:
        self.checked = checked
        self.program = program
        self.spec: RulesetSpec = program.spec
        self.scenario = scenario

    def run(self, case: Case) -> Outcome:
        """Run one case, on the board that its position has."""
        try:
            setup = self._setup(case)
            program = self.program.on(setup.board)
        except (CaseError, ValueError) as error:
            return Outcome(case, [str(error)])
        if program is not self.program:
            return CaseRunner(self.checked, program, self.scenario)._run(case, setup)
        return self._run(case, setup)

    def _run(self, case: Case, setup: SetUp) -> Outcome:
        outcome = Outcome(case)
        game: Game | None = None
        try:
            words = _Words(self.spec, setup)
            script = self._script(case)
            started = _StartedAt(self.program, lambda s: self._prepare(case, words, s), lambda s: self._begin(case, words, s))
            game = Game(started, setup, int(case.data.get("seed", 1)), script)
            for number, action in enumerate(case.data.get("actions") or (), 1):
                self._act(game, action, number, words, outcome)
            self._expect(game, case.data.get("expect") or {}, words, outcome.problems, "")
            outcome.problems += _unrolled(game.state)
        except (CaseError, ChoiceError, RulesetFault, ValueError) as error:
            outcome.problems.append(str(error))
        if game is not None:
            outcome.log = game.log
            outcome.actions = game.actions
        return outcome

    # ------------------------------------------------------------------ the position

    def _setup(self, case: Case) -> SetUp:
        body = dict(self.scenario)
        for key in ("roster", "map"):
            body.pop(key, None)
        position = case.data.get("position") or {}
        if not isinstance(position, dict):
            raise CaseError("'position' is a mapping like a scenario")
        for key, value in position.items():
            if key != "board" and isinstance(value, dict) and isinstance(body.get(key), dict):
                body[key] = {**body[key], **value} if key != "sides" else _merged(body[key], value)
            else:
                body[key] = value
        if case.data.get("switches"):
            body["switches"] = {**(body.get("switches") or {}), **case.data["switches"]}
        setup, findings = load(yaml.safe_dump(_quoted(body), allow_unicode=True, sort_keys=False), self.spec, name="position")
        for finding in findings:
            if finding.is_error:
                raise CaseError(f"the position: {finding.message}" + (f" ({finding.remedy})" if finding.remedy else ""))
        assert setup is not None
        return setup

    def _script(self, case: Case) -> Mapping[str, Sequence[int | str]] | None:
        dice = case.data.get("dice")
        if dice is None:
            return None
        if isinstance(dice, list):
            if len(self.spec.dice) != 1:
                raise CaseError(f"'dice' must say which die: {', '.join(d.name for d in self.spec.dice)}")
            return {self.spec.dice[0].name: dice}
        return dict(dice)

    def _prepare(self, case: Case, words: _Words, state: StateBase) -> None:
        for key, value in (case.data.get("fields") or {}).items():
            words.set_field(state, str(key), value)
        for key, cards in (case.data.get("piles") or {}).items():
            words.set_pile(state, str(key), cards or [])
        for text in case.data.get("effects") or ():
            self._effect(state, str(text), words)

    def _effect(self, state: StateBase, text: str, words: _Words) -> None:
        match = _CALL.match(text)
        name = match.group(1) if match else text
        effect = next((e for e in self.spec.effects if e.name == name), None)
        if effect is None:
            raise CaseError(f"unknown effect '{name}'; {suggestion(name, [e.name for e in self.spec.effects])}")
        given = [word.strip() for word in match.group(2).split(",")] if match and match.group(2).strip() else []
        if len(given) != len(effect.params):
            wanted = f"write {name}({', '.join(effect.names)})"
            raise CaseError(f"effect {name} is given {len(given)} of {len(effect.params)} arguments; {wanted}")
        bit = 0
        for word, param in zip(given, effect.params, strict=True):
            bit = bit * values_of(state, param) + words.value(param, word)
        setattr(state, effect.slot, getattr(state, effect.slot) | 1 << bit)

    def _begin(self, case: Case, words: _Words, state: StateBase) -> None:
        run = case.data.get("run")
        if run is None:
            self.program.begin(state)
            return
        if str(run).strip() == "nothing":
            return
        name, args = self._call(
            str(run), words, {n: [(q.name, q.type) for q in p.params] for n, p in self.checked.procedures.items()}, "procedure"
        )
        self.program.start(state, name, args)

    def _call(self, text: str, words: _Words, known: Mapping[str, list[tuple[str, Type]]], what: str) -> tuple[str, list[int]]:
        match = _CALL.match(text)
        if match is None:
            raise CaseError(f"'{text}' is no call; write name(argument, argument)")
        name = match.group(1)
        if name not in known:
            raise CaseError(f"unknown {what} '{name}'; {suggestion(name, list(known))}")
        given = [a.strip() for a in match.group(2).split(",")] if match.group(2).strip() else []
        params = known[name]
        if len(given) != len(params):
            raise CaseError(f"{name} takes {len(params)} arguments ({', '.join(n for n, _ in params)}), here are {len(given)}")
        return name, [words.value(type_.spec(), text) for text, (_, type_) in zip(given, params, strict=True)]

    # ------------------------------------------------------------------ playing

    def _act(self, game: Game, action: Any, number: int, words: _Words, outcome: Outcome) -> None:
        if isinstance(action, dict):
            if "expect" in action and "do" not in action:
                self._expect(game, action["expect"], words, outcome.problems, f"before action {number}: ")
                return
            by = action.get("by")
            decision = game.decision
            if by is not None and decision is not None and decision.name != by:
                raise CaseError(f"action {number} is {by}'s, but {decision.name} decides ({decision.question}: {_options(game)})")
            action = action.get("do", "")
        if game.over:
            raise CaseError(f"action {number} '{action}': nothing is to be decided any more")
        try:
            game.play(str(action))
        except ChoiceError as error:
            decision = game.decision
            assert decision is not None
            raise CaseError(f"action {number}: {error} ({decision.name} decides: {decision.question})") from None

    # ------------------------------------------------------------------ expectations

    def _expect(self, game: Game, wanted: Any, words: _Words, problems: list[str], when: str) -> None:
        if not isinstance(wanted, dict):
            raise CaseError("'expect' is a mapping")
        for key in wanted:
            if key not in _EXPECT_KEYS:
                raise CaseError(f"unknown expectation '{key}'; {suggestion(str(key), _EXPECT_KEYS)}")

        def problem(text: str) -> None:
            problems.append(when + text)

        state = game.state
        for key, value in (wanted.get("fields") or {}).items():
            expected, actual, type_ = words.compare(state, str(key), value)
            if expected != actual:
                problem(f"{key}: expected {words.name(type_, expected)}, is {words.name(type_, actual)}")
        for key, cards in (wanted.get("piles") or {}).items():
            actual_cards = words.pile(state, str(key))
            if sorted(str(c) for c in cards or []) != sorted(actual_cards):
                problem(f"pile {key}: expected {', '.join(map(str, cards or [])) or 'nothing'}, is {', '.join(actual_cards) or 'nothing'}")
        self._decision(game, wanted, problem)
        for text, value in (wanted.get("values") or {}).items():
            self._value(state, str(text), value, words, problem)
        for text, citation in (wanted.get("refused") or {}).items():
            self._refused(state, str(text), citation, words, problem)
        if "over" in wanted and bool(wanted["over"]) != game.over:
            problem(f"over: expected {str(bool(wanted['over'])).lower()}, is {str(game.over).lower()}")
        self._ended(game, wanted, problem)
        if "sees" in wanted:
            check_sees(game, wanted["sees"], words, problem)
        text = "\n".join(game.log)
        for words_ in wanted.get("log") or ():
            if str(words_) not in text:
                problem(f"log: expected a line with '{words_}'")
        for words_ in wanted.get("not_log") or ():
            if str(words_) in text:
                problem(f"log: expected no line with '{words_}'")

    def _ended(self, game: Game, wanted: dict[str, Any], problem: Callable[[str], None]) -> None:
        """Who has won, and the ranks."""
        sides = game.spec.sides
        if "winner" in wanted:
            given = wanted["winner"] if wanted["winner"] is not None else "none"
            expected = [str(side) for side in given] if isinstance(given, list) else [str(given)]
            for side in expected:
                if side not in sides and (isinstance(given, list) or side not in ("tie", "none")):
                    raise CaseError(f"winner: there is no side '{side}'; sides: {', '.join(sides)}, or tie, or none")
            actual = list(game.winners) or ["nobody yet" if not game.over else "tie" if game.result == TIE else "none"]
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

    def _decision(self, game: Game, wanted: dict[str, Any], problem: Callable[[str], None]) -> None:
        decision = game.decision
        if "decision" in wanted:
            expected = wanted["decision"]
            shown = f"{decision.name} decides {decision.question} ({_options(game)})" if decision else "nothing is to be decided"
            if expected in (None, "none"):
                if decision is not None:
                    problem(f"decision: expected none, but {shown}")
            elif decision is None:
                problem(f"decision: expected {expected}, but {shown}")
            else:
                for key in expected if isinstance(expected, dict) else (expected,):
                    if not isinstance(expected, dict) or key not in _DECISION_KEYS:
                        raise CaseError(f"'{key}' cannot be expected of a decision; {suggestion(str(key), _DECISION_KEYS)}")
                for key, actual in (("side", decision.name), ("prompt", decision.prompt)):
                    if key in expected and str(expected[key]) != actual:
                        problem(f"decision: expected {key} {expected[key]}, but {shown}")
                if "about" in expected and [str(v) for v in expected["about"] or ()] != [s.text for s in decision.about]:
                    problem(f"decision: expected about {', '.join(map(str, expected['about'] or ())) or 'nothing'}, but {shown}")
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

    def _value(self, state: StateBase, text: str, wanted: Any, words: _Words, problem: Callable[[str], None]) -> None:
        calls = {n: [(p.name, p.type) for p in c.params] for n, c in self.checked.calls.items()}
        name, args = self._call(text, words, calls, "quantity, permission or function")
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
                    problem(f"{text}: modifier {label} should apply; applied: {', '.join(r.label for r in applied) or 'none'}")
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

    def _refused(self, state: StateBase, text: str, citation: Any, words: _Words, problem: Callable[[str], None]) -> None:
        permissions = {n: [(p.name, p.type) for p in c.params] for n, c in self.checked.calls.items() if c.kind == "permission"}
        name, args = self._call(text, words, permissions, "permission")
        trace = explain_permission(self.checked, state, name, list(args))
        if trace.allowed:
            problem(f"{text} should be refused by {citation}, but is allowed")
            return
        cited = {c for r in trace.refusing for c in (*r.all_citations, r.label)}
        if str(citation) not in cited:
            problem(f"{text}: expected to be refused by {citation}, is refused by {', '.join(sorted(cited)) or 'nothing in particular'}")


def _unrolled(state: StateBase) -> list[str]:
    """Scripted dice that were never rolled: the case did not go as its author thought."""
    left = {die: faces for die, faces in (state.script or {}).items() if faces and die != "shuffle"}
    return [f"dice: {len(faces)} of {die} were never {'drawn' if die == 'draw' else 'rolled'}" for die, faces in left.items()]


def _merged(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    return {key: {**base.get(key, {}), **more.get(key, {})} for key in {**base, **more}}


def _quoted(value: Any) -> Any:
    """Plain data that the strict reader reads back as it is (hex labels and words stay text)."""
    if isinstance(value, dict):
        return {str(k): _quoted(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_quoted(v) for v in value]
    return value


def _options(game: Game) -> str:
    decision = game.decision
    return ", ".join(o.text for o in decision.options) if decision else ""


class _Words:
    """Reads and writes values of a state by the names people use."""

    def __init__(self, spec: RulesetSpec, setup: SetUp) -> None:
        self.spec = spec
        self.setup = setup
        self.pieces = {piece.name: (kind, i) for kind, pieces in setup.pieces.items() for i, piece in enumerate(pieces)}

    def value(self, type_: TypeSpec | None, text: Any) -> int:
        """The int that a text means as a value of *type_*."""
        assert type_ is not None
        if type_.kind == "bool":
            if text in (True, "true", "yes", 1):
                return 1
            if text in (False, "false", "no", 0):
                return 0
            raise CaseError(f"'{text}' is neither true nor false")
        if type_.kind == "int":
            try:
                return int(text)
            except (TypeError, ValueError):
                raise CaseError(f"'{text}' is not a whole number") from None
        if type_.kind == "set":
            items = text if isinstance(text, list) else str(text).split()
            return sum({1 << self.value(type_.of, item) for item in items if item not in ("none", "")})
        word = str(text).strip() if text is not None else "none"
        if word == "none":
            return NONE
        if type_.kind == "hex":
            try:
                return self.spec.board.index(word)
            except ValueError as error:
                raise CaseError(str(error)) from None
        if type_.kind == "piece":
            kind, index = self.pieces.get(word, ("", NONE))
            kinds = self.spec.kinds_of(type_.name)
            if kind not in kinds:
                known = [n for n, (k, _) in self.pieces.items() if k in kinds]
                raise CaseError(f"there is no {type_.name} called '{word}'; {suggestion(word, known)}")
            return self.setup.common_number(kinds, kind, index)
        members = self.spec.enums[type_.name]
        if word not in members:
            raise CaseError(f"'{word}' is not a member of {type_.name}; {suggestion(word, members)}")
        return members.index(word)

    def name(self, type_: TypeSpec, value: int) -> str:
        """A value as people write it."""
        if type_.kind == "bool":
            return "true" if value else "false"
        if type_.kind == "set" and type_.of is not None:
            return " ".join(self.name(type_.of, v) for v in bits(value)) or "none"
        if value == NONE and type_.kind in ("hex", "enum", "piece"):
            return "none"
        if type_.kind == "hex":
            return self.spec.board.label(value)
        if type_.kind == "enum":
            return self.spec.enums[type_.name][value]
        if type_.kind == "piece":
            return self.setup.pieces_of(self.spec.kinds_of(type_.name))[value].name
        return str(value)

    def _field(self, key: str) -> tuple[Any, int | None]:
        """The field that ``name.field`` or ``field`` means, and whose it is."""
        owner_text, _, name = key.rpartition(".")
        if not owner_text:
            found = next((f for f in self.spec.fields if f.owner == "Game" and f.name == name), None)
            if found is None:
                known = [f.name for f in self.spec.fields if f.owner == "Game"]
                raise CaseError(f"the game has no field '{name}'; {suggestion(name, known)}")
            return found, None
        if owner_text in self.pieces:
            owner, index = self.pieces[owner_text]
        else:
            enum = next(
                (e for e, members in self.spec.enums.items() if owner_text in members and any(f.owner == e for f in self.spec.fields)), None
            )
            if enum is not None:
                owner, index = enum, self.spec.enums[enum].index(owner_text)
            else:
                try:
                    owner, index = "Hex", self.spec.board.index(owner_text)
                except ValueError:
                    known = [*self.pieces, *self.spec.sides]
                    raise CaseError(f"'{owner_text}' is no piece, side, member or hex; {suggestion(owner_text, known)}") from None
        found = next((f for f in self.spec.fields if f.owner == owner and f.name == name), None)
        if found is None:
            raise CaseError(f"{owner} has no field '{name}'; {suggestion(name, [f.name for f in self.spec.fields if f.owner == owner])}")
        return found, index

    def field(self, key: str) -> tuple[FieldSpec, int | None]:
        """The field that ``name.field`` or ``field`` means, and whose it is."""
        found, index = self._field(key)
        return found, index

    def pile_of(self, key: str) -> tuple[PileSpec, int | None]:
        """The pile that ``pile`` or ``pile[owner]`` means, and whose it is."""
        found, index = self._pile(key)
        return found, index

    def compare(self, state: StateBase, key: str, wanted: Any) -> tuple[int, int, TypeSpec]:
        """Expected value, actual value and their type."""
        found, index = self._field(key)
        column = getattr(state, found.slot)
        return self.value(found.type, wanted), int(column if index is None else column[index]), found.type

    def set_field(self, state: StateBase, key: str, wanted: Any) -> None:
        """Give a field a value, keeping the index of places right."""
        found, index = self._field(key)
        value = self.value(found.type, wanted)
        if index is None:
            setattr(state, found.slot, value)
        elif found.place:
            state.place(found, index, value)
        elif found.fixed:
            raise CaseError(f"'{key}' is fixed; say it in the position")
        else:
            column = list(getattr(state, found.slot))
            column[index] = value
            setattr(state, found.slot, column)

    def _pile(self, key: str) -> tuple[Any, int | None]:
        match = re.fullmatch(r"(\w+)(?:\[(\w+)\])?", key)
        pile = self.spec.piles.get(match.group(1)) if match else None
        if pile is None or match is None:
            raise CaseError(f"there is no pile '{key}'; {suggestion(key, self.spec.piles)}")
        if (pile.per is None) != (match.group(2) is None):
            raise CaseError(f"write {pile.name}[{pile.per}]" if pile.per else f"there is only one pile '{pile.name}'")
        return pile, self.value(TypeSpec("enum", pile.per), match.group(2)) if pile.per else None

    def set_pile(self, state: StateBase, key: str, cards: list[Any]) -> None:
        """Give a pile its cards, the last on top."""
        pile, index = self._pile(key)
        values = [self.value(TypeSpec("enum", pile.enum), c) for c in cards]
        if pile.visibility == "owner":
            values.sort()
        if index is None:
            setattr(state, pile.slot, values)
        else:
            getattr(state, pile.slot)[index] = values

    def pile(self, state: StateBase, key: str) -> list[str]:
        """The cards of a pile by name."""
        pile, index = self._pile(key)
        content = getattr(state, pile.slot)
        return [self.spec.enums[pile.enum][c] for c in (content if index is None else content[index])]
