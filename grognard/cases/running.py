"""Running cases: the position set up, the actions taken, what is expected compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from compiler import ir
from grognard.cases.comparing import Comparison, Place, options_of
from grognard.cases.reading import Case, CaseError
from grognard.cases.setting import prepare, script_of, set_up
from grognard.cases.shadow import ShadowProgram, Watch
from grognard.cases.words import Words
from runtime.chance import left_in
from runtime.game import ChoiceError, Game
from runtime.model import BoardSetUp, RulesetSpec
from runtime.program import Program
from runtime.scenario import SetUp
from runtime.scenario.finding import suggestion
from runtime.state import RUNNING, RulesetFault, StateBase

#: What is expected that only the watched interpreter can tell.
_WATCHED = ("taken", "over", "winner", "ranks")
#: What goes wrong in running a case: what its author or the ruleset's has written.
_WRONG = (CaseError, ChoiceError, RulesetFault, ValueError)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a case: *problems* are the differences from what it expects, empty when it held.

    *log* holds the notes of the game as sentences, *actions* the options taken, those that were taken without
    asking in parentheses (these only of a case that did not hold).
    """

    case: Case
    problems: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything was as expected."""
        return not self.problems


class _SetUp:
    """A program that has set a position up, and waits to be told what to run."""

    def __init__(self, program: Program, case: Case, words: Words) -> None:
        self.program = program
        self.spec = program.spec
        self.case = case
        self.words = words
        self.answer = program.answer
        self.start = program.start
        self.standing = program.standing
        self.score = program.score
        self.decision_limit = program.decision_limit
        self.value = program.value
        self.foretell = program.foretell

    def on(self, board: BoardSetUp | None) -> _SetUp:
        """The case stands on its board."""
        return self

    def new_state(self, setup: SetUp, seed: int) -> StateBase:
        """The position of the case."""
        state = self.program.new_state(setup, seed)
        prepare(self.case, self.words, state)
        return state

    def begin(self, state: StateBase) -> None:
        """Nothing yet."""


class CaseRunner:
    """Runs cases of one ruleset with one program; values are explained by the checked tree.

    *scenario* is the scenario that the cases are for, as plain data; *index* the rule IDs of the ruleset's
    rulebook, of which those that cases name must be, unless it is empty.
    """

    def __init__(
        self, checked: ir.Program, program: Program, scenario: dict[str, Any], index: Iterable[str] = ()
    ) -> None:
        self.checked = checked
        self.program = program
        self.spec: RulesetSpec = program.spec
        self.scenario = scenario
        self.index = frozenset(index)

    def run(self, case: Case) -> Outcome:
        """Run one case, on the board that its position has."""
        unknown = self._unknown_rules(case)
        if unknown:
            return Outcome(case, tuple(unknown))
        place = Place(case, ("position",) if "position" in case.data else ())
        try:
            setup = set_up(case, self.scenario, self.spec)
            program = self.program.on(setup.board)
        except (CaseError, ValueError) as error:
            if isinstance(error, CaseError) and "position" in case.data and error.path:
                place.go(*error.path)
            return Outcome(case, (place.told(str(error)),))
        return _Playing(self.checked, program, case, setup).outcome()

    def begin(self, case: Case) -> Game:
        """The game of a case, where its actions begin, on the board that its position has.  CaseError,
        RulesetFault, ValueError.
        """
        setup = set_up(case, self.scenario, self.spec)
        return _Playing(self.checked, self.program.on(setup.board), case, setup).begun()

    def _unknown_rules(self, case: Case) -> list[str]:
        """What to say of rule IDs that are not in the rulebook's index."""
        wrong = [(i, rule) for i, rule in enumerate(case.rules) if self.index and rule not in self.index]
        return [
            Place(case, ("rules", i)).told(
                f"the rulebook index has no rule '{rule}'; {suggestion(rule, self.index)}".rstrip("; ")
            )
            for i, rule in wrong
        ]


