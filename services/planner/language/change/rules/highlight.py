"""Values that look different where a condition holds. How they are asked for is in ``templates/*/highlight.toml``."""

from __future__ import annotations

from operator import eq, ge, gt, le, lt, ne
from typing import get_args

from bandsmith.shared.edits.highlight import Highlight
from bandsmith.shared.jrxml.conditions import Comparison
from bandsmith.shared.replies import Text
from bandsmith.shared.replies import listed as joined

from ...colours import colour
from ...fuzzy_match import column_fit
from ...numbers import number_of
from ...references import Missing
from ...sentence_templates import Slots, end_of_phrases, listed, matches, phrase_at, phrases, start_of_phrases
from ...view_elements import DATES, TableColumn
from ..column_choice import amount_column
from ..reading import Clause, ClauseReading, compared_column, refused, templated
from ..unquoted import runs_on
from .columns import ROW_COUNT
from .row_values import rows_named

SUBJECT = "highlight"
PHRASES = frozenset({
    "signed", "compared", "named", "amounts", "background", "whole_row", "verb", "style", "lead", "rows", "opens",
    "closes", "no_name", "no_value", "by_unit", "backed", "marks", "limited", "by_amount", "row_of", "numbered_row",
    "bare",
})  # fmt: skip
"""Sentences of the files: conditions, names and numbers within them, and the words around them."""
MIN_UNIT_FIT = 95
"""How well a unit fits the heading of its column, out of 100: hours, 小时."""
MIN_NUMBERED_ROW = 2
MAX_SHORT_NUMBER = 1e6
"""Larger numbers are rounded, for their short form has an exponent."""
_COMPARED = {"<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne}


def highlight(clause: Clause) -> ClauseReading | None:
    """“Mark amounts over 100 in red”, “金额大于100的标红”: a condition, with a colour or bold letters."""
    text, filled = _without_background(clause.text)
    if any(matches("value_format", "blank", clause.text)) or phrases(SUBJECT, "background", text):
        return None  # “留白” leaves a value empty: it is no white
    text = _without_rows(text)
    condition, shade, bold = _without_style(text)
    if filled and shade:
        return None  # letters of one colour on another
    shade = filled or shade
    if not (shade or bold or phrase_at(SUBJECT, "verb", text) or phrases(SUBJECT, "marks", text)):
        return None
    condition = " ".join(condition.split()).strip(" ,，")
    if lead := phrase_at(SUBJECT, "lead", condition):
        condition = condition[lead.end :].strip()
    start, end = end_of_phrases(SUBJECT, "opens", condition), start_of_phrases(SUBJECT, "closes", condition)
    around = (condition[:start], condition[end:])
    row = bool(phrases(SUBJECT, "whole_row", clause.text)) or any(phrases(SUBJECT, "rows", words) for words in around)
    reading = _condition(clause, condition[start:end].strip(), shade, bold, row)
    if reading is None or not reading.edits:  # what closes a condition may end a unit: 超过8小时
        reading = _by_unit(clause, condition[start:], shade, bold, row) or reading
    if reading is not None and filled:
        reading.edits = [edit.model_copy(update={"background": True}) for edit in reading.edits]
    return reading


def _without_background(text: str) -> tuple[str, str | None]:
    """Return a clause without the words that ask for cells of a colour, and that colour."""
    found = [phrase for phrase in phrases(SUBJECT, "backed", text) if phrase.slots["colour"]]
    if len(found) != 1:
        return text, None
    return f"{text[: found[0].start]} {text[found[0].end :]}".strip(), colour(found[0].slots["colour"])


def _without_rows(text: str) -> str:
    """Return a clause without the words that ask for whole rows."""
    for phrase in reversed(phrases(SUBJECT, "whole_row", text)):
        text = f"{text[: phrase.start]} {text[phrase.end :]}"
    return text.strip()


def _without_style(text: str) -> tuple[str, str | None, bool]:
    """Return a clause without its style, the colour it names, and whether it asks for bold letters."""
    shade, bold = None, False
    # From the end, for a value may be the name of a colour as well.
    while found := [one for one in phrases(SUBJECT, "style", text) if not (one.slots["colour"] and shade)]:
        last = found[-1]
        shade = shade or colour(last.slots["colour"])
        bold = bold or bool(last.slots["bold"])
        text = f"{text[: last.start]} {text[last.end :]}".strip()
    return text, shade, bold


def _condition(clause: Clause, text: str, shade: str | None, bold: bool, row: bool) -> ClauseReading | None:
    """Return the highlight of the values for which a condition holds: “amount over 100”, “negative prices”."""
    absent: ClauseReading | None = None
    for slots in matches(SUBJECT, "signed", text):
        column = clause.column(slots["name"])
        if isinstance(column, TableColumn):
            return _reading(column, _comparison(slots["sign"]), "0", shade, bold, row)
        if isinstance(column, Missing):
            absent = absent or clause.absent(column)
    for slots in (*matches(SUBJECT, "compared", text), *matches(SUBJECT, "limited", text)):
        reading = _compared(clause, slots, shade, bold, row)
        if reading is not None and reading.edits:
            return reading
        absent = absent or reading
    found = _by_unit(clause, text, shade, bold, row) or _by_amount(clause, text, shade, bold, row)
    return found or _numbered_row(clause, text, shade, bold) or _named_row(clause, text, shade, bold, row) or absent


def _by_amount(clause: Clause, text: str, shade: str | None, bold: bool, row: bool) -> ClauseReading | None:
    """“Lines under 300 in grey”, “anything over 500”: the only column that can be meant."""
    for slots in matches(SUBJECT, "by_amount", text):
        number = _number(slots["figure"])
        if number is None:
            return None
        comparison = _comparison(slots["comparison"] or slots["limit"])
        column = _column_meant(clause, slots["thing"] == "row", comparison, number)
        if not isinstance(column, TableColumn):
            return column
        return _reading(column, comparison, f"{number:g}", shade, bold, row or slots["thing"] == "row")
    return None


def _column_meant(
    clause: Clause, is_of_rows: bool, comparison: Comparison, number: float
) -> TableColumn | ClauseReading | None:
    """Return the column that a condition without a name is about; a refusal asks where several can be meant.

    That is the only one of numbers, or the only one of which the condition holds for some of the printed rows and not
    for all. Of lines, what counts is their amount.
    """
    numeric = [one for one in clause.view.columns if one.numeric and one.field != ROW_COUNT]
    meant = [one for one in numeric if _may_tell_apart(clause, one, comparison, number)]
    if is_of_rows or (len(numeric) > 1 and not meant):
        return amount_column(clause, "", "language.which_column")
    if len(numeric) == 1 or len(meant) == 1:
        return (meant or numeric)[0]
    labels = [one.label for one in meant]
    return refused("language.which_column", columns=Text(joined(labels, "en"), joined(labels, "zh")))


def _may_tell_apart(clause: Clause, column: TableColumn, comparison: Comparison, number: float) -> bool:
    """Whether a condition may hold for some values of a column and not for all: a computed one's are not known."""
    values = [number_of(str(row[column.field])) for row in clause.view.rows if row.get(column.field) is not None]
    known = [value for value in values if value is not None]
    return not known or len({_COMPARED[comparison](value, number) for value in known}) > 1


def _numbered_row(clause: Clause, text: str, shade: str | None, bold: bool) -> ClauseReading | None:
    """“The third row in red”, “第三行标红”: a row by its place, which the first value that no other row has tells.

    The first row may be the header.
    """
    rows = clause.view.rows
    for slots in matches(SUBJECT, "numbered_row", text):
        at = number_of(slots["number"] or listed("row_values", "nth", slots["nth"]) or "")
        if at is None or at != int(at) or at < MIN_NUMBERED_ROW:
            continue
        if at > len(rows):
            return refused("edits.set_value.no_number", row=int(at), count=len(rows)) if rows else None
        for column in clause.view.columns:
            values = [str(row.get(column.field) or "") for row in rows]
            value = values[int(at) - 1]
            if column.java_class not in DATES and value and values.count(value) == 1:
                return _reading(column, "==", value, shade, bold, True)
    return None


def _named_row(clause: Clause, text: str, shade: str | None, bold: bool, row: bool) -> ClauseReading | None:
    """“Friday's row in yellow”, “茶壶那行标红”: a row by one of its values."""
    names = [slots["row"] for slots in matches(SUBJECT, "row_of", text)]
    for name in [*names, *([text] if row else [])]:
        words = clause.words(name)
        found = rows_named(clause.view, words, "")
        values = {(field, clause.view.rows[at][field]) for at, field in found.items()}
        if len(values) > 1:
            return refused("edits.set_value.several_rows", value=words, count=len(found))
        column = next((one for one in clause.view.columns for field, _ in values if one.field == field), None)
        if column is not None:
            return _reading(column, "==", str(next(iter(values))[1]), shade, bold, True)
    return None


def _by_unit(clause: Clause, text: str, shade: str | None, bold: bool, row: bool) -> ClauseReading | None:
    """“超过30天的标红”: the condition names no column, and its unit stands in the heading of just one."""
    for slots in matches(SUBJECT, "by_unit", text):
        number = _number(slots["figure"])
        unit = (listed(SUBJECT, "unit", slots["measure"]) or slots["measure"]).casefold()
        numeric = [one for one in clause.view.columns if one.numeric]
        columns = [one for one in numeric if unit in one.label.casefold() or column_fit(unit, one) >= MIN_UNIT_FIT]
        if number is not None and len(columns) == 1:
            return _reading(columns[0], _comparison(slots["comparison"]), f"{number:g}", shade, bold, row)
    return None


def _compared(clause: Clause, slots: Slots, shade: str | None, bold: bool, row: bool) -> ClauseReading | None:
    name = slots["name"]
    if bare := next(matches(SUBJECT, "named", name), None):
        name = bare["name"]
    column = clause.column(name)
    value = clause.words(slots["value"] or slots["figure"])
    number = _number(value)
    if isinstance(column, Missing):
        # 低于60分 names no column, and what a comma follows may be another request.
        is_name = not name.rstrip().endswith((",", "，")) and not any(matches(SUBJECT, "no_name", name))
        return clause.absent(column) if number is not None and is_name else None
    if not isinstance(column, TableColumn):
        return None
    comparison = _comparison(slots["comparison"] or slots["limit"])
    if number is None and (other := compared_column(clause, column, value)) is not None:
        return _reading(column, comparison, "", shade, bold, row, other.field)
    if column.numeric:
        if number is None:
            return None
        written = f"{number:g}" if number < MAX_SHORT_NUMBER else f"{number:.0f}"
        return _reading(column, comparison, written, shade, bold, row)
    if phrases(SUBJECT, "no_value", value) or runs_on(value):
        return None
    if comparison in ("==", "!="):
        return _reading(column, comparison, value, shade, bold, row)
    return refused("language.text_not_comparable", column=column.label, value=value)


def _comparison(sign: str) -> Comparison:
    return next(comparison for comparison in get_args(Comparison) if comparison == sign)


def _number(words: str) -> float | None:
    """Return the number that words stand for, without its currency or unit."""
    while slots := next(matches(SUBJECT, "amounts", words), None):
        words = slots["amount"]
    return number_of(words)


def _reading(
    column: TableColumn,
    comparison: Comparison,
    value: str,
    shade: str | None,
    bold: bool,
    row: bool,
    other: str | None = None,
) -> ClauseReading:
    look = {"colour": shade, "bold": bold, "row": row}
    edit = {"field": column.field, "comparison": comparison, "value": value, "other": other}
    return ClauseReading([Highlight.model_validate(edit | look)])


def shown_where(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“单价超过30的货，品名用红字”: a column is highlighted by the value of another one."""
    compared, shown = clause.column(slots["name"]), clause.column(slots["shown"])
    number, shade = _number(slots["figure"]), colour(slots["colour"])
    if not isinstance(compared, TableColumn) or not isinstance(shown, TableColumn) or number is None:
        return None
    if not compared.numeric or shade is None:
        return None
    look = {"colour": shade, "shown": shown.field if shown.field != compared.field else None}
    edit = {"field": compared.field, "comparison": _comparison(slots["comparison"]), "value": f"{number:g}"}
    return ClauseReading([Highlight.model_validate(edit | look)])


RULES = (templated(SUBJECT, shown_where), highlight)
