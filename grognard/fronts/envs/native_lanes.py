"""Games side by side by a native build: what ``lanes.c`` is told of observations and actions."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from grognard.fronts.envs.actions import Numbering
from grognard.fronts.envs.lanes import LaneOutputs
from grognard.fronts.envs.observations import Observer, Part
from runtime.model import FieldSpec, TypeSpec
from runtime.program import CompiledProgram
from runtime.runs.bots import Bot
from runtime.runs.machine import Library, Machine, set_width, shape_of
from runtime.scenario.setup import SetUp

#: As in ``lanes.c``.
_VALUES, _THINGS, _SIZES, _CARDS, _EFFECT = range(5)
_OF_FIELDS = {"value": _VALUES, "set": _THINGS, "count": _SIZES}
_NO_CARD, _TOP_CARD, _OWN_CARDS, _EVERY_CARD = range(4)
_NUMBER, _SET, _ROLL = range(3)


class NativeLanes:
    """As :class:`grognard.fronts.envs.lanes.PlainLanes`, in *jobs* threads."""

    def __init__(
        self,
        library: Library,
        program: CompiledProgram,
        setup: SetUp,
        numbers: Numbering,
        observer: Observer,
        count: int,
        side: int,
        others: Sequence[Bot],
        limit: int,
        jobs: int,
    ) -> None:
        self.count = count
        self._ffi, self._c = library.ffi, library.c
        jobs = min(jobs, count)
        # what a context has worked out holds for its own lanes
        self._machines = [Machine(library, program, setup) for _ in range(jobs)]
        bounds = [count * job // jobs for job in range(jobs + 1)]
        self._shares = list(zip(self._machines, bounds, bounds[1:], strict=False))
        self._form, self._kept = _FormBuilder(self._machines[0], numbers, observer).form()
        first = self._machines[0].first
        self._others, self._kept_of_others = self._machines[0].players(others)
        self._lanes = self._c.lanes_made(
            self._form, count, side, self._others, limit, first, len(first)
        )
        if self._lanes == self._ffi.NULL:
            raise MemoryError("there is no memory left for so many native games")
        weakref.finalize(self, _discard, library, self._lanes)
        self._pool = ThreadPoolExecutor(jobs - 1) if jobs > 1 else None

    def seed(self, lane: int, seed: int) -> None:
        """See PlainLanes."""
        self._c.lanes_seeded(self._lanes, lane, seed)

    def begin(self, told: LaneOutputs) -> None:
        """See PlainLanes."""
        self._run_threads(self._c.lanes_begun, told)

    def choose(self, actions: npt.NDArray[np.int64]) -> int:
        """See PlainLanes."""
        return int(self._c.lanes_chosen(self._lanes, self._pointer("int64_t *", actions)))

    def step(self, told: LaneOutputs) -> None:
        """See PlainLanes."""
        self._run_threads(self._c.lanes_stepped, told)

    def _run_threads(self, work: Callable[..., int], told: LaneOutputs) -> None:
        """Have the threads do their shares.  RulesetFault."""
        into = self._ffi.new("Told *")
        for name, kind in (("observed", "float"), ("last", "float"), ("results", "float"),
                           ("mask", "int8_t"), ("sides", "int8_t"), ("rewards", "double"),
                           ("terminated", "uint8_t"), ("truncated", "uint8_t")):  # fmt: skip
            setattr(into, name, self._pointer(f"{kind} *", getattr(told, name)))
        others = [
            self._pool.submit(work, self._lanes, machine.context, start, stop, into)
            for machine, start, stop in self._shares[1:]
            if self._pool is not None
        ]
        machine, start, stop = self._shares[0]
        done = [work(self._lanes, machine.context, start, stop, into)]
        done += [other.result() for other in others]
        for held, worker in zip(done, self._machines, strict=True):
            if not held:
                raise worker.failure()

    def _pointer(self, kind: str, array: npt.NDArray[Any]) -> Any:
        return self._ffi.cast(kind, array.ctypes.data)


def _discard(library: Library, lanes: Any) -> None:
    library.c.lanes_discard(lanes)


class _FormBuilder:
    """Tells C what an observation holds and how actions are numbered."""

    def __init__(self, machine: Machine, numbers: Numbering, observer: Observer) -> None:
        self._machine, self._numbers, self._observer = machine, numbers, observer
        self._spec = machine.program.spec
        self._shape = shape_of(self._spec, machine.setup)
        self._slots = machine.library.slots

    def form(self) -> tuple[Any, Any]:
        """A ``Form``, and what it points to, which is to be kept as long."""
        ffi, seen = self._machine.library.ffi, self._observer
        parts = ffi.new("Part[]", list(self._parts()))
        blocks: list[dict[str, Any]] = []
        abouts: list[dict[str, int]] = []
        asked: list[dict[str, int]] = []
        for point, decision in enumerate(self._spec.decisions):
            asked.append(
                {
                    "block": len(blocks),
                    "passes": self._numbers.passing(point),
                    "about": len(abouts),
                    "abouts": len(decision.about),
                }
            )
            for option in decision.options:
                start, sizes = self._numbers.block(option)
                blocks.append({"start": start, "values": len(sizes), "sizes": list(sizes)})
            abouts += [self._type_record(type_) for type_ in decision.about]
        kept = [parts, *(ffi.new(f"{kind}[]", made) for kind, made in
                         (("Block", blocks), ("Asked", asked), ("About", abouts)))]  # fmt: skip
        form = ffi.new("Form *")
        form.size, form.actions = seen.size, self._numbers.size
        form.spare = self._numbers.spare
        form.parts, form.subjects = len(parts), seen.subject.size
        form.part, form.block, form.asked, form.about = kept
        for name in ("side", "decides", "over", "prompt", "subject"):
            setattr(form, name, getattr(seen, name).start)
        return form, kept

    def _type_record(self, type_: TypeSpec) -> dict[str, int]:
        if type_.of is None:
            return {"what": _NUMBER, "size": 1, "width": 1}
        size, width = self._numbers.domain(type_.of), set_width(self._spec, self._shape, type_.of)
        return {"what": _ROLL if type_.kind == "roll" else _SET, "size": size, "width": width}

    def _parts(self) -> Iterable[dict[str, Any]]:
        named = {(f.owner, f.name): f for f in self._spec.fields}
        for f, part in self._observer.fields:
            if part.size:
                by = None if f.seen_by is None else named[f.owner, f.seen_by]
                yield self._field_record(f, part, by)
        piles = {pile.slot: pile for pile in self._spec.piles.values()}
        for slot, owner, part in self._observer.piles:
            pile = piles[slot]
            seen = {"open": _EVERY_CARD, "top": _TOP_CARD}.get(pile.visibility, _NO_CARD)
            if pile.visibility == "owner" and pile.per == "Side":
                seen = _OWN_CARDS
            at, _, size, _ = self._slots[slot]
            counts = self._slots[f"N_{slot}"][0]
            yield {
                "what": _CARDS, "start": part.start, "each": part.size, "owner": owner,
                "seen": seen, "at": at + 2 * size * (owner + 1), "seers": counts + 2 * (owner + 1),
            }  # fmt: skip
        for slot, part in self._observer.effects:
            yield self._slot_record(slot) | {
                "what": _EFFECT,
                "start": part.start,
                "each": part.size,
            }

    def _slot_record(self, slot: str, prefix: str = "") -> dict[str, Any]:
        at, kind, _, width = self._slots[slot]
        given = int(slot in self._machine.fixed)
        place = prefix.removesuffix("_") or "at"
        return {place: at, f"{prefix}given": given, f"{prefix}kind": kind, f"{prefix}width": width}

    def _field_record(self, f: FieldSpec, part: Part, by: FieldSpec | None) -> dict[str, Any]:
        single = f.owner == "Game"
        count = 1 if single else len(part.owners)
        told = self._slot_record(f.slot) | {
            "what": _OF_FIELDS[part.kind],
            "start": part.start,
            "count": count,
            "each": part.size // count,
            "single": int(single),
        }
        if by is not None:
            told |= self._slot_record(by.slot, "seers_")
            told |= {"hidden": 1, "many": int(by.type.kind == "set")}
        return told
