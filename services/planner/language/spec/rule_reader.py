"""Read a request for a report by rules, in English and Chinese."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bandsmith.shared.errors import TerminalError
from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.language import Language
from bandsmith.shared.model.spec import (
    MAX_COLUMNS,
    MAX_LABEL_CHARS,
    Column,
    Computed,
    HeaderField,
    ReportSpec,
    Sort,
    Totalling,
    numeric,
)
from bandsmith.shared.replies import listed, text

from .catalogue import StandardReport, standard_of
from .change_requests import is_change
from .clauses import SpecClauses, clauses, words_left
from .columns import FoundColumns, columns_in
from .labels import printed
from .tables import TextTable, extract_table, table_in_file
from .titles import report_name

MAX_REQUEST_CHARS = 4_000
"""Maximum characters of a request that are read, without a pasted table."""
_MAX_UNREAD_WORDS = 3
"""Maximum words that no rule reads before a reading counts as unsure."""


@dataclass(frozen=True)
class SpecReading:
    """The spec that rules read in a request."""

    spec: ReportSpec
    notes: list[str]
    """What was assumed, in the spec's language."""
    sure: bool
    """Whether rules read all of the request."""


def read(text: str, language: Language, texts: Iterable[str] = ()) -> SpecReading:
    """Return the report that a sentence asks for, with what was assumed.

    Raises ``TerminalError`` (code ``wish``) when it names nothing to go by.
    """
    table, prose = extract_table(text)
    if table is None and not texts and is_change(prose.strip()):
        raise nothing_to_change()
    table = table or next((sample for content in texts if (sample := table_in_file(content))), None)
    request = clauses(_plain(prose)[:MAX_REQUEST_CHARS])
    found = FoundColumns(list(table.header), "") if table else columns_in(request.rest)
    if not found.labels and request.header:  # there is nothing that they could be above
        found, request.header = FoundColumns(request.header, found.rest), []
    report_language: Language = _language(request, found.labels, language)
    standard = standard_of(found.rest if found.labels else _plain(prose), report_language)
    if not found.labels and standard is None:
        raise nothing_to_go_by()
    spec = _SpecBuilder(request, found, table, standard, report_language, _plain(prose)).spec()
    notes = assumptions(spec, language, bool(found.labels), bool(spec.header_fields) and not request.header)
    unread = list(words_left(found.rest)) if not table else []
    sure = len(found.labels) >= 2 and sum(_weight(word) for word in unread) <= _MAX_UNREAD_WORDS
    return SpecReading(spec, notes, sure)


def nothing_to_change() -> TerminalError:
    return TerminalError.of("language.nothing_to_change", code="wish")


def nothing_to_go_by() -> TerminalError:
    return TerminalError.of("language.no_columns_named", code="wish")


def _plain(text: str) -> str:
    """Return a text with half-width marks, so that one rule reads both kinds."""
    return unicodedata.normalize("NFKC", text.replace("：", ":").replace("×", "×"))


def _weight(word: str) -> float:
    return len(word) / 2 if is_cjk(word[0]) else 1.0


def _language(request: SpecClauses, labels: Sequence[str], language: Language) -> Language:
    """Return the language of the report: the requested one, else that of most labels, else that of the turn."""
    if request.language:
        return request.language
    if not labels:
        return language
    chinese = sum(any(is_cjk(char) for char in label) for label in labels)
    return "zh" if chinese * 2 > len(labels) else "en"


def assumptions(spec: ReportSpec, language: Language, named: bool = True, usual_head: bool = False) -> list[str]:
    """Return what was assumed: usual columns where none were `named`, usual lines above the table, sample rows."""
    notes = []
    if not named:
        columns = listed([column.label for column in spec.columns], language)
        notes.append(text("language.usual_columns", language, columns=columns))
    elif usual_head:
        notes.append(text("language.usual_header_fields", language))
    if not spec.rows:
        notes.append(text("language.sample_rows", language))
    return notes


