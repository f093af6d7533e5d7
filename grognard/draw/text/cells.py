"""What each hex of a position shows at the terminal: pieces, names, grounds, what lies in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from grognard.draw.colors import ansi
from grognard.draw.edges import areas, edges, ways_out
from grognard.draw.scene import Looks, Scene
from grognard.draw.text.canvas import SIDES, printable, side_style
from grognard.draw.text.cell import BEFORE_STRENGTH, CELL_LINES, CELL_WIDTH, Cell
from runtime.model import NONE
from runtime.scenario.fields import side_field


def is_redundant(label: str, sort: str) -> bool:
    """Whether a label says no more than the short form of a piece's sort."""
    one, other = label.replace(" ", "").casefold(), sort.replace(" ", "").casefold()
    return one.startswith(other) or other.startswith(one)


@dataclass(frozen=True)
class PieceText:
    """What is written for a piece: its sort, its strength, its side, signs behind them, and what
    else its label says.
    """

    text: str
    figure: str
    side: int
    signs: str
    label: str

    @property
    def line(self) -> str:
        """Sort and strength, apart where there is room: *HI·4*, *17·4*, unlike the name *HI4*."""
        figure = self.figure
        if len(figure) > CELL_WIDTH:
            figure = f"{figure[: CELL_WIDTH - 1]}+"
        room = 0 < len(figure) < CELL_WIDTH - (0 if self.text[-1:].isdigit() else len(self.text))
        between = BEFORE_STRENGTH if room else ""
        return self.text[: CELL_WIDTH - len(between + figure)] + between + figure

    @property
    def below(self) -> str:
        """What stands in a line of its own: the rest of the label, and signs."""
        signs = self.signs[:CELL_WIDTH]
        return self.label[: CELL_WIDTH - len(signs)] + signs


def stack_lines(pieces: list[PieceText]) -> list[tuple[str, int]]:
    """The lines for the pieces on one hex, with their signs: for one alone on a line of their own,
    for several behind the text, unless labels stand there and there is room for them.

    Where they are too many, equal ones become one with a number, then the rest is counted.
    """
    if len(pieces) <= CELL_LINES:
        free, lines = CELL_LINES - len(pieces), []
        for piece in pieces:
            if free and (piece.label or (piece.signs and len(pieces) == 1)):
                free -= 1
                lines += [(piece.line, piece.side), (piece.below, piece.side)]
            else:
                behind = piece.signs[:2]
                lines.append((piece.line[: CELL_WIDTH - len(behind)] + behind, piece.side))
        return lines
    piles = Counter((piece.text, piece.side) for piece in pieces)
    lines = [
        (f"{count}{text}"[:CELL_WIDTH] if count > 1 else text, side)
        for (text, side), count in piles.items()
    ]
    if len(lines) > CELL_LINES:
        rest = len(pieces) - sum(list(piles.values())[: CELL_LINES - 1])
        lines = [*lines[: CELL_LINES - 1], (f"+{rest}", NONE)]
    return lines


def _fit_text(text: str) -> str:
    """A text in the room of a line in a hex; without its blanks where it is too long."""
    text = printable(text)
    return (text if len(text) <= CELL_WIDTH else text.replace(" ", ""))[:CELL_WIDTH]


