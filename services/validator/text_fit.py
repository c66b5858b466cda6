"""Whether a text fits its element as the engine sets it, and the edits that enlarge the element until it does."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.fonts import DEFAULT_FAMILY, FAMILIES, LineSize, is_cjk, line_size
from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.template import Template, TemplateElement
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TextStyle

from .engine.fonts import ALIASES

MAX_BROKEN_CHARS = 4_000
"""Of a text, the characters whose lines are worked out: about a page."""
MIN_ADVANCE = 0.1
"""Width of the narrowest letter, as a share of the size of print; the narrowest of the usual ones has 0.2."""
MIN_SIZE_FACTOR = 0.75
"""A text that would need a smaller share of its size is set to shrink as far as each value needs."""
MAX_WIDENING, MAX_WIDENING_PT = 1.25, 12
"""A text that needs no more than this factor of its width, or this much more, is widened rather than broken."""


def fits(template: Template, element: TemplateElement, text: str) -> bool:
    """Whether the engine prints all of `text` in this element."""
    available_width, available_height = _available(template, element)
    lines, line_height = _line_count_and_height(text, template.font(element), available_width)
    return lines * line_height <= available_height


def outgrows(template: Template, element: TemplateElement, text: str, size: float | None = None) -> bool:
    """Whether a text takes more lines in this element than it has, or one line that is too high; maybe in another size.

    A text of several lines may be higher than its element: it was written into rows of different heights.
    """
    available_width, available_height = _available(template, element)
    font = template.font(element)
    font = font if size is None else font.model_copy(update={"size": size})
    lines, line_height = _line_count_and_height(text, font, available_width)
    count = text.count("\n") + 1
    return lines > count or (count == 1 and line_height > available_height)


def fitting_size(template: Template, element: TemplateElement, texts: Sequence[str]) -> float | None:
    """Return the largest size of print, a little smaller than the element's own, that no text outgrows."""
    own = template.font(element).size
    halves = range(math.ceil(own * 2) - 1, math.ceil(own * 2 * MIN_SIZE_FACTOR) - 1, -1)
    sizes = (half / 2 for half in halves)
    return next((size for size in sizes if not any(outgrows(template, element, text, size) for text in texts)), None)


def is_measurable(element: TemplateElement) -> bool:
    """Whether the text's size can be computed: it has no markup, rotation or paragraph settings."""
    paragraph = element.node.find(f"{J}textElement/{J}paragraph")
    attributes = text_attributes(element)
    return (
        attributes.get("markup", "none") == "none"
        and attributes.get("rotation", "None") == "None"
        and (paragraph is None or not paragraph.attrib)
    )


def enlarging_edits(template: Template, element: TemplateElement, text: str) -> list[AnyEdit]:
    """Return edits after which the text fits without leaving the page; none where the page has no space for it.

    A text that is only a little too wide for one line gets that width, on the side that its alignment leaves open.
    Any other text gets the height of its lines, and its band grows with it.
    """
    if element.key is None:
        return []
    font = template.font(element)
    top, left, bottom, right = template.padding(element)
    available_width, _ = _available(template, element)
    paragraphs = text.split("\n")
    one_line = max(_measure(line, font).advance for line in paragraphs) + 0.5
    single_line_height = len(paragraphs) * max(_measure(line, font).line_height for line in paragraphs)
    if one_line <= max(MAX_WIDENING * available_width, available_width + MAX_WIDENING_PT):
        width = max(element.width, math.ceil(one_line + left + right))
        x = _widened_x(element, width)
        height = max(element.height, math.ceil(single_line_height + top + bottom))
        if (
            x >= 0
            and x + width <= _inner_width(template, element)
            and (growth := _growth_edits(template, element, height)) is not None
        ):
            moved: list[AnyEdit] = [Move(element=element.key, x=x)] if x != element.x else []
            return [*moved, Resize(element=element.key, width=width, height=height), *growth]
    lines, line_height = _line_count_and_height(text, font, available_width)
    height = math.ceil(lines * line_height + top + bottom)
    growth = _growth_edits(template, element, height)
    return [] if growth is None else [Resize(element=element.key, height=height), *growth]


