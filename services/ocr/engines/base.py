"""The interface that every OCR engine implements."""

from __future__ import annotations

from typing import Protocol

import numpy as np

TextArea = tuple[float, float, float, float]
"""x, y, width and height in pixels."""


class OcrEngine(Protocol):
    """Detects text on a page and recognises crops of it. Safe to call from any thread."""

    def start(self) -> None:
        """Load the models; the first use does so as well. Raises ``MissingPart`` when they are not installed."""

    def detect(self, pixels: np.ndarray) -> list[TextArea]:
        """Return the upright areas of text on a flat BGR page, from top to bottom; empty when there is no text."""

    def read(self, crops: list[np.ndarray]) -> list[tuple[str, float]]:
        """Return the text of each crop (BGR, one line each) and the confidence in it, 0 to 1, in the crops' order.

        A crop without legible text gives ``("", 0.0)``.
        """


MAX_DETECTION_SIDE_PX = 1536
"""Maximum longer side of the picture in which text is detected: it determines time and memory."""


def bounding_area(polygon: np.ndarray) -> TextArea:
    """Return the upright area around a polygon of shape (n, 2)."""
    left, top = polygon.min(axis=0)
    right, bottom = polygon.max(axis=0)
    return float(left), float(top), float(right - left), float(bottom - top)
