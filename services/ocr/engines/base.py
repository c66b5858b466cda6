"""What an OCR engine does, whichever it is."""

from __future__ import annotations

from typing import Protocol

import numpy as np

Area = tuple[float, float, float, float]
"""x, y, width and height in pixels."""


class Engine(Protocol):
    """Finds text on a page and reads crops of it. May be called from any thread."""

    def start(self) -> None:
        """Load the models; called by the first use as well. Raises ``MissingPart`` when they are not installed."""

    def detect(self, pixels: np.ndarray) -> list[Area]:
        """Where text is on a flat BGR page: upright areas, from top to bottom, none when there is no text."""

    def read(self, crops: list[np.ndarray]) -> list[tuple[str, float]]:
        """The text of each crop (BGR, one line of text each) and how sure it is, from 0 to 1; in the crops' order.

        A crop without legible text gives ``("", 0.0)``.
        """


SIDE = 1536
"""The longer side of a page is brought to at most this many pixels for detection: it sets time and memory."""


def area(polygon: np.ndarray) -> Area:
    """The upright area around a polygon of shape (n, 2)."""
    left, top = polygon.min(axis=0)
    right, bottom = polygon.max(axis=0)
    return float(left), float(top), float(right - left), float(bottom - top)
