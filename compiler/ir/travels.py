"""Travels of the checked tree."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir.expressions import Expr, ParamInfo
from compiler.types import Type
from dsl.frozen import Frozen
from dsl.source import NOWHERE, Span


class Carried(metaclass=Frozen):
    """A value that a travel carries along; *before* and *after* are its locals around a move."""

    name: str
    type: Type
    initial: Expr
    before: str
    after: str


class Stay(metaclass=Frozen):
    """A move of a travel that changes what it carries, for which *then* has values, not the hex."""

    when: Expr | None
    then: tuple[Expr, ...]
    cost: Expr | None


@dataclass
class TravelInfo:
    """A travel; *here* and *there* are the locals of a step.

    Whether a step is allowed, what it costs and what becomes of what is carried (*then*) is asked
    with the values before it; whether it halts and may end, and how far it goes, with the values
    after it.  After a stay, *here* and *there* are one hex.
    """

    name: str
    params: list[ParamInfo]
    origin: Expr
    budget: Expr
    here: str
    there: str
    enter: Expr
    cost: Expr | None
    halt: Expr | None
    end: Expr | None
    rules: tuple[str, ...] = ()
    span: Span = NOWHERE
    reads: frozenset[str] = frozenset()
    carried: tuple[Carried, ...] = ()
    then: tuple[Expr, ...] = ()
    stays: tuple[Stay, ...] = ()
    #: the travel of which this is the one that goes over the hex of its last parameter
    via_of: str | None = None
