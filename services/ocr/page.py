"""The flat, upright page that every document is turned into before its marks are looked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import TextStyle
from bandsmith.shared.model.sheet import SheetCell
from bandsmith.shared.replies import Text

DPI = 150
SCALE = DPI / 72
"""Pixels per point."""
MIN_SIDE_PT, MAX_SIDE_PT = 15, 3400
"""Sides of a page of a document; A0 is 2384 by 3370."""
MAX_PAGES = 20
"""Pages of one document that become one template. Where pages have to be laid out first, no more are counted."""


def page_size(width: float, height: float) -> Size:
    """Return the size of a page of a document. Raises ``BadInput`` for one that no form has."""
    if max(width, height) > MAX_SIDE_PT:
        raise BadInput.of("documents.sheet")
    if min(width, height) < MIN_SIDE_PT:
        raise BadInput.of("documents.small")
    return Size(width=round(width), height=round(height))


def pixel_shape(size: Size) -> tuple[int, int]:
    """Return the height and width in pixels of a page of `size` points."""
    return round(size.height * SCALE), round(size.width * SCALE)


@dataclass(frozen=True)
class Word:
    """A word whose text is known exactly, because the document carries it."""

    text: str
    box: Box
    """In points: as wide as the word's advance, as high as its font's ascent and descent."""
    style: TextStyle | None = None
    """Set where the document gives it."""
    goes_on: bool = False
    """Whether the document itself writes one space after it and then goes on with the same text."""


class Seal(NamedTuple):
    """A seal that the document draws over its text."""

    box: Box
    """In points."""
    picture: bytes
    """The seal alone as a PNG, transparent where it does not cover the page."""


class Divider(NamedTuple):
    """A vertical line, in points."""

    x: float
    top: float
    bottom: float


@dataclass(frozen=True)
class PageImage:
    """A picture of a page, which may be turned, bent or lie on a desk."""

    pixels: np.ndarray
    """BGR, 8 bits, of any size."""
    size: Size | None = None
    """Of the page in points, where it is known."""
    resolution: float | None = None
    """What the file states, in dots per inch."""
    notes: list[Text] = field(default_factory=list)
    pages: int = 1
    """Number of pages of the document, counted up to a limit."""
    left_out: Text | None = None
    """What to tell the user where only this one of several pages is used."""


@dataclass(frozen=True)
class Page:
    """A page as pixels, with its exact words where the document carries them."""

    pixels: np.ndarray
    """BGR, 8 bits, of shape ``(*pixel_shape(size), 3)``: what the page looks like."""
    size: Size
    """In points."""
    words: list[Word] | None = None
    """In reading order; None where the text has to be read from the pixels."""
    notes: list[Text] = field(default_factory=list)
    """What the user should know about how the page was obtained, one sentence each."""
    pictures: list[Box] = field(default_factory=list)
    """Areas, in points, that the document itself declares as pictures."""
    seals_faded: np.ndarray | None = None
    """The pixels with seals faded, so that the text below them can be read; None on a page without seals."""
    seals: list[Seal] = field(default_factory=list)
    """The seals that were faded, where the document itself draws them."""
    pages: int = 1
    """Number of pages of the document, counted up to a limit."""
    left_out: Text | None = None
    """What to tell the user where only this one of several pages is used."""
    loops: list[Box] = field(default_factory=list)
    """Areas, in points, that a template repeats for each row of its data."""
    dividers: list[Divider] = field(default_factory=list)
    """Sides of cells, drawn or not: the texts on both sides of one are two texts."""
    may_have_watermark: bool = True
    """False where the document has none, so that a pale pattern is a part of the form."""
    sheet_cells: list[SheetCell] = field(default_factory=list)
    """What a workbook computes of this page."""

    @property
    def ocr_pixels(self) -> np.ndarray:
        """The pixels in which text is detected and recognised; the same shape as `pixels`."""
        return self.pixels if self.seals_faded is None else self.seals_faded
