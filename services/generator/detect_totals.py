"""Sums: a total on the form becomes a variable that adds up its column, where the form's own numbers prove it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.fields.value_types import DECIMAL, INTEGER, LONG
from bandsmith.shared.jrxml.dom import J, report_element
from bandsmith.shared.jrxml.expressions import expression_nodes, referenced_names, sole_reference
from bandsmith.shared.model.plan import Data

LEAST_ROWS = 2
"""One row proves nothing: its value is its sum."""
_CLASSES = (INTEGER, LONG, DECIMAL)
_NAMED = re.compile(r"(^|_)(sub)?total(_\d+)?(_|$)|(^|_)sum(_|$)")


@dataclass(frozen=True)
class Sum:
    """A parameter that is the sum of a field."""

    parameter: str
    field: str
    element: str
    band: str


def summed(editor: Editor, data: Data, judged: Mapping[str, str] | None = None) -> Data:
    """Make variables of the proven totals; the data without them.

    A total is known by its name, or by what a model `judged` (parameter to field); what is printed stays the same.
    """
    found = _sums(editor, data, judged or {})
    for one in found:
        editor.apply(_edits(editor, one))
        _forget(editor, one.parameter)
    gone = {one.parameter for one in found}
    kept = {name: value for name, value in data.parameters.items() if name not in gone}
    return data.model_copy(update={"parameters": kept})


def _sums(editor: Editor, data: Data, judged: Mapping[str, str]) -> list[Sum]:
    if len(data.rows) < LEAST_ROWS:
        return []
    columns = _columns(editor, data)
    found: list[Sum] = []
    for name, (element, band) in _alone(editor).items():
        value = data.parameters.get(name)
        if not (name in judged or _NAMED.search(name)) or not _is_number(value):
            continue
        exact = [field for field, total in columns.items() if total == Decimal(str(value)) and total != 0]
        wanted = judged.get(name)
        field = wanted if wanted in exact else None if wanted else _beneath(editor, element, exact)
        if field and _prints_alike(editor, name, field, element):
            found.append(Sum(name, field, report_element(element).get("key") or "", band))
    return _one_each(found)


def _one_each(found: Sequence[Sum]) -> list[Sum]:
    """Of several totals of one column the subtotal, else the first: a later one may hold tax that is nought here."""
    best: dict[str, Sum] = {}
    for one in found:
        there = best.get(one.field)
        if there is None or ("subtotal" in one.parameter and "subtotal" not in there.parameter):
            best[one.field] = one
    return [one for one in found if best[one.field] is one]


def _columns(editor: Editor, data: Data) -> dict[str, Decimal]:
    """By field of numbers the sum of its rows."""
    found = {}
    for name, java_class in _declared(editor, "field").items():
        values = [row.get(name) for row in data.rows]
        present = [Decimal(str(value)) for value in values if _is_number(value)]
        whole = all(value is None or _is_number(value) for value in values)
        if java_class in _CLASSES and whole and len(present) >= LEAST_ROWS:
            found[name] = sum(present, Decimal(0))
    return found


def _alone(editor: Editor) -> dict[str, tuple[etree._Element, str]]:
    """By parameter the element that prints it and nothing else, and its band, where it is used nowhere else."""
    uses: dict[str, int] = {}
    for node in expression_nodes(editor.root):
        for name in referenced_names(node.text or "", "P"):
            uses[name] = uses.get(name, 0) + 1
    found = {}
    for band, root in editor.bands():
        for node in root.iter(f"{J}textField"):
            whole = sole_reference(_expression(node), "P")
            if whole and uses.get(whole[1]) == 1 and report_element(node).get("key"):
                found[whole[1]] = node, band
    return found


def _beneath(editor: Editor, element: etree._Element, fields: Sequence[str]) -> str | None:
    """The field whose column stands above the total; any, where only one can be meant."""
    left, right = _span(element)
    above = []
    for band, root in editor.bands():
        for node in root.iter(f"{J}textField") if band == "detail" else ():
            x, end = _span(node)
            field = sole_reference(_expression(node), "F")
            if field and field[1] in fields and min(right, end) > max(left, x):
                above.append(field[1])
    if len(above) == 1:
        return above[0]
    return fields[0] if len(fields) == 1 and not above else None


def _span(node: etree._Element) -> tuple[int, int]:
    report = report_element(node)
    x = int(report.get("x", "0"))
    return x, x + int(report.get("width", "0"))


def _prints_alike(editor: Editor, parameter: str, field: str, element: etree._Element) -> bool:
    """Whether the sum is printed as the value is: by a pattern, or both as whole numbers."""
    own, column = _declared(editor, "parameter").get(parameter), _declared(editor, "field").get(field)
    return own in _CLASSES and (element.get("pattern") is not None or DECIMAL not in (own, column))


def _edits(editor: Editor, one: Sum) -> list[AnyEdit]:
    name = f"{one.field}_total"
    taken = set(_declared(editor, "variable"))
    while name in taken:
        name += "_2"
    edits: list[AnyEdit] = [
        Declare(
            scope="variable",
            name=name,
            java_class=_declared(editor, "field")[one.field],
            calculation="Sum",
            expression=f"$F{{{one.field}}}",
        ),
        SetExpression(element=one.element, expression=f"$V{{{name}}}"),
    ]
    if one.band != "summary":  # elsewhere it would be printed before all rows are counted
        edits.append(SetProperty(element=one.element, name="evaluationTime", value="Report"))
    return edits


def _forget(editor: Editor, parameter: str) -> None:
    for node in editor.root.findall(f"{J}parameter"):
        if node.get("name") == parameter:
            editor.root.remove(node)


def _declared(editor: Editor, scope: str) -> dict[str, str]:
    return {node.get("name", ""): node.get("class", "java.lang.String") for node in editor.root.findall(f"{J}{scope}")}


def _expression(node: etree._Element) -> str:
    return (node.findtext(f"{J}textFieldExpression") or "").strip()


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
