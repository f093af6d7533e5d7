"""Who sees a hidden field, as far as it follows from what is declared and what is known to hold."""

from __future__ import annotations

from dataclasses import fields

from compiler import ir
from compiler.check.draft import Draft
from compiler.trees import rebuilt, statements_of
from runtime.model import FieldSpec

#: What is known to hold at a step.
Facts = tuple[ir.Expr, ...]


class Owned:
    """Who always sees fields: the side that a fixed field names, or the side itself whose field it is."""

    def __init__(self, program: Draft) -> None:
        #: by slot of who sees, the fixed field of the same owner that is always among them; None: the owner
        #: itself, a side
        self.always: dict[str, FieldSpec | None] = {}
        written: dict[str, list[ir.SetField]] = {}
        bodies = [p.body for p in program.procedures.values()] + [c.body for c in program.checks.values()]
        for body in bodies:
            for stmt in statements_of(body):
                if isinstance(stmt, ir.SetField):
                    written.setdefault(stmt.field.slot, []).append(stmt)
        for f in program.fields.values():
            if f.seen_by is None:
                continue
            seer = program.fields.get((f.owner, f.seen_by))
            if seer is None or seer.slot in self.always or seer.setup:
                continue
            changes = written.get(seer.slot, [])
            if (
                f.owner == "Side"
                and changes
                and all(c.op == "=" and key_of(c.value) == key_of(c.owner) for c in changes)
            ):
                self.always[seer.slot] = None
                continue
            named = self._named(program.initials.get((seer.owner, seer.name)))
            if named is not None and all(self._keeps(change, named) for change in changes):
                self.always[seer.slot] = named

    @staticmethod
    def _named(initial: ir.Expr | None) -> FieldSpec | None:
        """The fixed field of ``it`` that an initial value holds."""
        items = initial.items if isinstance(initial, ir.SetLit) else (initial,)
        return next(
            (
                e.field
                for e in items
                if isinstance(e, ir.Get) and e.field.fixed and isinstance(e.owner, ir.Local)
            ),
            None,
        )

    @staticmethod
    def _keeps(change: ir.SetField, named: FieldSpec) -> bool:
        """Whether the side of the field is still among those who see after a change."""
        own = ("Get", named.slot, key_of(change.owner))
        value = of_the_kind(change.value, change.owner)
        items = value.items if isinstance(value, ir.SetLit) else (value,)
        return change.op == "|" or (
            change.op == "=" and any(key_of(item) == own or isinstance(item, ir.Members) for item in items)
        )


def key_of(e: object) -> object:
    """An expression without types and places: equal for equal ones."""
    if isinstance(e, FieldSpec):
        return e.slot
    if isinstance(e, tuple):
        return tuple(key_of(item) for item in e)
    if isinstance(e, ir.Expr):
        return (
            type(e).__name__,
            *(key_of(getattr(e, f.name)) for f in fields(e) if f.name not in ("type", "span")),
        )
    return e


def of_the_kind(e: ir.Expr, piece: ir.Expr | None) -> ir.Expr:
    """*e* with the fields that *piece* has from the parent of its kind read as those of the kind."""
    if not isinstance(piece, ir.Narrow):
        return e
    if isinstance(e, ir.Common) and key_of(e.owner) == key_of(piece.value):
        reading: ir.Expr = e
        while isinstance(reading, ir.Common) and reading.kind != piece.type.name:
            reading = reading.orelse
        return reading.then if isinstance(reading, ir.Common) else reading
    return rebuilt(e, lambda part: of_the_kind(part, piece))


def equal_to(e: ir.Expr, facts: Facts) -> list[object]:
    """The keys of the expressions that are known to have the same value."""
    pairs = [
        (key_of(fact.left), key_of(fact.right))
        for fact in facts
        if isinstance(fact, ir.Compare) and fact.op == "=="
    ]
    found = [key_of(e)]
    for one in found:
        found += [b for pair in pairs for a, b in (pair, pair[::-1]) if a == one and b not in found]
    return found
