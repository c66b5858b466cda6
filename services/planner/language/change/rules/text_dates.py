"""The format of all dates of a report, including dates stored as text.

A date stored as text is rewritten when it is printed; a value of another form is printed unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_format import SetFormat
from bandsmith.shared.jrxml.java_literals import java_string

from ...date_examples import pattern_of_example
from ...template_view import TemplateView
from ...view_elements import DATES, ViewElement
from ..reading import Clause, ClauseReading, refused
from ..value_classes import value_class

_NUMBERS = re.compile(r"y{4}|M{1,2}|d{1,2}")
_PLAIN = re.compile(r"(?:y{4}|M|d|'[年月日号]'|[-/. ])+")


_DATE_FORMAT = re.compile(r'SimpleDateFormat\("((?:[^"\\]|\\.)*)"\)')
"""A date that a formula writes by a pattern."""


def every_date(clause: Clause, pattern: str) -> ClauseReading:
    """Set the pattern of every date in the report, including dates stored as text."""
    view = clause.view
    columns = [column for column in view.columns if column.java_class in DATES and not _is_time(column.cells[0])]
    in_columns = {cell.key for column in view.columns for cell in column.cells}
    outside = [one for one in view.texts if one.key not in in_columns]
    dates = [one for one in outside if value_class(view, one) in DATES and not _is_time(one)]
    edits: list[AnyEdit] = [SetFormat(field=column.field, date=pattern) for column in columns]
    edits += [SetFormat(element=one.key, date=pattern) for one in dates]
    edits += rewritten_dates(view, [one for one in outside if one not in dates], pattern)
    return ClauseReading(edits) if edits else refused("language.no_dates")


def _is_time(one: ViewElement) -> bool:
    """Whether a text prints the time of day of a date, and nothing else of it."""
    return bool(one.pattern) and "H" in one.pattern.upper() and not re.search("[yMd]", one.pattern)


def rewritten_dates(view: TemplateView, texts: list[ViewElement], pattern: str) -> list[AnyEdit]:
    """Return the edits that print the dates among some texts by a pattern.

    A date may stand beside its label in one text. One that is kept as text can be printed by a pattern of numbers only.
    """
    edits = _formatted_again(texts, pattern)
    if not _PLAIN.fullmatch(pattern):
        return edits
    for one in texts:
        names = [name for scope, name in one.references if scope == "P"]
        if len(set(names)) != 1 or len(one.references) != len(names) or ".replaceAll(" in one.expression:
            continue
        old = pattern_of_example(str(view.parameter(names[0]) or ""))
        if not old or not _PLAIN.fullmatch(old) or old == pattern or not _parts(pattern) <= _parts(old):
            continue
        value = f"$P{{{names[0]}}}"
        written = value + "".join(
            f".replaceAll({_literal(regex)}, {_literal(new)})" for regex, new in _steps(old, pattern)
        )
        head, found, tail = one.expression.rpartition(value)
        if found:
            edits.append(SetExpression(element=one.key, expression=f"{head}{written}{tail}"))
    return edits


def _formatted_again(texts: list[ViewElement], pattern: str) -> list[AnyEdit]:
    """Return the edits of texts whose formula writes a date by a pattern: “送货日期：” and the date in one."""
    edits: list[AnyEdit] = []
    for one in texts:
        written = _DATE_FORMAT.findall(one.expression)
        if len(written) == 1 and re.search("[yMd]", written[0]) and java_string(pattern) != f'"{written[0]}"':
            new = _DATE_FORMAT.sub(lambda _: f"SimpleDateFormat({java_string(pattern)})", one.expression)
            edits.append(SetExpression(element=one.key, expression=new))
    return edits


def _parts(pattern: str) -> set[str]:
    """Return the letters of the parts of a date that a pattern prints: a month alone has no day."""
    return {letters[0] for letters in _NUMBERS.findall(pattern)}


def _steps(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Yield what is replaced one after another: a zero is put before each short part that `new` pads, then the form."""
    padded = {letters[0] for letters in _NUMBERS.findall(new) if len(letters) == 2}
    for letters in _NUMBERS.findall(old):
        if letters in padded:  # a single letter: written without its zero
            yield _expression_of(old, {letters: r"(\d)"}), _zero_before(old, letters)
    yield _expression_of(old, dict.fromkeys(padded, r"(\d{2})")), _replacement(old, new)


def _expression_of(old: str, digits: Mapping[str, str]) -> str:
    """Return the regular expression of a date that is written as `old`, with its own digits for some parts."""

    def part(found: re.Match[str]) -> str:
        letters = found[0]
        if letters == "yyyy":
            return r"(\d{4})"
        return digits.get(letters[0], r"(\d{1,2})" if digits and len(letters) == 1 else r"0?(\d{1,2})")

    return f"^{_NUMBERS.sub(part, re.sub(r'[.]', '[.]', old).replace(chr(39), ''))}$"


def _zero_before(old: str, letters: str) -> str:
    """Return the date as it is, with a zero before one of its parts."""
    order = iter(range(1, 4))
    return _NUMBERS.sub(lambda found: ("0" if found[0] == letters else "") + f"${next(order)}", old).replace("'", "")


def _replacement(old: str, new: str) -> str:
    order = [letters[0] for letters in _NUMBERS.findall(old)]
    return _NUMBERS.sub(lambda found: f"${order.index(found[0][0]) + 1}", new).replace("'", "")


def _literal(text: str) -> str:
    return '"' + text.replace("\\", "\\\\") + '"'
