"""Settings: words as the engine sets them, and the places from which it prints them where the form has them."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bandsmith.shared.jrxml.typesetting import (
    break_lines,
    join_lines,
    measure_text,
    text_height,
    whole_height,
    whole_width,
    with_known_family,
)
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Align, Block, TextLine, TextStyle, VAlign
from bandsmith.shared.model.plan import Padding

NEAR = 2.0
"""Points that an element keeps away from what stands beside it."""
MIDDLE = 1.5
"""Text whose middle is this near to its room's is held there."""
SMALLEST = 0.7
"""Text is not made smaller than this share of its size to fit its room."""


@dataclass(frozen=True)
class Setting:
    """Words in a style, and the box that they fill when the engine has set them."""

    words: tuple[str, ...]
    """Its lines; of several copies one below the other, those of the tallest."""
    widest: tuple[str, ...]
    """Every line that has to fit."""
    style: TextStyle
    align: Align
    valign: VAlign
    box: Box

    @property
    def height(self) -> int:
        """Whole points that it needs."""
        return whole_height(self.words, self.style)

    @property
    def width(self) -> int:
        """Whole points that it needs."""
        return whole_width(self.widest, self.style)


def setting(block: Block, lines: Sequence[TextLine]) -> Setting:
    """A block's setting at its place on the page."""
    style = with_known_family(block.style)
    words = tuple(line.text for line in lines) or tuple(block.text.split("\n"))
    width = max(measure_text(text, style).advance for text in words)
    height = text_height(words, style)
    box = Box(x=block.box.x, y=block.box.y, width=width, height=height)
    if lines:
        box = _engine_box(lines, style, block.align, width, height)
    return Setting(words, words, style, block.align, block.valign, box)


def _engine_box(lines: Sequence[TextLine], style: TextStyle, align: Align, width: float, height: float) -> Box:
    """Where the engine has to set lines so that their ink lies on the form's."""
    tops, anchors, above = [], [], 0.0
    for line in lines:
        size = measure_text(line.text, style)
        # Ink read a little too high or too wide is centred on the form's ink.
        baseline = (line.box.y - size.ink.y + line.box.bottom - size.ink.bottom) / 2
        tops.append(baseline - size.first_baseline - above)
        above += size.line_height
        middle = line.box.x + line.box.width / 2
        match align:
            case "Left":
                anchors.append(line.box.x - size.ink.x)
            case "Right":
                anchors.append(line.box.right + size.advance - size.ink.right - width)
            case "Center":
                anchors.append(middle - size.ink.x - size.ink.width / 2 + (size.advance - width) / 2)
    return Box(x=statistics.median(anchors), y=statistics.fmean(tops), width=width, height=height)


def together(settings: Sequence[Setting]) -> Setting:
    """One setting for a slot's copies, whose boxes are relative to the tops of their rows."""
    align = Counter(one.align for one in settings).most_common(1)[0][0]
    style = _common_style([one.style for one in settings])
    tallest = max(settings, key=lambda one: len(one.words))
    width = max(one.box.width for one in settings)
    anchor = {"Left": 0.0, "Center": 0.5, "Right": 1.0}[align]
    x = statistics.median(one.box.x + anchor * one.box.width for one in settings) - anchor * width
    valign = _common_valign(settings)
    hold = {"Top": 0.0, "Middle": 0.5, "Bottom": 1.0}[valign]
    height = text_height(tallest.words, style)
    y = statistics.median(one.box.y + hold * one.box.height for one in settings) - hold * height
    widest = tuple(line for one in settings for line in one.words)
    return Setting(tallest.words, widest, style, align, valign, Box(x=x, y=y, width=width, height=height))


def _common_style(styles: Sequence[TextStyle]) -> TextStyle:
    common = Counter(style.model_copy(update={"size": 0.0}) for style in styles).most_common(1)[0][0]
    size = statistics.median(style.size for style in styles)
    return common.model_copy(update={"size": round(size * 2) / 2})


def _common_valign(settings: Sequence[Setting]) -> VAlign:
    """What stays at the same height where some copies have more lines than others."""
    if len({len(one.words) for one in settings}) == 1:
        return Counter(one.valign for one in settings).most_common(1)[0][0]
    holds: dict[VAlign, float] = {"Top": 0.0, "Middle": 0.5, "Bottom": 1.0}
    return min(holds, key=lambda name: _spread([one.box.y + holds[name] * one.box.height for one in settings]))


def _spread(values: Sequence[float]) -> float:
    return max(values) - min(values)


def flowing(words: Sequence[str], width: float, style: TextStyle) -> str:
    """The lines as one text: without line feeds where the engine breaks it the same way in `width` points."""
    if len(words) > 1 and break_lines(flow := join_lines(words), width, style) == list(words):
        return flow
    return "\n".join(words)


