"""Places on a form that a model names by texts around them, or by edges: print that was not read, and blanks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from PIL import Image

from bandsmith.shared.fonts import measure
from bandsmith.shared.llm.answers.report import AddedAnswer
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, TextLine

from .shown_form import ShownPage

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
MIN_OF_PLACE, MIN_OF_CELL = 0.7, 0.5
"""Shares of a place that is given by its edges, and of the empty cell that it stands for, that both have in common."""
MAX_STRETCH = 12.0
"""Width of a text that was taken for a stroke or a picture, in heights of that."""
MAX_STEPS = 40
"""Places of a text within an area at which the page is looked for its ink."""
MIN_INK, INK_CONTRAST = 0.02, 50
"""Share of a printed place that differs from its ground, and by how many grey levels of 255."""


class NoPlaceError(Exception):
    """A place that cannot be used, with the reason in words for the model."""


def place_of(one: AddedAnswer, texts: Mapping[str, TextLine], page: ShownPage) -> tuple[Box, TextLine]:
    """Return the place, and the text whose look it has. Raises ``NoPlaceError`` where it is none."""
    named = {
        number: texts.get(number) for number in map(str, (one.beside, one.before, one.below)) if number not in ("", "0")
    }
    if unknown := [number for number, line in named.items() if line is None]:
        raise NoPlaceError(f"there is no text with the number {unknown[0]}")
    level, after, column = (texts.get(str(number)) for number in (one.beside, one.before, one.below))
    near = level or after or column
    standing = {number: line for number, line in texts.items() if f"{number}.1" not in texts}  # not what was divided
    if one.at:
        area = _given(one.at, page.layout)
        area = area if one.reads else _as_cell(area, page.layout)
        near = near or min(standing.values(), key=lambda line: _distance(line.box, area))
    elif near is None:
        raise NoPlaceError("there is no text to find it by")
    else:
        area = _free_area(level, after, column, standing.values(), page.layout)
    if one.reads:
        area = _where_printed(one.reads, area, near, page)
    taken = max(standing.items(), key=lambda text: area.overlap(text[1].box))
    if area.overlap(taken[1].box) > MAX_COVERED * area.area:
        raise NoPlaceError(f"text {taken[0]} stands at that place, {_in_words(area)}")
    return area, near


def _free_area(
    level: TextLine | None,
    after: TextLine | None,
    column: TextLine | None,
    texts: Iterable[TextLine],
    layout: Layout,
) -> Box:
    lines = [text for text in texts if text.text]
    area = _before(after, lines, layout) if after is not None and level is None else _area(level, column, lines, layout)
    near = level or after or column
    assert near is not None
    if column is not None and area.width < MIN_WIDTH * near.style.size:
        area = _widened(area, column, lines)
    if area.width < MIN_WIDTH * near.style.size:
        raise NoPlaceError(f"there is no room at these texts: only {max(0.0, area.width):.0f} points are free")
    return area


def _given(at: str, layout: Layout) -> Box:
    """Return a place that is given by its edges."""
    edges = [float(edge) for edge in at.replace(",", " ").split()]
    if len(edges) != len(("left", "top", "right", "bottom")):
        raise NoPlaceError("at: give left, top, right and bottom")
    left, top, right, bottom = edges
    is_on_page = 0 <= left < right <= layout.page.width and 0 <= top < bottom <= layout.page.height
    if not is_on_page:
        raise NoPlaceError("at: that is not a place on the page, as left, top, right and bottom")
    return Box.between(left, top, right, bottom)


def _as_cell(place: Box, layout: Layout) -> Box:
    """Return the empty ruled cell that a place to fill in is meant to be, judged by their common area; or the place."""
    cell = _empty_cell(place, layout)
    if cell is None:
        return place
    common = place.overlap(cell)
    is_meant = common >= MIN_OF_PLACE * place.area and common >= MIN_OF_CELL * cell.area
    return cell if is_meant else place


def _in_words(box: Box) -> str:
    return ",".join(f"{edge:.0f}" for edge in (box.x, box.y, box.right, box.bottom))


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


def _area(level: TextLine | None, column: TextLine | None, lines: Sequence[TextLine], layout: Layout) -> Box:
    if level is not None and column is not None:
        crossing = column.box.model_copy(update={"y": level.box.y, "height": level.box.height})
        cell = _empty_cell(crossing, layout)
        return cell if cell is not None and cell.height <= MAX_CELL_HEIGHT * level.box.height else crossing
    if level is not None:
        return _beside(level, lines, layout)
    assert column is not None
    return _below(column, lines, layout)


def _widened(place: Box, column: TextLine, texts: Iterable[TextLine]) -> Box:
    """Return a place below a heading that is too short for it, widened by half of what is free beside the heading."""
    level = [line.box for line in texts if _is_level(line.box, column.box)]
    left = min((column.box.x - one.right for one in level if one.right <= column.box.x), default=0.0)
    right = min((one.x - column.box.right for one in level if one.x >= column.box.right), default=0.0)
    free = max(0.0, min(left or right, right or left) / 2 - GAP * column.style.size / 2)
    return Box.between(place.x - free, place.y, place.right + free, place.bottom)


def _beside(text: TextLine, lines: Sequence[TextLine], layout: Layout) -> Box:
    """Return what is free to the right of a text: the rest of its cell or the empty cell there, or up to a text."""
    size, box = text.style.size, text.box
    start = box.right + GAP * size
    cell = _cell_at(*box.middle, layout)
    own_end = cell.right - 1 if cell else layout.page.width
    others = [line.box.x for line in lines if _is_level(line.box, box) and line.box.x >= box.right - 1]
    end = min([own_end, *(x - GAP * size for x in others)])
    if cell is not None:
        next_cell = _free_top(Box(x=cell.right + 2, y=box.y, width=1, height=box.height), size, layout)
        if next_cell is not None and next_cell.width > end - start:
            return next_cell
    if cell is None and not others:
        end = max([start, *(line.box.right for line in lines)])
    height = max(box.height, LINE_HEIGHT * size)
    top = box.middle[1] - height / 2
    return Box.between(start, top, end, top + height)


def _before(text: TextLine, lines: Sequence[TextLine], layout: Layout) -> Box:
    """Return what is free to the left of a text: the rest of its cell, or up to the text or the edge there."""
    size, box = text.style.size, text.box
    cell = _cell_at(*box.middle, layout)
    ends = [line.box.right for line in lines if _is_level(line.box, box) and line.box.right <= box.x + 1]
    edge = min(line.box.x for line in lines)
    start = max([cell.x + 1 if cell else edge, *(end + GAP * size for end in ends)])
    height = max(box.height, LINE_HEIGHT * size)
    return Box.between(start, box.middle[1] - height / 2, max(start, box.x - GAP * size), box.middle[1] + height / 2)


def _below(text: TextLine, lines: Sequence[TextLine], layout: Layout) -> Box:
    """Return what is free below a text: the empty cell there, the rest of its own, else a line up to the next text."""
    size, box = text.style.size, text.box
    cell = _cell_at(*box.middle, layout)
    if cell is not None and (empty := _empty_cell(box.moved(0, cell.bottom + 2 - box.y), layout)):
        return empty
    top = box.bottom + GAP * size
    line = Box(x=box.x, y=top, width=box.width, height=LINE_HEIGHT * size)
    others = [one.box.x for one in lines if _is_level(one.box, line) and one.box.x >= box.right]
    edge = cell.right - 1 if cell else max([box.right, *(one.box.right for one in lines)])
    end = min([edge, *(x - GAP * size for x in others)])
    if cell is None:
        return Box.between(box.x, top, end, line.bottom)
    lower = [one.box.y - GAP * size for one in lines if cell.holds(*one.box.middle) and one.box.y >= box.bottom]
    bottom = max(line.bottom, min([cell.bottom - 1, *lower]))
    return Box.between(box.x, top, end, bottom)


def _where_printed(text: str, area: Box, near: TextLine, page: ShownPage) -> Box:
    """Return the part of an area that a text takes: where the page has most ink."""
    style = near.style
    width = min(area.width, measure(text, style.family, style.size, style.bold).advance)
    height = min(area.height, near.box.height)
    left = Box(x=area.x, y=area.middle[1] - height / 2, width=width, height=height)
    spare = area.width - width
    # Of places with as much ink, figures stand at the right, other texts at the left.
    is_figure = text[-1].isdigit() and any(char in ".,%" for char in text)
    steps = [spare * step / MAX_STEPS for step in range(MAX_STEPS + 1)]
    places = [left.moved(x, 0) for x in (reversed(steps) if is_figure else steps)]
    inks = [_ink(page.form, page.layout, place) if page.form else 0.0 for place in places]
    best = max(range(len(places)), key=inks.__getitem__)
    if inks[best] < MIN_INK:
        raise NoPlaceError(f"no print is seen at that place, {_in_words(area)}")
    return places[best]


def _cell_at(x: float, y: float, layout: Layout) -> Box | None:
    return next((cell.box for grid in layout.grids for cell in grid.cells if cell.box.holds(x, y)), None)


def _empty_cell(place: Box, layout: Layout) -> Box | None:
    """Return the ruled cell at a place if nothing is in it."""
    cell = _cell_at(*place.middle, layout)
    return None if cell is None or any(cell.holds(*line.box.middle) for line in layout.lines) else cell


def _free_top(place: Box, size: float, layout: Layout) -> Box | None:
    """Return the ruled cell at a place down to the first text in it, such as a place to sign; None without room."""
    cell = _cell_at(*place.middle, layout)
    inside = [line.box.y for line in layout.lines if cell is not None and cell.holds(*line.box.middle)]
    if cell is None or not inside:
        return cell
    free = Box.between(cell.x, cell.y, cell.right, max(cell.y, min(inside) - GAP * size))
    return free if free.height >= LINE_HEIGHT * size else None


def _is_level(one: Box, other: Box) -> bool:
    return one.level_share(other) > MIN_LEVEL_SHARE


def _ink(form: Image.Image, layout: Layout, place: Box) -> float:
    """Return the share of a place in which the form, in grey, has ink."""
    scale = form.width / layout.page.width
    left, top, right, bottom = (round(edge * scale) for edge in (place.x, place.y, place.right, place.bottom))
    counts = form.crop((left, top, max(right, left + 1), max(bottom, top + 1))).histogram()
    ground = max(range(256), key=counts.__getitem__)
    ink = sum(count for grey, count in enumerate(counts) if abs(grey - ground) > INK_CONTRAST)
    return ink / max(1, sum(counts))
