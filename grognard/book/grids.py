"""Tables, matrices, dice, decks and enumerations of a ruleset, to be printed as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup, escape

from compiler import ir
from dsl import nodes as n
from grognard.book.naming import Naming
from grognard.book.phrases import AROUND, LABELS


@dataclass
class Grid:
    """A printed table: its *heads*, and rows of which the first cell names the row; *sources* are
    the rules that each row cites.
    """

    heads: list[Markup]
    rows: list[list[Markup]]
    sources: list[tuple[str, ...]] = field(default_factory=list)
    #: whether its cells are short, so that it can stand beside another
    narrow: bool = True

    def __post_init__(self) -> None:
        longest = max((len(cell.striptags()) for row in self.rows for cell in row), default=0)
        self.narrow = longest <= 24 and len(self.heads) <= 12


def of_table(naming: Naming, decl: n.Table) -> Grid | None:
    """A table member by member; None where it holds nothing but weights of bots."""
    program, enum = naming.program, decl.enum.text
    columns = [program.columns[enum, column.name.text] for column in decl.columns]
    return of_columns(naming, enum, columns, decl)


def of_columns(
    naming: Naming, enum: str, columns: Iterable[ir.Column], decl: n.Table | None = None
) -> Grid | None:
    """Columns of an enumeration side by side; None where there are none but weights of bots."""
    program = naming.program
    shown = [column for column in columns if column.place is None]
    members = program.enums[enum]
    written = {row.cells[0].text: row.rules for row in decl.rows if row.cells} if decl else {}
    order = [name for name in written if name in members] or list(members)
    if not shown:
        return None
    rows, sources = [], []
    for name in order:
        at = members.index(name)
        cells = [
            Markup("?") if (enum, name, c.name) in unknown_cells(program) else _cell(naming, c, at)
            for c in shown
        ]
        rows.append([escape(naming.member(enum, name)), *cells])
        sources.append(tuple(written.get(name, ())))
    return Grid([escape(""), *(escape(naming.column(c)) for c in shown)], rows, sources)


def unknown_cells(program: ir.Program) -> set[tuple[str, str, str]]:
    """The cells whose values nobody knows: enumeration, member, column."""
    return {(e, program.enums[e][member], column) for e, member, column in program.unknown}


def _cell(naming: Naming, column: ir.Column, at: int) -> Markup:
    return escape(naming.value(column.values[at], column.type))


def of_matrix(naming: Naming, matrix: ir.MatrixInfo) -> Grid:
    """A matrix: its rows by its columns."""
    enums, type_ = naming.program.enums, matrix.type
    heads = [escape(naming.member(matrix.column, one)) for one in enums[matrix.column]]
    rows = [
        [
            escape(naming.member(matrix.row, name)),
            *(escape(naming.value(v, type_)) for v in values),
        ]
        for name, values in zip(enums[matrix.row], matrix.values, strict=True)
    ]
    return Grid([escape(""), *heads], rows, list(matrix.of_rows))


def of_die(naming: Naming, name: str) -> Markup:
    """A die with its faces."""
    die = naming.program.dice[name]
    members: Sequence[str] = naming.program.enums[die.enum] if die.enum else ()
    if not members:
        low, high = min(die.faces), max(die.faces)
        return escape(f"{low}–{high}")
    faces = (
        naming.say(AROUND["die_face"], face=naming.member(die.enum or "", members[face]), count=c)
        for face, c in Counter(die.faces).items()
    )
    return Markup(", ").join(faces)


def of_members(naming: Naming, enum: str) -> Grid | None:
    """Members with what is written on them, as cards, or remarked of them; None where nothing
    is.
    """
    program = naming.program
    copies = next((deck.copies for deck in program.decks.values() if deck.enum == enum), ())
    rows = []
    for at, name in enumerate(program.enums[enum]):
        text = naming.text(f"{enum}.{name}.text")
        if naming.language == "en":
            text = text or program.remarks.get(f"member {name} of {enum}", "")
        if text:
            count = naming.say(AROUND["copies"], count=copies[at]) if copies else Markup("")
            rows.append([escape(naming.member(enum, name)), escape(text), count])
    if not rows:
        return None
    heads = [escape(naming.kind(enum)), Markup(""), Markup("")]
    if not copies:
        heads, rows = heads[:2], [row[:2] for row in rows]
    return Grid(heads, rows)


def of_fields(naming: Naming, decl: n.Fields | n.Piece, remark: dict[str, Markup]) -> Grid:
    """What is kept in mind of things: names, what they are, how long they last; rules where they
    are others than those of the whole.
    """
    rows = []
    for one in decl.fields:
        name = one.name.text
        named = naming.own_text(f"field.{name}")
        said = remark.get(name, Markup(""))
        shown = escape(naming.attribute(name))
        if named and named != str(shown):
            said = Markup("{}{}").format(named, Markup(" – ") + said if said else "")
        lasts = escape(one.lasts.text.replace("_", " ")) if one.lasts is not None else Markup("")
        seen = naming.say(AROUND["seen_by"], name=one.seen_by.text) if one.seen_by else Markup("")
        rows.append([shown, Markup("; ").join(p for p in (said, seen) if p), lasts])
    heads = [Markup(""), Markup(""), naming.say(LABELS["lasts"])]
    if not any(row[-1] for row in rows):
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    sources = [() if one.rules == decl.rules else one.rules for one in decl.fields]
    return Grid(heads, rows, sources)
