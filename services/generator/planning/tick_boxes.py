"""Boxes to tick: Boolean values that are printed as a square, with a cross where they are true."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.fonts import DEFAULT_FAMILY
from bandsmith.shared.model.layout import TickBox
from bandsmith.shared.model.plan import Borders, Font, Pen, TextField

from .element_boxes import PaddedBox, whole_points
from .page_builder import PageBuilder
from .regions import Region

CROSS = "X"
CROSS_SIZE = 0.8
"""Size of the cross, as a share of the height of its box."""
PEN = Pen(width=0.75)


def plan_tick_boxes(boxes: Sequence[TickBox], page: PageBuilder) -> None:
    """Plan the boxes of a page: one for each outside the rows, one field for those at the same place of every row."""
    columns: dict[tuple[Region, int, int], list[TickBox]] = {}
    for box in boxes:
        region = page.region_at(box.box.middle[1])
        if region is None or region.band != "detail":
            name = page.declare_parameter("tick", box.ticked, box.label)
            page.add(_field(f"$P{{{name}}}", box, whole_points(box.box)), region)
            continue
        row = region.row_of(box.box.middle[1])
        key = (region, round(box.box.x / 3), round((box.box.y - region.row_top(row)) / 3))
        columns.setdefault(key, []).append(box)
    for (region, *_), column in columns.items():
        _plan_column(column, region, page)


def _plan_column(column: Sequence[TickBox], region: Region, page: PageBuilder) -> None:
    """Plan the boxes that stand at the same place of the rows."""
    ticked: list[bool | None] = [False] * (region.rows + region.continued)
    for box in column:
        ticked[region.row_of(box.box.middle[1])] = box.ticked
    name = page.declare_field("tick", ticked, region, column[0].label)
    first = column[0]
    area = region.in_row(first.box, region.row_of(first.box.middle[1]))
    page.add(_field(f"$F{{{name}}}", first, whole_points(area)), region, in_row=True)


def _field(reference: str, box: TickBox, area: PaddedBox) -> TextField:
    return TextField(
        key="", source=box.id, expression=f'{reference} != null && {reference} ? "{CROSS}" : ""',
        font=Font(family=DEFAULT_FAMILY, size=max(4.0, round(2 * CROSS_SIZE * area.height) / 2), bold=True),
        align="Center", valign="Middle", borders=Borders(top=PEN, left=PEN, bottom=PEN, right=PEN),
        x=area.x, y=area.y, width=area.width, height=area.height,
    )  # fmt: skip
