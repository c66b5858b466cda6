"""The texts of a filled report as cells: where each is printed, its value before it was formatted, and its style.

Runs in the worker. The owner arranges them in rows and columns (``spreadsheet``).
"""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

import jpype

from .printed_cells import CellWriter

MAX_ZEROS = 400
"""Zeros that a decimal number may have before or after its digits; more are written as a power of ten."""
_ENGINE = "net.sf.jasperreports.engine."


class CellReader:
    """Reads the texts of a filled report, and the filled areas behind them."""

    def __init__(self, context: Any) -> None:
        java = jpype.JClass
        self._text, self._frame = java(_ENGINE + "JRPrintText"), java(_ENGINE + "JRPrintFrame")
        self._rectangle = java(_ENGINE + "JRPrintRectangle")
        self._styled = java(_ENGINE + "util.JRStyledTextUtil").getInstance(context)
        self._number, self._date = java("java.lang.Number"), java("java.util.Date")
        self._decimal = java("java.math.BigDecimal")
        self._days, self._moments = java("java.time.LocalDate"), java("java.time.LocalDateTime")
        self._opaque = java(_ENGINE + "type.ModeEnum").OPAQUE

    def read(self, filled: Any) -> CellWriter:
        """Write the texts and the filled areas of every page, in the order in which they are drawn."""
        cells = CellWriter()
        left, top = int(filled.getLeftMargin() or 0), 0
        for page in filled.getPages():
            self._walk(page.getElements(), -left, top, cells)
            top += int(filled.getPageHeight())
        return cells

    def _walk(self, elements: Any, left: int, top: int, cells: CellWriter) -> None:
        for element in elements:
            is_text, is_frame = isinstance(element, self._text), isinstance(element, self._frame)
            box = [int(element.getX()) + left, int(element.getY()) + top]
            fill = _colour(element.getBackcolor()) if element.getModeValue() == self._opaque else None
            if is_text or (fill and (is_frame or isinstance(element, self._rectangle))):
                cell = {**_origin(element), "box": [*box, int(element.getWidth()), int(element.getHeight())]}
                cells.add({**cell, "fill": fill, **(self._content(element) if is_text else {})})
            if is_frame:
                padding = element.getLineBox()
                inner = box[0] + int(padding.getLeftPadding()), box[1] + int(padding.getTopPadding())
                self._walk(element.getElements(), *inner, cells)

    def _content(self, element: Any) -> dict[str, Any]:
        markup = str(element.getMarkup() or "none")
        whole = element.getFullText() if markup == "none" else self._styled.getTruncatedText(element)
        pattern = element.getPattern()
        return {
            "text": "" if whole is None else str(whole),
            **self._value(element.getValue()),
            "pattern": None if pattern is None else str(pattern),
            "colour": _colour(element.getForecolor()),
            "bold": bool(element.isBold()),
            "italic": bool(element.isItalic()),
            "size": float(element.getFontsize()),
            "align": str(element.getHorizontalTextAlign().getName()),
        }

    def _value(self, value: Any) -> dict[str, str]:
        """Return a number with all of its digits, or a date, as text under the name of its kind.

        What no spreadsheet can compute with, such as infinity or the year 12000, has its printed text only.
        """
        if isinstance(value, self._decimal):
            return {"number": str(value.toPlainString())} if abs(int(value.scale())) <= MAX_ZEROS else {}
        if isinstance(value, self._number):
            return {"number": str(value.toString())} if math.isfinite(float(value.doubleValue())) else {}
        try:
            if isinstance(value, self._date):
                return {"date": dt.datetime.fromtimestamp(value.getTime() / 1000).isoformat()}
            if isinstance(value, self._days | self._moments):
                return {"date": dt.datetime.fromisoformat(str(value.toString())).isoformat()}
        except (ValueError, OverflowError, OSError):
            return {}
        return {}


def _origin(element: Any) -> dict[str, str | None]:
    """Return the element's key, and the band and group that it was printed in."""
    key, origin = element.getKey(), element.getOrigin()
    group = None if origin is None else origin.getGroupName()
    return {
        "key": None if key is None else str(key),
        "band": "" if origin is None else str(origin.getBandTypeValue().getName()),
        "group": None if group is None else str(group),
    }


def _colour(colour: Any) -> str | None:
    return None if colour is None else f"{int(colour.getRGB()) & 0xFFFFFF:06X}"