class _Playing:
    """One case being played, and beside it, where that is needed, by the watched interpreter."""

    def __init__(self, checked: ir.Program, program: Program, case: Case, setup: SetUp) -> None:
        self.checked = checked
        self.program = program
        self.case = case
        self.setup = setup
        self.words = Words(program.spec, setup)
        self.place = Place(case)
        self.problems: list[str] = []
        self.games: list[tuple[Game, Program]] = []
        self.watch = Watch()
        #: what to say of a procedure that ended at once, having done nothing
        self.idle = ""
        #: the call that was run last
        self.started = ""
        #: how many actions were done
        self.done = 0

    def outcome(self) -> Outcome:
        """Play it."""
        try:
            self._play()
        except _WRONG as error:
            if isinstance(error, CaseError) and error.path:
                self.place.go(*error.path)
            self.problems.append(self.place.told(str(error)))
        problems = tuple(self.problems)
        if not self.games:
            return Outcome(self.case, problems)
        game = self.games[0][0]
        actions = self._course(game.actions) if problems else game.actions
        return Outcome(self.case, problems, tuple(game.log), tuple(actions))

    def begun(self) -> Game:
        """The game where the actions begin."""
        game = self._add(self.program)
        self._begin()
        return game

    def _play(self) -> None:
        data = self.case.data
        game = self._add(self.program)
        runs = any(isinstance(a, dict) and "run" in a for a in data.get("actions") or ())
        watch = self.watch if runs or _asks(data, _WATCHED) else None
        if watch is not None:
            self._add(ShadowProgram(self.checked, self.program.spec, watch))
        self._begin()
        comparison = Comparison(self.checked, game, self.words, self.problems, self.place, watch)
        for number, action in enumerate(data.get("actions") or (), 1):
            path = ("actions", number - 1)
            if isinstance(action, dict) and "expect" in action:
                comparison.check(action["expect"], (*path, "expect"), f"before action {number}: ")
            else:
                self.place.go(*path)
                self._act(action, number)
            self.done = number
        if "expect" in data:
            comparison.check(data["expect"], ("expect",))
        self.place.go("dice")
        self.problems += map(self.place.told, _unrolled(game.state))
        if (
            self.idle
            and not _asks(data, ("taken", "rolls", "over", "winner", "ranks"))
            and not _expects_no_decision(data)
        ):
            self.place.go("run")
            text = (
                f"{self.idle}, so the case shows nothing; where just that is meant, expect 'decision: none'"
            )
            self.problems.append(self.place.told(text))

    def _add(self, program: Program) -> Game:
        """One more game that is played, before anything has been done."""
        self.place.go("dice")
        script = script_of(self.case, self.program.spec)
        self.place.go()
        started = _SetUp(program, self.case, self.words)
        try:
            game = Game(started, self.setup, int(self.case.data.get("seed", 1)), script)
        except ValueError:  # of the script
            self.place.go("dice")
            raise
        self.games.append((game, program))
        return game

    # ------------------------------------------------------------------ playing

    def _begin(self) -> None:
        run = self.case.data.get("run")
        if run is None:
            for game, program in self.games:
                program.begin(game.state)
        elif str(run).strip() != "nothing":
            self.place.go("run")
            self._start(str(run))

    def _start(self, call: str) -> None:
        """Start a procedure."""
        procedures = {n: [(q.name, q.type) for q in p.params] for n, p in self.checked.procedures.items()}
        name, args = self.words.call(call, procedures, "procedure")
        first = self.games[0][0]
        before = _mark(first)
        for game, program in self.games:
            game.state.over, game.state.ranks = RUNNING, ()
            program.start(game.state, name, list(args))
        done = first.over and _mark(first) == before
        self.started = call
        self.idle = f"{call} ended at once: nothing was asked, noted or changed" if done else ""

    def _act(self, action: Any, number: int) -> None:
        game = self.games[0][0]
        if isinstance(action, dict) and "run" in action:
            if game.decision is not None:
                raise CaseError(f"action {number} runs {action['run']}, but {_pending(game)}")
            if game.over and not self.watch.returned:
                raise CaseError(f"action {number} runs {action['run']}, but the game is over")
            self._start(str(action["run"]))
            return
        if isinstance(action, dict):
            by = action.get("by")
            if by is not None and by not in game.spec.sides:
                raise CaseError(f"there is no side '{by}'; {suggestion(str(by), game.spec.sides)}")
            if by is not None and game.decision is not None and game.decision.name != by:
                raise CaseError(f"action {number} is {by}'s, but {_pending(game)}")
            action = action["do"]
        decision = game.decision
        if decision is None:
            raise CaseError(
                f"action {number} '{action}': nothing is to be decided any more{self._why_ended()}"
            )
        try:
            game.play(str(action))
        except ChoiceError as error:
            raise CaseError(
                f"action {number}: {error} ({decision.name} decides: {decision.question})"
            ) from None
        for shadow, _ in self.games[1:]:
            shadow.play(game.actions[-1])

    def _why_ended(self) -> str:
        """What to say of a procedure that asked nothing, and of hands that were empty."""
        game = self.games[0][0]
        if game.actions or not self.started:
            return ""
        spec, sides = game.spec, game.spec.sides
        empty = [
            f"{pile.name}[{side}]"
            for pile in spec.piles.values()
            for i, side in enumerate(sides)
            if pile.per == "Side" and pile.visibility == "owner" and not getattr(game.state, pile.slot)[i]
        ]
        return f" ({self.started} ended without asking anything" + (
            f"; empty: {', '.join(empty)})" if empty else ")"
        )

    def _course(self, actions: Sequence[str]) -> Sequence[str]:
        """The actions, with the options that were taken without asking in parentheses."""
        playing = _Playing(self.checked, self.program, self.case, self.setup)
        watch, course = playing.watch, list[str]()
        try:
            shadow = playing._add(ShadowProgram(self.checked, self.program.spec, watch))
            playing._begin()
            left = list(actions)
            for action in (None, *(self.case.data.get("actions") or ())[: self.done]):
                if isinstance(action, dict) and "run" in action:
                    playing._start(str(action["run"]))
                elif action is not None and not (isinstance(action, dict) and "expect" in action):
                    shadow.play(left[0])
                    course.append(left.pop(0))
                course += [f"({shadow.wording.option(*one).text})" for one in watch.taken]
                watch.taken.clear()
        except _WRONG:
            return actions
        return course


