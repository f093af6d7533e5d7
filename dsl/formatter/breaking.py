"""Where lines end, and where blank lines stand."""

from __future__ import annotations

from itertools import pairwise

from dsl.formatter.reading import Pieces
from dsl.formatter.wrapping import WIDTH, best_break
from dsl.formatter.wrapping import Token as Spot


class Lines(Pieces):
    """The pieces of one text and where their lines end."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._break()
        self._unchain()
        self._fit()
        self._separate()

    def _break(self) -> None:
        """The author's line ends, in canonical places."""
        opened = {block.open: block for block in self.blocks}
        closed = {block.close: block for block in self.blocks}
        for i, piece in enumerate(self.pieces):
            if i == 0 or piece.top or piece.forced:
                piece.line = True
                continue
            last = self.pieces[i - 1]
            if last.kind in ("COMMENT", "ROW") and not (last.kind == "ROW" and piece.kind == "COMMENT"):
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
                    or (piece.role == "item" and self._several(piece.block))
                )
            else:
                follows = (piece.kind, last.kind) == ("IF", "ELSE") or (
                    piece.rule == "column" and (last.kind == "CITE" or last.text in ("@house", "@published"))
                )
                joined = piece.role == "open" or follows or (piece.kind == "ELSE" and i - 1 in closed)
                hanging = last.text in ("(", "[", "{") and piece.text not in (")", "]", "}")
                piece.line = piece.newlines > 0 and not joined and (hanging or not self._tight(i))

    def _several(self, number: int) -> bool:
        """Whether each item of the block of this number has lines of its own."""
        return number >= 0 and not self.blocks[number].single and not self.blocks[number].fill

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
                        if not block.fill:
                            cuts |= set(block.items)
            if not cuts:
                place = best_break(
                    self._spot,
                    (i for i in range(start + 1, end) if self._breakable(i)),
                    end,
                    self._width,
                    start,
                )
                cuts = {place} if place is not None else set()
            for i in cuts:
                self.pieces[i].line = True
            places = [start, *sorted(cuts), end]
            if cuts:
                lines.extend(list(pairwise(places))[::-1])

    def _spot(self, i: int) -> Spot:
        piece = self.pieces[i]
        return Spot(piece.text, piece.rule, piece.level, piece.kind == "NAME")

    def _breakable(self, i: int) -> bool:
        """Whether a line may end before piece *i*."""
        return self.pieces[i].kind != "COMMENT" and self.pieces[i].role != "open" and not self._tight(i)

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
            large = any(piece.role == "close" and piece.line for piece in self.pieces[start:end])
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
