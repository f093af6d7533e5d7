"""Matrices: values for the pairs of a row and a column, each a member of an enum or a number."""

from __future__ import annotations

import re

from compiler import ir
from compiler.check.context import Context
from compiler.check.facts.cells import cell_value, cells, cited_by_rows, missing_rows
from dsl import nodes as n
from dsl.diagnostics import Label, did_you_mean

#: How many numbers may stand along a side of a matrix.
_LONGEST = 1000


def check_matrix(ctx: Context, decl: n.Matrix) -> None:
    """Enter a matrix with its values."""
    rows, columns = _scale(ctx, decl.row), _scale(ctx, decl.column)
    if rows is None or columns is None:
        return
    type_ = ctx.type_of(decl.type)
    if not decl.rows:
        ctx.error(
            "F401", f"matrix {decl.name} has no rows", decl.name.span, "the first row names the columns"
        )
        return
    heads = _heads(ctx, decl, columns)
    values = [[0] * len(columns) for _ in rows]
    seen: dict[str, n.Row] = {}
    wrong = False  # what rows are missing may be those that are wrong
    for row in decl.rows[1:]:
        meant = _meant(ctx, decl, row, rows, seen, len(heads) + 1)
        if not meant:
            wrong = True
            continue
        for head, cell in zip(heads, row.cells[1:], strict=True):
            value = cell_value(ctx, cell, type_)
            for r in meant:
                for c in head:
                    values[rows.index(r)][columns.index(c)] = value
    lacking = [member for member in rows if member not in seen]
    if lacking and not wrong:
        missing_rows(ctx, f"matrix {decl.name}", decl, lacking)
    ctx.cite(f"matrix {decl.name}", decl.rules)
    of_rows = cited_by_rows(ctx, rows, seen, decl.name.text)
    ctx.program.matrices[decl.name.text] = ir.MatrixInfo(
        decl.name.text,
        decl.row.text,
        decl.column.text,
        type_,
        tuple(tuple(r) for r in values),
        decl.rules,
        of_rows,
    )


def _heads(ctx: Context, decl: n.Matrix, columns: tuple[str, ...]) -> list[list[str]]:
    """The members that each column of the first row stands for."""
    heads = [_headed(decl.column, columns, c.text) for c in decl.rows[0].cells[1:]]
    named: set[str] = set()
    for cell, head in zip(decl.rows[0].cells[1:], heads, strict=True):
        if not head or named.intersection(head):
            problem = "stands twice" if head else f"is not a member of {decl.column}"
            remedy = "remove one of the two" if head else did_you_mean(cell.text, columns)
            ctx.error("F402", f"'{cell.text}' {problem}", cell.span, remedy)
        named.update(head)
    lacking = [c for c in columns if c not in named]
    if lacking and all(heads):
        ctx.error(
            "F401",
            f"matrix {decl.name} has no column for {', '.join(lacking)}",
            decl.rows[0].span,
            "add it to the first row",
        )
    return heads


def _meant(
    ctx: Context, decl: n.Matrix, row: n.Row, members: tuple[str, ...], seen: dict[str, n.Row], width: int
) -> list[str]:
    """The members that a row gives values for, which it enters into *seen*; none where it is wrong."""
    key = row.cells[0].text if row.cells else ""
    meant = _headed(decl.row, members, key)
    if len(row.cells) != width:
        ctx.error(
            "F403",
            f"this row has {cells(row)}; the first row has {width}",
            row.span,
            "give one cell for each column",
        )
        seen.update(dict.fromkeys(meant, row))
        return []
    if not meant:
        message = f"'{key}' is not a member of {decl.row}"
        ctx.error(
            "F402",
            message,
            row.cells[0].span,
            did_you_mean(key, members) or f"known: {', '.join(members[:8])}",
        )
        return []
    if twice := [member for member in meant if member in seen]:
        other = (Label(seen[twice[0]].span, "the other"),)
        message = f"a second row for '{twice[0]}'"
        ctx.error("F402", message, row.cells[0].span, "remove one of the two", other)
        return []
    seen.update(dict.fromkeys(meant, row))
    return meant


def _scale(ctx: Context, scale: n.Ident | n.Numbers) -> tuple[str, ...] | None:
    """What stands along a side of a matrix; numbers become the members of an enum that has them as its
    name.
    """
    if isinstance(scale, n.Ident):
        if scale.text not in ctx.program.enums:
            ctx.unknown("R203", "enum", scale, ctx.program.enums)
            return None
        return ctx.program.enums[scale.text]
    if not 0 <= scale.high - scale.low < _LONGEST:
        ctx.error(
            "F404",
            f"{scale} are not from 1 to {_LONGEST} numbers",
            scale.span,
            "write the lower number first",
        )
        return None
    return ctx.program.enums.setdefault(scale.text, tuple(str(k) for k in range(scale.low, scale.high + 1)))


def _headed(scale: n.Ident | n.Numbers, members: tuple[str, ...], text: str) -> list[str]:
    """The members that the head of a row or column stands for: itself, or a range of numbers ``2..4``."""
    ends = re.fullmatch(r"(-?\d+)(?:\s*\.\.\s*(-?\d+))?", text) if isinstance(scale, n.Numbers) else None
    if ends is not None:
        found = [str(k) for k in range(int(ends[1]), int(ends[2] or ends[1]) + 1)] if len(text) < 20 else []
        return found if found and found[0] in members and found[-1] in members else []
    return [text] if text in members else []
