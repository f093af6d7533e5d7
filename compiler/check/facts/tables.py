"""Tables: columns of values for the members of an enum."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Context
from compiler.check.facts.cells import cell_value, cells, cited_by_rows, missing_rows, suits
from compiler.check.facts.chance import check_deck, check_die
from compiler.check.facts.matrices import check_matrix
from compiler.types import Type
from dsl import nodes as n
from dsl.diagnostics import Diagnostic, Label
from runtime.spelling import nearest


def check_tables(ctx: Context, decls: list[n.Decl]) -> None:
    """Tables, matrices, dice and decks."""
    for decl in decls:
        if isinstance(decl, n.Table):
            _table(ctx, decl)
        elif isinstance(decl, n.Matrix):
            check_matrix(ctx, decl)
        elif isinstance(decl, n.Die):
            check_die(ctx, decl)
    for decl in decls:
        if isinstance(decl, n.Deck):
            check_deck(ctx, decl)


#: Where at least so many cells, and all, do not fit their column, it is the column that is wrong.
_COLUMN = 3


def _of_another_type(ctx: Context, column: n.Column, type_: str, misfits: list[Diagnostic]) -> None:
    """Say once that no cell of *column* has its type."""
    told = set(map(id, misfits))
    ctx.diagnostics[:] = [d for d in ctx.diagnostics if id(d) not in told]
    ctx.error(
        "F404",
        f"no cell of the column '{column.name}' is of type {type_}",
        column.name.span,
        "give the column the type of its cells, or put the columns into their order",
        (Label(misfits[0].span, f"here, and in {len(misfits) - 1} more rows"),),
    )


def _takes(ctx: Context, decl: n.Table, column: int, type_: Type) -> bool:
    """Whether all cells of a column are of a type."""
    rows = [row.cells for row in decl.rows if len(row.cells) == len(decl.columns) + 1]
    return all(suits(ctx, cells[column + 1], type_) for cells in rows)


def _exchanged(ctx: Context, decl: n.Table, types: list[Type], misfits: list[list[Diagnostic]]) -> None:
    """Say once of two cells of a row that they stand in each other's place, where they do."""
    left = {id(d) for d in ctx.diagnostics}
    by_place = {d.span: (i, d) for i, found in enumerate(misfits) for d in found if id(d) in left}
    for row in decl.rows:
        found = [by_place[cell.span] for cell in row.cells[1:] if cell.span in by_place]
        if len(found) != 2:
            continue
        (a, first), (b, second) = found
        if not (suits(ctx, row.cells[a + 1], types[b]) and suits(ctx, row.cells[b + 1], types[a])):
            continue
        ctx.diagnostics[:] = [d for d in ctx.diagnostics if d is not first and d is not second]
        ctx.error(
            "F404",
            f"the cells of '{decl.columns[a].name}' and '{decl.columns[b].name}' are exchanged",
            first.span,
            f"the cells are: {decl.enum}, {', '.join(p.name.text for p in decl.columns)}",
        )


def _of_other_types(
    ctx: Context, decl: n.Table, types: list[Type], misfits: list[list[Diagnostic]], rows: int
) -> None:
    """Say of columns none of whose cells, of so many *rows*, fits that it is the column that is wrong."""
    wrong = [i for i, found in enumerate(misfits) if len(found) >= max(_COLUMN, rows)]
    if len(wrong) > 1 and all(any(_takes(ctx, decl, i, types[j]) for j in wrong) for i in wrong):
        told = {id(d) for i in wrong for d in misfits[i]}
        ctx.diagnostics[:] = [d for d in ctx.diagnostics if id(d) not in told]
        names = [f"'{decl.columns[i].name}'" for i in wrong]
        ctx.error(
            "F404",
            f"the columns {', '.join(names[:-1])} and {names[-1]} stand in another order than their cells",
            decl.columns[wrong[0]].name.span,
            "put the columns, or the cells, into the other order",
            (Label(misfits[wrong[0]][0].span, f"here, and in {rows - 1} more rows"),),
        )
        return
    for column, type_, found in zip(decl.columns, types, misfits, strict=True):
        alike = found and found[0] in ctx.unknowns and len({d.message for d in found}) == 1
        if len(found) >= max(_COLUMN, rows) and not alike:  # one wrong member is told once anyhow
            _of_another_type(ctx, column, str(type_), found)


def _table(ctx: Context, decl: n.Table) -> None:
    program = ctx.program
    enum = decl.enum.text
    if enum not in program.enums:
        ctx.unknown("R203", "enum", decl.enum, program.enums)
        return
    members = program.enums[enum]
    types = [ctx.type_of(p.type) for p in decl.columns]
    values: list[list[int]] = [[0] * len(members) for _ in types]
    seen: dict[str, n.Row] = {}
    wrong: list[str] = []
    misfits: list[list[Diagnostic]] = [[] for _ in types]
    faulty = 0  # rows of which nobody can say for whom they are
    for row in decl.rows:
        if not row.cells or len(row.cells) != len(types) + 1:
            ctx.error(
                "F403",
                f"this row has {cells(row)}; the table has {len(types) + 1} (the member and its "
                f"{len(types)} columns)",
                row.span,
                f"the cells are: {decl.enum}, {', '.join(p.name.text for p in decl.columns)}",
            )
            if row.cells and row.cells[0].text in members:
                seen.setdefault(row.cells[0].text, row)
            else:
                faulty += 1
            continue
        key = row.cells[0]
        if key.text not in members:
            wrong.append(key.text)
            ctx.strange(
                "F402",
                f"'{key.text}' is not a member of {enum}",
                key.text,
                key.span,
                members,
                f"add it to enum {enum}",
            )
            continue
        if key.text in seen:
            ctx.error(
                "F402",
                f"a second row for '{key.text}'",
                key.span,
                "remove one of the two",
                (Label(seen[key.text].span, "the other"),),
            )
            continue
        seen[key.text] = row
        at = members.index(key.text)
        for i, (cell, type_) in enumerate(zip(row.cells[1:], types, strict=True)):
            before = len(ctx.diagnostics)
            values[i][at] = cell_value(ctx, cell, type_)
            misfits[i] += [d for d in ctx.diagnostics[before:] if d.code == "F404"]
            if cell.text == "?":
                program.unknown.append((enum, at, decl.columns[i].name.text))
    _of_other_types(ctx, decl, types, misfits, len(seen))
    _exchanged(ctx, decl, types, misfits)
    lacking = [m for m in members if m not in seen]
    meant = {nearest(key, lacking) for key in wrong}
    lacking = [m for m in lacking if m not in meant]
    if len(lacking) > faulty:
        missing_rows(ctx, f"table {decl.name}", decl, lacking)
    ctx.cite(f"table {decl.name}", decl.rules)
    of_rows = cited_by_rows(ctx, members, seen, decl.name.text)
    for param, type_, column in zip(decl.columns, types, values, strict=True):
        key2 = (enum, param.name.text)
        if key2 in program.columns:
            ctx.error(
                "R104", f"{enum} has two columns '{param.name}'", param.name.span, "rename one of the two"
            )
            continue
        program.columns[key2] = ir.Column(
            decl.name.text, param.name.text, enum, type_, tuple(column), decl.rules, param.rules, of_rows
        )
        ctx.cite(f"column {param.name} of {decl.name}", param.rules)
