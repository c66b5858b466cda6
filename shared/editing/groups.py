"""Groups: rows that share a value, sorted by it, under a header that shows it."""

from __future__ import annotations

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.clone_style import (
    border_pen,
    clone_as_text_field,
    drop_alternating_style,
    make_bold,
    set_alignment,
    set_border_pen,
)
from ..jrxml.dom import content_of, ensure_child, insert_child, int_attribute, local_name, new_node, set_value, tag
from ..jrxml.draft import Draft, ElementBox
from ..jrxml.expressions import references
from ..jrxml.java_literals import java_string
from ..jrxml.refusals import EditRefused, no_field
from ..jrxml.tables import DetailTable, column_label, draw_row_rules, header_tint, main_table, row_height
from ..model.edits import AddGroup, DeleteGroup
from .declarations import DATES, NUMBERS, STRING, drop_variables, group_fields, is_reckoned, no_group

_PADDING = 4
"""Points between a border and the words beside it."""


def add(draft: Draft, edit: AddGroup) -> bool:
    """The new group lies within those that are there."""
    field = draft.declared("field", edit.field)
    if field is None and is_reckoned(draft, edit.field):
        raise EditRefused("field", "Rows cannot be grouped by what is reckoned from them.", "不能按计算得出的列分组。")
    if field is None:
        raise no_field(edit.field)
    if edit.field in group_fields(draft):
        raise EditRefused("already", f"The rows are grouped by {edit.field} already.", f"已经按 {edit.field} 分组。")
    table = main_table(draft)
    label = edit.label if edit.label is not None else column_label(draft, table, edit.field)
    height = max(row_height(table), draft.style_of(table.columns[0].cell).height_of("合Tg", draft.page_width))
    group = new_node("group", name=draft.free_name("group", edit.field), isReprintHeaderOnEachPage="true")
    group.set("minHeightToStartNewPage", str(height + int_attribute(table.detail, "height")))
    group.append(new_node("groupExpression", f"$F{{{edit.field}}}"))
    _sort_within_groups(draft, edit.field)
    insert_child(draft.root, group)
    band = draft.group_band(group, "groupHeader")
    draft.grow_band(band, 0, height)
    _header(draft, table, band, edit.field, label, field.get("class") or STRING)
    return True


def delete(draft: Draft, edit: DeleteGroup) -> bool:
    group = draft.group(edit.field)
    if group is None:
        raise no_group(edit.field)
    name = group.get("name") or ""
    for node in inside_of(group):
        if node.getparent() is not None:
            draft.remove(node)
    draft.root.remove(group)
    mine = {one for one in draft.root.findall(tag("variable")) if one.get("resetGroup") == name}
    drop_variables(draft, {one.get("name") or "" for one in mine})
    for one in mine:  # what is used elsewhere goes on for the whole report
        for attribute in ("resetType", "resetGroup"):
            one.attrib.pop(attribute, None)
    for sort in draft.root.findall(tag("sortField")):
        of_field = sort.get("name") == edit.field and sort.get("type", "Field") == "Field"
        if of_field and edit.field not in group_fields(draft):
            draft.root.remove(sort)
    return True


def inside_of(group: etree._Element) -> list[etree._Element]:
    """What stands in a group's headers and footers."""
    return [node for band in group.iter(tag("band")) for node in elements_in(band)]


def _sort_within_groups(draft: Draft, field: str) -> None:
    """Let the rows come sorted by the field, after the fields of the groups that are there."""
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
    """The group's value with its label before it, bold, across the whole table."""
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
        set_value(ensure_child(node, "box"), "leftPadding", str(max(_PADDING, draft.style_of(node).padding["left"])))
    draft.add_element(band, node, f"{field}_group")
    row = ElementBox(draft.box_of(first).left, 0, draft.box_of(last).right, int_attribute(band, "height"))
    draft.set_box(node, row)
    draw_row_rules(draft, table, band, row, inner=False)


def _value(table: DetailTable, field: str, java_class: str) -> str:
    """The expression of a group's value as its column prints it; nothing where there is no value."""
    reference = f"$F{{{field}}}"
    cells = [cell for column in table.columns for cell in column.cells if ("F", field) in references(content_of(cell))]
    pattern = next(
        (found for cell in cells if local_name(cell) == "textField" and (found := cell.get("pattern"))), None
    )
    shown = reference if java_class == STRING else f"String.valueOf({reference})"
    if pattern and java_class in DATES:
        shown = f"new SimpleDateFormat({java_string(pattern)}).format({reference})"
    elif pattern and java_class in NUMBERS:
        shown = f"new DecimalFormat({java_string(pattern)}).format({reference})"
    return f'({reference} == null ? "" : {shown})'
