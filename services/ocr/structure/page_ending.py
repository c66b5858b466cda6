"""What stands below the last row of a table's last page, and the page that it makes with the first one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TypeVar

from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Fill, Grid, Layout, Picture, Repeat, RulingLine, TextLine, TickBox
from bandsmith.shared.model.sheet import SheetCell

from ..page_marks import PageMarks

MAX_RULE_GAP_PT = 12.0
"""Distance from the last row's text to the rule that closes it."""
MAX_RULE_OVERHANG_PT = 24.0
"""Rules farther than this below the last text of an ending do not belong to it."""
MIN_FOOT_GAP_PT = 20.0
"""Space between an ending and the foot of the page."""

_Mark = TypeVar("_Mark", TextLine, Fill, Picture, TickBox)


@dataclass
class Ending:
    """What stands below the last row of a page, apart from its foot."""

    lines: list[TextLine] = field(default_factory=list)
    rules: list[RulingLine] = field(default_factory=list)
    fills: list[Fill] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    tick_boxes: list[TickBox] = field(default_factory=list)
    sheet_cells: list[SheetCell] = field(default_factory=list)
    pictures: int = 0
    """Number of its pictures, which are left out."""
    top: float = 0.0
    """Where the last row ends."""

    @property
    def bottom(self) -> float:
        ends = [line.box.bottom for line in self.lines] + [max(rule.y1, rule.y2) for rule in self.rules]
        return max([self.top, *ends, *(fill.box.bottom for fill in self.fills)])


@dataclass
class JoinedPage:
    """The first page with an ending, which stands between its rows and its foot."""

    size: Size
    marks: PageMarks
    footer_top: float
    """Where the foot of the page begins."""
    footer_shift: float
    """How much lower the foot stands than on the first page."""
    lost_pictures: int


def ending_of(
    page: PageMarks, below: Sequence[TextLine], in_rows: Collection[str], foot: Collection[str], start: float
) -> Ending:
    """Return what stands below the last record."""
    texts = [line.box for line in below if line.id in in_rows]
    last = max((box.bottom for box in texts), default=start)
    lines = [line for line in below if line.id not in in_rows and line.box.middle[1] > last]
    limit = min((line.box.y for line in lines), default=float("inf"))
    edges = [
        rule.y1 for rule in page.rules if rule.horizontal and last - 1 <= rule.y1 <= min(limit, last + MAX_RULE_GAP_PT)
    ]
    top = min(edges, default=last + min(2.0, max(0.0, (limit - last) / 2)))
    if not lines:
        return Ending(top=top)
    bottom = max(line.box.bottom for line in lines)
    rules = [_below(rule, top) for rule in page.rules if rule.id not in foot and max(rule.y1, rule.y2) > top + 1.5]
    return Ending(
        lines=lines,
        rules=[rule for rule in rules if rule.y1 <= bottom + MAX_RULE_OVERHANG_PT],
        fills=[fill for fill in page.fills if fill.id not in foot and fill.box.y > top - 1.5 and fill.box.y < bottom],
        grids=[cut for grid in page.grids if (cut := _grid_below(grid, top))],
        tick_boxes=[one for one in page.tick_boxes if one.box.y > top],
        sheet_cells=[cell for cell in page.sheet_cells if cell.box.middle[1] > top],
        pictures=sum(picture.box.y > top for picture in page.pictures),
        top=top,
    )


def _below(rule: RulingLine, top: float) -> RulingLine:
    return rule if rule.horizontal else rule.model_copy(update={"y1": max(rule.y1, top), "y2": max(rule.y2, top)})


def _grid_below(grid: Grid, top: float) -> Grid | None:
    """Return the part of a grid that lies below a height; None where there is none."""
    cells = [cell for cell in grid.cells if cell.box.y >= top - 2]
    rows = [y for y in grid.rows if y >= top - 2]
    if not cells or len(rows) < 2:
        return None
    skipped = len(grid.rows) - len(rows)
    return grid.model_copy(
        update={
            "box": Box.between(grid.box.x, rows[0], grid.box.right, grid.box.bottom),
            "rows": rows,
            "cells": [cell.model_copy(update={"row": cell.row - skipped}) for cell in cells],
        }
    )


def with_ending(first: Layout, marks: PageMarks, ending: Ending, prefix: str) -> JoinedPage:
    """Return a page that is higher by the ending. The ids of the ending's marks begin with `prefix`."""
    assert first.repeat is not None
    end = _end_of_rows(first.repeat, marks)
    added = round(ending.bottom - ending.top + _usual_gap(first.repeat)) if ending.lines else 0
    down = end - ending.top

    def shift(top: float) -> int:
        """How far what begins at a height of page 1 moves."""
        return added if top >= end - 1 else 0

    return JoinedPage(
        size=Size(width=first.page.width, height=first.page.height + added),
        marks=PageMarks(
            lines=[
                *(_moved(line, shift(line.box.y)) for line in marks.lines),
                *(_moved(line, down, prefix) for line in ending.lines),
            ],
            rules=[
                *(_moved_rule(rule, shift(min(rule.y1, rule.y2) - 2.5)) for rule in marks.rules),
                *(_moved_rule(rule, down, prefix) for rule in ending.rules),
            ],
            fills=[
                *(_moved(fill, shift(fill.box.y)) for fill in marks.fills),
                *(_moved(fill, down, prefix) for fill in ending.fills),
            ],
            pictures=[_moved(picture, shift(picture.box.y)) for picture in marks.pictures],
            grids=[*marks.grids, *(_moved_grid(grid, down, prefix) for grid in ending.grids)],
            tick_boxes=[
                *(_moved(one, shift(one.box.y)) for one in marks.tick_boxes),
                *(_moved(one, down, prefix) for one in ending.tick_boxes),
            ],
            sheet_cells=[
                *(_moved_cell(cell, shift(cell.box.y)) for cell in marks.sheet_cells),
                *(_moved_cell(cell, down) for cell in ending.sheet_cells),
            ],
            paper=marks.paper,
        ),
        footer_top=end + added,
        footer_shift=added,
        lost_pictures=ending.pictures,
    )


def _end_of_rows(repeat: Repeat, marks: PageMarks) -> float:
    """Return where the last row of page 1 ends, with the rule that closes it."""
    closing = [rule.y1 for rule in marks.rules if rule.horizontal and abs(rule.y1 - repeat.box.bottom) <= 3]
    return max([repeat.box.bottom, *closing]) + 0.5


def _usual_gap(repeat: Repeat) -> float:
    """Return the space that keeps the ending apart from the foot."""
    return max(MIN_FOOT_GAP_PT, median([*repeat.heights, repeat.pitch]))


def _moved(mark: _Mark, down: float, prefix: str = "") -> _Mark:
    return mark.model_copy(update={"id": prefix + mark.id, "box": mark.box.moved(0, down)})


def _moved_cell(cell: SheetCell, down: float) -> SheetCell:
    return cell.model_copy(update={"box": cell.box.moved(0, down)})


def _moved_rule(rule: RulingLine, down: float, prefix: str = "") -> RulingLine:
    return rule.model_copy(update={"id": prefix + rule.id, "y1": rule.y1 + down, "y2": rule.y2 + down})


def _moved_grid(grid: Grid, down: float, prefix: str) -> Grid:
    cells = [cell.model_copy(update={"box": cell.box.moved(0, down)}) for cell in grid.cells]
    return grid.model_copy(
        update={
            "id": prefix + grid.id,
            "box": grid.box.moved(0, down),
            "rows": [y + down for y in grid.rows],
            "cells": cells,
            "rules": [prefix + rule for rule in grid.rules],
        }
    )
