"""Tables and matrices: rows of cells, from text to values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial

from compiler import ir
from compiler.check.context import Context
from compiler.check.facts.chance import check_deck, check_die
from compiler.check.facts.weights import enter_weight
from compiler.check.keeping import CachingChecker
from compiler.types import BOOL, HEX, INT, Type
from dsl import nodes as n
from dsl.diagnostics import Diagnostic, Label, Lacking, did_you_mean
from dsl.frozen import Frozen
from runtime.errors import words_of
from runtime.model import NONE, TRUTHS, names_hexes
from runtime.spelling import nearest
from runtime.words.said import said

_NUMBER = re.compile(r"[+-]?[0-9]{1,15}")
_PART = re.compile(r"\d*\s*[½⅓⅔¼¾]|\d+\s*/\s*\d+|\d*[.,]\d+")
_NOTHING = ("—", "-", "–")
#: How others mark what is true or false of a row.
_MARKS = dict.fromkeys(("x", "y", "✓", "✔", "*", "1"), "yes") | dict.fromkeys(("", "n", "0"), "no")


def cells(row: n.Row) -> str:
    """How many cells a row has, in words."""
    return said("{count: 1 # cell | # cells}", count=len(row.cells))


def missing_rows(ctx: Context, kind: str, decl: n.Table | n.Matrix, lacking: Sequence[str]) -> None:
    """Report the members for which a table or matrix has no row."""
    message = said(
        "{kind} {name} has no row for {lacking}",
        kind=kind,
        name=decl.name,
        lacking=", ".join(lacking),
    )
    remedy = said("add a row | {lacking} | … |", lacking=lacking[0]) + " for each" * (
        len(lacking) > 1
    )
    about = (Lacking(kind, decl.name.text, tuple(lacking)),)
    ctx.error("F401", message, decl.name.span, remedy, citation=decl.rules, about=about)


def parse_cell(ctx: Context, cell: n.Cell, type_: Type) -> int:
    """The value that a cell writes down."""
    if _absent(ctx, cell, type_):
        return NONE if type_.kind != "set" else 0
    if type_.kind == "set" and type_.of is not None:
        return _mask(ctx, cell, type_.of)
    if cell.text in _NOTHING:
        if not type_.optional:
            message = "this column has type {0} and cannot be empty"
            remedy = said("give a value, or make the column {type}?", type=type_)
            ctx.report_misfit(message, cell.span, type_, remedy=remedy, code="F404")
        return NONE
    if cell.text == "?":
        remedy = "a game that needs it cannot be started; replace the '?' when the value is found"
        ctx.warning("F408", "this value is not known", cell.span, remedy)
        return NONE
    if type_.kind == "enum":
        return _member(ctx, cell, type_)
    try:
        return _READ.get(type_.kind, _nothing)(ctx, cell, type_)
    except _Unreadable as wanted:
        message = said("'{text}' is not of type {type}", text=cell.text, type=type_)
        ctx.error("F404", message, cell.span, said("write {wanted}", wanted=wanted), types=(type_,))
        return 0


def _absent(ctx: Context, cell: n.Cell, type_: Type) -> bool:
    """Whether a cell is left empty or says in another way that there is nothing; it is reported."""
    of = type_.of if type_.of is not None else type_
    known = ctx.program.enums.get(of.name, ())
    if cell.text in (*known, *_NOTHING) or type_.kind == "bool":
        return False
    if cell.text and nearest(cell.text, _NOTHING) is None:
        return False
    if not cell.text and type_.kind == "set":
        return False
    message = "this cell is empty"
    if cell.text:
        message = said("'{text}' is not of type {type}", text=cell.text, type=type_)
    remedy = said("give a value, or make the column {type}?", type=type_)
    if type_.kind == "set" or type_.optional:
        remedy = "write — for nothing"
    ctx.error("F404", message, cell.span, remedy, types=(type_,))
    return True


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
        if re.fullmatch(r"\w+(?:\s*[,;/+&]\s*\w+)+", cell.text):
            remedy = said("write {words}", words=" ".join(re.findall(r"\w+", cell.text)))
            ctx.error("F404", "the members in a cell are separated by blanks", cell.span, remedy)
            return 0
        for word in cell.text.split():
            value = parse_cell(ctx, n.Cell(word, span=cell.span), member)
            mask |= 1 << value if value >= 0 else 0
    return mask


def _member(ctx: Context, cell: n.Cell, type_: Type) -> int:
    members = ctx.program.enums[type_.name]
    if cell.text in members:
        ctx.mention(f"{type_.name}.{cell.text}", cell.span)
        return members.index(cell.text)
    remedy = said("write one of {members}", members=", ".join(members[:8]))
    if not cell.text.isidentifier():
        remedy += "; what is printed there is the text of a member"
    message = said("'{text}' is not of type {type}", text=cell.text, type=type_)
    ctx.report_unmatched(
        "F404", message, cell.text, cell.span, members, remedy, said("of type {type}", type=type_)
    )
    return 0


def _number(ctx: Context, cell: n.Cell, type_: Type) -> int:
    if _PART.fullmatch(cell.text):
        raise _Unreadable("all numbers in a smaller unit, such as halves: they are whole")
    if not _NUMBER.fullmatch(cell.text):
        raise _Unreadable("a whole number of at most 15 digits")
    value = int(cell.text)
    if value < 0 and type_.optional:
        message = "a column that may be empty must not hold negative numbers"
        ctx.error("F404", message, cell.span, "make the column not optional")
    return value


def _truth(ctx: Context, cell: n.Cell, type_: Type) -> int:
    if cell.text not in TRUTHS:
        meant = nearest(cell.text, ("yes", "no"))
        raise _Unreadable(meant or _MARKS.get(cell.text.casefold(), "yes or no"))
    return TRUTHS[cell.text]


def _hex(ctx: Context, cell: n.Cell, type_: Type) -> int:
    assert ctx.program.board is not None
    try:
        return ctx.program.board.index(cell.text)
    except ValueError as error:
        raise _Unreadable(words_of(error)) from error


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
    if names_hexes(type_.spec()):
        for word in cell.text.split():
            if word in ctx.program.board.labels:
                ctx.labelled.append((word, cell.span))
    return parse_cell(ctx, cell, type_)


#: How many numbers may stand along a side of a matrix.
_LONGEST = 1000


def check_matrix(ctx: Context, decl: n.Matrix) -> None:
    """Enter a matrix with its values."""
    rows, columns = _scale(ctx, decl.row), _scale(ctx, decl.column)
    if rows is None or columns is None:
        return
    type_ = ctx.type_of(decl.type)
    if not decl.rows:
        message = said("matrix {name} has no rows", name=decl.name)
        ctx.error("F401", message, decl.name.span, "the first row names the columns")
        return
    heads = _heads(ctx, decl, columns)
    values = [[0] * len(columns) for _ in rows]
    seen: dict[str, n.Row] = {}
    wrong = False  # what rows are missing may be those that are wrong
    for row in decl.rows[1:]:
        members = _row_members(ctx, decl, row, rows, seen, len(heads) + 1)
        if not members:
            wrong = True
            continue
        for head, cell in zip(heads, row.cells[1:], strict=True):
            value = cell_value(ctx, cell, type_)
            for r in members:
                for c in head:
                    values[rows.index(r)][columns.index(c)] = value
    lacking = [member for member in rows if member not in seen]
    if lacking and not wrong:
        missing_rows(ctx, "matrix", decl, lacking)
    ctx.cite(f"matrix {decl.name}", decl.rules)
    name = decl.name.text
    cited = (decl.rules, cited_by_rows(ctx, rows, seen, name))
    grid = tuple(tuple(r) for r in values)
    info = ir.MatrixInfo(name, decl.row.text, decl.column.text, type_, grid, *cited)
    ctx.program.matrices[name] = info


def _heads(ctx: Context, decl: n.Matrix, columns: tuple[str, ...]) -> list[list[str]]:
    """The members that each column of the first row stands for."""
    heads = [_headed(decl.column, columns, c.text) for c in decl.rows[0].cells[1:]]
    named: set[str] = set()
    for cell, head in zip(decl.rows[0].cells[1:], heads, strict=True):
        for member in head if isinstance(decl.column, n.Ident) else ():
            ctx.mention(f"{decl.column}.{member}", cell.span)
        if not head or named.intersection(head):
            problem = "'{cell}' stands twice" if head else "'{cell}' is not a member of {column}"
            remedy = "remove one of the two" if head else did_you_mean(cell.text, columns)
            message = said(problem, cell=cell.text, column=decl.column)
            ctx.error("F402", message, cell.span, remedy)
        named.update(head)
    lacking = [c for c in columns if c not in named]
    if lacking and all(heads):
        message = said(
            "matrix {name} has no column for {lacking}", name=decl.name, lacking=", ".join(lacking)
        )
        about = (Lacking("matrix", decl.name.text, tuple(lacking)),)
        ctx.error("F401", message, decl.rows[0].span, "add it to the first row", about=about)
    return heads


def _row_members(
    ctx: Context,
    decl: n.Matrix,
    row: n.Row,
    members: tuple[str, ...],
    seen: dict[str, n.Row],
    width: int,
) -> list[str]:
    """The members for which a row gives values, entered into *seen*; none where it is wrong."""
    key = row.cells[0].text if row.cells else ""
    headed = _headed(decl.row, members, key)
    if len(row.cells) != width:
        message = said(
            "this row has {cells}; the first row has {width}", cells=cells(row), width=width
        )
        ctx.error("F403", message, row.span, "give one cell for each column")
        seen.update(dict.fromkeys(headed, row))
        return []
    for member in headed if isinstance(decl.row, n.Ident) else ():
        ctx.mention(f"{decl.row}.{member}", row.cells[0].span)
    if not headed:
        remedy = did_you_mean(key, members) or said(
            "known: {members}", members=", ".join(members[:8])
        )
        if ends := re.fullmatch(r"(\d+)\s*(?:[-–,;/]|to)(?:.*\D)?\s*(\d+)", key):
            remedy = said("write {wanted}", wanted=f"{ends[1]} .. {ends[2]}")
        ctx.error(
            "F402",
            said("'{key}' is not a member of {row}", key=key, row=decl.row),
            row.cells[0].span,
            remedy,
        )
        return []
    if twice := [member for member in headed if member in seen]:
        other = (Label(seen[twice[0]].span, "the other"),)
        message = said("a second row for '{twice}'", twice=twice[0])
        ctx.error("F402", message, row.cells[0].span, "remove one of the two", other)
        return []
    seen.update(dict.fromkeys(headed, row))
    return headed


def _scale(ctx: Context, scale: n.Ident | n.Numbers) -> tuple[str, ...] | None:
    """What stands along a side of a matrix; numbers become the members of an enum."""
    if isinstance(scale, n.Ident):
        return ctx.look_up("enum", scale, ctx.program.enums, "R203")
    if not 0 <= scale.high - scale.low < _LONGEST:
        message = said("{scale} are not from 1 to {longest} numbers", scale=scale, longest=_LONGEST)
        ctx.error("F404", message, scale.span, "write the lower number first")
        return None
    numbers = tuple(map(str, range(scale.low, scale.high + 1)))
    return ctx.program.enums.setdefault(scale.text, numbers)


def _headed(scale: n.Ident | n.Numbers, members: tuple[str, ...], text: str) -> list[str]:
    """The members that a row's or column's head stands for: itself, or a range ``2..4``."""
    ends = re.fullmatch(r"(-?\d+)(?:\s*\.\.\s*(-?\d+))?", text)
    if ends is None or not isinstance(scale, n.Numbers):
        return [text] if text in members else []
    if len(text) >= 20:
        return []
    numbers = [str(k) for k in range(int(ends[1]), int(ends[2] or ends[1]) + 1)]
    return numbers if numbers and numbers[0] in members and numbers[-1] in members else []


def check_tables(ctx: Context, decls: list[n.Decl], keeper: CachingChecker) -> None:
    """Tables, matrices, dice and decks."""
    for decl in decls:
        if isinstance(decl, n.Table):
            values = keeper.check((decl,), None, partial(_values, ctx, decl))
            if values is not None:
                _enter(ctx, decl, values)
        elif isinstance(decl, n.Matrix):
            check_matrix(ctx, decl)
        elif isinstance(decl, n.Die):
            check_die(ctx, decl)
    for decl in decls:
        if isinstance(decl, n.Deck):
            check_deck(ctx, decl)


#: Where at least so many cells, and all, do not fit their column, it is the column that is wrong.
_COLUMN = 3


def _withdraw(ctx: Context, findings: Iterable[Diagnostic]) -> None:
    """Take back findings that another says once."""
    gone = set(map(id, findings))
    ctx.diagnostics[:] = [d for d in ctx.diagnostics if id(d) not in gone]


def _of_another_type(
    ctx: Context, decl: n.Table, column: int, type_: Type, misfits: list[Diagnostic]
) -> None:
    """Say once that no cell of a column has its type."""
    _withdraw(ctx, misfits)
    others = [INT, BOOL, HEX, *(Type("enum", name) for name in ctx.program.enums)]
    remedy = misfits[0].remedy if type_.kind != "bool" else "write yes or no"
    if any(_takes(ctx, decl, column, other.maybe()) for other in others):
        remedy = "give the column the type of its cells, or put the columns into their order"
    labels = (
        Label(misfits[0].span, said("here, and in {count} more rows", count=len(misfits) - 1)),
    )
    name = decl.columns[column].name
    message = said("no cell of the column '{name}' is of type {type}", name=name, type=type_)
    ctx.error("F404", message, name.span, remedy, labels, types=(type_,))


def _takes(ctx: Context, decl: n.Table, column: int, type_: Type) -> bool:
    """Whether all cells of a column are of a type."""
    rows = [row.cells for row in decl.rows if len(row.cells) == len(decl.columns) + 1]
    return all(suits(ctx, cells[column + 1], type_) for cells in rows)


def _exchanged(
    ctx: Context, decl: n.Table, types: list[Type], misfits: list[list[Diagnostic]]
) -> None:
    """Say once of two cells of a row that they stand in each other's place, where they do."""
    left = {id(d) for d in ctx.diagnostics}
    at = [(i, d) for i, column in enumerate(misfits) for d in column if id(d) in left]
    by_place = {d.span: (i, d) for i, d in at}
    for row in decl.rows:
        misfitting = [by_place[cell.span] for cell in row.cells[1:] if cell.span in by_place]
        if len(misfitting) != 2:
            continue
        (a, first), (b, second) = misfitting
        if not (suits(ctx, row.cells[a + 1], types[b]) and suits(ctx, row.cells[b + 1], types[a])):
            continue
        _withdraw(ctx, (first, second))
        names = said(
            "'{name}' and '{another}'", name=decl.columns[a].name, another=decl.columns[b].name
        )
        ctx.error(
            "F404",
            said("the cells of {names} are exchanged", names=names),
            first.span,
            _order(decl),
        )


