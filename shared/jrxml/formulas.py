"""Compile formulas such as ``quantity * unit_price - 5%`` into Java expressions.

Theory of operation
===================

A formula is read into a tree (``formula_tree.py``), which is compiled from its leaves. A name is that of a field or of
a variable of each row. Every value becomes a ``BigDecimal``, so that no digit is lost; a quotient has 34 digits.

*Missing values.* A product or quotient of a missing value is missing, and so is a quotient by zero. A missing summand
counts as nothing, but a sum of which all columns are missing is missing too. Each part of a formula is therefore
compiled to a pair: its Java expression, and the condition under which it has no value (``Compiled``). The expression
may only be evaluated where that condition is false.

*Shares.* ``19%`` is 0.19, but added to or subtracted from a value it is that share of the value, as on a pocket
calculator: ``price + 19%`` is ``price * 1.19``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from ..replies import Text
from .declarations import NUMBER_CLASSES, STRING_CLASS
from .dom import content_of
from .draft import Draft
from .expressions import reference, references, sole_reference
from .formula_tree import TOKEN, Formula, Joined, Name, Negated, Number, read_formula, unreadable_formula
from .refusals import EditRefused, no_field

DECIMAL = "java.math.BigDecimal"
MAX_EXPRESSION_CHARS = 3_500
"""Characters of a Java expression; the check of expressions allows 4,000."""
_PLAIN_PATTERN = "#,##0.##"
_SHOWN_MARKS = {"*": "×", "/": "÷", "-": "−"}


@dataclass(frozen=True)
class Compiled:
    """A part of a formula in Java."""

    java: str
    missing: str = ""
    """The condition under which it has no value; empty if it always has one."""
    share: str = ""
    """Of a share: its value as a number."""


Resolver = Callable[[str, str], Compiled]
"""Compiles a reference, from its letter (``F``, ``V``; empty if the formula does not say) and its name."""


def java_formula(draft: Draft, formula: str) -> str:
    """Return a formula over the rows in Java. Raises ``EditRefused`` if it cannot be read or computed."""
    return compile_formula(formula, lambda letter, name: _compiled_reference(draft, letter, name))


def compile_formula(formula: str, resolve: Resolver) -> str:
    """Return a formula in Java, with its names resolved by `resolve`. Raises ``EditRefused`` if it cannot be read."""
    whole = _compiled(read_formula(formula), resolve)
    java = f"{whole.missing} ? null : {whole.java}" if whole.missing else whole.java
    if len(java) > MAX_EXPRESSION_CHARS:
        raise unreadable_formula(formula)
    return java


def formula_in_words(formula: str, label: Callable[[str], str]) -> str:
    """Return a formula as a person writes it, with the labels of its fields: ``Quantity × Unit price``."""
    words = []
    for token in TOKEN.finditer(formula):
        name = token["reference"] or token["quoted"] or token["name"]
        mark = token["mark"] or ""
        words.append(label(name) if name else _SHOWN_MARKS.get(mark, mark) or token[0].strip())
    return " ".join(words).replace("( ", "(").replace(" )", ")")


def decimal_value(expression: str, java_class: str) -> str:
    """Return an expression of a number as a ``BigDecimal``; its value must not be null."""
    return expression if java_class == DECIMAL else f"new BigDecimal({expression}.toString())"


def decimal_literal(number: Decimal | str) -> str:
    return f'new BigDecimal("{number}")'


def pattern_of_result(draft: Draft, java: str) -> str:
    """Return the pattern of a computed value: that of the first amount that it is computed from."""
    used = set(references(java))
    texts = [node for section, band in draft.bands() if section == "detail" for node in draft.texts(band)]
    patterns = [node.get("pattern", "") for node in texts if sole_reference(content_of(node)) in used]
    return next((pattern for pattern in patterns if "." in pattern and "%" not in pattern), _PLAIN_PATTERN)


def value_reference(draft: Draft, letter: str, name: str) -> tuple[str, str]:
    """Return the reference to a field or to a variable of each row, and its class.

    Without a letter, the one that the rows print is meant. Raises ``EditRefused`` if there is none.
    """
    letters = letter or ("VF" if _rows_print(draft, "V", name) else "FV")
    for one in letters:
        node = draft.declared("field" if one == "F" else "variable", name)
        if node is not None:
            return reference(one, name), node.get("class") or STRING_CLASS
    raise no_field(name)


def _rows_print(draft: Draft, letter: str, name: str) -> bool:
    texts = [node for section, band in draft.bands() if section == "detail" for node in draft.texts(band)]
    return any(sole_reference(content_of(node)) == (letter, name) for node in texts)


def _compiled_reference(draft: Draft, letter: str, name: str) -> Compiled:
    value, java_class = value_reference(draft, letter, name)
    if java_class not in NUMBER_CLASSES:
        raise EditRefused("class", Text.of("edits.formula.text", field=name))
    return Compiled(decimal_value(value, java_class), f"{value} == null")


def _compiled(formula: Formula, resolve: Resolver) -> Compiled:
    match formula:
        case Number(number, is_share):
            return Compiled(decimal_literal(f"{number:f}"), share=f"{number:f}" if is_share else "")
        case Name(letter, name):
            return resolve(letter, name)
        case Negated(part):
            value = _compiled(part, resolve)
            return Compiled(f"{value.java}.negate()", value.missing)
        case Joined(left, sign, right):
            join = _summed if sign in "+-" else _multiplied
            return join(_compiled(left, resolve), sign, _compiled(right, resolve))


def _multiplied(left: Compiled, sign: str, right: Compiled) -> Compiled:
    missing = [part for part in (left.missing, right.missing) if part]
    if sign == "*":
        return Compiled(f"{left.java}.multiply({right.java})", _either(missing))
    missing.append(f"{right.java}.signum() == 0")
    return Compiled(f"{left.java}.divide({right.java}, MathContext.DECIMAL128)", _either(missing))


def _summed(left: Compiled, sign: str, right: Compiled) -> Compiled:
    if right.share and not left.share:
        factor = Decimal(1) + Decimal(right.share) * (1 if sign == "+" else -1)
        return Compiled(f"{left.java}.multiply({decimal_literal(f'{factor:f}')})", left.missing)
    method = "add" if sign == "+" else "subtract"
    both = bool(left.missing and right.missing)
    summands = [_or_zero(part) if both else part.java for part in (left, right)]
    missing = f"({left.missing}) && ({right.missing})" if both else left.missing or right.missing
    return Compiled(f"{summands[0]}.{method}({summands[1]})", missing)


def _or_zero(part: Compiled) -> str:
    return f"({part.missing} ? BigDecimal.ZERO : {part.java})"


def _either(conditions: list[str]) -> str:
    """Join conditions with "or", each once."""
    grouped = (f"({one})" if "&&" in one else one for one in dict.fromkeys(conditions))
    return " || ".join(grouped)
