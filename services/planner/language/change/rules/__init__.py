"""The rules that read a clause, one module for each subject. The first rule that reads the whole clause wins."""

from __future__ import annotations

from ..reading import ClauseRule
from . import (
    columns,
    highlight,
    move,
    negation,
    page,
    page_header_footer,
    removal,
    sort_group,
    style,
    totals,
    value_format,
    wording,
)

RULES: tuple[ClauseRule, ...] = (
    *negation.RULES, *highlight.RULES, *totals.RULES, *sort_group.RULES, *page.RULES, *value_format.RULES,
    *page_header_footer.RULES, *columns.RULES, *removal.RULES, *move.RULES, *style.RULES, *wording.RULES,
)  # fmt: skip
