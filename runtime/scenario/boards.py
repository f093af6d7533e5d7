"""The board of a scenario: a rectangle, a file of the ruleset, or drawn in the scenario itself.

The layout and the labels are those of the ruleset's board.  A scenario says ``board: NAME`` for the file
``boards/NAME.yaml`` of the ruleset, or writes a mapping with the keys of such a file:

* ``rows``: how many rows, or one string per row with one character per position, a blank for a position
  without a hex;
* ``columns``: how many columns; where rows are drawn, by default as many as the longest has characters;
* ``narrow``: ``odd``, ``even`` or ``none``, by default as the ruleset's board is;
* ``legend``, ``fields``, ``joins``, ``names``: what lies on it, for the fields of Hex declared with ``map``;
* ``name``: what the board is called.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from runtime.board import MOST_HEXES, Board
from runtime.findings import Finding
from runtime.model import NONE, TRUTHS, BoardSetUp, FieldSpec, RulesetSpec, TypeSpec, zero
from runtime.scenario.finding import suggestion
from runtime.scenario.origins import KEY, check_origins
from runtime.scenario.schema import NONE_WORD, PROVENANCES, members
from runtime.scenario.shape import nearest_hex
from runtime.scenario.yaml_text import Mapping, Node, Scalar, Sequence, entries_of, items_of, read, text_of

#: What a file of a board may give.
KEYS = (
    "name",
    "rows",
    "columns",
    "narrow",
    "legend",
    "fields",
    "joins",
    "names",
    "sources",
    "provenance",
    "notes",
)
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_NOTHING = ("—", "-", "–", NONE_WORD)


def read_board(root: Mapping, spec: RulesetSpec, file: str) -> tuple[BoardSetUp | None, list[Finding]]:
    """The board that a scenario names or draws, None when it plays on the ruleset's own; and what is wrong
    with it.

    *spec* is the ruleset on its own board, *file* what findings call the scenario.
    """
    node = root.get("board")
    if node is None:
        return None, []
    if isinstance(node, Mapping):
        reader = _Reader(spec, node, file)
        made = reader.board(spec.board.name)
    elif isinstance(node, Scalar) and isinstance(node.value, str) and node.text in spec.boards:
        shown = f"{spec.name}/boards/{node.text}.yaml"
        content, found = read(spec.boards[node.text], shown)
        if not isinstance(content, Mapping):
            return None, found or [
                Finding("S220", f"{shown} is not a mapping", shown, 1, 1, remedy="begin with 'rows:'")
            ]
        reader = _Reader(spec, content, shown)
        made = reader.board(node.text)
    else:
        said = node.text if isinstance(node, Scalar) else ""
        remedy = (
            suggestion(said, spec.boards)
            if spec.boards
            else "the ruleset has no boards/ folder: write the board's rows and columns here"
        )
        return None, [
            Finding("S220", f"there is no board '{said}'", file, node.line, node.column, remedy=remedy)
        ]
    if made is not None:
        lacking = [label for label in spec.labels if label not in made.board.labels]
        for label in lacking:
            message = f"{spec.labels[label]} names the hex {label}, which the scenario's board lacks"
            remedy = (
                "take a board that has it, or let the ruleset name it by a field that the scenario "
                "gives (fields of Game { … Hex setup })"
            )
            reader.found.append(Finding("S221", message, file, node.line, node.column, remedy=remedy))
    return (None if reader.found else made), reader.found


def unexplained(rows: Iterable[str], legend: Container[str]) -> Iterator[tuple[int, str]]:
    """The signs of drawn *rows* that a *legend* lacks, each once, with the number of its first row.

    A blank and a point need none.
    """
    seen = {" ", "."}
    for number, row in enumerate(rows):
        for sign in row:
            if sign not in seen and sign not in legend:
                yield number, sign
            seen.add(sign)


class _Reader:
    """Reads one board."""

    def __init__(self, spec: RulesetSpec, root: Mapping, file: str) -> None:
        self.spec = spec
        self.root = root
        self.file = file
        self.found: list[Finding] = []
        #: the rows as they are drawn; empty where only their number is given
        self.drawn: list[str] = []

    def report(self, message: str, node: Node, remedy: str, code: str = "S220") -> None:
        """Keep an error."""
        self.found.append(Finding(code, message, self.file, node.line, node.column, remedy=remedy))

    def board(self, name: str) -> BoardSetUp | None:
        """The board with its values; None where something is wrong."""
        self._check_form()
        board = self._shape(text_of(self.root.get("name")) or name)
        if board is None or self.found:
            return None
        made = BoardSetUp(board, tuple((f.name, self._values(f, board)) for f in self.spec.map_fields))
        self._check_fields()
        return made

    def _check_form(self) -> None:
        for key, _ in self.root.entries:
            if key.text not in KEYS:
                self.report(f"a board has no '{key.text}'", key, suggestion(key.text, KEYS))
        for part in ("legend", "fields", "names", "joins"):
            node, listed = self.root.get(part), part == "joins"
            if node is not None and not isinstance(node, Sequence if listed else Mapping):
                shown = "a list" if listed else "a mapping"
                self.report(f"'{part}' of a board is {shown}", node, f"write {shown}")
        self._check_provenance()
        for said in (self.root.get("name"), *(text for _, text in entries_of(self.root.get("names")))):
            if said is not None and not (
                isinstance(said, Scalar) and said.text.strip() and said.text.isprintable()
            ):
                self.report("this is not a name", said, "write one line of text")

    def _check_provenance(self) -> None:
        node = self.root.get(KEY)
        if isinstance(node, Mapping):
            for word, parts in node.entries:
                if word.text not in PROVENANCES:
                    remedy = suggestion(word.text, PROVENANCES)
                    self.report(f"nothing can be '{word.text}' by provenance", word, remedy)
                elif not isinstance(parts, Mapping):
                    self.report("these are parts of the board and why", parts, "write lines 'rows: why'")
            self.found += check_origins(self.root, self.file, ())

    def _check_fields(self) -> None:
        known = [f.name for f in self.spec.map_fields]
        for key, _ in entries_of(self.root.get("fields")):
            if key.text not in known:
                self.report(f"'{key.text}' is not a map field of Hex", key, suggestion(key.text, known))
        legend = entries_of(self.root.get("legend"))
        rows = items_of(self.root.get("rows"))
        for number, strange in unexplained(self.drawn, {sign.text for sign, _ in legend}) if legend else ():
            message = f"the legend does not say what '{strange}' is (row {number + 1})"
            self.report(message, rows[number], f"write {strange}: {{field: value}} in the legend")
        for sign, meaning in legend:
            for key, _ in entries_of(meaning):
                if key.text not in known:
                    self.report(f"'{key.text}' is not a map field of Hex", key, suggestion(key.text, known))
            if len(sign.text) != 1 or not isinstance(meaning, Mapping):
                self.report(
                    f"'{sign.text}' has no such form in a legend",
                    sign,
                    "write a character of the rows and the fields it stands for: f: {field: value}",
                )

    def _number(self, key: str) -> int | None:
        node = self.root.get(key)
        if (
            isinstance(node, Scalar)
            and isinstance(node.value, int | str)
            and node.text.isascii()
            and node.text.isdecimal()
        ):
            if 0 < (number := int(node.text[:9])) < 1000:
                return number
        return None

    def _sized(self, rows: Node | None, columns: Node | None, count: int | None, width: int | None) -> bool:
        """Whether the size of a board is given, and possible."""
        for key, node, number in (("rows", rows, count), ("columns", columns, width)):
            if not number:
                remedy = f"write: {key}: 9" + (
                    ', or draw the rows: ["....", " ..."]' if key == "rows" else ""
                )
                self.report(
                    f"the board lacks '{key}'"
                    if node is None
                    else f"the {key} of a board are a number from 1 to 999",
                    node or self.root,
                    remedy,
                )
        if not count or not width:
            return False
        if count * width > MOST_HEXES * 4:
            self.report(
                f"a board of {count} rows and {width} columns is too large",
                rows or self.root,
                f"a board has {MOST_HEXES} hexes at most",
            )
            return False
        return True

    def _shape(self, name: str) -> Board | None:
        base, root = self.spec.board, self.root
        rows, columns = root.get("rows"), root.get("columns")
        count, width = self._number("rows"), self._number("columns")
        if isinstance(rows, Sequence):
            self.drawn = [text_of(row) for row in rows.items]
            count, width = len(self.drawn), width or max((len(row.rstrip()) for row in self.drawn), default=0)
        if not self._sized(rows, columns, count, width):
            return None
        assert count and width
        narrow = base.narrow
        if (node := root.get("narrow")) is not None:
            narrow = None if text_of(node) == NONE_WORD else text_of(node)
            if narrow not in (None, "odd", "even"):
                self.report(f"'narrow' cannot be '{narrow}'", node, "write odd, even or none")
                return None
        shape = {
            "name": name,
            "layout": base.layout,
            "rows": count,
            "columns": width,
            "narrow": narrow,
            "labels": base.labeling,
        }
        missing: list[tuple[int, int]] = []
        try:
            if self.drawn:
                # Blanks where a narrow row or column ends are no gaps.
                full = Board(**shape)  # type: ignore[arg-type]
                for r, line in enumerate(self.drawn):
                    missing += [
                        (r, c)
                        for c in range(width)
                        if (c >= len(line) or line[c] == " ") and full.at(r, c) >= 0
                    ]
                    if len(line.rstrip()) > width:
                        self.report(
                            f"row {r + 1} has {len(line.rstrip())} characters, the board {width} columns",
                            rows or root,
                            "make them agree",
                        )
            board = Board(**shape, missing=missing)  # type: ignore[arg-type]
            if board.size > MOST_HEXES:
                self.report(
                    f"the board has {board.size} hexes",
                    rows or root,
                    f"a board has {MOST_HEXES} hexes at most",
                )
                return None
            joins = [ends for pair in items_of(root.get("joins")) if (ends := self._join(pair, board))]
            names = {
                label.text: text_of(text)
                for label, text in entries_of(root.get("names"))
                if self._hex(label, board) is not None
            }
            return Board(**shape, missing=missing, joins=joins, names=names)  # type: ignore[arg-type]
        except ValueError as error:
            self.report(str(error), rows or root, "correct the board")
            return None

    def _join(self, pair: Node, board: Board) -> tuple[str, str] | None:
        ends = items_of(pair)
        if len(ends) != 2 or not isinstance(pair, Sequence):
            self.report(
                "a join is a pair of hexes", pair, f"write: [{board.label(0)}, {board.label(board.size - 1)}]"
            )
            return None
        found = [self._hex(end, board) for end in ends]
        return None if None in found else (text_of(ends[0]), text_of(ends[1]))

    def _hex(self, node: Node, board: Board) -> int | None:
        text = text_of(node)
        if text in board.labels:
            return board.index(text)
        near = nearest_hex(text, board.labels)
        self.report(
            f"there is no hex {text or '(nothing)'} on the board",
            node,
            f"the nearest is {near}" if near else "use a label of the board",
            "S201",
        )
        return None

    def _hexes(self, node: Node, board: Board) -> list[int]:
        return [h for label in items_of(node) if (h := self._hex(label, board)) is not None]

    # ------------------------------------------------------------------ what lies on the hexes

    def _values(self, f: FieldSpec, board: Board) -> tuple[int, ...]:
        """The value of a ``map`` field for every hex."""
        result = [zero(f.type) if f.initial is None else f.initial] * board.size
        for sign, meaning in entries_of(self.root.get("legend")):
            node = meaning.get(f.name) if isinstance(meaning, Mapping) else None
            if node is None:
                continue
            value = self._value(f, f.type, node, board)
            for h in range(board.size):
                row = self.drawn[board.row_of[h]] if self.drawn else ""
                if row[board.column_of[h] : board.column_of[h] + 1] == sign.text:
                    result[h] = value
        fields = self.root.get("fields")
        given = fields.get(f.name) if isinstance(fields, Mapping) else None
        if given is not None:
            self._given(f, given, board, result)
        return tuple(result)

    def _given(self, f: FieldSpec, given: Node, board: Board, result: list[int]) -> None:
        inner = f.type.of
        if f.type.kind == "bool" and isinstance(given, Sequence):
            for h in self._hexes(given, board):
                result[h] = 1
        elif inner is not None and inner.kind == "hex" and isinstance(given, Sequence):
            self._pairs(f, given, board, result)
        elif inner is not None and inner.kind == "hex" and isinstance(given, Mapping):
            for label, others in given.entries:
                at = self._hex(label, board)
                for other in self._hexes(others, board):
                    result[at if at is not None else 0] |= 1 << other
        elif isinstance(given, Mapping):
            for key, labels in given.entries:
                value = self._value(f, f.type, key, board)
                for h in self._hexes(labels, board):
                    result[h] = result[h] | value if f.type.kind == "set" else value
        else:
            self.report(
                f"{f.name} cannot be given in this form",
                given,
                "write value: [labels]; for a bool, a list of labels",
            )

    def _pairs(self, f: FieldSpec, given: Sequence, board: Board, result: list[int]) -> None:
        for pair in given.items:
            ends = self._hexes(pair, board)
            if len(ends) == 2:
                result[ends[0]] |= 1 << ends[1]
                result[ends[1]] |= 1 << ends[0]
            elif len(items_of(pair)) != 2:
                remedy = f"write: [{board.label(0)}, {board.label(board.size - 1)}]"
                self.report(f"{f.name} is given as pairs of hexes", pair, remedy)

    def _value(self, f: FieldSpec, kind: TypeSpec, node: Node, board: Board) -> int:
        """A value in words; a set is written with blanks between its members, or as a list."""
        if kind.kind == "set" and kind.of is not None:
            words = (
                list(node.items)
                if isinstance(node, Sequence)
                else [Scalar(w, w, node.line, node.column) for w in text_of(node).split()]
            )
            mask = 0
            for word in words:
                if text_of(word) not in _NOTHING:
                    mask |= 1 << max(0, self._value(f, kind.of, word, board))
            return mask
        text = text_of(node)
        if text in _NOTHING and (kind.optional or f.place):
            return NONE
        if kind.kind == "int" and _NUMBER.fullmatch(text):
            return int(text)
        if kind.kind == "bool" and text in TRUTHS:
            return TRUTHS[text]
        if kind.kind == "hex":
            h = self._hex(node, board)
            return NONE if h is None else h
        if kind.kind == "enum" and text in members(self.spec, kind.name):
            return members(self.spec, kind.name).index(text)
        wanted = {"int": "a whole number", "bool": "yes or no"}.get(kind.kind)
        remedy = (
            f"write {wanted}"
            if wanted
            else suggestion(text, members(self.spec, kind.name) if kind.kind == "enum" else ())
        )
        self.report(f"{f.name} cannot be '{text}'", node, remedy)
        return NONE if kind.kind == "enum" else 0
