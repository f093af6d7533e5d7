"""What stands in the checked tree without expressions: columns, matrices, parameters."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.types import Type


@dataclass(frozen=True)
class Column:
    """A column of a table: one value per member (masks for sets)."""

    table: str
    name: str
    enum: str
    type: Type
    values: tuple[int, ...]
    rules: tuple[str, ...] = ()
    #: what the column itself cites, and each of its rows
    own: tuple[str, ...] = ()
    of_rows: tuple[tuple[str, ...], ...] = ()

    def cited(self, at: int) -> tuple[str, ...]:
        """What the value of member *at* cites itself: its row and its column."""
        return (*(self.of_rows[at] if 0 <= at < len(self.of_rows) else ()), *self.own)


@dataclass(frozen=True)
class MatrixInfo:
    """A matrix: values by row member, then column member.  Numbers along a side are the members of an enum of
    their own (``2 .. 12``).
    """

    name: str
    row: str
    column: str
    type: Type
    values: tuple[tuple[int, ...], ...]
    rules: tuple[str, ...] = ()
    #: what each of its rows cites itself
    of_rows: tuple[tuple[str, ...], ...] = ()


@dataclass
class ParamInfo:
    """A parameter; *name* is the local."""

    name: str
    type: Type
