"""The layout of one text: where its lines end, how far they stand in, and its tables."""

from __future__ import annotations

import re
import textwrap
from itertools import pairwise

from dsl.formatter.pieces import FILL, INDENT, WIDTH, Block, Piece, pieces

CONTINUATION = 4

_CALLS = {
    *("active", "call", "function", "stepped", "quantity", "permission", "travel", "effect"),
    *("procedure", "event", "signature", "branch", "prompt", "reaction", "event_stmt", "forecast"),
}

_TIGHT_BEFORE = {",", ";", ":", ")", "]", "?", ".", "["}

_TIGHT_AFTER = {"(", "[", "."}

#: Words before which a line may end, by how gladly.
_BEFORE = {
    **dict.fromkeys(("when", "carrying", "veiled"), 0),
    **dict.fromkeys(("by", "across", "clear", "from"), 1),
    **dict.fromkeys(("where", "prompt", "pass", "or", "else", "then", "stay"), 2),
    **dict.fromkeys(("and", "for", "within", "except", "has"), 3),
    **dict.fromkeys(("otherwise", "+", "-", "*", "/", "mod", ".."), 4),
}
_AFTER_VALUE = 2
_AFTER_COMMA = 3
# Where the value always starts a line of its own rather than being broken.
_BODIES = {"function", "base_rule", "requirement"}


