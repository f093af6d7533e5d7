"""Player's aids: the sequence of play, the ground, what changes numbers, and tables, on two pages.

What stands where is worked out here, from how much room text takes, so that it fits without being
measured by whatever prints it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Final

from markupsafe import Markup, escape

from compiler.ruleset import Ruleset
from dsl import nodes as n
from grognard.book import grids
from grognard.book.articles import Articles
from grognard.book.grids import Grid
from grognard.book.naming import Naming
from grognard.book.phrases import LABELS
from grognard.book.volume import Book
from grognard.explain.explainer import Explainer
from grognard.explain.glossary import Thing, entry_of
from grognard.lexicon.names import Lexicon
from runtime.games.wording import Wording
from runtime.scenario.setup import SetUp

#: Millimetres of the papers, their margins, what stands above the first page and between columns.
_PAPERS: Final = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
_MARGIN, _HEAD, _GAP = 9.0, 11.0, 5.0
#: Points of the type, the largest that fits; millimetres to the point; how wide a letter is and how
#: high a line, in parts of the size; what a row of a table and a heading have around them.
_SIZES: Final = (9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0)
_POINT, _LETTER, _LINE = 0.3528, 0.51, 1.22
_ROW, _CELL, _TITLE = 0.55, 2.0, 2.2
#: How many rows a table may have that tells things apart, rather than listing them.
_LONGEST: Final = 40


@dataclass
class Block:
    """What stands under one heading: a *grid*, or lines, some of which are *deep* in others."""

    title: str
    grid: Grid | None = None
    lines: list[tuple[int, Markup]] = field(default_factory=list)
    #: whether it only fills what room is left
    spare: bool = False


@dataclass
class Sheet:
    """A page: blocks as wide as it, and below them two columns."""

    wide: list[Block] = field(default_factory=list)
    columns: tuple[list[Block], list[Block]] = field(default_factory=lambda: ([], []))
    used: list[float] = field(default_factory=lambda: [0.0, 0.0])


@dataclass
class Aids:
    """Two sheets in a type of *size* points; *left_out*: what there is no room for."""

    book: Book
    size: float
    sheets: list[Sheet]
    left_out: list[Block]


def aids_of(book: Book, ruleset: Ruleset, paper: str) -> Aids:
    """The aids of a book's game."""
    blocks = list(_blocks(book, ruleset))
    for size in _SIZES:
        sheets, left_out = _laid_out(blocks, size, paper)
        if all(block.spare for block in left_out):
            break
    return Aids(book, size, sheets, left_out)


# ---------------------------------------------------------------------- what stands on them


def _blocks(book: Book, ruleset: Ruleset) -> Iterator[Block]:
    """All that is worth a place, the most useful first."""
    naming, program = book.naming, book.naming.program
    words = naming.words
    if book.sequence:
        lines = [(depth, escape(name)) for depth, name, _ in book.sequence]
        yield Block(words(LABELS["sequence"]), lines=lines)
    tables = [
        (d.name.text, d.enum.text, grid)
        for d in book.decls
        if isinstance(d, n.Table) and not _on_cards(naming, d.enum.text)
        if (grid := grids.of_table(naming, d)) is not None
    ]
    ground = list(_ground(naming, ruleset, {enum for _, enum, _ in tables}))
    if ground:
        yield Block(words(LABELS["terrain"]), lines=ground)
    terrain, units = _of_hexes(naming), _of_pieces(naming)
    for matrix in (d for d in book.decls if isinstance(d, n.Matrix)):
        by_rows = grids.of_matrix(naming, program.matrices[matrix.name.text])
        yield Block(_title_of(naming, matrix.name.text), by_rows)
    yield from _changes(book, naming)
    dice = [(0, grids.of_die(naming, name)) for name in program.dice]
    if dice:
        yield Block(words(LABELS["dice"]), lines=dice)
    order = sorted(tables, key=lambda one: (one[1] not in units, one[1] not in terrain))
    made = [
        Block(_title_of(naming, name), grid, spare=len(grid.rows) > _LONGEST)
        for name, _, grid in order
    ]
    yield from sorted(made, key=lambda block: block.spare)


def _on_cards(naming: Naming, enum: str) -> bool:
    """Whether its members are cards, which say themselves what they do."""
    members = naming.program.enums[enum]
    dealt = any(deck.enum == enum for deck in naming.program.decks.values())
    return dealt or all(naming.text(f"{enum}.{name}.text") for name in members)


def _title_of(naming: Naming, name: str) -> str:
    called = naming.call(name)
    return called[:1].upper() + called[1:]


def _of_hexes(naming: Naming) -> list[str]:
    """The enumerations that say what ground a hex is."""
    fields = naming.program.fields.values()
    return [
        f.type.name
        for f in fields
        if f.owner == "Hex" and f.type.kind == "enum" and (f.fixed or f.setup)
        if f.type.name != "Side"
    ]


def _of_pieces(naming: Naming) -> list[str]:
    """The enumerations that say what a piece is."""
    program = naming.program
    owners = {*program.kinds, *program.parents}
    return [
        f.type.name
        for f in program.fields.values()
        if f.owner in owners and f.type.kind == "enum" and f.fixed and f.type.name != "Side"
    ]


