"""Computed columns: `金额(金额=数量×单价)`, `total (quantity x price)`, `variance = budget - actual`, `VAT 20% of net`.

What users say is in ``templates/*/spec_formulas.toml``. The label of a computed column stays in the text, where it is
read with the other columns; its formula is taken out.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import cast

from bandsmith.shared.model.spec import Computed, Operator

from ...sentence_templates import Slots, load
from ..labels import cleaned, listed, split
from .base import Builder, SpecClauses

MAX_OPERANDS = 8
_PERCENT = re.compile(r"(\d+(?:\.\d+)?) ?[%％]")
_SYMBOL = re.compile(r"[+*×÷−]|(?<=[\u3400-\u9fff])\s*[-/]")
"""A mark that is an operator without blanks around it; elsewhere a hyphen or a slash may be part of a label."""


def share(clauses: SpecClauses, slots: Slots) -> str | None:
    """`VAT 20% of line total`, `税额(金额的13%)`: a share of another column."""
    labels, base = listed(slots["whole"]) or [], cleaned(slots["base"])
    if not labels or not base:
        return None
    rate = f"{Decimal(slots['number']) / 100:f}"
    clauses.computed[clauses.note(labels[-1])] = Computed(operator="*", operands=[base, rate])
    return slots["whole"]


def rate(clauses: SpecClauses, slots: Slots) -> str | None:
    """`the cost at 0.45 per km`, `费用（每公里0.45元）`: a price for each unit of another column."""
    labels, unit = listed(slots["whole"]) or [], cleaned(slots["base"])
    named = next((label for label in _columns_before(clauses) if _is_unit(unit, label)), None)
    if not labels or named is None:
        return None
    clauses.computed[clauses.note(labels[-1])] = Computed(operator="*", operands=[named, slots["number"]])
    return slots["whole"]


def _columns_before(clauses: SpecClauses) -> list[str]:
    return [cleaned(part) for part in split(clauses.before)]


def _is_unit(unit: str, label: str) -> bool:
    """Whether a column counts units: `mile` those of `miles`, 公里 those of 公里数."""
    plain = label.casefold()
    return plain in (unit.casefold(), f"{unit.casefold()}s", f"{unit}数")


def computed(clauses: SpecClauses, slots: Slots) -> str | None:
    labels, formula = listed(slots["label"]) or [], _parsed(slots["formula"])
    again = cleaned(slots["again"]).casefold()
    if not labels or formula is None or (again and again != labels[-1].casefold()):
        return None
    clauses.computed[clauses.note(labels[-1])] = formula
    return slots["label"]


def _parsed(formula: str) -> Computed | None:
    """Return a formula of one kind of operator, or of one and what is taken off then; None for anything else."""
    spaced = _SYMBOL.sub(lambda found: f" {found[0].strip()} ", formula)
    for language in load("spec_formulas"):
        parts = re.split(
            rf"(?<![A-Za-z0-9])({language.list_pattern('operator')})(?![A-Za-z0-9])", spaced, flags=re.IGNORECASE
        )
        operands = [_share(cleaned(part)) for part in parts[::2]]
        operators = {language.value_of("operator", part) for part in parts[1::2]}
        if any(_is_share(cleaned(part)) for part in parts[2::2]) and operators & {"+", "-"}:
            return _with_share(operands, operators, cleaned(parts[-1]))
        if len(operators) == 1 and all(operands) and len(operands) <= MAX_OPERANDS:
            return Computed(operator=cast("Operator", operators.pop()), operands=operands)
        if len(operators) > 1 and all(operands) and len(operands) <= MAX_OPERANDS:
            signs = [language.value_of("operator", part) or "" for part in parts[1::2]]
            if (formed := _with_deductions(operands, signs)) is not None:
                return formed
    return None


def _with_deductions(operands: list[str], signs: list[str]) -> Computed | None:
    """Return “pay + overtime - deductions” and “qty × price - discount” as what comes first, less what is taken off."""
    less = [operand for operand, sign in zip(operands[1:], signs, strict=True) if sign == "-"]
    kept = [sign for sign in signs if sign != "-"]
    first = [operands[0], *(operand for operand, sign in zip(operands[1:], signs, strict=True) if sign != "-")]
    is_product = kept == ["*"] and signs[0] == "*"  # a product behind a minus is taken off as a whole
    if not less or not (set(kept) == {"+"} or is_product):
        return None
    return Computed(operator=cast("Operator", kept[0]), operands=first, less=less)


def _with_share(operands: list[str], operators: set[str | None], share: str) -> Computed | None:
    """Return “net price + 20%”, the price and a share of it, as 1.2 times the price; None for a longer formula."""
    if len(operands) != 2 or not operands[0] or _is_share(operands[0]):
        return None
    part = Decimal(share.rstrip("% ")) / 100
    factor = 1 + part if operators == {"+"} else 1 - part
    return Computed(operator="*", operands=[operands[0], f"{factor:f}"])


def _is_share(operand: str) -> bool:
    return _PERCENT.fullmatch(operand) is not None


def _share(operand: str) -> str:
    """Return an operand, a percentage as a number."""
    percent = _PERCENT.fullmatch(operand)
    return f"{Decimal(percent[1]) / 100:f}" if percent else operand


BUILDERS: tuple[Builder, ...] = (rate, share, computed)