def _order(decl: n.Table) -> str:
    """In which order the cells of a row stand."""
    return said(
        "the cells are: {enum}, {columns}",
        enum=decl.enum,
        columns=", ".join(p.name.text for p in decl.columns),
    )


def _of_other_types(
    ctx: Context, decl: n.Table, types: list[Type], misfits: list[list[Diagnostic]], rows: int
) -> None:
    """Report columns none of whose cells fits: then the column is what is wrong."""
    wrong = [i for i, diagnostics in enumerate(misfits) if len(diagnostics) >= max(_COLUMN, rows)]
    if len(wrong) > 1 and all(any(_takes(ctx, decl, i, types[j]) for j in wrong) for i in wrong):
        _withdraw(ctx, [d for i in wrong for d in misfits[i]])
        *names, last = [f"'{decl.columns[i].name}'" for i in wrong]
        columns = said("the columns {names} and {last}", names=", ".join(names), last=last)
        message = said("{columns} stand in another order than their cells", columns=columns)
        remedy = "put the columns, or the cells, into the other order"
        labels = (
            Label(misfits[wrong[0]][0].span, said("here, and in {rows} more rows", rows=rows - 1)),
        )
        ctx.error("F404", message, decl.columns[wrong[0]].name.span, remedy, labels)
        return
    for column, (type_, diagnostics) in enumerate(zip(types, misfits, strict=True)):
        alike = diagnostics and diagnostics[0].about and len({d.about for d in diagnostics}) == 1
        if (
            len(diagnostics) >= max(_COLUMN, rows) and not alike
        ):  # one wrong member is told once anyhow
            _of_another_type(ctx, decl, column, type_, diagnostics)


