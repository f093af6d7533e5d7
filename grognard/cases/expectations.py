"""What a case expects, compared with what is."""

from __future__ import annotations

from typing import Any, Final

from compiler import ir
from grognard.cases.file import Case, CaseError
from grognard.cases.forecast_checks import check_foreseen
from grognard.cases.value_checks import Values
from grognard.cases.vocabulary import could_be_noted, could_be_offered
from grognard.cases.words import CaseWords
from runtime.chance import left_in
from runtime.data.findings import suggestion
from runtime.games.game import Game
from runtime.games.record import TIE
from runtime.model import NONE
from runtime.state import ROLLED, TAKEN
from runtime.view import Sight, view
from runtime.words.said import said

_NO_SIDES: Final = ("tie", "none")
#: What a field or a card is expected to be that a side does not see.
_UNSEEN: Final = "unseen"
#: Expectations whose entries, or items, are compared one by one, each at its place.
_BY_ENTRY: Final = ("fields", "piles", "values", "refused", "foreseen", "ranks")
_BY_ITEM: Final = ("offered", "not_offered", "log", "not_log")


class CasePlace:
    """Where in a case one is: for the line that stands before what is said."""

    def __init__(self, case: Case, path: tuple[str | int, ...] = ()) -> None:
        self.case = case
        self.path = path

    def go(self, *path: str | int) -> None:
        """To another place."""
        self.path = path

    def with_line(self, text: str) -> str:
        """A text with the line in front, where the case was read from a file."""
        line = self.case.line_of(self.path)
        return said("line {line}: {text}", line=line, text=text) if line else text


