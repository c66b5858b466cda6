"""Typeset text: words as the engine sets them, and the box from which it prints them where the form has them."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
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

CENTRING_TOLERANCE_PT = 1.5
"""Text whose middle is this close to the middle of its cell is centred there."""
MIN_SHRINK = 0.7
"""Smallest share of its size to which text is reduced so that it fits its cell."""
_X_ANCHORS: dict[Align, float] = {"Left": 0.0, "Center": 0.5, "Right": 1.0}
_Y_ANCHORS: dict[VAlign, float] = {"Top": 0.0, "Middle": 0.5, "Bottom": 1.0}
"""Where in a box, as a share of its size, lies the point that an alignment keeps in place."""


@dataclass(frozen=True)
class TypesetText:
    """Lines in a style, and the box that they fill when the engine has set them."""

    lines: tuple[str, ...]
    """The text's lines; for the copies of a repeated slot, those of the copy with the most lines."""
    all_lines: tuple[str, ...]
    """Every line that has to fit, of all copies."""
    style: TextStyle
    align: Align
    valign: VAlign
    box: Box

    @property
    def height(self) -> int:
        """Height that the text needs, in whole points."""
        return whole_height(self.lines, self.style)

    @property
    def width(self) -> int:
        """Width that the text needs, in whole points."""
        return whole_width(self.all_lines, self.style)


def typeset(block: Block, lines: Sequence[TextLine]) -> TypesetText:
    """Set a block at its position on the page."""
    style = with_known_family(block.style)
    words = tuple(line.text for line in lines) or tuple(block.text.split("\n"))
    width = max(measure_text(text, style).advance for text in words)
    height = text_height(words, style)
    box = Box(x=block.box.x, y=block.box.y, width=width, height=height)
    if lines:
        box = _engine_box(lines, style, block.align, width, height)
    return TypesetText(words, words, style, block.align, block.valign, box)


def _engine_box(lines: Sequence[TextLine], style: TextStyle, align: Align, width: float, height: float) -> Box:
    """The box in which the engine has to set the lines so that their ink covers the form's."""
    tops, anchors, above = [], [], 0.0
    for line in lines:
        size = measure_text(line.text, style)
        # Ink that was read slightly too high or too wide is centred on the form's ink.
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


def merge_copies(copies: Sequence[TypesetText]) -> TypesetText:
    """Merge a slot's copies, whose boxes are relative to the tops of their rows, into one text for all rows."""
    align = Counter(copy.align for copy in copies).most_common(1)[0][0]
    style = _common_style([copy.style for copy in copies])
    tallest = max(copies, key=lambda copy: len(copy.lines))
    width = max(copy.box.width for copy in copies)
    anchor = _X_ANCHORS[align]
    x = statistics.median(copy.box.x + anchor * copy.box.width for copy in copies) - anchor * width
    valign = _common_valign(copies)
    anchor = _Y_ANCHORS[valign]
    height = text_height(tallest.lines, style)
    y = statistics.median(copy.box.y + anchor * copy.box.height for copy in copies) - anchor * height
    all_lines = tuple(line for copy in copies for line in copy.lines)
    return TypesetText(tallest.lines, all_lines, style, align, valign, Box(x=x, y=y, width=width, height=height))


def merge_growing_copies(copies: Sequence[TypesetText], middle: float | None) -> TypesetText:
    """Merge the copies of a slot in rows of different heights: as high as the shortest copy, from which it grows.

    `middle` is the y of the middle of the slot's drawn cell, if texts are centred in it; others begin at the top.
    """
    shortest = min(copies, key=lambda copy: len(copy.lines))
    merged = merge_copies([replace(copy, lines=copy.lines[: len(shortest.lines)]) for copy in copies])
    height = text_height(shortest.lines, merged.style)
    y = statistics.median(copy.box.y for copy in copies)
    valign: VAlign = "Top"
    if middle is not None:
        valign, y = "Middle", middle - height / 2
    box = Box(x=merged.box.x, y=max(0.0, y), width=merged.box.width, height=height)
    return replace(merged, valign=valign, box=box)


def _common_style(styles: Sequence[TextStyle]) -> TextStyle:
    """The most common style, in the median size to half a point."""
    common = Counter(style.model_copy(update={"size": 0.0}) for style in styles).most_common(1)[0][0]
    size = statistics.median(style.size for style in styles)
    return common.model_copy(update={"size": round(size * 2) / 2})


def _common_valign(copies: Sequence[TypesetText]) -> VAlign:
    """The alignment whose anchor varies least between copies where some have more lines than others."""
    if len({len(copy.lines) for copy in copies}) == 1:
        return Counter(copy.valign for copy in copies).most_common(1)[0][0]
    return min(_Y_ANCHORS, key=lambda name: _range([c.box.y + _Y_ANCHORS[name] * c.box.height for c in copies]))


def _range(values: Sequence[float]) -> float:
    return max(values) - min(values)


def flow(lines: Sequence[str], width: float, style: TextStyle) -> str:
    """Join lines into one text, without line feeds where the engine breaks it the same way in `width` points."""
    if len(lines) > 1 and break_lines(flowing := join_lines(lines), width, style) == list(lines):
        return flowing
    return "\n".join(lines)


def shrink_to_width(text: TypesetText, width: float) -> TypesetText:
    """Reduce the text by half points until every line fits; return it unchanged where that is not enough."""
    size = text.style.size
    while size > text.style.size * MIN_SHRINK:
        style = text.style.model_copy(update={"size": size})
        if whole_width(text.all_lines, style) <= width:
            return _resized(text, style)
        size -= 0.5
    return text


def shrink_to_height(text: TypesetText, height: float) -> TypesetText:
    """Reduce the text by half points until all lines fit; return it unchanged where that is not enough."""
    size = text.style.size
    while size > text.style.size * MIN_SHRINK:
        smaller = _resized(text, text.style.model_copy(update={"size": size}))
        if smaller.height <= height:
            return smaller
        size -= 0.5
    return text


def with_lines_that_fit(text: TypesetText, height: float) -> TypesetText:
    """Return the text with as many of its lines as fit, but one at least: the others come as its row grows."""
    while text.height > height and len(text.lines) > 1:
        lines = text.lines[:-1]
        text = replace(text, lines=lines, box=text.box.model_copy(update={"height": text_height(lines, text.style)}))
    return text


def _resized(text: TypesetText, style: TextStyle) -> TypesetText:
    if style == text.style:
        return text
    scale = style.size / text.style.size
    width, height = text.box.width * scale, text.box.height * scale
    box = Box(
        x=text.box.x + _X_ANCHORS[text.align] * (text.box.width - width),
        y=text.box.y + (text.box.height - height) / 2,
        width=width,
        height=height,
    )
    return replace(text, style=style, box=box)


def valign_in(text: TypesetText, cell: Box) -> TypesetText:
    """Centre the text vertically where it stands in the middle of the cell, else hold it at the nearer edge."""
    offset = text.box.middle[1] - cell.middle[1]
    valign: VAlign = "Middle" if abs(offset) <= CENTRING_TOLERANCE_PT else "Top" if offset < 0 else "Bottom"
    return replace(text, valign=valign)


def align_in(text: TypesetText, cell: Box) -> TypesetText:
    """Align the text horizontally as it stands in the cell."""
    before, after = text.box.x - cell.x, cell.right - text.box.right
    align: Align = "Left" if before < after else "Right"
    if abs(before - after) <= 2 * CENTRING_TOLERANCE_PT:
        align = "Center"
    return replace(text, align=align)