class Layout:
    """The canonical layout of one text: its pieces, and where lines end between them."""

    def __init__(self, text: str) -> None:
        self._followers: list[int] = []
        self.pieces: list[Piece] = []
        self.blocks: list[Block] = []
        self._read(text)
        self._nest()
        self._break()
        self._unchain()
        self._fit()
        self._separate()
        self._align_rows()

    def lines(self) -> list[tuple[str, str]]:
        """The lines: code, and the comment behind it."""
        lines: list[tuple[str, str]] = []
        for i, piece in enumerate(self.pieces):
            if piece.line:
                if piece.blank:
                    lines.append(("", ""))
                lines.append((" " * self._indent(i) + piece.text, ""))
            elif piece.kind == "COMMENT":
                lines[-1] = (lines[-1][0], piece.text)
            else:
                lines[-1] = (lines[-1][0] + ("" if self._tight(i) else " ") + piece.text, "")
        return lines

    def _read(self, text: str) -> None:
        """Pieces, with the comments found between the tokens."""
        at = depth = 0
        for token, piece in pieces(text):
            piece.newlines = self._comments(text[at : token.start_pos])
            depth += (piece.role == "open") - (piece.role == "close")
            self.pieces.append(piece)
            if piece.kind in ("CITE", "PROVENANCE") and INDENT * depth + len(piece.text) > WIDTH:
                self._divide(piece, INDENT * depth)
            at = token.end_pos or at
            if piece.kind == "ROW":
                row, hash_, comment = piece.text.partition("#")
                piece.text = row.rstrip()
                if hash_:
                    self.pieces.append(Piece("#" + comment.rstrip(), "COMMENT"))
        self._comments(text[at:])

    def _divide(self, piece: Piece, margin: int) -> None:
        """Divide a long citation, or the text of a provenance."""
        mark, _, words = piece.text.partition(" ")
        quote = '"' if piece.kind == "PROVENANCE" else ""
        room = WIDTH - margin - len(mark) - 1 - 2 * len(quote)
        parts = textwrap.wrap(
            words.strip(quote), room, break_on_hyphens=False, break_long_words=False
        )
        first, *more = (
            f"{mark} {quote}{part.rstrip(',') if not quote else part}{quote}" for part in parts
        )
        piece.text = first
        role = "soft" if piece.role else ""
        for part in more:
            self.pieces.append(Piece(part, piece.kind, piece.rule, role, 1, forced=piece.forced))

    def _comments(self, gap: str) -> int:
        newlines = 0
        for match in re.finditer(r"#[^\n]*|\n", gap):
            if match.group() == "\n":
                newlines += 1
            else:
                self.pieces.append(Piece(match.group().rstrip(), "COMMENT", newlines=newlines))
                newlines = 0
        return newlines

    def _nest(self) -> None:
        """Which pieces stand in which block."""
        stack: list[int] = []
        inner = 0
        for i, piece in enumerate(self.pieces):
            bracket = piece.kind != "COMMENT" and not piece.role
            inner -= bracket and piece.text in (")", "]", "}")
            piece.inner = inner
            inner += bracket and piece.text in ("(", "[", "{")
            if piece.role == "close":
                closed = self.blocks[stack.pop()]
                closed.close = i
                closed.single = closed.single and not piece.newlines
            piece.depth = len(stack)
            piece.block = stack[-1] if stack else -1
            if stack and piece.role == "item":
                self.blocks[stack[-1]].items.append(i)
            if piece.newlines or piece.forced or piece.kind in ("COMMENT", "ROW"):
                for around in stack:
                    self.blocks[around].single = False
            if piece.role == "open":
                stack.append(len(self.blocks))
                self.blocks.append(Block(i, fill=piece.rule in FILL))
        for block in self.blocks:
            if block.close == block.open + 1:
                block.single = True  # empty

    # ------------------------------------------------------------------ places and widths

    def _tight(self, i: int) -> bool:
        """Whether piece *i* directly follows the one before it."""
        last, piece = self.pieces[i - 1], self.pieces[i]
        if last.role == "open":
            return piece.role == "close"
        return (
            piece.text in _TIGHT_BEFORE
            or last.text in _TIGHT_AFTER
            or (piece.text == "(" and piece.rule in _CALLS)
            or (last.text == "-" and last.rule == "neg")
            or (last.text == "{" and last.rule == "set_literal")
            or (piece.text == "}" and piece.rule == "set_literal")
        )

    def _width(self, start: int, end: int) -> int:
        """The width of pieces on a line, without a comment; of what is too wide only that it is."""
        width = self._indent(start)
        for i in range(start, end):
            if self.pieces[i].kind != "COMMENT":
                width += len(self.pieces[i].text) + (i > start and not self._tight(i))
            if width > WIDTH:
                break
        return width

    def _following(self, i: int) -> int:
        """The first piece from *i* on that is no comment."""
        if len(self._followers) != len(self.pieces):
            follower = len(self.pieces)
            self._followers = [0] * follower
            for j in reversed(range(len(self.pieces))):
                follower = follower if self.pieces[j].kind == "COMMENT" else j
                self._followers[j] = follower
        return self._followers[i] if i < len(self.pieces) else i

    def _between(self, i: int) -> bool:
        """Whether comment *i* stands between items."""
        follower = self._following(i)
        return follower == len(self.pieces) or self.pieces[follower].role in ("item", "close")

    def _indent(self, i: int) -> int:
        """The indentation of piece *i* at the start of a line."""
        piece = self.pieces[i]
        indent = INDENT * piece.depth
        if piece.kind == "COMMENT":
            if self._between(i):
                return indent
            i = self._following(i)
            piece = self.pieces[i]
        if piece.role or i == 0:
            return indent
        if piece.kind == "ELSE":
            last = i - 1
            while self.pieces[last].kind == "COMMENT":
                last -= 1
            if self.pieces[last].role == "close":
                return indent
        return indent + CONTINUATION + INDENT * piece.inner

    # ------------------------------------------------------------------ where lines end

    def _break(self) -> None:
        """The author's line ends, in canonical places."""
        opened = {block.open: block for block in self.blocks}
        closed = {block.close: block for block in self.blocks}
        for i, piece in enumerate(self.pieces):
            if i == 0 or piece.top or piece.forced:
                piece.line = True
                continue
            last = self.pieces[i - 1]
            if last.kind in ("COMMENT", "ROW") and not (
                last.kind == "ROW" and piece.kind == "COMMENT"
            ):
                piece.line = True
            elif piece.kind == "COMMENT":
                piece.line = piece.newlines > 0
            elif i - 1 in opened:
                piece.line = not opened[i - 1].single
            elif i in closed:
                piece.line = not closed[i].single
            elif piece.kind == "ROW":
                piece.line = True
            elif piece.role in ("item", "soft"):
                piece.line = (
                    piece.newlines > 0
                    or (i - 1 in closed and not closed[i - 1].single)
                    or (piece.role == "item" and self._several(piece))
                )
            else:
                follows = (piece.kind, last.kind) == ("IF", "ELSE") or (
                    piece.rule == "column"
                    and (last.kind == "CITE" or last.text in ("@house", "@published"))
                )
                joined = (
                    piece.role == "open" or follows or (piece.kind == "ELSE" and i - 1 in closed)
                )
                hanging = last.text in ("(", "[", "{") and piece.text not in (")", "]", "}")
                piece.line = piece.newlines > 0 and not joined and (hanging or not self._tight(i))

    def _several(self, item: Piece) -> bool:
        """Whether an item of a block has lines of its own."""
        block = self.blocks[item.block] if item.block >= 0 else None
        return block is not None and not block.single and (item.ruled or not block.fill)

    def _unchain(self) -> None:
        """Each `else if` of a chain with several of them on a line of its own."""
        links: dict[int, list[int]] = {}
        for i, (piece, after) in enumerate(pairwise(self.pieces)):
            if piece.kind == "ELSE" and piece.chain and after.kind == "IF":
                links.setdefault(piece.chain, []).append(i)
        long = {chain for chain, places in links.items() if len(places) > 1}
        for piece in self.pieces:
            if piece.chain in long and piece.rule == "conditional" and piece.kind == "ELSE":
                piece.line = True
                self._open_up(piece.block)
        for number, block in enumerate(self.blocks):
            if self.pieces[block.open].rule == "block" and self.pieces[block.open].chain in long:
                self._open_up(number)

    def _open_up(self, number: int) -> None:
        """Let the block of this number, and those around it, stand on several lines."""
        while number >= 0:
            block = self.blocks[number]
            if block.single and block.close > block.open + 1:
                block.single = False
                for i in (block.open + 1, block.close, *block.items):
                    self.pieces[i].line = True
            number = self.pieces[block.open].block

    def _fit(self) -> None:
        """Break the lines that are too long where that is a matter of layout."""
        opened = {block.open: block for block in self.blocks}
        starts = [i for i, piece in enumerate(self.pieces) if piece.line] + [len(self.pieces)]
        lines = list(pairwise(starts))[::-1]
        while lines:
            start, end = lines.pop()
            if self._width(start, end) <= WIDTH:
                continue
            around = self.pieces[start].block
            cuts = {
                i
                for i in range(start + 1, end)
                if self.pieces[i].role == "item" and self.pieces[i].block == around >= 0
            }
            if cuts and self.blocks[around].fill:
                cuts = self._filled(start, end, sorted(cuts))
            if not cuts:
                for i in range(start, end):
                    if (
                        i in opened
                        and self.pieces[i].block == around
                        and opened[i].single
                        and opened[i].close > i + 1
                    ):
                        block = opened[i]
                        block.single = False
                        cuts |= {i + 1, block.close}
                        cuts |= {i for i in block.items if self._several(self.pieces[i])}
            if not cuts:
                place = self._best_break(start, end)
                cuts = {place} if place is not None else set()
            for i in cuts:
                self.pieces[i].line = True
            places = [start, *sorted(cuts), end]
            if cuts:
                lines.extend(list(pairwise(places))[::-1])

    def _best_break(self, start: int, end: int) -> int | None:
        """Where the line from *start* to *end* is best broken: at the shallowest place in the tree
        before which it fits, and among equals where the words suggest it, a condition before a
        value, the last before the first.
        """
        breaks: list[tuple[bool, int, int, int]] = []
        for at in range(start + 1, end):
            last, here = self.pieces[at - 1], self.pieces[at]
            if here.kind == "COMMENT" or here.role == "open" or self._tight(at):
                continue
            if last.text == "=" and (last.rule in _BODIES or self._width(at, end) <= WIDTH):
                level, gladly = last.level, _AFTER_VALUE
            elif last.text == ",":
                level, gladly = last.level, _AFTER_COMMA
            elif (
                here.kind != "NAME" and here.text in _BEFORE and here.rule not in ("neg", "if_stmt")
            ):
                level, gladly = here.level, _BEFORE[here.text]
            else:
                continue
            fits = self._width(start, at) <= WIDTH
            if not fits and breaks and not breaks[0][0]:
                break  # what comes later fits no better
            breaks.append((not fits, level, gladly, -at if fits else at))
        return abs(min(breaks)[3]) if breaks else None

    def _filled(self, start: int, end: int, items: list[int]) -> set[int]:
        """Where to break a line of many small items."""
        cuts: set[int] = set()
        for item, after in zip(items, [*items[1:], end], strict=True):
            if self._width(start, after) > WIDTH:
                cuts.add(item)
                start = item
        return cuts

    def _separate(self) -> None:
        """Blank lines: the author's, one at a time, and one around large declarations."""
        for i, piece in enumerate(self.pieces):
            if (
                piece.line
                and i
                and piece.newlines > 1
                and self.pieces[i - 1].role != "open"
                and piece.role != "close"
            ):
                piece.blank = piece.role == "item" or (piece.kind == "COMMENT" and self._between(i))
        previous_large = False
        tops = [i for i, piece in enumerate(self.pieces) if piece.top] + [len(self.pieces)]
        for n, (start, end) in enumerate(pairwise(tops)):
            heading = self.pieces[start].kind == "SECTION" and '"' in self.pieces[start].text
            large = heading or any(
                piece.role == "close" and piece.line for piece in self.pieces[start:end]
            )
            gap = start
            while gap and self.pieces[gap - 1].kind == "COMMENT" and self.pieces[gap - 1].line:
                gap -= 1
            if (
                n
                and (large or previous_large)
                and not any(piece.blank for piece in self.pieces[gap : start + 1])
            ):
                self.pieces[gap].blank = True
            previous_large = large

    # ------------------------------------------------------------------ tables

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
                max((len(cells[c]) for _, cells in rows if c < len(cells)), default=0)
                for c in range(count)
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
        cites = {
            i + 1: piece
            for i, piece in enumerate(self.pieces[:-1])
            if piece.kind in ("CITE", "SHORT")
        }
        leads = [(row, cites.get(i)) for i, row in enumerate(self.pieces) if id(row) in table]
        width = max((len(cite.text) for _, cite in leads if cite is not None), default=0)
        if (
            not width
            or max(INDENT * row.depth + width + 1 + len(row.text) for row, _ in leads) > WIDTH
        ):
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