def fitted(set_: Setting, width: float) -> Setting:
    """The setting made so much smaller, by half points, that every line fits; as it is when that is not enough."""
    size = set_.style.size
    while size > set_.style.size * SMALLEST:
        style = set_.style.model_copy(update={"size": size})
        if whole_width(set_.widest, style) <= width:
            return _resized(set_, style)
        size -= 0.5
    return set_


def _resized(set_: Setting, style: TextStyle) -> Setting:
    if style == set_.style:
        return set_
    share = style.size / set_.style.size
    width, height = set_.box.width * share, set_.box.height * share
    anchor = {"Left": 0.0, "Center": 0.5, "Right": 1.0}[set_.align]
    box = Box(
        x=set_.box.x + anchor * (set_.box.width - width),
        y=set_.box.y + (set_.box.height - height) / 2,
        width=width,
        height=height,
    )
    return Setting(set_.words, set_.widest, style, set_.align, set_.valign, box)


NO_PADDING = Padding()


@dataclass(frozen=True)
class Place:
    """An element's whole-point place and its padding."""

    x: int
    y: int
    width: int
    height: int
    padding: Padding = NO_PADDING

    @property
    def bottom(self) -> int:
        return self.y + self.height

    @property
    def room(self) -> int:
        """Width left for the text."""
        return self.width - self.padding.left - self.padding.right


def whole(room: Box) -> Place:
    """A room in whole points; rooms that touch share an edge."""
    x, y = round(room.x), round(room.y)
    return Place(x, y, round(room.right) - x, round(room.bottom) - y)


def free_place(set_: Setting, clear: tuple[float, float], generous: bool) -> Place:
    """A place for text that stands free between the x's of `clear`.

    The slack for other wording goes to the side that its alignment leaves open; `generous` asks for more of it.
    """
    box, needed = set_.box, set_.width
    slack = max(4.0, box.width * (0.5 if generous else 0.1))
    before, after = max(0.0, box.x - clear[0] - NEAR), max(0.0, clear[1] - box.right - NEAR)
    y, height = round(box.y), set_.height
    match set_.align:
        case "Left":
            return Place(round(box.x), y, needed + int(min(slack, after)), height)
        case "Right":
            width = needed + int(min(slack, before))
            return Place(round(box.right) - width, y, width, height)
    # The same surplus on both sides keeps the middle where it is.
    width = needed + 2 * int(min(slack / 2, before, after))
    return Place(round(box.x + (box.width - width) / 2), y, width, height)


def room_place(set_: Setting, room: Place) -> Place | None:
    """The whole of a cell, with the padding that prints the text at its place; None when the text does not fit."""
    spare_x, spare_y = room.width - set_.width, room.height - set_.height
    if spare_x < 0 or spare_y < 0:
        return None
    box = set_.box
    left = right = top = bottom = 0
    match set_.align:
        case "Left":
            left = _within(box.x - room.x, spare_x)
        case "Right":
            right = _within(room.x + room.width - box.right, spare_x)
        case "Center":
            # Padding on one side moves the middle by half of it.
            off = round(2 * (box.x + box.width / 2 - room.x - room.width / 2))
            left, right = _within(off, spare_x), _within(-off, spare_x)
    match set_.valign:
        case "Top":
            top = _within(box.y - room.y, spare_y)
        case "Bottom":
            bottom = _within(room.bottom - box.bottom, spare_y)
        case "Middle":
            off = round(2 * (box.y + box.height / 2 - room.y - room.height / 2))
            top, bottom = _within(off, spare_y), _within(-off, spare_y)
    return Place(room.x, room.y, room.width, room.height, Padding(top=top, left=left, bottom=bottom, right=right))


def settled(set_: Setting, room: Box) -> Setting:
    """The setting held by the middle of its room where it stands there, else by the nearer edge."""
    off = set_.box.middle[1] - room.middle[1]
    valign: VAlign = "Middle" if abs(off) <= MIDDLE else "Top" if off < 0 else "Bottom"
    return replace(set_, valign=valign)


def aligned(set_: Setting, room: Box) -> Setting:
    """The setting aligned as it stands in its room."""
    before, after = set_.box.x - room.x, room.right - set_.box.right
    align: Align = "Center" if abs(before - after) <= 2 * MIDDLE else "Left" if before < after else "Right"
    return replace(set_, align=align)


def _within(wanted: float, spare: int) -> int:
    return max(0, min(round(wanted), spare))


def clearance(box: Box, obstacles: Iterable[Box], page_width: float) -> tuple[float, float]:
    """The x's between which nothing stands beside `box`."""
    low, high = 0.0, page_width
    middle = box.x + box.width / 2
    for other in obstacles:
        beside = other.bottom > box.y + 1 and other.y < box.bottom - 1
        if beside and other.right <= max(middle, box.x + NEAR):
            low = max(low, other.right)
        elif beside and other.x >= min(middle, box.right - NEAR):
            high = min(high, other.x)
    return low, high
