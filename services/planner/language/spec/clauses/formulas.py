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
from ..labels import cleaned, listed
from .base import Builder, SpecClauses

MAX_OPERANDS = 8
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


def computed(clauses: SpecClauses, slots: Slots) -> str | None:
    labels, formula = listed(slots["label"]) or [], _parsed(slots["formula"])
    again = cleaned(slots["again"]).casefold()
    if not labels or formula is None or (again and again != labels[-1].casefold()):
        return None
    clauses.computed[clauses.note(labels[-1])] = formula
    return slots["label"]


def _parsed(formula: str) -> Computed | None:
    """Return a formula of several operands and one kind of operator; None for anything else."""
    spaced = _SYMBOL.sub(lambda found: f" {found[0].strip()} ", formula)
    for language in load("spec_formulas"):
        parts = re.split(
            rf"(?<![A-Za-z0-9])({language.list_pattern('operator')})(?![A-Za-z0-9])", spaced, flags=re.IGNORECASE
        )
        operands = [_share(cleaned(part)) for part in parts[::2]]
        operators = {language.value_of("operator", part) for part in parts[1::2]}
        if len(operators) == 1 and all(operands) and len(operands) <= MAX_OPERANDS:
            return Computed(operator=cast("Operator", operators.pop()), operands=operands)
    return None


def _share(operand: str) -> str:
    """Return an operand, a percentage as a number."""
    percent = re.fullmatch(r"(\d+(?:\.\d+)?) ?%", operand)
    return f"{Decimal(percent[1]) / 100:f}" if percent else operand


BUILDERS: tuple[Builder, ...] = (share, computed)
