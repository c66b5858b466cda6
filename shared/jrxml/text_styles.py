"""Resolve the style of a text: its own font and box, and for whatever they leave open, the styles it is based on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from lxml import etree

from ..model.layout import TextStyle
from .dom import child, declared_nodes, float_attribute, local_name, report_element
from .typesetting import break_lines, measure_text, text_height, with_known_family

Alignment = Literal["Left", "Center", "Right", "Justified"]
DEFAULT_SIZE_PT = 10.0
"""The engine's font size where neither the text nor a style sets one."""
MIN_LIGHTNESS_CONTRAST = 0.4
"""Difference in lightness below which letters are lost on their background."""
_SIDES = ("top", "left", "bottom", "right")
_WIDTH_ALLOWANCE_PT = 0.5
_RENAMED_ATTRIBUTES = {
    "hAlign": "textAlignment",
    "hTextAlign": "textAlignment",
    "vAlign": "verticalAlignment",
    "vTextAlign": "verticalAlignment",
    "isDefault": "default",
}
"""Attributes of styles, and of old templates, by the names that ``textElement`` uses."""


@dataclass(frozen=True)
class ResolvedStyle:
    """The style of a text element with everything that it inherits."""

    style: TextStyle
    align: Alignment
    padding: Mapping[str, int]
    """Points by side: ``top``, ``left``, ``bottom``, ``right``."""
    is_cell: bool
    """Whether it has borders or a background, so that its edges are visible."""
    colour: str = "#000000"
    background: str | None = None
    """The colour behind the text; None where it is transparent."""

    def width_of(self, text: str) -> int:
        """Return the width in whole points that an element needs to print each line of a text unbroken."""
        widest = max(measure_text(line, self.style).advance for line in text.split("\n"))
        return math.ceil(widest + _WIDTH_ALLOWANCE_PT) + self.padding["left"] + self.padding["right"]

    def height_of(self, text: str, width: int) -> int:
        """Return the height in whole points that an element of this width needs to print all of a text."""
        available = max(1, width - self.padding["left"] - self.padding["right"])
        height = text_height(break_lines(text or " ", available, self.style), self.style)
        return math.ceil(height) + self.padding["top"] + self.padding["bottom"]


def resolve_style(root: etree._Element, node: etree._Element) -> ResolvedStyle:
    """Return the style of an element of the template `root`."""
    report = report_element(node)
    chain = style_chain(declared_nodes(root, "style"), report.get("style"))
    attributes = text_attributes(node, chain)
    boxes = [box for owner in (node, *chain) if (box := child(owner, "box")) is not None]
    mode = report.get("mode") or attributes.get("mode")
    return ResolvedStyle(
        style=with_known_family(text_style(attributes, default_family="")),
        align=cast(Alignment, attributes.get("textAlignment", "Left")),
        padding={side: _padding(boxes, side) for side in _SIDES},
        is_cell=mode == "Opaque" or any(_draws_border(box) for box in boxes),
        colour=report.get("forecolor") or attributes.get("forecolor", "#000000"),
        background=(report.get("backcolor") or attributes.get("backcolor", "#FFFFFF")) if mode == "Opaque" else None,
    )


def style_chain(styles: Mapping[str, etree._Element], name: str | None) -> list[etree._Element]:
    """Return the style of this name, those it is based on, and the default style, nearest first."""
    chain: list[etree._Element] = []
    style = styles.get(name or "")
    while style is not None and style not in chain:
        chain.append(style)
        style = styles.get(style.get("style") or "")
    default = default_style(styles)
    return chain if default is None or default in chain else [*chain, default]


def default_style(styles: Mapping[str, etree._Element]) -> etree._Element | None:
    """Return the style that applies to elements without one."""
    return next((style for style in styles.values() if style.get("isDefault", style.get("default")) == "true"), None)


def text_attributes(node: etree._Element, chain: Sequence[etree._Element]) -> dict[str, str]:
    """Return the attributes that a text prints with: its own, else those of the nearest style that sets them."""
    attributes: dict[str, str] = {}
    text_element = child(node, "textElement")
    font = child(text_element, "font") if text_element is not None else None
    for style in reversed(chain):
        attributes |= {_RENAMED_ATTRIBUTES.get(name, name): value for name, value in style.attrib.items()}
    if text_element is not None:
        attributes |= {_RENAMED_ATTRIBUTES.get(name, name): value for name, value in text_element.attrib.items()}
    if font is not None:
        attributes |= {"fontSize" if name == "size" else name: value for name, value in font.attrib.items()}
    return attributes


def text_style(attributes: Mapping[str, str], default_family: str) -> TextStyle:
    """Return the family, size and weight in the attributes of a text."""
    try:
        size = float(attributes.get("fontSize", DEFAULT_SIZE_PT))
    except ValueError:
        size = DEFAULT_SIZE_PT
    return TextStyle(
        family=attributes.get("fontName", default_family),
        size=size,
        bold=attributes.get("isBold") == "true",
        italic=attributes.get("isItalic") == "true",
    )


def own_font_size(node: etree._Element) -> float:
    """Return the font size that a text sets itself, in points; the engine's default if it leaves that to a style."""
    text_element = child(node, "textElement")
    font = child(text_element, "font") if text_element is not None else None
    return float_attribute(font, "size", DEFAULT_SIZE_PT) if font is not None else DEFAULT_SIZE_PT


def readable_on(letters: str, background: str) -> str:
    """Return a colour of letters that can be read on a background: their own, else black or white."""
    if abs(lightness(letters) - lightness(background)) >= MIN_LIGHTNESS_CONTRAST:
        return letters
    return "#FFFFFF" if lightness(background) < 0.5 else "#000000"


def lightness(colour: str) -> float:
    """Return the perceived lightness of ``#RRGGBB``, from 0 to 1."""
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue


def _padding(boxes: Sequence[etree._Element], side: str) -> int:
    for box in boxes:
        value = box.get(f"{side}Padding") or box.get("padding")
        if value is not None:
            return int(value) if value.isdecimal() else 0
    return 0


def _draws_border(box: etree._Element) -> bool:
    """Whether a box has a pen with a width. A pen that sets no width counts: the engine gives it one."""
    return any(local_name(pen).lower().endswith("pen") and pen.get("lineWidth") not in ("0", "0.0") for pen in box)
