"""One flat, upright page: what every kind of document is turned into before its marks are looked for."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import TextStyle

DPI = 150
SCALE = DPI / 72
"""Pixels per point."""


def pixel_shape(size: Size) -> tuple[int, int]:
    """Height and width in pixels of a page of `size` points: the shape of its picture."""
    return round(size.height * SCALE), round(size.width * SCALE)


@dataclass(frozen=True)
class Word:
    """A word whose text is known exactly because the document carries it."""

    text: str
    box: Box
    """In points, as wide as the word's advance and as high as its font's ascent and descent."""
    style: TextStyle | None = None
    """Where the document tells it."""


@dataclass(frozen=True)
class Page:
    pixels: np.ndarray
    """BGR, 8 bits, of exactly ``pixel_shape(size)``: what the page looks like."""
    size: Size
    """In points."""
    words: list[Word] | None = None
    """In reading order; None where the text has to be read from the pixels."""
    notes: list[str] = field(default_factory=list)
    """What the user should know of how the page was got, one sentence each."""
    clean: np.ndarray | None = None
    """The pixels with what hides text (seals) faded, where there was something to fade."""

    @property
    def reading(self) -> np.ndarray:
        """The pixels to look for text in and to read it from; same shape as `pixels`."""
        return self.pixels if self.clean is None else self.clean
