"""What the checker fills, piece by piece."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from compiler import ir
from compiler.ir.travels import TravelInfo
from dsl.source import Span
from runtime.board import Board
from runtime.model import DecisionSpec, DeckSpec, DieSpec, EffectSpec, FieldSpec, PileSpec, TypeSpec


@dataclass
class Draft:
    """A checked ruleset in the making: what :class:`compiler.ir.Program` holds at the end."""

    name: str = ""
    bases: tuple[str, ...] = ()
    hash: str = ""
    sides: tuple[str, ...] = ()
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    measures: tuple[str, ...] = ()
    switches: dict[str, bool] = field(default_factory=dict)
    scopes: dict[str, bool] = field(default_factory=dict)
    columns: dict[tuple[str, str], ir.Column] = field(default_factory=dict)
    matrices: dict[str, ir.MatrixInfo] = field(default_factory=dict)
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
    #: fields kept per member of an enum: (owner, name declared) → the fields, in the order of the
    #: members
    keyed: dict[tuple[str, str], tuple[FieldSpec, ...]] = field(default_factory=dict)
    #: initial values given by an expression over ``it``: (owner, field) → expression
    initials: dict[tuple[str, str], ir.Expr] = field(default_factory=dict)
    calls: dict[str, ir.Callable] = field(default_factory=dict)
    travels: dict[str, TravelInfo] = field(default_factory=dict)
    effects: dict[str, EffectSpec] = field(default_factory=dict)
    procedures: dict[str, ir.Procedure] = field(default_factory=dict)
    checks: dict[str, ir.CheckInfo] = field(default_factory=dict)
    #: the named steps: the procedure, the name and where it stands
    steps: list[tuple[str, str, Span]] = field(default_factory=list)
    decisions: list[DecisionSpec] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: what forecasts say, with the types of the arguments
    outcomes: list[tuple[str, tuple[TypeSpec, ...]]] = field(default_factory=list)
    forecasts: dict[str, ir.ForecastInfo] = field(default_factory=dict)
    #: how many streams of chance there are besides those of dice and decks
    streams: int = 0
    #: the types of the arguments of each note
    note_types: list[tuple[TypeSpec, ...]] = field(default_factory=list)
    #: the numbers of the decisions that ask and offer only what follows from what all sides see
    open_decisions: frozenset[int] = frozenset()
    #: the node of each decision, for explanations
    decision_nodes: list[ir.Choose | ir.Offer] = field(default_factory=list)
    #: what must hold of a scenario's start: name → the function that tells (``require_name``)
    requirements: dict[str, ir.Callable] = field(default_factory=dict)
    #: values of tables that are not known: enum, member, column
    unknown: list[tuple[str, int, str]] = field(default_factory=list)
    #: travels whose ways are asked for (``travel x``)
    ways: set[str] = field(default_factory=set)
    #: citations: rule ID → names of the things that cite it
    citations: dict[str, list[str]] = field(default_factory=dict)
    texts: dict[str, dict[str, str]] = field(default_factory=dict)

    def parent_of(self, kind: str) -> str | None:
        """The parent of a piece kind."""
        return next((parent for parent, kinds in self.parents.items() if kind in kinds), None)

    def place_of(self, kind: str) -> FieldSpec | None:
        """The place field of a piece kind."""
        return next((f for f in self.fields.values() if f.owner == kind and f.place), None)

    def frozen(self) -> ir.Program:
        """The program as it is now; what the draft becomes later does not change it."""
        return ir.Program(**{part.name: _frozen(getattr(self, part.name)) for part in fields(self)})


def _frozen(value: Any) -> Any:
    """A container as nothing changes it any more."""
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(value)
    return frozenset(value) if isinstance(value, set) else value
