"""What a checked ruleset declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from compiler.ir.expressions import Column, Expr, MatrixInfo, ParamInfo
from compiler.ir.statements import Choose, Offer, Stmt
from compiler.ir.travels import TravelInfo
from compiler.types import Type
from dsl.source import NOWHERE, Span
from runtime.board import Board
from runtime.model import (
    DecisionSpec,
    DeckSpec,
    DieSpec,
    EffectSpec,
    FieldSpec,
    PileSpec,
    TypeSpec,
    WeightSpec,
)

#: Functions and quantities that the engine asks, where a ruleset declares them, the types of their
#: parameters, and their own: what a position is worth to a side, whether it can be valued as it is,
#: the points of a side, and after how many decisions bots stop a game.
ASKED_BY_ENGINE: dict[str, tuple[tuple[str, ...], str]] = {
    "standing": (("Side",), "int"),
    "settled": ((), "bool"),
    "score": (("Side",), "int"),
    "decision_limit": ((), "int"),
}


@dataclass
class Rule:
    """A rule of a quantity or permission.

    *verdict* is ``allow``/``deny`` for permissions; *exceptions* narrow it; *suspended* are the
    conditions under which it has no force, with the names of the suspending rules.
    """

    name: str
    when: Expr | None
    value: Expr | None
    verdict: str = ""
    exceptions: list[Rule] = field(default_factory=list)
    suspended: list[tuple[str, Expr]] = field(default_factory=list)
    excepts: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    provenance: str | None = None
    span: Span = NOWHERE
    effect: str | None = None


@dataclass
class Modifier:
    """*op* is ``by``, ``most`` or ``least``."""

    name: str
    op: str
    when: Expr | None
    value: Expr
    rules: tuple[str, ...] = ()
    provenance: str | None = None
    span: Span = NOWHERE
    effect: str | None = None


@dataclass
class Callable:
    """A function, quantity or permission (*kind*).

    A function has a *body* or *steps*, with all their *locals* in order, parameters first.
    """

    kind: str
    name: str
    params: list[ParamInfo]
    type: Type
    body: Expr | None = None
    steps: tuple[Stmt, ...] = ()
    locals: list[tuple[str, Type]] = field(default_factory=list)
    #: whether its values are kept until something that it reads is written
    remembered: bool = False
    default: str = ""
    stages: tuple[str, ...] = ()
    roots: list[Rule] = field(default_factory=list)
    modifiers: dict[str, list[Modifier]] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    provenance: str | None = None
    span: Span = NOWHERE
    #: filled by the analysis: slots it reads (through calls too), whether it reads no state at all
    reads: frozenset[str] = frozenset()
    #: behind the name of the Python function: what tells a variant for certain kinds of pieces
    suffix: str = ""


@dataclass
class Procedure:
    """A procedure or one case of it.

    *locals* lists all locals in order (parameters first); *secrets* those that follow from secret
    choices, each with the decisions at which it is still known; *asks* tells whether it can reach a
    decision; *cases* maps the index of a member of the first parameter's enum to the procedure to
    run instead.
    """

    name: str
    params: list[ParamInfo]
    type: Type
    body: tuple[Stmt, ...] = ()
    cases: dict[int, str] = field(default_factory=dict)
    case_of: str | None = None
    locals: list[tuple[str, Type]] = field(default_factory=list)
    secrets: dict[str, set[int]] = field(default_factory=dict)
    asks: bool = False
    rules: tuple[str, ...] = ()
    provenance: str | None = None
    span: Span = NOWHERE
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()


@dataclass
class CheckInfo:
    """A condition watched over."""

    name: str
    when: Expr
    body: tuple[Stmt, ...]
    locals: list[tuple[str, Type]]
    rules: tuple[str, ...]
    span: Span
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()


@dataclass
class ForecastInfo:
    """A forecast: the name of the procedure that it is, and *at* what options it is made.

    *takes*: it is no procedure, but what comes when the option is taken.  *assumed* are places (a
    decision, and the number of a branch, ``PASS``, or None for all of it) with what is assumed of
    them (``most f`` and ``least f`` of a function), those that come first first.
    """

    name: str
    procedure: str
    at: tuple[tuple[int, int], ...] = ()
    takes: bool = False
    assumed: tuple[tuple[tuple[int, int | None], str], ...] = ()
    span: Span = NOWHERE


@dataclass(eq=False)
class Program:
    """A checked ruleset.  The checker fills it; what later stages get is :meth:`frozen`."""

    name: str = ""
    bases: tuple[str, ...] = ()
    hash: str = ""
    sides: tuple[str, ...] = ()
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    measures: tuple[str, ...] = ()
    switches: dict[str, bool] = field(default_factory=dict)
    scopes: dict[str, bool] = field(default_factory=dict)
    #: by name (``w``, or ``table.member.column``), and where each is written down
    weights: dict[str, WeightSpec] = field(default_factory=dict)
    weight_spans: dict[str, Span] = field(default_factory=dict)
    columns: dict[tuple[str, str], Column] = field(default_factory=dict)
    matrices: dict[str, MatrixInfo] = field(default_factory=dict)
    dice: dict[str, DieSpec] = field(default_factory=dict)
    decks: dict[str, DeckSpec] = field(default_factory=dict)
    piles: dict[str, PileSpec] = field(default_factory=dict)
    board: Board | None = None
    #: the labels of hexes that rules name, and where
    labels: dict[str, Span] = field(default_factory=dict)
    #: the files of boards: name → text
    boards: dict[str, str] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()
    #: common parents of kinds: name → the kinds, in order
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: the names of the fields that a parent declares for its kinds
    shared: dict[str, tuple[str, ...]] = field(default_factory=dict)
    fields: dict[tuple[str, str], FieldSpec] = field(default_factory=dict)
    #: fields kept per member of an enum: (owner, name declared) → the fields, member by member
    keyed: dict[tuple[str, str], tuple[FieldSpec, ...]] = field(default_factory=dict)
    #: initial values given by an expression over ``it``: (owner, field) → expression
    initials: dict[tuple[str, str], Expr] = field(default_factory=dict)
    calls: dict[str, Callable] = field(default_factory=dict)
    travels: dict[str, TravelInfo] = field(default_factory=dict)
    effects: dict[str, EffectSpec] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    checks: dict[str, CheckInfo] = field(default_factory=dict)
    #: the named steps: the procedure, the name and where it stands
    steps: list[tuple[str, str, Span]] = field(default_factory=list)
    decisions: list[DecisionSpec] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: what forecasts say, with the types of the arguments
    outcomes: list[tuple[str, tuple[TypeSpec, ...]]] = field(default_factory=list)
    forecasts: dict[str, ForecastInfo] = field(default_factory=dict)
    #: the options that some forecast assumes never to be offered (decision and branch), and the
    #: procedures that it leaves out (:func:`omission_place`), with their bits in ``state.assumed``
    never: dict[tuple[int, int], int] = field(default_factory=dict)
    #: how many streams of chance there are besides those of dice and decks
    streams: int = 0
    #: the types of the arguments of each note
    note_types: list[tuple[TypeSpec, ...]] = field(default_factory=list)
    #: the numbers of the decisions that ask and offer only what follows from what all sides see
    open_decisions: frozenset[int] = frozenset()
    #: the node of each decision, for explanations
    decision_nodes: list[Choose | Offer] = field(default_factory=list)
    #: what must hold of a scenario's start: name → the function that tells (``require_name``)
    requirements: dict[str, Callable] = field(default_factory=dict)
    #: values of tables that are not known: enum, member, column
    unknown: list[tuple[str, int, str]] = field(default_factory=list)
    #: travels whose ways are asked for (``travel x``)
    ways: set[str] = field(default_factory=set)
    #: citations: rule ID → names of the things that cite it
    citations: dict[str, list[str]] = field(default_factory=dict)
    #: what things are, by their names in ``citations``: members, columns, fields
    remarks: dict[str, str] = field(default_factory=dict)
    texts: dict[str, dict[str, str]] = field(default_factory=dict)

    def stream_of(self, die: str = "", deck: str = "") -> int:
        """The stream of chance of a die, or of a deck; of neither, that of mixing."""
        if die:
            return list(self.dice).index(die)
        return len(self.dice) + (list(self.decks).index(deck) if deck else len(self.decks))

    def checks_of(self, slots: Iterable[str]) -> dict[int, CheckInfo]:
        """The checks that read one of *slots*, by their numbers."""
        numbered = enumerate(self.checks.values())
        return {i: check for i, check in numbered if not check.reads.isdisjoint(slots)}

    def parent_of(self, kind: str) -> str | None:
        """The parent of a piece kind."""
        return next((parent for parent, kinds in self.parents.items() if kind in kinds), None)

    def place_of(self, kind: str) -> FieldSpec | None:
        """The place field of a piece kind."""
        return next((f for f in self.fields.values() if f.owner == kind and f.place), None)

    def copy(self) -> Program:
        """A program of the same parts, of which others can be put in their places."""
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        return Program(**{name: _copied(value) for name, value in values.items()})

    def frozen(self) -> Program:
        """The program as it is now, in containers that nobody can change."""
        return Program(**{part.name: _frozen(getattr(self, part.name)) for part in fields(self)})


def _copied(value: Any) -> Any:
    return type(value)(value) if isinstance(value, dict | list | set) else value


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return MappingProxyType({key: _frozen(item) for key, item in value.items()})
    if isinstance(value, list):
        return tuple(value)
    return frozenset(value) if isinstance(value, set) else value


def omission_place(procedures: Mapping[str, Procedure], name: str) -> tuple[int, int]:
    """What stands for a procedure among the options that are never offered."""
    return -1 - list(procedures).index(name), 0


def omitted_procedure(procedures: Mapping[str, Procedure], place: tuple[int, int]) -> str | None:
    """The procedure that such a place stands for; None for an option."""
    return list(procedures)[-1 - place[0]] if place[0] < 0 else None
