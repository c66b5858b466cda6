"""Give texts that look alike and play the same part a named style.

A text's part follows from where it stands and what it prints: the title, a column's header, a cell of a row, a total, a
value or a label. The most frequent look of a part becomes its style (``Label``), what differs from it a style that is
based on it and named after the difference (``LabelBold``, ``Label12``, ``LabelGrey``). Typefaces, sizes, weights and
colours move from the texts into these styles; alignment and padding stay, since they belong to a position.
"""

from __future__ import annotations

import colorsys
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from lxml import etree

from ..bands import bands_with_elements, elements_in, list_rows, section_in
from ..dom import (
    TEXT_ELEMENTS,
    child,
    content_of,
    declared_nodes,
    float_attribute,
    insert_child,
    local_name,
    new_node,
    report_element,
)
from ..expressions import references
from ..text_styles import default_style

BLACK = "#000000"
_WEIGHTS = ("isBold", "isItalic", "isUnderline")
_TITLE_FACTOR = 1.3
"""A text this many times as large as most, above the rows, is a title."""


class StyleLook(NamedTuple):
    """What a text looks like, as a style can say it."""

    family: str
    size: str
    bold: bool
    italic: bool
    underline: bool
    colour: str


def share_styles(root: etree._Element) -> None:
    """Move the looks of all texts into named styles."""
    default = default_style(declared_nodes(root, "style"))
    if default is None:
        return
    base = _look_of_style(default)
    texts: dict[str, list[etree._Element]] = defaultdict(list)
    for band in bands_with_elements(root):
        for _, node in band.elements:
            if local_name(node) in TEXT_ELEMENTS and not report_element(node).get("style"):
                texts[part_of(node, section_in(band.name), float(base.size))].append(node)
    for contents in list_rows(root):
        texts["Cell"] += [node for node in elements_in(contents) if local_name(node) in TEXT_ELEMENTS]
    for part, nodes in texts.items():
        _style_part(root, part, nodes, base)


def _style_part(root: etree._Element, part: str, nodes: Sequence[etree._Element], base: StyleLook) -> None:
    """Give the texts of one part their styles."""
    looks = {id(node): _look(node, base) for node in nodes}
    main = Counter(looks.values()).most_common(1)[0][0]
    names = {main: _declare(root, part, _difference(main, base), None)}
    for node in nodes:
        look = looks[id(node)]
        if look not in names:
            name = _unique(root, part + _suffix(look, main))
            names[look] = _declare(root, name, _difference(look, main), part)
        _use(node, names[look])


def part_of(node: etree._Element, section: str, base_size: float) -> str:
    """Return the part that a text plays in the report. `base_size` is that of most texts."""
    if section == "columnHeader":
        return "TableHeader"
    if section == "detail":
        return "Cell"
    letters = {letter for letter, _ in references(content_of(node))}
    if section in ("summary", "groupFooter", "columnFooter") and "V" in letters:
        return "Total"
    if section == "groupHeader":
        return "GroupHeader"
    if section in ("pageFooter", "lastPageFooter"):
        return "Footer"
    if _size_of(node, base_size) >= _TITLE_FACTOR * base_size and section in ("title", "pageHeader"):
        return "Title"
    return "Value" if letters else "Label"


def _size_of(node: etree._Element, base_size: float) -> float:
    words = child(node, "textElement")
    font = child(words, "font") if words is not None else None
    return base_size if font is None else float_attribute(font, "size", base_size)


def _look(node: etree._Element, base: StyleLook) -> StyleLook:
    """Return what an element without a style looks like."""
    words = child(node, "textElement")
    font = child(words, "font") if words is not None else None
    own = dict(font.attrib) if font is not None else {}
    bold, italic, underline = (own.get(name) == "true" for name in _WEIGHTS)
    return StyleLook(
        str(own.get("fontName") or base.family),
        str(own.get("size") or base.size),
        bold,
        italic,
        underline,
        (report_element(node).get("forecolor") or BLACK).upper(),
    )


def _look_of_style(style: etree._Element) -> StyleLook:
    bold, italic, underline = (style.get(name) == "true" for name in _WEIGHTS)
    colour = (style.get("forecolor") or BLACK).upper()
    return StyleLook(style.get("fontName") or "", style.get("fontSize") or "10", bold, italic, underline, colour)


def _difference(look: StyleLook, parent: StyleLook) -> dict[str, str]:
    """Return the attributes of a style that gives a parent's texts another look."""
    names = ("fontName", "fontSize", *_WEIGHTS, "forecolor")
    values = [str(value).lower() if isinstance(value, bool) else value for value in look]
    old = [str(value).lower() if isinstance(value, bool) else value for value in parent]
    return {name: value for name, value, before in zip(names, values, old, strict=True) if value != before}


def _suffix(look: StyleLook, main: StyleLook) -> str:
    """Name a look after what tells it from the main one: ``Bold``, ``12``, ``Red``."""
    words = [
        word if now else f"Not{word}"
        for word, now, before in (
            ("Bold", look.bold, main.bold),
            ("Italic", look.italic, main.italic),
            ("Underlined", look.underline, main.underline),
        )
        if now != before
    ]
    if look.colour != main.colour:
        words.append(colour_name(look.colour))
    if look.family != main.family:
        words.append(look.family.replace(" ", ""))
    if look.size != main.size:
        words.append(look.size.replace(".", "_"))
    return "".join(words)


def colour_name(colour: str) -> str:
    """Return a colour's name in English: ``#C8102E`` is ``Red``."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    if lightness < 0.15:
        return "Black"
    if lightness > 0.92:
        return "White"
    if saturation < 0.15:
        return "Grey"
    hues = ((0.04, "Red"), (0.12, "Orange"), (0.19, "Yellow"), (0.45, "Green"), (0.70, "Blue"), (0.92, "Purple"))
    return next((name for limit, name in hues if hue < limit), "Red")


def _declare(root: etree._Element, name: str, attributes: dict[str, str], parent: str | None) -> str:
    style = new_node("style", name=name, **({"style": parent} if parent else {}), **attributes)
    insert_child(root, style)
    return name


def _unique(root: etree._Element, name: str) -> str:
    taken, number, free = declared_nodes(root, "style"), 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _use(node: etree._Element, style: str) -> None:
    """Refer to a style, and take away what it says."""
    report = report_element(node)
    report.attrib.pop("forecolor", None)
    attributes = dict(report.attrib)
    report.attrib.clear()
    for name, value in attributes.items():
        report.set(name, value)
        if name == "key":
            report.set("style", style)
    report.set("style", style)
    words = child(node, "textElement")
    font = child(words, "font") if words is not None else None
    if words is not None and font is not None:
        words.remove(font)
        if not len(words) and not words.attrib:
            node.remove(words)
