"""Places on a form that a model names by the texts beside and above them: print that was not read, and blanks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PIL import Image

from bandsmith.shared.fonts import measure
from bandsmith.shared.llm.answers.report import AddedAnswer
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, TextLine

GAP = 0.4
"""Distance of a place from the text that it is named by, in font sizes."""
MIN_WIDTH, LINE_HEIGHT = 2.0, 1.2
"""Least width of a place, and its height, in font sizes."""
MAX_CELL_HEIGHT = 4.0
"""A higher cell, in heights of a text's ink, holds several lines: rules between them were not seen."""
MIN_LEVEL_SHARE = 0.3
"""Share of the lower of two texts that is level with the other one if they stand on one line."""
MAX_COVERED = 0.2
"""Share of a place that another text may cover."""
MAX_STRETCH = 12.0
"""Width of a text that was taken for a stroke or a picture, in heights of that."""
MIN_INK, INK_CONTRAST = 0.02, 50
"""Share of a printed place that differs from its ground, and by how many grey levels of 255."""


def place_of(one: AddedAnswer, texts: Mapping[str, TextLine], layout: Layout) -> Box | None:
    """Return the place; None where a text is missing, the place is not free or too narrow."""
    level, after, column = (texts.get(str(number)) for number in (one.beside, one.before, one.below))
    if (one.beside and level is None) or (one.before and after is None) or (one.below and column is None):
        return None
    near = level or after or column
    area = _before(after, layout) if after is not None and level is None else _area(level, column, layout)
    if area is None or near is None:
        return None
    if column is not None and area.width < MIN_WIDTH * near.style.size:
        area = _widened(area, column, layout)
    if area.width < MIN_WIDTH * near.style.size:
        return None
    if one.reads:
        area = _printed(one.reads, area, near)
    covered = max((area.overlap(line.box) for line in texts.values()), default=0.0)
    return area if covered <= MAX_COVERED * area.area else None


def print_at(mark: Box, reads: str, texts: Iterable[TextLine]) -> TextLine | None:
    """Return the text that a mark of another kind is, in the look of the nearest one; None on a page without texts."""
    near = min(texts, key=lambda line: _distance(line.box, mark), default=None)
    if near is None:
        return None
    style = near.style
    width = max(
        mark.width, min(MAX_STRETCH * mark.height, measure(reads, style.family, style.size, style.bold).advance)
    )
    x, y = mark.middle
    height = max(mark.height, 0.5 * style.size)
    box = Box(x=x - width / 2, y=y - height / 2, width=width, height=height)
    return near.model_copy(update={"text": reads, "box": box})


def _distance(one: Box, other: Box) -> float:
    """Return how far the middles of two boxes are apart; along a line counts a quarter."""
    return abs(one.middle[1] - other.middle[1]) + abs(one.middle[0] - other.middle[0]) / 4


def _area(level: TextLine | None, column: TextLine | None, layout: Layout) -> Box | None:
    if level is not None and column is not None:
        crossing = column.box.model_copy(update={"y": level.box.y, "height": level.box.height})
        cell = _empty_cell(crossing, layout)
        is_one_line = cell is not None and cell.height <= MAX_CELL_HEIGHT * level.box.height
        return cell if is_one_line else crossing
    if level is not None:
        return _beside(level, layout)
    return _below(column, layout) if column is not None else None


def _widened(place: Box, column: TextLine, layout: Layout) -> Box:
    """Return a place below a heading that is too short for it, widened by half of what is free beside the heading."""
    level = [line.box for line in layout.lines if _is_level(line.box, column.box)]
    left = min((column.box.x - one.right for one in level if one.right <= column.box.x), default=0.0)
    right = min((one.x - column.box.right for one in level if one.x >= column.box.right), default=0.0)
    free = max(0.0, min(left or right, right or left) / 2 - GAP * column.style.size / 2)
    return Box.between(place.x - free, place.y, place.right + free, place.bottom)


