"""The course of a game: played again from its record, one moment after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from grognard.draw.panel import Panel
from grognard.draw.scene import Scene
from grognard.retelling.labels import word
from grognard.table.content import GamePlace
from grognard.table.menu import Menu
from grognard.table.situation import Whereabouts
from runtime.games.game import Game
from runtime.model import NONE, TypeSpec
from runtime.program import scores
from runtime.scenario.fields import side_field
from runtime.state import ROLLED, StateBase
from runtime.view import Sight, view


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice that were rolled together: the number of the die among those of the ruleset, the faces
    as they fell, and the side that rolled them as far as the log tells it (else NONE).
    """

    die: int
    faces: tuple[int, ...]
    side: int = NONE


@dataclass(frozen=True)
class Moment:
    """An action and what came of it; the first moment of a game is its start, with nothing before.

    *side* is who decided, *question* and *answer* are in words, and empty where they are not to be
    told. *notes* are sentences of the log, each with the turn that it belongs to; the decision is
    taken in the turn *began*, the moment ends in the turn *turn* (0 the first; turns end with the
    ruleset's checkpoints). *after* is the position then, the game's own: it changes with the next
    moment; *before* the one that *option* was chosen in.
    """

    number: int
    side: int
    question: str
    answer: str
    notes: tuple[tuple[int, str], ...]
    began: int
    turn: int
    rolls: tuple[Roll, ...]
    after: StateBase
    before: StateBase | None = None
    option: int = NONE


@dataclass(frozen=True)
class Standing:
    """What stands beside the board at a moment.

    *rows* are what each side has: a name and a text for each; *lines* what else is told; *header*
    is what of the game stands above all, *outer* and *steps* are the steps under way and those of
    the innermost, *here* the place among them of the one under way (NONE: none).  *points* are
    those of the sides, or, where the ruleset counts none, the first of the rows where that is
    numbers; *counted* says what they are called.
    """

    rows: tuple[tuple[str, tuple[str, ...]], ...]
    lines: tuple[str, ...]
    header: tuple[str, ...]
    outer: tuple[str, ...]
    steps: tuple[str, ...]
    here: int
    points: tuple[int, ...] | None
    counted: str