def _mark(game: Game) -> tuple[Any, ...]:
    """What changes when something happens in a game, other than that it is over."""
    state = game.state
    over, ranks = state.over, state.ranks
    state.over, state.ranks = RUNNING, ()
    mark = (state.hash(), tuple(state.counters), game.notes)
    state.over, state.ranks = over, ranks
    return mark


def _pending(game: Game) -> str:
    decision = game.decision
    return (
        f"{decision.name} decides ({decision.question}: {options_of(game)})"
        if decision
        else "nothing is to be decided"
    )


def _expectations(data: dict[str, Any]) -> list[dict[str, Any]]:
    """All expectations of a case."""
    actions = [a.get("expect") for a in data.get("actions") or () if isinstance(a, dict)]
    return [one for one in (data.get("expect"), *actions) if isinstance(one, dict)]


def _asks(data: dict[str, Any], keys: Iterable[str]) -> bool:
    """Whether a case expects one of these."""
    return any(key in expected for expected in _expectations(data) for key in keys)


def _expects_no_decision(data: dict[str, Any]) -> bool:
    return any(expected.get("decision") == "none" for expected in _expectations(data))


def _unrolled(state: StateBase) -> list[str]:
    """Scripted dice that were never rolled: the case did not go as its author thought."""
    left = {die: left_in(state.script, die) for die in state.script or () if die != "shuffle"}
    return [
        f"dice: {count} of {die} were never {'drawn' if die == 'draw' else 'rolled'}"
        for die, count in left.items()
        if count
    ]
