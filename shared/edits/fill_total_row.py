"""Give a row of totals one background from side to side of the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.cells import total_cells
from ..jrxml.dom import local_name, new_node, report_element
from ..jrxml.draft import Draft
from ..jrxml.element_box import ElementBox
from ..jrxml.labels import TemplateLabels
from ..jrxml.placement import put_behind
from ..jrxml.refusals import EditRefused, value_refused
from ..jrxml.tables import MIN_TABLE_SHARE, bands_below_rows, main_table
from ..jrxml.text_styles import readable_on
from ..jrxml.totals import prints_variable
from ..replies import Text
from .base import Edit, EditClause

KEY = "total_background"
_NEAR_ROWS_PT = 8
"""A row of totals that begins so close to the top of its band is filled up to it."""
_MAX_AREA_SHARE = 2
"""A filled area of at most this many times the row's height is the row's own background."""
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


class FillTotalRow(Edit):
    """Give a row of totals one background without gaps, from side to side of the table."""

    do: Literal["total_background"] = "total_background"
    colour: str
    element: str | None = None
    """A text of the row; null is every row of totals."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if not _COLOUR.fullmatch(self.colour):
            raise value_refused("colour", self.colour)
        before = draft.bytes()
        rows = list(self._rows(draft))
        if not rows:
            raise EditRefused("kind", Text.of("edits.set_borders.no_totals"))
        for band, texts in rows:
            self._fill(draft, band, texts)
        return draft.bytes() != before

    def _rows(self, draft: Draft) -> Iterator[tuple[etree._Element, list[etree._Element]]]:
        """Yield the texts of each row that is meant, with their band."""
        named = total_cells(draft) if self.element is None else [draft.require_element(self.element)]
        seen: set[etree._Element] = set()
        for node in named:
            band = draft.band_of(node)
            if node in seen or band not in bands_below_rows(draft):
                continue
            row = [one for one in draft.texts(band) if draft.box_of(one).on_same_line(draft.box_of(node))]
            seen.update(row)
            yield band, row

    def _fill(self, draft: Draft, band: etree._Element, texts: list[etree._Element]) -> None:
        boxes = [draft.box_of(node) for node in texts]
        top, bottom = min(box.top for box in boxes), max(box.bottom for box in boxes)
        for node in texts:
            if report_element(node).get("mode") == "Opaque":
                report_element(node).set("backcolor", self.colour)
        area = _area_behind(draft, band, texts, bottom - top)
        if area is None:
            area = self._new_area(draft, band)
            draft.set_box(area, _row_box(draft, band, top, bottom))
        report_element(area).attrib.update({"mode": "Opaque", "backcolor": self.colour})
        for node in texts:
            letters = draft.style_of(node).colour
            if draft.box_of(node).overlap_x(draft.box_of(area)) > 0 and readable_on(letters, self.colour) != letters:
                report_element(node).set("forecolor", readable_on(letters, self.colour))

    @staticmethod
    def _new_area(draft: Draft, band: etree._Element) -> etree._Element:
        area = new_node("rectangle")
        area.append(new_node("reportElement"))
        graphic = new_node("graphicElement")
        graphic.append(new_node("pen", lineWidth="0"))
        area.append(graphic)
        draft.add_element(band, area, KEY)
        put_behind(band, area)
        return area

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.fill_total_row.done", labels.colour(self.colour))


def _area_behind(draft: Draft, band: etree._Element, texts: list[etree._Element], height: int) -> etree._Element | None:
    """Return the rectangle that is the background of a row's totals already, whether or not it fills the row."""
    totals = [draft.box_of(node) for node in texts if prints_variable(node)]
    for node in elements_in(band):
        box = draft.box_of(node)
        is_low = local_name(node) == "rectangle" and box.height <= _MAX_AREA_SHARE * height
        if is_low and any(box.left <= one.center_x <= box.right and box.on_same_line(one) for one in totals):
            return node
    return None


def _row_box(draft: Draft, band: etree._Element, top: int, bottom: int) -> ElementBox:
    """Return the box of a row's background: from line to line where lines enclose it."""
    table = main_table(draft)
    left, right = table.bounds[0], table.bounds[-1]
    lines = [draft.box_of(node) for node in elements_in(band) if local_name(node) == "line"]
    across = [box.top for box in lines if box.width >= MIN_TABLE_SHARE * (right - left)]
    near = bottom - top
    above = max((y for y in across if top - near <= y <= top), default=0 if top <= _NEAR_ROWS_PT else top)
    below = min((y for y in across if bottom <= y <= bottom + near), default=bottom)
    return ElementBox(left, above, right, below)
