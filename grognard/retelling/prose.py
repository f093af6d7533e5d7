"""The report of a record: the game in a page of prose and tables, as Markdown or HTML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

from markupsafe import Markup

from grognard.retelling.account import Account, Turn
from grognard.retelling.luck import Balance, Luck
from grognard.retelling.moments import Course
from grognard.retelling.page import asset, digest, environment
from grognard.table.situation import ended
from runtime.games.record import Record
from runtime.model import NONE

#: How many turns may stand out, how many notes of the end and of a turn are told, how many names in a list.
_TURNS, _LAST, _NOTES, _NAMES = 3, 6, 4, 12
#: From how many turns on those of one heading are taken together.
_LONG = 24
_MARKED = re.compile(r"([\\`*\[\]<>|])")


@dataclass
class Table:
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
    tables: list[Table] = field(default_factory=list)


class Report:
    """A game in prose and tables."""

    def __init__(self, course: Course, record: Record) -> None:
        self.course = course
        self.record = record
        self.language = course.game.wording.language
        self.account = Account(course)
        self.luck = Luck(course, self.account.forces)
        self._notes: list[str] = []
        self.decisions = 0
        for moment in course.moments():
            standing = course.standing(moment.after, course.seen(moment.after))
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
        return f" ({self.account.forces.unit})" if self.account.forces.unit else ""

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
            self.course.word("who", sides[side], name)
            for side, name in self.record.players
            if side in sides
        ]
        played = sum(
            turn.decisions > 0 for turn in self.account.turns
        )  # what follows the last is no turn
        length = self.course.word("length", self.decisions, max(played, 1))
        return Section("", [", ".join([*who, length]) + "."])

    def end(self) -> Section:
        """How it ended, with what the panel tells then."""
        course, state = self.course, self.course.game.state
        part = Section(self.course.word("the_end"))
        if state.over:
            part.paragraphs.append(ended(state, course.sides, self.course.scene.words))
        else:
            seen = (
                self.course.word("was_played")
                if course.side is None
                else self.course.word("everybody_sees")
                if course.side == NONE
                else self.course.word("side_sees", course.sides[course.side])
            )
            part.paragraphs.append(self.course.word("goes_on", seen))
        if self._notes:
            part.paragraphs.append(self.course.word("last_words"))
            part.items = self._notes[-_LAST:]
        last = self.account.last
        if last is not None and last.rows:
            rows = [[name, *values] for name, values in last.rows]
            part.tables.append(Table([self.course.word("stand"), *course.sides], rows))
        return part

    def by_turn(self) -> Section:
        """Points and losses of each turn in which anything of that has changed."""
        sides = range(len(self.course.spec.sides))
        turns = self.account.turns
        counted = self.account.last.counted if self.account.last is not None else ""
        unit = (
            self.course.word("unit", self.account.forces.unit) if self.account.forces.unit else ""
        )
        names = self.course.sides
        head = [self.course.word("turns")]
        head += [f"{counted} {name}" for name in names] if counted else []
        pieces = any(self.course.setup.pieces.values())
        head += [self.course.word("col_lost", name) for name in names] if pieces else []
        head += [self.course.word("col_left", name) for name in names] if pieces else []
        rows = []
        before = self.account.start
        for title, group in self._grouped(turns):
            points = next((t.points for t in reversed(group) if t.points is not None), before)
            lost, left = self._losses(group)
            if any(lost) or any(left) or points != before:
                row = [title]
                row += [str(points[side]) if points else "–" for side in sides] if counted else []
                rows.append([*row, *map(_figure, (*lost, *left) if pieces else ())])
            before = points
        lost, left = self._losses(turns)
        total = [self.course.word("total"), *([""] * len(sides) if counted else [])]
        said = (
            [self.course.word("by_turn_points", counted[:1].upper() + counted[1:])]
            if counted
            else []
        )
        if pieces:
            said.append(self.course.word("by_turn_lost", unit))
        table = Table(head, rows, [*total, *map(_figure, (*lost, *left))] if pieces else [])
        return Section(self.course.word("by_turn"), [" ".join(said)], tables=[table])

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
        return [
            (title, list(group)) for title, group in groupby(turns, lambda turn: turn.header[0])
        ]

    def losses(self) -> Section:
        """Which pieces left the board, and when."""
        part = Section(self.course.word("losses"))
        if not any(self.course.setup.pieces.values()):
            return part
        for side, name in enumerate(self.course.sides):
            left = [(piece, turn) for turn in self.account.turns for piece in turn.left[side]]
            if left:
                texts = [f"{piece} ({self._when(turn)})" for piece, turn in left]
                part.items.append(self.course.word("left_list", name, ", ".join(texts)))
        if not part.items:
            part.paragraphs.append(self.course.word("nobody_left"))
        return part

    def _when(self, turn: Turn) -> str:
        """A turn in few words."""
        return turn.header[0] if turn.header else self.account.title(turn)

    def turning(self) -> Section:
        """The turns in which most was lost or the points moved most."""
        part = Section(self.course.word("turning"))
        weighed = [(self._weight(turn), -turn.number, turn) for turn in self.account.turns]
        chosen = sorted(weighed, reverse=True)[:_TURNS]
        for _, _, turn in sorted((one for one in chosen if one[0] > 0), key=lambda one: -one[1]):
            told = []
            for side, name in enumerate(self.course.sides):
                if turn.lost[side] > 0:
                    told.append(self.course.word("turn_lost", name, turn.lost[side], self.unit))
                if turn.lost[side] < 0:
                    told.append(self.course.word("turn_gained", name, -turn.lost[side], self.unit))
                if turn.left[side]:
                    names = ", ".join(turn.left[side][:_NAMES])
                    told.append(self.course.word("turn_left", name, len(turn.left[side]), names))
            before = self._points_before(turn)
            if before is not None and turn.points is not None and before != turn.points:
                told.append(
                    self.course.word(
                        "turn_points", ":".join(map(str, before)), ":".join(map(str, turn.points))
                    )
                )
            part.items.append(f"{self.account.title(turn)} – {'; '.join(told)}.")
        if not part.items:
            part.paragraphs.append(self.course.word("nothing_turned"))
        return part

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
        part = Section(self.course.word("luck"))
        if self.course.side is not None:
            return part
        if self.luck.sides:
            part.paragraphs.append(self.course.word("luck_what", self.luck.times))
            part.items = [
                self.course.word(
                    "luck_side",
                    name,
                    balance.lost,
                    self.unit,
                    float(balance.expected),
                    self._judged(balance),
                )
                for side, name in enumerate(self.course.sides)
                if (balance := self.luck.sides.get(side)) is not None
            ]
        else:
            part.paragraphs.append(self.course.word("no_luck"))
        return part

    def dice(self) -> Section:
        """The faces that came."""
        part = Section(self.course.word("dice_faces"))
        part.tables = [self._die(die) for die in sorted({die for die, _ in self.account.faces})]
        if part.tables:
            part.paragraphs.append(self.course.word("dice_what"))
        return part

    def _judged(self, balance: Balance) -> str:
        """How a side's losses lie to what was to be expected."""
        far = balance.deviations
        if balance.variance < 1:
            return self.course.word("luck_few")
        key = (
            "luck_much_less" if far <= -2 else "luck_less" if far <= -1
            else "luck_even" if far < 1 else "luck_more" if far < 2 else "luck_much_more"
        )  # fmt: skip
        return self.course.word(key)

    def _die(self, number: int) -> Table:
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
                name = course.sides[side] if side >= 0 else self.course.word("other")
                rows.append([name, *_counts(counted, die.faces, faces)])
        total = (
            [self.course.word("all_sides"), *_counts(everybody, die.faces, faces)]
            if len(rows) > 1
            else []
        )
        return Table([named, self.course.word("col_rolled"), *words], rows, total)

    # ------------------------------------------------------------------ writing

    def markdown(self) -> str:
        """The report as Markdown."""
        lines = [f"# {_marked(self.title)}", ""]
        for part in self.sections():
            if part.title:
                lines += [f"## {_marked(part.title)}", ""]
            for text in part.paragraphs:
                lines += [_marked(text), ""]
            if part.items:
                lines += [*(f"- {_marked(text)}" for text in part.items), ""]
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


def _marked(text: str) -> str:
    """Text that Markdown leaves as it is."""
    text = _MARKED.sub(r"\\\1", " ".join(text.split()))
    return "\\" + text if text.startswith(("#", "-", "+", "=")) else text


def _table(table: Table) -> list[str]:
    """A table in Markdown, its columns lined up."""
    rows = [
        [_marked(cell) for cell in row]
        for row in (table.head, *table.rows, *([table.total] if table.total else []))
    ]
    wide = [max(3, *(len(row[i]) for row in rows)) for i in range(len(table.head))]

    def line(row: list[str]) -> str:
        first, *rest = (
            cell.ljust(wide[i]) if i == 0 else cell.rjust(wide[i]) for i, cell in enumerate(row)
        )
        return "| " + " | ".join([first, *rest]) + " |"

    rule = (
        "|"
        + "|".join("-" * (w + 2) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(wide))
        + "|"
    )
    return [line(rows[0]), rule, *(line(row) for row in rows[1:])]
