"""Running cases: the position set up, the actions taken, what is expected compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from compiler import ir
from grognard.cases.expectations import CasePlace, Comparison, options_of, taken_texts
from grognard.cases.file import Case, CaseError
from grognard.cases.positions import set_up, standing
from grognard.cases.words import CaseWords
from runtime.chance import left_in
from runtime.data.findings import suggestion
from runtime.errors import IllegalOption, words_of
from runtime.games.game import Game
from runtime.model import RulesetSpec
from runtime.program import Program
from runtime.scenario import SetUp
from runtime.state import RUNNING, RulesetFault, StateBase
from runtime.words.said import said

#: What may be expected of a procedure that does nothing.
_OF_NOTHING = {"taken", "rolls", "over", "winner", "ranks"}
#: What goes wrong in running a case: what its author or the ruleset's has written.
_WRONG = (CaseError, IllegalOption, RulesetFault, ValueError)


def _words_of(error: Exception) -> str:
    """What is wrong; a case does not say how to mend its ruleset."""
    return error.message if isinstance(error, RulesetFault) else words_of(error)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a case: *problems* are the differences from what it expects, empty when it held.

    *log* holds the notes of the game as sentences, *actions* the options taken, those that were
    taken without asking in parentheses (these only of a case that did not hold).
    """

    case: Case
    problems: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything was as expected."""
        return not self.problems


class CaseRunner:
    """Runs cases of one ruleset with one program; values are explained by the checked tree.

    *scenario* is the scenario that the cases are for, as plain data; *index* the rule IDs of the
    ruleset's rulebook, of which those that cases name must be, unless it is empty.
    """

    def __init__(
        self,
        checked: ir.Program,
        program: Program,
        scenario: dict[str, Any],
        index: Iterable[str] = (),
    ) -> None:
        self.checked = checked
        self.program = program
        self.spec: RulesetSpec = program.spec
        self.scenario = scenario
        self.index = frozenset(index)
        #: by what cases say of position and switches, how they are set up, and the program on it
        self._set_ups: dict[str, tuple[SetUp, Program]] = {}

    def run(self, case: Case) -> Outcome:
        """Run one case, on the board that its position has."""
        if unknown := tuple(self._unknown_rules(case)):
            return Outcome(case, unknown)
        place = CasePlace(case, ("position",) if "position" in case.data else ())
        try:
            setup, program = self._set_up(case)
        except (CaseError, ValueError) as error:
            if isinstance(error, CaseError) and "position" in case.data and error.path:
                place.go(*error.path)
            return Outcome(case, (place.with_line(_words_of(error)),))
        return _Playing(self.checked, program, case, setup).outcome()

    def _set_up(self, case: Case) -> tuple[SetUp, Program]:
        """The position of a case, and the program on its board."""
        key = repr((case.data.get("position"), case.data.get("switches")))
        if key not in self._set_ups:
            setup = set_up(case.data, self.scenario, self.spec)
            self._set_ups[key] = setup, self.program.on(setup.board)
        return self._set_ups[key]

    def _unknown_rules(self, case: Case) -> Iterator[str]:
        """What to say of rule IDs that are not in the rulebook's index."""
        for i, rule in enumerate(case.rules if self.index else ()):
            if rule not in self.index:
                known = suggestion(rule, self.index)
                text = said(
                    "the rulebook index has no rule '{rule}'; {known}", rule=rule, known=known
                ).rstrip("; ")
                yield CasePlace(case, ("rules", i)).with_line(text)


