"""The part of its box that a printed text writes into. Runs in the worker."""

from __future__ import annotations

import math
from typing import Any

import jpype

SLACK_PT = 1
"""Kept beside the writing: other programs measure texts a little differently."""
MAX_LINE_HEIGHTS = 1.9
"""A text lower than this many times its font size has one line."""
Extent = tuple[int, int, bool]
"""Where the writing begins and ends along an axis, and whether it is centred there."""
_ENGINE = "net.sf.jasperreports.engine."


class TextInk:
    """Measures printed texts with the fonts that they are drawn with."""

    def __init__(self, context: Any) -> None:
        java = jpype.JClass
        self._context = context
        self._styled = java(_ENGINE + "util.JRStyledTextUtil").getInstance(context)
        self._all = java(_ENGINE + "JRStyledTextAttributeSelector").getAllSelector(context)
        self._layout = java("java.awt.font.TextLayout")
        self._fonts = java("java.awt.font.FontRenderContext")(java("java.awt.geom.AffineTransform")(), True, True)

    def measure(self, element: Any) -> tuple[Extent, Extent]:
        """Return the extent across and down. A text that is turned has its whole box, a blank one a point of it."""
        x, y, width, height = (int(value()) for value in _box(element))
        if not str(element.getFullText() or "").strip():
            return (x + width // 2,) * 2 + (False,), (y + height // 2,) * 2 + (False,)
        if str(element.getRotationValue().getName()) != "None":
            return (x, x + width, False), (y, y + height, False)
        box = element.getLineBox()
        tall = float(element.getTextHeight())
        wide = self._width(element) if tall < MAX_LINE_HEIGHTS * float(element.getFontsize()) else width
        left, right = int(box.getLeftPadding()), int(box.getRightPadding())
        top, bottom = int(box.getTopPadding()), int(box.getBottomPadding())
        across = _extent(str(element.getHorizontalTextAlign().getName()), x, width, wide + left + right)
        down = _extent(str(element.getVerticalTextAlign().getName()), y, height, tall + top + bottom)
        return across, down

    def _width(self, element: Any) -> float:
        styled = self._styled.getProcessedStyledText(element, self._all, None)
        letters = styled.getAwtAttributedString(self._context, True).getIterator()
        return float(self._layout(letters, self._fonts).getAdvance())


def _box(element: Any) -> tuple[Any, ...]:
    return element.getX, element.getY, element.getWidth, element.getHeight


def _extent(align: str, start: int, size: int, needed: float) -> Extent:
    """Return the extent of a text that needs so much of a box; it reaches to the edge that it is aligned with."""
    needed = min(size, math.ceil(needed) + SLACK_PT)
    if align in ("Left", "Top"):
        return start, start + int(needed), False
    if align in ("Right", "Bottom"):
        return start + size - int(needed), start + size, False
    if align in ("Center", "Middle"):
        rest = (size - int(needed)) // 2
        return start + rest, start + size - rest, True
    return start, start + size, False
