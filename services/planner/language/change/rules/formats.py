"""How numbers and dates are written, in everyday words: like 5 March 2026, in brackets, ¥ in front.

What users say is in ``templates/*/formats.toml``; patterns and single columns are read by ``value_format``.
"""

from __future__ import annotations

from dataclasses import replace

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.add_running_total import AddRunningTotal
from bandsmith.shared.edits.add_share import AddShare
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_format import SetFormat
from bandsmith.shared.fields.value_types import STRING
from bandsmith.shared.jrxml.expressions import sole_reference, unless_null
from bandsmith.shared.jrxml.java_literals import java_string

from ...date_examples import pattern_of_example
from ...fuzzy_match import normal
from ...numbers import number_of
from ...references import Missing, Target
from ...sentence_templates import Slots, matches, phrases
from ...view_elements import DATES, TableColumn, ViewElement
from ..reading import Clause, ClauseReading, refused, templated
from ..value_classes import is_numeric, value_class
from .text_dates import every_date, rewritten_dates

_NEW = (AddColumn, AddShare, AddRunningTotal)
"""Edits whose new column the next clause may be about."""
_SAME_AMOUNT = 0.005
"""Amounts that differ by less print the same."""
PHRASES = frozenset({"dates", "numbers", "everywhere", "as_example", "prices"})
"""Sentences of the files that name no single column."""


def date_like(clause: Clause, slots: Slots) -> ClauseReading | None:
    if slots["other"]:
        like = _pattern_of(clause, slots["other"])
        return _of(clause, slots["name"].strip(), {"date": like}) if like and slots["name"].strip() else None
    pattern = slots["date_style"] or pattern_of_example(clause.words(slots["example"]))
    if not pattern or (slots["example"] and not phrases("formats", "as_example", clause.text)):
        return None  # “日期改成2026年7月31日” is another date
    name = slots["name"].strip()
    if any(matches("formats", "dates", name)):
        return every_date(clause, pattern)
    return _of(clause, name, {"date": pattern})


def _pattern_of(clause: Clause, words: str) -> str:
    """Return the pattern of the dates that words name; empty where they are no dates."""
    found = clause.find(words)
    if not isinstance(found, Target):
        return ""
    cells = found.column.cells if found.column is not None else found.texts
    beside = [one for one in (clause.view.value_beside(text) for text in found.texts) if one is not None]
    patterns = {_pattern_of_text(clause, one) for one in (*cells, *beside)} - {""}
    return patterns.pop() if len(patterns) == 1 else ""


def _pattern_of_text(clause: Clause, one: ViewElement) -> str:
    """Return the pattern by which a text prints its date: its own, or that of the date which the data holds as text."""
    if value_class(clause.view, one) in DATES:
        return one.pattern or ""
    names = {name for scope, name in one.references if scope == "P"}
    return (pattern_of_example(str(clause.view.parameter(names.pop()) or "")) or "") if len(names) == 1 else ""


