"""Shapes of data: what a part of a file may look like, as values that are put together.

:mod:`runtime.data.check` checks a tree against a shape, :mod:`runtime.data.json_schema` writes a
shape as JSON Schema, so the two never differ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from types import NoneType
from typing import Final

from runtime.data.findings import Severity
from runtime.data.reader import Node

#: Sorts of faults.  A table of codes says the code of each; a shape may name a code itself.
KEY, MISSING, KIND, VALUE, FORM = "key", "missing", "kind", "value", "form"

#: Every single value: its text counts, whatever it looks like.
ANY_SCALAR: Final = (str, int, float, bool, NoneType)
#: One line that is not blank.
LINE: Final = r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a node, of which sort (or with which code), and what helps.

    *stray*: what is given under a key that is not known here, and may be elsewhere.
    """

    sort: str
    message: str
    node: Node
    remedy: str
    severity: Severity = "error"
    stray: Node | None = None


#: Further faults of a node that looks like its shape, from the node and the keys that lead to it.
Also = Callable[[Node, tuple[str, ...]], Iterator[Fault]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """No demands.  *about* describes it to people, *also* checks what the shape cannot say."""

    about: str = ""
    also: Also | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Shape):
    """A single value of one of the *types*.

    *blank*: may be empty; *pattern* and *test*: what its text must match, else it is *wrong* (with
    ``{}`` for the text); *want*: what is wanted, in words.
    """

    types: tuple[type, ...] = (str,)
    want: str = "text"
    blank: bool = False
    pattern: str = ""
    test: Callable[[str], bool] | None = None
    wrong: str = "the text '{it}' cannot be used"
    remedy: str = "write one line without control characters"
    sort: str = FORM


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Shape):
    """A whole number within bounds."""

    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth(Shape):
    """``true`` or ``false``, or one of some *words* for them."""

    words: tuple[str, ...] = ()
    default: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Word(Shape):
    """One of some *words*, which are called a *noun*, for *what*.

    *numbers*: those that are numbers to YAML may stand without quotes; *unknown* words another
    fault of another word; *hints* are remedies for words that are known to be wrong; *pattern*:
    in JSON Schema other words are possible that match it.
    """

    words: Collection[str]
    noun: str = "value"
    what: str = ""
    sort: str = VALUE
    numbers: bool = False
    unknown: Callable[[str], tuple[str, str]] | None = None
    hints: Mapping[str, str] = field(default_factory=dict)
    pattern: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class List(Shape):
    """A list of items of one shape; *remedy*: what helps where their number is wrong."""

    item: Shape
    least: int = 0
    most: int | None = None
    unique: bool = False
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Shape):
    """A mapping with known *keys*, or with others whose values have the shape *rest* (and which
    match *pattern*).

    *required* keys must be there; *refused* ones cannot be given, each with the reason; *noun* is
    what an unknown key is called, *sort* the sort of that fault, *lacks* that of a missing key.
    *least*: how many entries there must be.
    """

    keys: Mapping[str, Shape] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    rest: Shape | None = None
    pattern: str = ""
    noun: str = "key"
    sort: str = KEY
    lacks: str = MISSING
    hints: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    least: int = 0
    key_remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Either(Shape):
    """The first of several shapes that a value looks like; the first of all where there is none."""

    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(Shape):
    """A mapping that has one of several shapes, as its *key* says."""

    key: str
    what: str
    shapes: Mapping[str, Record]
    hints: Mapping[str, str] = field(default_factory=dict)


#: A single value without further demands.
SCALAR: Final = Text(types=ANY_SCALAR, blank=True)
#: Types of the values of a text that may look like a whole number.
WORDED: Final = (str, int)
