"""Positions drawn for the terminal, in the words and abbreviations of the ruleset's style."""

from __future__ import annotations

from collections.abc import Callable

from grognard.draw.areas import areas, unlabelled
from grognard.draw.colors import ansi
from grognard.draw.edges import edges as drawn_edges
from grognard.draw.edges import ways_out
from grognard.draw.figures import figures
from grognard.draw.picture import Picture, Token
from grognard.draw.text import CELL_LINES, CELL_WIDTH, SKETCH_WIDTH, Cell, side_style


def cells_of(
    picture: Picture, marked: frozenset[int] = frozenset(), small: bool = False
) -> Callable[[int], Cell]:
    """What each hex of a position shows: its pieces and its name; below them the ground.

    *marked* are hexes that stand out.  With *small*, meant for sketches, a piece takes one line,
    and a name stands, in small letters, only where there is no piece.
    """
    placed, _ = picture.tokens()
    edges, figured, ways = drawn_edges(picture), figures(picture), ways_out(picture)
    found = areas(picture)
    named = {h: word for area in found for h, word in area.words(picture.board, placed).items()}
    plain = unlabelled(found)

    def cell(h: int) -> Cell:
        tokens = placed.get(h, [])
        lines = _lines(tokens, small)
        style = _style(tokens)
        name = _printable(picture.board.names.get(h, ""))
        if small:
            lines = lines or tuple(name.casefold().split()[:1])
            lines = tuple(line[:CELL_WIDTH] for line in lines)
        elif name and len(lines) < CELL_LINES - 1:
            # the first and last line of a hex have less room
            lines = (*lines, name[:3]) if lines else (name[:CELL_WIDTH],)
        if h in figured and len(lines) < CELL_LINES and not small:
            lines = (
                *(lines or (name[:CELL_WIDTH] or picture.board.label(h),)),
                _printable(figured[h])[:CELL_WIDTH],
            )
        ground = picture.ground(h)
        sign = str(ground.get("sign", "")).strip()[:1]
        if h in marked:
            style = f"{style} mark".strip()
        if not lines and h in plain:
            lines = (_printable(named.get(h, " "))[:CELL_WIDTH],)
        ahead = tuple((side, ansi(color)) for side, color in ways.get(h, ()))
        lined = tuple((side, mark, ansi(color)) for side, mark, color in edges.get(h, ()))
        return Cell(
            lines,
            style,
            _printable(sign),
            ansi(ground["ink"]) if "ink" in ground else "ground",
            lined,
            ahead,
        )

    return cell


def _lines(tokens: list[Token], small: bool) -> tuple[str, ...]:
    if len(tokens) == 1 and not small:
        token = tokens[0]
        alone = (
            _word(token),
            _printable(token.figures)[:CELL_WIDTH],
            _printable(token.signs)[:CELL_WIDTH],
        )
        return tuple(line for line in alone if line)
    lines = [_with_signs(token, SKETCH_WIDTH - 1 if small else CELL_WIDTH) for token in tokens]
    if len(lines) > CELL_LINES:
        lines = [*lines[: CELL_LINES - 1], f"+{len(lines) - CELL_LINES + 1}"]
    return tuple(lines)


def _with_signs(token: Token, room: int) -> str:
    """A piece with where it faces and its marks in so many characters; in three, without the marks."""
    signs = _printable(token.signs)
    signs = (
        signs[: 1 if token.facing is not None else 0] if room < CELL_WIDTH else signs[: room - 2]
    )
    return _word(token)[: room - len(signs)] + signs


def _word(token: Token) -> str:
    """A piece in at most five characters."""
    text = _printable(token.label or token.name)
    return (text if len(text) <= CELL_WIDTH else text.replace(" ", ""))[:CELL_WIDTH]


def _style(tokens: list[Token]) -> str:
    sides = {token.side for token in tokens}
    side = sides.pop() if len(sides) == 1 else -1
    return side_style(side) if side >= 0 else ""


def _printable(text: str) -> str:
    return "".join(c for c in text if c.isprintable())
