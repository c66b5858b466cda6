"""Put a new column into the table of the rows: the others make space, and it looks like its neighbour."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from lxml import etree

from .borders import borders_of, reborder
from .clone_style import clone_as_static_text, clone_as_text_field, set_alignment
from .column_layout import ColumnShift, group_header_bands, shift_columns, table_bands, vertical_rules
from .column_widths import (
    MIN_COLUMN_WIDTH_PT,
    column_edges,
    distribute,
    is_number_column,
    min_width,
    sample_value,
    widths_between,
)
from .declarations import NUMBER_CLASSES
from .dom import local_name, report_element, tag
from .draft import Draft
from .element_box import ElementBox
from .geometry import fit_text
from .tables import EDGE_TOLERANCE_PT, DetailTable, RowColumn, bands_below_rows, column_number, text_lines


class NewColumn(NamedTuple):
    """What a new column prints."""

    key: str
    """The key of its cell."""
    label: str
    expression: str
    java_class: str
    pattern: str | None


def insert_column(draft: Draft, table: DetailTable, new: NewColumn, after: str | None) -> etree._Element:
    """Insert a column, as wide as its texts need and the others allow. Return its cell.

    `after` is the field of the column before it; None is the last position, an empty text the first. Raises
    ``EditRefused`` if there is no such column.
    """
    columns = table.columns
    at = _index(columns, after)
    model = _model(draft, columns, at, new.java_class)
    borders, empty = borders_of(table), _cells_below(draft, model)
    rules = _rules_at(draft, table, table.bounds[at])
    edges = _edges_with_column(draft, table, at, _wanted_width(draft, model, new))
    slot = edges[at], edges[at + 1]
    shift = _shift_for(edges, at)
    model_slot = shift.slots[columns.index(model)] or slot
    shift_columns(draft, table, shift)
    for rule in rules:
        _repeat_rule(draft, rule, slot)
    for cell in empty:
        _repeat_empty_cell(draft, cell, slot, f"{new.key}_empty")
    rows = [*bands_below_rows(draft), *group_header_bands(draft, table)]
    _close_gaps(draft, rows, slot, (edges[0], edges[-1]))
    added = _new_column(draft, model, new, slot, model_slot)
    reborder(borders, [*columns[:at], added, *columns[at:]])
    return added.cell


def _index(columns: Sequence[RowColumn], after: str | None) -> int:
    if after is None:
        return len(columns)
    return column_number(columns, after) + 1 if after else 0


def _edges_with_column(draft: Draft, table: DetailTable, at: int, wanted: int) -> list[int]:
    """Return the edges of the table with a new column at index `at`, as wide as wanted if the others allow it."""
    columns = table.columns
    total = table.bounds[-1] - table.bounds[0]
    minima = [min_width(draft, one) for one in columns]
    max_width = max(total - sum(minima), total // (len(columns) + 1))
    width = max(MIN_COLUMN_WIDTH_PT, min(wanted, max_width))
    widths = widths_between(distribute([one.width for one in columns], minima, [0, total - width]))
    return column_edges(table.bounds[0], [*widths[:at], width, *widths[at:]])


def _shift_for(edges: Sequence[int], at: int) -> ColumnShift:
    """Return how the existing columns move when a column opens at index `at`; `edges` include it."""
    slots = [*pairwise(edges)]
    last = len(edges) - 1
    left = [edges[0], *(edges[k if k < at else k + 1] for k in range(1, last))]
    right = [*(edges[k if k <= at else k + 1] for k in range(last - 1)), edges[last]]
    return ColumnShift([*slots[:at], *slots[at + 1 :]], left, right)


def _wanted_width(draft: Draft, model: RowColumn, new: NewColumn) -> int:
    """Return the width that the header and the values need."""
    header = draft.style_of(model.header if model.header is not None else model.cell)
    slack = 2 * MIN_COLUMN_WIDTH_PT
    values = draft.style_of(model.cell).width_of(sample_value(new.java_class, new.pattern))
    return max(header.width_of(new.label), values) + slack


def _rules_at(draft: Draft, table: DetailTable, edge: int) -> list[etree._Element]:
    """Return the vertical rules of the table at one of its edges."""
    return [
        node
        for band in dict.fromkeys(row[0] for row in table_bands(table))
        for node, box in vertical_rules(draft, band)
        if abs(box.left - edge) <= EDGE_TOLERANCE_PT
    ]


def _repeat_empty_cell(draft: Draft, cell: etree._Element, slot: tuple[int, int], key: str) -> None:
    """Put a copy of an empty cell into the new column's slot, unless another text reaches over it."""
    box = draft.box_of(cell)._replace(left=slot[0], right=slot[1])
    others = (draft.box_of(one) for one in draft.texts(draft.band_of(cell)) if one is not cell)
    if any(other.on_same_line(box) and other.overlap_x(box) > EDGE_TOLERANCE_PT for other in others):
        return
    twin = clone_as_static_text(cell, "")
    draft.add_element(cell.getparent(), twin, key)
    draft.set_box(twin, box)


