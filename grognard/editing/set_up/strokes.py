"""Strokes: what an author does to a set-up by hand, as changes of the texts that it stands in.

A stroke names things as scenarios do: pieces by their names, hexes by labels, values by words, the
fields of each member of an enum as ``hits[left]``.  What it makes impossible is for findings to
say; refused is only what the texts have no place for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from grognard.editing.edits import Edit
from grognard.editing.set_up.painting import Painter
from grognard.editing.set_up.piece_strokes import Pieces
from grognard.editing.set_up.sheet import Sheet, Words, yaml_of
from runtime.errors import ArgumentError
from runtime.model import RulesetSpec
from runtime.scenario.fields import GAME, HEX, NAME, PREFIX, SIDE
from runtime.words.said import said


@dataclass(frozen=True)
class Paint:
    """Hexes get a value of a field, or with None the one that hexes have by themselves."""

    field: str
    value: str | None
    hexes: tuple[str, ...]


@dataclass(frozen=True)
class Mark:
    """Hexes get, or lose, a member of a field that holds sets."""

    field: str
    member: str
    hexes: tuple[str, ...]
    on: bool = True


@dataclass(frozen=True)
class Hexside:
    """What lies between two hexes appears, or goes: at both, or with *both* false only at the first
    of them.
    """

    field: str
    hexes: tuple[str, str]
    on: bool = True
    both: bool = True


@dataclass(frozen=True)
class Place:
    """A new piece of a kind, with its fields, and perhaps a name."""

    kind: str
    fields: dict[str, Words]
    name: str | None = None


@dataclass(frozen=True)
class Change:
    """A field of a piece (or its ``name``) gets a value; None takes it out.

    Of a pool, whose pieces are alike, all get it, but that a new place concerns one alone.
    """

    piece: str
    field: str
    value: Words | None


@dataclass(frozen=True)
class Remove:
    """A piece goes, and all mention of it."""

    piece: str


@dataclass(frozen=True)
class Duplicate:
    """There is another piece like one."""

    piece: str


@dataclass(frozen=True)
class Give:
    """A field of the game (*owner* ``Game``), of a side (``Side``) or of a member of another enum
    gets a value; None takes it out.
    """

    owner: str
    member: str
    field: str
    value: Words | None


@dataclass(frozen=True)
class Say:
    """The title, the length, a switch (``switches.weather``) or another key gets a value."""

    key: str
    value: Words | None


Stroke = Paint | Mark | Hexside | Place | Change | Remove | Duplicate | Give | Say


@dataclass(frozen=True)
class SetUpTexts:
    """The text of a scenario, and where its board stands in a file of its own, that of the board.

    *spec* is the ruleset on its own board.
    """

    scenario: str
    spec: RulesetSpec
    board: str | None = None

    @cached_property
    def sheet(self) -> Sheet:
        """The scenario, to be written on.  ArgumentError where it cannot be read."""
        return Sheet(self.scenario, self.spec)

    def edits(self, stroke: Stroke) -> tuple[list[Edit], list[Edit]]:
        """What a stroke changes in the scenario's text, and in that of the board.  ArgumentError
        for what is not there, or has no place in the texts.
        """
        sheet = Sheet(self.scenario, self.spec)
        painter = Painter(sheet, self.board)
        match stroke:
            case Paint() | Mark() | Hexside():
                painter.paint(stroke.field, _values_by_hex(sheet, stroke))
            case Place() | Change() | Remove() | Duplicate():
                _move(Pieces(sheet), stroke)
            case Give(owner, _, name):
                if not (owner == SIDE and name in (NAME, PREFIX)):
                    sheet.field(owner, name)
                _give(sheet, (*_owner(stroke), *sheet.steps(stroke.field)), stroke)
            case Say(key):
                _give(sheet, tuple(key.split(".")), stroke)
        return sheet.yaml.edits(), painter.edits()


def _move(pieces: Pieces, stroke: Place | Change | Remove | Duplicate) -> None:
    match stroke:
        case Place(kind, fields, name):
            pieces.place(kind, fields, name)
        case Change(piece, field, value):
            pieces.change(piece, field, value)
        case Remove(piece):
            pieces.remove(piece)
        case Duplicate(piece):
            pieces.duplicate(piece)
    pieces.follow(stroke.piece if isinstance(stroke, Remove) else None)


def _values_by_hex(sheet: Sheet, stroke: Paint | Mark | Hexside) -> dict[str, int]:
    """The value that each hex is to have."""
    field = sheet.field(HEX, stroke.field)
    if isinstance(stroke, Paint):
        return dict.fromkeys(stroke.hexes, sheet.value(field, field.type, stroke.value))
    assert field.type.of is not None
    if isinstance(stroke, Mark):
        pairs = [(label, stroke.member) for label in stroke.hexes]
    else:
        a, b = stroke.hexes
        pairs = [(a, b), (b, a)] if stroke.both else [(a, b)]
    wanted = {}
    for label, member in pairs:
        bit = 1 << sheet.value(field, field.type.of, member)
        before = sheet.value_on(field, sheet.hex(label))
        wanted[label] = before | bit if stroke.on else before & ~bit
    return wanted


def _owner(stroke: Give) -> tuple[str, ...]:
    """Where a scenario gives the fields of an owner, but those of other enums by member."""
    if stroke.owner == GAME:
        return ("game",)
    return ("sides", stroke.member) if stroke.owner == SIDE else ("fields", stroke.owner)


def _give(sheet: Sheet, path: tuple[str, ...], stroke: Give | Say) -> None:
    if isinstance(stroke, Give) and stroke.owner not in (GAME, SIDE):
        path = (*path, stroke.member)
    if stroke.value is not None:
        wording = path[-1] in ("title", "date", NAME, PREFIX)
        sheet.give(path, yaml_of(stroke.value, wording))
    elif sheet.yaml.node(path) is not None:
        sheet.yaml.remove(path)
    else:
        message = said("{key} is not given", key=".".join(path))
        raise ArgumentError(message, said("give it a value first"))
