"""The page of a record: one HTML file, without anything from outside, to step through a game."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from grognard.draw.tokens import SIDE_FILLS
from grognard.retelling.account import Account
from grognard.retelling.battles import Battles
from grognard.retelling.frames import Frames, Spot
from grognard.retelling.labels import page_words
from grognard.retelling.moments import Course, Moment, Roll, Standing
from grognard.table.situation import ended
from runtime.games.record import Record
from runtime.model import NONE

#: The characters that could end a script or a comment, or break a line of one.
_UNSAFE = {ord(c): f"\\u{ord(c):04x}" for c in "<>&'\u2028\u2029"}


class _Texts:
    """Texts that come again and again, by number."""

    def __init__(self) -> None:
        self._known: dict[Any, int] = {}

    def __call__(self, text: Any) -> int:
        return self._known.setdefault(text, len(self._known))

    @property
    def all(self) -> list[Any]:
        """The texts in the order of their numbers."""
        return list(self._known)


@dataclass
class _Line:
    """A line of the log: the step that it belongs to."""

    step: int
    text: str
    taken: bool = False


@dataclass
class _Fold:
    """A turn of the log."""

    number: int
    title: str = ""
    lines: list[_Line] = field(default_factory=list)


class Page:
    """Collects what the page of a game holds."""

    def __init__(self, course: Course, record: Record) -> None:
        self.course = course
        self.record = record
        self.language = course.game.wording.language
        self.frames = Frames(course.program, course.setup, course.scene.style, course.scene.wording)
        self.account = Account(course)
        self.battles = Battles(course, self.account.forces)
        self.folds: list[_Fold] = []
        self.turns: list[int] = []
        self.steps: list[dict[str, Any]] = []
        self._texts, self._rows, self._strips, self._cards = _Texts(), _Texts(), _Texts(), _Texts()
        #: what the last moment has shown
        self._shown: dict[str, Any] = {}
        self._shown_rows: dict[int, tuple[str, ...]] = {}
        self._spots: dict[int, Spot] = {}
        self._most_lines = 0

    # ------------------------------------------------------------------ collecting

    def add(self, moment: Moment) -> None:
        """Take a moment in.  StyleError."""
        course = self.course
        seen = course.seen(moment.after)
        standing = course.standing(moment.after, seen)
        self.account.add(moment, standing)
        below, edges, above, spots = self.frames.frame(moment.after, seen)
        step = self._changes((below, edges, above), spots, standing, moment)
        is_told = bool(moment.answer or moment.notes)
        if self.steps and not is_told and not step and course.side is not None:
            return  # that somebody has decided something may tell what he holds
        number = len(self.steps)
        self.turns += [number] * (moment.turn + 1 - len(self.turns))
        if moment.answer:
            step["q"], step["a"] = self._texts(moment.question), self._texts(moment.answer)
        if moment.side != NONE and (course.side is None or moment.answer):
            step["s"] = moment.side
        if moment.rolls:
            step["d"] = [list(map(self._texts, self._dice(roll))) for roll in moment.rolls]
        odds = self.battles.of(moment)
        if odds:
            step["k"] = [one.data for one in odds]
        self._log(number, moment)
        self.steps.append(step)

    def _changes(
        self,
        layers: tuple[int, int, int],
        spots: dict[int, Spot],
        standing: Standing,
        moment: Moment,
    ) -> dict[str, Any]:
        """What differs from the moment before, in short keys."""
        course = self.course
        rows = {self._rows(name): values for name, values in standing.rows}
        self._most_lines = max(self._most_lines, len(standing.lines))
        state = moment.after
        chooser = NONE if state.over else state.chooser
        now: dict[str, Any] = {
            "b": layers[0],
            "e": layers[1],
            "v": layers[2],
            "t": moment.turn,
            "n": chooser if course.side in (None, chooser) else None,
            "h": self._texts(" · ".join((*standing.header, *standing.outer))),
            "w": self._strips((standing.steps, standing.here)),
            "l": [self._texts(line) for line in standing.lines],
            "c": list(standing.points or self._strength(moment)),
            "x": [[self._cards(card) for card in hand] for hand in course.hands(state)],
        }
        step = {key: value for key, value in now.items() if self._shown.get(key) != value}
        if changed := _differences(self._shown_rows, rows):
            step["r"] = changed
        if moved := _differences(self._spots, spots):
            step["p"] = moved
        self._shown, self._shown_rows, self._spots = now, rows, spots
        return step

    def _strength(self, moment: Moment) -> list[int]:
        """What is drawn as the course of the game where no points are counted."""
        state = self.course.shown(moment.after)
        sides = range(len(self.course.spec.sides))
        return [self.account.forces.total(state, side) for side in sides]

    def _dice(self, roll: Roll) -> Iterator[str]:
        """What the dice of a roll are called, and their faces."""
        die, scene = self.course.spec.dice[roll.die], self.course.scene
        yield scene.wording.text(f"die.{die.name}", default="")
        for face in roll.faces:
            yield str(face) if die.enum is None else scene.member(die.enum, face)

    def _log(self, number: int, moment: Moment) -> None:
        """What the log says of a moment; what was decided where nothing else is said."""
        lines = list(moment.notes)
        taken = not lines and bool(moment.answer)
        if taken:
            name = self.course.scene.side_name(moment.side)
            lines = [(moment.began, f"{name}: {moment.answer}")]
        for turn, text in lines:
            while len(self.folds) <= turn:
                self.folds.append(_Fold(len(self.folds) + 1))
            self.folds[turn].lines.append(_Line(number, text, taken))

    # ------------------------------------------------------------------ writing

    @property
    def data(self) -> dict[str, Any]:
        """What the script of the page reads."""
        course, scene = self.course, self.course.scene
        sides = []
        for number, name in enumerate(course.sides):
            look = scene.style.part("sides", course.spec.sides[number])
            sides.append([name, str(look.get("fill", SIDE_FILLS[number % len(SIDE_FILLS)]))])
        counted = self.account.last.counted if self.account.last is not None else ""
        return {
            "sides": sides,
            "drawing": self.frames.data,
            "texts": self._texts.all,
            "rows": self._rows.all,
            "strips": self._strips.all,
            "cards": [
                [scene.member(enum, card), scene.card_text(enum, card)]
                for enum, card in self._cards.all
            ],
            "turns": self.turns,
            "chart": counted or course.word("strength"),
            "lines": self._most_lines,
            "words": page_words(self.language),
            "steps": self.steps,
        }

    def write(self) -> str:
        """The page."""
        course, state = self.course, self.course.game.state
        self.folds += [
            _Fold(number + 1) for number in range(len(self.folds), len(self.account.turns))
        ]
        for turn, fold in zip(self.account.turns, self.folds, strict=True):
            fold.title = self.account.title(turn)
        words = course.scene.words
        outcome = ended(state, course.sides, words) if state.over else course.word("unfinished")
        shown = course.shown_to("", "seen_by_all", "seen_by")
        script, style = asset("page.js"), asset("page.css")
        data = json.dumps(self.data, ensure_ascii=False, separators=(",", ":")).translate(_UNSAFE)
        template = environment().get_template("page.html.j2")
        return template.render(
            language=self.language,
            title=course.setup.title,
            date=course.scene.wording.called(course.setup.date),
            players=[
                (course.sides[course.spec.sides.index(side)], name)
                for side, name in self.record.players
                if side in course.spec.sides
            ],
            outcome=outcome,
            shown=shown,
            folds=self.folds,
            count=len(self.steps),
            word=course.word,
            script=Markup(script),
            style=Markup(style),
            script_hash=digest(script),
            style_hash=digest(style),
            data=Markup(data),
        )


def _differences(
    before: Mapping[int, Iterable[Any]], now: Mapping[int, Iterable[Any]]
) -> list[Any]:
    """What differs, each with its number; of what is there no more the number alone."""
    changed = [[key, *values] for key, values in now.items() if before.get(key) != values]
    return changed + [[key] for key in before if key not in now]


def page_of(course: Course, record: Record) -> str:
    """The page of a game as text.  StyleError where the ruleset's style cannot be used."""
    page = Page(course, record)
    for moment in course.moments():
        page.add(moment)
    return page.write()


def environment() -> jinja2.Environment:
    """Reads the templates that stand beside this module; whatever is put in is escaped in HTML."""
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(asset),
        autoescape=lambda name: bool(name and ".html" in name),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def asset(name: str) -> str:
    """A template, style or script that stands beside this module."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """What a policy for content knows a script or style by."""
    return "sha256-" + b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")
