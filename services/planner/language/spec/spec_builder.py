"""Build the spec from what was read: every name has to find its column, or its clause is unread."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.language import Language
from bandsmith.shared.model.spec import (
    Column,
    HeaderField,
    ReportSpec,
    Sort,
    SummaryLine,
)

from ..both_parties import with_both_parties
from ..sentence_templates import matches
from .catalogue import StandardReport
from .clauses import SpecClauses
from .clauses.grouping import same_group
from .clauses.page import turned
from .column_builder import ColumnBuilder, printed_label, without_totals
from .column_names import means
from .column_totals import is_price, picked_from_others
from .data_rows import in_places, rows_in, with_all_cells
from .item import Item
from .rearranged import rearrange
from .receipt_lines import renamed
from .sections import SUBJECT, Sections
from .summary_lines import (
    Closing,
    closing_of,
    is_amount,
    is_signature,
    is_sum_of_others,
    is_summary_line,
    with_known_columns,
)
from .tables import TextTable
from .titles import described_title, is_blank_form, is_form

_DETAILS = frozenset({"phone", "mobile", "email", "fax", "address", "remark", "unit", "status"})
"""Columns that say nothing of what a row is about."""


class SpecBuilder:
    """Builds the spec of one request."""

    def __init__(
        self,
        request: SpecClauses,
        sections: Sections,
        table: TextTable | None,
        standard: StandardReport | None,
        language: Language,
    ) -> None:
        self._request, self._sections, self._table, self._standard = request, sections, table, standard
        self._turn_language = language
        self._unread = list(sections.unread)
        self.identity = ""
        """Label of a column that was added because the others say nothing of what a row is about."""
        self.renamed: dict[str, str] = {}
        """What lines of a receipt are called on it, by the words that said what they hold."""
        self.is_form = self._as_form()
        self.head_lines = [] if table else rearrange(request, sections, standard)
        """Labels that were named with the columns, and stand above the table."""

    # --- what was named ----------------------------------------------------------------------------------------------

    @cached_property
    def names_columns(self) -> bool:
        return self.is_form or bool(self._named_columns())

    @property
    def has_columns(self) -> bool:
        """Whether there is something to build: two columns, or one that is clearly meant, or a standard report."""
        named = self._named_columns()
        return len(named) >= 2 or bool(named and self._sections.has_lead) or self._standard is not None or self.is_form

    @cached_property
    def has_usual_header(self) -> bool:
        """Whether the usual lines stand above the table, because none were named for a document."""
        if self._standard is None or self._sections.lists["header"] or self._table or not self._standard.head:
            return False
        return not self.names_columns and not self._sections.lists["below"]

    @property
    def usual_signatures(self) -> tuple[str, ...]:
        """Who signs a document of which nothing but its kind was said."""
        return self._standard.signatures if self._standard and self.has_usual_header else ()

    def built(self) -> tuple[ReportSpec, list[str]]:
        """Return the spec, and the clauses that could not be read."""
        self._language = self._report_language()
        closing = closing_of(self._below())
        kinds = {line.kind for line in closing.summary}
        if (self._sections.all_totals or kinds == {"tax"}) and "net" not in kinds and kinds & {"tax", "gross", "value"}:
            self._add_total(closing, is_taxed="tax" in kinds and "gross" not in kinds)
        self.columns = ColumnBuilder(
            self._request, self._sections, self._named_columns(), self._table is not None, self._language, self._unread
        )
        columns = self._columns(closing)
        self._check_running(columns)
        closing = self._payable(with_known_columns(closing, columns), columns)
        groups = self._groups(columns)
        spec = ReportSpec(
            title=self._title()[:120],
            title_align=self._request.title_align,
            company=self._company(),
            columns=columns,
            header_fields=self._header(columns)[:20],
            grand_total=not self._sections.no_grand_total,
            group_by=groups[:3],
            group_pages=self._group_pages(groups),
            sort=self._sort(columns),
            page=turned(self._request.paper),
            like_example=self._request.like_example,
            language=self._language,
            footer=self._request.footer,
            page_numbers=self._request.page_numbers and not self._request.paper.roll_mm,
            summary=closing.summary,
            closing=[*closing.fields, *self._counts()][:12],
            closing_texts=[*self._request.closing_texts, *closing.texts],
            signatures=with_both_parties([*closing.signatures, *(self._signers() or self.usual_signatures)])[:6],
            rows=self._rows(columns),
            blank_rows=self._sections.blank_rows,
        )
        return spec, list(dict.fromkeys([*self._unread, *self._request.changes]))

    def _check_running(self, columns: Sequence[Column]) -> None:
        """A column that is to add up from row to row, and that no column means or can, was not understood."""
        known = [column.label for column in columns if column.running]
        unmet = [one for one in self._sections.running if not any(means(one.label, label) for label in known)]
        self._unread += [one.clause for one in unmet]
        self._sections.misses_names |= bool(unmet)

    def _add_total(self, closing: Closing, is_taxed: bool) -> None:
        """Add the total to a block that lacks it; with taxes, also the amount with them."""
        is_chinese, has_tax = self._language == "zh", any(line.kind == "tax" for line in closing.summary)
        label = "合计" if is_chinese else "Subtotal" if has_tax else "Total"
        closing.summary.insert(0, SummaryLine(label=label, kind="net"))
        if is_taxed:
            after = max(n for n, line in enumerate(closing.summary) if line.kind == "tax") + 1
            closing.summary.insert(after, SummaryLine(label="总计" if is_chinese else "Total", kind="gross"))

    def _signers(self) -> list[str]:
        """Return who signs, from left to right."""
        order = {"left": 0, "auto": 1, "right": 2}
        return [item.label for item in sorted(self._sections.lists["signatures"], key=lambda item: order[item.side])]

    def _company(self) -> str | None:
        """Return who sends the report: `shop name (Crumb & Co)` above the table says it as well."""
        for item in self._sections.lists["header"]:
            if item.value and not self._request.company and any(matches(SUBJECT, "company_name", item.label)):
                self._sections.lists["header"].remove(item)
                return item.value
        return self._request.company

    def _payable(self, closing: Closing, columns: Sequence[Column]) -> Closing:
        """Leave out amounts that no column adds up to: their clauses are unread. A tax is one of money."""
        is_taxed = any(line.kind == "tax" for line in closing.summary)
        if not any(column.total == "sum" and column.type == "money" for column in columns) and self._sections.in_words:
            self._unread.append(self._sections.in_words)  # only amounts are written in words
            closing.summary = [line for line in closing.summary if line.kind != "words"]
        if any(column.total == "sum" and (column.type == "money" or not is_taxed) for column in columns):
            return closing
        named = [*self._sections.lists["below"], *self._sections.lists["totals"]]
        lost = [line for line in closing.summary if line.kind in ("net", "tax", "gross", "words")]
        self._unread += [item.clause for item in named if lost and is_amount(item.label)]
        closing.summary = [line for line in closing.summary if line not in lost]
        return closing

    def _counts(self) -> list[HeaderField]:
        """Return lines for what is counted but is no row of the table: `the number of boxes`."""
        return [
            HeaderField(label=f"Number of {item.label}", type="integer")
            for item in self._sections.counted
            if not self.columns.counts_rows(item)
        ]

    def _below(self) -> list[Item]:
        """Return the names below the table; an amount in words is one wherever it was named."""
        totals = self._sections.lists["totals"]
        words = [item for item in totals if is_summary_line(item.label)]
        self._sections.lists["totals"] = [item for item in totals if item not in words]
        if self._sections.in_words:
            label = "金额大写" if self._language == "zh" else "Amount in words"
            words.append(Item(label, None, label))
        return [*self._sections.lists["below"], *words]

    def _as_form(self) -> bool:
        """Take the names of a form for its lines: it has no table, unless the description says so."""
        lists = self._sections.lists
        has_lists = self._request.groups or lists["data"] or lists["totals"] or self._request.computed
        tabular = self._sections.has_table_lead or bool(has_lists)
        is_receipt = self._is_for_one_payment()
        is_letter = self._sections.is_letter or is_form(self._sections.name) or is_receipt
        if self._table or tabular or not is_letter or not (lists["columns"] or lists["header"]):
            return False
        if self._sections.blank_rows or self._sections.all_totals:
            return False
        if self._sections.continued:  # they may be the columns of a table below the lines
            self._sections.misses_names = True
            self._unread += self._sections.continued
        lines = [*lists["header"], *lists["columns"]]
        lists["signatures"] = [*(line for line in lines if is_signature(line.label)), *lists["signatures"]]
        lists["header"] = [line for line in lines if not is_signature(line.label)]
        lists["columns"] = []
        if is_receipt:
            lists["header"], self.renamed = renamed(lists["header"])
        return True

    def _is_for_one_payment(self) -> bool:
        """Whether a receipt is for a sum of money and no goods: it has no table then."""
        name = self._request.title or self._sections.name or ""
        known = {meaning(item.label).kind for item in self._sections.lists["columns"] if not is_amount(item.label)}
        counts = any(is_price(item.label) for item in self._sections.lists["columns"]) or "integer" in known
        return any(matches("spec_title", "payment", name)) and not counts and not self._sections.lists["below"]

    def _named_columns(self) -> list[Item]:
        if self._table:
            return [Item(label, None, label) for label in self._table.header]
        return self._sections.lists["columns"]

    def _report_language(self) -> Language:
        """Return the requested language, else that of most labels, else that of the turn."""
        labels = [item.label for item in self._named_columns()]
        if self._request.language or not labels:
            return self._request.language or self._turn_language
        chinese = sum(any(is_cjk(char) for char in label) for label in labels)
        return "zh" if chinese * 2 > len(labels) else "en"

    def _columns(self, closing: Closing) -> list[Column]:
        if self.is_form:
            return []
        if not self.names_columns and self._standard:
            columns = self._by_dimensions(self._standard)
            return without_totals(columns) if self._sections.no_totals else self.columns.totalled(columns, closing)
        return self._with_identity(self.columns.named(closing))

    def _by_dimensions(self, standard: StandardReport) -> list[Column]:
        """Return the usual columns; of "sales by region and month" those two, and the amounts that are added up."""
        if not self._request.dimensions:
            return list(standard.columns)
        named = [Column(label=self._printed(label), type=meaning(label).kind) for label in self._request.dimensions]
        known = {meaning(label).name for label in self._request.dimensions}
        amounts = [one for one in standard.columns if one.total == "sum" and meaning(one.label).name not in known]
        return [*named, *(one for one in amounts if not one.computed)]

    def _with_identity(self, columns: list[Column]) -> list[Column]:
        """Put the column before numbers that says what they are about, as a standard report has it: 姓名 before 语文.

        It is noted.
        """
        says_nothing = all(_is_number(column) or _is_detail(column) for column in columns)
        if columns and not self._table and self._lacks_row_noun(columns, says_nothing):
            self.identity = self._printed(self._sections.row_of)
            return [Column(label=self.identity, type=meaning(self.identity).kind), *columns]
        is_grouped = bool(self._request.groups) and all(map(_is_number, columns))
        if self._table or self._standard is None or len(columns) < 2 or not says_nothing or is_grouped:
            return columns
        about = next((one for one in self._standard.columns if one.type == "text" and _names_something(one)), None)
        if about is None:
            return columns
        self.identity = about.label
        return [about, *columns]

    def _lacks_row_noun(self, columns: Sequence[Column], says_nothing: bool) -> bool:
        """Whether no column says what each row is about, as the request does: a day needs a column of dates."""
        noun = self._sections.row_of
        if not noun or meaning(noun).name not in ("day", "date"):
            return bool(noun) and says_nothing
        return not any(
            column.type in ("date", "datetime") or meaning(column.label).name in ("day", "weekday")
            for column in columns
        )

    def _printed(self, label: str) -> str:
        return printed_label(label, self._language)

    # --- head, groups, order, rows -----------------------------------------------------------------------------------

    def _header(self, columns: Sequence[Column]) -> list[HeaderField]:
        if self.has_usual_header and self._standard:
            known = {meaning(c.label).name for c in columns} | {meaning(group).name for group in self._request.groups}
            return [field for field in self._standard.head if meaning(field.label).name not in known]
        return [
            HeaderField(
                label=self._printed(item.label),
                type=item.kind or meaning(item.label).kind,
                value=self._value(item),
                sums_up=self.is_form and is_sum_of_others(item.label),
                side=item.side,
            )
            for item in self._sections.lists["header"]
        ]

    def _value(self, item: Item) -> str | None:
        """Return the value of a line; a form to fill in has none."""
        return item.value or ("" if self.is_form and is_blank_form(self._sections.name) else None)

    def _groups(self, columns: Sequence[Column]) -> list[str]:
        keys = [label for label in self._request.loose_groups if columns and means(label, columns[0].label)]
        wanted = [group for group in self._request.groups if group not in keys]
        wanted += self._sections.labels("group")
        for label in self._request.group_pages:
            wanted += [] if any(same_group(label, group) for group in wanted) else [label]
        return list(dict.fromkeys(self._known(group, columns) for group in wanted))

    def _known(self, label: str, columns: Sequence[Column]) -> str:
        """Return the label of the column that a wording means, else the wording as a label."""
        column = next((column for column in columns if means(label, column.label)), None)
        if column is None and len(label) == 1:  # 每辆车, beside 车牌
            begun = [each for each in columns if each.label.startswith(label)]
            column = begun[0] if len(begun) == 1 else None
        return column.label if column else self._printed(label)

    def _group_pages(self, groups: Sequence[str]) -> bool:
        for label in self._request.group_pages:
            if not groups or not same_group(label, groups[0]):
                self._unread.append(self._request.sources.get(label, label))
                return False
        return bool(self._request.group_pages)

    def _sort(self, columns: Sequence[Column]) -> list[Sort]:
        found = []
        wanted = [*self._request.sort, *(Sort(column=item.label) for item in self._sections.lists["sort"])]
        for sort in wanted[:3]:
            named = next((column for column in columns if means(sort.column, column.label)), None)
            named = named or next(
                (c for c in columns if sort.column and sort.column.casefold() in c.label.casefold()), None
            )
            kinds = {"date": ("date", "datetime"), "": ("money",)}.get(sort.column, ())  # any date, any amount
            column = named or next((column for column in columns if column.type in kinds), None)
            if column is None:
                self._unread.append(self._request.sources.get(sort.column, sort.column))
            else:
                found.append(Sort(column=column.label, descending=sort.descending))
        return found

    def _rows(self, columns: Sequence[Column]) -> list[list[str]]:
        if self._table:
            return [list(row) for row in self._table.rows]
        if self._sections.given_rows and self._sections.lists["data"]:
            return []  # one of the rows has more or fewer cells than the others
        if self._sections.given_rows:
            return with_all_cells(self._sections.given_rows, columns)
        texts = [item.label for item in self._sections.lists["data"]]
        given = [n for n, column in enumerate(columns) if column.computed is None]
        rows = rows_in(texts, len(given)) if texts else []
        if rows is None:  # a row has no value of what is picked from the others: it stays empty
            picked = [column.label for column in picked_from_others(columns)]
            given = [n for n in given if columns[n].label not in picked]
            rows = rows_in(texts, len(given))
        if rows is None:
            self._sections.misses_names |= not any(char.isdigit() for text in texts for char in text)
            self._unread.append("; ".join(texts))
            return []
        return in_places(rows, given, len(columns))

    def _title(self) -> str:
        if self._request.title:
            return self._request.title
        named = self._sections.name
        if self._standard and (named is None or named.casefold() in self._standard.title.casefold()):
            return self._standard.title
        if named:
            return named
        labels = [self._printed(item.label) for item in self._named_columns()]
        groups = [self._printed(group) for group in self._request.groups]
        return described_title(labels, groups, self._language)


def _is_number(column: Column) -> bool:
    """Whether the values of a column are numbers, or count the rows."""
    return column.type in ("money", "number", "integer", "percent") or meaning(column.label).name in (
        "number",
        "line_no",
    )


def _is_detail(column: Column) -> bool:
    """Whether a column only adds something to a person or a thing: a phone number, a remark."""
    return meaning(column.label).name in _DETAILS


def _names_something(column: Column) -> bool:
    """Whether a column names things or people, and is no code."""
    return meaning(column.label).name not in ("number", "line_no") and not column.label.endswith(
        ("号", "编码", "no", "code")
    )
