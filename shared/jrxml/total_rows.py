"""Rows of totals below the rows of a table: where they begin, their cells and their labels."""

from __future__ import annotations

import copy
import re

from lxml import etree

from .bands import elements_in
from .clone_style import clone_as_static_text, drop_alternating_style, make_bold, set_alignment
from .dom import content_of, ensure_child, local_name, report_element, set_value, tag
from .draft import Draft
from .element_box import ElementBox
from .row_look import draw_row_rules, header_tint, row_height
from .tables import EDGE_TOLERANCE_PT, DetailTable, RowColumn
from .totals import prints_variable

_ROW_GAP_PT = 4
"""Between rows of totals that have no borders."""
_MAX_AREA_SHARE = 2
"""A filled area of at most this many times a total's height is drawn for its row."""


def is_filler(draft: Draft, node: etree._Element, left: int, right: int) -> bool:
    """Return whether an element is an empty cell that fills a column."""
    box = draft.box_of(node)
    empty = local_name(node) == "staticText" and not content_of(node)
    return empty and abs(box.left - left) <= EDGE_TOLERANCE_PT and abs(box.right - right) <= EDGE_TOLERANCE_PT


def put_total(
    draft: Draft, table: DetailTable, n: int, band: etree._Element, row: ElementBox, total: etree._Element, key: str
) -> None:
    """Put a new value into a row of totals below its column, in bold and aligned as the column is."""
    cell = table.columns[n].cell
    drop_alternating_style(draft.root, total, header_tint(table))
    set_alignment(total, draft.style_of(cell).align)
    make_bold(total)
    for name in ("textAdjust", "isStretchWithOverflow"):
        if value := cell.get(name):
            total.set(name, value)
    box = draft.box_of(cell)
    draft.add_element(band, total, key)
    own, columns = draft.style_of(total), draft.style_of(cell)
    if not own.is_cell:  # no border shows where its box ends: its words end where those above do
        insets = [max(0, columns.padding[side] - own.padding[side]) for side in ("left", "right")]
        box = box._replace(left=box.left + insets[0], right=box.right - insets[1])
    draft.set_box(total, ElementBox(box.left, row.top, box.right, row.bottom))


def split_label(draft: Draft, table: DetailTable, label: etree._Element, column: RowColumn) -> None:
    """Replace what a label's cell covers of a column, and of those to its right, by empty cells."""
    box = draft.box_of(label)
    for one in table.columns[table.columns.index(column) :]:
        if one.left < box.right - EDGE_TOLERANCE_PT:
            empty = clone_as_static_text(label, "")
            draft.add_element(label.getparent(), empty, f"{report_element(one.cell).get('key') or 'cell'}_empty")
            draft.set_box(empty, box._replace(left=one.left, right=min(one.right, box.right)))


def new_total_row(draft: Draft, table: DetailTable, n: int, band: etree._Element, label: str) -> ElementBox:
    """Insert a row of totals below the existing ones, with its label and empty cells. Return its box."""
    columns = table.columns
    height = max(row_height(table), *(line_height(draft, cell) for cell in (columns[0].cell, columns[n].cell)))
    top = end_of_totals(draft, table, band)
    draft.grow_band(band, top, height)
    row = ElementBox(table.bounds[0], top, table.bounds[-1], top + height)
    cells = draft.style_of(columns[n].cell).is_cell
    first = 0
    if label and n > 0:
        span = label_span(draft, table, n, label)
        model = columns[0].cell
        node = clone_as_static_text(model, label)
        drop_alternating_style(draft.root, node, header_tint(table))
        make_bold(node)
        if draft.style_of(model).align != "Left":
            set_alignment(node, "Left" if span > 1 and not cells else "Center")
        left = columns[0].left if cells else draft.box_of(model).left
        right = columns[span - 1].right if cells else draft.box_of(columns[span - 1].cell).right
        draft.add_element(band, node, f"{report_element(columns[n].cell).get('key') or 'total'}_label")
        draft.set_box(node, row._replace(left=left, right=right))
        first = span
    for column in columns[first:] if cells else ():
        if column is not columns[n]:
            empty = clone_as_static_text(column.cell, "")
            drop_alternating_style(draft.root, empty, header_tint(table))
            draft.add_element(band, empty, f"{report_element(column.cell).get('key') or 'cell'}_empty")
            box = draft.box_of(column.cell)
            draft.set_box(empty, row._replace(left=box.left, right=box.right))
    draw_row_rules(draft, table, band, row, inner=True)
    return row


def end_of_totals(draft: Draft, table: DetailTable, band: etree._Element) -> int:
    """Return where the last row of totals ends: at its closing rule or area, else below its texts; 0 if none."""
    texts = {node: draft.box_of(node) for node in draft.texts(band)}
    totals = [box for node, box in texts.items() if prints_variable(node)]
    if not totals:
        return 0
    last = max(totals, key=lambda box: box.bottom)
    end = max(box.bottom for box in texts.values() if box.on_same_line(last))
    closing = [
        box.top
        for node in elements_in(band)
        if local_name(node) == "line"
        and (box := draft.box_of(node)).height <= EDGE_TOLERANCE_PT
        and 2 * box.overlap_x(ElementBox(table.bounds[0], 0, table.bounds[-1], 0)) > table.bounds[-1] - table.bounds[0]
        and end - EDGE_TOLERANCE_PT <= box.top < end + row_height(table)
    ]
    end = min(closing, default=end)
    around = [draft.box_of(node).bottom for node in elements_in(band) if local_name(node) == "rectangle"]
    return max([end, *(bottom for bottom in around if end < bottom <= end + row_height(table))])


