"""What a description names, in sections: columns, lines above and below the table, signatures, totals, order.

``section_reader`` finds them. What users say is in ``templates/*/spec_sections.toml``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from .item import Item

SUBJECT = "spec_sections"
Section = Literal["columns", "header", "below", "signatures", "totals", "averages", "sort", "group", "data"]
TAILS: dict[str, Section] = {
    "header_end": "header", "below_end": "below", "signatures_end": "signatures", "totals_end": "totals",
}  # fmt: skip
STATEMENTS = (
    "taxed_total", "last_totals", "filler", "background", "all_totals", "no_grand_total", "no_totals",
    "count_and_total", "count", "blank_rows", "heads_repeat", "as_new", "worked_out", "blank_column",
    "calculates", "sum_of", "decimals", "currency", "box_for", "letter", "in_figures_and_words", "choice", "share",
    "stamp",
    "all_averages", "runs", "sign_place", "signs", "signer_signs", "signature_of", "sign_places",
)  # fmt: skip
RULES = frozenset({
    *get_args(Section), *TAILS, *STATEMENTS, "on", "next", "to_tick", "each_row", "side_end", "side_start",
    "counted_columns", "joint", "adding", "company_name", "row_noun", "table_noun", "owner", "table_name", "table_lead",
    "row_of", "column_lead", "no_lead", "closing", "below_lines", "wants_list", "table_list", "subject",
})  # fmt: skip


@dataclass
class Sections:
    """What a description names."""

    name: str | None = None
    lists: dict[Section, list[Item]] = field(default_factory=lambda: {section: [] for section in get_args(Section)})
    unread: list[str] = field(default_factory=list)
    misses_names: bool = False
    """Whether something unread may name what the report has: without it the report would be another one."""
    misses_lists: bool = False
    """Whether words within the list of columns are unread: they may be names as well."""
    all_totals: bool = False
    expected_totals: Item | None = None
    """How many columns are to be added up, as its label, where that was said."""
    columns_before_total: int | None = None
    """How many columns were named before the total."""
    all_averages: bool = False
    """Whether every column of numbers is wanted with its average."""
    no_totals: bool = False
    continued: list[str] = field(default_factory=list)
    """Lists of names that follow another list: "then item, quantity"."""
    is_letter: bool = False
    """Whether there is to be no table."""
    no_grand_total: bool = False
    """Whether only groups have totals."""
    counted: list[Item] = field(default_factory=list)
    """What is to be counted; without a label, the rows."""
    in_words: str = ""
    """The clause that asks for the total in words too."""
    has_lead: bool = False
    """Whether a lead or a name says that columns are listed."""
    has_table_lead: bool = False
    is_clear: bool = True
    """Whether what stands where the report is named was read, or a lead says which names are columns."""
    row_of: str = ""
    """What each row is about, where that was said: "one line per day"."""
    expected_columns: Item | None = None
    """How many columns there are to be, as its label, where that was said."""
    blank_rows: int = 0
    given_rows: list[list[str]] = field(default_factory=list)
    """Rows that were listed cell by cell."""
    decimals: list[tuple[int, Item]] = field(default_factory=list)
    """How many decimals amounts have, and the column that was named with them; without one, all have as many."""
    currency: Item | None = None
    """The sign of all amounts, as its label."""
    sums: dict[str, Item] = field(default_factory=dict)
    """How many columns before it a column adds up, as a label, by the label of the sum."""
    shares: dict[str, Item] = field(default_factory=dict)
    """The column of whose total a column is the share, by the label of the share."""
    running: list[Item] = field(default_factory=list)
    """Columns that add up from row to row."""
    calculated: list[Item] = field(default_factory=list)
    """Columns that are computed from others, without saying how."""

    def labels(self, section: Section) -> list[str]:
        return [item.label for item in self.lists[section]]
