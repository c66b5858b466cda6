"""The look of new rows: the height and the rules of the table's rows, and a tint of its headers."""

from __future__ import annotations

import copy
import re

from lxml import etree

from ..colours import channels
from .bands import elements_in
from .dom import int_attribute, local_name, report_element
from .draft import Draft
from .element_box import ElementBox
from .tables import EDGE_TOLERANCE_PT, MAX_RULE_WIDTH_PT, MIN_TABLE_SHARE, DetailTable

_MAX_DARK_SUM = 384
"""A colour is dark if its red, green and blue add up to less."""
_TINT_OF_DARK, _TINT_OF_LIGHT = 0.13, 0.6
"""How much of a header's background a tint keeps."""


def row_height(table: DetailTable) -> int:
    return max(1, min(table.row.height, int_attribute(table.detail, "height")))


def header_tint(table: DetailTable) -> str | None:
    """Return a light tint of the headers' background; None if they have none."""
    headers = [report_element(column.header) for column in table.columns if column.header is not None]
    colour = next((one.get("backcolor", "") for one in headers if one.get("mode") == "Opaque"), "")
    if not re.fullmatch(r"#[0-9A-Fa-f]{6}", colour):
        return None
    parts = channels(colour)
    share = _TINT_OF_DARK if sum(parts) < _MAX_DARK_SUM else _TINT_OF_LIGHT
    return "#" + "".join(f"{round(255 - share * (255 - part)):02X}" for part in parts)


def draw_row_rules(draft: Draft, table: DetailTable, band: etree._Element, row: ElementBox, inner: bool) -> None:
    """Draw around a new row the rules that the detail rows have; with `inner` also those between the cells."""
    detail_height = int_attribute(table.detail, "height")
    for line in [node for node in elements_in(table.detail) if local_name(node) == "line"]:
        box = draft.box_of(line)
        if box.width <= MAX_RULE_WIDTH_PT < box.height:
            distance = min(abs(box.left - table.bounds[0]), abs(box.left - table.bounds[-1]))
            if not inner and distance > EDGE_TOLERANCE_PT:
                continue
            box = box._replace(top=row.top, bottom=row.bottom)
        elif box.width >= MIN_TABLE_SHARE * (table.bounds[-1] - table.bounds[0]):
            by = row.bottom - detail_height if box.top > detail_height / 2 else row.top
            box = box._replace(top=box.top + by, bottom=box.bottom + by)
        else:
            continue
        twin = copy.deepcopy(line)
        report = report_element(twin)
        for source in [*report]:
            report.remove(source)
        draft.add_element(band, twin, report.get("key") or "rule")
        draft.set_box(twin, box)
