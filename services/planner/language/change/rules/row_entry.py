"""New rows of data, typed or from an attached file. What users say is in ``templates/*/row_entry.toml``.

These sentences are read as a whole, before they are split into clauses: their values hold commas.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.add_rows import AddRows
from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.fields.value_types import DATE, STRING, infer_type
from bandsmith.shared.jrxml.expressions import sole_reference
from bandsmith.shared.jrxml.java_literals import parse_decimal
from bandsmith.shared.replies import Text, listed

from ...best_fit import EXACT_FIT_THRESHOLD
from ...fuzzy_match import column_fit
from ...reference_resolver import ReferenceResolver
from ...request_clauses import without_politeness
from ...sentence_templates import matches
from ...spec.tables import TextTable, table_in_file
from ...template_view import TemplateView
from ...view_elements import DATES, NUMERIC, TableColumn
from ..reading import ClauseReading, refused

PHRASES = frozenset({"typed", "file_rows", "file_instead", "file_columns"})
"""Sentences of the files: they are no clauses."""
MAX_SENTENCE_CHARS = 2_000
MAX_TYPED_ROWS = 50
Value = str | int | float | bool | None
_CELL_BREAK = re.compile(r"(?:(?<!\s)|(?=\S))\s*(?:\t|\||[,，](?!\d{3}(?!\d))|、)\s*")
_ROW_BREAK = re.compile(r"(?:(?<!\s)|(?=\S))\s*(?:[;；\n]|。(?=.))\s*")
_ROW_LIST = re.compile(
    r"[^:：]*(?:\b(?:rows?|records?|entry|entries)\b|[行条]|记录|明细|数据)[^:：]*[:：]", re.IGNORECASE
)
_FROM_TO = re.compile(r"(\d{1,2}:\d\d)(?<!\s)\s*(?:to|until|-|–|到|至)\s*(\d{1,2}:\d\d)")
"""Two times of day, which are two values."""
_UNIT = re.compile(r"(?<=\d)\s?(?:hours?|hrs?|pcs|pieces|小时)(?=\s*(?:[,，;；\n]|$))", re.IGNORECASE)
_AT_PRICE = re.compile(
    r"(?<![\w.,])(\d{1,9}(?:\.\d{1,4})?)(?: [a-z]{1,20})?(?: (?:at|for|x)| ?[@×*]) ?([$€£¥￥]?\d[\d.]{0,12})(?: each)?"
    r"(?=\s?(?:[,，;；\n]|$))",
    re.IGNORECASE,
)
"""How many and for what price, which are two values: “60 rolls at 4.20”."""
_CURRENCY = re.compile(r"^[$€£¥￥]\s*|(?<!\s)\s*(?:元|%|％)$")


def read_row_entry(text: str, view: TemplateView, files: Sequence[str]) -> ClauseReading | None:
    """Return the rows or columns that a sentence asks to add; None if it does not speak of that.

    `files` are the attached text files.
    """
    sentence = without_politeness(text)
    if not view.columns or len(sentence) > MAX_SENTENCE_CHARS:
        return None
    for slots in matches("row_entry", "typed", sentence):
        reading = _typed(slots["values"], view)
        # "Add a line for VAT, total" names no values: words alone are a row only in a list after a colon.
        has_numbers = any(column.numeric or column.java_class in DATES for column in _field_columns(view))
        if reading is not None and ((reading.edits and has_numbers) or _ROW_LIST.match(sentence)):
            return reading
    for rule in ("file_columns", "file_instead", "file_rows"):
        if next(matches("row_entry", rule, sentence), None) is not None:
            return _from_file(rule, view, files)
    return None


# --- typed rows ------------------------------------------------------------------------------------------------------


def _typed(values: str, view: TemplateView) -> ClauseReading | None:
    """Return the rows that are typed out, one value for each column that prints a field."""
    values = _AT_PRICE.sub(r"\1, \2", values)
    values = _UNIT.sub("", _FROM_TO.sub(r"\1, \2", values))
    rows = [_CELL_BREAK.split(line) for line in _ROW_BREAK.split(values.strip(" .。:：")) if line]
    if all(len(row) == 1 for row in rows):
        rows = [[row[0] for row in rows]]
    if len(rows[0]) < 2 or len(rows) > MAX_TYPED_ROWS:
        return None  # a heading, or a sentence
    if all(re.search(r"[=:：]", cell) for row in rows for cell in row):
        return _named(rows, view)
    columns = _field_columns(view)
    added: list[dict[str, Value]] = []
    for number, cells in enumerate(rows):
        found = _with_last_values(_with_row_number(cells, columns, view, number), columns, view, number)
        if len(found) != len(columns):
            labels = [column.label for column in columns]
            return _count_refused(len(cells), labels)
        row = _row(zip(columns, found, strict=True))
        if isinstance(row, ClauseReading):
            return row
        added.append(row)
    return ClauseReading([AddRows(rows=added)])


def _count_refused(count: int, labels: list[str]) -> ClauseReading:
    names = Text(listed(labels, "en"), listed(labels, "zh"))
    return refused("language.wrong_number_of_values", values=count, columns=len(labels), names=names)


def _named(rows: list[list[str]], view: TemplateView) -> ClauseReading | None:
    """Return rows whose values are named: "item=Hammer, quantity=3"."""
    resolver = ReferenceResolver(view)
    known = _field_columns(view)
    added: list[dict[str, Value]] = []
    for cells in rows:
        pairs = []
        for cell in cells:
            name, _, value = re.sub("[:：]", "=", cell, count=1).partition("=")
            column = resolver.column(name.strip())
            if column not in known:
                return None
            assert isinstance(column, TableColumn)
            pairs.append((column, value.strip()))
        row = _row(pairs)
        if isinstance(row, ClauseReading):
            return row
        added.append(row)
    return ClauseReading([AddRows(rows=added)])


def _with_row_number(cells: list[str], columns: list[TableColumn], view: TemplateView, added: int) -> list[str]:
    """Return the values of a row with its number before them, if it lacks only that and the rows are numbered."""
    if len(cells) != len(columns) - 1:
        return cells
    numbers = view.values(columns[0].field)
    count = len(numbers)
    if cells[0].strip() == str(count + 1 + added):
        return cells
    return [str(count + 1 + added), *cells] if numbers == {str(n) for n in range(1, count + 1)} and count else cells


def _with_last_values(cells: list[str], columns: list[TableColumn], view: TemplateView, added: int) -> list[str]:
    """Return the values of a row with an empty last one, where the last column is one for remarks that other rows leave
    empty too."""
    lacks = len(columns) - len(cells)
    if lacks == 2:
        cells = _with_row_number([*cells, ""], columns, view, added)
    elif lacks == 1:
        cells = [*cells, ""]
    last = columns[-1]
    is_left_out = lacks in (1, 2) and len(cells) == len(columns) and last.java_class == STRING
    is_optional = is_left_out and any(row.get(last.field) in ("", None) for row in view.rows)
    return cells if is_optional or lacks not in (1, 2) else cells[:-1]


# --- rows and columns of a file --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _FileColumn:
    """A column of the file, with the report's column of that name, if it has one."""

    header: str
    values: tuple[str, ...]
    column: TableColumn | None


