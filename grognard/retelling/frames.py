"""Drawings of many positions of one game in little room.

What lies below and above the pieces is kept by lines of the drawing: each line once, each content
as what differs from the one before.  Pieces are kept by their looks and places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from grognard.draw.picture import Picture
from grognard.draw.style import Style
from grognard.draw.svg import HEXSIDE, Drawing
from grognard.draw.tokens import Token
from runtime.games.wording import Wording
from runtime.program import Program
from runtime.scenario.setup import SetUp
from runtime.state import StateBase
from runtime.view import Sight

#: A piece on the board: look, place and scale; off it: look and group.
Spot = tuple[int, ...]


class Layer:
    """Part of a drawing that changes from time to time.

    *lines* are those that it has had; *versions* say, each of a content, what differs from the
    content before: a place, how many lines go, and the lines that come; or pairs of a place and the
    line that now stands there.
    """

    def __init__(self) -> None:
        self.versions: list[dict[str, Any]] = []
        self._lines: dict[str, int] = {}
        self._known: dict[tuple[int, ...], int] = {}
        self._last: tuple[int, ...] = ()

    def version(self, text: str) -> int:
        """The number of a content; a new one where it has not been there before."""
        content = tuple(
            self._lines.setdefault(line, len(self._lines)) for line in text.split("\n") if line
        )
        known = self._known.get(content)
        if known is None:
            known = self._known[content] = len(self._known)
            self.versions.append(_difference(self._last, content))
            self._last = content
        return known

    @property
    def lines(self) -> list[str]:
        """The lines in the order of their numbers."""
        return list(self._lines)


def _difference(before: Sequence[int], after: Sequence[int]) -> dict[str, Any]:
    """What makes one list of numbers into another."""
    if len(before) == len(after):
        return {"put": [n for i, new in enumerate(after) if before[i] != new for n in (i, new)]}
    shorter = min(len(before), len(after))
    start = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    end = next(
        (i for i in range(shorter - start) if before[-1 - i] != after[-1 - i]), shorter - start
    )
    return {
        "at": start,
        "drop": len(before) - end - start,
        "add": list(after[start : len(after) - end]),
    }


class _Positions(Picture):
    """The positions of one game in turn; what a piece looks like is worked out once."""

    def __init__(
        self,
        program: Program,
        setup: SetUp,
        style: Style,
        state: StateBase,
        wording: Wording | None,
    ) -> None:
        super().__init__(program.spec, setup, state, style, None, program.value, wording)
        self._slots = {
            kind: [f.slot for f in self.spec.fields_of(kind)] for kind in self.spec.kinds
        }
        #: kinds whose looks hang on more than their fields
        self._worked_out = {kind for kind in self.spec.kinds if self.works_out(kind)}
        self._tokens: dict[tuple[object, ...], Token] = {}

    def token(self, kind: str, i: int) -> Token:
        """A piece, on the board or off it."""
        if self.seen is not None or kind in self._worked_out:
            return super().token(kind, i)
        key = (kind, i, *(getattr(self.state, slot)[i] for slot in self._slots[kind]))
        token = self._tokens.get(key)
        if token is None:
            token = self._tokens[key] = super().token(kind, i)
        return token


class Frames:
    """The drawings of the positions of one game."""

    def __init__(
        self, program: Program, setup: SetUp, style: Style, wording: Wording | None = None
    ) -> None:
        self.program = program
        self.wording = wording
        self.setup = setup
        self.style = style
        #: what lies below the pieces, what goes with them, what lies above them
        self.below, self.edges, self.above = Layer(), Layer(), Layer()
        self._picture: _Positions | None = None
        self._drawing: Drawing | None = None
        self._looks: dict[str, int] = {}
        self._sizes: list[int] = []
        self._drawn: dict[Token, int] = {}
        self._groups: dict[tuple[int, str], int] = {}
        self._ground: tuple[object, int] = (None, 0)
        self._labels: tuple[object, str] = (None, "")
        #: what the last frame shows of what the key explains, and the key where it is made
        self._shown: object = None
        self._key: list[list[str]] | None = None
        kinds = [(kind, i) for kind, pieces in setup.pieces.items() for i in range(len(pieces))]
        self.slots = {piece: number for number, piece in enumerate(kinds)}

    def frame(self, state: StateBase, seen: Sight | None) -> tuple[int, int, int, dict[int, Spot]]:
        """The versions of the layers, and where each piece is.  StyleError."""
        if self._picture is None or self._drawing is None:
            self._picture = _Positions(self.program, self.setup, self.style, state, self.wording)
            self._drawing = Drawing(self._picture)
        picture, drawing = self._picture, self._drawing
        picture.show(state, seen)
        placed, tray = picture.tokens()
        taken = tuple(h for h in sorted(drawing.board.names) if h in placed)
        columns = _columns(state, seen)
        if (columns, taken) != self._ground[0]:
            drawing.refresh()
            free = [h for h in sorted(drawing.board.names) if h not in placed]
            text = "\n".join(
                [drawing.draw_grounds(), drawing.draw_lines(), drawing.draw_names(free, 10.0)]
            )
            self._ground = (columns, taken), self.below.version(text)
        ahead = [
            (h, tuple(token.facing for token in tokens))
            for h, tokens in placed.items()
            if any(token.facing is not None for token in tokens)
        ]
        if (columns, ahead) != self._labels[0]:
            self._labels = (columns, ahead), drawing.draw_labels(placed)
        text = "\n".join(
            [
                self._labels[1],
                drawing.draw_names(taken, 8.5, 0.6),
                drawing.draw_flags(placed),
                drawing.draw_markers(),
            ]
        )
        above, edges = self.above.version(text), self.edges.version(drawing.draw_edges(placed))
        spots: dict[int, Spot] = {}
        for token, x, y, scale in drawing.placements(placed):
            place = (round(x), round(y), round(100 * scale))
            spots[self.slots[token.kind, token.index]] = (self._look(drawing, token), *place)
        for text, tokens in tray.items():
            for token in tokens:
                group = self._groups.setdefault((token.side, text), len(self._groups))
                spots[self.slots[token.kind, token.index]] = (self._look(drawing, token), group)
        shown = self._ground, edges, above, {look for look, *_ in spots.values()}
        if shown != self._shown:
            self._shown, self._key = shown, None
        return self._ground[1], edges, above, spots

    def _look(self, drawing: Drawing, token: Token) -> int:
        """The number of what a counter looks like, whoever it is."""
        known = self._drawn.get(token)
        if known is None:
            bare = replace(token, name="", index=0, tray="", edges=())
            text = drawing.token(bare, 0.0, 0.0).replace("<title></title>", "", 1)
            known = self._drawn[token] = self._looks.setdefault(text, len(self._looks))
            if known == len(self._sizes):
                self._sizes.append(round(token.size * HEXSIDE / 2))
        return known

    @property
    def drawing(self) -> Drawing:
        """The drawing of the last frame."""
        assert self._drawing is not None
        return self._drawing

    def data(self) -> dict[str, Any]:
        """All that the frames refer to, as plain data."""
        drawing = self.drawing
        board = drawing.board
        middles = (drawing.center(h) for h in range(len(board.labels)))
        return {
            "width": round(drawing.width),
            "height": round(drawing.height),
            "hex": round(HEXSIDE * 1.73),
            "sea": str(self.style.data.get("background", "#e9edf0")),
            "names": [self.setup.pieces[kind][i].name for kind, i in self.slots],
            "hexes": {
                label: [round(x), round(y)]
                for label, (x, y) in zip(board.labels, middles, strict=True)
            },
            "corners": [[round(x, 1), round(y, 1)] for x, y in drawing.corners()],
            **self.growing(),
        }

    def growing(self) -> dict[str, Any]:
        """What of this grows from frame to frame, at the ends of its lists."""
        drawing = self.drawing
        if self._key is None:
            self._key = [[text, swatch] for text, swatch in drawing.key_entries()]
        layers = {"below": self.below, "edges": self.edges, "above": self.above}
        return {
            "defs": drawing.defs(),  # after the key, which may define patterns
            "key": self._key,
            "looks": list(self._looks),
            "sizes": self._sizes[:],
            "groups": [[side, text] for side, text in self._groups],
            **{
                name: {"lines": layer.lines, "versions": layer.versions[:]}
                for name, layer in layers.items()
            },
        }


def _columns(state: StateBase, seen: Sight | None) -> list[object]:
    """What the ground is drawn from."""
    columns: list[object] = []
    for field in type(state).SPEC.fields_of("Hex"):
        column = getattr(state if seen is None else seen.state, field.slot)
        columns.append(tuple(column))
        if seen is not None and field.seen_by:
            columns.append(tuple(seen.shows(field.slot, h) for h in range(len(column) - 1)))
    return columns
