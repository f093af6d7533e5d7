"""Pictures as PNG, by the library resvg, which comes with the extra ``png``."""

from __future__ import annotations

from grognard.exits import Misuse

#: Pixels for each unit of a drawing.
ZOOM = 1.6


def png_of(document: str, zoom: float = ZOOM) -> bytes:
    """An SVG document as PNG, *zoom* pixels to the unit.  Misuse where the library is not installed."""
    try:
        import resvg_py
    except ImportError:
        raise Misuse(
            "pictures as PNG need the library resvg-py, which is not installed",
            "install it with: pip install 'grognard[png]', or write a file that ends in .svg",
        ) from None
    return bytes(
        resvg_py.svg_to_bytes(svg_string=document, zoom=zoom, sans_serif_family="DejaVu Sans", font_size=12.0)
    )
