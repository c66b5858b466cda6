"""Keep a total below the end of its column's numbers when it is written shorter or longer."""

from __future__ import annotations

from lxml import etree

from .bands import elements_in
from .dom import ensure_child, local_name, set_value
from .draft import Draft
from .refusals import EditRefused
from .tables import column_totals, main_table

MAX_OVERHANG_PT = 40
"""How far a number's box may reach beyond its column, with the number itself within it."""


def keep_below_column(draft: Draft, node: etree._Element) -> None:
    """Let a number below a right-aligned column end where the column's numbers end.

    A number that was placed by its left edge would end elsewhere once it is written with fewer or more characters.
    """
    if local_name(node) != "textField" or draft.style_of(node).align in ("Right", "Center"):
        return
    try:
        table = main_table(draft)
    except EditRefused:
        return
    column = next((one for one in table.columns if node in column_totals(draft, table, one)), None)
    if column is None or draft.style_of(column.cell).align != "Right":
        return
    box, cell = draft.box_of(node), draft.box_of(column.cell)
    if abs(box.right - cell.right) > MAX_OVERHANG_PT:
        return
    left = min(box.left, _left_limit(draft, node, cell.left))
    draft.set_box(node, box._replace(left=left, right=cell.right))
    set_value(ensure_child(node, "textElement"), "textAlignment", "Right")
    set_value(ensure_child(node, "box"), "rightPadding", str(draft.style_of(column.cell).padding["right"]))


def _left_limit(draft: Draft, node: etree._Element, wanted: int) -> int:
    """Return how far to the left the number's box may begin: after what stands beside it on the line."""
    box = draft.box_of(node)
    beside = [
        draft.box_of(one).right
        for one in elements_in(draft.band_of(node))
        if one is not node
        and draft.box_of(one).left < box.left
        and draft.box_of(one).top < box.bottom
        and draft.box_of(one).bottom > box.top
        and local_name(one) in ("staticText", "textField")
    ]
    return max([wanted, *beside])
