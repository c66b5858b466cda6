"""Declare variables: values computed from each row, and totals of them."""

from __future__ import annotations

from collections.abc import Collection
from graphlib import CycleError, TopologicalSorter

from lxml import etree

from .declarations import STRING_CLASS
from .dom import child_text, declared_nodes, ensure_child, insert_child, new_node, set_value, tag
from .draft import Draft
from .expressions import referenced_names, rounded, unless_null

_INTEGER_CLASSES = frozenset({"java.lang.Byte", "java.lang.Short", "java.lang.Integer", "java.lang.Long"})
_AVERAGE_DECIMALS = 4
"""The engine rounds an average to the decimals of its values, so they are given this many."""


def declare_row_variable(draft: Draft, stem: str, java_class: str, expression: str) -> str:
    """Declare a variable that is computed from each row, under a name that no field has either. Return its name."""
    fields = declared_nodes(draft.root, "field")
    name = draft.free_name("variable", stem)
    if name in fields:
        name = draft.free_name("variable", f"{stem}_computed")
    node = new_node("variable", name=name, **{"class": java_class})
    node.append(new_node("variableExpression", expression))
    insert_child(draft.root, node)
    order_variables(draft)
    return name


def total_variable(
    draft: Draft, field: str, calculation: str, group: etree._Element | None, expression: str, java_class: str
) -> str:
    """Return the name of the variable that totals an expression; it is declared if there is none."""
    computed, result_class = totalled(calculation, expression, java_class)
    if found := declared_total(draft, calculation, group, (computed, expression)):
        return found
    attributes = {"class": result_class, **_resets(calculation, group)}
    stem = f"{field}_{calculation.lower()}" + (f"_{group.get('name')}" if group is not None else "")
    node = new_node("variable", name=draft.free_name("variable", stem), **attributes)
    node.append(new_node("variableExpression", computed))
    insert_child(draft.root, node)
    return node.get("name") or ""


def declared_total(
    draft: Draft, calculation: str, group: etree._Element | None, expressions: Collection[str]
) -> str | None:
    """Return the variable that totals one of the expressions in a group or, for None, in the report.

    None where there is no such variable.
    """
    attributes = _resets(calculation, group)
    for node in draft.root.findall(tag("variable")):
        same = all(node.get(name) == value for name, value in attributes.items())
        of_report = group is not None or node.get("resetType", "Report") == "Report"
        if same and of_report and child_text(node, "variableExpression") in expressions:
            return node.get("name") or ""
    return None


def _resets(calculation: str, group: etree._Element | None) -> dict[str, str]:
    """Return the attributes of a variable that say what it computes, and where it begins again."""
    if group is None:
        return {"calculation": calculation}
    return {"calculation": calculation, "resetType": "Group", "resetGroup": group.get("name") or ""}


def totalled(calculation: str, expression: str, java_class: str) -> tuple[str, str]:
    """Return the expression that the engine adds up, and the class of the result."""
    if calculation == "Count":
        return expression, "java.lang.Integer"
    if calculation == "Sum" and java_class in _INTEGER_CLASSES:
        return expression, "java.lang.Long"  # a sum soon exceeds an Integer
    if calculation == "Average":
        value = f"({expression})"
        exact = value if java_class == "java.math.BigDecimal" else f"new BigDecimal({value}.toString())"
        return (
            unless_null(value, rounded(exact, _AVERAGE_DECIMALS)),
            "java.math.BigDecimal",
        )
    return expression, java_class


def order_variables(draft: Draft) -> None:
    """Put each variable after its operands, and change the order no more than that takes.

    The engine computes variables in the order of their declaration: one that stood before its operand would be
    computed from the operand's value in the row before.
    """
    declared = declared_nodes(draft.root, "variable")
    operands = {
        name: [one for one in referenced_names(child_text(node, "variableExpression"), "V") if one in declared]
        for name, node in declared.items()
    }
    places = {name: place for place, name in enumerate(declared)}
    sorter = TopologicalSorter(operands)
    try:
        sorter.prepare()
    except CycleError:
        return  # the engine says what is wrong with it
    ready: list[str] = []
    order: list[str] = []
    while sorter.is_active():
        ready = sorted([*ready, *sorter.get_ready()], key=places.__getitem__)
        order.append(ready.pop(0))
        sorter.done(order[-1])
    if order != list(declared):
        for name in order:
            draft.root.remove(declared[name])
            insert_child(draft.root, declared[name])


def class_of_variable(draft: Draft, name: str) -> str:
    """Return the class of a variable's value."""
    node = draft.declared("variable", name)
    return (node.get("class") if node is not None else None) or STRING_CLASS


def declare_value(draft: Draft, name: str, expression: str) -> str:
    """Declare a decimal number that is computed from others, or compute the declared one so. Return its name."""
    node = draft.declared("variable", name)
    if node is None:
        node = new_node("variable", name=name, **{"class": "java.math.BigDecimal"})
        insert_child(draft.root, node)
    set_value(ensure_child(node, "variableExpression"), None, expression)
    order_variables(draft)
    return name