class Comparison:
    """Compares one game with what is expected of it; *problems* get every difference."""

    def __init__(
        self,
        checked: ir.Program,
        game: Game,
        words: CaseWords,
        problems: list[str],
        place: CasePlace,
    ) -> None:
        self.checked = checked
        self.game = game
        self.words = words
        self.problems = problems
        self.place = place
        self.values = Values(checked, words, self._problem)
        #: what stands before each difference
        self._when = ""

    def _problem(self, text: str) -> None:
        self.problems.append(self.place.with_line(self._when + text))

    def check(self, wanted: dict[str, Any], path: tuple[str | int, ...], when: str = "") -> None:
        """Compare with an expectation, which stands at *path*; *when* stands before each
        difference.
        """
        self._when = when
        for key, value in wanted.items():
            check = getattr(self, f"_{key}")
            if key in _BY_ENTRY:
                for inner, expected in value.items():
                    self.place.go(*path, key, inner)
                    check(str(inner), expected)
            elif key in _BY_ITEM:
                for i, expected in enumerate(value):
                    self.place.go(*path, key, i)
                    check(str(expected))
            else:
                self.place.go(*path, key)
                check(value)

    # ------------------------------------------------------------------ the position

    def _fields(self, key: str, value: Any) -> None:
        words = self.words
        expected, actual, type_ = words.compare(self.game.state, key, value)
        if expected != actual:
            self._problem(
                said(
                    "{key}: expected {wanted}, is {actual}",
                    key=key,
                    wanted=words.name(type_, expected),
                    actual=words.name(type_, actual),
                )
            )

    def _piles(self, key: str, cards: Any) -> None:
        actual = self.words.pile(self.game.state, key)
        expected = self.words.cards(key, cards)
        if sorted(expected) != sorted(actual):
            self._problem(
                said(
                    "pile {key}: expected {wanted}, is {actual}",
                    key=key,
                    wanted=_comma_list(expected),
                    actual=_comma_list(actual),
                )
            )

    def _values(self, text: str, wanted: Any) -> None:
        self.values.value(self.game.state, text, wanted)

    def _refused(self, text: str, wanted: Any) -> None:
        self.values.refused(self.game.state, text, wanted)

    def _foreseen(self, text: str, wanted: Any) -> None:
        check_foreseen(self.game, self.words.geometry(text), wanted, self._problem)

    # ------------------------------------------------------------------ what sides see

    def _sees(self, wanted: dict[str, dict[str, Any]]) -> None:
        sides, when = self.game.spec.sides, self._when
        for name, expected in wanted.items():
            if name not in sides:
                raise CaseError(
                    said(
                        "there is no side '{name}'; {suggestion}",
                        name=name,
                        suggestion=suggestion(name, sides),
                    )
                )
            seen = view(self.game.state, sides.index(name))
            self._when = said("{when}{name} sees: ", when=when, name=name)
            for key, value in expected.get("fields", {}).items():
                self._seen_field(seen, str(key), value)
            for key, cards in expected.get("piles", {}).items():
                self._seen_pile(seen, str(key), cards)
            log = "\n".join(self.game.log_of(sides.index(name)))
            for line in expected.get("log", ()):
                self._log(str(line), log)
            for line in expected.get("not_log", ()):
                self._not_log(str(line), log)
        self._when = when

    def _seen_field(self, seen: Sight, key: str, value: Any) -> None:
        field, index = self.words.field(key)
        shown = seen.shows(field.slot, NONE if index is None else index)
        if shown and value != _UNSEEN:
            self._fields(key, value)
        elif shown or value != _UNSEEN:
            self._problem(
                said(
                    "{key}: expected {value}, is {what}",
                    key=key,
                    value=value,
                    what="seen" if shown else _UNSEEN,
                )
            )

    def _seen_pile(self, seen: Sight, key: str, expected: Any) -> None:
        pile, index = self.words.pile_of(key)
        content = seen.data[pile.slot] if index is None else seen.data[pile.slot][index]
        members = self.game.spec.enums[pile.enum]
        if not isinstance(content, int):
            content = sorted(_UNSEEN if card is None else members[card] for card in content)
        if not isinstance(expected, int):
            expected = sorted(str(card) for card in expected)
        if content != expected:
            self._problem(
                said(
                    "pile {key}: expected {expected}, is {content}",
                    key=key,
                    expected=expected,
                    content=content,
                )
            )

    # ------------------------------------------------------------------ the decision

    def _decision_in_words(self) -> str:
        decision = self.game.decision
        if decision is None:
            return "nothing is to be decided"
        return said(
            "{name} decides {question} ({options_of})",
            name=decision.name,
            question=decision.question,
            options_of=options_of(self.game),
        )

    def _offers(self) -> list[str]:
        decision = self.game.decision
        return [o.text for o in decision.options] if decision else []

    def _decision(self, wanted: Any) -> None:
        decision = self.game.decision
        if wanted == "none":
            if decision is not None:
                self._problem(
                    said("decision: expected none, but {shown}", shown=self._decision_in_words())
                )
            return
        if decision is None:
            self._problem(
                said(
                    "decision: expected {described}, but {shown}",
                    described=_fields_in_words(wanted),
                    shown=self._decision_in_words(),
                )
            )
            return
        for key, actual in (("side", decision.name), ("prompt", decision.prompt)):
            if key in wanted and str(wanted[key]) != actual:
                self._problem(
                    said(
                        "decision: expected {key} {wanted}, but {shown}",
                        key=key,
                        wanted=wanted[key],
                        shown=self._decision_in_words(),
                    )
                )
        about = [self.words.geometry(str(value)) for value in wanted.get("about", ())]
        if "about" in wanted and about != [one.text for one in decision.about]:
            self._problem(
                said(
                    "decision: expected about {listed}, but {shown}",
                    listed=_comma_list(about),
                    shown=self._decision_in_words(),
                )
            )

    def _offered(self, text: str) -> None:
        text = self.words.geometry(text)
        if text not in self._offers():
            self._problem(
                said(
                    "'{text}' should be offered; there is: {listed}",
                    text=text,
                    listed=_comma_list(self._offers()),
                )
            )

    def _not_offered(self, text: str) -> None:
        text = self.words.geometry(text)
        if text in self._offers():
            self._problem(said("'{text}' should not be offered", text=text))
        elif not could_be_offered(self.game, text):
            self._problem(
                said(
                    "'{text}' is not an option of any decision, so this expectation can never fail",
                    text=text,
                )
            )

    def _options(self, wanted: Any) -> None:
        expected = [self.words.geometry(str(text)) for text in wanted]
        if sorted(expected) != sorted(self._offers()):
            self._problem(
                said(
                    "options: expected {wanted}; there is: {offers}",
                    wanted=_comma_list(expected),
                    offers=_comma_list(self._offers()),
                )
            )

    def _taken(self, wanted: Any) -> None:
        actual = taken_texts(self.game)
        expected = [self.words.geometry(str(text)) for text in wanted]
        if expected != actual:
            self._problem(
                said(
                    "taken without asking: expected {wanted}, is {actual}",
                    wanted=_comma_list(expected),
                    actual=_comma_list(actual),
                )
            )

    # ------------------------------------------------------------------ chance

    def _rolls(self, wanted: list[Any]) -> None:
        spec, actual = self.game.spec, []
        for _, number, faces in _events_of_kind(self.game, ROLLED):
            die = spec.dice[number]
            members = spec.enums[die.enum] if die.enum else None
            actual.append((die.name, [members[f] if members else str(f) for f in faces]))
        expected = [_roll(roll) for roll in wanted]
        same = len(expected) == len(actual) and all(
            die in ("", rolled) and value in (len(faces), faces)
            for (die, value), (rolled, faces) in zip(expected, actual, strict=True)
        )
        if not same:
            should = "; ".join(map(_roll_in_words, expected)) or "none"
            shown = "; ".join(map(_roll_in_words, actual)) or "nothing is rolled"
            self._problem(
                said("rolls: expected {should}; there is: {shown}", should=should, shown=shown)
            )

    def _dice_left(self, wanted: Any) -> None:
        spec, script = self.game.spec, self.game.state.script
        dice = [die.name for die in spec.dice]
        others = [deck.name for deck in spec.decks] + ["draw"] * spec.draws
        if not isinstance(wanted, dict):
            wanted = dict.fromkeys(dice, wanted) if len(dice) == 1 or wanted == 0 else {"": wanted}
        for die, count in wanted.items():
            if die not in (*dice, *others):
                raise CaseError(
                    said(
                        "dice_left: say of which die; {suggestion}",
                        suggestion=suggestion(str(die), dice),
                    )
                )
            if left_in(script, die) != count:
                self._problem(
                    said(
                        "dice_left: expected {count} of {die}, is {left_in}",
                        count=count,
                        die=die,
                        left_in=left_in(script, die),
                    )
                )

    # ------------------------------------------------------------------ the end

    @property
    def _is_over(self) -> bool:
        """Whether the game is over, and not just the procedure that was run."""
        return self.game.over and not self.game.returned

    def _state_of_play(self) -> str:
        return "the game goes on" + (": only the procedure has ended" if self.game.over else "")

    def _over(self, wanted: Any) -> None:
        if bool(wanted) != self._is_over:
            shown = "true" if self._is_over else said("false ({how})", how=self._state_of_play())
            self._problem(
                said(
                    "over: expected {bool}, is {shown}", bool=str(bool(wanted)).lower(), shown=shown
                )
            )

    def _winner(self, wanted: Any) -> None:
        sides = self.game.spec.sides
        expected = [str(side) for side in wanted] if isinstance(wanted, list) else [str(wanted)]
        for side in expected:
            if side not in sides and (isinstance(wanted, list) or side not in _NO_SIDES):
                raise CaseError(
                    said(
                        "winner: there is no side '{side}'; sides: {sides}, or tie, or none",
                        side=side,
                        sides=", ".join(sides),
                    )
                )
        if len(set(expected)) != len(expected):
            raise CaseError("winner: a side is named twice")
        if not self._is_over:
            self._problem(
                said(
                    "winner: expected {expected}, but {how}",
                    expected=", ".join(expected),
                    how=self._state_of_play(),
                )
            )
            return
        actual = list(self.game.winners) or ["tie" if self.game.outcome == TIE else "none"]
        if sorted(expected) != sorted(actual):
            self._problem(
                said(
                    "winner: expected {expected}, is {actual}",
                    expected=", ".join(expected),
                    actual=", ".join(actual),
                )
            )

    def _ranks(self, side: str, rank: Any) -> None:
        sides = self.game.spec.sides
        if side not in sides:
            raise CaseError(
                said(
                    "ranks: there is no side '{side}'; sides: {sides}",
                    side=side,
                    sides=", ".join(sides),
                )
            )
        if not self._is_over:
            self._problem(
                said(
                    "ranks: expected {side} {rank}, but {how}",
                    side=side,
                    rank=rank,
                    how=self._state_of_play(),
                )
            )
        elif self.game.ranks.get(side) != rank:
            self._problem(
                said(
                    "ranks: expected {side} {rank}, is {get}",
                    side=side,
                    rank=rank,
                    get=self.game.ranks.get(side, "none yet"),
                )
            )

    # ------------------------------------------------------------------ the log

    def _log(self, text: str, log: str | None = None) -> None:
        if text not in ("\n".join(self.game.log) if log is None else log):
            self._problem(said("log: expected a line with '{text}'", text=text))

    def _not_log(self, text: str, log: str | None = None) -> None:
        if text in ("\n".join(self.game.log) if log is None else log):
            self._problem(said("log: expected no line with '{text}'", text=text))
        missing = could_be_noted(self.game, text)
        if missing:
            self._problem(
                said(
                    "log: no note of the ruleset says '{missing}', so this expectation can never "
                    "fail",
                    missing=missing,
                )
            )


