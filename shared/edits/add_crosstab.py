"""Add a crosstab of the rows."""

from __future__ import annotations

from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.aggregates import require_number, value_reference
from ..jrxml.bands import elements_in
from ..jrxml.declarations import STRING_CLASS
from ..jrxml.dom import int_attribute, new_node
from ..jrxml.draft import Draft
from ..jrxml.expressions import unless_null
from ..jrxml.labels import TemplateLabels
from ..jrxml.tables import printed_sides
from ..language import Language
from ..replies import text
from .base import Edit, EditClause, KnownNames

_GAP_PT, _LINE_PT = 8, 20
_ROW_HEADER_PT, _CELL_PT = 110, 80
_HEAD_COLOUR, _TOTAL_COLOUR = "#E6E6E6", "#F4F4F4"


class AddCrosstab(Edit):
    """Add a crosstab (pivot table) at the report's end: a field totalled, or rows counted, by two other fields."""

    do: Literal["crosstab"] = "crosstab"
    rows: str
    """The field whose values are the rows of the crosstab,"""
    columns: str
    """and the field whose values are its columns."""
    field: str | None = None
    """The field that is totalled; null counts the rows."""
    key: str = "crosstab"

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        measure = require_number(draft, self.field) if self.field is not None else None
        band = draft.ensure_band("summary")
        top = max((draft.box_of(one).bottom for one in elements_in(band)), default=0)
        top += _GAP_PT if top else 0
        height = 4 * _LINE_PT
        draft.grow_band(band, int_attribute(band, "height"), top + height - int_attribute(band, "height"))
        left, right = printed_sides(draft, band)
        node = self._node(draft, measure)
        place = {"x": left, "y": top, "width": right - left, "height": height}
        node.insert(0, new_node("reportElement", **{name: str(value) for name, value in place.items()}))
        draft.add_element(band, node, self.key)
        return True

    def _node(self, draft: Draft, measured: str | None) -> etree._Element:
        """Return the crosstab, without its place."""
        language: Language = "zh" if draft.is_chinese() else "en"
        total = text("edits.add_total.label.Sum", language)
        node = new_node("crosstab")
        node.append(_group(draft, "row", self.rows, total))
        node.append(_group(draft, "column", self.columns, total))
        measure_class = "java.math.BigDecimal" if self.field else "java.lang.Integer"
        calculation = "Sum" if self.field else "Count"
        value = "java.lang.Boolean.TRUE"
        if measured:
            value = unless_null(measured, f"new java.math.BigDecimal(String.valueOf({measured}))")
        measure = new_node("measure", name="value", **{"class": measure_class}, calculation=calculation)
        measure.append(new_node("measureExpression", value))
        node.append(measure)
        pattern = "#,##0.##" if self.field else "#,##0"
        for row_total in (None, "row"):
            for column_total in (None, "column"):
                attributes = {"width": str(_CELL_PT), "height": str(_LINE_PT)}
                attributes |= {"rowTotalGroup": row_total} if row_total else {}
                attributes |= {"columnTotalGroup": column_total} if column_total else {}
                cell = new_node("crosstabCell", **attributes)
                colour = _TOTAL_COLOUR if row_total or column_total else None
                cell.append(_contents("$V{value}", _CELL_PT, "Right", colour, pattern))
                node.append(cell)
        return node

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        measure = labels.field(self.field) if self.field else text("edits.add_chart.count", labels.language)
        values = {"rows": labels.field(self.rows), "columns": labels.field(self.columns)}
        return EditClause("edits.add_crosstab.done", measure, values)

    def is_known(self, names: KnownNames) -> bool:
        names.elements.add(self.key)
        return all(
            name is None or name in names.fields | names.columns for name in (self.rows, self.columns, self.field)
        )


def _group(draft: Draft, side: Literal["row", "column"], field: str, total: str) -> etree._Element:
    """Return the group of a side of the crosstab: its values, and their total at the end."""
    bucketed, java_class = value_reference(draft, field)
    size = {"width": str(_ROW_HEADER_PT)} if side == "row" else {"height": str(_LINE_PT)}
    group = new_node(f"{side}Group", name=side, **size, totalPosition="End")
    bucket = new_node("bucket", **{"class": java_class})
    bucket.append(new_node("bucketExpression", bucketed))
    group.append(bucket)
    name = side.title()
    width = _ROW_HEADER_PT if side == "row" else _CELL_PT
    value = (
        f"$V{{{side}}}" if java_class == STRING_CLASS else f'$V{{{side}}} == null ? "" : String.valueOf($V{{{side}}})'
    )
    header = new_node(f"crosstab{name}Header")
    header.append(_contents(value, width, "Left" if side == "row" else "Center", _HEAD_COLOUR))
    total_header = new_node(f"crosstabTotal{name}Header")
    total_header.append(_contents(total, width, "Left" if side == "row" else "Center", _TOTAL_COLOUR, fixed=True))
    group.extend([header, total_header])
    return group


def _contents(
    value: str, width: int, align: str, colour: str | None, pattern: str | None = None, *, fixed: bool = False
) -> etree._Element:
    """Return the contents of a cell: one text with a border around it; `fixed` if it is words."""
    background = {"mode": "Opaque", "backcolor": colour} if colour else {}
    contents = new_node("cellContents", **background)
    box = new_node("box")
    box.append(new_node("pen", lineWidth="0.5"))
    contents.append(box)
    words = new_node("staticText") if fixed else new_node("textField", isBlankWhenNull="true")
    if pattern and not fixed:
        words.set("pattern", pattern)
    words.append(new_node("reportElement", x="0", y="0", width=str(width), height=str(_LINE_PT)))
    words.append(new_node("box", leftPadding="3", rightPadding="3"))
    words.append(new_node("textElement", textAlignment=align, verticalAlignment="Middle"))
    words.append(new_node("text" if fixed else "textFieldExpression", value))
    contents.append(words)
    return contents
