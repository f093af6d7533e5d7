"""The columns of tables."""

from __future__ import annotations

import re

from dsl.formatter.breaking import Lines
from dsl.formatter.pieces import Piece
from dsl.formatter.reading import INDENT
from dsl.formatter.wrapping import WIDTH


class Aligned(Lines):
    """The pieces of one text with the cells of its tables below each other."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._align_rows()

    def _align_rows(self) -> None:
        """Make the columns of each table as wide as their widest cell."""
        tables: dict[int, list[tuple[Piece, list[str]]]] = {}
        for piece in self.pieces:
            if piece.kind == "ROW":
                cells = [cell.strip() for cell in piece.text.split("|")[1:-1]]
                tables.setdefault(piece.table, []).append((piece, cells))
        for rows in tables.values():
            count = max(len(cells) for _, cells in rows)
            widths = [
                max((len(cells[c]) for _, cells in rows if c < len(cells)), default=0) for c in range(count)
            ]
            for piece, cells in rows:
                shown = [
                    cell.rjust(width)
                    if _numeric([other[c] for _, other in rows if c < len(other)], cell)
                    else cell.ljust(width)
                    for c, (cell, width) in enumerate(zip(cells, widths, strict=False))
                ]
                piece.text = "| " + " | ".join(shown) + " |"
            self._lead({id(piece) for piece, _ in rows})

    def _lead(self, table: set[int]) -> None:
        """Put what rows cite before them, in a column of its own."""
        cites = {i + 1: piece for i, piece in enumerate(self.pieces[:-1]) if piece.kind == "CITE"}
        leads = [(row, cites.get(i)) for i, row in enumerate(self.pieces) if id(row) in table]
        width = max((len(cite.text) for _, cite in leads if cite is not None), default=0)
        if not width or max(INDENT * row.depth + width + 1 + len(row.text) for row, _ in leads) > WIDTH:
            return
        for row, cite in leads:
            if cite is None:
                row.text = " " * (width + 1) + row.text
            else:
                cite.text = cite.text.ljust(width)
                row.line = False


def _numeric(column: list[str], cell: str) -> bool:
    """Whether *cell* is set to the right: a number, or a dash among numbers."""
    if re.fullmatch(r"-?\d+", cell):
        return True
    return cell in ("—", "-", "–") and any(re.fullmatch(r"-?\d+", other) for other in column)
