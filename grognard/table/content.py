"""What a table shows of a game, as plain values: no lines of a screen, no columns, no colours.

Names (of sides, pieces, hexes, options) are the stable ones of records; *words* are for people, in
the language of the game.  :mod:`grognard.table.protocol` writes these classes as JSON, field by
field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grognard.draw.highlights import Light
from grognard.draw.panel import PanelContent
from grognard.explain.forecasts import Prospect
from runtime.option import Value

#: What a part of an option can be.
ROLES = ("piece", "target", "hex", "card", "direction", "side", "member", "number", "truth")


@dataclass(frozen=True, slots=True)
class Part:
    """A value of an option: its *role* (one of :data:`ROLES`), its stable *name*, the *words* for
    it, and the *hexes* where it is on the board.
    """

    role: str
    name: str
    words: str
    hexes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """An option.

    *text* is its stable form, by which it is answered, *words* what it is called, *word* the stable
    name of what is done, and *head* the words for that with a gap for the values.  *item* are its
    values with what helps to find them, *items* the same of each value of a pair, *card* what the
    card says that it is about; *foreseen*: there may be :class:`Odds` of it.
    """

    number: int
    text: str
    words: str
    word: str
    head: str
    passes: bool
    parts: tuple[Part, ...]
    item: str
    items: tuple[str, ...] = ()
    card: str = ""
    foreseen: bool = False

    @property
    def alone(self) -> bool:
        """Whether it has no values, so that it is listed by itself."""
        return not self.parts


@dataclass(frozen=True, slots=True)
class Question:
    """What a *side* is asked: the stable name of the *prompt* and what it is *about*, the *words*,
    the *options*, and the *hexes* that these name, each with the name of its highlight (or none).
    """

    side: str
    prompt: str
    about: tuple[str, ...]
    words: str
    options: tuple[Choice, ...]
    hexes: dict[str, str]


@dataclass(frozen=True, slots=True)
class NextQuestion:
    """What would be asked behind options that are not taken: the *question*, None where the side
    has nothing more to say before they are; then *closed* tells why.
    """

    question: Question | None
    closed: str


@dataclass(frozen=True, slots=True)
class Odds:
    """What stands beside the options of a question, by their stable texts, as far as it has been
    worked out; *whole*: there is nothing more to come.
    """

    odds: dict[str, Prospect]
    whole: bool


@dataclass(frozen=True, slots=True)
class GamePlace:
    """Where a game stands: what is worth telling above every question, the steps *around* the one
    under way, the *steps* of which it is one, and its number among them (-1: none).
    """

    header: tuple[str, ...]
    around: tuple[str, ...]
    steps: tuple[str, ...]
    step: int

    @property
    def now(self) -> str:
        """The step under way."""
        return self.steps[self.step] if self.step >= 0 else ""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that has happened.

    *kind* ``note``: what the ruleset notes, by its *name*, with its *values*, and *words* as they
    stand in the log.  ``roll``: the *name* of a die, and the faces as *values*.  ``taken``: the
    only option of the seat, taken without asking; its text is the *name*.
    """

    kind: str
    name: str
    values: tuple[Value, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class News:
    """What has happened since a seat last looked, as far as it may know: of the *events* before, so
    many are *kept*, behind these come others.  Of what was taken back since, those before it are
    kept.
    """

    kept: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Counter:
    """How a piece looks: its colours, what stands on it, where it faces in degrees clockwise from
    the right.
    """

    piece: str
    words: str
    side: str | None
    hex: str | None
    shape: str
    size: float
    fill: str
    ink: str
    label: str
    figures: str
    marks: tuple[str, ...]
    facing: int | None


@dataclass(frozen=True, slots=True)
class Mark:
    """A marker that lies in a hex."""

    hex: str
    text: str
    words: str
    side: str | None
    color: str


@dataclass(frozen=True, slots=True)
class Show:
    """All that a seat sees at one moment.

    *seat* is a side, None for who looks on; *decides* the side that is asked, None at the end, and
    *waits* whether that is a person.  *position* holds fields, pieces, hexes, members,
    piles and effects by their names, ``unseen`` where the seat does not see a value, and *unseen*
    how many there are of each card that it does not see.  The *question* is that of the seat
    itself.  *undo* says whether the last line can be taken back; *result* is that of records, and
    *end* the words for it.
    """

    version: int
    seat: str | None
    decides: str | None
    waits: bool
    place: GamePlace
    panel: PanelContent
    position: dict[str, Any]
    unseen: dict[str, dict[str, int]]
    counters: tuple[Counter, ...]
    markers: tuple[Mark, ...]
    news: News
    question: Question | None
    undo: bool
    result: str
    end: str


@dataclass(frozen=True, slots=True)
class TakenOption:
    """An option that a *side* has taken, *secret* where only it may know which; how many *notes*
    came of it.
    """

    side: int
    text: str
    words: str
    secret: bool
    notes: int


@dataclass(frozen=True, slots=True)
class Hex:
    """A hex of the board: its label, its name, and its middle, x to the right and y downwards, in
    hexsides.
    """

    hex: str
    words: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Ground:
    """What does not change in a game: the title, in *words*, too, the *date* of what it tells of,
    the sides and who plays them, the board, the highlights by name (with an empty name those of
    hexes that are on offer and no more).
    """

    ruleset: str
    title: str
    words: str
    date: str
    language: str
    sides: dict[str, str]
    players: dict[str, str]
    board: str
    flat: bool
    hexes: tuple[Hex, ...]
    highlights: dict[str, Light]
