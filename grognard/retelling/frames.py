"""Drawings of many positions of one game in little room.

What lies below and above the pieces is kept by lines of the drawing: each line once, each content
as what differs from the one before.  Pieces are kept by their looks and places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from grognard.draw.picture import Picture
from grognard.draw.scene import Scene
from grognard.draw.svg import HEXSIDE, Drawing
from grognard.draw.tokens import Token
from runtime.model import NONE
from runtime.state import StateBase
from runtime.view import Sight

#: A piece on the board: look, place and scale; off it: look and group.
Spot = tuple[int, ...]


class GrowingList(list[Any]):
    """A list to which things come only at its end."""


class Numbering:
    """Things that come again and again, by number; *all* of them in this order."""

    def __init__(self) -> None:
        self.all = GrowingList()
        self._known: dict[Any, int] = {}

    def of(self, thing: Any) -> int:
        """The number of a thing."""
        number = self._known.get(thing)
        if number is None:
            number = self._known[thing] = len(self.all)
            self.all.append(thing)
        return number


class Layer:
    """Part of a drawing that changes from time to time.

    *lines* are those that it has had; *versions* say, each of a content, what differs from the
    content before: a place, how many lines go, and the lines that come; or pairs of a place and the
    line that now stands there.
    """

    def __init__(self) -> None:
        self.versions = GrowingList()
        self._lines = Numbering()
        self._known: dict[tuple[int, ...], int] = {}
        self._last: tuple[int, ...] = ()
        #: the text that came last, and its number
        self._text: tuple[str, int] = ("", NONE)

    def version(self, text: str) -> int:
        """The number of a content; a new one where it has not been there before."""
        last, number = self._text
        if text == last and number >= 0:
            return number
        content = tuple(self._lines.of(line) for line in text.split("\n") if line)
        known = self._known.get(content)
        if known is None:
            known = self._known[content] = len(self._known)
            self.versions.append(_difference(self._last, content))
            self._last = content
        self._text = text, known
        return known

    @property
    def lines(self) -> GrowingList:
        """The lines in the order of their numbers."""
        return self._lines.all


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


class Frames:
    """The drawings of the positions of one game."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        #: what lies below the pieces, what goes with them, what lies above them
        self.below, self.edges, self.above = Layer(), Layer(), Layer()
        self._picture: Picture | None = None
        self._drawing: Drawing | None = None
        self._looks, self._groups = Numbering(), Numbering()
        self._sizes = GrowingList()
        self._drawn: dict[Token, int] = {}
        #: by the number of a piece, its counter in the last frame and what that looks like
        self._looked: dict[int, tuple[Token, int]] = {}
        self._ground: tuple[object, int] = (None, 0)
        self._labels: tuple[object, str] = (None, "")
        self._names: tuple[object, str] = (None, "")
        self._defined: tuple[object, list[str]] = (None, [])
        #: what the last frame shows of what the key explains, and the key where it is made
        self._shown: object = None
        self._key: list[list[str]] | None = None
        pieces = scene.setup.pieces.items()
        kinds = [(kind, i) for kind, there in pieces for i in range(len(there))]
        self.slots = {piece: number for number, piece in enumerate(kinds)}

    def frame(self, state: StateBase, seen: Sight | None) -> tuple[int, int, int, dict[int, Spot]]:
        """The versions of the layers, and where each piece is.  StyleError."""
        if self._picture is None or self._drawing is None:
            self._picture = self.scene.picture(state)
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
        if taken != self._names[0]:
            self._names = taken, drawing.draw_names(taken, 8.5, 0.6)
        text = "\n".join(
            [
                self._labels[1],
                self._names[1],
                drawing.draw_flags(placed),
                drawing.draw_markers(),
            ]
        )
        above, edges = self.above.version(text), self.edges.version(drawing.draw_edges(placed))
        spots: dict[int, Spot] = {}
        for token, x, y, scale in drawing.placements(placed):
            place = (round(x), round(y), round(100 * scale))
            slot = self.slots[token.kind, token.index]
            spots[slot] = (self._look(drawing, slot, token), *place)
        for text, tokens in tray.items():
            for token in tokens:
                group = self._groups.of((token.side, text))
                slot = self.slots[token.kind, token.index]
                spots[slot] = (self._look(drawing, slot, token), group)
        shown = self._ground, edges, above, {look for look, *_ in spots.values()}
        if shown != self._shown:
            self._shown, self._key = shown, None
        return self._ground[1], edges, above, spots

    def _look(self, drawing: Drawing, slot: int, token: Token) -> int:
        """The number of what a counter looks like, whoever it is."""
        last, known = self._looked.get(slot, (None, None))
        if last is token and known is not None:
            return known
        known = self._drawn.get(token)
        if known is None:
            bare = replace(token, name="", index=0, tray="", edges=())
            text = drawing.token(bare, 0.0, 0.0).replace("<title></title>", "", 1)
            known = self._drawn[token] = self._looks.of(text)
            if known == len(self._sizes):
                self._sizes.append(round(token.size * HEXSIDE / 2))
        self._looked[slot] = token, known
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
            "sea": str(self.scene.style.data.get("background", "#e9edf0")),
            "names": [self.scene.setup.pieces[kind][i].name for kind, i in self.slots],
            "hexes": {
                label: [round(x), round(y)]
                for label, (x, y) in zip(board.labels, middles, strict=True)
            },
            "corners": [[round(x, 1), round(y, 1)] for x, y in drawing.corners()],
            **self.growing(),
        }

    def _defs(self) -> list[str]:
        """What drawings use again and again."""
        defined = len(self.drawing.defined), len(self.drawing.pictures)
        if self._defined[0] != defined:
            self._defined = defined, self.drawing.defs()
        return self._defined[1]

    def growing(self) -> dict[str, Any]:
        """What of this grows from frame to frame, at the ends of its lists."""
        drawing = self.drawing
        if self._key is None:
            self._key = [[text, swatch] for text, swatch in drawing.key_entries()]
        layers = {"below": self.below, "edges": self.edges, "above": self.above}
        return {
            "defs": self._defs(),  # after the key, which may define patterns
            "key": self._key,
            "looks": self._looks.all,
            "sizes": self._sizes,
            "groups": self._groups.all,
            **{
                name: {"lines": layer.lines, "versions": layer.versions}
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
