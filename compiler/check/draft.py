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
    """A checked ruleset in the making: what :class:`compiler.ir.Program`, which says what each part
    is, holds at the end.
    """

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
    labels: dict[str, Span] = field(default_factory=dict)
    boards: dict[str, str] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    shared: dict[str, tuple[str, ...]] = field(default_factory=dict)
    fields: dict[tuple[str, str], FieldSpec] = field(default_factory=dict)
    keyed: dict[tuple[str, str], tuple[FieldSpec, ...]] = field(default_factory=dict)
    initials: dict[tuple[str, str], ir.Expr] = field(default_factory=dict)
    calls: dict[str, ir.Callable] = field(default_factory=dict)
    travels: dict[str, TravelInfo] = field(default_factory=dict)
    effects: dict[str, EffectSpec] = field(default_factory=dict)
    procedures: dict[str, ir.Procedure] = field(default_factory=dict)
    checks: dict[str, ir.CheckInfo] = field(default_factory=dict)
    steps: list[tuple[str, str, Span]] = field(default_factory=list)
    decisions: list[DecisionSpec] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    outcomes: list[tuple[str, tuple[TypeSpec, ...]]] = field(default_factory=list)
    forecasts: dict[str, ir.ForecastInfo] = field(default_factory=dict)
    never: dict[tuple[int, int], int] = field(default_factory=dict)
    streams: int = 0
    note_types: list[tuple[TypeSpec, ...]] = field(default_factory=list)
    open_decisions: frozenset[int] = frozenset()
    decision_nodes: list[ir.Choose | ir.Offer] = field(default_factory=list)
    requirements: dict[str, ir.Callable] = field(default_factory=dict)
    unknown: list[tuple[str, int, str]] = field(default_factory=list)
    ways: set[str] = field(default_factory=set)
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
