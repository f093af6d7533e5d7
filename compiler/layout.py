"""The layout of the state: which slots there are beyond the common ones, and of which shape.

The interpreter and the emitted code keep to the same layout, and the hash of a state follows its
order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from compiler import ir
from runtime.model import FieldSpec

#: ``fixed``: never changes during a game; ``ints``: a plain int; ``lists``; ``nested``: a list of
#: lists; ``derived``: a list that follows from others (which pieces are on a hex).
SHAPES = ("fixed", "ints", "lists", "nested", "derived")
#: How many procedures that can ask may be under way at a time.
DEEPEST = 120


class Slot(NamedTuple):
    """A slot of the state: its shape, and the Python type of its value."""

    name: str
    shape: str
    type: str = "list[int]"


def layout(program: ir.Program) -> list[Slot]:
    """The slots in order."""
    moving = changing(program.procedures, program.checks, program.fields)
    slots = [Slot(f"n_{kind.lower()}", "fixed", "int") for kind in program.kinds]
    for parent, kinds in program.parents.items():
        slots.append(Slot(f"n_{parent.lower()}", "fixed", "int"))
        slots += [Slot(f"o_{kind.lower()}", "fixed", "int") for kind in kinds[1:]]
    for f in _in_order(program):
        still = f.slot not in moving
        if f.owner == "Game":
            slots.append(Slot(f.slot, "ints", "int"))
        else:
            slots.append(Slot(f.slot, "fixed" if still else "lists"))
    for kind in program.kinds:
        if program.place_of(kind) is not None:
            slots.append(Slot(f"{kind.lower()}_at", "derived"))
        slots += [
            Slot(f"by_{f.slot}", "fixed", "list[tuple[int, ...]]")
            for f in program.fields.values()
            if f.owner == kind and f.fixed and f.type.kind == "enum"
        ]
    for pile in program.piles.values():
        kept = ("lists",) if pile.per is None else ("nested", "list[list[int]]")
        slots.append(Slot(pile.slot, *kept))
    slots += [Slot(effect.slot, "ints", "int") for effect in program.effects.values()]
    slots += [Slot(f"switch_{name}", "fixed", "int") for name in program.switches]
    return slots


def changing(
    procedures: Mapping[str, ir.Procedure],
    checks: Mapping[str, ir.CheckInfo],
    fields: Mapping[tuple[str, str], FieldSpec],
) -> set[str]:
    """The slots of fields, piles and effects that some step of a ruleset writes."""
    slots: set[str] = set()
    slots.update(*(p.writes for p in procedures.values()), *(c.writes for c in checks.values()))
    for f in fields.values():
        if f.fixed:
            slots.discard(f.slot)
        elif f.lasts:
            slots.add(f.slot)
    return slots


def _in_order(program: ir.Program) -> list[FieldSpec]:
    """The fields as declared; of a kind with a parent those that last a scope stand last.

    So fields which kinds have alike can move to a parent, where they are declared first, and states
    keep their hashes.
    """
    fields = list(program.fields.values())
    for kind in (kind for kinds in program.parents.values() for kind in kinds):
        places = [i for i, f in enumerate(fields) if f.owner == kind]
        in_order = sorted((fields[i] for i in places), key=lambda f: f.lasts is not None)
        for i, f in zip(places, in_order, strict=True):
            fields[i] = f
    return fields