def _repeat_rule(draft: Draft, rule: etree._Element, slot: tuple[int, int]) -> None:
    """Put a copy of a rule at the other side of the new column."""
    box = draft.box_of(rule)
    by = slot[1] - slot[0]
    if abs(box.left - slot[1]) < abs(box.left - slot[0]):
        by = -by
    twin = copy.deepcopy(rule)
    report = report_element(twin)
    for source in report.findall(tag("property")):
        report.remove(source)
    draft.add_element(rule.getparent(), twin, report.get("key") or "rule")
    draft.set_box(twin, box._replace(left=box.left + by, right=box.right + by))


def _model(draft: Draft, columns: Sequence[RowColumn], at: int, java_class: str) -> RowColumn:
    """Return the column that the new one looks like: the nearest with values of its kind, else the nearest."""
    nearest = sorted(range(len(columns)), key=lambda n: abs(n + 0.5 - at))
    alike = [n for n in nearest if is_number_column(draft, columns[n]) == (java_class in NUMBER_CLASSES)]
    near = [n for n in alike if n in (at - 1, at)] or (alike or nearest)
    return columns[near[0]]


def _close_gaps(draft: Draft, bands: Sequence[etree._Element], slot: tuple[int, int], ends: tuple[int, int]) -> None:
    """Make rows of cells that span the table span the new column too: labels grow, values get an empty cell beside."""
    low, high = slot[1] if slot[0] == ends[0] else ends[0], slot[0] if slot[1] == ends[1] else ends[1]
    for band in bands:
        for line in text_lines(draft, band):
            cells = [(node, box) for node, box in line if draft.style_of(node).is_cell]
            first = min((box.left for _, box in cells), default=ends[1])
            last = max((box.right for _, box in cells), default=ends[0])
            over = any(
                box.left < slot[1] - EDGE_TOLERANCE_PT and box.right > slot[0] + EDGE_TOLERANCE_PT for _, box in line
            )
            if over or abs(first - low) > EDGE_TOLERANCE_PT or abs(last - high) > EDGE_TOLERANCE_PT:
                continue
            beside = [(node, box) for node, box in cells if abs(box.right - slot[0]) <= EDGE_TOLERANCE_PT]
            beside += [(node, box) for node, box in cells if abs(box.left - slot[1]) <= EDGE_TOLERANCE_PT]
            node, box = beside[0]
            if local_name(node) == "staticText" or local_name(band.getparent()) == "groupHeader":
                wide = box._replace(left=min(box.left, slot[0]), right=max(box.right, slot[1]))
                draft.set_box(node, wide)
                continue
            empty = clone_as_static_text(node, "")
            draft.add_element(band, empty, f"{report_element(node).get('key') or 'cell'}_empty")
            draft.set_box(empty, box._replace(left=slot[0], right=slot[1]))


def _new_column(
    draft: Draft,
    model: RowColumn,
    new: NewColumn,
    slot: tuple[int, int],
    was: tuple[int, int],
) -> RowColumn:
    """Add the new cell and its header, as far from the sides of their slot as those of the model."""
    cell = clone_as_text_field(model.cell, new.expression, new.pattern)
    if (
        is_number_column(draft, model) != (new.java_class in NUMBER_CLASSES)
        and draft.style_of(model.cell).align != "Center"
    ):
        set_alignment(cell, "Right" if new.java_class in NUMBER_CLASSES else "Left")
    boxes = {node: draft.box_of(node) for node in (model.cell, model.header) if node is not None}
    draft.add_element(model.cell.getparent(), cell, new.key)
    draft.set_box(cell, _moved(boxes[model.cell], was, slot))
    header = None
    if model.header is not None:
        header = clone_as_static_text(model.header, new.label)
        if draft.style_of(model.header).align != "Center":
            set_alignment(header, draft.style_of(cell).align)
        draft.add_element(model.header.getparent(), header, f"{new.key}_header")
        draft.set_box(header, _moved(boxes[model.header], was, slot))
        fit_text(draft, header)
    return RowColumn([cell], draft.box_of(cell), header, *slot)


def _moved(box: ElementBox, was: tuple[int, int], slot: tuple[int, int]) -> ElementBox:
    """Return the box in the slot `slot` that leaves the same distances at its sides as `box` does in `was`."""
    before, after = min(box.left - was[0], MIN_COLUMN_WIDTH_PT), min(was[1] - box.right, MIN_COLUMN_WIDTH_PT)
    return box._replace(left=slot[0] + before, right=slot[1] - after)


def _cells_below(draft: Draft, column: RowColumn) -> list[etree._Element]:
    """Return the cells below the rows that are exactly as wide as a column."""
    return [
        node
        for band in bands_below_rows(draft)
        for node in draft.texts(band)
        if abs(draft.box_of(node).left - column.left) <= 1
        and abs(draft.box_of(node).right - column.right) <= 1
        and draft.style_of(node).is_cell
    ]
