"""Pictures inside office documents: decoded within the same limits as images, and where a paragraph anchors them."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from docx.text.paragraph import Paragraph
from lxml import etree

from bandsmith.shared.errors import BadInput

from . import image

EMU_PER_PT = 12_700
"""English metric units, in which DrawingML measures, per point."""
_FORMATS = (*image.PILLOW_FORMATS, "GIF")
_NAMESPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "v": "urn:schemas-microsoft-com:vml",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
}


class Anchor(NamedTuple):
    """Where a picture begins along one axis."""

    origin: str = "column"
    """What it is relative to, in the words of DrawingML: page, margin, column, paragraph, line ..."""
    offset: float = 0.0
    """In points."""
    align: str | None = None
    """left, center, right, top or bottom, instead of an offset."""

    def start(self, begin: float, length: float, size: float) -> float:
        """Return where a picture of `size` begins in a frame of `length` points that begins at `begin`."""
        shares = {"center": 0.5, "right": 1.0, "bottom": 1.0}
        return begin + self.offset + shares.get(self.align or "", 0.0) * (length - size)


class ParagraphPicture(NamedTuple):
    """A picture that a paragraph of a DOCX contains or anchors."""

    pixels: np.ndarray | None
    """BGR, 8 bits; None for a chart or a format that cannot be drawn."""
    width: float
    height: float
    """In points."""
    across: Anchor | None = None
    down: Anchor | None = None
    """None for a picture that stands in the line like a character."""


def decode_embedded(content: bytes) -> np.ndarray | None:
    """Decode a picture of an office document to BGR; None where its format cannot be drawn or it is damaged."""
    try:
        return image.decode(content, min_side_px=1, formats=_FORMATS)[0]
    except (BadInput, MemoryError):
        return None


def paragraph_pictures(paragraph: Paragraph) -> list[ParagraphPicture]:
    """Return the pictures and charts of a paragraph, in order. Shapes that hold only text or lines are left out."""
    # A drawing for newer programs comes with a fallback for older ones: only the first is on the page.
    frames = find_nodes(paragraph._p, ".//w:drawing[not(ancestor::mc:Fallback)]/*[.//pic:pic or .//c:chart]")
    found = [_drawing(frame, paragraph) for frame in frames]
    for shape in find_nodes(paragraph._p, ".//w:pict[not(ancestor::mc:Fallback)]//v:shape[v:imagedata]"):
        width, height = (_style_length(shape.get("style") or "", name) for name in ("width", "height"))
        found.append(ParagraphPicture(_pixels(shape, ".//v:imagedata/@r:id", paragraph), width, height))
    return [picture for picture in found if picture.width > 0 and picture.height > 0]


def _drawing(frame: Any, paragraph: Paragraph) -> ParagraphPicture:
    width, height = (float(find_nodes(frame, f"number(wp:extent/@{side})")) / EMU_PER_PT for side in ("cx", "cy"))
    pixels = _pixels(frame, ".//a:blip/@r:embed", paragraph)
    if etree.QName(frame).localname == "inline":
        return ParagraphPicture(pixels, width, height)
    return ParagraphPicture(pixels, width, height, anchor_of(frame, "H"), anchor_of(frame, "V"))


def _pixels(frame: Any, path: str, paragraph: Paragraph) -> np.ndarray | None:
    """Return the pixels of the picture whose relationship is at `path`."""
    ids = find_nodes(frame, path)
    part = paragraph.part.related_parts.get(ids[0]) if ids else None
    return decode_embedded(part.blob) if part is not None else None


def anchor_of(frame: Any, axis: str) -> Anchor:
    """Return where a frame begins along an axis, H or V."""
    origin = str(find_nodes(frame, f"string(wp:position{axis}/@relativeFrom)"))
    offset = str(find_nodes(frame, f"string(wp:position{axis}/wp:posOffset)"))
    align = str(find_nodes(frame, f"string(wp:position{axis}/wp:align)"))
    return Anchor(origin or "column", int(offset) / EMU_PER_PT if offset else 0.0, align or None)


def find_nodes(node: Any, path: str) -> Any:
    """Evaluate an XPath with the namespaces of office documents; python-docx knows only some of them."""
    return etree.XPath(path, namespaces=_NAMESPACES)(node)


def _style_length(style: str, name: str) -> float:
    """Return a length of a VML style in points, 0 where it is not given in points."""
    match = re.search(rf"(?:^|;)\s*{name}:\s*([\d.]+)pt", style)
    return float(match[1]) if match else 0.0
