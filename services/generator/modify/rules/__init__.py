"""Rules: each file reads the requests of one subject. The first that reads a whole clause has it."""

from __future__ import annotations

from ..reading import Rule
from . import columns, furniture, highlight, kept, looks, order, page, removal, shift, totals, values, wording

RULES: tuple[Rule, ...] = (
    *kept.RULES, *highlight.RULES, *totals.RULES, *order.RULES, *page.RULES, *values.RULES, *furniture.RULES,
    *columns.RULES, *removal.RULES, *shift.RULES, *looks.RULES, *wording.RULES,
)  # fmt: skip
