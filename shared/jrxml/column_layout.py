"""What stands in the columns of the rows follows them: cells, headers, what is aligned with them above and beneath."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from lxml import etree

from .bands import elements_in
from .borders import borders_of, reborder
from .column_widths import column_edges
from .dom import TEXT_ELEMENTS, content_of, local_name
from .draft import Draft, ElementBox
from .tables import EDGE_TOLERANCE_PT, MAX_RULE_WIDTH_PT, DetailTable, TableColumn, bands_below_rows, column_totals

_FILLS = 0.6
"""A text as wide as this share of its column fills it, and follows both of its edges."""
_NEAR = 4
"""Points within which a text beneath the rows stands at the edge of a column's text."""


@dataclass(frozen=True)
class ColumnShift:
    """Where the columns go: the new slot of each (None is taken out), and the new x of each old edge.

    An edge is told from both sides, for a new column may open there: `left` is where that goes which begins at the
    edge, `right` where that goes which ends at it.
    """

    slots: Sequence[tuple[int, int] | None]
    left: Sequence[int]
    right: Sequence[int]


def shift_columns(draft: Draft, table: DetailTable, change: ColumnShift) -> set[etree._Element]:
    """Let everything that stands in the table's columns follow them; what did."""
    places = {}
    for band, top, bottom in table_bands(table):
        for node in elements_in(band):
            place = draft.box_of(node)
            of_row = (
                2 * (min(place.bottom, bottom + EDGE_TOLERANCE_PT) - max(place.top, top - EDGE_TOLERANCE_PT))
                >= place.height
            )
            if band is table.detail or of_row:
                places[node] = _followed(draft, table, change, node, place)
    for band in (
        *_other_details(draft, table),
        *bands_below_rows(draft),
        *group_header_bands(draft, table),
        *background_bands(draft),
    ):
        moved = {
            node: _followed(draft, table, change, node, place)
            for node in elements_in(band)
            if node not in places and _aligned(draft, table, band, node, place := draft.box_of(node))
        }
        if _collide(draft, band, moved):
            moved = {node: place for node, place in moved.items() if local_name(node) not in TEXT_ELEMENTS}
        places |= moved
    for node, place in places.items():
        draft.set_box(node, place)
    return set(places)


def reorder_columns(draft: Draft, table: DetailTable, order: Sequence[TableColumn], widths: Sequence[int]) -> None:
    """Put the columns of a table into this order, with these widths."""
    borders = borders_of(table)
    edges = column_edges(table.bounds[0], widths)
    slots = {id(column): (edges[n], edges[n + 1]) for n, column in enumerate(order)}
    shift_columns(draft, table, ColumnShift([slots[id(column)] for column in table.columns], edges, edges))
    reborder(borders, order)


def stretch_table(draft: Draft, table: DetailTable, edges: Sequence[int]) -> set[etree._Element]:
    """Give the columns of a table these edges. Return the elements that moved with them."""
    return shift_columns(draft, table, ColumnShift([*pairwise(edges)], edges, edges))


def _collide(draft: Draft, band: etree._Element, moved: Mapping[etree._Element, ElementBox]) -> bool:
    """Whether texts of a band that stood apart would stand one over another."""
    texts = [(draft.box_of(node), moved.get(node, draft.box_of(node))) for node in draft.texts(band)] if moved else []
    return any(
        a[1].overlap_x(b[1]) > 0 < a[1].overlap_y(b[1]) and not a[0].overlap_x(b[0]) > 0 < a[0].overlap_y(b[0])
        for a, b in combinations(texts, 2)
    )


def table_bands(table: DetailTable) -> list[tuple[etree._Element, int, int]]:
    """The bands of the rows and of their headers, with the height that the table takes in them."""
    rows = [(table.detail, table.row.top, table.row.bottom)]
    return rows + ([(table.head, *table.head_row)] if table.head is not None else [])


