"""Cells of tables, matrices and board files: from text to values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from compiler.check.context import Context
from compiler.types import BAD, Type
from dsl import nodes as n
from dsl.diagnostics import Severity
from runtime.model import NONE, TRUTHS, located

_NUMBER = re.compile(r"[+-]?[0-9]{1,15}")
_NOTHING = ("—", "-", "–")


def cells(row: n.Row) -> str:
    """How many cells a row has, in words."""
    return f"{len(row.cells)} cell{'s' if len(row.cells) != 1 else ''}"


def missing_rows(ctx: Context, what: str, decl: n.Table | n.Matrix, lacking: Sequence[str]) -> None:
    """Report the members for which a table or matrix has no row."""
    ctx.error(
        "F401",
        f"{what} has no row for {', '.join(lacking)}",
        decl.name.span,
        f"add a row | {lacking[0]} | … |" + (" for each" if len(lacking) > 1 else ""),
        citation=decl.rules,
    )


def parse_cell(ctx: Context, cell: n.Cell, type_: Type) -> int:
    """The value that a cell writes down."""
    if type_.kind == "set" and type_.of is not None:
        return _mask(ctx, cell, type_.of)
    if cell.text in _NOTHING:
        if not type_.optional:
            ctx.error(
                "F404",
                f"this column has type {type_} and cannot be empty",
                cell.span,
                f"give a value, or make the column {type_}?",
            )
        return NONE
    if cell.text == "?":
        ctx.error(
            "F408",
            "this value is not known",
            cell.span,
            "a game that needs it cannot be started; replace the '?' when the value is found",
            severity=Severity.WARNING,
        )
        return NONE
    if type_.kind == "enum":
        return _member(ctx, cell, type_)
    try:
        return _READ.get(type_.kind, _nothing)(ctx, cell, type_)
    except _Unreadable as wanted:
        if type_ is not BAD:
            ctx.error("F404", f"'{cell.text}' is not of type {type_}", cell.span, f"write {wanted}")
        return 0


def suits(ctx: Context, cell: n.Cell, type_: Type) -> bool:
    """Whether a cell writes down a value of a type; nothing is reported."""
    probe = Context(ctx.program)
    parse_cell(probe, cell, type_)
    return not any(d.is_error for d in probe.diagnostics)


class _Unreadable(Exception):
    """What a cell ought to hold instead."""


def _mask(ctx: Context, cell: n.Cell, member: Type) -> int:
    mask = 0
    if cell.text not in _NOTHING:
        if re.fullmatch(r"\w+(?:\s*,\s*\w+)+", cell.text):
            ctx.error(
                "F404",
                "the members in a cell are separated by blanks",
                cell.span,
                f"write {' '.join(cell.text.replace(',', ' ').split())}",
            )
            return 0
        for word in cell.text.split():
            value = parse_cell(ctx, n.Cell(word, span=cell.span), member)
            mask |= 1 << value if value >= 0 else 0
    return mask


def _member(ctx: Context, cell: n.Cell, type_: Type) -> int:
    members = ctx.program.enums[type_.name]
    if cell.text in members:
        return members.index(cell.text)
    ctx.strange(
        "F404",
        f"'{cell.text}' is not of type {type_}",
        cell.text,
        cell.span,
        members,
        f"write one of {', '.join(members[:8])}",
    )
    return 0


def _number(ctx: Context, cell: n.Cell, type_: Type) -> int:
    if not _NUMBER.fullmatch(cell.text):
        raise _Unreadable("a whole number of at most 15 digits")
    value = int(cell.text)
    if value < 0 and type_.optional:
        ctx.error(
            "F404",
            "a column that may be empty must not hold negative numbers",
            cell.span,
            "make the column not optional",
        )
    return value


def _truth(ctx: Context, cell: n.Cell, type_: Type) -> int:
    if cell.text not in TRUTHS:
        raise _Unreadable("yes or no")
    return TRUTHS[cell.text]


def _hex(ctx: Context, cell: n.Cell, type_: Type) -> int:
    assert ctx.program.board is not None
    try:
        return ctx.program.board.index(cell.text)
    except ValueError as error:
        raise _Unreadable(str(error)) from error


def _nothing(ctx: Context, cell: n.Cell, type_: Type) -> int:
    raise _Unreadable("another type of column")


_READ = {"int": _number, "bool": _truth, "hex": _hex}


def cited_by_rows(
    ctx: Context, members: tuple[str, ...], rows: dict[str, n.Row], table: str
) -> tuple[tuple[str, ...], ...]:
    """What the row of each member cites itself."""
    for member, row in rows.items():
        ctx.cite(f"row {member} of {table}", row.rules)
    return tuple(rows[m].rules if m in rows else () for m in members)


def cell_value(ctx: Context, cell: n.Cell, type_: Type) -> int:
    """The value of a cell; hexes that it names are remembered."""
    assert ctx.program.board is not None
    if located(type_.spec()):
        for word in cell.text.split():
            if word in ctx.program.board.labels:
                ctx.program.labels.setdefault(word, cell.span)
    return parse_cell(ctx, cell, type_)
