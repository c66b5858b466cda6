"""Computed columns: formulas of columns and numbers, such as "quantity × unit price - 5%", as formulas of fields.

A formula is split at its operators, and each operand is a number, a share (5%), a column or a formula in brackets.
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
from ..sentence_templates import pattern
from ..view_elements import TableColumn
from .reading import Clause, ClauseReading

MAX_DEPTH = 3
"""How deep brackets may be nested."""
MAX_OPERANDS = 7
SUBJECT = "operators"
_MARKS = {"times": r"\*|×|✕|(?<![a-z])x(?=\s)", "by": "/|÷", "plus": r"\+", "minus": "-|−"}
"""The signs of each operator; its words are in ``templates/*/operators.toml``."""
RULES = frozenset(_MARKS)
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
    return _rewritten(clause, formula, 0) if _operator().search(formula) else None


def _rewritten(clause: Clause, formula: str, depth: int) -> str | ClauseReading | None:
    bracketed: list[str] = []

    def masked(bracket: re.Match[str]) -> str:
        bracketed.append(bracket[1])
        return f"\0{len(bracketed) - 1}\0"

    formula = _BRACKET.sub(masked, formula.strip())
    operators = list(_operator().finditer(formula))
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


def _operand(clause: Clause, words: str) -> str | ClauseReading | None:
    """Return a number, a share or a column as an operand of a formula."""
    words = words.strip(" ()（）")
    share = re.fullmatch(r"(\d+(?:\.\d+)?)\s*[%％]", words)
    if share:
        return f"{share[1]}%"
    number = number_of(words)
    if number is not None:
        return f"{Decimal(repr(number)).normalize():f}"
    column = clause.known(clause.column(words))
    if not isinstance(column, TableColumn):
        return column
    printed = sole_reference(column.cells[0].expression, "FV")
    if not column.numeric or not printed:
        return ClauseReading(refusals=[Text.of("edits.formula.text", field=column.label)])
    letter, name = printed
    plain = re.fullmatch(r"[^\W\d]\w*", name) and letter == ("F" if name in clause.view.classes else "V")
    return name if plain else f"${letter}{{{name}}}"