def brackets(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _of(clause, slots["name"], {"negative": "brackets"})


def minus(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _of(clause, slots["name"], {"negative": "minus"})


def sign_before(clause: Clause, slots: Slots) -> ClauseReading | None:
    if not slots["name"] and not clause.is_first and not (clause.before and clause.before.target):
        return None  # in front of what an unread clause may have named
    if any(matches("formats", "prices", slots["name"])):
        columns = [one for one in clause.view.columns if one.java_class.endswith(("Decimal", "Double", "Float"))]
        named = [one for one in columns if normal(one.label) == normal(slots["name"])]
        return _changed(clause, [*(named or columns)], {"before": slots["sign"]}, "language.no_numbers")
    return _of(clause, slots["name"], {"before": slots["sign"]}, money_only=True)


def amount_like(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Show the total as EUR 1,530.00”: the code before the number; another number than the printed one is a value."""
    found, said = clause.find(slots["name"]), number_of(slots["amount"])
    if not isinstance(found, Target) or said is None:
        return None
    if found.column is None:
        values = [one for one in _with_values(clause, found) if isinstance(one, ViewElement)]
        if not any(abs(number - float(said)) < _SAME_AMOUNT for one in values for number in clause.view.numbers(one)):
            return None
    reading = _of(clause, slots["name"], {"before": f"{slots['code']} "})
    return replace(reading, target=found) if reading is not None else None


def prefixed(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“批号前面带个井号”: a mark before the texts of a column."""
    column = clause.column(slots["name"])
    if not isinstance(column, TableColumn) or len(column.cells) != 1 or column.java_class != STRING:
        return None
    [cell] = column.cells
    if sole_reference(cell.expression) is None:
        return None
    shown = unless_null(cell.expression, f"{java_string(slots['mark'])} + {cell.expression}")
    return ClauseReading([SetExpression(element=cell.key, expression=shown)])


def of_share(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“… 百分数，保留一位小数” behind a new column of shares, which are written so anyway."""
    is_share = clause.before is not None and any(isinstance(edit, AddShare) for edit in clause.before.edits)
    return ClauseReading() if is_share and slots["count"] in ("", "1") else None


def unit_after(clause: Clause, slots: Slots) -> ClauseReading | None:
    unit = clause.words(slots["quotation"])
    return _of(clause, slots["name"], {"after": unit if unit.startswith((" ", "%")) else f" {unit}"})


def thousands(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _of(clause, "", {"thousands": True})


def no_thousands(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _of(clause, slots["name"], {"thousands": False})


def places(clause: Clause, slots: Slots) -> ClauseReading | None:
    if clause.before and (clause.before.target or any(isinstance(one, _NEW) for one in clause.before.edits)):
        return None  # “the amounts in bold, with 2 decimals” is about those
    return _of(clause, "", {"decimals": int(slots["count"])}, money_only=True)


def _of(clause: Clause, name: str, values: dict[str, object], *, money_only: bool = False) -> ClauseReading | None:
    """Return the reading that changes the format of a column, or of every number where none is named.

    `money_only` leaves whole numbers such as quantities alone, where there are others.
    """
    goes_on = clause.before is not None and clause.before.target and not phrases("formats", "everywhere", clause.text)
    name = name.strip() or ("it" if goes_on else "")
    is_column = isinstance(clause.find(name), Target) if name else False
    if not is_column and (not name or any(matches("formats", "numbers", name))):
        numbers = _all_numbers(clause)
        decimals = [one for one in numbers if (_class(clause, one) or "").endswith(("Decimal", "Double", "Float"))]
        return _changed(clause, decimals if money_only and decimals else numbers, values, "language.no_numbers")
    targets = clause.targets(name)
    if isinstance(targets, Missing):
        return clause.absent(targets)
    if not isinstance(targets, list):
        # “日期” may be the label of several dates.
        is_dates = "date" in values and any(matches("formats", "dates", name))
        return every_date(clause, str(values["date"])) if is_dates else None
    wanted: list[TableColumn | ViewElement] = []
    for target in targets:
        wanted += [target.column] if target.column is not None else _with_values(clause, target)
    is_right = _is_date if "date" in values else _is_number
    right = [one for one in wanted if is_right(clause, one)]
    if "date" in values and not right:
        texts = [one for one in wanted if isinstance(one, ViewElement)]
        if edits := rewritten_dates(clause.view, texts, str(values["date"])):
            return ClauseReading(edits)
    code = "language.text_has_no_date_format" if "date" in values else "language.text_has_no_number_format"
    return _changed(clause, right, values, code, column=clause.words(name))


def _changed(
    clause: Clause,
    wanted: list[TableColumn | ViewElement],
    values: dict[str, object],
    nothing: str,
    **words: object,
) -> ClauseReading:
    if not wanted:
        return refused(nothing, **words)
    edits: list[AnyEdit] = []
    for one in wanted:
        place = {"field": one.field} if isinstance(one, TableColumn) else {"element": one.key}
        edits.append(SetFormat.model_validate({**place, **values}))
    return ClauseReading(edits)


def _with_values(clause: Clause, target: Target) -> list[TableColumn | ViewElement]:
    """Return the texts that are meant, and the value beside a label."""
    beside = [clause.view.value_beside(one) for one in target.texts if one.tag == "staticText"]
    return [*target.texts, *(one for one in beside if one is not None and one not in target.texts)]


def _all_numbers(clause: Clause) -> list[TableColumn | ViewElement]:
    return [column for column in clause.view.columns if column.numeric]


def _class(clause: Clause, one: TableColumn | ViewElement) -> str | None:
    return one.java_class if isinstance(one, TableColumn) else value_class(clause.view, one)


def _is_date(clause: Clause, one: TableColumn | ViewElement) -> bool:
    return _class(clause, one) in DATES


def _is_number(clause: Clause, one: TableColumn | ViewElement) -> bool:
    return one.numeric if isinstance(one, TableColumn) else is_numeric(clause.view, one)


RULES = tuple(
    templated("formats", rule)
    for rule in (
        of_share,
        date_like,
        brackets,
        minus,
        prefixed,
        amount_like,
        sign_before,
        unit_after,
        thousands,
        no_thousands,
        places,
    )
)
