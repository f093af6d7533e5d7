"""Pictures as PNG, by the library resvg, which comes with the extra ``png``."""

from __future__ import annotations

import re
from math import sqrt

from runtime.errors import ArgumentError

#: Pixels for each unit of a drawing, and how many there are at the most in all.
ZOOM, MOST = 1.6, 12_000_000
_SIZE = re.compile(r'<svg\b[^>]* width="([0-9.]+)" height="([0-9.]+)"')


def png_of(document: str, zoom: float = ZOOM) -> bytes:
    """An SVG document as PNG, *zoom* pixels to the unit, fewer where the picture would be very
    large.  ArgumentError where the library is not installed.
    """
    try:
        import resvg_py  # start-up: and comes with an extra only
    except ImportError:
        raise ArgumentError(
            "pictures as PNG need the library resvg-py, which is not installed",
            "install it with: pip install 'grognard[png]', or write a file that ends in .svg",
        ) from None
    size = _SIZE.search(document)
    if size is not None:
        zoom = min(zoom, sqrt(MOST / max(1.0, float(size[1]) * float(size[2]))))
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=document, zoom=zoom, sans_serif_family="DejaVu Sans", font_size=12.0
        )
    )
