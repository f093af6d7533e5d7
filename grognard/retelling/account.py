"""What a game has cost and brought: losses, points and dice, by turn and side."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from grognard.draw.picture import Picture
from grognard.retelling.moments import Course, Moment, Standing
from runtime.model import NONE, FieldSpec
from runtime.state import StateBase

#: The first number of the figures on a counter is taken for its strength.
_NUMBER = re.compile(r"\d+")
#: Takes off-board pieces, and those without a number, for nothing.
_NOTHING = 0


class Forces:
    """What stands on the board: the strength of pieces, which is the first number on their counters
    or, where the style puts none there, their kind's number of strength.
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        spec, scene = course.spec, course.scene
        self._places = {kind: scene.place_of(kind) for kind in spec.kinds}
        self._strengths = {kind: scene.strength_of(kind) for kind in spec.kinds}
        self._slots = {
            kind: [f.slot for f in spec.fields_of(kind)]
            for kind in spec.kinds
            if course.setup.pieces.get(kind)
        }
        self._figures = {
            kind: str(figures)
            for kind in self._slots
            if (figures := scene.style.part("pieces", kind).get("figures"))
        }
        #: by what is known of a piece, the number on its counter
        self._numbers: dict[tuple[object, ...], int] = {}
        self._picture: Picture | None = None

    @property
    def unit(self) -> str:
        """What strength is counted in; nothing where that has no name."""
        for kind in self._slots:
            figures, field = self._figures.get(kind), self._strengths[kind]
            if figures is not None:
                field = next(
                    (f for f in self.course.spec.fields_of(kind) if figures == f"{{{f.name}}}"),
                    None,
                )
            if figures is not None or field is not None:
                return "" if field is None else self.course.scene.field_name(field)
        return ""

    def on_board(self, state: StateBase, kind: str, index: int) -> bool:
        """Whether a piece stands on the board."""
        place = self._places[kind]
        return place is not None and getattr(state, place.slot)[index] != NONE

    def strength(self, state: StateBase, kind: str, index: int) -> int:
        """How strong a piece on the board is; 0 for one that is not there, or has no number."""
        if not self.on_board(state, kind, index):
            return _NOTHING
        if kind in self._figures:
            return self._figure(state, kind, index)
        strength: FieldSpec | None = self._strengths[kind]
        return _NOTHING if strength is None else max(0, int(getattr(state, strength.slot)[index]))

    def _figure(self, state: StateBase, kind: str, index: int) -> int:
        key = (kind, index, *(getattr(state, slot)[index] for slot in self._slots[kind]))
        if self._picture is None:
            scene = self.course.scene
            self._picture = Picture(scene.spec, scene.setup, state, scene.style, None, scene.value)
        found = None if self._picture.works_out(kind) else self._numbers.get(key)
        if found is None:
            self._picture.show(state)
            number = _NUMBER.search(self._picture.token(kind, index).figures)
            found = self._numbers[key] = int(number[0]) if number else _NOTHING
        return found

    def changed(self, before: StateBase, after: StateBase) -> list[tuple[str, int]]:
        """The pieces of which anything has changed."""
        found: list[tuple[str, int]] = []
        for kind, slots in self._slots.items():
            places: set[int] = set()
            for slot in slots:
                was, now = getattr(before, slot), getattr(after, slot)
                if was is not now and was != now:
                    places.update(
                        i for i, (a, b) in enumerate(zip(was[:-1], now[:-1], strict=True)) if a != b
                    )
            found += [(kind, i) for i in sorted(places)]
        return found

    def lost(self, before: StateBase, after: StateBase) -> list[int]:
        """By side, how much strength the board has lost; what has come counts against it."""
        totals = [0] * len(self.course.spec.sides)
        for kind, index in self.changed(before, after):
            side = self.course.side_of(before, kind, index)
            if side >= 0:
                totals[side] += self.strength(before, kind, index) - self.strength(
                    after, kind, index
                )
        return totals

    def left(self, before: StateBase, after: StateBase) -> list[tuple[str, int]]:
        """The pieces that have left the board."""
        return [
            (kind, index)
            for kind, index in self.changed(before, after)
            if self.on_board(before, kind, index) and not self.on_board(after, kind, index)
        ]

    def total(self, state: StateBase, side: int) -> int:
        """The strength of a side on the board."""
        return sum(
            self.strength(state, kind, i)
            for kind in self._slots
            for i in range(len(self.course.setup.pieces[kind]))
            if self.course.side_of(state, kind, i) == side
        )


@dataclass
class Turn:
    """A turn, as the ruleset's checkpoints end them.

    *lost* is the strength that each side's pieces have lost, *left* the names of those that left
    the board, by side; *points* stand at its end.  *first* is the moment that it begins behind.
    """

    number: int
    first: int
    header: tuple[str, ...]
    lost: list[int]
    left: list[list[str]]
    points: tuple[int, ...] | None = None
    notes: list[str] = field(default_factory=list)
    decisions: int = 0


class Account:
    """Counts what happens from one moment to the next."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.forces = Forces(course)
        self.turns: list[Turn] = []
        #: by die and side (NONE: not known whose), how often each face has come
        self.faces: dict[tuple[int, int], Counter[int]] = {}
        self.last: Standing | None = None
        #: the points at the start
        self.start: tuple[int, ...] | None = None

    def title(self, turn: Turn) -> str:
        """What a turn is called: what stands above it, with its number where that does not tell it
        from others.
        """
        named = " · ".join(turn.header)
        if named and any(other.header == turn.header for other in self.turns if other is not turn):
            return f"{turn.number + 1} · {named}"
        return named or self.course.word("turn", turn.number + 1)

    def add(self, moment: Moment, standing: Standing) -> None:
        """Count a moment."""
        course = self.course
        count = len(course.spec.sides)
        if moment.before is None:
            self.start = standing.points
        while len(self.turns) <= moment.turn:
            self.turns.append(
                Turn(
                    len(self.turns),
                    moment.number,
                    standing.header,
                    [0] * count,
                    [[] for _ in range(count)],
                )
            )
        for turn, text in moment.notes:
            self.turns[turn].notes.append(text)
        here = self.turns[moment.turn]
        if moment.before is not None:
            acted = self.turns[moment.began]  # what ends a turn belongs to it
            acted.decisions += 1
            shown = course.seen(moment.before)
            after = course.seen(moment.after)
            before, now = (
                (shown.state, after.state) if shown and after else (moment.before, moment.after)
            )
            for side, lost in enumerate(self.forces.lost(before, now)):
                acted.lost[side] += lost
            for kind, index in self.forces.left(before, now):
                side = course.side_of(now, kind, index)
                if side >= 0:
                    acted.left[side].append(course.setup.pieces[kind][index].name)
            acted.points = standing.points
        here.points = standing.points
        for roll in moment.rolls:
            self.faces.setdefault((roll.die, roll.side), Counter()).update(roll.faces)
        self.last = standing