class Course:
    """A game that has been played, told again as *side* sees it.  *played* stands where the record
    ends.
    """

    def __init__(self, played: Game, scene: Scene, side: int | None = None) -> None:
        self.played = played
        self.scene = scene
        self.side = side
        self.game = played.rewound()
        self.spec, self.setup, self.program = self.game.spec, self.game.setup, self.game.program
        self._menu = Menu(self.game, self.scene)
        self._where = Whereabouts(self.game, self.scene)
        self._owners = {kind: side_field(self.spec, kind) for kind in self.spec.kinds}

    @property
    def sides(self) -> list[str]:
        """What the sides are called."""
        return [self.scene.side_name(side) for side in range(len(self.spec.sides))]

    def word(self, key: str, *arguments: object) -> str:
        """A text of the page or the report."""
        return word(key, self.game.wording.language, *arguments)

    def shown_to(self, everything: str, everybody: str, side: str) -> str:
        """For whom it is shown, by the keys of texts for each way."""
        if self.side is None:
            return self.word(everything) if everything else ""
        return self.word(everybody) if self.side == NONE else self.word(side, self.sides[self.side])

    # ------------------------------------------------------------------ moments

    def moments(self) -> Iterator[Moment]:
        """The moments of the game.  Each is to be used before the next one is asked for."""
        yield self.begin()
        for option in self.played.choices:
            yield self.take(option)

    def begin(self) -> Moment:
        """The first moment: the game is at its start again."""
        game = self.game = self._where.game = self.played.rewound()
        self._menu = Menu(game, self.scene)
        return self._moment(NONE, "", "", 0, 0)

    def take(self, option: int) -> Moment:
        """The moment at which *option* is taken."""
        game, menu = self.game, self._menu
        decision = game.decision
        assert decision is not None
        side, question, answer = decision.side, "", ""
        taken = next(one for one in decision.options if one.raw == option)
        if self.side in (None, side):
            question, answer = menu.prompt(decision), menu.wording(decision, taken)
        before, noted, folded = game.state.copy(), game.notes, len(game.folds)
        game.play(taken)
        return self._moment(side, question, answer, noted, folded, before, option)

    def back(self) -> None:
        """Go back to the moment before, of a decision that its side could take back."""
        self.game.undo()

    def _moment(
        self,
        side: int,
        question: str,
        answer: str,
        noted: int,
        folded: int,
        before: StateBase | None = None,
        option: int = NONE,
    ) -> Moment:
        """What has come since there were *noted* notes in *folded* turns."""
        game = self.game
        return Moment(
            len(game.choices),
            side,
            question,
            answer,
            self._notes(noted, folded),
            folded,
            len(game.folds),
            self._rolls(noted),
            game.state,
            before,
            option,
        )

    def _notes(self, first: int, folded: int) -> tuple[tuple[int, str], ...]:
        """The notes from the *first* on, with their turns; the earliest belongs to the turn
        *folded*.
        """
        game = self.game
        ends = [*game.folds[folded:], game.notes]
        notes: list[tuple[int, str]] = []
        for turn, end in enumerate(ends, folded):
            notes += [(turn, text) for text in game.log_of(self.side, first, end)]
            first = max(first, end)
        return tuple(notes)

    def _rolls(self, noted: int) -> tuple[Roll, ...]:
        """The rolls since the last answer; the notes since then begin with *noted*."""
        game = self.game
        rolled = [what for kind, *what in game.history.latest() if kind == ROLLED]
        notes = [
            note
            for note in (game.noted(noted) if rolled else [])
            if self.side is None or game.wording.tells(note, self.side)
        ]
        return tuple(Roll(die, faces, self._roller(die, faces, notes)) for die, faces in rolled)

    def _roller(self, die: int, faces: tuple[int, ...], notes: list[tuple[Any, ...]]) -> int:
        """The side that has rolled: of the first piece or side of a note that tells the roll."""
        enum = self.spec.dice[die].enum
        for number, *values in notes:
            types = self.spec.note_types[number] if number < len(self.spec.note_types) else ()
            pairs = list(zip(types, values, strict=False))
            if any(_is_rolled(type_, value, faces, enum) for type_, value in pairs):
                for type_, value in pairs:
                    side = self.owner(type_, value)
                    if side != NONE:
                        return side
        return NONE

    def owner(self, type_: TypeSpec, value: Any) -> int:
        """The side that a value of a note stands for: a side, or that of a piece; else NONE."""
        if type_.kind == "enum" and type_.name == "Side":
            return int(value)
        if type_.kind != "piece" or value < 0:
            return NONE
        kind, index = self.setup.own_number(self.spec.kinds_of(type_.name), int(value))
        return self.side_of(self.game.state, kind, index)

    def side_of(self, state: StateBase, kind: str, index: int) -> int:
        """Whose a piece is; NONE where it is nobody's."""
        field = self._owners.get(kind)
        return NONE if field is None else int(getattr(state, field.slot)[index])

    # ------------------------------------------------------------------ positions

    def sight(self, state: StateBase) -> Sight | None:
        """What is shown of a position; None: all of it."""
        return None if self.side is None else view(state, self.side)

    def shown_state(self, state: StateBase) -> StateBase:
        """What is shown of a position, as a state."""
        seen = self.sight(state)
        return state if seen is None else seen.state

    def standing(self, state: StateBase, seen: Sight | None) -> Standing:
        """What stands beside the board."""
        shown = state if seen is None else seen.state
        program = self.program
        points = scores(program, shown)
        data = full_data(state) if seen is None else seen.data
        panel = Panel(self.scene, data, lambda name, args: program.value(shown, name, args), points)
        rows, lines = panel.content()
        # of what others do, the steps may tell what they hold
        here = self.side is None or (state.chooser == self.side and not state.over)
        where = self._where.place() if here else GamePlace((), (), (), NONE)
        return Standing(
            tuple((name, tuple(values)) for name, values in rows),
            tuple(lines),
            tuple(panel.header()),
            where.around,
            where.steps,
            where.step,
            *_points(points, rows, self.scene),
        )

    def hands(self, state: StateBase) -> list[list[tuple[str, int]]]:
        """By side, the cards in its own piles that are shown: enum and number."""
        piles = self.spec.piles.values()
        own = [pile for pile in piles if pile.per == "Side" and pile.visibility == "owner"]
        return [
            [(pile.enum, card) for pile in own for card in getattr(state, pile.slot)[side]]
            if self.side in (None, side)
            else []
            for side in range(len(self.spec.sides))
        ]


def turn_titles(course: Course, headers: Sequence[tuple[str, ...]]) -> list[str]:
    """What turns are called: what stood above each, with its number where that does not tell it
    from others.
    """
    named = [" · ".join(header) for header in headers]
    count = Counter(named)
    return [
        f"{number} · {name}" if name and count[name] > 1 else name or course.word("turn", number)
        for number, name in enumerate(named, 1)
    ]


def _points(
    points: tuple[int, ...] | None, rows: list[tuple[str, list[str]]], scene: Scene
) -> tuple[tuple[int, ...] | None, str]:
    """What is taken for the points of the sides, and its name."""
    if points is not None:
        return points, scene.wording.text("score", default="points")
    if rows and all(text.isdecimal() for text in rows[0][1]):
        return tuple(map(int, rows[0][1])), rows[0][0]
    return None, ""


def _is_rolled(type_: TypeSpec, value: Any, faces: tuple[int, ...], enum: str | None) -> bool:
    """Whether a value of a note is what was rolled."""
    if type_.kind == "roll":
        return tuple(value) == faces
    if len(faces) != 1 or type_.kind not in ("int", "enum"):
        return False
    return bool(value == faces[0]) and (type_.kind == "int" if enum is None else type_.name == enum)


def full_data(state: StateBase) -> dict[str, Any]:
    """Everything of a position, as a view holds it; of closed piles how many cards they have."""
    data = view(state, NONE).data
    for field in type(state).SPEC.fields:
        value = getattr(state, field.slot)
        data[field.slot] = int(value) if field.owner == "Game" else [int(v) for v in value[:-1]]
    return data
