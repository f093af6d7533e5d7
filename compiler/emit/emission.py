"""The program under emission, and what is worked out about its calls."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import NamedTuple

from compiler import ir
from compiler import lowered as low
from compiler.emit.frames import (
    frame_types,
    kept_locals,
    live_locals,
    live_places,
    waits,
)
from compiler.emit.queries import Answers, QueriedProgram, query
from compiler.layout import layout
from compiler.liveness import alike_kinds
from compiler.printer import Printer
from compiler.remembered import MemoInfo, memo_infos
from compiler.trees import walk
from compiler.types import Type
from dsl.source import NOWHERE, Span
from runtime.model import FieldSpec, FrameSpec
from runtime.state import UNKNOWN


class WatchedItem(NamedTuple):
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


class CallInfo(NamedTuple):
    """What those need to know of a call who ask for it."""

    params: tuple[ir.ParamInfo, ...]
    type: Type
    remembered: bool
    #: whether its value is worked out by steps
    stepped: bool
    #: whether it is a set that is also worked out as a list
    listed: bool


class ProcedureInfo(NamedTuple):
    """What those need to know of a procedure who run it; *entry*: its first block, -1 for none."""

    cases: bool
    entry: int
    #: the length of its frame
    size: int
    #: whether chance comes in at once
    at_once: bool


class Emission(QueriedProgram):
    """A checked program while it is emitted, and what is asked about it then; *lowered*: its
    blocks.  What has been found of another one *before*, and still holds, is taken over.
    """

    def __init__(
        self,
        program: ir.Program,
        lowered: low.Lowered | None = None,
        watched: list[WatchedItem] | None = None,
        before: Answers | None = None,
    ) -> None:
        super().__init__(program, before or {})
        self.lowered = lowered
        #: what is watched while games are played, in the order of its marks; None: nothing is
        self.watched = watched

    # ------------------------------------------------------------------ slots

    @query
    def place_of(self, kind: str) -> FieldSpec | None:
        """The place field of a piece kind."""
        return ir.Program.place_of(self, kind)

    @query
    def alike_kinds(self) -> set[str]:
        """The kinds of pieces of which some may be alike."""
        return alike_kinds(self)

    @query
    def parent_of(self, kind: str) -> str | None:
        """The parent of a piece kind."""
        return ir.Program.parent_of(self, kind)

    @query
    def _checks_of(self, slots: frozenset[str]) -> dict[int, ir.CheckInfo]:
        return ir.Program.checks_of(self, slots)

    def checks_of(self, slots: Iterable[str]) -> dict[int, ir.CheckInfo]:
        """The checks that read one of *slots*, by their numbers."""
        return self._checks_of(frozenset(slots))

    @query
    def _shapes(self) -> dict[str, str]:
        """The shapes of the slots."""
        return {slot.name: slot.shape for slot in layout(self)}

    @query
    def is_fixed(self, slot: str) -> bool:
        """Whether a slot never changes during a game."""
        return self._shapes().get(slot) == "fixed"

    @query
    def _columns(self) -> frozenset[str]:
        columns = {f.slot for f in self.fields.values() if f.owner != "Game"}
        return frozenset(columns | {f"{kind.lower()}_at" for kind in self.kinds})

    @query
    def is_column(self, slot: str) -> bool:
        """Whether a slot is the column of a field, or what stands on each hex."""
        return slot in self._columns()

    # ------------------------------------------------------------------ what is remembered

    @property
    def memos(self) -> dict[str, MemoInfo]:
        """What the values of remembered functions hang on, by their names."""
        kept: dict[str, MemoInfo] = self.answer(memo_infos)
        return kept

    @query
    def memo_of(self, name: str) -> MemoInfo | None:
        """What the values of a function hang on; None of one that is not remembered."""
        return self.memos.get(name)

    @query
    def memo_row_size(self, name: str) -> int:
        """How many values there may be of a remembered function whose only parameter is a member of
        a small enum, with that for none; else 0.
        """
        params = self.call_info(name).params
        if len(params) != 1 or params[0].type.kind != "enum":
            return 0
        size = len(self.enums[params[0].type.name]) + 1
        return size if size <= len(UNKNOWN) else 0

    def memo_slots(self) -> list[str]:
        """The slots of the state that hold remembered values."""
        return [
            name
            for call, kept in self.memos.items()
            for name in (f"K_{call}", *([f"B_{call}"] if kept.asks else []))
        ]

    @query
    def stale_memo_slots_by_blank(self, slots: tuple[str, ...]) -> dict[str, list[str]]:
        """These, by what is put there."""
        names: dict[str, list[str]] = {}
        for name in self.stale_memo_slots(slots):
            names.setdefault(self.blank_of(name), []).append(name)
        return names

    def blank_of(self, memory: str) -> str:
        """What stands in a slot with remembered values when none is known."""
        row = memory.startswith("K_") and self.memo_row_size(memory.removeprefix("K_"))
        return "UNKNOWN" if row else "NOTHING"

    @query
    def stale_memo_slots(self, slots: tuple[str, ...]) -> list[str]:
        """The slots with remembered values that no longer hold when one of *slots* was written."""
        written = frozenset(slots)
        return [
            name
            for call, kept in self.memos.items()
            if not kept.slots.isdisjoint(written)
            for name in (
                f"K_{call}",
                *([f"B_{call}"] if kept.asks and not kept.own.isdisjoint(written) else []),
            )
        ]

    def mark(self, what: str, members: tuple[str, ...] = (), at: Span = NOWHERE) -> int:
        """The mark of something that is watched."""
        assert self.watched is not None
        self.watched.append(WatchedItem(what, members, at))
        return len(self.watched) - 1

    # ------------------------------------------------------------------ calls

    @query
    def call_info(self, name: str) -> CallInfo:
        """What those need to know of a call who ask for it."""
        call = self.calls[name]
        listed = call.kind == "function" and call.body is not None and not call.remembered
        return CallInfo(tuple(call.params), call.type, call.remembered, bool(call.steps), listed)

    @query
    def table_of(self, name: str) -> tuple[int, ...] | None:
        """The sizes of the table that a function of finite things becomes, if it reads no state."""
        params = self.call_info(name).params
        if self.watched is not None or not params or not self._is_stateless(name):
            return None
        sizes: list[int] = []
        for param in params:
            if param.type.kind == "enum":
                sizes.append(len(self.enums[param.type.name]))
            elif param.type.kind == "hex" and self.board is not None:
                sizes.append(self.board.size)
            else:
                return None
        return tuple(sizes) if prod(size + 1 for size in sizes) <= _TABLE else None

    @query
    def _is_stateless(self, name: str) -> bool:
        return self.stateless(self.calls[name])

    def stateless(self, call: ir.Callable) -> bool:
        """Whether it is a function that reads no state, nor does what it calls."""
        if call.kind != "function" or call.body is None or call.remembered:
            return False
        for e in walk(call.body):
            of_piece = e.type.kind == "piece" or (
                e.type.of is not None and e.type.of.kind == "piece"
            )
            if of_piece or isinstance(e, _READS):
                return False
            if isinstance(e, ir.Apply) and not self._is_stateless(e.name):
                return False
        return True

    # ------------------------------------------------------------------ blocks

    def blocks_of(self, name: str) -> tuple[low.BasicBlock, ...]:
        """The blocks of a procedure."""
        blocks: tuple[low.BasicBlock, ...] = self.answer(_blocks, name)
        return blocks

    @query
    def frame_of(self, name: str) -> dict[str, int]:
        """The locals in a procedure's frame, with their places."""
        places: dict[str, int] = self.answer(_frame_places, name)
        return kept_locals(self.blocks_of(name), places, self.procedures[name])

    @query
    def _live_in(self, name: str) -> dict[int, set[str]]:
        """The locals of a procedure that are read from each of its blocks on."""
        return live_locals(self.blocks_of(name))

    @query
    def live_places(self, name: str) -> list[tuple[int, ...]]:
        """Of each block of a procedure, what it needs of the frame."""
        return live_places(self.blocks_of(name), self.frame_of(name), self._live_in(name))

    @query
    def frame_spec(self, name: str) -> FrameSpec:
        """What the frames of a procedure hold, and where it waits."""
        kept, types = self.frame_of(name), frame_types(self.procedures[name])
        blocks, inside, printer = (
            self.blocks_of(name),
            self.answer(_stretches_around, name),
            Printer(self),
        )
        where = waits(blocks, inside, kept, self._live_in(name), printer)
        places = tuple((local, place, types[local]) for local, place in kept.items())
        in_order = sorted(where, key=lambda wait: wait.block)
        return FrameSpec(self.procedure_info(name).size, places, tuple(in_order))

    @query
    def procedure_info(self, name: str) -> ProcedureInfo:
        """What those need to know of a procedure who run it."""
        return ProcedureInfo(bool(self.procedures[name].cases), *self.answer(_entry, name))


# --------------------------------------------------------------------------- of what is lowered:
# looked at afresh for each program


def _blocks(program: Emission, name: str) -> tuple[low.BasicBlock, ...]:
    assert program.lowered is not None
    return tuple(program.lowered.by_procedure.get(name, ()))


def _frame_places(program: Emission, name: str) -> dict[str, int]:
    assert program.lowered is not None
    return dict(program.lowered.slots[name])


def _stretches_around(program: Emission, name: str) -> dict[int, tuple[str, ...]]:
    """By block of a procedure behind a question or a call, the stretches around it."""
    assert program.lowered is not None
    blocks, inside = program.lowered.by_procedure[name], program.lowered.inside
    return {block.index: inside[block.index] for block in blocks if block.index in inside}


def _entry(program: Emission, name: str) -> tuple[int, int, bool]:
    """The first block of a procedure, the length of its frame, whether chance comes in at once."""
    lowered = program.lowered
    if lowered is None or name not in lowered.entry:
        return -1, 0, False
    entry = lowered.entry[name]
    return entry, lowered.sizes[name], lowered.blocks[entry].at_once
