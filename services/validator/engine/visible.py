"""What a reader sees of a filled report: a digest of its pages' pixels, and the texts that stand out from their ground.

Runs in the worker.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_PAGES = 10
"""Pages that are looked at. A longer report is compared by these and by their number."""
MIN_CONTRAST = 24
"""Difference of two colour values from which on a text can be seen on its ground: pale grey on white cannot."""
BORDER_PX = 2
"""Pixels at the sides of an element, where its borders are drawn."""
MAX_TEXT_CHARS = 80

Pixels = NDArray[np.uint8]
"""A page of 72 dots per inch, so that a pixel is a point."""


class PrintedLook:
    """What was seen of the pages so far."""

    def __init__(self, pages: int) -> None:
        self._digest = hashlib.sha256(str(pages).encode())
        self._texts: dict[str, str] = {}

    def add(self, pixels: Pixels, elements: list[dict[str, Any]]) -> None:
        """Add a page and the elements that are printed on it."""
        self._digest.update(str(pixels.shape).encode())
        self._digest.update(pixels.tobytes())
        for element in elements:
            key, words = element["key"], " ".join((element.get("text") or "").split())
            if key and words and key not in self._texts and stands_out(pixels, element["box"]):
                self._texts[key] = words[:MAX_TEXT_CHARS]

    def result(self) -> dict[str, Any]:
        return {"digest": self._digest.hexdigest(), "texts": self._texts}


def stands_out(pixels: Pixels, box: list[int]) -> bool:
    """Return whether anything can be told from its ground in the box of an element."""
    x, y, width, height = box
    edge_x, edge_y = (BORDER_PX if side > 4 * BORDER_PX else 0 for side in (width, height))
    inside = pixels[max(0, y + edge_y) : max(0, y + height - edge_y), max(0, x + edge_x) : max(0, x + width - edge_x)]
    if inside.size == 0:
        return False
    values = inside.reshape(-1, inside.shape[-1]).astype(np.int16)
    return bool((values.max(axis=0) - values.min(axis=0)).max() >= MIN_CONTRAST)
