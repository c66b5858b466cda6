"""Move everything that stands in the columns of a table when its columns move.

Theory of operation
===================

Every column edit (add, delete, move, resize, a page of another width) comes down to one question: the edges of the
columns were here and are now there, so where does each element go? A ``ColumnShift`` states the edges before and after.
An edge has two sides, because a new column may open at it: what begins at the edge may go to another place than what
ends there.

*Which elements follow.* All of the row and of the headers. In other bands (totals, group headers, backgrounds, other
detail bands) only what is aligned with the table: elements from edge to edge, rules at an edge, and texts inside one
column that stand at its text's side or total it. Below the rows a text has to be more than aligned: a total, a number
at the right of a column of numbers, a cell with borders, or the label directly before one of these. A label that stands
in no column keeps its distance to its value. Anything else stays, such as a signature, or the terms of payment that
begin where the first column does. If two texts of a band would then overlap that did not before, the texts of that band
stay too. Where columns change their order and every value of a block of totals keeps its place, the whole block does.

*Where they go* (``_followed``):

- A rule goes with its edge; one inside a column goes with the column's left edge.
- An element inside one column goes to the column's new slot. If it fills the column, both sides keep their distance to
  the edges, so that it grows and shrinks. A narrower text keeps its width and its distance to the side that it is
  aligned to.
- A number that begins left of the column at whose right side it ends goes with that column alone.
- An element over several columns stretches from its first column's new edge to its last one's. Where columns change
  their order, one that begins or ends with the table stretches to the element that it stood beside: the cell of the
  word "Total" ends where the column of the total begins.
- What begins or ends beyond the table keeps that end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from lxml import etree

from .bands import elements_in, section_of
from .borders import borders_of, reborder
from .column_widths import column_edges, is_number_column
from .dom import TEXT_ELEMENTS, content_of, local_name
from .draft import Draft
from .element_box import ElementBox
from .tables import EDGE_TOLERANCE_PT, MAX_RULE_WIDTH_PT, DetailTable, RowColumn, bands_below_rows, column_totals
from .totals import prints_variable

_FILLING_SHARE = 0.6
"""A text fills its column if it is at least this share of its width."""
_BELOW_ROWS = ("summary", "columnFooter", "groupFooter")
"""Sections that hold the totals of the rows, and whatever else follows the table."""
_MAX_LABEL_GAP_PT = 120
"""Maximum distance between a label below the rows and its value."""
_FAR_FROM_LABEL_PT = 40
"""A value that goes farther than this from its label takes the label along."""
_SIDE_TOLERANCE_PT = 4
"""A text below the rows stands at the side of a column's text if it is at most this far from it."""


