"""The layout of the state: which slots there are beyond the common ones, and of which shape.

The interpreter and the emitted code keep to the same layout, and the hash of a state follows its order.
"""

from __future__ import annotations

from compiler import ir
from runtime.model import FieldSpec

#: ``fixed``: never changes during a game; ``ints``: a plain int; ``lists``; ``nested``: a list of lists;
#: ``derived``: a list that follows from others (which pieces are on a hex).
SHAPES = ("fixed", "ints", "lists", "nested", "derived")


def layout(program: ir.Program) -> list[tuple[str, str]]:
    """The slots in order, each with its shape."""
    written = set().union(
        *(p.writes for p in program.procedures.values()), *(c.writes for c in program.checks.values())
    )
    slots = [(f"n_{kind.lower()}", "fixed") for kind in program.kinds]
    for parent, kinds in program.parents.items():
        slots.append((f"n_{parent.lower()}", "fixed"))
        slots += [(f"o_{kind.lower()}", "fixed") for kind in kinds[1:]]
    for f in _in_order(program):
        still = f.fixed or (f.slot not in written and not f.lasts)
        slots.append((f.slot, "ints" if f.owner == "Game" else "fixed" if still else "lists"))
    for kind in program.kinds:
        if program.place_of(kind) is not None:
            slots.append((f"{kind.lower()}_at", "derived"))
        slots += [
            (f"by_{f.slot}", "fixed")
            for f in program.fields.values()
            if f.owner == kind and f.fixed and f.type.kind == "enum"
        ]
    slots += [(pile.slot, "lists" if pile.per is None else "nested") for pile in program.piles.values()]
    slots += [(effect.slot, "ints") for effect in program.effects.values()]
    slots += [(f"switch_{name}", "fixed") for name in program.switches]
    return slots


def _in_order(program: ir.Program) -> list[FieldSpec]:
    """The fields as declared; of a kind with a parent those that last a scope stand behind the others.

    So fields which kinds have alike can move to a parent, where they are declared first, and states keep
    their hashes.
    """
    fields = list(program.fields.values())
    for kind in (kind for kinds in program.parents.values() for kind in kinds):
        places = [i for i, f in enumerate(fields) if f.owner == kind]
        for i, f in zip(
            places, sorted((fields[i] for i in places), key=lambda f: f.lasts is not None), strict=True
        ):
            fields[i] = f
    return fields
