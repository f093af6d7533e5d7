"""Boards drawn as SVG: hexes, hexsides, names, pieces as counters, and a key; the same bytes for
the same position.
"""

from __future__ import annotations

from grognard.draw.panel import PanelContent
from grognard.draw.picture import Picture
from grognard.draw.svg.counters import HEXSIDE
from grognard.draw.svg.drawing import Drawing

__all__ = ["HEXSIDE", "Drawing", "render"]


def render(
    picture: Picture, title: str = "", caption: str = "", told: PanelContent | None = None
) -> str:
    """The SVG document of a position; *told* is what stands beside the board."""
    return Drawing(picture).document(title, caption, told)
