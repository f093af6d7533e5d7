"""The program under emission, and what is worked out about its calls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from math import prod
from typing import NamedTuple, Self

from compiler import ir
from compiler.layout import layout
from compiler.remembered import Kept, kept_values
from compiler.trees import walk
from dsl.source import NOWHERE, Span
from runtime.state import UNKNOWN


class Watched(NamedTuple):
    """A thing that is noted, by the name that citations have for it; a table with the *members* of
    its enum stands for the rows that are read.  What decides or does something is written *at* a
    place; what is only read, nowhere.
    """

    what: str
    members: tuple[str, ...] = ()
    at: Span = NOWHERE


#: How many entries a table of a function may have.
_TABLE = 4000
#: What reads the state.
_READS = ir.Get | ir.Pick | ir.At | ir.Pile | ir.Reach | ir.Steps | ir.Way | ir.Active | ir.SwitchOn


@dataclass(eq=False)
class Emission(ir.Program):
    """A checked program, and what has been worked out about it while it is emitted."""

    #: expressions that calls stand for, where these are small enough to be written out
    inlined: dict[str, ir.Expr | None] = field(default_factory=dict)
    #: of these, through how many definitions they are written out themselves
    heights: dict[str, int] = field(default_factory=dict)
    #: the same of larger ones, for filters of loops
    filters: dict[str, ir.Expr | None] = field(default_factory=dict)
    #: whether calls loop
    looping: dict[str, bool] = field(default_factory=dict)
    #: the slots that are columns of fields, and what stands on each hex
    column_slots: frozenset[str] = frozenset()
    #: the slots that never change during a game
    fixed_slots: frozenset[str] = frozenset()
    #: functions worked out into tables: their sizes
    tabulated: dict[str, tuple[int, ...] | None] = field(default_factory=dict)
    #: calls written out for certain kinds of pieces, by name and the kinds of the arguments
    variants: dict[tuple[str, tuple[str, ...]], ir.Callable] = field(default_factory=dict)
    #: what the values of remembered functions hang on
    kept: dict[str, Kept] = field(default_factory=dict)
    #: what is watched while games are played, in the order of its marks; None: nothing is
    watched: list[Watched] | None = None

    @classmethod
    def of(cls, program: ir.Program, watched: list[Watched] | None = None) -> Self:
        """An emission with nothing worked out yet; it shares all that is checked."""
        columns = {f.slot for f in program.fields.values() if f.owner != "Game"}
        places = {f"{kind.lower()}_at" for kind in program.kinds}
        shared = {f.name: getattr(program, f.name) for f in fields(program)}
        fixed = frozenset(s.name for s in layout(program) if s.shape == "fixed")
        return cls(
            **shared,
            column_slots=frozenset(columns | places),
            fixed_slots=fixed,
            kept=kept_values(program),
            watched=watched,
        )

    def row_of(self, name: str) -> int:
        """How many values there may be of a remembered function whose only parameter is a member of
        a small enum, with that for none; else 0.
        """
        params = self.calls[name].params
        if len(params) != 1 or params[0].type.kind != "enum":
            return 0
        size = len(self.enums[params[0].type.name]) + 1
        return size if size <= len(UNKNOWN) else 0

    def memories(self) -> list[str]:
        """The slots of the state that hold remembered values."""
        return [
            name
            for call, kept in self.kept.items()
            for name in (f"K_{call}", *([f"B_{call}"] if kept.asks else []))
        ]

    def emptied(self, slots: Iterable[str]) -> dict[str, list[str]]:
        """These, by what is put there."""
        names: dict[str, list[str]] = {}
        for name in self.hanging(slots):
            names.setdefault(self.nothing_in(name), []).append(name)
        return names

    def nothing_in(self, memory: str) -> str:
        """What stands in a slot with remembered values when none is known."""
        row = memory.startswith("K_") and self.row_of(memory.removeprefix("K_"))
        return "UNKNOWN" if row else "NOTHING"

    def hanging(self, slots: Iterable[str]) -> list[str]:
        """The slots with remembered values that no longer hold when one of *slots* was written."""
        written = frozenset(slots)
        return [
            name
            for call, kept in self.kept.items()
            if not kept.slots.isdisjoint(written)
            for name in (
                f"K_{call}",
                *([f"B_{call}"] if kept.asks and not kept.own.isdisjoint(written) else []),
            )
        ]

    def mark(self, what: str, members: tuple[str, ...] = (), at: Span = NOWHERE) -> int:
        """The mark of something that is watched."""
        assert self.watched is not None
        self.watched.append(Watched(what, members, at))
        return len(self.watched) - 1

    def table_of(self, name: str) -> tuple[int, ...] | None:
        """The sizes of the table that a function of finite things becomes, if it reads no state."""
        if self.watched is not None:
            return None
        if name not in self.tabulated:
            self.tabulated[name] = self._table(self.calls[name])
        return self.tabulated[name]

    def _table(self, call: ir.Callable) -> tuple[int, ...] | None:
        if not call.params or not self.stateless(call):
            return None
        sizes: list[int] = []
        for param in call.params:
            if param.type.kind == "enum":
                sizes.append(len(self.enums[param.type.name]))
            elif param.type.kind == "hex" and self.board is not None:
                sizes.append(self.board.size)
            else:
                return None
        return tuple(sizes) if prod(size + 1 for size in sizes) <= _TABLE else None

    def stateless(self, call: ir.Callable) -> bool:
        """Whether it is a function that reads no state, nor does what it calls."""
        seen = {call.name}
        ahead = [call]
        while ahead:
            call = ahead.pop()
            if call.kind != "function" or call.body is None or call.remembered:
                return False
            for e in walk(call.body):
                of_piece = e.type.kind == "piece" or (
                    e.type.of is not None and e.type.of.kind == "piece"
                )
                if of_piece or isinstance(e, _READS):
                    return False
                if isinstance(e, ir.Apply) and e.name not in seen:
                    seen.add(e.name)
                    ahead.append(self.calls[e.name])
        return True
