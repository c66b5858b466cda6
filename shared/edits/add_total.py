"""Add a total of a column."""

from __future__ import annotations

from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.clone_style import clone_as_text_field
from ..jrxml.declarations import NUMBER_CLASSES, STRING_CLASS, find_group
from ..jrxml.dom import content_of, local_name, report_element
from ..jrxml.draft import Draft
from ..jrxml.expressions import references
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, no_field
from ..jrxml.tables import (
    EDGE_TOLERANCE_PT,
    DetailTable,
    column_label,
    find_column,
)
from ..jrxml.total_rows import is_filler, new_total_row, put_total, split_label
from ..jrxml.totals import printed_calculations
from ..jrxml.variables import total_variable
from ..replies import Text, text
from .base import Calculation, Edit, EditClause, KnownNames


class AddTotal(Edit):
    """Add a total of a column below the rows, or with `group` below each group."""

    do: Literal["total"] = "total"
    field: str
    calculation: Calculation = "Sum"
    group: str | None = None
    label: str | None = None
    """Its label; None keeps an existing label, an empty text adds none."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        table, n = find_column(draft, self.field)
        cell = table.columns[n].cell
        expression = content_of(cell) if local_name(cell) == "textField" else ""
        java_class = _class_of(draft, self.field, expression)
        numeric = self.calculation in ("Sum", "Average")
        if numeric and java_class not in NUMBER_CLASSES:
            raise EditRefused("class", self._message("edits.add_total.not_numeric", self.field))
        group = find_group(draft, self.group) if self.group is not None else None
        if draft.declared("field", self.field) is not None:
            expression = f"$F{{{self.field}}}"
        variable = total_variable(draft, self.field, self.calculation, group, expression, java_class)
        band = draft.group_band(group, "groupFooter") if group is not None else draft.ensure_band("summary")
        if any(("V", variable) in references(content_of(node)) for node in elements_in(band)):
            label = column_label(draft, table, self.field)
            raise EditRefused("already", self._message("edits.add_total.already", label))
        _add_total(draft, table, n, self, band, f"$V{{{variable}}}")
        return True

    def _message(self, code: str, field: str) -> Text:
        return Text.of(code, field=field, calculation=Text.of(f"edits.calculation.{self.calculation}"))

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        subject, values = labels.field(self.field), {"calculation": labels.calculation(self.calculation)}
        if self.group is None:
            return EditClause("edits.add_total.done", subject, values)
        return EditClause("edits.add_total.done_for_group", subject, {**values, "group": labels.field(self.group)})

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields


def _class_of(draft: Draft, field: str, expression: str) -> str:
    """Return the class of a field, or of the value of an expression."""
    declared = draft.declared("field", field)
    if declared is None:
        declared = draft.declared("variable", field)
    if declared is not None:
        return declared.get("class") or STRING_CLASS
    if not expression:
        raise no_field(field)
    classes = {
        node.get("class")
        for letter, name in references(expression)
        if letter == "F" and (node := draft.declared("field", name)) is not None
    }
    if not classes <= NUMBER_CLASSES:
        return STRING_CLASS
    if "java.math.BigDecimal" in classes:
        return "java.math.BigDecimal"
    return next(iter(classes), STRING_CLASS) or STRING_CLASS


def _add_total(draft: Draft, table: DetailTable, n: int, edit: AddTotal, band: etree._Element, expression: str) -> None:
    """Put a total below its column, into the existing row of such totals, else into a new one."""
    label = _label(draft, edit)
    slot = table.columns[n]
    pattern = slot.cell.get("pattern") if edit.calculation != "Count" else None
    sibling = _row_with_space(draft, table, n, band, edit)
    row = draft.box_of(sibling) if sibling is not None else new_total_row(draft, table, n, band, label)
    filler = next(
        (
            node
            for node in draft.texts(band)
            if draft.box_of(node).on_same_line(row) and is_filler(draft, node, slot.left, slot.right)
        ),
        None,
    )
    is_plain = sibling is not None and not draft.style_of(sibling).is_cell
    filled = filler is not None and report_element(filler).get("mode") == "Opaque"
    model = filler if filled else sibling if is_plain else slot.cell
    assert model is not None
    key = f"{edit.field}_{edit.calculation.lower()}"
    if filler is not None:
        key = report_element(filler).get("key") or key
        draft.remove(filler)
    put_total(draft, table, n, band, row, clone_as_text_field(model, expression, pattern), key)


def _label(draft: Draft, edit: AddTotal) -> str:
    """Return the label of the row, in the language of the report."""
    if edit.label is not None:
        return edit.label
    if edit.calculation == "Nothing":
        return ""
    kind = "group" if edit.group and edit.calculation == "Sum" else edit.calculation
    return text(f"edits.add_total.label.{kind}", "zh" if draft.is_chinese() else "en")


def _row_with_space(
    draft: Draft, table: DetailTable, n: int, band: etree._Element, edit: AddTotal
) -> etree._Element | None:
    """Return a total of the same kind in whose row the space below the column is free; a label there gives way."""
    column = table.columns[n]
    for node in draft.texts(band):
        if printed_calculations(draft, node) != {edit.calculation}:
            continue
        box = draft.box_of(node)
        beside = [one for one in draft.texts(band) if draft.box_of(one).on_same_line(box)]
        words = [content_of(one) for one in beside if local_name(one) == "staticText" and content_of(one)]
        if edit.label and words and words != [edit.label]:
            continue
        in_the_way = [
            one
            for one in beside
            if draft.box_of(one).left < column.right - EDGE_TOLERANCE_PT
            and draft.box_of(one).right > column.left + EDGE_TOLERANCE_PT
            and not is_filler(draft, one, column.left, column.right)
        ]
        if not in_the_way:
            return node
        if len(in_the_way) == 1 and local_name(in_the_way[0]) == "staticText":
            label = draft.box_of(in_the_way[0])
            if label.left + draft.style_of(in_the_way[0]).width_of(content_of(in_the_way[0])) <= column.left:
                if draft.style_of(in_the_way[0]).is_cell:
                    split_label(draft, table, in_the_way[0], column)
                draft.set_box(in_the_way[0], label._replace(right=column.left))
                return node
    return None
