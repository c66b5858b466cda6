"""Guess a page's size in points where it is not given: from the resolution, or from the proportions."""

from __future__ import annotations

from bandsmith.shared.model.geometry import Size

PAPER_SIZES = {
    "A4": Size(width=595, height=842),
    "Letter": Size(width=612, height=792),
    "Legal": Size(width=612, height=1008),
    "A3": Size(width=842, height=1191),
    "A5": Size(width=420, height=595),
}
_COMMON_DPI = (72, 96, 100, 120, 144, 150, 200, 240, 300, 400, 600)
_MIN_LONGER_SIDE_PT, _MAX_LONGER_SIDE_PT = 150.0, 1400.0
"""Bounds for the longer side of a page whose size is guessed."""


def rotated(size: Size) -> Size:
    return Size(width=size.height, height=size.width)


def oriented_like(size: Size, width: float, height: float) -> Size:
    """Return `size` in the orientation of a picture of this width and height."""
    return size if (size.width <= size.height) == (width <= height) else rotated(size)


def guess_size(width: float, height: float, resolution: float | None = None) -> Size:
    """Guess a page's size in points from its width and height in pixels.

    `resolution` is what the image file states, in dots per inch; it is used when it gives a plausible page. A camera's
    resolution means nothing: pass the proportions alone.
    """
    for sheet in PAPER_SIZES.values():
        size = oriented_like(sheet, width, height)
        for dpi in (resolution, *_COMMON_DPI):
            if dpi and _fits(width, size.width * dpi / 72) and _fits(height, size.height * dpi / 72):
                return size
    if (
        resolution
        and resolution > 72
        and _MIN_LONGER_SIDE_PT <= max(width, height) / resolution * 72 <= _MAX_LONGER_SIDE_PT
    ):
        return _rounded(width / resolution * 72, height / resolution * 72)
    return _by_width(width, height) or guess_by_shape(width, height) or _bounded(width, height)


def guess_by_shape(width: float, height: float, tolerance: float = 0.02) -> Size | None:
    """Return A4 or Letter when the sides have their proportions."""
    for name in ("A4", "Letter"):
        size = oriented_like(PAPER_SIZES[name], width, height)
        if abs(width / height / (size.width / size.height) - 1) < tolerance:
            return size
    return None


def guess_sheet_size(width: float, height: float) -> Size:
    """Return the size of a sheet in a photo, of which only the proportions are known: A4, Letter, or as long as A4."""
    if found := guess_by_shape(width, height, 0.045):
        return found
    scale = 842 / max(width, height)
    return _rounded(max(72.0, width * scale), max(72.0, height * scale))


def _by_width(width: float, height: float) -> Size | None:
    """Return a page as wide as A4 or Letter at a common resolution, of any height: what a screen capture gives."""
    for name in ("A4", "Letter"):
        for side in (PAPER_SIZES[name].width, PAPER_SIZES[name].height):
            for dpi in (150, 200, 300):
                if (
                    abs(width - side * dpi / 72) <= 1.0
                    and _MIN_LONGER_SIDE_PT <= height / dpi * 72 <= _MAX_LONGER_SIDE_PT
                ):
                    return _rounded(width / dpi * 72, height / dpi * 72)
    return None


def _bounded(width: float, height: float) -> Size:
    """Return the size at a screen's 96 dots per inch, unless that is unlikely for a page."""
    longer = max(width, height) / 96 * 72
    scale = min(max(longer, _MIN_LONGER_SIDE_PT), 842.0) / max(width, height)
    return _rounded(max(36.0, width * scale), max(36.0, height * scale))


def _fits(pixels: float, wanted: float) -> bool:
    return abs(pixels - wanted) <= max(1.5, wanted * 0.002)


def _rounded(width: float, height: float) -> Size:
    return Size(width=round(width), height=round(height))
