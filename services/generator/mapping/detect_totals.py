"""Detect totals: a value of the form that is the sum of a column becomes a variable that computes it.

Only what the numbers of the form prove is taken for a total. They can't contradict what a model says of a single row,
whose value is its sum, or of a total that is still to be filled in.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.fields.value_types import DECIMAL, INTEGER, LONG
from bandsmith.shared.jrxml.dom import J, content_of, report_element, span_of
from bandsmith.shared.jrxml.expressions import expression_nodes, reference, referenced_names, sole_reference
from bandsmith.shared.jrxml.values_in_wording import is_formatted, printed_value
from bandsmith.shared.jrxml.variables import declared_total
from bandsmith.shared.model.plan import Data

from .element_lines import lines_of
from .number_values import number_of

MIN_ROWS = 2
"""One row proves nothing: its value is its sum."""
MIN_TOTALS_OF_LINE = 2
"""Values on one line that prove each other, where each is the sum of the column above it, whatever its rows."""
_SUMMABLE_CLASSES = (INTEGER, LONG, DECIMAL)
_TOTAL_NAME = re.compile(
    r"(?:^|_)(?:(?:sub)?totals?(?:_\d+)?|sum|gross(?:_pay|_amount)?|(?:amount|balance|net|total|taxable)_(?:due|payable|amount)|payable"
    r"|(?:gesamt|zwischen|netto)?summe|(?:gesamt|netto|rechnungs)betrag|netto|totaal|totale|totaux|importe|suma|somme)(?:_|$)"
)
"""What forms call the sum of a column."""


@dataclass(frozen=True)
class DetectedTotal:
    """A parameter that is the sum of a field."""

    parameter: str
    field: str
    element: str
    band: str
    is_empty: bool = False
    """Whether the form leaves it to be filled in."""


def names_total(name: str) -> bool:
    """Whether a field is called after the sum of a column."""
    return bool(_TOTAL_NAME.search(name))


def replace_totals(
    editor: Editor,
    data: Data,
    proposed: Mapping[str, str] | None = None,
    unlabelled: Container[str] = (),
    spared: Container[str] = (),
) -> Data:
    """Replace the parameters that are proven totals by variables. Return the data without them.

    A total is recognised by its name, by its position below its column if it is `unlabelled`, or because a model
    `proposed` it (parameter to field). What is printed stays the same. Other formulas compute what is `spared`.
    """
    found = [one for one in _detect(editor, data, proposed or {}, unlabelled) if one.parameter not in spared]
    for one in found:
        editor.apply(_edits(editor, one))
        _remove_parameter(editor, one.parameter)
    gone = {one.parameter for one in found}
    kept = {name: value for name, value in data.parameters.items() if name not in gone}
    return data.model_copy(update={"parameters": kept})


def _detect(editor: Editor, data: Data, proposed: Mapping[str, str], unlabelled: Container[str]) -> list[DetectedTotal]:
    all_sums = _field_sums(editor, data)
    proving = all_sums if len(data.filled_rows) >= MIN_ROWS else {}
    found: list[DetectedTotal] = []
    for name, (element, band) in sole_uses(editor).items():
        value, wanted = data.parameters.get(name), proposed.get(name)
        if value in (None, "") and wanted in all_sums:
            key = report_element(element).get("key") or ""
            found.append(DetectedTotal(name, wanted, key, band, is_empty=True))
        if number_of(value) is None:
            continue
        sums = all_sums if wanted else proving
        exact = [
            field
            for field, (total, count) in sums.items()
            if total == Decimal(str(value)) and total != 0 and (wanted or count >= MIN_ROWS)
        ]
        alike = _field_called_alike(name, exact, data)
        field = None
        if wanted is not None or names_total(name):
            field = wanted if wanted in exact else None if wanted else alike or _field_above(editor, element, exact)
        elif name in unlabelled:
            field = _field_right_above(editor, element, band, exact)
        else:
            field = alike
        if field and _prints_the_same(editor, name, field, element):
            found.append(DetectedTotal(name, field, report_element(element).get("key") or "", band))
    known = {one.parameter for one in found} | {*proposed}
    on_lines = [one for one in _on_lines(editor, data, all_sums, unlabelled) if one.parameter not in known]
    return _one_per_field([*found, *on_lines])


def _on_lines(
    editor: Editor, data: Data, sums: Mapping[str, tuple[Decimal, int]], unlabelled: Container[str]
) -> list[DetectedTotal]:
    """Return the totals on lines that end several columns: each value is the sum of the column above it.

    A line with a value that is none of them proves nothing.
    """
    bands: dict[str, dict[etree._Element, DetectedTotal | None]] = {}
    for name, (element, band) in sole_uses(editor).items():
        value, columns = data.parameters.get(name), columns_above(editor, element)
        if band in ("title", "pageHeader") or number_of(value) is None or not columns or value == 0:
            continue
        exact = [field for field in columns if field in sums and sums[field][0] == Decimal(str(value))]
        is_named = names_total(name) or name in unlabelled or _without_number(name) in map(_without_number, exact)
        holds = is_named and len(exact) == 1 and _prints_the_same(editor, name, exact[0], element)
        key = report_element(element).get("key") or ""
        bands.setdefault(band, {})[element] = DetectedTotal(name, exact[0], key, band) if holds else None
    lines = [[found[element] for element in line] for found in bands.values() for line in lines_of(found)]
    proven = [[one for one in line if one] for line in lines if all(line)]
    return [one for line in proven if len({one.field for one in line}) >= MIN_TOTALS_OF_LINE for one in line]


def _one_per_field(found: Sequence[DetectedTotal]) -> list[DetectedTotal]:
    """Keep one total per column: the subtotal, else the first, with others of the same name.

    One of another name may include a tax that is zero here.
    """
    best: dict[str, DetectedTotal] = {}
    for one in found:
        there = best.get(one.field)
        if there is None or ("subtotal" in one.parameter and "subtotal" not in there.parameter):
            best[one.field] = one
    return [one for one in found if _without_number(best[one.field].parameter) == _without_number(one.parameter)]


def _field_called_alike(name: str, fields: Sequence[str], data: Data) -> str | None:
    """Return the field that has the label of a total, if just one has; with one value in it the sum proves nothing."""
    alike = [
        field
        for field in fields
        if _without_number(field) == _without_number(name)
        and sum(number_of(row.get(field)) not in (None, 0) for row in data.rows) >= MIN_ROWS
    ]
    return alike[0] if len(alike) == 1 else None


def _without_number(name: str) -> str:
    """Return a name without the number that tells it from others with the same label."""
    return re.sub(r"_\d+$", "", name)


def _field_sums(editor: Editor, data: Data) -> dict[str, tuple[Decimal, int]]:
    """Return the sum of each numeric field over the rows, and how many values it adds up."""
    found = {}
    for name, java_class in _declared(editor, "field").items():
        values = [row.get(name) for row in data.rows]
        present = [number for value in values if (number := number_of(value)) is not None]
        whole = all(value is None or number_of(value) is not None for value in values)
        if java_class in _SUMMABLE_CLASSES and whole and present:
            found[name] = sum(present, Decimal(0)), len(present)
    return found


def sole_uses(editor: Editor) -> dict[str, tuple[etree._Element, str]]:
    """Return the element that prints each parameter, alone or behind wording, and its band, if nothing else uses it."""
    uses: dict[str, int] = {}
    for node in expression_nodes(editor.root):
        for name in {*referenced_names(node.text or "", "P")}:
            uses[name] = uses.get(name, 0) + 1
    found = {}
    for band, root in editor.bands():
        for node in root.iter(f"{J}textField"):
            whole = printed_value(content_of(node), "P")
            if whole and uses.get(whole[1]) == 1 and report_element(node).get("key"):
                found[whole[1]] = node, band
    return found


def _field_above(editor: Editor, element: etree._Element, fields: Sequence[str]) -> str | None:
    """Return the field whose column is above the total; if there is none, the only field that fits."""
    above = [field for field in columns_above(editor, element) if field in fields]
    if len(above) == 1:
        return above[0]
    return fields[0] if len(fields) == 1 and not above else None


def _field_right_above(editor: Editor, element: etree._Element, band: str, fields: Sequence[str]) -> str | None:
    """Return the field whose column ends in a number without a name: below the rows, under no other column."""
    columns = columns_above(editor, element) if band == "summary" else []
    return columns[0] if len(columns) == 1 and columns[0] in fields else None


def columns_above(editor: Editor, element: etree._Element) -> list[str]:
    """Return the fields whose columns stand over an element."""
    left, right = span_of(element)
    above = []
    for band, root in editor.bands():
        for node in root.iter(f"{J}textField") if band == "detail" else ():
            x, end = span_of(node)
            field = sole_reference(content_of(node), "F")
            if field and min(right, end) > max(left, x):
                above.append(field[1])
    return above


def _prints_the_same(editor: Editor, parameter: str, field: str, element: etree._Element) -> bool:
    """Return whether the sum prints as the value does: by a pattern, or both as integers."""
    own, column = _declared(editor, "parameter").get(parameter), _declared(editor, "field").get(field)
    has_pattern = element.get("pattern") is not None or is_formatted(content_of(element))
    return own in _SUMMABLE_CLASSES and (has_pattern or DECIMAL not in (own, column))


def _edits(editor: Editor, total: DetectedTotal) -> list[AnyEdit]:
    edits: list[AnyEdit] = []
    column = reference("F", total.field)
    name = declared_total(editor.draft, "Sum", None, (column,))
    if name is None:
        name = editor.draft.free_name("variable", f"{total.field}_total")
        java_class = _declared(editor, "field")[total.field]
        edits.append(Declare(scope="variable", name=name, java_class=java_class, calculation="Sum", expression=column))
    printed = content_of(editor.draft.element(total.element))
    summed = printed.replace(reference("P", total.parameter), reference("V", name))
    edits.append(SetExpression(element=total.element, expression=summed))
    if total.is_empty and (pattern := _pattern_of(editor, total.field)):
        edits.append(SetProperty(element=total.element, name="pattern", value=pattern))
    if total.band != "summary":  # elsewhere it would print before all rows are added up
        edits.append(SetProperty(element=total.element, name="evaluationTime", value="Report"))
    return edits


def _pattern_of(editor: Editor, field: str) -> str | None:
    """Return the pattern in which the rows print a field; None where they have none."""
    prints = (node for band, root in editor.bands() if band == "detail" for node in root.iter(f"{J}textField"))
    return next((node.get("pattern") for node in prints if content_of(node) == reference("F", field)), None)


def _remove_parameter(editor: Editor, parameter: str) -> None:
    for node in editor.root.findall(f"{J}parameter"):
        if node.get("name") == parameter:
            editor.root.remove(node)


def _declared(editor: Editor, scope: str) -> dict[str, str]:
    return {node.get("name", ""): node.get("class", "java.lang.String") for node in editor.root.findall(f"{J}{scope}")}