@dataclass
class Cells:
    """What the hexes of a position show; see :class:`grognard.draw.text.position.TextBoard`."""

    scene: Scene
    data: Mapping[str, Any]
    looks: Looks
    marked: Collection[int]
    color: bool
    _edges: dict[int, list[tuple[int, str, str]]] = field(default_factory=dict, init=False)
    _ways: dict[int, list[tuple[int, str]]] = field(default_factory=dict, init=False)
    _flags: dict[int, int] = field(default_factory=dict, init=False)
    _figures: dict[int, str] = field(default_factory=dict, init=False)
    #: the texts of the markers in each hex
    _lying: dict[int, str] = field(default_factory=dict, init=False)
    #: what hexes of areas show instead of their labels
    _areas: dict[int, str] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._pieces = self._pieces_by_hex()
        picture = self.looks.picture
        if picture is None:
            return
        self._edges, self._ways = edges(picture), ways_out(picture)
        self._flags, self._figures = dict(picture.flags()), picture.figures()
        for marker in picture.markers():
            self._lying[marker.hex] = self._lying.get(marker.hex, "") + marker.text
        named = [area for area in areas(picture) if area.name]
        self._areas = {h: " " for area in named for h in area.hexes}
        for area in named:
            self._areas |= area.words(picture.board, self._pieces)

    def __call__(self, h: int) -> Cell:
        pieces = self._pieces.get(h, [])
        lines, style = self._lines(h, pieces)
        if h in self.marked:
            style = f"{style} mark".strip()
        name = self.marked[h] if isinstance(self.marked, Mapping) and h in self.marked else ""
        light = self.scene.style.part("highlights").get(name, {})
        letters, tint, sign = self._ground(h)
        return Cell(
            tuple(lines),
            style,
            letters[0] if letters else "",
            tint,
            tuple((side, line, ansi(shade)) for side, line, shade in self._edges.get(h, ())),
            tuple((side, ansi(shade)) for side, shade in self._ways.get(h, ())),
            light.get("sign", "*"),
            f"1;{ansi(light['color'])}" if "color" in light else "mark",
            pieces[0].line if pieces else "",
            sign,
            letters[1] if len(letters) > 1 else "",
        )

    def _lines(self, h: int, pieces: list[PieceText]) -> tuple[list[str], str]:
        """The text in a hex, and its style."""
        piles = stack_lines(pieces)
        lines, sides = [text for text, _ in piles], {side for _, side in piles}
        side = sides.pop() if len(sides) == 1 else NONE
        style = side_style(side) if side >= 0 else ""
        if not lines and h in self._flags:
            holder = self._flags[h]
            sign = "" if self.color else self.scene.flag_signs[holder]
            name = self._name(h)[: CELL_WIDTH - len(sign)]
            named = bool(self.scene.spec.board.names.get(h))
            lines = [(name if named else name.casefold()) + sign]
            style = f"flag{holder % SIDES}"
        if h in self._figures:
            lines = [*(lines or [self._name(h)])[: CELL_LINES - 1], _fit_text(self._figures[h])]
        if h in self._lying:
            lines = lines or [self.scene.spec.board.label(h)]
            lines = [*lines[: CELL_LINES - 1], self._lying[h][:CELL_WIDTH]]
        if not lines and h in self._areas:
            lines = [self._areas[h][:CELL_WIDTH]]
        return lines, style

    def _name(self, h: int) -> str:
        """The name of a hex, else its label, in a few letters."""
        board = self.scene.spec.board
        name = self.scene.wording.display_name(board.names.get(h, ""))
        return (printable(name) or board.label(h))[:CELL_WIDTH]

    def _ground(self, h: int) -> tuple[list[str], str, str]:
        """The letters for the ground of a hex, with the sign of its look behind them where no
        letters stand for that; its tint; the sign.
        """
        letters = {}
        for f in self.scene.grounds:
            value = self.data[f.slot][h]
            if value is not None and value != f.initial and value >= 0:
                member = self.scene.spec.enums[f.type.name][value]
                word = self.scene.ground_words[f.name].get(member, "")[:3].lower()
                letters[word] = self.scene.ground_sign(f, member)
        letters.pop("", None)
        if self.looks.picture is None:
            return [*letters], "ground", ""
        look = self.looks.picture.ground(h)
        sign = str(look.get("sign", "")).strip()[:1].replace(".", "")
        extra = [sign] if sign and sign not in letters.values() else []
        return [*letters, *extra], ansi(look["ink"]) if "ink" in look else "ground", sign

    def _pieces_by_hex(self) -> dict[int, list[PieceText]]:
        """What is written for the pieces on each hex."""
        scene, data = self.scene, self.data
        pieces: dict[int, list[PieceText]] = {}
        for kind in scene.spec.kinds:
            owner, strength = side_field(scene.spec, kind), scene.strength_of(kind)
            for index in range(len(scene.setup.pieces.get(kind, ()))):
                h = scene.hex_of(data, kind, index)
                if h < 0:
                    continue
                side = data[owner.slot][index] if owner is not None else NONE
                side = NONE if side is None else side
                number = data[strength.slot][index] if strength is not None else None
                figure, signs, label = str(number) if number else "", "", ""
                short = scene.short(data, kind, index)
                token = self.looks.get((kind, index))
                if token is not None:
                    if token.figures:
                        figure = re.split(r"\D", token.figures.lstrip("[("))[0] or figure
                    signs = printable(token.signs)
                    if not is_redundant(token.label, short):
                        label = printable(token.label).replace(" ", "")
                text = self._side_text(short.replace(" ", ""), side)
                pieces.setdefault(h, []).append(PieceText(text, figure, side, signs, label))
        return pieces

    def _side_text(self, text: str, side: int) -> str:
        """The text of a piece, telling its side: of two the second has small letters; of more each
        has an initial, a capital.
        """
        if len(self.scene.spec.sides) > 2 and side >= 0:
            return (self.scene.initials[side] + text.lower())[:CELL_WIDTH]
        return (text.lower() if side == 1 and not self.color else text.upper())[:CELL_WIDTH]