@dataclass(frozen=True)
class _SpecBuilder:
    """Builds the spec from what rules have read."""

    request: SpecClauses
    found: FoundColumns
    table: TextTable | None
    standard: StandardReport | None
    language: Language
    text: str

    def spec(self) -> ReportSpec:
        request = self.request
        columns = self._columns()
        head = [HeaderField(label=self._label(label), type=meaning(label).kind) for label in request.header][:20]
        if self.standard and not head and not self.table and (self.standard.is_document or not self.found.labels):
            known = {meaning(c.label).name for c in columns} | {meaning(group).name for group in request.groups}
            head = [field for field in self.standard.head if meaning(field.label).name not in known]
        rows = [list(row) for row in self.table.rows] if self.table else []
        return ReportSpec(
            title=self._title()[:120],
            columns=columns,
            header_fields=head,
            group_by=[self._known(group, columns) for group in request.groups][:3],
            sort=self._sort(columns),
            page=request.paper,
            language=self.language,
            footer=request.footer or (self.standard.footer if self.standard and not self.found.labels else None),
            page_numbers=request.page_numbers,
            rows=rows,
        )

    def _label(self, label: str) -> str:
        return (printed(label) if self.language == "en" else label)[:MAX_LABEL_CHARS]

    def _known(self, label: str, columns: Sequence[Column]) -> str:
        """Return the label of the column that a wording means, else the wording as a label."""
        column = next((column for column in columns if _means(label, column.label)), None)
        return column.label if column else self._label(label)

    def _sort(self, columns: Sequence[Column]) -> list[Sort]:
        found = []
        for sort in self.request.sort[:3]:
            named = next((column for column in columns if _means(sort.column, column.label)), None)
            named = named or next(
                (c for c in columns if sort.column and sort.column.casefold() in c.label.casefold()), None
            )
            kinds = {"date": ("date", "datetime"), "": ("money",)}.get(sort.column, ())  # any date, any amount
            column = named or next((column for column in columns if column.type in kinds), None)
            found += [Sort(column=column.label, descending=sort.descending)] if column else []
        return found

    def _columns(self) -> list[Column]:
        if not self.found.labels and self.standard:
            return [self._without_total(column) for column in self.standard.columns]
        labels = self.found.labels[:MAX_COLUMNS]
        if not self.table:  # a formula also names a column
            labels = [
                *labels,
                *(key for key in self.request.computed if not any(_means(key, label) for label in labels)),
            ]
        columns = []
        for label in labels:
            computed = self._computed(label, labels)
            kind = meaning(label).kind
            if computed and kind not in ("money", "number", "integer", "percent"):
                kind = "money"
            columns.append(Column(label=self._label(label), type=kind, computed=computed))
        if self.table:
            columns = [column.model_copy(update={"computed": None}) for column in columns]
        return _totalled(columns, self.request, self.table)

    def _computed(self, label: str, labels: Sequence[str]) -> Computed | None:
        """Return the formula of a column, with the labels of other columns as operands."""
        formula = next((formula for key, formula in self.request.computed.items() if _means(key, label)), None)
        if formula is None:
            return None
        operands = [
            next((label for label in labels if _means(operand, label)), operand) for operand in formula.operands
        ]
        if not all(operand in labels or numeric(operand) is not None for operand in operands):
            return None
        return formula.model_copy(update={"operands": [self._label(operand) for operand in operands]})

    def _without_total(self, column: Column) -> Column:
        return column.model_copy(update={"total": "none"}) if self.request.no_totals else column

    def _title(self) -> str:
        if self.request.title:
            return self.request.title
        named = report_name(self.text, self.language)
        if self.standard and (named is None or named.casefold() in self.standard.title.casefold()):
            return self.standard.title
        if named:
            return named
        labels = [self._label(label) for label in self.found.labels]
        if self.language == "zh":
            return f"{'、'.join(labels)}一览表" if len(labels) <= 3 else "报表"
        if 2 <= len(labels) <= 3:
            return f"{', '.join(labels[:-1])} and {labels[-1]}"
        groups = [self._label(group) for group in self.request.groups]
        return f"Report by {' and '.join(groups)}" if groups else "Report"


def _means(wording: str, label: str) -> bool:
    """Whether a wording means a label: the same words, singular or plural, or the same known field."""
    a, b = wording.casefold().strip(), label.casefold().strip()
    return a == b or a.rstrip("s") == b.rstrip("s") or (meaning(a).known and meaning(a).name == meaning(b).name)


def _totalled(columns: list[Column], request: SpecClauses, table: TextTable | None) -> list[Column]:
    """Return the columns with their totals: the totals asked for, else amounts and like quantities."""
    if request.no_totals:
        return columns
    named: dict[str, Totalling] = {}
    for column in columns:
        if any(_means(label, column.label) or _is_last_word(label, column.label) for label in request.summed):
            named[column.label] = "sum"
        if any(_means(label, column.label) for label in request.averaged):
            named[column.label] = "average"
    if not any(total == "sum" for total in named.values()):
        named |= {column.label: "sum" for column in _additive(columns, request) if column.label not in named}
    if request.counted:
        first = next((column for column in columns if column.label not in named and column.type == "text"), None)
        first = next(
            (c for c in columns if meaning(c.label).name in ("name", "employee", "customer", "student")), first
        )
        if first and first.label not in named:
            named[first.label] = "count"
    return [column.model_copy(update={"total": named.get(column.label, "none")}) for column in columns]


def _additive(columns: Sequence[Column], request: SpecClauses) -> list[Column]:
    adds = [column for column in columns if column.type in ("money", "number", "integer") and _adds_up(column)]
    money = [column for column in adds if column.type == "money"]
    if not request.wants_totals and not request.groups:
        return money
    priced = any(
        c.type == "money" and not meaning(c.label).adds_up and meaning(c.label).name in _PRICES for c in columns
    )
    # Quantities of goods with different prices are not added up.
    return money if money and (priced or not request.wants_totals) else adds


_PRICES = frozenset({"price", "unit_price", "list_price", "purchase_price", "hourly_rate"})


def _adds_up(column: Column) -> bool:
    if column.computed is not None and not meaning(column.label).known:
        return column.type == "money"
    return meaning(column.label).adds_up


def _is_last_word(wording: str, label: str) -> bool:
    """Whether a wording is the last word of a label: `charges` means the column `Service charge`."""
    return label.casefold().endswith(wording.casefold().rstrip("s")) and len(wording) > 1
