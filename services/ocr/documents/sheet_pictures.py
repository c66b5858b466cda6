"""Pictures on a worksheet: which cells they cover, and their boxes on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from openpyxl.drawing.spreadsheet_drawing import AbsoluteAnchor, OneCellAnchor, TwoCellAnchor

from bandsmith.shared.model.geometry import Box

from .embedded_pictures import decode_embedded
from .shape_frames import EMU_PER_PT

MIN_VISIBLE_PT = 1.5
"""A picture squashed below this height or width is not seen."""
MIN_SQUASHED = 10
"""A picture this many times as flat as its pixels is squashed, as when the rows below it were deleted."""

CellPoint = Callable[[int, int], tuple[float, float]]
"""Gives the position of a cell's upper left corner on the page, in points, by its column and row (from 1)."""


def corner_cells(anchor: Any) -> list[tuple[int, int]]:
    """Return the column and row (from 1) of the first and, where it is known, the last cell below a picture."""
    corners = [getattr(anchor, name, None) for name in ("_from", "to")]
    return [(corner.col + 1, corner.row + 1) for corner in corners if corner is not None]


def picture_box(anchor: Any, cell_point: CellPoint, scale: float) -> Box | None:
    """Return a picture's box on the page; None where it has no size. `scale` is that of the printed sheet."""

    def point(marker: Any) -> tuple[float, float]:
        x, y = cell_point(marker.col + 1, marker.row + 1)
        return x + marker.colOff / EMU_PER_PT * scale, y + marker.rowOff / EMU_PER_PT * scale

    if isinstance(anchor, TwoCellAnchor):
        box = Box.between(*point(anchor._from), *point(anchor.to))
    elif isinstance(anchor, OneCellAnchor | AbsoluteAnchor):
        if isinstance(anchor, OneCellAnchor):
            x, y = point(anchor._from)
        else:
            x, y = cell_point(1, 1)
            x, y = x + anchor.pos.x / EMU_PER_PT * scale, y + anchor.pos.y / EMU_PER_PT * scale
        width, height = (side / EMU_PER_PT * scale for side in (anchor.ext.width, anchor.ext.height))
        box = Box(x=x, y=y, width=width, height=height)
    else:
        return None
    return box if box.width > 0 and box.height > 0 else None


def picture_pixels(picture: Any) -> np.ndarray | None:
    """Return an openpyxl picture's pixels (BGR); None where it cannot be drawn."""
    picture.ref.seek(0)
    return decode_embedded(picture.ref.read())


def is_squashed(box: Box, pixels: np.ndarray) -> bool:
    """Whether a picture has collapsed to a line: Excel keeps those whose rows or columns were deleted."""
    height, width = pixels.shape[:2]
    flatness = (box.width / box.height) / (width / height)
    return min(box.width, box.height) < MIN_VISIBLE_PT and max(flatness, 1 / flatness) > MIN_SQUASHED
