"""The rules that read a clause, one module for each subject. The first rule that reads the whole clause wins."""

from __future__ import annotations

from ..reading import ClauseRule
from . import (
    charts,
    columns,
    computed,
    deductions,
    drawn_lines,
    filled_rows,
    formats,
    framed,
    group_layout,
    highlight,
    joined_columns,
    like_size,
    likewise,
    links,
    move,
    moved_text,
    negation,
    noted,
    page,
    page_header_footer,
    page_marks,
    page_setup,
    pictures,
    placed_text,
    recolour,
    removal,
    row_values,
    rows_shown,
    sort_group,
    style,
    table_look,
    taxes,
    total_change,
    totals,
    value_format,
    wording,
)

RULES: tuple[ClauseRule, ...] = (
    *row_values.RULES, *like_size.RULES, *likewise.RULES, *drawn_lines.RULES, *recolour.RULES, *table_look.RULES,
    *framed.RULES, *page_marks.RULES, *pictures.RULES, *charts.RULES, *page_setup.RULES, *links.RULES,
    *negation.RULES, *computed.RULES, *deductions.RULES, *taxes.RULES, *rows_shown.RULES, *group_layout.RULES,
    *total_change.RULES, *filled_rows.RULES, *highlight.RULES, *totals.RULES, *sort_group.RULES, *page.RULES,
    *value_format.RULES, *formats.RULES, *page_header_footer.RULES, *noted.RULES, *placed_text.RULES,
    *joined_columns.RULES, *columns.RULES, *removal.RULES, *moved_text.RULES, *move.RULES, *style.RULES,
    *wording.RULES,
)  # fmt: skip
