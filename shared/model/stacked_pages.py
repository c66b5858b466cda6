"""The pages of a document below each other, as one page."""

from __future__ import annotations

from typing import TypeVar

from .base import Value
from .geometry import Box
from .layout import Grid, Layout, Repeat, RulingLine

_Moved = TypeVar("_Moved")
_HEIGHTS: dict[type[Value], tuple[str, ...]] = {RulingLine: ("y1", "y2"), Grid: ("rows",), Repeat: ("tops",)}
"""The numbers that say how far down the page something is."""
_MARKS = ("lines", "rules", "fills", "pictures", "grids", "blocks", "blanks", "tick_boxes")
_OTHERS = ("fixed_tables", "sheet_cells")


def stacked(first: Layout, later: list[Layout]) -> Layout:
    """Return a page as high as all: the first one, and the later ones below it, whose tables are further tables."""
    if not later:
        return first
    below = [moved_down(page, number * first.page.height) for number, page in enumerate(later, 1)]
    marks = {name: [mark for page in (first, *below) for mark in getattr(page, name)] for name in _MARKS + _OTHERS}
    further = [*first.further, *(table for page in below for table in page.tables)]
    size = first.page.model_copy(update={"height": first.page.height * (1 + len(later))})
    return first.model_copy(update={**marks, "page": size, "further": further, "later": []})


def moved_down(value: _Moved, down: float) -> _Moved:
    """Return a layout, or a part of one, that is lower by some points."""
    if isinstance(value, Box):
        return value.moved(0, down)  # type: ignore[return-value]
    if isinstance(value, list):
        return [moved_down(one, down) for one in value]  # type: ignore[return-value]
    if not isinstance(value, Value):
        return value
    heights = _HEIGHTS.get(type(value), ())
    news: dict[str, object] = {}
    for name in type(value).model_fields:
        part = getattr(value, name)
        if name in heights:
            news[name] = [y + down for y in part] if isinstance(part, list) else part + down
        elif isinstance(part, Value | list):
            news[name] = moved_down(part, down)
    return value.model_copy(update=news)
