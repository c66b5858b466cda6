"""Remove columns, elements and totals. What users say is in ``templates/*/removal.toml``."""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_tax import TAX_SUFFIX, AddTax
from bandsmith.shared.edits.base import Calculation
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.delete_total import DeleteTotal
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.jrxml.expressions import string_literals
from bandsmith.shared.jrxml.java_literals import java_string

from ...references import Target, formula_beside
from ...sentence_templates import Slots, listed
from ...template_view import TemplateView
from ...view_elements import ViewElement
from ..reading import Clause, ClauseReading, refused, templated

_CALCULATIONS: dict[str, Calculation] = {"average": "Average", "count": "Count"}
_NEVER_REMOVED = frozenset({"everything", "table", "rows", "header"})


def remove(clause: Clause, slots: Slots) -> ClauseReading | None:
    targets = clause.known(clause.targets(slots["names"]))
    return _without(clause, targets) if isinstance(targets, list) else targets


def _without(clause: Clause, targets: list[Target]) -> ClauseReading | None:
    """Return the reading that removes what is named."""
    if any(target.role in _NEVER_REMOVED for target in targets):
        return None
    edits: list[AnyEdit] = []
    removed: list[ViewElement] = []
    for target in targets:
        if target.column is not None:
            edits.append(DeleteColumn(field=target.column.field))
        elif target.role == "value" and (blanked := _without_value(target.pieces[0])) is not None:
            edits.append(blanked)
        else:
            removed += (elements := _elements_to_delete(clause, target))
            edits += [Delete(element=element.key) for element in elements]
    return ClauseReading([*_out_of_the_total(clause.view, removed), *edits], target=targets[-1])


def not_needed(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“备注不用”: behind a clause that was not read it may as well say that the remark needs no such change."""
    return remove(clause, slots) if clause.is_first else None


def remove_it(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“备注没人填，删掉”: what the clause before speaks of, where it asks for nothing else but that."""
    if clause.before is None or clause.before.target is None:
        return None
    if clause.before.edits:
        is_said_again = all(isinstance(edit, Delete | DeleteColumn) for edit in clause.before.edits)
        return ClauseReading(target=clause.before.target) if is_said_again else None
    return _without(clause, [clause.before.target])


def unwanted(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“No footer”, but not “no borders”; “不要备注”, but not “不要改备注”.

    “No line” behind a clause that was not read may be about what that adds.
    """
    if part := slots["part"]:
        return remove(clause, Slots({"names": part})) if listed("removal", "removable", part) else None
    reading = None if listed("removal", "prohibited", slots["names"]) else remove(clause, slots)
    is_line = reading is not None and reading.target is not None and reading.target.role in ("line", "lines")
    return None if is_line and not clause.is_first and clause.before is None else reading


def delete_totals(clause: Clause, slots: Slots) -> ClauseReading | None:
    """Totals that the report computes. A total that is no more than a label and a value is left to `remove`."""
    view = clause.view
    totals = _totals_meant(view, slots)
    if not totals:
        return refused("language.no_such_total")
    update: dict[str, str | None] = {"calculation": _CALCULATIONS.get(slots["total"])}
    if slots["names"]:
        columns = clause.known(clause.columns(slots["names"]))
        if not isinstance(columns, list):
            return columns
        edits = [total.model_copy(update={**update, "field": column.field}) for total in totals for column in columns]
    else:
        edits = [total.model_copy(update=update) for total in totals]
    printed = [edit for edit in edits if _is_printed(view, edit)]
    return ClauseReading([*(printed or edits)])


def _totals_meant(view: TemplateView, slots: Slots) -> list[DeleteTotal]:
    """Return the totals at the end of the report, of the groups, or both, of which the report has some."""
    at_groups = [total for field in view.groups if _is_printed(view, total := DeleteTotal(group=field))]
    at_end = [total] if _is_printed(view, total := DeleteTotal()) else []
    what = slots["total"]
    if what == "subtotals" or slots["group"]:
        return at_groups
    if what == "subtotals_or_totals":
        return at_groups or at_end
    if what == "totals" or (slots["every"] and what != "grand_total"):
        return [*at_groups, *at_end]
    return at_end or at_groups


def _is_printed(view: TemplateView, edit: DeleteTotal) -> bool:
    return bool(edit.removes(view.editor.draft))


def _without_value(piece: ViewElement) -> SetExpression | None:
    """Return the edit that leaves the label of a text which prints its value behind it; None for any other text."""
    literals = [one for one in string_literals(piece.expression) if one.strip()]
    if len(literals) != 1 or not literals[0].rstrip().endswith((":", "：")):
        return None
    return SetExpression(element=piece.key, expression=java_string(literals[0]))


def _elements_to_delete(clause: Clause, target: Target) -> list[ViewElement]:
    """Return the elements of a target. A label goes with the value beside it, unless the clause quotes it."""
    elements = list(target.pieces)
    if len(elements) != 1 or target.role or target.alone or clause.has_quotes(clause.text):
        return elements
    whole = with_value(clause.view, elements[0])
    return [*whole, *(cell for one in whole for cell in clause.view.empty_cells_beside(one))]


def _out_of_the_total(view: TemplateView, elements: list[ViewElement]) -> list[AnyEdit]:
    """Return the edits that take a computed tax, which is removed, out of the grand total as well.

    Where the sum before tax is removed, too, the lines are meant, and what is due is printed as before.
    """
    computed = {name for element in elements for scope, name in element.references if scope == "V"}
    fields = [column.field for column in view.columns]
    taxed = [name.removesuffix(TAX_SUFFIX) for name in sorted(computed) if name.endswith(TAX_SUFFIX)]
    return [AddTax(field=field, rate="0") for field in taxed if field in fields and len(computed) == 1]


def with_value(view: TemplateView, label: ViewElement) -> list[ViewElement]:
    """Return a label, and the value to its right if there is one; a value with its label."""
    found = [view.label_beside(label), label, view.value_beside(label) or formula_beside(view, label)]
    return [element for element in found if element is not None]


RULES = (
    templated("removal", remove_it),
    templated("removal", delete_totals),
    templated("removal", remove),
    templated("removal", not_needed),
    templated("removal", unwanted),
)
