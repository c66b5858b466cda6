"""The text of a worksheet's cell: how it looks, and whether it spills over, is wrapped or is set smaller."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from bandsmith.shared.fonts import is_cjk, measure
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TextStyle

from .drawing import Align, CellSide, Fragment, Item, lay_out_paragraph
from .font_mapping import match_family, width_share
from .numbers import format_value
from .sheet_colours import hex_colour

_DECIMAL = re.compile(r"-?\d+\.\d+")
_PADDING_PT = 2.0
"""Distance between a cell's edge and its text."""
_MIN_SHRINK = 0.92
"""The share of its size that a text without room keeps at least; a longer one is wrapped."""
_ALIGN: dict[str | None, Align] = {
    "left": "Left",
    "center": "Center",
    "centerContinuous": "Center",
    "right": "Right",
}


class CellText(NamedTuple):
    """A cell's text, laid out."""

    fragment: Fragment
    padding: float
    stays_inside: bool
    """Whether the text ends at the sides of its cell."""
    is_squeezed: bool
    """Whether it is wrapped only because there is no room for it."""


def align_of(cell: Any) -> Align:
    return _ALIGN.get(cell.alignment.horizontal, "Left" if isinstance(cell.value, str) else "Right")


def cell_text(cell: Any, width: float, scale: float, is_crowded: bool) -> CellText | None:
    """Lay out a cell's text in `width` points; None for a cell without text.

    `is_crowded` says that its neighbour is filled, so that it cannot spill over. Excel cuts it off there; here it is
    set smaller or wrapped, so that nothing of it is missing.
    """
    text = format_value(cell.value, cell.number_format)
    if not text:
        return None
    alignment, align = cell.alignment, align_of(cell)
    style = _style(cell, text, scale)
    padding = _PADDING_PT * scale + (alignment.indent or 0) * 6 * scale * (align == "Left")
    wrap = bool(alignment.wrap_text) or "\n" in text
    inner = max(1.0, width - 2 * padding)
    is_number = not isinstance(cell.value, str)
    if is_number and cell.number_format == "General":
        text = _rounded(text, lambda shorter: _advance(shorter, style) <= inner)
    share = inner / max(_advance(text, style), 0.01)
    fits = wrap or share >= 1
    is_squeezed = not fits and is_crowded and not is_number and not alignment.shrink_to_fit and share < _MIN_SHRINK
    if not fits and not is_squeezed and (alignment.shrink_to_fit or is_number or is_crowded):
        style = style.model_copy(update={"size": max(1.0, style.size * share)})
    fragment = lay_out_paragraph([(text, style)], inner, align, wrap=wrap or is_squeezed)
    return CellText(fragment, padding, fits or is_crowded, is_squeezed)


def text_items(cell: Any, box: Box, scale: float, is_crowded: bool, at_top: bool) -> Iterator[Item]:
    """Yield a cell's text, placed as its alignment says, and the sides of the cell that it does not cross.

    `at_top` says that its row is higher than in Excel, so that the texts of the row begin on one line.
    """
    text = cell_text(cell, box.width, scale, is_crowded)
    if text is None:
        return
    free = box.height - text.fragment.height
    down = {"top": 0.0, "center": free / 2}.get("top" if at_top else cell.alignment.vertical, free)
    yield from text.fragment.at(box.x + text.padding, box.y + max(0.0, down))
    if text.stays_inside:
        yield from (CellSide(x, box.y, box.bottom) for x in (box.x, box.right))


def _style(cell: Any, text: str, scale: float) -> TextStyle:
    font = cell.font
    size = (font.sz or 11) * scale
    if not any(map(is_cjk, text)):
        # Columns are as wide as their texts in the document's font, which may be narrower than ours.
        size *= width_share(font.name or "")
    if size != (font.sz or 11) and size > 3:
        # Templates have sizes in half points: a text that is rounded up there would not fit.
        size = math.floor(size * 2) / 2
    return TextStyle(
        family=match_family(font.name or ""),
        size=min(max(size, 1.0), 400.0),
        bold=bool(font.b),
        italic=bool(font.i),
        underline=bool(font.u),
        colour=hex_colour(font.color) or "#000000",
    )


def _advance(text: str, style: TextStyle) -> float:
    return measure(text, style.family, style.size, style.bold, style.italic).advance


def _rounded(text: str, fits: Callable[[str], bool]) -> str:
    """Return a number with as many decimals as its cell shows, as the format General does; all where none helps."""
    if not _DECIMAL.fullmatch(text) or fits(text):
        return text
    decimals = len(text.split(".")[1])
    shorter = (f"{Decimal(text):.{count}f}" for count in range(decimals - 1, -1, -1))
    return next((one for one in shorter if fits(one)), text)