def _aligned(draft: Draft, table: DetailTable, band: etree._Element, node: etree._Element, place: ElementBox) -> bool:
    """Whether something beneath the rows, or behind them, stands in the table's columns."""
    section = local_name(band.getparent())
    if section in ("summary", "columnFooter", "groupFooter") and place.top >= _depth_of_totals(draft, band, table):
        return False
    if section == "background" and place.bottom <= (draft.band_top(table.detail) or 0):
        return False
    if place.width <= MAX_RULE_WIDTH_PT:
        return table.edge(place.left) is not None
    if table.edge(place.left) is not None and table.edge(place.right) is not None:
        return True
    n = table.slot(place.center_x)
    if n is None or local_name(node) not in TEXT_ELEMENTS:
        return False
    column = table.columns[n]
    within = place.left >= column.left - EDGE_TOLERANCE_PT and place.right <= column.right + EDGE_TOLERANCE_PT
    own = min(abs(place.left - column.place.left), abs(place.right - column.place.right)) <= _NEAR
    return within and (own or node in column_totals(draft, table, column))


def _depth_of_totals(draft: Draft, band: etree._Element, table: DetailTable) -> int:
    """How far down a band beneath the rows what stands in the columns may be: one row, and the rows of totals."""
    totals = [draft.box_of(node).bottom for node in draft.texts(band) if "$V{" in content_of(node)]
    return max(table.row.height, *totals, 1)


def _followed(
    draft: Draft, table: DetailTable, change: ColumnShift, node: etree._Element, place: ElementBox
) -> ElementBox:
    """Where an element goes that stands in the columns."""
    old, last = table.bounds, len(table.bounds) - 1
    if place.right <= old[0] - EDGE_TOLERANCE_PT or place.left >= old[-1] + EDGE_TOLERANCE_PT:
        return place
    if place.width <= MAX_RULE_WIDTH_PT:
        k = table.edge(place.left)
        if k is None:
            n = table.slot(place.left)
            slot = change.slots[n] if n is not None else None
            by = slot[0] - old[n] if slot is not None and n is not None else 0
        else:
            by = (change.right if k == last else change.left)[k] - old[k]
        return place._replace(left=place.left + by, right=place.right + by)
    first = table.slot(max(old[0], min(place.left + EDGE_TOLERANCE_PT, place.center_x)))
    until = table.slot(min(old[-1] - 1, max(place.right - EDGE_TOLERANCE_PT, place.center_x)))
    if first is None or until is None:
        return place
    if first == until:
        slot = change.slots[first]
        return _in_slot(draft, node, place, (old[first], old[first + 1]), slot) if slot is not None else place
    left = place.left if place.left < old[0] - EDGE_TOLERANCE_PT else change.left[first] + place.left - old[first]
    right = (
        place.right
        if place.right > old[-1] + EDGE_TOLERANCE_PT
        else change.right[until + 1] + place.right - old[until + 1]
    )
    return place._replace(left=left, right=max(left + 1, right))


def _in_slot(
    draft: Draft, node: etree._Element, place: ElementBox, old: tuple[int, int], new: tuple[int, int]
) -> ElementBox:
    """The place in a column's new slot: both sides keep their distance, or that to which its words stand."""
    before, after = place.left - old[0], old[1] - place.right
    if place.width >= _FILLS * (old[1] - old[0]) or local_name(node) not in TEXT_ELEMENTS:
        left, right = new[0] + before, new[1] - after
        return place._replace(left=left, right=right) if right > left else place._replace(left=new[0], right=new[1])
    width = min(place.width, new[1] - new[0])
    align = draft.style_of(node).align
    if align == "Right":
        left = new[1] - after - width
    elif align == "Center":
        left = round((new[0] + new[1]) / 2 + place.center_x - (old[0] + old[1]) / 2 - width / 2)
    else:
        left = new[0] + before
    left = max(new[0], min(left, new[1] - width))
    return place._replace(left=left, right=left + width)


def _other_details(draft: Draft, table: DetailTable) -> list[etree._Element]:
    return [band for name, band in draft.bands() if name == "detail" and band is not table.detail]


def group_header_bands(draft: Draft, table: DetailTable) -> list[etree._Element]:
    """Their bands, but for one that holds the columns' headers."""
    return [band for name, band in draft.bands() if name == "groupHeader" and band is not table.head]


def background_bands(draft: Draft) -> list[etree._Element]:
    return [band for name, band in draft.bands() if name == "background"]


def vertical_rules(draft: Draft, band: etree._Element) -> list[tuple[etree._Element, ElementBox]]:
    """The upright lines of a band, also those drawn as thin rectangles."""
    rules = ((node, draft.box_of(node)) for node in elements_in(band) if local_name(node) in ("line", "rectangle"))
    return [(node, place) for node, place in rules if place.width <= MAX_RULE_WIDTH_PT < place.height]
