"""What the counters in a picture mean: their abbreviations, symbols, marks and lines, for its key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from grognard.draw.colors import readable
from grognard.draw.idle import SLOT
from grognard.draw.svg.counters import fitting
from grognard.draw.symbols import FRAMED, glyph
from grognard.draw.xml import tag, text_at

if TYPE_CHECKING:
    from grognard.draw.picture import Picture, Token

#: How wide and high a symbol in the key is.
_WIDE, _HIGH = 22.0, 14.0
#: The ink of what stands on paper.
_INK: Final = "#222222"


def piece_entries(picture: Picture) -> list[tuple[str, str]]:
    """What there is to tell of the counters of a position: wording, and a swatch around its middle."""
    placed, tray = picture.tokens()
    found: dict[tuple[str, str], None] = {}
    for tokens in (*placed.values(), *tray.values()):
        for token in tokens:
            found |= dict.fromkeys(_symbol(picture, token))
    for tokens in (*placed.values(), *tray.values()):
        for token in tokens:
            found |= dict.fromkeys(_letters(picture, token))
    for kind in picture.spec.kinds:
        found |= dict.fromkeys(_figures(picture, kind, (*placed.values(), *tray.values())))
    for sign, text, color in dict.fromkeys(picture.mark_legend()):
        circle = tag("circle", cx=0, cy=0, r=8, fill=color, stroke="white", stroke_width="1")
        found[text, circle + text_at(0, 0, sign, 9.5, readable(color), weight="bold")] = None
    return list(found)


def _symbol(picture: Picture, token: Token) -> Iterator[tuple[str, str]]:
    """The symbol of a counter where it hangs on a field."""
    by = picture.styled(token.kind, token.index).get("symbol", "")
    if not (isinstance(by, Mapping) and "by" in by and token.glyphs):
        return
    text = picture.fill_in(f"{{{by['by']}}}", token.kind, token.index, short=False)
    ink = token.glyph_ink if token.glyph_fill and token.glyph_ink else _INK
    shown = "".join(glyph(name, _WIDE, _HIGH, token.glyph_fill, ink) for name in token.glyphs)
    if FRAMED.intersection(token.glyphs):
        frame = {"x": -_WIDE / 2, "y": -_HIGH / 2, "width": _WIDE, "height": _HIGH}
        shown = (
            tag("rect", **frame, fill=token.glyph_fill or "none", stroke=ink, stroke_width=1.5)
            + shown
        )
    if text:
        yield text, shown


def _letters(picture: Picture, token: Token) -> Iterator[tuple[str, str]]:
    """The abbreviations on a counter, with what they stand for, unless they can be read in it."""
    kind, i = token.kind, token.index
    for slot in SLOT.finditer(str(picture.styled(kind, i).get("label", ""))):
        short = picture.fill_in(slot[0], kind, i)
        text = picture.wording.called(token.name.rpartition(".")[2]) if slot[1] == "name" else ""
        text = text or picture.fill_in(f"{{{slot[1]}}}", kind, i, short=False)
        if short and not _within(short, text, cut=bool(slot[2])):
            yield text, text_at(0, 0, short, fitting(short, 12.0, 36.0), _INK, weight="bold")


def _figures(
    picture: Picture, kind: str, groups: Iterable[list[Token]]
) -> Iterator[tuple[str, str]]:
    """What the figures of a kind of counters are."""
    template = str(picture.style.part("pieces", kind).get("figures", ""))
    shown = next(
        (t.figures for tokens in groups for t in tokens if t.kind == kind and t.figures), ""
    )
    fields = {f.name: f for f in picture.spec.fields_of(kind)}

    def name(slot: re.Match[str]) -> str:
        first, _, column = slot[1].partition(".")
        field, path = fields.get(first), slot[1]
        if field is not None:
            path = f"{field.type.name}.{column}" if column else path
            if not column:
                return picture.wording.text(
                    f"field.{field.base}", default=field.base.replace("_", " ")
                )
        return picture.wording.text(f"value.{path}", default=(column or path).replace("_", " "))

    if shown:
        swatch = text_at(0, 0, shown, fitting(shown, 12.0, 36.0), _INK, weight="bold")
        yield SLOT.sub(name, template), swatch


def _within(short: str, text: str, cut: bool) -> bool:
    """Whether an abbreviation is a word of the text or, with three letters and not *cut*, begins
    one.
    """
    words = f" {text.casefold()}"
    return f" {short.casefold()} " in f"{words} " or (
        not cut and len(short) > 2 and f" {short.casefold()}" in words
    )
