"""A game as one viewer is told it: moment by moment, as plain data that grows as the game goes on.

The page of a record holds all of it; a page at a table gets what has come since it last did.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from grognard.draw.tokens import SIDE_FILLS
from grognard.retelling.account import Forces
from grognard.retelling.battles import Battles
from grognard.retelling.frames import Frames, GrowingList, Numbering, Spot
from grognard.retelling.moments import Course, Moment, Roll, Standing, turn_titles
from runtime.games.game import Game
from runtime.model import NONE
from runtime.scenario.fields import members
from runtime.view import Sight

#: How many moments a telling can go back without beginning anew.
_BACK: Final = 100


@dataclass(frozen=True)
class _Progress:
    """How much has been told at a moment, and what that has shown."""

    steps: int
    lines: int
    turns: int
    shown: dict[str, Any]
    rows: dict[int, tuple[str, ...]]
    spots: dict[int, Spot]


@dataclass(frozen=True)
class Mark:
    """How much of a telling somebody has been told: the number that its next step had, and what
    was told beside steps and lines; of lists that only grow, how long they were.  *first* is the
    number of the first step of this telling.
    """

    first: int
    serial: int
    beside: dict[str, Any]


class Telling:
    """Collects what a viewer is told of a game; *course* says whose eyes it is seen with.

    *steps* are the moments, each by what differs from the one before; *lines* those of the log,
    each with its step, its turn, its text, and whether it says no more than what was decided;
    *turns* the first step of each turn.
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self.steps: list[dict[str, Any]] = []
        self.lines: list[tuple[int, int, str, bool]] = []
        self.turns: list[int] = []
        self.frames = Frames(course.scene)
        self.forces = Forces(course)
        self._battles = Battles(course, self.forces)
        self._headers: list[tuple[str, ...]] = []
        self._texts, self._rows, self._strips = Numbering(), Numbering(), Numbering()
        self._cards = Numbering()
        #: what is told of these
        self._cards_told = GrowingList()
        self._told = _Progress(0, 0, 0, {}, {}, {})
        self._most_lines = 0
        #: what had been told at the moments so far, the last of them
        self._before: list[_Progress] = []
        #: a number for each step that none had before it
        self._serials: list[int] = []
        self._first = self._serial = 0
        #: what has been followed
        self._choices: list[int] | None = None

    # ------------------------------------------------------------------ following a game

    def follow(self, game: Game, seen: Sight | None = None) -> None:
        """Take in what has been decided in a game, or taken back, since it was followed last;
        *seen* is what the viewer sees of it now, where somebody has it already.
        """
        choices = game.choices
        if self._choices is None:
            self.add(self.course.begin())
            self._choices = []
        known = self._choices
        same = len(known)
        while known[:same] != choices[:same]:
            same -= 1
        gone = len(known) - same
        if gone > len(self._before):
            anew = Telling(self.course)
            anew._first = anew._serial = self._serial
            self.__dict__ = anew.__dict__
            return self.follow(game, seen)
        for _ in range(gone):
            self._back()
        del known[same:]
        for option in choices[same:]:
            moment = self.course.take(option)
            known.append(option)
            self.add(moment, seen if len(known) == len(choices) else None)

    def _back(self) -> None:
        """Go back to the moment before."""
        self.course.back()
        told = self._told = self._before.pop()
        for collected, count in (
            (self.steps, told.steps),
            (self._serials, told.steps),
            (self.lines, told.lines),
            (self.turns, told.turns),
            (self._headers, told.turns),
        ):
            del collected[count:]

    # ------------------------------------------------------------------ collecting

    def add(self, moment: Moment, seen: Sight | None = None) -> None:
        """Take a moment in, of which the viewer sees *seen*, if that is known.  StyleError."""
        course, before = self.course, self._told
        if seen is None:
            seen = course.sight(moment.after)
        standing = course.standing(moment.after, seen)
        below, edges, above, spots = self.frames.frame(moment.after, seen)
        shown, rows = self._shown((below, edges, above), standing, moment)
        step = {key: value for key, value in shown.items() if before.shown.get(key) != value}
        if changed := _differences(before.rows, rows):
            step["r"] = changed
        if moved := _differences(before.spots, spots):
            step["p"] = moved
        is_told = bool(moment.answer or moment.notes or moment.rolls)
        # that somebody has decided something may tell what he holds
        if is_told or step or course.side is None or not self.steps:
            self._step(step, moment, standing)
        if moment.before is not None:
            self._before.append(before)
            del self._before[:-_BACK]
        self._told = _Progress(
            len(self.steps), len(self.lines), len(self.turns), shown, rows, spots
        )

    def _step(self, step: dict[str, Any], moment: Moment, standing: Standing) -> None:
        number, course = len(self.steps), self.course
        while len(self.turns) <= moment.turn:
            self.turns.append(number)
            self._headers.append(standing.header)
        if moment.answer:
            step["q"], step["a"] = self._texts.of(moment.question), self._texts.of(moment.answer)
        if moment.side != NONE and (course.side is None or moment.answer):
            step["s"] = moment.side
        if moment.rolls:
            step["d"] = [list(map(self._texts.of, self._dice(roll))) for roll in moment.rolls]
        if odds := self._battles.of(moment):
            step["k"] = [one.data for one in odds]
        lines = [(number, turn, text, False) for turn, text in moment.notes]
        if not lines and moment.answer:
            name = course.scene.side_name(moment.side)
            lines = [(number, moment.began, f"{name}: {moment.answer}", True)]
        self.lines += lines
        self.steps.append(step)
        self._serials.append(self._serial)
        self._serial += 1

    def _shown(
        self, layers: tuple[int, int, int], standing: Standing, moment: Moment
    ) -> tuple[dict[str, Any], dict[int, tuple[str, ...]]]:
        """What a moment shows, in short keys, and the rows of what the sides have."""
        course, state = self.course, moment.after
        rows = {self._rows.of(name): values for name, values in standing.rows}
        self._most_lines = max(self._most_lines, len(standing.lines))
        chooser = NONE if state.over else state.chooser
        shown = {
            "b": layers[0],
            "e": layers[1],
            "v": layers[2],
            "t": moment.turn,
            "n": chooser if course.side in (None, chooser) else None,
            "h": self._texts.of(" · ".join((*standing.header, *standing.outer))),
            "w": self._strips.of((standing.steps, standing.here)),
            "l": [self._texts.of(line) for line in standing.lines],
            "c": list(standing.points or self._strength(moment)),
            "x": [[self._cards.of(card) for card in hand] for hand in course.hands(state)],
        }
        return shown, rows

    def _strength(self, moment: Moment) -> list[int]:
        """What is drawn as the course of the game where no points are counted."""
        state = self.course.shown_state(moment.after)
        sides = range(len(self.course.spec.sides))
        return [self.forces.total(state, side) for side in sides]

    def _dice(self, roll: Roll) -> Iterable[str]:
        """What the dice of a roll are called, and their faces."""
        die, scene = self.course.spec.dice[roll.die], self.course.scene
        yield scene.wording.text(f"die.{die.name}", default="")
        for face in roll.faces:
            yield str(face) if die.enum is None else scene.member(die.enum, face)

    # ------------------------------------------------------------------ telling

    @property
    def data(self) -> dict[str, Any]:
        """All of it."""
        course, scene = self.course, self.course.scene
        sides = []
        for number, name in enumerate(course.sides):
            look = scene.style.part("sides", course.spec.sides[number])
            sides.append([name, str(look.get("fill", SIDE_FILLS[number % len(SIDE_FILLS)]))])
        beside = self._beside
        return {
            "sides": sides,
            "hands": [course.side in (None, side) for side in range(len(course.sides))],
            **beside,
            "drawing": {**self.frames.data(), **beside["drawing"]},
            "log": self.lines,
            "steps": self.steps,
        }

    @property
    def _beside(self) -> dict[str, Any]:
        """What steps refer to: lists that grow at their ends, and what is small."""
        scene, cards = self.course.scene, self._cards_told
        cards += (
            [scene.member(enum, card), scene.card_text(enum, card), *self._picture(enum, card)]
            for enum, card in self._cards.all[len(cards) :]
        )
        return {
            "texts": self._texts.all,
            "rows": self._rows.all,
            "strips": self._strips.all,
            "cards": cards,
            "turns": [
                [first, title]
                for first, title in zip(
                    self.turns, turn_titles(self.course, self._headers), strict=True
                )
            ],
            "lines": self._most_lines,
            "drawing": self.frames.growing(),
        }

    def _picture(self, enum: str, card: int) -> Iterable[str]:
        """Where the picture of a card is found, if there is one of one's own."""
        art, name = self.course.scene.style.art, members(self.course.spec, enum)[card]
        if art is not None and name in art.cards:
            yield art.address(art.cards[name])

    @property
    def mark(self) -> Mark:
        """How much is told now."""
        return self._mark(self._beside)

    def _mark(self, beside: Mapping[str, Any]) -> Mark:
        return Mark(self._first, self._serial, _sizes(beside))

    def since(self, mark: Mark) -> tuple[dict[str, Any], Mark]:
        """What has come since a mark, and the mark of now.

        So many steps, and the lines of these, are *kept*; behind these come *steps* and lines of
        the *log*.  Of lists that have grown there is what has come at their ends, of all else that
        is another what it is now.
        """
        kept, beside = bisect_left(self._serials, mark.serial), self._beside
        grown = {
            "kept": kept,
            "steps": self.steps[kept:],
            "log": self.lines[bisect_left(self.lines, kept, key=itemgetter(0)) :],
            **(_growth(mark.beside, beside) if mark.first == self._first else beside),
        }
        return grown, self._mark(beside)


def _differences(
    before: Mapping[int, Iterable[Any]], now: Mapping[int, Iterable[Any]]
) -> list[Any]:
    """What differs, each with its number; of what is there no more the number alone."""
    changed = [[key, *values] for key, values in now.items() if before.get(key) != values]
    return changed + [[key] for key in before if key not in now]


def _sizes(beside: Mapping[str, Any]) -> dict[str, Any]:
    """What is told beside steps and lines, to be compared with what is told later."""
    told: dict[str, Any] = {}
    for name, value in beside.items():
        told[name] = len(value) if isinstance(value, GrowingList) else value
        if isinstance(value, Mapping):
            told[name] = _sizes(value)
    return told


def _growth(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """What has come at the ends of lists as ``+name``, and what is another than it was."""
    grown: dict[str, Any] = {}
    for name, value in now.items():
        was = before[name]
        if isinstance(value, GrowingList):
            if len(value) > was:
                grown[f"+{name}"] = value[was:]
        elif isinstance(value, Mapping):
            if more := _growth(was, value):
                grown[name] = more
        elif isinstance(value, list) and value != was and value[: len(was)] == was:
            grown[f"+{name}"] = value[len(was) :]
        elif value != was:
            grown[name] = value
    return grown