def _ground(
    naming: Naming, ruleset: Ruleset, tabled: Collection[str]
) -> Iterator[tuple[int, Markup]]:
    """What each kind of ground does, as explanations at the table say it; but for the numbers of
    the enumerations that have tables on the aids.
    """
    program = naming.program
    wording = Wording(ruleset.spec, SetUp(ruleset.name, ""), naming.language)
    lexicon = Lexicon.of(wording)
    explainer = Explainer(ruleset, language=naming.language)
    for enum in dict.fromkeys(_of_hexes(naming)):
        for member in range(len(program.enums[enum])):
            entry = entry_of(lexicon, explainer, Thing(enum, member), enum not in tabled)
            if entry is None:
                continue
            told = [entry.text, *(one.text for one in entry.statements)]
            text = "; ".join(filter(None, told))
            if text:
                yield 0, Markup("<b>{}</b> – {}").format(entry.name, text)


def _changes(book: Book, naming: Naming) -> Iterator[Block]:
    """What changes the numbers that have names at the table."""
    articles = Articles(naming, book.decls)
    for decl in (d for d in book.decls if isinstance(d, n.Quantity)):
        name = naming.text(f"value.{decl.name}")
        rules = [r for r in articles.rules_of.get(decl.name.text, []) if r.stage is not None]
        if not name or not rules:
            continue
        lines = [(0, _short(naming, articles, rule)) for rule in rules]
        title = naming.words(LABELS["modifiers_of"], name=name)
        yield Block(title[:1].upper() + title[1:], lines=lines)


def _short(naming: Naming, articles: Articles, rule: n.RuleDecl) -> Markup:
    """A rule in a line, without links: why it is so where there are words for that, else when."""
    why = naming.own_text(f"why.{rule.name}")
    if why:
        return Markup("<b>{}</b> {}").format(articles.amount(rule).striptags(), why)
    line = articles.rule(rule)
    text = Markup("; ").join(one.text for one in (line, *line.below))
    return Markup("{}: {}").format(line.name, text.striptags())


# ---------------------------------------------------------------------- where it stands


def _laid_out(blocks: Sequence[Block], size: float, paper: str) -> tuple[list[Sheet], list[Block]]:
    """The blocks on two sheets, and what there is no room for."""
    width, height = _PAPERS[paper]
    wide = width - 2 * _MARGIN
    narrow = (wide - _GAP) / 2
    room = [height - 2 * _MARGIN - _HEAD, height - 2 * _MARGIN - _HEAD / 2]
    sheets, left_out = [Sheet(), Sheet()], list[Block]()
    least = {id(block): _least(block.grid, size) if block.grid else 0.0 for block in blocks}
    # those as wide as the page first: they fit only where both columns are free
    for block in sorted(blocks, key=lambda one: (one.spare, least[id(one)] <= narrow)):
        spans = least[id(block)] > narrow
        high = _height(block, size, wide if spans else narrow)
        fits = least[id(block)] <= wide
        if not fits or not any(
            _place_block(sheet, block, high, free, spans)
            for sheet, free in zip(sheets, room, strict=True)
        ):
            left_out.append(block)
    return sheets, left_out


def _place_block(sheet: Sheet, block: Block, high: float, room: float, spans: bool) -> bool:
    """Put a block on a sheet, where there is room for it."""
    if spans:
        if max(sheet.used) + high > room:
            return False
        sheet.wide.append(block)
        sheet.used = [used + high for used in sheet.used]
        return True
    at = 0 if sheet.used[0] + high <= room and sheet.used[0] <= sheet.used[1] else 1
    if sheet.used[at] + high > room:
        at = 1 - at
    if sheet.used[at] + high > room:
        return False
    sheet.columns[at].append(block)
    sheet.used[at] += high
    return True


def _height(block: Block, size: float, width: float) -> float:
    """How high a block is, in millimetres."""
    line, letter = size * _POINT * _LINE, size * _POINT * _LETTER
    title = 1.25 * line + _TITLE
    if block.grid is not None:
        widths = _widths(block.grid, size, width)
        rows = [block.grid.heads, *block.grid.rows]
        return title + sum(_row_lines(row, widths, letter) * line + _ROW for row in rows)
    text = sum(
        ceil(len(said.striptags()) * letter / (width - 4 * deep - 2)) * line + 0.3
        for deep, said in block.lines
    )
    return title + text


def _row_lines(row: Sequence[Markup], widths: Sequence[float], letter: float) -> int:
    """How many lines a row takes: words are not broken, so what is left of a line is lost."""
    most = 1
    for cell, width in zip(row, widths, strict=False):
        lines, used = 1, 0.0
        for word in cell.striptags().split():
            long = (len(word) + 1) * letter
            if used + long > width + letter:
                lines, used = lines + 1, 0.0
            used += long
        most = max(most, lines)
    return most


def _least(grid: Grid, size: float) -> float:
    """How wide a table must be at the least: as its longest words."""
    return sum(low + _CELL for low, _ in _bounds(grid, size * _POINT * _LETTER))


def _widths(grid: Grid, size: float, width: float) -> list[float]:
    """How wide its columns get: what is left is shared out by what they lack."""
    bounds = _bounds(grid, size * _POINT * _LETTER)
    free = width - sum(low + _CELL for low, _ in bounds)
    lacking = sum(high - low for low, high in bounds)
    share = min(1.0, free / lacking) if lacking > 0 else 0.0
    return [low + share * (high - low) for low, high in bounds]


def _bounds(grid: Grid, letter: float) -> list[tuple[float, float]]:
    """For each column the width of its longest word, and of its longest cell."""
    bounds = []
    for cells in zip(grid.heads, *grid.rows, strict=False):
        texts = [cell.striptags() for cell in cells]
        word = max((len(word) for text in texts for word in text.split()), default=1)
        bounds.append((word * letter, max(map(len, texts)) * letter))
    return bounds