class _Playing:
    """One case being played."""

    def __init__(self, checked: ir.Program, program: Program, case: Case, setup: SetUp) -> None:
        self.checked = checked
        self.program = program
        self.case = case
        self.setup = setup
        self.words = CaseWords(program.spec, setup)
        self.place = CasePlace(case)
        self.problems: list[str] = []
        self.game: Game | None = None
        #: the options taken so far, those that were taken without asking in parentheses
        self.course: list[str] = []
        #: what to say of a procedure that ended at once, having done nothing
        self.idle = ""
        #: the call that was run last
        self.started = ""

    def outcome(self) -> Outcome:
        """Play it."""
        try:
            self._play()
        except _WRONG as error:
            if isinstance(error, CaseError) and error.path:
                self.place.go(*error.path)
            self.problems.append(self.place.with_line(_words_of(error)))
        problems, game = tuple(self.problems), self.game
        if game is None:
            return Outcome(self.case, problems)
        return Outcome(
            self.case,
            problems,
            tuple(game.log),
            tuple(self.course if problems else (text for _, text in game.actions)),
        )

    def _play(self) -> None:
        data = self.case.data
        self.place.go()
        game = self.game = standing(self.program, self.setup, data, self.words)
        self._begin(game)
        comparison = Comparison(self.checked, game, self.words, self.problems, self.place)
        for number, action in enumerate(data.get("actions") or (), 1):
            path = ("actions", number - 1)
            if isinstance(action, dict) and "expect" in action:
                comparison.check(
                    action["expect"],
                    (*path, "expect"),
                    said("before action {number}: ", number=number),
                )
            else:
                self.place.go(*path)
                self._act(game, action, number)
        if "expect" in data:
            comparison.check(data["expect"], ("expect",))
        self.place.go("dice")
        self.problems += map(self.place.with_line, _dice_not_rolled(game.spec, game.state))
        if self.idle and not _expects_nothing(data):
            self.place.go("run")
            remedy = "where just that is meant, expect 'decision: none'"
            text = said(
                "{idle}, so the case shows nothing; {remedy}", idle=self.idle, remedy=remedy
            )
            self.problems.append(self.place.with_line(text))

    # ------------------------------------------------------------------ playing

    def _begin(self, game: Game) -> None:
        run = self.case.data.get("run")
        if run is None:
            game.begin()
            self._follow(game)
        elif str(run).strip() != "nothing":
            self.place.go("run")
            self._start(game, str(run))

    def _start(self, game: Game, call: str) -> None:
        """Start a procedure."""
        before = _mark(game)
        game.start(*self.words.procedure(call))
        self._follow(game)
        done = game.over and _mark(game) == before
        self.started = call
        self.idle = (
            said("{call} ended at once: nothing was asked, noted or changed", call=call)
            if done
            else ""
        )

    def _follow(self, game: Game, *action: str) -> None:
        """Note an action and what came of it without asking."""
        self.course += [*action, *(f"({text})" for text in taken_texts(game, latest=True))]

    def _act(self, game: Game, action: Any, number: int) -> None:
        if isinstance(action, dict) and "run" in action:
            if game.decision is not None:
                raise CaseError(
                    said(
                        "action {number} runs {run}, but {pending}",
                        number=number,
                        run=action["run"],
                        pending=_pending(game),
                    )
                )
            if game.over and not game.returned:
                raise CaseError(
                    said(
                        "action {number} runs {run}, but the game is over",
                        number=number,
                        run=action["run"],
                    )
                )
            self._start(game, str(action["run"]))
            return
        if isinstance(action, dict):
            by = action.get("by")
            if by is not None and by not in game.spec.sides:
                raise CaseError(
                    said(
                        "there is no side '{by}'; {suggestion}",
                        by=by,
                        suggestion=suggestion(str(by), game.spec.sides),
                    )
                )
            if by is not None and game.decision is not None and game.decision.name != by:
                raise CaseError(
                    said(
                        "action {number} is {by}'s, but {pending}",
                        number=number,
                        by=by,
                        pending=_pending(game),
                    )
                )
            action = action["do"]
        decision = game.decision
        if decision is None:
            ended = said(
                "nothing is to be decided any more{why_ended}", why_ended=self._why_ended(game)
            )
            raise CaseError(
                said(
                    "action {number} '{action}': {ended}", number=number, action=action, ended=ended
                )
            )
        try:
            game.play(self.words.geometry(str(action)))
        except IllegalOption as error:
            raise CaseError(
                said(
                    "action {number}: {message}; {remedy} ({name} decides: {question})",
                    number=number,
                    message=error.message,
                    remedy=error.remedy,
                    name=decision.name,
                    question=decision.question,
                )
            ) from None
        self._follow(game, game.actions[-1][1])

    def _why_ended(self, game: Game) -> str:
        """What to say of a procedure that asked nothing, and of hands that were empty."""
        if game.actions or not self.started:
            return ""
        spec, sides = game.spec, game.spec.sides
        empty = [
            f"{pile.name}[{side}]"
            for pile in spec.piles.values()
            for i, side in enumerate(sides)
            if pile.per == "Side"
            and pile.visibility == "owner"
            and not getattr(game.state, pile.slot)[i]
        ]
        return said(" ({started} ended without asking anything", started=self.started) + (
            said("; empty: {empty})", empty=", ".join(empty)) if empty else ")"
        )


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
        said(
            "{name} decides ({question}: {options_of})",
            name=decision.name,
            question=decision.question,
            options_of=options_of(game),
        )
        if decision
        else "nothing is to be decided"
    )


def _expectations(data: dict[str, Any]) -> list[dict[str, Any]]:
    """All expectations of a case."""
    actions = [a.get("expect") for a in data.get("actions") or () if isinstance(a, dict)]
    return [one for one in (data.get("expect"), *actions) if isinstance(one, dict)]


def _expects_nothing(data: dict[str, Any]) -> bool:
    """Whether a case expects something of a procedure that does nothing."""
    return any(
        expected.get("decision") == "none" or expected.keys() & _OF_NOTHING
        for expected in _expectations(data)
    )


def _dice_not_rolled(spec: RulesetSpec, state: StateBase) -> list[str]:
    """Scripted dice that were never rolled: the case did not go as its author thought."""
    decks = {deck.name for deck in spec.decks}
    left = {die: left_in(state.script, die) for die in state.script or () if die != "shuffle"}
    return [
        said("dice: {count} of {die} were never ", count=count, die=die)
        + ("drawn" if die == "draw" else "shuffled" if die in decks else "rolled")
        for die, count in left.items()
        if count
    ]
