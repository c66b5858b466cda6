"""Totals of a value by another value, computed while the rows are printed, whatever their order."""

from __future__ import annotations

from typing import Literal, NamedTuple

from lxml import etree

from ..replies import Text
from .declarations import DATE_CLASSES, NUMBER_CLASSES, STRING_CLASS, is_row_variable
from .dom import insert_child, new_node
from .draft import Draft
from .expressions import blank_if_null, reference
from .refusals import EditRefused, no_field

Measure = Literal["Sum", "Count"]
MAP, _DECIMAL = "java.util.LinkedHashMap", "java.math.BigDecimal"


def value_reference(draft: Draft, name: str) -> tuple[str, str]:
    """Return a reference to a field, or to a variable that is computed from each row, and its class.

    Raises ``EditRefused`` if there is neither.
    """
    declared = draft.declared("field", name)
    if declared is not None:
        return reference("F", name), declared.get("class") or STRING_CLASS
    if is_row_variable(draft, name):
        variable = draft.declared("variable", name)
        assert variable is not None
        return reference("V", name), variable.get("class") or STRING_CLASS
    raise no_field(name)


def key_expression(draft: Draft, name: str) -> str:
    """Return a value as the text that it is grouped by; missing values are one group."""
    return text_of(*value_reference(draft, name))


def text_of(value: str, java_class: str) -> str:
    """Return an expression of a value as a text: a date by its day, nothing for a missing value."""
    written = f"String.valueOf({value})"
    if java_class in DATE_CLASSES:
        written = f'new java.text.SimpleDateFormat("yyyy-MM-dd").format({value})'
    return blank_if_null(value, written)


def require_number(draft: Draft, name: str) -> str:
    """Return a reference to a value. Raises ``EditRefused`` unless it is declared as a number."""
    value, java_class = value_reference(draft, name)
    if java_class not in NUMBER_CLASSES:
        raise EditRefused("class", Text.of("edits.add_chart.no_number", field=name))
    return value


class TotalsBy(NamedTuple):
    """The names of two variables: one with all totals by their keys, one with the total so far for the row's key."""

    all: str
    of_row: str


def declare_totals_by(draft: Draft, stem: str, key: str, field: str | None) -> TotalsBy:
    """Declare variables with the totals of a value over the rows with the same key; without a field, their count."""
    amount = "java.math.BigDecimal.ONE"
    if field is not None:
        value = require_number(draft, field)
        amount = f"({value} == null ? {_DECIMAL}.ZERO : new {_DECIMAL}(String.valueOf({value})))"
    totals, seen = _declare_map(draft, f"{stem}_totals"), _declare_map(draft, f"{stem}_rows")
    earlier = f"(({_DECIMAL}) $V{{{totals}}}.get({key}))"
    added = f"({earlier} == null ? {amount} : {earlier}.add({amount}))"
    # The engine evaluates a variable twice for some rows, so each row is remembered.
    is_new = f"$V{{{seen}}}.put($V{{REPORT_COUNT}}, java.lang.Boolean.TRUE) == null"
    step = new_node("variable", name=draft.free_name("variable", f"{stem}_step"), **{"class": "java.lang.Object"})
    step.append(new_node("variableExpression", f"{is_new} ? $V{{{totals}}}.put({key}, {added}) : null"))
    insert_child(draft.root, step)
    name = draft.free_name("variable", stem)
    node = new_node("variable", name=name, **{"class": _DECIMAL})
    node.append(new_node("variableExpression", f"({_DECIMAL}) $V{{{totals}}}.get({key})"))
    insert_child(draft.root, node)
    return TotalsBy(totals, name)


def _declare_map(draft: Draft, stem: str) -> str:
    """Declare a variable with an empty map that expressions fill. Return its name."""
    node = new_node("variable", name=draft.free_name("variable", stem), **{"class": MAP}, calculation="System")
    node.append(new_node("initialValueExpression", f"new {MAP}()"))
    insert_child(draft.root, node)
    return node.get("name") or stem


def declare_totals_dataset(draft: Draft, stem: str) -> str:
    """Declare a dataset with one row for each entry of a parameter ``totals``. Return its name.

    A pie needs it: the engine refuses to give a pie the same key twice.
    """
    dataset = new_node("subDataset", name=draft.free_name("subDataset", stem))
    dataset.append(new_node("parameter", name="totals", **{"class": "java.util.Map"}))
    insert_child(draft.root, dataset)
    return dataset.get("name") or stem


def totals_run(dataset: str, totals: str) -> etree._Element:
    """Return the run of that dataset over the totals of a variable."""
    run = new_node("datasetRun", subDataset=dataset)
    parameter = new_node("datasetParameter", name="totals")
    parameter.append(new_node("datasetParameterExpression", f"$V{{{totals}}}"))
    source = f"new net.sf.jasperreports.engine.JREmptyDataSource($V{{{totals}}}.size())"
    run.extend([parameter, new_node("dataSourceExpression", source)])
    return run


KEY_OF_TOTAL = "(java.lang.String) $P{totals}.keySet().toArray()[$V{REPORT_COUNT}.intValue() - 1]"
"""In that dataset, the key of a row, and its total."""
VALUE_OF_TOTAL = f"({_DECIMAL}) $P{{totals}}.get({KEY_OF_TOTAL.removeprefix('(java.lang.String) ')})"
