"""How each line of text looks: colour, family, size, weight and slant, found by rendering the same text."""

from __future__ import annotations

import math

import numpy as np

from shared.fonts import measure

from .paper import Sheet, hex_colour
from .segment import Piece

Face = tuple[str, bool, bool]
"""Family, bold, italic."""


def colour_of(sheet: Sheet, piece: Piece, own: np.ndarray) -> str:
    """The colour of the core of the strokes; nearly black is black."""
    area = np.s_[piece.top : piece.bottom, piece.left : piece.right]
    contrast = np.where(own, sheet.contrast[area], 0)
    core = contrast >= max(1.0, 0.85 * np.percentile(contrast[own], 95)) if own.any() else own
    if not core.any():
        return "#000000"
    blue, green, red = np.median(sheet.pixels[area][core], axis=0)
    dark = 70 if not sheet.noise else 120
    if max(blue, green, red) < dark and max(blue, green, red) - min(blue, green, red) < 24:
        return "#000000"
    return hex_colour((blue, green, red))


def unit_size(text: str, face: Face, width: float, height: float) -> tuple[float, float]:
    """The size at which `text` is `width` points wide in a face, and how far its height is off (log ratio)."""
    family, bold, italic = face
    ink = measure(text, family, 100, bold, italic).ink
    if ink.width <= 0 or ink.height <= 0:
        return height / 0.75, 0.0
    by_width, by_height = 100 * width / ink.width, 100 * height / ink.height
    # Long lines tell their size by their width, single characters by their height.
    share = min(1.0, (width / max(height, 0.1)) / 3)
    size = math.exp(share * math.log(by_width) + (1 - share) * math.log(by_height))
    return size, math.log(by_width / by_height)
