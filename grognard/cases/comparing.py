"""What a case expects, compared with what is."""

from __future__ import annotations

from typing import Any, Final

from compiler import ir
from grognard.cases.file import Case, CaseError
from grognard.cases.foretold import check_foreseen
from grognard.cases.saying import could_be_noted, could_be_offered
from grognard.cases.seeing import check_sees
from grognard.cases.shape import DECISION_KEYS, EXPECT
from grognard.cases.valuing import Values
from grognard.cases.words import Words
from runtime.chance import left_in
from runtime.data.findings import suggestion
from runtime.games.game import Game
from runtime.games.record import TIE
from runtime.state import ROLLED, TAKEN

_NO_SIDES: Final = ("tie", "none")


class Place:
    """Where in a case one is: for the line that stands before what is said."""

    def __init__(self, case: Case, path: tuple[str | int, ...] = ()) -> None:
        self.case = case
        self.path = path

    def go(self, *path: str | int) -> None:
        """To another place."""
        self.path = path

    def told(self, text: str) -> str:
        """A text with the line in front, where the case was read from a file."""
        line = self.case.line_of(self.path)
        return f"line {line}: {text}" if line else text


class Comparison:
    """Compares one game with what is expected of it; *problems* get every difference."""

    def __init__(
        self, checked: ir.Program, game: Game, words: Words, problems: list[str], place: Place
    ) -> None:
        self.checked = checked
        self.game = game
        self.words = words
        self.problems = problems
        self.place = place
        self.values = Values(checked, words, self._problem)
        self._when = ""

    def _problem(self, text: str) -> None:
        self.problems.append(self.place.told(self._when + text))

    def check(self, wanted: Any, path: tuple[str | int, ...], when: str = "") -> None:
        """Compare with an expectation, which stands at *path*; *when* stands before each
        difference.
        """
        self._when = when
        self.place.go(*path)
        if not isinstance(wanted, dict):
            raise CaseError("'expect' is a mapping")
        for key, value in wanted.items():
            if key not in EXPECT.keys:
                raise CaseError(f"unknown expectation '{key}'; {suggestion(str(key), EXPECT.keys)}")
            check = getattr(self, f"_{key}")
            if isinstance(value, dict) and key not in ("decision", "sees", "dice_left"):
                for inner, expected in value.items():
                    self.place.go(*path, key, inner)
                    check(str(inner), expected)
            elif isinstance(value, list) and key in ("offered", "not_offered", "log", "not_log"):
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
                f"{key}: expected {words.name(type_, expected)}, is {words.name(type_, actual)}"
            )

    def _piles(self, key: str, cards: Any) -> None:
        actual = self.words.pile(self.game.state, key)
        expected = self.words.cards(key, cards)
        if sorted(expected) != sorted(actual):
            self._problem(f"pile {key}: expected {_listed(expected)}, is {_listed(actual)}")

    def _values(self, text: str, wanted: Any) -> None:
        self.values.value(self.game.state, text, wanted)

    def _refused(self, text: str, wanted: Any) -> None:
        self.values.refused(self.game.state, text, wanted)

    def _foreseen(self, text: str, wanted: Any) -> None:
        check_foreseen(self.game, text, wanted, self._problem)

    def _sees(self, wanted: Any) -> None:
        check_sees(self.game, wanted, self.words, self._problem)

    # ------------------------------------------------------------------ the decision

    def _shown(self) -> str:
        decision = self.game.decision
        if decision is None:
            return "nothing is to be decided"
        return f"{decision.name} decides {decision.question} ({options_of(self.game)})"

    def _offers(self) -> list[str]:
        decision = self.game.decision
        return [o.text for o in decision.options] if decision else []

    def _decision(self, wanted: Any) -> None:
        decision = self.game.decision
        if wanted in (None, "none"):
            if decision is not None:
                self._problem(f"decision: expected none, but {self._shown()}")
            return
        for key in wanted if isinstance(wanted, dict) else (wanted,):
            if not isinstance(wanted, dict) or key not in DECISION_KEYS:
                known = suggestion(str(key), DECISION_KEYS)
                raise CaseError(f"'{key}' cannot be expected of a decision; {known}")
        if decision is None:
            self._problem(f"decision: expected {_described(wanted)}, but {self._shown()}")
            return
        for key, actual in (("side", decision.name), ("prompt", decision.prompt)):
            if key in wanted and str(wanted[key]) != actual:
                self._problem(f"decision: expected {key} {wanted[key]}, but {self._shown()}")
        about = [str(v) for v in wanted.get("about") or ()]
        if "about" in wanted and about != [s.text for s in decision.about]:
            self._problem(f"decision: expected about {_listed(about)}, but {self._shown()}")

    def _offered(self, text: str) -> None:
        if text not in self._offers():
            self._problem(f"'{text}' should be offered; there is: {_listed(self._offers())}")

    def _not_offered(self, text: str) -> None:
        if text in self._offers():
            self._problem(f"'{text}' should not be offered")
        elif not could_be_offered(self.game, text):
            self._problem(
                f"'{text}' is not an option of any decision, so this expectation can never fail"
            )

    def _options(self, wanted: Any) -> None:
        expected = [str(text) for text in wanted or ()]
        if sorted(expected) != sorted(self._offers()):
            self._problem(
                f"options: expected {_listed(expected)}; there is: {_listed(self._offers())}"
            )

    def _taken(self, wanted: Any) -> None:
        actual = taken_texts(self.game)
        expected = [str(text) for text in wanted or ()]
        if expected != actual:
            self._problem(
                f"taken without asking: expected {_listed(expected)}, is {_listed(actual)}"
            )

    # ------------------------------------------------------------------ chance

    def _rolls(self, wanted: Any) -> None:
        spec = self.game.spec
        names = [spec.enums[die.enum] if die.enum else () for die in spec.dice]
        actual = [
            (spec.dice[die].name, [names[die][face] if names[die] else str(face) for face in faces])
            for _, die, faces in _of(self.game, ROLLED)
        ]
        shown = (
            "; ".join(f"{die}: {' '.join(faces)}" for die, faces in actual) or "nothing is rolled"
        )
        same = len(wanted) == len(actual)
        for roll, (die, faces) in zip(wanted, actual, strict=False):
            if isinstance(roll, dict):
                same = same and list(roll) == [die]
                roll = next(iter(roll.values()), None)
            given = (
                len(faces) == roll
                if isinstance(roll, int)
                else [str(face) for face in roll or ()] == faces
            )
            same = same and given
        if not same:
            self._problem(f"rolls: expected {_rolls(wanted)}; there is: {shown}")

    def _dice_left(self, wanted: Any) -> None:
        spec, script = self.game.spec, self.game.state.script
        dice = [die.name for die in spec.dice]
        others = [deck.name for deck in spec.decks] + ["draw"] * spec.draws
        if not isinstance(wanted, dict):
            wanted = dict.fromkeys(dice, wanted) if len(dice) == 1 or wanted == 0 else {"": wanted}
        for die, count in wanted.items():
            if die not in (*dice, *others):
                raise CaseError(f"dice_left: say of which die; {suggestion(str(die), dice)}")
            if left_in(script, die) != count:
                self._problem(f"dice_left: expected {count} of {die}, is {left_in(script, die)}")

    # ------------------------------------------------------------------ the end

    @property
    def _ended(self) -> bool:
        """Whether the game is over, and not just the procedure that was run."""
        return self.game.over and not self.game.returned

    def _how(self) -> str:
        return "the game goes on" + (": only the procedure has ended" if self.game.over else "")

    def _over(self, wanted: Any) -> None:
        if bool(wanted) != self._ended:
            shown = "true" if self._ended else f"false ({self._how()})"
            self._problem(f"over: expected {str(bool(wanted)).lower()}, is {shown}")

    def _winner(self, wanted: Any) -> None:
        sides = self.game.spec.sides
        expected = [str(side) for side in wanted] if isinstance(wanted, list) else [str(wanted)]
        for side in expected:
            if side not in sides and (isinstance(wanted, list) or side not in _NO_SIDES):
                raise CaseError(
                    f"winner: there is no side '{side}'; sides: {', '.join(sides)}, or tie, or none"
                )
        if len(set(expected)) != len(expected):
            raise CaseError("winner: a side is named twice")
        if not self._ended:
            self._problem(f"winner: expected {', '.join(expected)}, but {self._how()}")
            return
        actual = list(self.game.winners) or ["tie" if self.game.outcome == TIE else "none"]
        if sorted(expected) != sorted(actual):
            self._problem(f"winner: expected {', '.join(expected)}, is {', '.join(actual)}")

    def _ranks(self, side: str, rank: Any) -> None:
        sides = self.game.spec.sides
        if side not in sides:
            raise CaseError(f"ranks: there is no side '{side}'; sides: {', '.join(sides)}")
        if not self._ended:
            self._problem(f"ranks: expected {side} {rank}, but {self._how()}")
        elif self.game.ranks.get(side) != rank:
            self._problem(
                f"ranks: expected {side} {rank}, is {self.game.ranks.get(side, 'none yet')}"
            )

    # ------------------------------------------------------------------ the log

    def _log(self, text: str) -> None:
        if text not in "\n".join(self.game.log):
            self._problem(f"log: expected a line with '{text}'")

    def _not_log(self, text: str) -> None:
        if text in "\n".join(self.game.log):
            self._problem(f"log: expected no line with '{text}'")
        missing = could_be_noted(self.game, text)
        if missing:
            self._problem(
                f"log: no note of the ruleset says '{missing}', so this expectation can never fail"
            )


def taken_texts(game: Game, latest: bool = False) -> list[str]:
    """The options that were taken without asking so far, or with *latest* since the last answer."""
    return [game.names.text(point, value) for _, point, _, value in _of(game, TAKEN, latest)]


def _of(game: Game, kind: int, latest: bool = False) -> list[tuple[Any, ...]]:
    """The events of one kind."""
    return [event for event in game.history.entries(latest) if event[0] == kind]


def options_of(game: Game) -> str:
    """The options of the pending decision, for messages."""
    decision = game.decision
    return ", ".join(o.text for o in decision.options) if decision else ""


def _listed(texts: list[str]) -> str:
    return ", ".join(texts) or "nothing"


def _described(wanted: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in wanted.items())


def _rolls(wanted: list[Any]) -> str:
    shown = []
    for roll in wanted:
        die = f"{next(iter(roll))}: " if isinstance(roll, dict) else ""
        given = next(iter(roll.values())) if isinstance(roll, dict) else roll
        shown.append(
            die + (f"{given} dice" if isinstance(given, int) else " ".join(map(str, given)))
        )
    return "; ".join(shown) or "none"
