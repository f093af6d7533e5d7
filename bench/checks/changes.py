"""Small changes of a ruleset's numbers and conditions, for :mod:`bench.checks.removals`: a number
or a cell is one more, a member another one, ``<`` is ``<=``, ``is`` is ``is not``, ``and`` is
``or``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from compiler import ir
from compiler.trees import rebuilt, rules_of, walk
from compiler.types import Type

_PAIRS = (("<", "<="), (">", ">="), ("==", "!="), ("and", "or"))
_OTHER = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}


@dataclass(frozen=True)
class Change:
    """A change: where it is and what it does; *set* puts it in place, or the true value back."""

    word: str
    name: str
    owner: str
    place: str
    rules: tuple[str, ...]
    set: Callable[[bool], None]

    def __str__(self) -> str:
        return f"{self.word} {self.owner}.{self.name} at {self.place}"

    @property
    def description(self) -> str:
        """The change with what the place cites."""
        return f"{self} ({', '.join(self.rules) or 'no ID'})"


def _changed_expression(program: ir.Program, e: ir.Expr) -> tuple[str, ir.Expr] | None:
    """An expression changed, with what has been done; None where there is nothing to change."""
    if isinstance(e, ir.Compare | ir.Logic):
        return f"{e.op} as {_OTHER[e.op]}", replace(e, op=_OTHER[e.op])
    if type(e) is not ir.Const or e.value < 0:
        return None
    value = _next(program, e.type.kind, e.type.name, e.value)
    return None if value is None else (f"{e.value} as {value}", replace(e, value=value))


def _next(program: ir.Program, kind: str, name: str, value: int) -> int | None:
    """The value after one: the next number, the next member, the other truth."""
    if kind == "int":
        return value + 1
    if kind == "bool":
        return 1 - value
    if kind == "enum" and len(program.enums[name]) > 1:
        return (value + 1) % len(program.enums[name])
    return None


def changes(program: ir.Program) -> list[Change]:
    """All changes of the rules, modifiers and functions, and of the tables."""
    changes: list[Change] = []
    for owner in program.calls.values():
        changes += _changes_in(program, owner, ("body",), owner.name, owner.rules)
        for rule in rules_of(owner.roots):
            changes += _changes_in(
                program, rule, ("when", "value"), f"{owner.name}.{rule.name}", rule.rules
            )
        for modifiers in owner.modifiers.values():
            for m in modifiers:
                changes += _changes_in(
                    program, m, ("when", "value"), f"{owner.name}.{m.name}", m.rules
                )
    for (_, name), column in program.columns.items():
        members = program.enums[column.enum]
        for at, values in _cells(program, column.type, column.values):
            where = f"{name} of {members[at]}"
            changes.append(_cell(column, values, where, column.table, column.citations_at(at)))
    for matrix in program.matrices.values():
        rows, columns = program.enums[matrix.row], program.enums[matrix.column]
        for i, row in enumerate(matrix.values):
            for j, changed in _cells(program, matrix.type, row):
                whole = (*matrix.values[:i], changed, *matrix.values[i + 1 :])
                where = f"{rows[i]}, {columns[j]}"
                changes.append(_cell(matrix, whole, where, matrix.name, matrix.rules))
    return changes


def _cells(
    program: ir.Program, type_: Type, values: tuple[int, ...]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The values of a column or a row with one of them changed, and at which place."""
    for at, value in enumerate(values):
        other = _next(program, type_.kind, type_.name, value) if value >= 0 else None
        if other is not None:
            yield at, (*values[:at], other, *values[at + 1 :])


def _changes_in(
    program: ir.Program, holder: Any, names: tuple[str, ...], owner: str, rules: tuple[str, ...]
) -> Iterator[Change]:
    """The changes within the expressions that an object holds."""
    for name in names:
        whole = getattr(holder, name)
        for e in walk(whole) if whole is not None else ():
            other = _changed_expression(program, e)
            if other is not None and e.span.line:
                put = partial(_put, holder, name, whole, e, other[1])
                yield Change("change", other[0], owner, str(e.span), rules, put)


def _put(holder: Any, name: str, whole: ir.Expr, e: ir.Expr, other: ir.Expr, changed: bool) -> None:
    def replaced(part: ir.Expr) -> ir.Expr:  # that very object, put in place of by the other
        return other if part is e else rebuilt(part, replaced)

    setattr(holder, name, replaced(whole) if changed else whole)


def _cell(holder: Any, values: Any, name: str, owner: str, rules: tuple[str, ...]) -> Change:
    true = holder.values

    def put(changed: bool) -> None:
        object.__setattr__(holder, "values", values if changed else true)  # facts are frozen

    return Change("cell", name, owner, f"table {owner}", rules, put)


@contextmanager
def apply_change(change: Change) -> Iterator[None]:
    """A program with the change in it, for a while."""
    change.set(True)
    try:
        yield
    finally:
        change.set(False)
