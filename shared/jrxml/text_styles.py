"""How a text looks: its own font and box, and what its styles say where it says nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from lxml import etree

from ..model.layout import TextStyle
from .dom import child, local_name, report_element, tag
from .typesetting import break_lines, measure_text, text_height, with_known_family

Align = Literal["Left", "Center", "Right", "Justified"]
_SIDES = ("top", "left", "bottom", "right")


@dataclass(frozen=True)
class ResolvedStyle:
    style: TextStyle
    align: Align
    padding: Mapping[str, int]
    is_cell: bool
    """It has borders or a background: its edges are seen."""

    def width_of(self, text: str) -> int:
        """Whole points that an element needs to print each line of a text unbroken."""
        widest = max(measure_text(line, self.style).advance for line in text.split("\n"))
        return math.ceil(widest + 0.5) + self.padding["left"] + self.padding["right"]

    def height_of(self, text: str, width: int) -> int:
        """Whole points that an element of this width needs to print all of a text."""
        room = max(1, width - self.padding["left"] - self.padding["right"])
        high = text_height(break_lines(text or " ", room, self.style), self.style)
        return math.ceil(high) + self.padding["top"] + self.padding["bottom"]


def resolve_style(root: etree._Element, node: etree._Element) -> ResolvedStyle:
    """The look of an element of the template `root`."""
    chain = _styles(root, report_element(node).get("style"))
    said: dict[str, str] = {}
    for style in chain:
        for name, value in style.attrib.items():
            said.setdefault(_SAME.get(name, name), value)
    words = child(node, "textElement")
    if words is not None:
        said |= {_SAME.get(name, name): value for name, value in words.attrib.items()}
        font = child(words, "font")
        if font is not None:
            said |= {"fontSize" if name == "size" else name: value for name, value in font.attrib.items()}
    boxes = [box for owner in (node, *chain) if (box := child(owner, "box")) is not None]
    mode = report_element(node).get("mode") or said.get("mode")
    return ResolvedStyle(
        style=_text_style(said),
        align=cast(Align, said.get("textAlignment", "Left")),
        padding={side: _padding(boxes, side) for side in _SIDES},
        is_cell=mode == "Opaque" or any(_drawn(box) for box in boxes),
    )


_SAME = {
    "hAlign": "textAlignment",
    "hTextAlign": "textAlignment",
    "vAlign": "verticalAlignment",
    "vTextAlign": "verticalAlignment",
    "isDefault": "default",
}


def lightness(colour: str) -> float:
    """How light ``#RRGGBB`` seems, from 0 to 1."""
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue


def _styles(root: etree._Element, name: str | None) -> list[etree._Element]:
    """The style of this name, those it is based on, and the default one, nearest first."""
    styles = {style.get("name"): style for style in root.findall(tag("style"))}
    default = next((style for style in styles.values() if style.get("isDefault") == "true"), None)
    chain: list[etree._Element] = []
    style = styles.get(name)
    while style is not None and style not in chain:
        chain.append(style)
        style = styles.get(style.get("style"))
    return chain + ([default] if default is not None and default not in chain else [])


def _text_style(said: Mapping[str, str]) -> TextStyle:
    try:
        size = float(said.get("fontSize", "10"))
    except ValueError:
        size = 10.0
    return with_known_family(
        TextStyle(
            family=said.get("fontName", ""),
            size=size,
            bold=said.get("isBold") == "true",
            italic=said.get("isItalic") == "true",
        )
    )


def _padding(boxes: list[etree._Element], side: str) -> int:
    for box in boxes:
        value = box.get(f"{side}Padding") or box.get("padding")
        if value is not None:
            return int(value) if value.isdecimal() else 0
    return 0


def _drawn(box: etree._Element) -> bool:
    return any(local_name(pen).lower().endswith("pen") and pen.get("lineWidth") not in ("0", "0.0") for pen in box)
