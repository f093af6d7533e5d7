"""The program under emission."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Self, TypeAlias

from compiler import ir

#: A thing by the name that citations have for it; a table with the members of its enum stands for the rows
#: that are read.
Watched: TypeAlias = str | tuple[str, tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Emission(ir.Program):
    """A checked program, and what has been worked out about it while it is emitted."""

    #: expressions that calls stand for, where these are small enough to be written out
    inlined: dict[str, ir.Expr | None] = field(default_factory=dict)
    #: of these, through how many definitions they are written out themselves
    heights: dict[str, int] = field(default_factory=dict)
    #: the same of larger ones, for filters of loops
    filters: dict[str, ir.Expr | None] = field(default_factory=dict)
    #: the slots that are columns of fields, and what stands on each hex
    column_slots: frozenset[str] = frozenset()

    #: functions worked out into tables: their sizes
    tabulated: dict[str, tuple[int, ...] | None] = field(default_factory=dict)
    #: calls written out for certain kinds of pieces, by name and the kinds of the arguments
    variants: dict[tuple[str, tuple[str, ...]], ir.Callable] = field(default_factory=dict)

    #: what is watched while games are played, in the order of its marks; None: nothing is
    watched: list[Watched] | None = None

    def mark(self, what: Watched) -> int:
        """The mark of something that is watched."""
        assert self.watched is not None
        self.watched.append(what)
        return len(self.watched) - 1

    @classmethod
    def of(cls, program: ir.Program, watched: list[Watched] | None = None) -> Self:
        """An emission with nothing worked out yet; it shares all that is checked."""
        columns = {f.slot for f in program.fields.values() if f.owner != "Game"}
        places = {f"{kind.lower()}_at" for kind in program.kinds}
        shared = {f.name: getattr(program, f.name) for f in fields(program)}
        return cls(**shared, column_slots=frozenset(columns | places), watched=watched)
