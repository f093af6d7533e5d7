"""What a game has cost and brought: losses, points and dice, by turn and side."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from grognard.draw.picture import Picture
from grognard.retelling.moments import Course, Moment, Standing, turn_titles
from runtime.model import NONE
from runtime.state import StateBase

#: The first number of the figures on a counter is taken for its strength.
_NUMBER = re.compile(r"\d+")


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
            return 0
        if kind in self._figures:
            return self._figure(state, kind, index)
        strength = self._strengths[kind]
        return 0 if strength is None else max(0, int(getattr(state, strength.slot)[index]))

    def _figure(self, state: StateBase, kind: str, index: int) -> int:
        if self._picture is None:
            self._picture = self.course.scene.picture(state)
        self._picture.show(state)
        number = _NUMBER.search(self._picture.token(kind, index).figures)
        return int(number[0]) if number else 0

    def changed_pieces(self, before: StateBase, after: StateBase) -> list[tuple[str, int]]:
        """The pieces of which anything has changed."""
        pieces: list[tuple[str, int]] = []
        for kind, slots in self._slots.items():
            indexes: set[int] = set()
            for slot in slots:
                was, now = getattr(before, slot), getattr(after, slot)
                if was is not now and was != now:
                    indexes |= {i for i, value in enumerate(was[:-1]) if value != now[i]}
            pieces += [(kind, i) for i in sorted(indexes)]
        return pieces

    def strength_lost(self, before: StateBase, after: StateBase) -> list[int]:
        """By side, how much strength the board has lost; what has come counts against it."""
        totals = [0] * len(self.course.spec.sides)
        for kind, index in self.changed_pieces(before, after):
            side = self.course.side_of(before, kind, index)
            if side >= 0:
                totals[side] += self.strength(before, kind, index) - self.strength(
                    after, kind, index
                )
        return totals

    def departed_pieces(self, before: StateBase, after: StateBase) -> list[tuple[str, int]]:
        """The pieces that have left the board."""
        return [
            (kind, index)
            for kind, index in self.changed_pieces(before, after)
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
    the board, by side; *points* stand at its end.
    """

    number: int
    header: tuple[str, ...]
    lost: list[int]
    left: list[list[str]]
    points: tuple[int, ...] | None = None
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
        """What a turn is called."""
        return turn_titles(self.course, [one.header for one in self.turns])[turn.number]

    def add(self, moment: Moment, standing: Standing) -> None:
        """Count a moment."""
        course = self.course
        count = len(course.spec.sides)
        if moment.before is None:
            self.start = standing.points
        while len(self.turns) <= moment.turn:
            left: list[list[str]] = [[] for _ in range(count)]
            turn = Turn(len(self.turns), standing.header, [0] * count, left)
            self.turns.append(turn)
        if moment.before is not None:
            acted = self.turns[moment.began]  # what ends a turn belongs to it
            acted.decisions += 1
            before, now = course.shown_state(moment.before), course.shown_state(moment.after)
            for side, lost in enumerate(self.forces.strength_lost(before, now)):
                acted.lost[side] += lost
            for kind, index in self.forces.departed_pieces(before, now):
                side = course.side_of(now, kind, index)
                if side >= 0:
                    acted.left[side].append(course.setup.pieces[kind][index].name)
            acted.points = standing.points
        self.turns[moment.turn].points = standing.points
        for roll in moment.rolls:
            self.faces.setdefault((roll.die, roll.side), Counter()).update(roll.faces)
        self.last = standing