def ink_of(template: Template, element: TemplateElement, text: str, box: Box) -> Box:
    """The part of an element's box that the lines of its text take."""
    font = template.font(element)
    available_width, available_height = _available(template, element)
    lines, line_height = _line_count_and_height(text, font, available_width)
    width = min(available_width, max(_measure(line, font).advance for line in text.split("\n")))
    height = min(available_height, lines * line_height)
    top, left, _, _ = template.padding(element)
    attributes = text_attributes(element)
    share_x = {"Center": 0.5, "Right": 1.0}.get(attributes.get("textAlignment", "Left"), 0.0)
    share_y = {"Middle": 0.5, "Bottom": 1.0}.get(attributes.get("verticalAlignment", "Top"), 0.0)
    x = box.x + left + share_x * (available_width - width)
    y = box.y + top + share_y * (available_height - height)
    return Box(x=x, y=y, width=width, height=height)


def text_attributes(element: TemplateElement) -> Mapping[str, str]:
    """Return the element's own attributes of how its text stands in it."""
    text = element.node.find(f"{J}textElement")
    return {} if text is None else text.attrib


def _growth_edits(template: Template, element: TemplateElement, height: int) -> list[AnyEdit] | None:
    """The edits that make space around an element of this height; None where there is no space."""
    if element.frame is not None:
        return [] if element.y + height <= element.frame.height else None
    if element.y + height <= element.band.height:
        return []
    more = element.y + height - element.band.height
    return [ResizeBand(band=element.band.name, height=element.y + height)] if more <= spare_height(template) else None


def spare_height(template: Template) -> int:
    """The height of the page that no band takes, with one detail row."""
    taken = sum(
        band.height for band in template.bands if band.section not in ("background", "noData", "lastPageFooter")
    )
    return template.page_height - template.top - template.bottom - taken


def _widened_x(element: TemplateElement, width: int) -> int:
    more = width - element.width
    return element.x - {"Center": more // 2, "Right": more}.get(text_attributes(element).get("textAlignment", ""), 0)


def _inner_width(template: Template, element: TemplateElement) -> int:
    return element.frame.width if element.frame else template.band_width(element.band)


def _available(template: Template, element: TemplateElement) -> tuple[float, float]:
    top, left, bottom, right = template.padding(element)
    return max(1.0, element.width - left - right), element.height - top - bottom


def _measure(text: str, font: TextStyle) -> LineSize:
    family = font.family if font.family in FAMILIES else ALIASES.get(font.family, DEFAULT_FAMILY)
    return line_size(text, family, font.size, font.bold, font.italic)


@lru_cache(maxsize=64)
def _line_count_and_height(text: str, font: TextStyle, width: float) -> tuple[int, float]:
    """The number of lines that the text takes at this width, and the height of the highest.

    Of a text that is longer than a page, the start is broken into lines, and the rest takes lines in proportion.
    """
    measured = text[:MAX_BROKEN_CHARS]
    lines = [line for paragraph in measured.split("\n") for line in _break_lines(paragraph, font, width)]
    count = len(lines) if len(measured) == len(text) else math.ceil(len(lines) * len(text) / len(measured))
    return count, max(_measure(line, font).line_height for line in lines)


def _break_lines(paragraph: str, font: TextStyle, width: float) -> list[str]:
    """Break after spaces and hyphens and between Chinese characters. A word longer than the line is cut."""
    if _measure(paragraph.rstrip(), font).advance <= width:
        return [paragraph]
    lines, line = [], ""
    for word in _words(paragraph):
        if line and _measure((line + word).rstrip(), font).advance > width:
            lines.append(line)
            line = ""
        rest = word
        while len(rest) > 1 and (head := _count_in_line(rest.rstrip(), font, width)) < len(rest.rstrip()):
            lines.append(rest[:head])
            rest = rest[head:]
        line += rest
    return [*lines, line]


def _count_in_line(text: str, font: TextStyle, width: float) -> int:
    """How many characters of a text, at least one, a line of this width holds."""
    most = min(len(text), math.ceil(width / (MIN_ADVANCE * font.size)))
    return max(1, bisect_right(range(1, most + 1), width, key=lambda count: _measure(text[:count], font).advance))


def _words(text: str) -> list[str]:
    starts: list[int] = []
    breakable = True
    for at, char in enumerate(text):
        is_ideograph = not char.isascii() and is_cjk(char)
        if breakable or (is_ideograph and char not in "，。、；：！？）》」』”"):
            starts.append(at)
        breakable = is_ideograph or char in " -"
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
