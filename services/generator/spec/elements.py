"""Make the elements of a report: texts and values with unique keys, in the style of the report's language."""

from __future__ import annotations

from typing import Any

from bandsmith.shared.fonts import DEFAULT_FAMILY
from bandsmith.shared.jrxml.java_literals import java_string
from bandsmith.shared.model.layout import Align, VAlign
from bandsmith.shared.model.plan import Borders, Font, Padding, StaticText, TextField

from .spec_item import SpecItem
from .style import ReportStyle
from .table import BOOLEAN
from .widths import PAD

BOX, TICKED_BOX = "□", "■"
"""What a column of boxes to tick prints."""


class ElementFactory:
    """Makes the elements of one report."""

    def __init__(self, style: ReportStyle) -> None:
        self._style = style
        self._keys: set[str] = set()

    def key(self, stem: str) -> str:
        """Return a key that no other element has."""
        key, number = stem, 1
        while key in self._keys:
            number += 1
            key = f"{stem}_{number}"
        self._keys.add(key)
        return key

    def static(self, key: str, text: str, x: int, y: int, width: int, height: int, **options: Any) -> StaticText:
        return StaticText(key=self.key(key), text=text, x=x, y=y, width=width, height=height, **_format(**options))

    def value(
        self, key: str, expression: str, item: SpecItem, x: int, y: int, width: int, height: int, **options: Any
    ) -> TextField:
        """Build a text field in the item's pattern that takes as many lines as it needs."""
        pattern = item.pattern
        if item.java_class == BOOLEAN:
            yes, no = java_string(self._style.yes), java_string(self._style.no)
            expression, pattern = f'{expression} == null ? "" : {expression} ? {yes} : {no}', None
        if item.kind == "tick":
            expression = f'{item.reference} == null || !{item.reference} ? "{BOX}" : "{TICKED_BOX}"'
        return TextField(
            key=self.key(key), expression=expression, pattern=pattern, adjust="StretchHeight", x=x, y=y, width=width,
            height=height, **_format(**options),
        )  # fmt: skip


def _format(
    size: float,
    bold: bool = False,
    align: Align = "Left",
    valign: VAlign = "Middle",
    colour: str = "#1F2933",
    fill: str | None = None,
    borders: Borders | None = None,
    padded: bool = True,
    indent: int = PAD,
    stretches: bool = False,
    floats: bool = False,
    style: str | None = None,
) -> dict[str, Any]:
    return {
        "font": Font(family=DEFAULT_FAMILY, size=size, bold=bold),
        "align": align,
        "valign": valign,
        "forecolour": colour,
        "backcolour": fill,
        "borders": borders or Borders(),
        "padding": Padding(left=indent, right=PAD, top=2, bottom=2) if padded else Padding(),
        "stretches": stretches,
        "floats": floats,
        "style": style,
    }
