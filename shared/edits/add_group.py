"""Group the rows by a field."""

from __future__ import annotations

from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.clone_style import (
    border_pen,
    clone_as_text_field,
    drop_alternating_style,
    make_bold,
    set_alignment,
    set_border_pen,
)
from ..jrxml.declarations import DATE_CLASSES, NUMBER_CLASSES, STRING_CLASS, group_fields, is_row_variable
from ..jrxml.dom import content_of, ensure_child, insert_child, int_attribute, local_name, new_node, set_value, tag
from ..jrxml.draft import Draft
from ..jrxml.element_box import ElementBox
from ..jrxml.expressions import blank_if_null, references
from ..jrxml.java_literals import java_string
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, no_field
from ..jrxml.row_look import draw_row_rules, header_tint, row_height
from ..jrxml.tables import DetailTable, column_label, main_table
from ..replies import Text
from .base import Edit, EditClause

_HEADER_PADDING_PT = 4
"""Between a border and the text beside it."""


class AddGroup(Edit):
    """Group the rows by a field: sorted by it, with a header that shows its value."""

    do: Literal["group"] = "group"
    field: str
    label: str | None = None

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """The new group lies within the existing ones."""
        field = draft.declared("field", self.field)
        if field is None and is_row_variable(draft, self.field):
            raise EditRefused("field", Text.of("edits.add_group.computed"))
        if field is None:
            raise no_field(self.field)
        if self.field in group_fields(draft):
            raise EditRefused("already", Text.of("edits.add_group.already", field=self.field))
        table = main_table(draft)
        label = self.label if self.label is not None else column_label(draft, table, self.field)
        height = max(row_height(table), draft.style_of(table.columns[0].cell).height_of("合Tg", draft.page_width))
        group = new_node("group", name=draft.free_name("group", self.field), isReprintHeaderOnEachPage="true")
        group.set("minHeightToStartNewPage", str(height + int_attribute(table.detail, "height")))
        group.append(new_node("groupExpression", f"$F{{{self.field}}}"))
        _sort_within_groups(draft, self.field)
        insert_child(draft.root, group)
        band = draft.group_band(group, "groupHeader")
        draft.grow_band(band, 0, height)
        _header(draft, table, band, self.field, label, field.get("class") or STRING_CLASS)
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.add_group.done", self.label or labels.field(self.field))


def _sort_within_groups(draft: Draft, field: str) -> None:
    """Sort the rows by the field, after the fields of the existing groups."""
    sorts = {node.get("name"): node for node in draft.root.findall(tag("sortField"))}
    grouped = [sorts[name] for name in group_fields(draft) if name in sorts]
    node = sorts.get(field)
    if node is None:
        node = new_node("sortField", name=field)
    if grouped:
        grouped[-1].addnext(node)
    elif others := [one for one in sorts.values() if one is not node]:
        others[0].addprevious(node)
    elif node.getparent() is None:
        insert_child(draft.root, node)


def _header(draft: Draft, table: DetailTable, band: etree._Element, field: str, label: str, java_class: str) -> None:
    """Add the group's value with its label, in bold, across the whole table."""
    first, last = table.columns[0].cell, table.columns[-1].cell
    value = _value(table, field, java_class)
    colon = "：" if not label.isascii() else ": "
    node = clone_as_text_field(first, f"{java_string(label.rstrip(':：') + colon)} + {value}" if label else value)
    drop_alternating_style(draft.root, node, header_tint(table))
    make_bold(node)
    if draft.style_of(node).align != "Left":
        set_alignment(node, "Left")
    if border_pen(first, "left") is not None:
        set_border_pen(node, "right", border_pen(last, "right"))
    if draft.style_of(node).is_cell:
        set_value(
            ensure_child(node, "box"), "leftPadding", str(max(_HEADER_PADDING_PT, draft.style_of(node).padding["left"]))
        )
    draft.add_element(band, node, f"{field}_group")
    row = ElementBox(draft.box_of(first).left, 0, draft.box_of(last).right, int_attribute(band, "height"))
    draft.set_box(node, row)
    draw_row_rules(draft, table, band, row, inner=False)


def _value(table: DetailTable, field: str, java_class: str) -> str:
    """Return an expression that prints the group's value as its column does, and nothing if there is no value."""
    reference = f"$F{{{field}}}"
    cells = [cell for column in table.columns for cell in column.cells if ("F", field) in references(content_of(cell))]
    pattern = next(
        (found for cell in cells if local_name(cell) == "textField" and (found := cell.get("pattern"))), None
    )
    shown = reference if java_class == STRING_CLASS else f"String.valueOf({reference})"
    if pattern and java_class in DATE_CLASSES:
        shown = f"new SimpleDateFormat({java_string(pattern)}).format({reference})"
    elif pattern and java_class in NUMBER_CLASSES:
        shown = f"new DecimalFormat({java_string(pattern)}).format({reference})"
    return blank_if_null(reference, shown)