def line_height(draft: Draft, cell: etree._Element) -> int:
    """Return the height that one line of text needs in a cell like this."""
    return draft.style_of(cell).height_of("合Tg", draft.page_width)


def label_span(draft: Draft, table: DetailTable, n: int, label: str) -> int:
    """Return how many columns, from the first, a label has to span to stay on one line."""
    wide = draft.style_of(table.columns[0].cell).width_of(label) + 2
    return next((k for k in range(1, n) if table.columns[k - 1].right - table.bounds[0] >= wide), n)


def label_of_total(draft: Draft, total: etree._Element) -> etree._Element | None:
    """Return the fixed text nearest to the left of a total, on its line."""
    box = draft.box_of(total)
    before = [
        (draft.box_of(node).right, node)
        for node in draft.texts(draft.band_of(total))
        if local_name(node) == "staticText"
        and content_of(node)
        and draft.box_of(node).on_same_line(box)
        and draft.box_of(node).center_x < box.left + 1
    ]
    return max(before, key=lambda one: one[0])[1] if before else None


def repeat_total_row(
    draft: Draft, total: etree._Element, label: str, expression: str, key: str, after: etree._Element | None = None
) -> etree._Element:
    """Insert a row that looks like the row of a total, with another label and value. Return its value.

    The new row stands below the row of `after`, which is the total itself if it is left out, and below the area that
    is drawn behind that row alone.
    """
    band = draft.band_of(total)
    old_label = label_of_total(draft, total)
    members = [total, *([old_label] if old_label is not None else []), *_fillers_beside(draft, total)]
    boxes = {node: draft.box_of(node) for node in members}
    height = max(box.bottom for box in boxes.values()) - min(box.top for box in boxes.values())
    is_cell = draft.style_of(total).is_cell
    step = height if is_cell else height + _ROW_GAP_PT
    top = min(box.top for box in boxes.values())
    at = _row_bottom(draft, after if after is not None else total)
    draft.grow_band(band, at, step)
    by = at + (0 if is_cell else _ROW_GAP_PT) - top
    new = None
    for node, box in boxes.items():
        twin = copy.deepcopy(node)
        report = report_element(twin)
        for source in report.findall(tag("property")):
            report.remove(source)
        if node is total:
            new = twin
            set_value(ensure_child(twin, "textFieldExpression"), None, expression)
        elif node is old_label:
            set_value(ensure_child(twin, "text"), None, _with_colon_of(content_of(node), label))
            boxes[node] = _label_box(draft, node, box, content_of(twin), boxes[total])
        draft.add_element(band, twin, key if node is total else f"{key}_{_part_name(node is old_label)}")
        draft.set_box(twin, boxes[node].moved(y=by))
    assert new is not None
    return new


def _part_name(is_label: bool) -> str:
    return "label" if is_label else "empty"


def _fillers_beside(draft: Draft, total: etree._Element) -> list[etree._Element]:
    """Return the empty cells in the row of a total."""
    box = draft.box_of(total)
    return [
        node
        for node in draft.texts(draft.band_of(total))
        if local_name(node) == "staticText" and not content_of(node) and draft.box_of(node).on_same_line(box)
    ]


def _row_bottom(draft: Draft, total: etree._Element) -> int:
    """Return where the row of a total ends: below the lowest of the texts on its line, and the area behind them."""
    box = draft.box_of(total)
    label = label_of_total(draft, total)
    area = area_behind_total(draft, total)
    nodes = [one for one in (label, area) if one is not None]
    return max([box.bottom, *(draft.box_of(one).bottom for one in nodes)])


def area_behind_total(draft: Draft, total: etree._Element) -> etree._Element | None:
    """Return the filled rectangle that is drawn behind the row of a total and no other."""
    box = draft.box_of(total)
    for node in elements_in(draft.band_of(total)):
        area = draft.box_of(node)
        is_low = local_name(node) == "rectangle" and area.height <= _MAX_AREA_SHARE * box.height
        if is_low and area.left <= box.center_x <= area.right and area.on_same_line(box):
            return node
    return None


def _with_colon_of(old: str, label: str) -> str:
    """Return a label that ends in a colon if the old one does, and in no second one."""
    ending = re.search(r"(?<!\s)\s*[:：]\s*$", old)
    return label.rstrip(" :：") + ending[0] if ending else label


def relabel_total(draft: Draft, total: etree._Element, words: str) -> None:
    """Give the label of a total other words, and the width that they need."""
    label = label_of_total(draft, total)
    if label is not None:
        set_value(ensure_child(label, "text"), None, words)
        draft.set_box(label, _label_box(draft, label, draft.box_of(label), words, draft.box_of(total)))


def _label_box(draft: Draft, label: etree._Element, box: ElementBox, words: str, total: ElementBox) -> ElementBox:
    """Return the box that a label with other words needs; it grows to the side that is free."""
    needed = draft.style_of(label).width_of(words) + 2
    if needed <= box.width:
        return box
    if draft.style_of(label).align == "Left" and box.left + needed <= total.left:
        return box._replace(right=box.left + needed)
    right = min(max(box.right, total.left - 2), total.left)
    return box._replace(left=max(0, min(box.left, right - needed)), right=right)
