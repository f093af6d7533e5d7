"""The report of a record: the game in a page of prose and tables, as Markdown or HTML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from markupsafe import Markup

from grognard.retelling.account import Account, Turn
from grognard.retelling.luck import Balance, Luck
from grognard.retelling.moments import Course
from grognard.retelling.page import asset, digest, environment
from grognard.table.situation import end_sentences
from runtime.games.record import Record
from runtime.model import NONE

#: How many turns may stand out, how many notes of the end are told, how many names in a list.
_TURNS, _LAST, _NAMES = 3, 6, 12
#: From how many turns on those of one heading are taken together.
_LONG = 24
_MARKED = re.compile(r"([\\`*\[\]<>|])")


@dataclass
class Columns:
    """A table: its head, and rows of as many texts; *total* is the last row."""

    head: list[str]
    rows: list[list[str]]
    total: list[str] = field(default_factory=list)


@dataclass
class Section:
    """A part of a report: paragraphs, a list, a table, each where there is one."""

    title: str
    paragraphs: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    tables: list[Columns] = field(default_factory=list)


class Report:
    """A game in prose and tables."""

    def __init__(self, course: Course, record: Record) -> None:
        self.course = course
        self.record = record
        self.word = course.word
        self.language = course.game.wording.language
        self.account = Account(course)
        self.luck = Luck(course, self.account.forces)
        self._notes: list[str] = []
        self.decisions = 0
        for moment in course.moments():
            standing = course.standing(moment.after, course.sight(moment.after))
            self.account.add(moment, standing)
            self.luck.of(moment)
            self._notes += [text for _, text in moment.notes]
            self.decisions = moment.number

    @property
    def title(self) -> str:
        """What was played."""
        setup = self.course.setup
        return f"{setup.title} ({setup.date})" if setup.date else setup.title

    @property
    def unit(self) -> str:
        """What strength is counted in, behind a number."""
        unit = self.account.forces.unit
        return self.word("unit", unit) if unit else ""

    # ------------------------------------------------------------------ parts

    def sections(self) -> list[Section]:
        """The parts of the report."""
        parts = [
            self.begin(),
            self.end(),
            self.turning(),
            self.by_turn(),
            self.losses(),
            self.fortune(),
            self.dice(),
        ]
        return [part for part in parts if part.paragraphs or part.items or part.tables]

    def begin(self) -> Section:
        """Who played, and how long."""
        course = self.course
        sides = dict(zip(course.spec.sides, course.sides, strict=True))
        who = [
            self.word("who", sides[side], name)
            for side, name in self.record.players
            if side in sides
        ]
        # what follows the last decision is no turn
        played = sum(turn.decisions > 0 for turn in self.account.turns)
        length = self.word("length", self.decisions, max(played, 1))
        return Section("", [", ".join([*who, length]) + "."])

    def end(self) -> Section:
        """How it ended, with what the panel tells then."""
        course, state = self.course, self.course.game.state
        part = Section(self.word("the_end"))
        if state.over:
            part.paragraphs.append(end_sentences(state, course.sides, course.scene.words))
        else:
            seen = course.shown_to("was_played", "everybody_sees", "side_sees")
            part.paragraphs.append(self.word("goes_on", seen))
        if self._notes:
            part.paragraphs.append(self.word("last_words"))
            part.items = self._notes[-_LAST:]
        last = self.account.last
        if last is not None and last.rows:
            rows = [[name, *values] for name, values in last.rows]
            part.tables.append(Columns([self.word("stand"), *course.sides], rows))
        return part

    def by_turn(self) -> Section:
        """Points and losses of each turn in which anything of that has changed."""
        turns, names = self.account.turns, self.course.sides
        counted = self.account.last.counted if self.account.last is not None else ""
        pieces = any(self.course.setup.pieces.values())
        head = [self.word("turns")]
        head += [f"{counted} {name}" for name in names if counted]
        head += [
            self.word(key, name) for key in ("col_lost", "col_left") for name in names if pieces
        ]
        rows = []
        before = self.account.start
        for title, group in self._grouped(turns):
            points = next((t.points for t in reversed(group) if t.points is not None), before)
            lost, left = self._losses(group)
            if any(lost) or any(left) or points != before:
                stand = [str(n) for n in points] if points else ["–"] * len(names)
                row = [title, *(stand if counted else ())]
                rows.append([*row, *map(_figure, (*lost, *left) if pieces else ())])
            before = points
        lost, left = self._losses(turns)
        total = [self.word("total"), *([""] * len(names) if counted else [])]
        notes = []
        if counted:
            notes.append(self.word("by_turn_points", counted[:1].upper() + counted[1:]))
        if pieces:
            notes.append(self.word("by_turn_lost", self.unit))
        table = Columns(head, rows, [*total, *map(_figure, (*lost, *left))] if pieces else [])
        return Section(self.word("by_turn"), [" ".join(notes)], tables=[table])

    def _losses(self, turns: list[Turn]) -> tuple[list[int], list[int]]:
        """By side, the strength lost in turns, and how many pieces left the board."""
        sides = range(len(self.course.spec.sides))
        return (
            [sum(turn.lost[side] for turn in turns) for side in sides],
            [sum(len(turn.left[side]) for turn in turns) for side in sides],
        )

    def _grouped(self, turns: list[Turn]) -> Iterable[tuple[str, list[Turn]]]:
        """The turns, in long games those of one heading together, each with what it is called."""
        if len(turns) <= _LONG or not all(turn.header for turn in turns):
            return [(self.account.title(turn), [turn]) for turn in turns]
        groups = groupby(turns, lambda turn: turn.header[0])
        return [(title, list(group)) for title, group in groups]

    def losses(self) -> Section:
        """Which pieces left the board, and when."""
        part = Section(self.word("losses"))
        if not any(self.course.setup.pieces.values()):
            return part
        for side, name in enumerate(self.course.sides):
            left = [(piece, turn) for turn in self.account.turns for piece in turn.left[side]]
            if left:
                texts = [f"{piece} ({self._when(turn)})" for piece, turn in left]
                part.items.append(self.word("left_list", name, ", ".join(texts)))
        if not part.items:
            part.paragraphs.append(self.word("nobody_left"))
        return part

    def _when(self, turn: Turn) -> str:
        """A turn in few words."""
        return turn.header[0] if turn.header else self.account.title(turn)

    def turning(self) -> Section:
        """The turns in which most was lost or the points moved most."""
        part = Section(self.word("turning"))
        weighed = [(self._weight(turn), -turn.number, turn) for turn in self.account.turns]
        chosen = sorted(weighed, reverse=True)[:_TURNS]
        for _, _, turn in sorted((one for one in chosen if one[0] > 0), key=lambda one: -one[1]):
            part.items.append(f"{self.account.title(turn)} – {'; '.join(self._changes(turn))}.")
        if not part.items:
            part.paragraphs.append(self.word("nothing_turned"))
        return part

    def _changes(self, turn: Turn) -> Iterator[str]:
        """What a turn has changed."""
        for name, lost, left in zip(self.course.sides, turn.lost, turn.left, strict=True):
            if lost:
                yield self.word(
                    "turn_lost" if lost > 0 else "turn_gained", name, abs(lost), self.unit
                )
            if left:
                yield self.word("turn_left", name, len(left), ", ".join(left[:_NAMES]))
        before = self._points_before(turn)
        if before is not None and turn.points is not None and before != turn.points:
            stands = (":".join(map(str, points)) for points in (before, turn.points))
            yield self.word("turn_points", *stands)

    def _points_before(self, turn: Turn) -> tuple[int, ...] | None:
        return self.account.turns[turn.number - 1].points if turn.number else self.account.start

    def _weight(self, turn: Turn) -> float:
        """How much a turn has changed: points against all points, losses against all losses."""
        turns, weight = self.account.turns, 0.0
        lost = sum(abs(n) for other in turns for n in other.lost) or 1
        weight += max(abs(n) for n in turn.lost) / lost
        before = self._points_before(turn)
        if before is not None and turn.points is not None:
            most = max((abs(n) for other in turns for n in other.points or ()), default=0) or 1
            weight += max(abs(a - b) for a, b in zip(before, turn.points, strict=True)) / most
        return weight

    def fortune(self) -> Section:
        """What the dice gave, and what was to be expected of them."""
        part = Section(self.word("luck"))
        if self.course.side is not None:
            return part
        if self.luck.sides:
            part.paragraphs.append(self.word("luck_what", self.luck.times))
            for side, balance in sorted(self.luck.sides.items()):
                name, judged = self.course.sides[side], self._judgement(balance)
                lost, expected = balance.lost, float(balance.expected)
                part.items.append(self.word("luck_side", name, lost, self.unit, expected, judged))
        else:
            part.paragraphs.append(self.word("no_luck"))
        return part

    def dice(self) -> Section:
        """The faces that came."""
        part = Section(self.word("dice_faces"))
        part.tables = [self._die(die) for die in sorted({die for die, _ in self.account.faces})]
        if part.tables:
            part.paragraphs.append(self.word("dice_what"))
        return part

    def _judgement(self, balance: Balance) -> str:
        """How a side's losses lie to what was to be expected."""
        far = balance.deviations
        if balance.variance < 1:
            return self.word("luck_few")
        key = (
            "luck_much_less" if far <= -2 else "luck_less" if far <= -1
            else "luck_even" if far < 1 else "luck_more" if far < 2 else "luck_much_more"
        )  # fmt: skip
        return self.word(key)

    def _die(self, number: int) -> Columns:
        """How often the faces of a die have come, by side as far as that is told."""
        course = self.course
        die = course.spec.dice[number]
        faces = sorted(set(die.faces))
        named = course.scene.wording.text(f"die.{die.name}", default=die.name.replace("_", " "))
        words = [
            str(face) if die.enum is None else course.scene.member(die.enum, face) for face in faces
        ]
        rows = []
        everybody: Counter[int] = Counter()
        for side in (*range(len(course.sides)), NONE):
            counted = self.account.faces.get((number, side))
            if counted:
                everybody += counted
                name = course.sides[side] if side >= 0 else self.word("other")
                rows.append([name, *_counts(counted, die.faces, faces)])
        total = [self.word("all_sides"), *_counts(everybody, die.faces, faces)]
        total = total if len(rows) > 1 else []
        return Columns([named, self.word("col_rolled"), *words], rows, total)

    # ------------------------------------------------------------------ writing

    def markdown(self) -> str:
        """The report as Markdown."""
        lines = [f"# {_escaped(self.title)}", ""]
        for part in self.sections():
            if part.title:
                lines += [f"## {_escaped(part.title)}", ""]
            for text in part.paragraphs:
                lines += [_escaped(text), ""]
            if part.items:
                lines += [*(f"- {_escaped(text)}" for text in part.items), ""]
            for table in part.tables:
                lines += [*_table(table), ""]
        return "\n".join(lines).rstrip() + "\n"

    def html(self) -> str:
        """The report as a page of its own."""
        template = environment().get_template("report.html.j2")
        style = asset("report.css")
        return template.render(
            language=self.language,
            title=self.title,
            sections=self.sections(),
            style=Markup(style),
            style_hash=digest(style),
        )