def _from_file(rule: str, view: TemplateView, files: Sequence[str]) -> ClauseReading:
    table = next((found for content in files if (found := table_in_file(content)) is not None), None)
    if table is None:
        return refused("language.no_table_attached")
    columns = _matched(table, view)
    edits: list[AnyEdit] = []
    fields = {one.header: one.column.field for one in columns if one.column is not None}
    if rule == "file_columns":
        new = [one for one in columns if one.column is None]
        if not new:
            return refused("language.no_new_columns")
        for one in new:
            edit = _new_column(one, view, set(fields.values()))
            fields[one.header] = edit.field
            edits.append(edit)
    elif not fields:
        headers = list(table.header)
        return refused("language.no_columns_in_file", columns=Text(listed(headers, "en"), listed(headers, "zh")))
    rows = _rows_of_file(columns, fields, edits)
    if isinstance(rows, ClauseReading):
        return rows
    if rule == "file_columns":
        rows = _beside_own_rows(rows, columns, [edit.field for edit in edits if isinstance(edit, AddColumn)], view)
    return ClauseReading([*edits, AddRows(rows=rows, replace=rule != "file_rows")])


def _matched(table: TextTable, view: TemplateView) -> list[_FileColumn]:
    known = _field_columns(view)
    found: list[_FileColumn] = []
    for number, header in enumerate(table.header):
        best = max(known, key=lambda column: column_fit(header, column), default=None)
        taken = any(one.column is best for one in found)
        fits = best is not None and not taken and column_fit(header, best) >= EXACT_FIT_THRESHOLD
        found.append(_FileColumn(header, tuple(row[number] for row in table.rows), best if fits else None))
    return found