def taken_texts(game: Game, latest: bool = False) -> list[str]:
    """The options that were taken without asking so far, or with *latest* since the last answer."""
    return [
        game.names.text(point, value) for _, point, _, value in _events_of_kind(game, TAKEN, latest)
    ]


def _events_of_kind(game: Game, kind: int, latest: bool = False) -> list[tuple[Any, ...]]:
    """The events of one kind."""
    history = game.history
    entries = history.latest() if latest else history.entries()
    return [event for event in entries if event[0] == kind]


def options_of(game: Game) -> str:
    """The options of the pending decision, for messages."""
    decision = game.decision
    return ", ".join(o.text for o in decision.options) if decision else ""


def _comma_list(texts: list[str]) -> str:
    return ", ".join(texts) or "nothing"


def _fields_in_words(wanted: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in wanted.items())


def _roll(wanted: Any) -> tuple[str, int | list[str]]:
    """A roll that is expected: its die, where that is told, and its faces or how many dice."""
    named = isinstance(wanted, dict)
    die, value = (", ".join(wanted), next(iter(wanted.values()))) if named else ("", wanted)
    return die, value if isinstance(value, int) else [str(face) for face in value]


def _roll_in_words(roll: tuple[str, int | list[str]]) -> str:
    die, value = roll
    faces = said("{value} dice", value=value) if isinstance(value, int) else " ".join(value)
    return f"{die}: {faces}" if die else faces
