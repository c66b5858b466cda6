"""How values are written: decimals, separators, signs, dates, and what an empty value prints.

What users say is in ``templates/*/value_format.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.fields.value_types import STRING
from bandsmith.shared.jrxml.expressions import referenced_names, sole_reference
from bandsmith.shared.jrxml.java_literals import java_string

from ...references import Target
from ...sentence_templates import Slots, matches
from ...template_view import TemplateView
from ...view_elements import DATES, TableColumn, ViewElement
from ..reading import Clause, ClauseReading, refused, templated
from ..value_classes import is_numeric, value_class
from .text_dates import every_date

_NUMBER = re.compile(r"(?P<whole>#,##0|#,###|###0|##0|0|#)(?:\.(?P<places>[0#]+))?(?P<percent>%)?")
"""The digits of a number pattern."""
_CURRENCY_SIGN = re.compile(r"[$€£¥￥]\s*|'[A-Z]{3} ?'")
_MARK = re.compile("[-–—/／*]{1,2}|无")
"""What stands for no value, also without quotation marks."""
_DEFAULT_NUMBER_PATTERN = "#,##0.00"

PHRASES = frozenset({"numbers", "named"})
"""Sentences of the files that read a name within a clause."""


def decimals(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Show the price with 2 decimals”; no count means none: “without decimals”."""
    places = int(slots["count"] or 0)
    return _numbers(clause, slots["name"], lambda pattern: _numbered(pattern, places=places))