@dataclass(frozen=True)
class ColumnShift:
    """Where the columns of a table go."""

    slots: Sequence[tuple[int, int] | None]
    """The new left and right edge of each column; None if the column is removed."""
    left: Sequence[int]
    """By old edge: the new x of what begins at it."""
    right: Sequence[int]
    """By old edge: the new x of what ends at it."""

    @property
    def reorders(self) -> bool:
        """Whether the columns change their order, and none is removed."""
        slots = [slot for slot in self.slots if slot is not None]
        return len(slots) == len(self.slots) and slots != sorted(slots)

    def beside(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the new edges of what spans columns up to one end of a table whose columns change their order.

        None where the order stays, where it spans neither end, and where nothing would be left of it.
        """
        slots = [slot for slot in self.slots if slot is not None]
        ends_inside = last < len(slots) - 1
        if not self.reorders or (first > 0) == ends_inside:
            return None
        left, right = (slots[first - 1][1], self.right[-1]) if first else (self.left[0], slots[last + 1][0])
        return (left, right) if left < right else None


def shift_columns(draft: Draft, table: DetailTable, shift: ColumnShift) -> set[etree._Element]:
    """Move everything that stands in the table's columns. Return the elements that followed."""
    boxes = {}
    for band, top, bottom in table_bands(table):
        for node in elements_in(band):
            box = draft.box_of(node)
            overlap = min(box.bottom, bottom + EDGE_TOLERANCE_PT) - max(box.top, top - EDGE_TOLERANCE_PT)
            if band is table.detail or 2 * overlap >= box.height:
                boxes[node] = _followed(draft, table, shift, node, box)
    others = (
        *_other_detail_bands(draft, table), *bands_below_rows(draft), *group_header_bands(draft, table),
        *background_bands(draft),
    )  # fmt: skip
    for band in others:
        aligned = [node for node in elements_in(band) if node not in boxes and _is_aligned(draft, table, band, node)]
        if section_of(band) in _BELOW_ROWS:
            aligned = _of_the_table(draft, table, aligned)
        moved = {node: _followed(draft, table, shift, node, draft.box_of(node)) for node in aligned}
        if section_of(band) in _BELOW_ROWS:
            moved |= _labels_with_values(draft, band, moved, shift.left[0])
            moved = {} if shift.reorders and _totals_stay(draft, band, moved) else moved
        readable = {node: _wide_enough(draft, node, box) for node, box in moved.items()}
        beside = _labels_beside_values(draft, band, moved)
        moved = next((one for one in (readable, beside) if not _texts_collide(draft, band, one)), moved)
        if _texts_collide(draft, band, moved):
            moved = {node: box for node, box in moved.items() if local_name(node) not in TEXT_ELEMENTS}
        boxes |= moved
    for node, box in boxes.items():
        draft.set_box(node, box)
    return set(boxes)


def reorder_columns(draft: Draft, table: DetailTable, order: Sequence[RowColumn], widths: Sequence[int]) -> None:
    """Put the columns of a table into this order, with these widths."""
    borders = borders_of(table)
    edges = column_edges(table.bounds[0], widths)
    slots = {id(column): (edges[n], edges[n + 1]) for n, column in enumerate(order)}
    shift_columns(draft, table, ColumnShift([slots[id(column)] for column in table.columns], edges, edges))
    reborder(borders, order)


def stretch_table(draft: Draft, table: DetailTable, edges: Sequence[int]) -> set[etree._Element]:
    """Give the columns of a table these edges. Return the elements that followed."""
    return shift_columns(draft, table, ColumnShift([*pairwise(edges)], edges, edges))


# --- bands -----------------------------------------------------------------------------------------------------------


def table_bands(table: DetailTable) -> list[tuple[etree._Element, int, int]]:
    """Return the bands of the rows and of the headers, with top and bottom of the table in each."""
    rows = [(table.detail, table.row.top, table.row.bottom)]
    return rows + ([(table.head, *table.head_row)] if table.head is not None else [])


def _other_detail_bands(draft: Draft, table: DetailTable) -> list[etree._Element]:
    return [band for name, band in draft.bands() if name == "detail" and band is not table.detail]


def group_header_bands(draft: Draft, table: DetailTable) -> list[etree._Element]:
    """Return the bands of group headers, except one that holds the headers of the columns."""
    return [band for name, band in draft.bands() if name == "groupHeader" and band is not table.head]


def background_bands(draft: Draft) -> list[etree._Element]:
    return [band for name, band in draft.bands() if name == "background"]


def vertical_rules(draft: Draft, band: etree._Element) -> list[tuple[etree._Element, ElementBox]]:
    """Return the vertical lines of a band, including those drawn as thin rectangles, each with its box."""
    drawn = ((node, draft.box_of(node)) for node in elements_in(band) if local_name(node) in ("line", "rectangle"))
    return [(node, box) for node, box in drawn if box.width <= MAX_RULE_WIDTH_PT < box.height]


# --- which elements follow -------------------------------------------------------------------------------------------


def _is_aligned(draft: Draft, table: DetailTable, band: etree._Element, node: etree._Element) -> bool:
    """Whether an element outside the rows and headers is aligned with the table's columns."""
    section, box = section_of(band), draft.box_of(node)
    if section in _BELOW_ROWS and box.top >= _totals_bottom(draft, band, table):
        return False
    if section == "background" and box.bottom <= (draft.band_top(table.detail) or 0):
        return False
    if box.width <= MAX_RULE_WIDTH_PT:
        return table.edge(box.left) is not None
    if table.edge(box.left) is not None and table.edge(box.right) is not None:
        return True
    if _column_of_wide_number(draft, table, node, box) is not None:
        return True
    n = table.slot(box.center_x)
    if n is None or local_name(node) not in TEXT_ELEMENTS:
        return False
    column = table.columns[n]
    inside = box.left >= column.left - EDGE_TOLERANCE_PT and box.right <= column.right + EDGE_TOLERANCE_PT
    distance = min(abs(box.left - column.box.left), abs(box.right - column.box.right))
    return inside and (distance <= _SIDE_TOLERANCE_PT or node in column_totals(draft, table, column))


def _column_of_wide_number(draft: Draft, table: DetailTable, node: etree._Element, box: ElementBox) -> int | None:
    """Return the column at whose right side a number ends that begins left of it, with room for a larger total."""
    n = table.slot(box.right - EDGE_TOLERANCE_PT)
    style = draft.style_of(node)
    if n is None or local_name(node) != "textField" or style.align != "Right" or style.is_cell:
        return None
    column = table.columns[n]
    ends_there = abs(box.right - column.box.right) <= _SIDE_TOLERANCE_PT
    begins_before = box.left < column.left - EDGE_TOLERANCE_PT and table.edge(box.left) is None
    return n if ends_there and begins_before and is_number_column(draft, column) else None


def _of_the_table(draft: Draft, table: DetailTable, aligned: Sequence[etree._Element]) -> list[etree._Element]:
    """Return what of the aligned elements below the rows belongs to the table, and not only begins where it does."""
    texts = [node for node in aligned if local_name(node) in TEXT_ELEMENTS]
    own = {node for node in texts if _is_of_a_column(draft, table, node)}
    labels = {node for node in texts if any(_is_label_of(draft, node, value) for value in own)}
    return [node for node in aligned if node not in texts or node in own or node in labels]


def _is_of_a_column(draft: Draft, table: DetailTable, node: etree._Element) -> bool:
    """Whether a text below the rows is a total, a cell, or a number at the right of a column of numbers."""
    style, box = draft.style_of(node), draft.box_of(node)
    fills_columns = table.edge(box.left) is not None and table.edge(box.right) is not None
    if prints_variable(node) or style.is_cell or fills_columns:
        return True
    n = table.slot(box.center_x)
    if n is None or local_name(node) != "textField" or not is_number_column(draft, table.columns[n]):
        return False
    return abs(box.right - table.columns[n].box.right) <= _SIDE_TOLERANCE_PT


def _totals_stay(draft: Draft, band: etree._Element, moved: Mapping[etree._Element, ElementBox]) -> bool:
    """Whether no value below the rows moves with its column, in a band without cells or vertical rules.

    The labels and areas of such a block stand beside its values, whatever column is above them.
    """
    nodes = [*moved, *draft.texts(band)]
    if vertical_rules(draft, band) or any(draft.style_of(n).is_cell for n in nodes if local_name(n) in TEXT_ELEMENTS):
        return False
    fields = [node for node in moved if local_name(node) == "textField"]
    values = [node for node in fields if prints_variable(node)] or fields
    return bool(values) and all(moved[node] == draft.box_of(node) for node in values)


def _is_label_of(draft: Draft, label: etree._Element, value: etree._Element) -> bool:
    """Whether a text stands directly before a value: in its line, with no other text between."""
    before, box = draft.box_of(label), draft.box_of(value)
    if label is value or before.right > box.left + EDGE_TOLERANCE_PT or 2 * before.overlap_y(box) < before.height:
        return False
    others = (draft.box_of(node) for node in draft.texts(label.getparent()) if node is not label and node is not value)
    return not any(one.overlap_y(box) > 0 and before.left < one.left < box.left for one in others)


def _totals_bottom(draft: Draft, band: etree._Element, table: DetailTable) -> int:
    """Return how far down a band below the rows can belong to the table: one row, or down to its last total."""
    totals = [draft.box_of(node).bottom for node in draft.texts(band) if prints_variable(node)]
    return max(table.row.height, *totals, 1)


def _texts_collide(draft: Draft, band: etree._Element, moved: Mapping[etree._Element, ElementBox]) -> bool:
    """Whether texts of a band that did not overlap would overlap after the move."""
    texts = [(draft.box_of(node), moved.get(node, draft.box_of(node))) for node in draft.texts(band)] if moved else []
    return any(_overlap(a[1], b[1]) and not _overlap(a[0], b[0]) for a, b in combinations(texts, 2))


def _wide_enough(draft: Draft, node: etree._Element, box: ElementBox) -> ElementBox:
    """Return the new box of an element, grown to the left if its words fitted the old box and do not fit this one."""
    if local_name(node) != "staticText" or draft.style_of(node).is_cell:
        return box
    needed = draft.style_of(node).width_of(content_of(node)) + 1
    if box.width >= needed or draft.box_of(node).width < needed:
        return box
    return box._replace(left=max(0, box.right - needed))


def _labels_beside_values(
    draft: Draft, band: etree._Element, moved: Mapping[etree._Element, ElementBox]
) -> dict[etree._Element, ElementBox]:
    """Return the new boxes; a free label that a value would come to overlap goes with it, and ends before it."""
    found = dict(moved)
    values = [(draft.box_of(node), box) for node, box in moved.items() if local_name(node) == "textField"]
    for label in [one for one in draft.texts(band) if local_name(one) == "staticText"]:
        old = draft.box_of(label)
        box = moved.get(label, old)
        reached = [new.left for was, new in values if _overlap(box, new) and not _overlap(old, was)]
        if reached and not draft.style_of(label).is_cell:
            found[label] = box.moved(x=max(-box.left, min(reached) - box.right))
    return found


def _labels_with_values(
    draft: Draft, band: etree._Element, moved: Mapping[etree._Element, ElementBox], start: int
) -> dict[etree._Element, ElementBox]:
    """Return the new boxes of free labels that stand in no column, or whose value went to another one: they keep their
    distance to the values that they name.

    A label stays where its line has no space for it right of `start`, or where another text stands.
    """
    found: dict[etree._Element, ElementBox] = {}
    for label in draft.texts(band):
        old = draft.box_of(label)
        if local_name(label) != "staticText" or draft.style_of(label).is_cell:
            continue
        for value, new in moved.items():
            was = draft.box_of(value)
            is_near = local_name(value) == "textField" and was.left - old.right <= _MAX_LABEL_GAP_PT
            box, gap = moved.get(label, old), was.left - old.right
            reach = _FAR_FROM_LABEL_PT if label in moved else 0
            stands_well = gap - reach - EDGE_TOLERANCE_PT <= new.left - box.right <= gap + reach
            if not is_near or stands_well or not _is_label_of(draft, label, value):
                continue
            box = old.moved(x=new.left - was.left)
            if box.left >= start and not _texts_collide(draft, band, {**moved, **found, label: box}):
                found[label] = box
            break
    return found


def _overlap(a: ElementBox, b: ElementBox) -> bool:
    return a.overlap_x(b) > 0 and a.overlap_y(b) > 0


# --- where they go ---------------------------------------------------------------------------------------------------


def _followed(
    draft: Draft, table: DetailTable, shift: ColumnShift, node: etree._Element, box: ElementBox
) -> ElementBox:
    """Return the new box of an element that follows the columns."""
    edges = table.bounds
    if box.right <= edges[0] - EDGE_TOLERANCE_PT or box.left >= edges[-1] + EDGE_TOLERANCE_PT:
        return box
    if box.width <= MAX_RULE_WIDTH_PT:
        return _followed_rule(table, shift, box)
    first = table.slot(max(edges[0], min(box.left + EDGE_TOLERANCE_PT, box.center_x)))
    last = table.slot(min(edges[-1] - 1, max(box.right - EDGE_TOLERANCE_PT, box.center_x)))
    if (ended := _column_of_wide_number(draft, table, node, box)) is not None:
        first = last = ended
    if first is None or last is None:
        return box
    if first == last:
        slot = shift.slots[first]
        if slot is None:  # what is left of a removed column keeps its distance to the column that follows
            return box.moved(x=max(shift.left[first + 1] - edges[first + 1], min(0, edges[0] - box.left)))
        return _in_slot(draft, node, box, (edges[first], edges[first + 1]), slot)
    left, right = box.left, box.right
    if box.left >= edges[0] - EDGE_TOLERANCE_PT:
        left = shift.left[first] + box.left - edges[first]
    if box.right <= edges[-1] + EDGE_TOLERANCE_PT:
        right = shift.right[last + 1] + box.right - edges[last + 1]
    beside = shift.beside(first, last)
    if beside is not None and _has_neighbour(draft, node, box, at_left=first > 0):
        left, right = (beside[0], right) if first else (left, beside[1])
    return box._replace(left=left, right=max(left + 1, right))


def _has_neighbour(draft: Draft, node: etree._Element, box: ElementBox, *, at_left: bool) -> bool:
    """Whether another element of the band ends where this one begins, or begins where it ends."""
    others = (draft.box_of(one) for one in elements_in(node.getparent()) if one is not node)
    ends = ((one.right - box.left) if at_left else (one.left - box.right) for one in others if one.overlap_y(box) > 0)
    return any(abs(distance) <= EDGE_TOLERANCE_PT for distance in ends)


def _followed_rule(table: DetailTable, shift: ColumnShift, box: ElementBox) -> ElementBox:
    edges = table.bounds
    k = table.edge(box.left)
    if k is not None:
        by = (shift.right if k == len(edges) - 1 else shift.left)[k] - edges[k]
    else:
        n = table.slot(box.left)
        slot = shift.slots[n] if n is not None else None
        by = slot[0] - edges[n] if slot is not None and n is not None else 0
    return box._replace(left=box.left + by, right=box.right + by)


def _in_slot(
    draft: Draft, node: etree._Element, box: ElementBox, old: tuple[int, int], new: tuple[int, int]
) -> ElementBox:
    """Return the box of an element inside one column, whose slot goes from `old` to `new`."""
    before, after = box.left - old[0], old[1] - box.right
    if box.width >= _FILLING_SHARE * (old[1] - old[0]) or local_name(node) not in TEXT_ELEMENTS:
        left, right = new[0] + before, new[1] - after
        return box._replace(left=left, right=right) if right > left else box._replace(left=new[0], right=new[1])
    width = min(box.width, new[1] - new[0])
    align = draft.style_of(node).align
    # What was read off a form is often as wide as its text, with no alignment: its side is the one that it stands at.
    if align == "Right" or (align == "Left" and after <= _SIDE_TOLERANCE_PT < before):
        left = new[1] - after - width
    elif align == "Center":
        left = round((new[0] + new[1]) / 2 + box.center_x - (old[0] + old[1]) / 2 - width / 2)
    else:
        left = new[0] + before
    left = max(new[0], min(left, new[1] - width))
    return box._replace(left=left, right=left + width)
