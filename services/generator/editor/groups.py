"""Groups: rows that share a value, sorted by it, under a header that shows it."""

from __future__ import annotations

from lxml import etree

from bandsmith.shared.model.edits import AddGroup, DeleteGroup

from .copies import aligned, bold, field_like, pen, set_pen, steady
from .declarations import DATES, NUMBERS, STRING, drop_variables, group_fields, is_reckoned, no_group
from .draft import Draft, Place
from .java import quoted
from .outcome import Refused, no_field
from .table import Table, label_of, main, row_height, rule, shade
from .tree import ensure, insert, inside, local, make, number, references, tag, wording, write

_PADDING = 4
"""Points between a border and the words beside it."""


def add(draft: Draft, edit: AddGroup) -> bool:
    """The new group lies within those that are there."""
    field = draft.declared("field", edit.field)
    if field is None and is_reckoned(draft, edit.field):
        raise Refused("field", "Rows cannot be grouped by what is reckoned from them.", "不能按计算得出的列分组。")
    if field is None:
        raise no_field(edit.field)
    if edit.field in group_fields(draft):
        raise Refused("already", f"The rows are grouped by {edit.field} already.", f"已经按 {edit.field} 分组。")
    table = main(draft)
    label = edit.label if edit.label is not None else label_of(draft, table, edit.field)
    height = max(row_height(table), draft.look(table.columns[0].cell).height_of("合Tg", draft.page_width))
    group = make("group", name=draft.free_name("group", edit.field), isReprintHeaderOnEachPage="true")
    group.set("minHeightToStartNewPage", str(height + number(table.detail, "height")))
    group.append(make("groupExpression", f"$F{{{edit.field}}}"))
    _sort_within_groups(draft, edit.field)
    insert(draft.root, group)
    band = draft.group_band(group, "groupHeader")
    draft.make_room(band, 0, height)
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
    return [node for band in group.iter(tag("band")) for node in inside(band)]


def _sort_within_groups(draft: Draft, field: str) -> None:
    """Let the rows come sorted by the field, after the fields of the groups that are there."""
    sorts = {node.get("name"): node for node in draft.root.findall(tag("sortField"))}
    grouped = [sorts[name] for name in group_fields(draft) if name in sorts]
    node = sorts.get(field)
    if node is None:
        node = make("sortField", name=field)
    if grouped:
        grouped[-1].addnext(node)
    elif others := [one for one in sorts.values() if one is not node]:
        others[0].addprevious(node)
    elif node.getparent() is None:
        insert(draft.root, node)


def _header(draft: Draft, table: Table, band: etree._Element, field: str, label: str, java_class: str) -> None:
    """The group's value with its label before it, bold, across the whole table."""
    first, last = table.columns[0].cell, table.columns[-1].cell
    value = _value(table, field, java_class)
    colon = "：" if not label.isascii() else ": "
    node = field_like(first, f"{quoted(label.rstrip(':：') + colon)} + {value}" if label else value)
    steady(draft.root, node, shade(table))
    bold(node)
    if draft.look(node).align != "Left":
        aligned(node, "Left")
    if pen(first, "left") is not None:
        set_pen(node, "right", pen(last, "right"))
    if draft.look(node).is_cell:
        write(ensure(node, "box"), "leftPadding", str(max(_PADDING, draft.look(node).padding["left"])))
    draft.put(band, node, f"{field}_group")
    row = Place(draft.place(first).left, 0, draft.place(last).right, number(band, "height"))
    draft.set_place(node, row)
    rule(draft, table, band, row, inner=False)


def _value(table: Table, field: str, java_class: str) -> str:
    """The expression of a group's value as its column prints it; nothing where there is no value."""
    reference = f"$F{{{field}}}"
    cells = [cell for column in table.columns for cell in column.cells if ("F", field) in references(wording(cell))]
    pattern = next((found for cell in cells if local(cell) == "textField" and (found := cell.get("pattern"))), None)
    shown = reference if java_class == STRING else f"String.valueOf({reference})"
    if pattern and java_class in DATES:
        shown = f"new SimpleDateFormat({quoted(pattern)}).format({reference})"
    elif pattern and java_class in NUMBERS:
        shown = f"new DecimalFormat({quoted(pattern)}).format({reference})"
    return f'({reference} == null ? "" : {shown})'
