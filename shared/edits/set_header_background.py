"""Give the whole heading row of the table one background, from its first column to its last."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from ..jrxml.cells import join_cells
from ..jrxml.dom import new_node, report_element, set_value
from ..jrxml.draft import Draft
from ..jrxml.element_box import ElementBox
from ..jrxml.labels import TemplateLabels
from ..jrxml.placement import lines_in_front, put_behind
from ..jrxml.refusals import EditRefused, value_refused
from ..jrxml.tables import DetailTable, main_table
from ..replies import Text
from .base import Edit, EditClause

KEY = "header_background"
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


class SetHeaderBackground(Edit):
    """Give the whole heading row of the table one background without gaps; `set` of mode and backcolor only fills the
    box of a text."""

    do: Literal["header_background"] = "header_background"
    colour: str

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if not _COLOUR.fullmatch(self.colour):
            raise value_refused("colour", self.colour)
        table = main_table(draft)
        headers = [column.header for column in table.columns if column.header is not None]
        if table.head is None or not headers:
            raise EditRefused("kind", Text.of("edits.set_header_background.no_header"))
        before = draft.bytes()
        join_cells(draft, table)
        for header in headers:
            set_value(report_element(header), "mode", "Opaque")
            set_value(report_element(header), "backcolor", self.colour)
            lines_in_front(draft, header)
        if len(set(headers)) < len(table.columns):
            self._fill_gaps(draft, table)
        return draft.bytes() != before

    def _fill_gaps(self, draft: Draft, table: DetailTable) -> None:
        """Lay a rectangle behind the row: a column without a heading of its own has no cell to be filled."""
        assert table.head is not None
        node = draft.element(KEY)
        if node is None:
            node = new_node("rectangle")
            node.append(new_node("reportElement", mode="Opaque"))
            graphic = new_node("graphicElement")
            graphic.append(new_node("pen", lineWidth="0"))
            node.append(graphic)
            draft.add_element(table.head, node, KEY)
            put_behind(table.head, node)
        report_element(node).set("backcolor", self.colour)
        top, bottom = table.head_row
        draft.set_box(node, ElementBox(table.bounds[0], top, table.bounds[-1], bottom))

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.set_header_background.done", labels.colour(self.colour))
