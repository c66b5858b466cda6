"""Finish the groups of a form's rows: compute the subtotals that the numbers prove, and name the group after its field.

The lines below the groups are planned as fields that have one value in each group. Where that value is the sum of a
column over the group, in every group, a variable takes its place. What is not proven stays a field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import groupby

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.fields.value_types import DECIMAL
from bandsmith.shared.jrxml.bands import section_in
from bandsmith.shared.jrxml.dom import J, content_of, declared_nodes, span_of
from bandsmith.shared.jrxml.expressions import expression_nodes, reference, references, sole_reference
from bandsmith.shared.jrxml.java_literals import java_string
from bandsmith.shared.model.plan import Data

from ..planning.page_builder import GROUP

Row = dict[str, str | int | float | bool | None]


def finish_groups(editor: Editor, data: Data) -> Data:
    """Compute the subtotals of the form's groups and name the group after its field. Return the data that is left."""
    group = next((node for node in editor.root.findall(f"{J}group") if node.get("name") == GROUP), None)
    if group is None:
        return data
    key = sole_reference((group.findtext(f"{J}groupExpression") or "").strip(), "F")
    assert key is not None, "groups are planned by a field"
    parts = [list(rows) for _, rows in groupby(data.rows, key=lambda row: row.get(key[1]))]
    _name_group(editor, group, f"{key[1]}_group")
    for element, field in list(_fields_below(editor)):
        if field == key[1]:
            continue
        if column := _summed_column(editor, parts, element, field):
            _compute(editor, element, field, column, f"{key[1]}_group")
        elif wording := _wording_around_key(parts, field, key[1]):
            _set_expression(element, wording)
    return _without_unused(editor, data)


def _name_group(editor: Editor, group: etree._Element, name: str) -> None:
    group.set("name", name)
    for variable in editor.root.findall(f"{J}variable"):
        if variable.get("resetGroup") == GROUP:
            variable.set("resetGroup", name)


def _fields_below(editor: Editor) -> Iterator[tuple[etree._Element, str]]:
    """Yield the elements below groups that print one field alone, with its name."""
    for band, root in editor.bands():
        for node in root.iter(f"{J}textField") if section_in(band) == "groupFooter" else ():
            if found := sole_reference(content_of(node), "F"):
                yield node, found[1]


def _summed_column(editor: Editor, parts: Sequence[Sequence[Row]], element: etree._Element, field: str) -> str | None:
    """Return the column whose sum over each group is the group's value of a field, the one above it first."""
    wanted = [_number(rows[0].get(field)) for rows in parts]
    if any(value is None for value in wanted) or all(len(rows) == 1 for rows in parts):
        return None
    exact = [
        name
        for name in declared_nodes(editor.root, "field")
        if name != field and wanted == [_sum(rows, name) for rows in parts]
    ]
    columns = _columns(editor)
    left, right = span_of(element)
    above = [name for name in exact if name in columns and min(right, columns[name][1]) > max(left, columns[name][0])]
    inside = [name for name in exact if name in columns]
    return above[0] if above else inside[0] if len(inside) == 1 else None


def _sum(rows: Sequence[Row], name: str) -> Decimal | None:
    values = [_number(row.get(name)) for row in rows if row.get(name) is not None]
    numbers = [value for value in values if value is not None]
    return sum(numbers, Decimal(0)) if len(numbers) == len(values) and numbers else None


def _number(value: object) -> Decimal | None:
    return Decimal(str(value)) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _columns(editor: Editor) -> dict[str, tuple[int, int]]:
    """Return the fields that the rows print alone, with the x's between which they stand."""
    return {
        found[1]: span_of(node)
        for band, root in editor.bands()
        for node in root.iter(f"{J}textField")
        if band == "detail" and (found := sole_reference(content_of(node), "F"))
    }


def _compute(editor: Editor, element: etree._Element, field: str, column: str, group: str) -> None:
    """Let an element print the sum of a column over the group."""
    fields, taken = declared_nodes(editor.root, "field"), declared_nodes(editor.root, "variable")
    name = f"{column}_subtotal"
    while name in taken:
        name += "_2"
    classes = [fields[one].get("class") or "" for one in (field, column)]
    java_class = DECIMAL if DECIMAL in classes else classes[1]
    editor.apply([
        Declare(
            scope="variable", name=name, java_class=java_class, calculation="Sum",
            expression=reference("F", column), group=group,
        )
    ])  # fmt: skip
    _set_expression(element, reference("V", name))


def _wording_around_key(parts: Sequence[Sequence[Row]], field: str, key: str) -> str | None:
    """Return the expression of a text that is the group's name with the same wording around it in every group."""
    found = set[tuple[str, str]]()
    for rows in parts:
        text, name = rows[0].get(field), rows[0].get(key)
        if not isinstance(text, str) or not isinstance(name, str) or text.count(name) != 1:
            return None
        before, _, after = text.partition(name)
        found.add((before, after))
    if len(found) != 1:
        return None
    before, after = found.pop()
    words = [java_string(before) if before else "", reference("F", key), java_string(after) if after else ""]
    return " + ".join(filter(None, words))


def _set_expression(element: etree._Element, expression: str) -> None:
    node = element.find(f"{J}textFieldExpression")
    assert node is not None
    node.text = etree.CDATA(expression)


def _without_unused(editor: Editor, data: Data) -> Data:
    """Remove the fields that nothing prints any more, and their values."""
    used = {one for node in expression_nodes(editor.root) for one in references(node.text or "")}
    for name, node in declared_nodes(editor.root, "field").items():
        if ("F", name) not in used:
            editor.root.remove(node)
    left = set(declared_nodes(editor.root, "field"))
    return data.model_copy(update={"rows": [{k: v for k, v in row.items() if k in left} for row in data.rows]})