def _weighs(column: n.Column) -> bool:
    return str(column.type) == "weight"


def _type_of(ctx: Context, column: n.Column) -> Type:
    """The type of the values of a column: of weights, whole numbers."""
    if _weighs(column):
        return INT
    if column.bounds is not None:
        message = said("'{name}' has bounds, and is no column of weights", name=column.name)
        remedy = "leave out the bounds, or write: weight in … (SPEC: end)"
        ctx.error("F410", message, column.bounds.span, remedy)
    return ctx.type_of(column.type)


def _weights(
    ctx: Context, decl: n.Table, column: n.Column, values: dict[str, int], rows: dict[str, n.Row]
) -> int:
    """Enter the cells of a column as weights; the place of the value for none, before them."""
    at, place = 1 + decl.columns.index(column), -1
    for number, (member, value) in enumerate(values.items()):
        row = rows.get(member)
        span = decl.name.span if row is None or at >= len(row.cells) else row.cells[at].span
        name = f"{decl.name}.{member}.{column.name}"
        enter_weight(ctx, name, value, span, column.bounds, gap=int(number == 0))
        if number == 0:
            place = ctx.program.weights[name].place - 1
    return max(0, place)


def _no_member(text: str, enum: str) -> str:
    """What helps where a row is headed by something else than a member of the enum."""
    if not re.search(r"\w", text):
        return "a table has no line between head and rows: remove it"
    if not text.isidentifier():
        return "a row is headed by the name of a member; what is printed is its text"
    return said("add it to enum {enum}", enum=enum)