def _beside(text: TextLine, layout: Layout) -> Box | None:
    """Return what is free to the right of a text: the rest of its cell or the empty cell there, or up to a text."""
    size, box = text.style.size, text.box
    start = box.right + GAP * size
    cell = _cell_at(*box.middle, layout)
    own_end = cell.right - 1 if cell else layout.page.width
    others = [line.box.x for line in layout.lines if _is_level(line.box, box) and line.box.x >= box.right - 1]
    end = min([own_end, *(x - GAP * size for x in others)])
    if cell is not None:
        next_cell = _empty_cell(Box(x=cell.right + 2, y=box.y, width=1, height=box.height), layout)
        if next_cell is not None and next_cell.width > end - start:
            return next_cell
    if cell is None and not others:
        end = max([start, *(line.box.right for line in layout.lines)])
    height = max(box.height, LINE_HEIGHT * size)
    top = box.middle[1] - height / 2
    return Box.between(start, top, end, top + height)


def _before(text: TextLine, layout: Layout) -> Box:
    """Return what is free to the left of a text: the rest of its cell, or up to the text or the edge there."""
    size, box = text.style.size, text.box
    cell = _cell_at(*box.middle, layout)
    ends = [line.box.right for line in layout.lines if _is_level(line.box, box) and line.box.right <= box.x + 1]
    edge = min(line.box.x for line in layout.lines)
    start = max([cell.x + 1 if cell else edge, *(end + GAP * size for end in ends)])
    height = max(box.height, LINE_HEIGHT * size)
    return Box.between(start, box.middle[1] - height / 2, max(start, box.x - GAP * size), box.middle[1] + height / 2)


def _below(text: TextLine, layout: Layout) -> Box | None:
    """Return what is free below a text: the empty cell there, else a line of its width or up to the next text."""
    size, box = text.style.size, text.box
    cell = _cell_at(*box.middle, layout)
    if cell is not None and (empty := _empty_cell(box.moved(0, cell.bottom + 2 - box.y), layout)):
        return empty
    top = box.bottom + GAP * size
    line = Box(x=box.x, y=top, width=box.width, height=LINE_HEIGHT * size)
    others = [one.box.x for one in layout.lines if _is_level(one.box, line) and one.box.x >= box.right]
    ends = [one.box.right for one in layout.lines]
    end = min([max([box.right, *ends]), *(x - GAP * size for x in others)])
    return Box.between(box.x, top, min(end, cell.right - 1) if cell else end, line.bottom)


def _printed(text: str, area: Box, near: TextLine) -> Box:
    """Return the part of an area that a text takes: figures stand at its right, other texts at its left."""
    style = near.style
    width = min(area.width, measure(text, style.family, style.size, style.bold).advance)
    height = min(area.height, near.box.height)
    is_figure = text[-1].isdigit() and any(char in ".,%" for char in text)
    x = area.right - width if is_figure else area.x
    return Box(x=x, y=area.middle[1] - height / 2, width=width, height=height)


def _cell_at(x: float, y: float, layout: Layout) -> Box | None:
    return next((cell.box for grid in layout.grids for cell in grid.cells if cell.box.holds(x, y)), None)


def _empty_cell(place: Box, layout: Layout) -> Box | None:
    """Return the ruled cell at a place if nothing is in it."""
    cell = _cell_at(*place.middle, layout)
    return None if cell is None or any(cell.holds(*line.box.middle) for line in layout.lines) else cell


def _is_level(one: Box, other: Box) -> bool:
    return one.level_share(other) > MIN_LEVEL_SHARE


def is_printed(form: Image.Image, layout: Layout, place: Box) -> bool:
    """Whether the form, in grey, has ink at a place."""
    scale = form.width / layout.page.width
    left, top, right, bottom = (round(edge * scale) for edge in (place.x, place.y, place.right, place.bottom))
    counts = form.crop((left, top, max(right, left + 1), max(bottom, top + 1))).histogram()
    ground = max(range(256), key=counts.__getitem__)
    ink = sum(count for grey, count in enumerate(counts) if abs(grey - ground) > INK_CONTRAST)
    return ink >= MIN_INK * sum(counts)