def _counts(counted: Counter[int], weights: tuple[int, ...], faces: list[int]) -> list[str]:
    """How many dice, and of each face how many came and were to be expected."""
    total = sum(counted.values())
    shares = Counter(weights)
    return [
        str(total),
        *(f"{counted[face]} ({total * shares[face] / len(weights):.1f})" for face in faces),
    ]


def _figure(number: int) -> str:
    return str(number) if number else "–"


def _escaped(text: str) -> str:
    """Text that Markdown leaves as it is."""
    text = _MARKED.sub(r"\\\1", " ".join(text.split()))
    return "\\" + text if text.startswith(("#", "-", "+", "=")) else text


def _table(table: Columns) -> list[str]:
    """A table in Markdown, its columns lined up."""
    written = (table.head, *table.rows, *([table.total] if table.total else []))
    rows = [[_escaped(cell) for cell in row] for row in written]
    width, *widths = [max(3, *map(len, column)) for column in zip(*rows, strict=True)]

    def line(row: list[str]) -> str:
        cells = (cell.rjust(width) for cell, width in zip(row[1:], widths, strict=True))
        return f"| {' | '.join([row[0].ljust(width), *cells])} |"

    rule = "|".join(["-" * (width + 2), *("-" * (width + 1) + ":" for width in widths)])
    return [line(rows[0]), f"|{rule}|", *map(line, rows[1:])]
