"""What the board and the counters of a drawing mean: wordings, and swatches around the origin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from grognard.draw.colors import legible
from grognard.draw.edges import drawn_lines, line_name
from grognard.draw.nameable import SLOT
from grognard.draw.picture import Picture
from grognard.draw.svg.counters import fitting_size
from grognard.draw.svg.ground import GroundPainter, flag_at, marker_at
from grognard.draw.svg.symbols import glyphs
from grognard.draw.svg.xml import points, tag, text_at
from grognard.draw.tokens import Token
from grognard.lexicon.catalogue import words_in

#: How wide and high a symbol in the key is.
_WIDE, _HIGH = 22.0, 14.0
#: The ink of what stands on paper.
_INK: Final = "#222222"
#: The middle of a swatch of a line.
_DASH: Final = "M-14,0L14,0"
_SCALE: Final = "scale(.42)"

Entry = tuple[str, str]


class Key(GroundPainter):
    """The board, and what explains it."""

    def __init__(self, picture: Picture) -> None:
        #: what symbols and letters on counters stand for, by what these follow from
        self._explained: dict[tuple[object, ...], tuple[list[Entry], list[Entry]]] = {}
        super().__init__(picture)

    def refresh(self) -> None:
        """Look at the ground again, when the picture shows another position."""
        super().refresh()
        self._of_ground: list[Entry] | None = None

    def key_entries(self) -> list[Entry]:
        """What the colours and lines on the board and the signs on counters stand for."""
        picture, wording = self.picture, self.picture.wording
        if self._of_ground is None:
            self._of_ground = self._ground_entries()
        entries = self._of_ground[:]
        if picture.flags():
            sides = range(len(picture.spec.sides))
            flags = (flag_at(6.0 * i - 10.0, 9.0, picture.side_fill(i), i) for i in sides)
            words = words_in(wording.language)
            entries.append((words("held by the side of this colour"), "".join(flags)))
        of_board = dict(entries)  # a line goes before a ground
        fronts = {
            look["label"]: look
            for kind in self.style.part("pieces")
            for look in self.style.part("pieces", kind, "edges").values()
            if "label" in look
        }
        of_pieces = (
            (wording.display_name(text), self.line(_DASH, look)) for text, look in fronts.items()
        )
        return [*of_board.items(), *of_pieces, *self._piece_entries()]

    def _ground_entries(self) -> list[Entry]:
        """What colours and lines on the board and markers stand for."""
        picture = self.picture
        entries = [(text, self.swatch(look)) for text, look in picture.legend(self.map is not None)]
        for section, name, look, _ in drawn_lines(picture):
            if self.is_printed(name) or (section == "areas" and self.map is not None):
                continue
            line = self.way if section == "ways" else self.line
            entries.append((line_name(picture, name, look), line(_DASH, look)))
        for marker in picture.declared_markers().values():
            fill = marker.color or picture.side_fill(0)
            entries.append((marker.label, marker_at(marker, fill, 0.0, 0.0)))
        return entries

    def _piece_entries(self) -> list[Entry]:
        """What there is to tell of the counters of a position."""
        picture = self.picture
        placed, tray = picture.tokens()
        tokens = [t for group in (*placed.values(), *tray.values()) for t in group if not t.picture]
        explained = [self._token_entries(token) for token in tokens]
        entries = [entry for symbols, _ in explained for entry in symbols]
        entries += [entry for _, letters in explained for entry in letters]
        for kind in picture.spec.kinds:
            entries += _figures(picture, kind, tokens)
        for sign, text, color in dict.fromkeys(picture.mark_legend()):
            circle = tag("circle", cx=0, cy=0, r=8, fill=color, stroke="white", stroke_width="1")
            letter = text_at(0, 0, sign, 9.5, legible(color), weight="bold")
            entries.append((text, circle + letter))
        return list(dict.fromkeys(entries))

    def _token_entries(self, token: Token) -> tuple[list[Entry], list[Entry]]:
        """What the symbol and the letters of a counter stand for."""
        key = self.picture.look_key(token.kind, token.index)
        explained = None if key is None else self._explained.get(key)
        if explained is None:
            explained = list(_symbol(self.picture, token)), list(_letters(self.picture, token))
        if key is not None:
            self._explained[key] = explained
        return explained

    def swatch(self, look: Mapping[str, str]) -> str:
        """A small hex with a ground."""
        hexagon = {"fill": look.get("fill", "#efe8d2"), "stroke": "#8c8672", "stroke_width": 2}
        swatch = tag("use", href="#hex", transform=_SCALE, **hexagon)
        for pattern in look.get("pattern", "").split():
            name = self.pattern(pattern, look.get("ink", "#777777"))
            swatch += tag("use", href=f"#{name}", transform=_SCALE)
        if "rim" in look:
            rim = {"fill": "none", "stroke": look["rim"], "stroke_width": 2}
            swatch += tag("polygon", points=points(self.corners(0.36)), **rim)
        return swatch


def _symbol(picture: Picture, token: Token) -> Iterator[Entry]:
    """The symbol of a counter where it hangs on a field."""
    symbol = picture.style_of(token.kind, token.index).get("symbol", "")
    if isinstance(symbol, Mapping) and "by" in symbol and token.glyphs:
        text = picture.fill_in(f"{{{symbol['by']}}}", token.kind, token.index, short=False)
        ink = token.glyph_ink if token.glyph_fill and token.glyph_ink else _INK
        if text:
            yield text, glyphs(token.glyphs, _WIDE, _HIGH, token.glyph_fill, ink, 1.5)


def _letters(picture: Picture, token: Token) -> Iterator[Entry]:
    """The abbreviations on a counter, with what they stand for, unless they can be read in it."""
    kind, i = token.kind, token.index
    for slot in SLOT.finditer(picture.style_of(kind, i).get("label", "")):
        short = picture.fill_in(slot[0], kind, i)
        text = (
            picture.wording.display_name(token.name.rpartition(".")[2]) if slot[1] == "name" else ""
        )
        text = text or picture.fill_in(f"{{{slot[1]}}}", kind, i, short=False)
        if short and not _is_within(short, text, cut=bool(slot[2])):
            yield text, _bold(short)


def _bold(text: str) -> str:
    return text_at(0, 0, text, fitting_size(text, 12.0, 36.0), _INK, weight="bold")


def _figures(picture: Picture, kind: str, tokens: Sequence[Token]) -> Iterator[Entry]:
    """What the figures of a kind of counters are."""
    template = picture.style.part("pieces", kind).get("figures", "")
    shown = next((token.figures for token in tokens if token.kind == kind and token.figures), "")
    fields = {f.name: f for f in picture.spec.fields_of(kind)}

    def name(slot: re.Match[str]) -> str:
        first, _, column = slot[1].partition(".")
        field = fields.get(first)
        if field is None:
            return picture.wording.text(f"value.{slot[1]}")
        key = f"value.{field.type.name}.{column}" if column else f"field.{field.base}"
        return picture.wording.text(key)

    if shown:
        yield SLOT.sub(name, template), _bold(shown)


def _is_within(short: str, text: str, cut: bool) -> bool:
    """Whether an abbreviation is a word of the text or, with three letters and not *cut*, begins
    one.
    """
    words = f" {text.casefold()}"
    return f" {short.casefold()} " in f"{words} " or (
        not cut and len(short) > 2 and f" {short.casefold()}" in words
    )
