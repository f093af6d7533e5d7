"""A case made of a game: the position at a moment, what has been chosen and rolled since, and what
has come of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from grognard.cases.file import Case, CaseError
from grognard.cases.positions import set_up, standing
from grognard.cases.runner import CaseRunner
from grognard.cases.words import CaseWords
from runtime.chance import draw, roll, shuffle
from runtime.errors import ArgumentError, RulesError
from runtime.games.game import Game
from runtime.games.position import Position
from runtime.model import FieldSpec, TypeSpec
from runtime.scenario import SetUp
from runtime.state import StateBase
from runtime.words.said import said

#: How many decisions before the moment are tried, where no procedure asks the same question.
_BACK = 60


def made_case(begun: Game, answers: Sequence[str], runner: CaseRunner, name: str) -> dict[str, Any]:
    """A case as plain data, which holds now: from the position of *begun* these *answers* are
    given, and chance gives what it gives in that game.  It is called *name*, put into one line.

    The position is the scenario's, that of *runner*, with what differs.  What runs is, of the
    procedures under way, the innermost which asks the same question if it is run there, and takes
    all answers; where none does, the case begins at the latest earlier decision for which one does,
    or it is the whole game.  It expects the fields that have changed and all sides see, points,
    open piles, and the next decision.

    ArgumentError where the game is not one of the scenario, or cannot be said as a case.
    """
    if begun.spec.hash != runner.spec.hash:
        message = said("the game is played by other rules than the cases")
        raise ArgumentError(message, said("begin it anew"))
    scenario = set_up({"switches": begun.switches}, runner.scenario, runner.spec)
    if scenario.pieces != begun.setup.pieces or scenario.board != begun.setup.board:
        message = said("the game does not begin with the scenario that the cases are for")
        raise ArgumentError(message, said("make the case in a game of it"))
    line = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    making = _Making(begun, tuple(answers), runner, scenario, line)
    made = next(making.cases(), None)
    if made is None:
        message = said("no case can be made of this: no procedure asks the same")
        raise ArgumentError(
            message, said("begin the case at another decision, or write it by hand")
        )
    return made


@dataclass(frozen=True, slots=True)
class _Moment:
    """A decision from which a case may begin, and the answers from there."""

    game: Game
    answers: tuple[str, ...]


class _Making:
    """One case being made."""

    def __init__(
        self, begun: Game, answers: tuple[str, ...], runner: CaseRunner, scenario: SetUp, name: str
    ) -> None:
        self.begun, self.answers, self.runner, self.name = begun, answers, runner, name
        self.words = CaseWords(begun.spec, scenario)
        self.scenario = scenario
        self.switches = {} if scenario.switches == _own_setup(runner).switches else begun.switches
        self.now, _ = self._play_answers(begun, answers)

    def cases(self) -> Iterator[dict[str, Any]]:
        """The cases that hold, the best first."""
        for moment in self._moments():
            position = self._position(moment.game)
            if position is None:
                continue
            end, dice = self._play_answers(moment.game, moment.answers)
            for call in self._calls(moment.game, position):
                yield from self._holding({**position, "run": call}, moment, end, dice)
        if not self.begun.unrecorded:
            texts = (*(text for _, text in self.begun.actions), *self.answers)
            whole = _Moment(self.begun.restart(self.begun.seed), texts)
            yield from self._holding({"seed": self.begun.seed}, whole, self.now, {})

    # ------------------------------------------------------------------ moments

    def _moments(self) -> Iterator[_Moment]:
        """The moment, and decisions before it, the latest first."""
        begun = self.begun
        yield _Moment(begun, self.answers)
        past = begun.past
        if past is None:
            return
        texts = [text for _, text in begun.actions]
        states: list[StateBase] = []
        state = past.begun([], [])
        for answer in past.answers:
            states.append(state.copy())
            past.program.answer(state, answer)
        for number in islice(reversed(range(len(states))), _BACK):
            game = Game.at(begun.program, begun.setup, states[number])
            yield _Moment(game, (*texts[number:], *self.answers))

    def _play_answers(
        self, game: Game, answers: Sequence[str]
    ) -> tuple[Game, dict[str, list[Any]]]:
        """Where answers lead, and what chance gives then."""
        game = game.copy()
        heard = _Heard(game.state, self.words)
        game.state.script = heard
        for answer in answers:
            game.play(answer)
        game.state.script = heard.own
        return game, heard.given

    # ------------------------------------------------------------------ the position

    def _position(self, game: Game) -> dict[str, Any] | None:
        """What a case says of a position; None where it cannot."""
        plain = game.program.new_state(self.scenario, 1)
        values: dict[str, Any] = {"switches": self.switches} if self.switches else {}
        try:
            fields = dict(self._fields(plain, game.state, lambda field: not field.fixed))
            piles = dict(self._piles(plain, game.state))
        except CaseError:
            return None
        effects = list(Position(self.words, game.state).effects)
        for key, value in (("fields", fields), ("piles", piles), ("effects", effects)):
            if value:
                values[key] = value
        return values

    def _fields(
        self, one: StateBase, other: StateBase, wanted: Callable[[FieldSpec], bool]
    ) -> Iterator[tuple[str, Any]]:
        """The fields in which a state differs from *one*, as cases write them.  CaseError where a
        name stands for something else.
        """
        for field in filter(wanted, self.words.spec.fields):
            was, now = getattr(one, field.slot), getattr(other, field.slot)
            if was == now or field.options:
                continue
            if field.owner == "Game":
                yield self._field_entry(field.name, field, None, now)
                continue
            for i, (before, value) in enumerate(zip(was[:-1], now[:-1], strict=True)):
                if before != value:
                    owner = self.words.name(_of_owner(field, self.words), i)
                    yield self._field_entry(f"{owner}.{field.name}", field, i, value)

    def _field_entry(
        self, key: str, field: FieldSpec, index: int | None, value: int
    ) -> tuple[str, Any]:
        found, number = self.words.field(key)
        plain = _plain(self.words.read(field.type, value))
        if (found.slot, number) != (field.slot, index) or self.words.value(
            field.type, plain
        ) != value:
            raise CaseError(f"'{key}' does not say which it is")
        return key, plain

    def _piles(
        self, one: StateBase, other: StateBase, open_only: bool = False
    ) -> Iterator[tuple[str, list[str]]]:
        """The piles in which a state differs from *one*."""
        spec = self.words.spec
        for pile in spec.piles.values():
            if open_only and pile.visibility != "open":
                continue
            was, now = getattr(one, pile.slot), getattr(other, pile.slot)
            keys = [pile.name]
            if pile.per is None:
                was, now = [was], [now]
            else:
                keys = [f"{pile.name}[{member}]" for member in spec.enums[pile.per]]
            for key, before, cards in zip(keys, was, now, strict=False):
                if before != cards:
                    yield key, [spec.enums[pile.enum][card] for card in cards]

    # ------------------------------------------------------------------ what runs

    def _calls(self, game: Game, position: dict[str, Any]) -> Iterator[str]:
        """The procedures under way, from the innermost out, that ask the same question when they
        are run from the position.
        """
        spec = game.spec
        for frame in reversed(game.state.frames):
            procedure, _ = spec.waiting[frame[0]]
            known = spec.procedures.get(procedure)
            if known is None:
                continue
            held = {name: frame[place] for name, place, _ in spec.frames[procedure].locals}
            args = [
                self.words.name(type_, held[name])
                for name, type_ in zip(known.names, known.params, strict=True)
            ]
            call = f"{procedure}({', '.join(args)})" if args else procedure
            if self._asks_the_same(game, position, call):
                yield call

    def _asks_the_same(self, game: Game, position: dict[str, Any], call: str) -> bool:
        try:
            there = standing(game.program, self.scenario, position, self.words)
            there.start(*self.words.procedure(call))
        except (CaseError, ArgumentError, RulesError, ValueError):
            return False
        return _question(there) == _question(game) and (
            there.state.content() == game.state.content()
        )

    def _holding(
        self, head: dict[str, Any], moment: _Moment, end: Game, dice: dict[str, list[Any]]
    ) -> Iterator[dict[str, Any]]:
        """The case that begins so, if it holds; what runs in it may come to its end."""
        data: dict[str, Any] = {"name": self.name, **head}
        if dice:
            data["dice"] = dice
        if moment.answers:
            data["actions"] = list(moment.answers)
        expected = self._expectations(moment.game, end)
        for decision in ({"decision": _decision(end)}, {"decision": "none"}):
            if "run" not in head and decision["decision"] == "none" and not end.over:
                continue
            case = {**data, "expect": {**expected, **decision}}
            if self.runner.run(Case(self.name, 0, case)).ok:
                yield case
                return

    # ------------------------------------------------------------------ what is expected

    def _expectations(self, before: Game, end: Game) -> dict[str, Any]:
        """What has changed and all see."""
        expected: dict[str, Any] = {}
        seen = self._fields(before.state, end.state, lambda field: field.seen_by is None)
        if fields := dict(seen):
            expected["fields"] = fields
        if piles := dict(self._piles(before.state, end.state, open_only=True)):
            expected["piles"] = piles
        was = before.scores
        points = {f"score({s})": n for s, n in end.scores.items() if was.get(s) != n}
        if points and "score" in end.spec.calls:
            expected["values"] = points
        if end.over and not end.returned:
            expected["over"] = True
            if end.winners:
                expected["winner"] = end.winners[0] if len(end.winners) == 1 else [*end.winners]
        return expected


class _Heard(dict[str, list[Any]]):
    """Listens to what chance gives a state, by the names of dice and decks, ``draw``."""

    def __init__(self, state: StateBase, words: CaseWords) -> None:
        super().__init__()
        self.chances = self
        self.state, self.words = state, words
        #: what the state's own script still gives
        self.own = state.script
        self.given: dict[str, list[Any]] = {}

    def roll(self, stream: int, count: int, faces: tuple[int, ...]) -> tuple[int, ...]:
        """What dice show."""
        rolled: tuple[int, ...] = self._by_chance(lambda s: roll(s, stream, count, faces))
        die = self.words.spec.dice[stream]
        members = self.words.spec.enums[die.enum] if die.enum else None
        rolls = [members[face] if members else face for face in rolled]
        self.given.setdefault(die.name, []).extend(rolls)
        return rolled

    def draw(self, members: Sequence[int], kind: str) -> int:
        """Which member is drawn."""
        drawn: int = self._by_chance(lambda s: draw(s, members, kind))
        self.given.setdefault("draw", []).append(_drawn_word(self.words, kind, drawn))
        return drawn

    def shuffle(self, cards: list[int], stream: int) -> None:
        """Put cards into an order."""
        self._by_chance(lambda s: shuffle(s, stream, cards))
        number = stream - len(self.words.spec.dice)
        if number < len(self.words.spec.decks):  # else pieces are mixed
            deck = self.words.spec.decks[number]
            laid = [self.words.spec.enums[deck.enum][card] for card in reversed(cards)]
            self.given.setdefault(deck.name, []).append(laid)

    def _by_chance(self, what: Callable[[StateBase], Any]) -> Any:
        self.state.script = self.own
        try:
            return what(self.state)
        finally:
            self.own, self.state.script = self.state.script, self


def _own_setup(runner: CaseRunner) -> SetUp:
    """The scenario as it is."""
    return set_up({}, runner.scenario, runner.spec)


def _of_owner(field: FieldSpec, words: CaseWords) -> TypeSpec:
    """The type of the owners of a field."""
    if field.owner in words.spec.kinds:
        return TypeSpec("piece", field.owner)
    return TypeSpec("hex") if field.owner == "Hex" else TypeSpec("enum", field.owner)


def _drawn_word(words: CaseWords, kind: str, number: int) -> int | str:
    """What is drawn, as cases write it."""
    if not kind:
        return number
    enum = "enum" if kind in words.spec.enums else "hex" if kind == "Hex" else "piece"
    return words.name(TypeSpec(enum, kind), number)


def _plain(value: Any) -> Any:
    """A value as files hold it."""
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return "none" if value is None else value


def _question(game: Game) -> tuple[Any, ...]:
    """What is asked, and what is offered."""
    decision = game.decision
    if decision is None:
        return ()
    options = [option.text for option in decision.options]
    return decision.side, decision.point, game.subject, options


def _decision(game: Game) -> Any:
    """The pending decision as cases expect it."""
    decision = game.decision
    if decision is None:
        return "none"
    asked = {"side": decision.name, "prompt": decision.prompt}
    return {**asked, "about": list(game.subject)} if game.subject else asked
