"""How large a page is in points when nobody says so: from its resolution, or from its shape."""

from __future__ import annotations

from bandsmith.shared.model.geometry import Size

SHEETS = {
    "A4": Size(width=595, height=842),
    "Letter": Size(width=612, height=792),
    "Legal": Size(width=612, height=1008),
    "A3": Size(width=842, height=1191),
    "A5": Size(width=420, height=595),
}
_RESOLUTIONS = (72, 96, 100, 120, 144, 150, 200, 240, 300, 400, 600)
_LEAST, _MOST = 150.0, 1400.0
"""Bounds for the longer side of a page whose size is a guess."""


def turned(size: Size) -> Size:
    return Size(width=size.height, height=size.width)


def like(size: Size, width: float, height: float) -> Size:
    """`size` with its longer side where the picture's longer side is."""
    return size if (size.width <= size.height) == (width <= height) else turned(size)


def guess_size(width: float, height: float, resolution: float | None = None) -> Size:
    """The page's size in points, from its width and height in pixels.

    `resolution` is what the picture's file claims, in dots per inch; it is believed when it gives a likely page. A
    picture taken by a camera has no resolution that means anything: pass its shape alone.
    """
    for sheet in SHEETS.values():
        size = like(sheet, width, height)
        for dpi in (resolution, *_RESOLUTIONS):
            if dpi and _fits(width, size.width * dpi / 72) and _fits(height, size.height * dpi / 72):
                return size
    if resolution and resolution > 72 and _LEAST <= max(width, height) / resolution * 72 <= _MOST:
        return _whole(width / resolution * 72, height / resolution * 72)
    return _by_width(width, height) or guess_by_shape(width, height) or _bounded(width, height)


def guess_by_shape(width: float, height: float, tolerance: float = 0.02) -> Size | None:
    """A4 or Letter when the sides are in that proportion."""
    for name in ("A4", "Letter"):
        size = like(SHEETS[name], width, height)
        if abs(width / height / (size.width / size.height) - 1) < tolerance:
            return size
    return None


def guess_sheet(width: float, height: float) -> Size:
    """The size of a sheet in a photo, of which only the shape is known: A4 or Letter, else as long as A4."""
    if found := guess_by_shape(width, height, 0.045):
        return found
    scale = 842 / max(width, height)
    return _whole(max(72.0, width * scale), max(72.0, height * scale))


def _by_width(width: float, height: float) -> Size | None:
    """A page as wide as A4 or Letter at a usual resolution, and shorter or longer: what a screen print gives."""
    for name in ("A4", "Letter"):
        for side in (SHEETS[name].width, SHEETS[name].height):
            for dpi in (150, 200, 300):
                if abs(width - side * dpi / 72) <= 1.0 and _LEAST <= height / dpi * 72 <= _MOST:
                    return _whole(width / dpi * 72, height / dpi * 72)
    return None


def _bounded(width: float, height: float) -> Size:
    """As at 96 dots per inch, a screen's, unless that is unlikely for a page."""
    longer = max(width, height) / 96 * 72
    scale = min(max(longer, _LEAST), 842.0) / max(width, height)
    return _whole(max(36.0, width * scale), max(36.0, height * scale))


def _fits(pixels: float, wanted: float) -> bool:
    return abs(pixels - wanted) <= max(1.5, wanted * 0.002)


def _whole(width: float, height: float) -> Size:
    return Size(width=round(width), height=round(height))
