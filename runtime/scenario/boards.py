"""The board of a scenario: a rectangle, a file of the ruleset, or drawn in the scenario itself.

The layout and the labels are those of the ruleset's board.  A scenario says ``board: NAME`` for the
file ``boards/NAME.yaml`` of the ruleset, or writes a mapping with the keys of such a file:

* ``rows``: how many rows, or one string per row with one character per position, a blank for a
  position without a hex;
* ``columns``: how many columns; where rows are drawn, by default as many as the longest has
  characters;
* ``narrow``: ``odd``, ``even`` or ``none``, by default as the ruleset's board is;
* ``legend``, ``fields``, ``joins``, ``names``: what lies on it, for the fields of Hex declared with
  ``map``;
* ``name``: what the board is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from runtime.board import MOST_HEXES, Board
from runtime.data.check import check
from runtime.data.findings import Finding, Report, suggestion
from runtime.data.reader import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries_of,
    items_of,
    parse,
    text_of,
)
from runtime.errors import words_of
from runtime.model import NONE, TRUTHS, BoardSetUp, FieldSpec, RulesetSpec, TypeSpec, zero
from runtime.scenario.fields import NONE_WORD, members
from runtime.scenario.origins import check_origins
from runtime.scenario.shape import BOARD_CODES, board_shape, no_hex, type_words
from runtime.words.said import said

_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_NOTHING = ("—", "-", "–", NONE_WORD)


def read_board(
    root: Mapping, spec: RulesetSpec, file: str
) -> tuple[BoardSetUp | None, list[Finding]]:
    """The board that a scenario names or draws, None when it plays on the ruleset's own; and what
    is wrong with it.

    *spec* is the ruleset on its own board, *file* what findings call the scenario.
    """
    node = root.get("board")
    if node is None:
        return None, []
    name, shown, drawn = spec.board.name, file, node
    if not isinstance(node, Mapping):
        name = text_of(node)
        if name not in spec.boards:
            draw = "the ruleset has no boards/ folder: write the board's rows and columns here"
            remedy = suggestion(name, spec.boards) if spec.boards else draw
            place = (file, node.line, node.column)
            return None, [
                Finding(
                    "S220", said("there is no board '{name}'", name=name), *place, remedy=remedy
                )
            ]
        shown = f"{spec.name}/boards/{name}.yaml"
        content, faults = parse(spec.boards[name], shown)
        if not isinstance(content, Mapping):
            message = said("{shown} is not a mapping", shown=shown)
            empty = Finding("S220", message, shown, 1, 1, remedy="begin: 'rows:'")
            return None, list(faults) or [empty]
        drawn = content
    fields = {f.name: type_words(f) for f in spec.map_fields}
    path = ("board",) if drawn is node else ()
    findings = check(drawn, board_shape(fields), shown, BOARD_CODES, path)
    assert isinstance(drawn, Mapping)
    report = Report(shown)
    check_origins(drawn, report)
    if findings or report.findings:
        return None, findings + report.findings
    board = _Reader(spec, drawn, report).board(name)
    for label in spec.labels:
        if board is not None and label not in board.board.labels:
            where = spec.labels[label]
            message = said(
                "{where} names the hex {label}, which the scenario's board lacks",
                where=where,
                label=label,
            )
            remedy = (
                "take a board that has it, or let the ruleset name it by a field that the "
                "scenario gives (fields of Game { … Hex setup })"
            )
            place = (file, node.line, node.column)
            report.findings.append(Finding("S221", message, *place, remedy=remedy))
    return (None if report.findings else board), report.findings


# What follows also reads the board that a ruleset declares.


def drawn_rows(root: Mapping) -> list[str]:
    """The rows as they are drawn; none where only their number is given."""
    rows = root.get("rows")
    return [text_of(row) for row in rows.items] if isinstance(rows, Sequence) else []


def gaps(drawn: list[str], rows: int, columns: int) -> list[tuple[int, int]]:
    """The places of drawn rows that have no hex, those too where a narrow row ends."""
    lines = [line.ljust(columns) for line in (*drawn, *[""] * rows)][:rows]
    return [(r, c) for r, line in enumerate(lines) for c in range(columns) if line[c] == " "]


def unexplained_signs(root: Mapping) -> Iterator[tuple[int, str]]:
    """The signs of drawn rows that the legend lacks, each with the number of its first row."""
    legend = root.get("legend")
    seen = {" ", ".", *(sign.text for sign, _ in entries_of(legend))}
    for number, row in enumerate(drawn_rows(root) if len(seen) > 2 or legend else ()):
        for sign in row:
            if sign not in seen:
                yield number, sign
            seen.add(sign)


def sign_at(drawn: list[str], board: Board, h: int) -> str:
    """The sign that is drawn for a hex."""
    row = board.row_of[h]
    return drawn[row][board.column_of[h] :][:1] if row < len(drawn) else ""


def said_of(root: Mapping, name: str) -> Iterator[tuple[str, Node]]:
    """The signs of the legend that say something of a field, and what."""
    for sign, meaning in entries_of(root.get("legend")):
        if isinstance(meaning, Mapping) and (node := meaning.get(name)) is not None:
            yield sign.text, node


def field_values(
    root: Mapping,
    name: str,
    kind: tuple[str, str],
    board: Board,
    blank: int,
    value_of: Callable[[Node], int],
    hex_of: Callable[[Node], int | None],
    misfit: Callable[[Node], object],
) -> tuple[int, ...]:
    """The value of a ``map`` field for every hex, from the legend and ``fields``.

    *kind* is that of the field's type, and of what it is a set of.  What stands in a form that does
    not fit is given to *misfit*.
    """
    drawn = drawn_rows(root)
    signs = {sign: value_of(node) for sign, node in said_of(root, name)}
    result = [signs.get(sign_at(drawn, board, h), blank) for h in range(board.size)]
    fields = root.get("fields")
    given = fields.get(name) if isinstance(fields, Mapping) else None

    def hexes(node: Node) -> list[int]:
        return [h for label in items_of(node) if (h := hex_of(label)) is not None]

    if kind == ("set", "hex") and isinstance(given, Sequence | Mapping):
        for a, b in _pairs(given, hexes, misfit):
            result[a] |= 1 << b
    elif kind[0] == "bool" and isinstance(given, Sequence):
        for h in hexes(given):
            result[h] = 1
    elif isinstance(given, Mapping):
        for key, labels in given.entries:
            value = value_of(key)
            for h in hexes(labels):
                result[h] = result[h] | value if kind[0] == "set" else value
    elif given is not None:
        misfit(given)
    return tuple(result)


def _pairs(
    given: Sequence | Mapping, hexes: Callable[[Node], list[int]], misfit: Callable[[Node], object]
) -> Iterator[tuple[int, int]]:
    """Hexes and those that they lie beside; of a list of pairs each beside the other."""
    for label, others in given.entries if isinstance(given, Mapping) else ():
        yield from ((a, b) for a in hexes(label) for b in hexes(others))
    for pair in given.items if isinstance(given, Sequence) else ():
        if len(items_of(pair)) != 2:
            misfit(pair)
        elif len(ends := hexes(pair)) == 2:
            yield from (tuple(ends), tuple(reversed(ends)))  # type: ignore[misc]


class _Reader:
    """Reads one board of the right shape."""

    def __init__(self, spec: RulesetSpec, root: Mapping, report: Report) -> None:
        self.spec = spec
        self.root = root
        self.reports = report
        self.drawn = drawn_rows(root)

    def report(self, message: str, node: Node, remedy: str, code: str = "S220") -> None:
        """Keep an error."""
        self.reports(code, message, node, remedy)

    def board(self, name: str) -> BoardSetUp | None:
        """The board with its values; None where something is wrong."""
        board = self.outline(text_of(self.root.get("name")) or name)
        if board is None or self.reports.findings:
            return None
        values = tuple((f.name, self.values(f, board)) for f in self.spec.map_fields)
        for number, sign in unexplained_signs(self.root):
            message = said(
                "the legend does not say what '{sign}' is (row {number})",
                sign=sign,
                number=number + 1,
            )
            row = items_of(self.root.get("rows"))[number]
            self.report(message, row, said("write {sign}: {field: value} in the legend", sign=sign))
        return BoardSetUp(board, values)

    def outline(self, name: str) -> Board | None:
        """Its hexes, joins and names."""
        base, root, drawn = self.spec.board, self.root, self.drawn
        at = root.get("rows") or root
        given = root.get("columns")
        rows = len(drawn) or int(float(text_of(at)))
        columns = int(float(text_of(given))) if given is not None else 0
        columns = columns or max((len(row.rstrip()) for row in drawn), default=0)
        if not columns:
            self.report("the board lacks 'columns'", root, "write: columns: 9")
            return None
        if rows * columns > MOST_HEXES * 4:
            message = said(
                "a board of {rows} rows and {columns} columns is too large",
                rows=rows,
                columns=columns,
            )
            self.report(message, at, said("a board has {most} hexes at most", most=MOST_HEXES))
            return None
        narrow = text_of(root.get("narrow")) or base.narrow
        narrow = None if narrow == NONE_WORD else narrow
        board_with = partial(
            Board,
            name=name,
            layout=base.layout,
            rows=rows,
            columns=columns,
            narrow=narrow,
            labels=base.labeling,
        )
        try:
            missing = []
            if drawn:
                full = board_with()  # blanks where a narrow row or column ends are no gaps
                missing = [place for place in gaps(drawn, rows, columns) if full.at(*place) >= 0]
            for number, line in enumerate(drawn, 1):
                if (width := len(line.rstrip())) > columns:
                    message = said(
                        "row {number} has {width} characters, the board {columns} columns",
                        number=number,
                        width=width,
                        columns=columns,
                    )
                    self.report(message, at, "make them agree")
            board = board_with(missing=missing)
            if board.size > MOST_HEXES:
                message = said("the board has {size} hexes", size=board.size)
                self.report(
                    message,
                    at,
                    said("a board has {most} hexes at most", most=MOST_HEXES),
                )
                return None
            pairs = [items_of(pair) for pair in items_of(root.get("joins"))]
            named = list(entries_of(root.get("names")))
            for node in (*(end for pair in pairs for end in pair), *(label for label, _ in named)):
                self.hex(node, board)
            if self.reports.findings:
                return None
            joins = [(text_of(a), text_of(b)) for a, b in pairs]
            names = {label.text: text_of(text) for label, text in named}
            return board_with(missing=missing, joins=joins, names=names)
        except ValueError as error:
            self.report(words_of(error), at, "correct the board")
            return None

    def hex(self, node: Node, board: Board) -> int | None:
        """The hex of a label."""
        if text_of(node) in board.labels:
            return board.index(text_of(node))
        message, remedy = no_hex(text_of(node), board.labels)
        self.report(message, node, remedy, "S201")
        return None

    def values(self, f: FieldSpec, board: Board) -> tuple[int, ...]:
        """The value of a ``map`` field for every hex."""
        form = (
            "write value: [labels]; for a bool, a list of labels; of sets of hexes, pairs of them"
        )
        return field_values(
            self.root,
            f.name,
            (f.type.kind, f.type.of.kind if f.type.of is not None else ""),
            board,
            zero(f.type) if f.initial is None else f.initial,
            lambda node: self.value(f, f.type, node, board),
            lambda node: self.hex(node, board),
            lambda node: self.report(
                said("{name} cannot be given in this form", name=f.name), node, form
            ),
        )

    def value(self, f: FieldSpec, kind: TypeSpec, node: Node, board: Board) -> int:
        """A value in words; a set is written with blanks between its members, or as a list."""
        if kind.kind == "set" and kind.of is not None:
            words = items_of(node)
            if isinstance(node, Scalar):
                words = tuple(Scalar(w, w, node.line, node.column) for w in node.text.split())
            mask = 0
            for word in words:
                if text_of(word) not in _NOTHING:
                    mask |= 1 << max(0, self.value(f, kind.of, word, board))
            return mask
        text = text_of(node)
        if text in _NOTHING and (kind.optional or f.place):
            return NONE
        if kind.kind == "int" and _NUMBER.fullmatch(text):
            return int(text)
        if kind.kind == "bool" and text in TRUTHS:
            return TRUTHS[text]
        if kind.kind == "hex":
            h = self.hex(node, board)
            return NONE if h is None else h
        words_of = members(self.spec, kind.name) if kind.kind == "enum" else ()
        if text in words_of:
            return words_of.index(text)
        wanted = {"int": "write a whole number", "bool": "write yes or no"}.get(kind.kind)
        self.report(
            said("{name} cannot be '{text}'", name=f.name, text=text),
            node,
            wanted or suggestion(text, words_of),
        )
        return NONE if kind.kind == "enum" else 0
