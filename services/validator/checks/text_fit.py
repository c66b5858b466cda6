"""Whether a text fits its element as the engine will set it, and the edits that give it the room it needs."""

from __future__ import annotations

import math
from collections.abc import Mapping

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.fonts import DEFAULT_FAMILY, FAMILIES, Measure, is_cjk, measure
from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.template import Template, TemplateElement
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TextStyle

from ..engine.fonts import ALIASES


def fits(template: Template, element: TemplateElement, text: str) -> bool:
    """Whether the engine prints all of `text` in this element."""
    room_across, room_down = _room(template, element)
    lines, line_height = _set(text, template.font(element), room_across)
    return lines * line_height <= room_down


def measurable(element: TemplateElement) -> bool:
    """Whether the text is set plainly: no markup, no line spacing of its own, not turned."""
    paragraph = element.node.find(f"{J}textElement/{J}paragraph")
    attributes = _text_attributes(element)
    return (
        attributes.get("markup", "none") == "none"
        and attributes.get("rotation", "None") == "None"
        and (paragraph is None or not paragraph.attrib)
    )


def widen_or_heighten(template: Template, element: TemplateElement, text: str) -> list[AnyEdit]:
    """Edits after which the text fits, without leaving the page; none where there is no such room.

    A text that is only a little too wide for one line gets that width, to the side that its alignment leaves free.
    Any other gets the height of its lines, and its band with it.
    """
    if element.key is None:
        return []
    font = template.font(element)
    top, left, bottom, right = template.padding(element)
    room_across, _ = _room(template, element)
    paragraphs = text.split("\n")
    across = max(_measure(line, font).advance for line in paragraphs) + 0.5
    one_line_each = len(paragraphs) * max(_measure(line, font).line_height for line in paragraphs)
    if across <= max(1.25 * room_across, room_across + 12):
        width = max(element.width, math.ceil(across + left + right))
        x = _x_for(element, width)
        height = max(element.height, math.ceil(one_line_each + top + bottom))
        if (
            x >= 0
            and x + width <= _inner_width(template, element)
            and (down := _down(template, element, height)) is not None
        ):
            moved: list[AnyEdit] = [Move(element=element.key, x=x)] if x != element.x else []
            return [*moved, Resize(element=element.key, width=width, height=height), *down]
    lines, line_height = _set(text, font, room_across)
    height = math.ceil(lines * line_height + top + bottom)
    down = _down(template, element, height)
    return [] if down is None else [Resize(element=element.key, height=height), *down]


def ink_of(template: Template, element: TemplateElement, text: str, box: Box) -> Box:
    """Where in its box a text's lines stand, from the first to the last and from edge to edge."""
    font = template.font(element)
    room_across, room_down = _room(template, element)
    lines, line_height = _set(text, font, room_across)
    across = min(room_across, max(_measure(line, font).advance for line in text.split("\n")))
    down = min(room_down, lines * line_height)
    top, left, _, _ = template.padding(element)
    attributes = _text_attributes(element)
    share_x = {"Center": 0.5, "Right": 1.0}.get(attributes.get("textAlignment", "Left"), 0.0)
    share_y = {"Middle": 0.5, "Bottom": 1.0}.get(attributes.get("verticalAlignment", "Top"), 0.0)
    x = box.x + left + share_x * (room_across - across)
    y = box.y + top + share_y * (room_down - down)
    return Box(x=x, y=y, width=across, height=down)


def _text_attributes(element: TemplateElement) -> Mapping[str, str]:
    text = element.node.find(f"{J}textElement")
    return {} if text is None else text.attrib


def _down(template: Template, element: TemplateElement, height: int) -> list[AnyEdit] | None:
    """What has to grow around an element of this height; None where it cannot."""
    if element.frame is not None:
        return [] if element.y + height <= element.frame.height else None
    if element.y + height <= element.band.height:
        return []
    more = element.y + height - element.band.height
    return [ResizeBand(band=element.band.name, height=element.y + height)] if more <= spare_height(template) else None


def spare_height(template: Template) -> int:
    """Points of the page's height that no band takes, with one detail row."""
    taken = sum(
        band.height for band in template.bands if band.section not in ("background", "noData", "lastPageFooter")
    )
    return template.page_height - template.top - template.bottom - taken


def _x_for(element: TemplateElement, width: int) -> int:
    more = width - element.width
    return element.x - {"Center": more // 2, "Right": more}.get(_text_attributes(element).get("textAlignment", ""), 0)


def _inner_width(template: Template, element: TemplateElement) -> int:
    return element.frame.width if element.frame else template.band_width(element.band)


def _room(template: Template, element: TemplateElement) -> tuple[float, float]:
    top, left, bottom, right = template.padding(element)
    return max(1.0, element.width - left - right), element.height - top - bottom


def _measure(text: str, font: TextStyle) -> Measure:
    family = font.family if font.family in FAMILIES else ALIASES.get(font.family, DEFAULT_FAMILY)
    return measure(text, family, font.size, font.bold, font.italic)


def _set(text: str, font: TextStyle, width: float) -> tuple[int, float]:
    """How many lines the text takes at this width, and the height of the highest."""
    lines = [line for paragraph in text.split("\n") for line in _broken(paragraph, font, width)]
    return len(lines), max(_measure(line, font).line_height for line in lines)


def _broken(paragraph: str, font: TextStyle, width: float) -> list[str]:
    """Break after blanks and hyphens and between Chinese characters; a word longer than the line is cut."""
    if _measure(paragraph.rstrip(), font).advance <= width:
        return [paragraph]
    lines, line = [], ""
    for word in _words(paragraph):
        if line and _measure((line + word).rstrip(), font).advance > width:
            lines.append(line)
            line = ""
        rest = word
        while len(rest) > 1 and _measure(rest.rstrip(), font).advance > width:
            head = next((n for n in range(len(rest) - 1, 1, -1) if _measure(rest[:n], font).advance <= width), 1)
            lines.append(rest[:head])
            rest = rest[head:]
        line += rest
    return [*lines, line]


def _words(text: str) -> list[str]:
    words: list[str] = []
    breakable = True
    for char in text:
        if breakable or (is_cjk(char) and char not in "，。、；：！？）》」』”"):
            words.append(char)
        else:
            words[-1] += char
        breakable = char in " -" or is_cjk(char)
    return words