def separators(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“With thousands separators”, and “… and two decimals”."""
    places = int(slots["count"]) if slots["count"] else None
    return _numbers(clause, slots["name"], lambda pattern: _numbered(pattern, places=places, grouped=True))


def percent(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _numbers(clause, slots["name"], lambda pattern: _numbered(pattern, percent=True))


def currency(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Amount with £”; without a name, of the numbers whose format the clause before changed."""
    if not slots["name"] and not (clause.before and any(_is_pattern(edit) for edit in clause.before.edits)):
        return None
    return _numbers(clause, slots["name"], lambda pattern: _numbered(pattern, sign=slots["sign"]))


def _is_pattern(edit: AnyEdit) -> bool:
    return isinstance(edit, SetProperty) and edit.name == "pattern"


def no_currency(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _numbers(clause, slots["name"], lambda pattern: _CURRENCY_SIGN.sub("", pattern))


def date_format(clause: Clause, slots: Slots) -> ClauseReading | None:
    pattern = _date_pattern(clause.words(slots["date_pattern"]))
    if pattern is None:
        return None
    if not slots["name"]:
        return every_date(clause, pattern)
    elements = _values(clause, slots["name"])
    if not isinstance(elements, list):
        return elements
    dates = [element for element in elements if value_class(clause.view, element) in DATES]
    if not dates:
        return refused("language.text_has_no_date_format")
    return ClauseReading([SetProperty(element=element.key, name="pattern", value=pattern) for element in dates])


def blank(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Leave the price empty when it is null”; without a name, every text field."""
    if slots["name"]:
        elements = _values(clause, slots["name"])
    else:
        elements = [element for element in clause.view.texts if element.tag == "textField"]
    if not isinstance(elements, list):
        return elements
    return ClauseReading(
        [SetProperty(element=element.key, name="isBlankWhenNull", value="true") for element in elements]
    )


def mark_empty(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“备注是空的就印一个‘/’”: a mark where a text of the rows has no value."""
    column = clause.column(slots["name"])
    mark = clause.words(slots["mark"])
    if not isinstance(column, TableColumn) or column.java_class != STRING or len(column.cells) != 1:
        return None
    if not clause.is_quotation(slots["mark"]) and not _MARK.fullmatch(mark):
        return None
    [cell] = column.cells
    if sole_reference(cell.expression, "F") is None:
        return None
    value = cell.expression
    shown = f"{value} == null || {value}.trim().isEmpty() ? {java_string(mark)} : {value}"
    return ClauseReading([SetExpression(element=cell.key, expression=shown)])


def _values(clause: Clause, name: str) -> list[ViewElement] | ClauseReading | None:
    """Return the text fields that words name: a column's cells and totals, or values outside the rows."""
    if any(matches("value_format", "numbers", name.strip())):
        return [cell for column in clause.view.columns if column.numeric for cell in column.cells]
    targets = clause.known(clause.targets(_bare_name(name) or "it"))
    if not isinstance(targets, list):
        return targets
    return [
        element
        for target in targets
        for element in (
            [*target.column.cells, *_totals(clause.view, target.column)]
            if target.column
            else [*target.pieces, *_beside(clause.view, target)]
        )
        if element.tag == "textField"
    ] or None


def _beside(view: TemplateView, target: Target) -> list[ViewElement]:
    """Return the values beside the labels that are meant."""
    found = [view.value_beside(one) for one in target.texts if one.tag == "staticText" and not target.alone]
    return [one for one in found if one is not None and one not in target.pieces]


def _bare_name(name: str) -> str:
    """Return a name without the words around it that say nothing: “all the amounts”, “the date format”."""
    name = name.strip()
    while slots := next(matches("value_format", "named", name), None):
        name = slots["name"]
    return name


def _totals(view: TemplateView, column: TableColumn) -> list[ViewElement]:
    """Return the totals of a column that are printed as its values are: all but counts."""
    totals = {
        node.get("name")
        for node in view.root.iterchildren("{*}variable")
        if node.get("calculation", "Nothing") not in ("Nothing", "Count", "DistinctCount")
        and column.field in referenced_names(node.findtext("{*}variableExpression") or "", "FV")
    }
    return [
        element
        for element in view.in_sections("summary", "columnFooter", "groupFooter")
        if len(element.references) == 1 and element.references[0][0] == "V" and element.references[0][1] in totals
    ]


def _numbers(clause: Clause, name: str, change: Callable[[str], str]) -> ClauseReading | None:
    """Return the reading that changes the number pattern of every number that words name."""
    elements = _values(clause, name)
    if not isinstance(elements, list):
        return elements
    numeric = [element for element in elements if is_numeric(clause.view, element)]
    if not numeric:
        return refused("language.text_has_no_number_format", column=clause.words(name))
    edits_before = clause.before.edits if clause.before else []
    new_patterns = {
        edit.element: edit.value for edit in edits_before if isinstance(edit, SetProperty) and edit.name == "pattern"
    }
    edits: list[AnyEdit] = []
    for element in numeric:
        pattern = new_patterns.get(element.key) or element.pattern or _default_pattern(clause.view, element)
        edits.append(SetProperty(element=element.key, name="pattern", value=change(pattern)))
    columns = [column for column in clause.view.columns if any(cell in numeric for cell in column.cells)]
    return ClauseReading(edits, target=Target(name, tuple(numeric), columns[0] if len(columns) == 1 else None))


def _default_pattern(view: TemplateView, element: ViewElement) -> str:
    """Return the pattern of a number that has none: whole numbers have no decimals."""
    is_decimal = (value_class(view, element) or "").endswith(("BigDecimal", "Double", "Float"))
    return _DEFAULT_NUMBER_PATTERN if is_decimal else "0"


def _numbered(
    pattern: str, places: int | None = None, grouped: bool = False, percent: bool = False, sign: str = ""
) -> str:
    """Return a number pattern with the given properties changed; what stands around its digits stays."""
    found = _NUMBER.search(pattern)
    if found is None:
        pattern, found = _DEFAULT_NUMBER_PATTERN, _NUMBER.search(_DEFAULT_NUMBER_PATTERN)
    assert found is not None
    whole, decimals = found["whole"], len(found["places"] or "") if places is None else places
    if grouped or "," in whole or (places and not percent):
        whole = "#,##0"
    elif percent:
        whole = "0"
    if percent and places is None:
        whole, decimals = "0", 0
    digits = whole + ("." + "0" * decimals if decimals else "") + ("%" if percent or found["percent"] else "")
    if sign:
        return sign + digits
    return pattern[: found.start()] + digits + pattern[found.end() :]


def _date_pattern(words: str) -> str | None:
    """Return the Java pattern that words stand for; None where they are no pattern of a date."""
    if words == "年月日":
        return "yyyy'年'M'月'd'日'"
    if re.fullmatch(r"iso(?: format)?", words, re.IGNORECASE):
        return "yyyy-MM-dd"
    text = words.replace("YYYY", "yyyy").replace("DD", "dd").replace("D", "d")
    # Small m's beside years are months, not minutes.
    if "y" in text and "M" not in text:
        text = re.sub(r"m+", lambda letters: letters[0].upper(), text, count=1)
    if not re.fullmatch(r"[yMdHhmsEa\-/. :,年月日]+", text) or not re.search(r"[yMd]", text):
        return None
    return re.sub(r"([年月日])", r"'\1'", text)


RULES = tuple(
    templated("value_format", build)
    for build in (date_format, decimals, separators, percent, currency, no_currency, mark_empty, blank)
)
