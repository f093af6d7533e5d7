"""Who sees a hidden field, as far as it follows from what is declared and what is known to hold."""

from __future__ import annotations

from dataclasses import fields

from compiler import ir
from compiler.check.tree_cache import TreeCache
from compiler.trees import rebuilt, statements_of
from runtime.model import FieldSpec

#: What is known to hold at a step.
Facts = tuple[ir.Expr, ...]


def permanent_seers(program: ir.Program, trees: TreeCache) -> dict[str, FieldSpec | None]:
    """Who is always among those who see: by slot of who sees, the fixed field of the same owner
    that names the side; None where it is the owner itself, a side.
    """
    seers: dict[str, FieldSpec | None] = {}
    changes: dict[str, list[ir.SetField]] = {}
    bodies = [part.body for part in program.procedures.values()]
    for body in (*bodies, *(check.body for check in program.checks.values())):
        for stmt in trees.result(_changes, body):
            changes.setdefault(stmt.field.slot, []).append(stmt)
    for f in program.fields.values():
        seer = program.fields.get((f.owner, f.seen_by)) if f.seen_by is not None else None
        if seer is None or seer.slot in seers or seer.setup:
            continue
        changed = changes.get(seer.slot, [])
        own = [c.op == "=" and key_of(c.value) == key_of(c.owner) for c in changed]
        if f.owner == "Side" and own and all(own):
            seers[seer.slot] = None
            continue
        initial = _items(program.initials.get((seer.owner, seer.name)))
        read = (e for e in initial if isinstance(e, ir.Get) and isinstance(e.owner, ir.Local))
        named = next((e.field for e in read if e.field.fixed), None)
        if named is not None and all(_keeps(change, named) for change in changed):
            seers[seer.slot] = named
    return seers


def _changes(body: tuple[ir.Stmt, ...]) -> list[ir.SetField]:
    return [stmt for stmt in statements_of(body) if isinstance(stmt, ir.SetField)]


def _keeps(change: ir.SetField, named: FieldSpec) -> bool:
    """Whether the side of a fixed field is still among those who see after a change."""
    own = ("Get", named.slot, key_of(change.owner))
    items = _items(with_kind_fields(change.value, change.owner))
    holds = any(key_of(e) == own or isinstance(e, ir.Members) for e in items)
    return change.op == "|" or (change.op == "=" and holds)


def _items(e: ir.Expr | None) -> tuple[ir.Expr | None, ...]:
    """What a set is written as, or the one expression."""
    return e.items if isinstance(e, ir.SetLit) else (e,)


def key_of(e: object) -> object:
    """An expression without types and places: equal for equal ones."""
    if isinstance(e, FieldSpec):
        return e.slot
    if isinstance(e, tuple):
        return tuple(key_of(item) for item in e)
    if isinstance(e, ir.Expr):
        parts = (getattr(e, f.name) for f in fields(e) if f.name not in ("type", "span"))
        return type(e).__name__, *map(key_of, parts)
    return e


def with_kind_fields(e: ir.Expr, piece: ir.Expr | None) -> ir.Expr:
    """*e* where the fields that *piece* has from its parent are read as those of its kind."""
    if not isinstance(piece, ir.Narrow):
        return e
    if isinstance(e, ir.Common) and key_of(e.owner) == key_of(piece.value):
        reading: ir.Expr = e
        while isinstance(reading, ir.Common) and reading.kind != piece.type.name:
            reading = reading.orelse
        return reading.then if isinstance(reading, ir.Common) else reading
    return rebuilt(e, lambda part: with_kind_fields(part, piece))


def equal_to(e: ir.Expr, facts: Facts) -> list[object]:
    """The keys of the expressions that are known to have the same value."""
    equal = [f for f in facts if isinstance(f, ir.Compare) and f.op == "=="]
    pairs = [(key_of(fact.left), key_of(fact.right)) for fact in equal]
    keys = [key_of(e)]
    for one in keys:
        keys += [b for pair in pairs for a, b in (pair, pair[::-1]) if a == one and b not in keys]
    return keys
