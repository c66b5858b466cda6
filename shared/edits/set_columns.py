"""Print the rows in several columns beside each other, as on labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from lxml import etree
from pydantic import Field

from ..jrxml.bands import COLUMN_SECTIONS, elements_in, section_of
from ..jrxml.dom import int_attribute, local_name, report_element, span_of
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.page_layout import shrink_texts
from ..jrxml.refusals import EditRefused
from ..replies import Text
from .base import Edit, EditClause

MIN_COLUMN_WIDTH_PT = 72
MAX_COLUMNS = 8


class SetColumns(Edit):
    """Print the rows in several columns of the page, as labels and directories are; 1 is the usual table. The table's
    headings stay and stand above each column: labels need none, so delete them (and only then)."""

    do: Literal["columns"] = "columns"
    count: Annotated[int, Field(ge=1, le=MAX_COLUMNS)]
    spacing: Annotated[int, Field(ge=0, le=200)] = 16
    """Between the columns, in points."""
    order: Literal["Vertical", "Horizontal"] = "Vertical"
    """Whether the rows fill one column after the other, or the columns line by line."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        root = draft.root
        spacing = self.spacing if self.count > 1 else 0
        old, new = draft_column_width(draft), (draft.content_width - (self.count - 1) * spacing) // self.count
        if new < MIN_COLUMN_WIDTH_PT:
            raise EditRefused("room", Text.of("edits.set_columns.space", count=self.count))
        values = {"columnCount": str(self.count), "columnSpacing": str(spacing), "columnWidth": str(new)}
        values |= {"printOrder": self.order} if self.count > 1 else {}
        changed = any(root.get(name, "1" if name == "columnCount" else None) != value for name, value in values.items())
        root.attrib.update(values)
        for _, band in draft.bands():
            if section_of(band) in COLUMN_SECTIONS and new != old:
                nodes = list(elements_in(band))
                _scale(nodes, new / old, new)
                shrink_texts(draft, set(nodes), new / old)
        return changed

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.set_columns.done", str(self.count))


def draft_column_width(draft: Draft) -> int:
    """Return the width of a column of the page, in points."""
    return max(1, int_attribute(draft.root, "columnWidth", draft.content_width))


def _scale(nodes: Sequence[etree._Element], by: float, width: int) -> None:
    """Bring elements to the width of a column, in proportion. Long texts wrap, numbers and dates get smaller."""
    for node in nodes:
        report = report_element(node)
        left, right = span_of(node)
        x = round(left * by)
        report.set("x", str(min(x, width - 1)))
        report.set("width", str(max(1, min(round(right * by), width) - x)))
        if local_name(node) == "textField" and by < 1:
            node.set("textAdjust", "ScaleFont" if node.get("pattern") else "StretchHeight")
