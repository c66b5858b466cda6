"""Computed columns: formulas of columns and numbers, such as "quantity × unit price - 5%", as formulas of fields.

A formula is split at its operators, and each operand is a number, a share (5%), a column, a part of one ("20% of the
amount") or a formula in brackets.
``shared/jrxml/formulas.py`` says what the result computes.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from bandsmith.shared.jrxml.expressions import sole_reference
from bandsmith.shared.jrxml.formulas import java_formula
from bandsmith.shared.jrxml.refusals import EditRefused
from bandsmith.shared.replies import Text

from ..numbers import number_of
from ..sentence_templates import Slots, matches, pattern
from ..view_elements import TableColumn
from .reading import Clause, ClauseReading

MAX_DEPTH = 3
"""How deep brackets may be nested."""
MAX_OPERANDS = 7
PER_CENT = 100
MAX_DISCOUNT_DIGITS = 2
"""Digits of a Chinese discount: 9折, 八五折."""
SUBJECT = "operators"
_MARKS = {"times": r"\*|×|✕|(?<![a-z])x(?=\s)", "by": "/|÷", "plus": r"\+", "minus": "-|−"}
"""The signs of each operator; its words are in ``templates/*/operators.toml``."""
RULES = frozenset({*_MARKS, "percent_of", "discounted", "multiple_of"})
_SIGNS = {"times": "*", "by": "/", "plus": "+", "minus": "-"}
_BRACKET = re.compile(r"[(（]([^()（）]+)[)）]")
_BRACKET_MARK = re.compile(r"\0(\d+)\0")


@cache
def _operator() -> re.Pattern[str]:
    """A pattern of an operator with the blanks around it; the group that matched names it."""
    choices = (f"(?P<{name}>{marks}|{pattern(SUBJECT, name)})" for name, marks in _MARKS.items())
    return re.compile(rf"\s*(?:{'|'.join(choices)})\s*", re.IGNORECASE)


def java_expression(clause: Clause, formula: str) -> str | ClauseReading | None:
    """Return a formula in Java; a refusal where it names a column that does not exist; None where it is no formula."""
    fields = field_formula(clause, formula)
    if not isinstance(fields, str):
        return fields
    try:
        return java_formula(clause.view.editor.draft, fields)
    except EditRefused as refusal:
        return ClauseReading(refusals=[refusal.reason])


def field_formula(clause: Clause, formula: str) -> str | ClauseReading | None:
    """Return a formula with the names of fields instead of columns: ``quantity * unit_price``.

    A refusal says that it names a column that does not exist or holds no numbers; None that it is no formula.
    """
    return _rewritten(clause, formula, 0) if _operator().search(formula) else _part(clause, formula)


def _rewritten(clause: Clause, formula: str, depth: int) -> str | ClauseReading | None:
    bracketed: list[str] = []

    def masked(bracket: re.Match[str]) -> str:
        bracketed.append(bracket[1])
        return f"\0{len(bracketed) - 1}\0"

    formula = _BRACKET.sub(masked, formula.strip())
    operators = _operators(clause, formula)
    if depth > MAX_DEPTH or len(operators) >= MAX_OPERANDS or not (operators or bracketed):
        return None
    starts, ends = [0, *(found.end() for found in operators)], [*(found.start() for found in operators), len(formula)]
    parts: list[str] = []
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        words = formula[start:end].strip()
        mark = _BRACKET_MARK.fullmatch(words)
        operand = _rewritten(clause, bracketed[int(mark[1])], depth + 1) if mark else _operand(clause, words)
        if not isinstance(operand, str):
            return operand
        if number:
            parts.append(_SIGNS[operators[number - 1].lastgroup or ""])
        parts.append(f"({operand})" if mark else operand)
    return " ".join(parts)


def _operators(clause: Clause, formula: str) -> list[re.Match[str]]:
    """Return the operators of a formula; one within the label of a column is a part of its name: 加班费."""
    labels = [column.label.casefold() for column in clause.view.columns if len(column.label) > 1]
    names: list[tuple[int, int]] = []
    for label in sorted(labels, key=len, reverse=True):
        names += [(one.start(), one.end()) for one in re.finditer(re.escape(label), formula.casefold())]
    found = list(_operator().finditer(formula))
    return [one for one in found if not any(start <= one.start() and one.end() <= end for start, end in names)]


def _operand(clause: Clause, words: str) -> str | ClauseReading | None:
    """Return a number, a share or a column as an operand of a formula."""
    words = words.strip(" ()（）")
    if not words:
        return None
    if (part := _part(clause, words)) is not None:
        return f"({part})" if isinstance(part, str) else part
    share = re.fullmatch(r"(\d+(?:\.\d+)?)\s*[%％]", words)
    if share:
        return f"{share[1]}%"
    number = number_of(words)
    if number is not None:
        return f"{Decimal(repr(number)).normalize():f}"
    return _column(clause, words)


def _column(clause: Clause, words: str) -> str | ClauseReading | None:
    """Return the name of the field or variable that a column prints, as an operand of a formula."""
    column = clause.known(clause.column(words))
    if not isinstance(column, TableColumn):
        return column
    printed = sole_reference(column.cells[0].expression, "FV")
    if not column.numeric or not printed:
        return ClauseReading(refusals=[Text.of("edits.formula.text", field=column.label)])
    letter, name = printed
    plain = re.fullmatch(r"[^\W\d]\w*", name) and letter == ("F" if name in clause.view.classes else "V")
    return name if plain else f"${letter}{{{name}}}"


def _part(clause: Clause, words: str) -> str | ClauseReading | None:
    """Return a part of a column as a formula: “20% of the amount”, “单价打九折”, “half of the price”."""
    for rule in ("percent_of", "discounted", "multiple_of"):
        for slots in matches(SUBJECT, rule, words):
            factor = _factor(rule, slots)
            operand = _column(clause, slots["whole"].strip()) if factor and slots["whole"].strip() else None
            if operand is not None:
                return f"{operand} * {factor}" if isinstance(operand, str) else operand
    return None


def _factor(rule: str, slots: Slots) -> str | None:
    """Return what a column is multiplied by: 20%, 0.85 for “八五折”, 0.5 for “half”."""
    if rule == "multiple_of":
        return slots["multiple"]
    if slots["tenths"]:
        return _of_tenths(slots["tenths"])
    number = number_of(slots["number"])
    if number is None:
        return None
    if rule == "percent_of":
        return f"{number:g}%"
    return f"{(PER_CENT - number) / PER_CENT:g}" if 0 < number < PER_CENT else None


def _of_tenths(figure: str) -> str | None:
    """Return the share of the price that “9折” and “八五折” leave."""
    digits = [number_of(one) for one in figure]
    if len(digits) > MAX_DISCOUNT_DIGITS or not all(digits):
        return None
    return f"0.{''.join(f'{digit:g}' for digit in digits if digit is not None)}"