def _new_column(column: _FileColumn, view: TemplateView, taken: set[str]) -> AddColumn:
    typed = infer_type([value or None for value in column.values], column.header)
    field = name_for(column.header, "column", taken | set(view.classes), column=True)
    taken.add(field)
    return AddColumn(field=field, label=column.header, java_class=typed.java_class, pattern=typed.pattern)


def _rows_of_file(
    columns: list[_FileColumn], fields: dict[str, str], new: list[AnyEdit]
) -> list[dict[str, Value]] | ClauseReading:
    classes = {edit.field: edit.java_class for edit in new if isinstance(edit, AddColumn)}
    rows: list[dict[str, Value]] = [{} for _ in columns[0].values]
    for one in columns:
        if one.header not in fields:
            continue
        field = fields[one.header]
        java_class = one.column.java_class if one.column is not None else classes[field]
        for row, text in zip(rows, one.values, strict=True):
            value = converted(text, java_class)
            if value is None and text:
                return refused("language.value_of_another_kind", value=text, column=one.header)
            row[field] = value
    return rows


def _beside_own_rows(
    rows: list[dict[str, Value]], columns: list[_FileColumn], new: list[str], view: TemplateView
) -> list[dict[str, Value]]:
    """Return the report's own rows with the values of new columns beside them.

    A row of the file belongs to the row with the same value in a column of both; without such a column, or where it
    finds nothing, rows of the same number belong together if there are as many of both.
    """
    own = view.rows
    key = next((field for one in columns if one.column and _finds_rows(field := one.column.field, rows, own)), None)
    found: list[dict[str, Value]] = []
    for number, row in enumerate(own):
        beside: dict[str, Value] = {}
        if key is not None:
            beside = next((one for one in rows if one.get(key) == row.get(key)), {})
        elif len(rows) == len(own):
            beside = rows[number]
        kept = {name: value for name, value in row.items() if name in view.classes}
        found.append({**kept, **{field: beside.get(field) for field in new}})
    return found


def _finds_rows(field: str, rows: list[dict[str, Value]], own: Sequence[dict[str, Value]]) -> bool:
    """Whether the values of a column tell the rows of the file apart, and the report has one of them."""
    values = [row.get(field) for row in rows]
    return len(set(values)) == len(values) and any(row.get(field) in values for row in own)


# --- values ----------------------------------------------------------------------------------------------------------


def _field_columns(view: TemplateView) -> list[TableColumn]:
    """Return the columns that print a field and nothing else: the others are computed."""
    return [column for column in view.columns if sole_reference(column.cells[0].expression, "F")]


def _row(pairs: Sequence[tuple[TableColumn, str]] | zip[tuple[TableColumn, str]]) -> dict[str, Value] | ClauseReading:
    row: dict[str, Value] = {}
    for column, text in pairs:
        value = converted(text, column.java_class)
        if value is None and text.strip(" -"):
            return refused("language.value_of_another_kind", value=text, column=column.label)
        row[column.field] = value
    return row


def converted(text: str, java_class: str) -> Value:
    """Return a typed value as the data has it; None if it is empty, or no value of the class."""
    text = text.strip().strip("\"“”'")
    if not text:
        return None
    if java_class in NUMERIC:
        number = parse_decimal(_CURRENCY.sub("", text))
        if number is None:
            return None
        if number == number.to_integral_value() and "." not in text:
            return int(number)
        return float(number) if str(number) == str(float(number)) else str(number)
    if java_class in DATES:
        typed = infer_type([text], None)
        return typed.values[0] if typed.java_class == DATE else None
    return text
