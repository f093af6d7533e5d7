"""Observations: what a side sees, as an array of numbers whose layout is fixed for a scenario."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from grognard.fronts.envs.actions import Numbering
from runtime.bitsets import bits
from runtime.games.names import Names
from runtime.model import NONE, FieldSpec, TypeSpec
from runtime.program import CompiledProgram
from runtime.state import RUNNING
from runtime.view import Sight

#: Stands for a value that the side does not see, or that there is not.
UNSEEN = -2.0
#: Numbers are cut off at this one.
LARGEST = 32767.0
#: A set is written thing by thing as long as that takes no more numbers than this for all owners;
#: else only how many are in it.
WIDEST = 4096

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Part:
    """A stretch of an observation: *size* numbers from *start* on.

    *name* says what it is: a field (``Unit.hex``), a pile (``hand[top]``), an effect, or one of
    ``side``, ``decides``, ``over``, ``prompt``, ``subject``.  *kind* says how it is written:
    ``value`` (a number; the index of a member, hex or piece; 1 or 0; -1 for none) with an entry for
    each *owner*; ``set`` (an entry for each owner and each thing that could be in the set, 1 or 0),
    ``count`` (how many are in a set), ``cards`` (how many of each card are seen in a pile, then how
    many are covered), ``flags`` (1 or 0 for each thing). *values* is how many different values an
    entry can have, 0 for any number: for one-hot encodings.
    """

    name: str
    kind: str
    start: int
    size: int
    owners: tuple[str, ...] = ()
    values: int = 0


def observation_space(observer: Observer, numbering: Numbering) -> spaces.Dict:
    """The space of what an agent is shown: an observation, and which actions are possible."""
    low, high = np.float32(-LARGEST), np.float32(LARGEST)
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, (observer.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (numbering.size,), np.int8),
        }
    )


class Observer:
    """Turns views into arrays."""

    def __init__(self, names: Names, program: CompiledProgram, numbering: Numbering) -> None:
        self._names = names
        self._numbering = numbering
        spec = names.spec
        self.layout: list[Part] = []
        self._next = 0
        self.side = self._add("side", "flags", len(spec.sides), spec.sides)
        self.decides = self._add("decides", "flags", len(spec.sides), spec.sides)
        self.over = self._add("over", "flags", 1)
        self.prompt = self._add(
            "prompt", "flags", len(spec.decisions), tuple(d.prompt for d in spec.decisions)
        )
        longest = max((sum(self._length(t) for t in d.about) for d in spec.decisions), default=0)
        self.subject = self._add("subject", "value", longest)
        #: fields that never change say nothing, unless they can be hidden
        fixed = set(program.state_class.FIXED)
        self.fields: list[tuple[FieldSpec, Part]] = []
        for f in spec.fields:
            if not f.options and (f.seen_by is not None or not (f.fixed or f.slot in fixed)):
                self.fields.append((f, self._field(f)))
        self.piles: list[tuple[str, int, Part]] = []
        for pile in spec.piles.values():
            cards = len(spec.enums[pile.enum]) + 1
            for i, owner in enumerate(spec.enums[pile.per] if pile.per is not None else ("",)):
                name = f"{pile.name}[{owner}]" if owner else pile.name
                part = self._add(name, "cards", cards, (*spec.enums[pile.enum], "covered"))
                self.piles.append((pile.slot, i if pile.per is not None else NONE, part))
        self.effects: list[tuple[str, Part]] = []
        for effect in spec.effects:
            size = 1
            for param in effect.params:
                size *= numbering.domain(param)
            self.effects.append((effect.slot, self._add(effect.name, "flags", size)))
        self.size = self._next

    def _add(
        self, name: str, kind: str, size: int, owners: tuple[str, ...] = (), values: int = 0
    ) -> Part:
        part = Part(name, kind, self._next, size, owners, values)
        self.layout.append(part)
        self._next += size
        return part

    def _field(self, f: FieldSpec) -> Part:
        owners = self._owners(f.owner)
        name = f.name if f.owner == "Game" else f"{f.owner}.{f.name}"
        count = max(1, len(owners)) if f.owner == "Game" else len(owners)
        if f.type.kind == "set" and f.type.of is not None:
            each = self._numbering.domain(f.type.of)
            wide = each * count > WIDEST
            return self._add(
                name, "count" if wide else "set", count * (1 if wide else each), owners
            )
        return self._add(
            name,
            "value",
            count,
            owners,
            0 if f.type.kind == "int" else self._numbering.domain(f.type),
        )

    def _owners(self, owner: str) -> tuple[str, ...]:
        names = self._names
        if owner == "Game":
            return ()
        if owner == "Hex":
            return names.spec.board.labels
        if owner in names.spec.kinds:
            return tuple(piece.name for piece in names.setup.pieces.get(owner, ()))
        return names.spec.enums[owner]

    def _length(self, type_: TypeSpec) -> int:
        return 1 if type_.of is None else self._numbering.domain(type_.of)

    # ------------------------------------------------------------------ one observation

    def observe(self, view: Sight) -> Array:
        """What a view shows, as an array of the length :attr:`size`."""
        vector = np.zeros(self.size, dtype=np.float32)
        state = view.state
        if view.side >= 0:
            vector[self.side.start + view.side] = 1
        if state.over == RUNNING:
            vector[self.decides.start + state.chooser] = 1
        else:
            vector[self.over.start] = 1
        subject = self.subject
        vector[subject.start : subject.start + subject.size] = UNSEEN
        if view.own:
            vector[self.prompt.start + view.decision] = 1
            self._about(vector, view)
        for f, part in self.fields:
            self._values(vector, view, f, part)
        for slot, owner, part in self.piles:
            content = getattr(state, slot)
            for card in content if owner == NONE else content[owner]:
                vector[part.start + (card if card != NONE else part.size - 1)] += 1
        for slot, part in self.effects:
            for at in bits(getattr(state, slot)):
                vector[part.start + at] = 1
        np.clip(vector, -LARGEST, LARGEST, out=vector)
        return vector

    def _about(self, made: Array, view: Sight) -> None:
        at = self.subject.start
        for type_, value in zip(
            self._names.spec.decisions[view.decision].about, view.about, strict=False
        ):
            size = self._length(type_)
            if type_.of is None:
                made[at] = value
            else:
                made[at : at + size] = 0
                for v in value if type_.kind == "roll" else bits(value):
                    if 0 <= v < size:
                        made[at + v] += 1
            at += size

    def _values(self, made: Array, view: Sight, f: FieldSpec, part: Part) -> None:
        column: Any = getattr(view.state, f.slot)
        values = [column] if f.owner == "Game" else column[:-1]
        each = part.size // max(1, len(values))
        if part.kind == "value":
            made[part.start : part.start + part.size] = values
        elif part.kind == "count":
            made[part.start : part.start + part.size] = [int(v).bit_count() for v in values]
        else:
            known = (1 << each) - 1  # numbers beyond those that have an entry are left out
            for i, mask in enumerate(values):
                for at in bits(mask & known):
                    made[part.start + i * each + at] = 1
        if f.seen_by is not None:
            for i in range(len(values)):
                if not view.shows(f.slot, NONE if f.owner == "Game" else i):
                    made[part.start + i * each : part.start + (i + 1) * each] = UNSEEN