class _Values(metaclass=Frozen):
    """What stands in a table: the types and values of its columns, its rows by member, and what
    each of them cites.
    """

    types: list[Type]
    columns: list[list[int]]
    rows: dict[str, n.Row]
    cited: tuple[tuple[str, ...], ...]


def _values(ctx: Context, decl: n.Table) -> _Values | None:
    program, enum = ctx.program, decl.enum.text
    members = ctx.look_up("enum", decl.enum, program.enums, "R203")
    if members is None:
        return None
    types = [_type_of(ctx, p) for p in decl.columns]
    values: list[list[int]] = [[0] * len(members) for _ in types]
    seen: dict[str, n.Row] = {}
    wrong: list[str] = []
    misfits: list[list[Diagnostic]] = [[] for _ in types]
    faulty = 0  # rows of which nobody can say for whom they are
    for row in decl.rows:
        if not row.cells or len(row.cells) != len(types) + 1:
            count = len(types) + 1
            table = said(
                "the table has {count} (the member and its {columns} columns)",
                count=count,
                columns=len(types),
            )
            ctx.error(
                "F403",
                said("this row has {cells}; {table}", cells=cells(row), table=table),
                row.span,
                _order(decl),
            )
            if row.cells and row.cells[0].text in members:
                seen.setdefault(row.cells[0].text, row)
            else:
                faulty += 1
            continue
        key = row.cells[0]
        if key.text not in members:
            wrong.append(key.text)
            message = said("'{text}' is not a member of {enum}", text=key.text, enum=enum)
            ctx.report_unmatched(
                "F402", message, key.text, key.span, members, _no_member(key.text, enum)
            )
            continue
        if key.text in seen:
            labels = (Label(seen[key.text].span, "the other"),)
            message = said("a second row for '{text}'", text=key.text)
            ctx.error("F402", message, key.span, "remove one of the two", labels)
            continue
        seen[key.text] = row
        ctx.mention(f"{enum}.{key.text}", key.span)
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
    misspelt = {nearest(key, lacking) for key in wrong}
    lacking = [m for m in lacking if m not in misspelt]
    if len(lacking) > faulty:
        missing_rows(ctx, "table", decl, lacking)
    ctx.cite(f"table {decl.name}", decl.rules)
    return _Values(types, values, seen, cited_by_rows(ctx, members, seen, decl.name.text))


def _enter(ctx: Context, decl: n.Table, of: _Values) -> None:
    """Enter the columns of a table."""
    program, enum = ctx.program, decl.enum.text
    members = program.enums[enum]
    for param, type_, column in zip(decl.columns, of.types, of.columns, strict=True):
        name = param.name.text
        if (enum, name) in program.columns:
            ctx.error(
                "R104",
                said("{enum} has two columns '{name}'", enum=enum, name=name),
                param.name.span,
            )
            continue
        head = (decl.name.text, name, enum, type_)
        cited = (decl.rules, param.rules, of.cited)
        by_member = dict(zip(members, column, strict=True))
        place = _weights(ctx, decl, param, by_member, of.rows) if _weighs(param) else None
        program.columns[enum, name] = ir.Column(*head, tuple(column), *cited, place)
        ctx.cite(f"column {name} of {decl.name}", param.rules, param.remark)
