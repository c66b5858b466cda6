"""Where a value comes from: a field, a formula or a sum."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

from bandsmith.shared.jrxml.amount_words import spells_amount
from bandsmith.shared.jrxml.expressions import references, sole_reference
from bandsmith.shared.replies import listed

from ..language.numbers import plain_amount
from ..language.references import prints_total, with_value
from ..language.sentence_templates import Slots, matches
from ..language.template_view import TemplateView
from ..language.view_elements import TableColumn, ViewElement
from ..spelled_amount import matches_words, spelled_amounts
from .printed_values import printed_number
from .report import OwnReport, name_of, written

MAX_ADDENDS = 12
"""Addends of a sum that are listed."""
MAX_PARTS = 3
"""Numbers below the rows that may make up another one, such as net total, tax and freight."""


def computed(report: OwnReport, slots: Slots) -> str | None:
    """“How is the amount calculated?”"""
    target = report.target(slots["name"])
    if target is None:
        spelled = spelled_amounts(report.view) if matches_words(slots["name"]) else []
        return "\n".join(_origin(report, piece) for piece in spelled) or None
    if target.column is not None:
        return _origin_of_column(report, target.column)
    pieces = [piece for piece in with_value(report.view, target).texts if piece.references] or target.texts
    return "\n".join(dict.fromkeys(_origin(report, piece) for piece in pieces)) or None


def _origin_of_column(report: OwnReport, column: TableColumn) -> str:
    cell = next((cell for cell in column.cells if cell.references), None)
    if cell is None:
        return report.say("origin.fixed", name=column.label)
    alone = sole_reference(cell.expression, "FV")
    if alone and alone[0] == "F":
        return report.say("origin.field", name=column.label, field=alone[1])
    if alone and (formula := _formula(report, alone[1])):
        return report.say("origin.computed", name=column.label, formula=formula)
    return report.say("origin.computed", name=column.label, formula=cell.expression)


def _origin(report: OwnReport, piece: ViewElement) -> str:
    name = name_of(report, piece)
    used = references(piece.expression)
    variable = next((name for scope, name in used if scope == "V"), None)
    if variable:
        summed = _summed(report, variable)
        if spells_amount(piece.expression):
            return "\n".join(filter(None, [report.say("origin.in_words", name=name), summed]))
        return summed or report.say(
            "origin.computed", name=name, formula=_formula(report, variable) or piece.expression
        )
    parameters = list(dict.fromkeys(parameter for scope, parameter in used if scope == "P"))
    if parameters:
        said = report.say("origin.parameter", name=name, parameter=listed(parameters, report.language))
        return "\n".join([said, *_adds_up(report, piece)])
    return report.say("origin.fixed", name=name)


def _adds_up(report: OwnReport, piece: ViewElement) -> list[str]:
    """Return the other numbers below the rows that a single value is the sum of, in one line."""
    value = printed_number(report, piece)
    others = [other for other in report.view.in_sections("summary", "columnFooter") if other != piece]
    numbers = [(other, number) for other in others if (number := printed_number(report, other)) is not None]
    for count in range(2, MAX_PARTS + 1):
        for chosen in combinations(numbers[:MAX_ADDENDS], count):
            if value is not None and sum((number for _, number in chosen), Decimal()) == value:
                parts = [_label_of(report.view, other) + written(number) for other, number in chosen]
                return [report.say("origin.adds_up", parts=" + ".join(parts), sum=written(value))]
    return []


def _label_of(view: TemplateView, value: ViewElement) -> str:
    label = view.label_beside(value)
    return f"{view.printed(label)} ".lstrip() if label is not None else ""


def _formula(report: OwnReport, variable: str) -> str | None:
    """Return what a variable computes, as its template says it."""
    for node in report.view.root.iterchildren("{*}variable"):
        if node.get("name") == variable:
            expression = (node.findtext("{*}variableExpression") or "").strip()
            calculation = node.get("calculation", "Nothing")
            return expression if calculation == "Nothing" else f"{calculation}({expression})"
    return None


def _summed(report: OwnReport, variable: str) -> str | None:
    """Return the addition of a variable that is the sum of a field of the rows."""
    node = next((n for n in report.view.root.iterchildren("{*}variable") if n.get("name") == variable), None)
    found = sole_reference(node.findtext("{*}variableExpression") or "", "FV") if node is not None else None
    if node is None or found is None or node.get("calculation") != "Sum" or node.get("resetGroup"):
        return None
    values = report.values(found[1])
    if not values or len(values) != len(report.data.rows):
        return None
    column = report.view.column(found[1]) or _column_of(report, found[1])
    addends = " + ".join(map(written, values)) if len(values) <= MAX_ADDENDS else "…"
    label = column.label if column else found[1]
    return report.say(
        "origin.sum", column=label, count=len(values), addends=addends, sum=written(sum(values, Decimal()))
    )


def _column_of(report: OwnReport, variable: str) -> TableColumn | None:
    """Return the column that prints a variable."""
    for column in report.view.columns:
        if any(("V", variable) in cell.references for cell in column.cells):
            return column
    return None


def correct(report: OwnReport, slots: Slots) -> str | None:
    """“Is the total right?”: a sum of the rows is added up again, any other number from the numbers beside it."""
    target = report.target(slots["name"]) if slots["name"] else None
    pieces = with_value(report.view, target).texts if target is not None else []
    lines = _checks(report, pieces)
    if not lines and target is not None and target.column is not None:
        pieces = [piece for piece in _totals(report) if _is_sum_of_column(report, piece, target.column)]
        lines = _checks(report, pieces)
    if not lines and (not slots["name"] or any(matches("printed_questions", "the_total", slots["name"]))):
        pieces = _totals(report)
        lines = _checks(report, pieces)
    if not lines:
        return None
    if any(_sum_of(report, piece) for piece in pieces):
        lines.append(report.say("sum_is_right"))
    shown = plain_amount(slots["shown_amount"])
    printed = {f"{number:.2f}" for piece in pieces for number in report.view.numbers(piece)}
    if shown and printed and f"{Decimal(shown):.2f}" not in printed:
        lines[-1] = report.say("other_sum", amount=slots["shown_amount"])
    return "\n".join(lines)


def _is_sum_of_column(report: OwnReport, piece: ViewElement, column: TableColumn) -> bool:
    """Whether a text below the rows prints the sum of a column."""
    used = {column.field} | {name for cell in column.cells for scope, name in cell.references if scope == "V"}
    names = {name for scope, name in piece.references if scope == "V"}
    sums = [node for node in report.view.root.iterchildren("{*}variable") if node.get("name") in names]
    found = (sole_reference(node.findtext("{*}variableExpression") or "", "FV") for node in sums)
    return any(reference is not None and reference[1] in used for reference in found)


def _totals(report: OwnReport) -> list[ViewElement]:
    """Return the numbers below the rows that the report adds up."""
    return [piece for piece in report.view.in_sections("summary", "columnFooter") if prints_total(piece)]


def _checks(report: OwnReport, pieces: Sequence[ViewElement]) -> list[str]:
    """Return how numbers come out again from others, those that come from none apart."""
    found = (_sum_of(report, piece) or next(iter(_adds_up(report, piece)), None) for piece in pieces)
    return list(dict.fromkeys(line for line in found if line))


def _sum_of(report: OwnReport, piece: ViewElement) -> str | None:
    sums = [_summed(report, name) for scope, name in piece.references if scope == "V"]
    return next((found for found in sums if found), None)
