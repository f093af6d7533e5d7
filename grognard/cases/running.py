"""Running cases: the position set up, the actions taken, what is expected compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from compiler import ir
from grognard.cases.comparing import Comparison, options_of
from grognard.cases.reading import Case, CaseError
from grognard.cases.words import CALL, Words
from runtime.game import ChoiceError, Game
from runtime.model import BoardSetUp, RulesetSpec
from runtime.program import Program
from runtime.scenario import SetUp, load
from runtime.scenario.finding import suggestion
from runtime.state import RulesetFault, StateBase, values_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a case: *problems* are the differences from what it expects, empty when it held.

    *log* holds the notes of the game as sentences, *actions* the options taken.
    """

    case: Case
    problems: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything was as expected."""
        return not self.problems


class _StartedAt:
    """A program that begins where a case says."""

    def __init__(
        self, program: Program, prepare: Callable[[StateBase], None], begin: Callable[[StateBase], None]
    ) -> None:
        self.program = program
        self.spec = program.spec
        self.prepare = prepare
        self.begin = begin
        self.answer = program.answer
        self.start = program.start
        self.standing = program.standing
        self.score = program.score
        self.decision_limit = program.decision_limit

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
            return Outcome(case, (str(error),))
        if program is not self.program:
            return CaseRunner(self.checked, program, self.scenario)._run(case, setup)
        return self._run(case, setup)

    def begin(self, case: Case) -> Game:
        """The game of a case, where its actions begin, on the board that its position has.  CaseError, RulesetFault, ValueError."""
        setup = self._setup(case)
        program = self.program.on(setup.board)
        runner = self if program is self.program else CaseRunner(self.checked, program, self.scenario)
        return runner._begun(case, setup, Words(program.spec, setup))

    def _begun(self, case: Case, setup: SetUp, words: Words) -> Game:
        script = self._script(case)
        started = _StartedAt(
            self.program, lambda s: self._prepare(case, words, s), lambda s: self._begin(case, words, s)
        )
        return Game(started, setup, int(case.data.get("seed", 1)), script)

    def _run(self, case: Case, setup: SetUp) -> Outcome:
        problems: list[str] = []
        game: Game | None = None
        try:
            words = Words(self.spec, setup)
            game = self._begun(case, setup, words)
            comparison = Comparison(self.checked, game, words, problems)
            for number, action in enumerate(case.data.get("actions") or (), 1):
                self._act(game, action, number, comparison)
            comparison.check(case.data.get("expect") or {})
            problems += _unrolled(game.state)
        except (CaseError, ChoiceError, RulesetFault, ValueError) as error:
            problems.append(str(error))
        if game is None:
            return Outcome(case, tuple(problems))
        return Outcome(case, tuple(problems), tuple(game.log), tuple(game.actions))

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
        setup, findings = load(
            yaml.safe_dump(_quoted(body), allow_unicode=True, sort_keys=False), self.spec, name="position"
        )
        for finding in findings:
            if finding.is_error:
                raise CaseError(
                    f"the position: {finding.message}" + (f" ({finding.remedy})" if finding.remedy else "")
                )
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

    def _prepare(self, case: Case, words: Words, state: StateBase) -> None:
        for key, value in (case.data.get("fields") or {}).items():
            words.set_field(state, str(key), value)
        for key, cards in (case.data.get("piles") or {}).items():
            words.set_pile(state, str(key), cards or [])
        for text in case.data.get("effects") or ():
            self._effect(state, str(text), words)

    def _effect(self, state: StateBase, text: str, words: Words) -> None:
        match = CALL.match(text)
        name = match.group(1) if match else text
        effect = next((e for e in self.spec.effects if e.name == name), None)
        if effect is None:
            raise CaseError(
                f"unknown effect '{name}'; {suggestion(name, [e.name for e in self.spec.effects])}"
            )
        given = (
            [word.strip() for word in match.group(2).split(",")] if match and match.group(2).strip() else []
        )
        if len(given) != len(effect.params):
            wanted = f"write {name}({', '.join(effect.names)})"
            raise CaseError(
                f"effect {name} is given {len(given)} of {len(effect.params)} arguments; {wanted}"
            )
        bit = 0
        for word, param in zip(given, effect.params, strict=True):
            bit = bit * values_of(state, param) + words.value(param, word)
        setattr(state, effect.slot, getattr(state, effect.slot) | 1 << bit)

    def _begin(self, case: Case, words: Words, state: StateBase) -> None:
        run = case.data.get("run")
        if run is None:
            self.program.begin(state)
            return
        if str(run).strip() == "nothing":
            return
        name, args = words.call(
            str(run),
            {n: [(q.name, q.type) for q in p.params] for n, p in self.checked.procedures.items()},
            "procedure",
        )
        self.program.start(state, name, args)

    # ------------------------------------------------------------------ playing

    def _act(self, game: Game, action: Any, number: int, comparison: Comparison) -> None:
        if isinstance(action, dict):
            if "expect" in action and "do" not in action:
                comparison.check(action["expect"], f"before action {number}: ")
                return
            by = action.get("by")
            decision = game.decision
            if by is not None and decision is not None and decision.name != by:
                raise CaseError(
                    f"action {number} is {by}'s, but {decision.name} decides ({decision.question}: {options_of(game)})"
                )
            action = action.get("do", "")
        if game.over:
            raise CaseError(f"action {number} '{action}': nothing is to be decided any more")
        try:
            game.play(str(action))
        except ChoiceError as error:
            decision = game.decision
            assert decision is not None
            raise CaseError(
                f"action {number}: {error} ({decision.name} decides: {decision.question})"
            ) from None


def _unrolled(state: StateBase) -> list[str]:
    """Scripted dice that were never rolled: the case did not go as its author thought."""
    left = {die: faces for die, faces in (state.script or {}).items() if faces and die != "shuffle"}
    return [
        f"dice: {len(faces)} of {die} were never {'drawn' if die == 'draw' else 'rolled'}"
        for die, faces in left.items()
    ]


def _merged(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    return {key: {**base.get(key, {}), **more.get(key, {})} for key in {**base, **more}}


def _quoted(value: Any) -> Any:
    """Plain data that the strict reader reads back as it is (hex labels and words stay text)."""
    if isinstance(value, dict):
        return {str(k): _quoted(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_quoted(v) for v in value]
    return value
