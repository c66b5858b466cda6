"""Declarations: fields, parameters, variables, and the order of the rows."""

from __future__ import annotations

from lxml import etree

from ..jrxml.dom import content_of, insert_child, new_node, set_value, tag
from ..jrxml.draft import Draft
from ..jrxml.expressions import expression_nodes
from ..jrxml.refusals import EditRefused, no_field
from ..model.edits import Declare, RenameField, SortBy

NUMBERS = frozenset({
    "java.lang.Byte", "java.lang.Short", "java.lang.Integer", "java.lang.Long", "java.lang.Float", "java.lang.Double",
    "java.math.BigInteger", "java.math.BigDecimal", "java.lang.Number",
})  # fmt: skip
DATES = frozenset({"java.util.Date", "java.sql.Date", "java.sql.Timestamp", "java.sql.Time"})
STRING = "java.lang.String"


def rename(draft: Draft, edit: RenameField) -> bool:
    """Rename a field or parameter wherever it is used."""
    node = draft.declared(edit.scope, edit.name)
    if node is None:
        raise no_field(edit.name)
    if edit.to != edit.name and draft.declared(edit.scope, edit.to) is not None:
        raise EditRefused("taken", f"There is already a {edit.scope} {edit.to}.", f"已经有 {edit.to} 了。")
    changed = set_value(node, "name", edit.to)
    if edit.java_class:
        changed |= set_value(node, "class", edit.java_class)
    letter = {"field": "F", "parameter": "P"}[edit.scope]
    old, new = f"${letter}{{{edit.name}}}", f"${letter}{{{edit.to}}}"
    for text in expression_nodes(draft.root):
        if old in (text.text or ""):
            text.text = (text.text or "").replace(old, new)
    if edit.scope == "field":
        for sort in draft.root.findall(tag("sortField")):
            if sort.get("name") == edit.name:
                sort.set("name", edit.to)
    for field in draft.root.iter(tag("textField")) if edit.pattern else ():
        if content_of(field) == new:
            changed |= set_value(field, "pattern", edit.pattern or "")
    return changed


def declare(draft: Draft, edit: Declare) -> bool:
    if draft.declared(edit.scope, edit.name) is not None:
        raise EditRefused("taken", f"There is already a {edit.scope} {edit.name}.", f"已经有 {edit.name} 了。")
    node = new_node(edit.scope, name=edit.name, **{"class": edit.java_class})
    if edit.scope == "variable":
        _calculate(draft, node, edit)
    insert_child(draft.root, node)
    return True


def _calculate(draft: Draft, node: etree._Element, edit: Declare) -> None:
    if edit.group is not None:
        group = draft.group(edit.group)
        if group is None:
            raise no_group(edit.group)
        node.set("resetType", "Group")
        node.set("resetGroup", group.get("name") or "")
    if edit.calculation and edit.calculation != "Nothing":
        node.set("calculation", edit.calculation)
    if edit.expression:
        node.append(new_node("variableExpression", edit.expression))


def used_fields(draft: Draft) -> set[str]:
    """The fields that something shows, reckons, groups or sorts by."""
    names = [node.get("name") or "" for node in draft.root.findall(tag("field"))]
    return {name for name in names if draft.is_used("F", name)}


def drop_fields(draft: Draft, names: set[str]) -> None:
    """Take out the fields of these names that nothing uses any more."""
    for name in names - used_fields(draft):
        if (node := draft.declared("field", name)) is not None:
            draft.root.remove(node)


def drop_variables(draft: Draft, names: set[str]) -> None:
    """Take out the variables of these names that nothing uses any more."""
    mine = set(names)
    while unused := [name for name in mine if not draft.is_used("V", name)]:
        for name in unused:
            mine.discard(name)
            if (node := draft.declared("variable", name)) is not None:
                draft.root.remove(node)


def no_group(name: str) -> EditRefused:
    return EditRefused("group", f"The rows are not grouped by {name}.", f"没有按 {name} 分组。")


def sort(draft: Draft, edit: SortBy) -> bool:
    """Sort by a field, or by what a variable reckons of each row, before all others, but within the groups."""
    reckoned = draft.declared("field", edit.field) is None
    if reckoned and not is_reckoned(draft, edit.field):
        raise no_field(edit.field)
    order = "Descending" if edit.descending else "Ascending"
    sorts = draft.root.findall(tag("sortField"))
    grouped = group_fields(draft)
    found = next((node for node in sorts if node.get("name") == edit.field), None)
    if found is not None and edit.field in grouped:
        changed = (found.get("order") or "Ascending") != order
        found.set("order", order)
        return changed
    others = [node for node in sorts if node is not found]
    leading = [node for node in others if node.get("name") in grouped]
    node = new_node("sortField", name=edit.field)
    if edit.descending:
        node.set("order", order)
    if reckoned:
        node.set("type", "Variable")
    if found is not None:
        at = len(sorts) - 1 if edit.then else len(leading)
        if (found.get("order") or "Ascending") == order and sorts.index(found) == at:
            return False
        draft.root.remove(found)
    if edit.then and others:
        others[-1].addnext(node)
    elif leading:
        leading[-1].addnext(node)
    elif others:
        others[0].addprevious(node)
    else:
        insert_child(draft.root, node)
    return True


def is_reckoned(draft: Draft, name: str) -> bool:
    """Whether a variable of this name is reckoned anew from each row."""
    node = draft.declared("variable", name)
    return node is not None and node.get("calculation", "Nothing") == "Nothing"


def group_fields(draft: Draft) -> list[str]:
    """The fields that the groups go by, outermost first."""
    found = [(group.findtext(tag("groupExpression")) or "").strip() for group in draft.root.findall(tag("group"))]
    return [text[3:-1] for text in found if text.startswith("$F{") and text.endswith("}")]
