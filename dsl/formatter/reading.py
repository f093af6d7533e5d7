"""The pieces of one text, which block each stands in, and how wide they are."""

from __future__ import annotations

import re
import textwrap

from dsl.formatter.pieces import FILL, Block, Piece, grammar, pieces
from dsl.formatter.wrapping import WIDTH

INDENT = 2
CONTINUATION = 4

_CALLS = {
    "active",
    "call",
    "function",
    "quantity",
    "permission",
    "travel",
    "effect",
    "procedure",
    "event",
    "signature",
    "branch",
    "prompt",
    "reaction",
    "event_stmt",
    "forecast",
}

_TIGHT_BEFORE = {",", ";", ":", ")", "]", "?", ".", "["}

_TIGHT_AFTER = {"(", "[", "."}


class Pieces:
    """The pieces of one text."""

    def __init__(self, text: str) -> None:
        self._followers: list[int] = []
        self.pieces: list[Piece] = []
        self.blocks: list[Block] = []
        self._read(text)
        self._nest()

    def _read(self, text: str) -> None:
        """Pieces, with the comments found between the tokens."""
        at = depth = 0
        for token, piece in pieces(grammar().parse(text)):
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
        mark, _, said = piece.text.partition(" ")
        quote = '"' if piece.kind == "PROVENANCE" else ""
        room = WIDTH - margin - len(mark) - 1 - 2 * len(quote)
        parts = textwrap.wrap(said.strip(quote), room, break_on_hyphens=False, break_long_words=False)
        first, *more = (f"{mark} {quote}{part.rstrip(',') if not quote else part}{quote}" for part in parts)
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
        """The width of the pieces from *start* to *end* on a line, without a comment; of what is too wide
        only that it is.
        """
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
