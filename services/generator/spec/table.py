"""The table of a spec: columns with names, classes, patterns and sample values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Literal

from bandsmith.shared.fields.column_kinds import CLOCK, Meaning, meaning
from bandsmith.shared.fields.date_patterns import write_date
from bandsmith.shared.fields.identifiers import name_for, unique_name
from bandsmith.shared.fields.value_types import DATE, DECIMAL, INTEGER, LONG, STRING, Locale, infer_type
from bandsmith.shared.language import Language
from bandsmith.shared.model.plan import DataField
from bandsmith.shared.model.spec import Column, Computed, HeaderField, Kind, ReportSpec, Totalling, numeric

from .samples import SampleValue, calculate, in_context, sample, with_derived_values

BOOLEAN, DOUBLE = "java.lang.Boolean", "java.lang.Double"
SAMPLE_ROWS, SAMPLE_GROUPS = 9, 3
"""Number of sample rows, and of groups that they fall into."""

SAMPLE_PAYMENT = 20_000.0
INCOME_TO_EXPENSE = 4
"""How many times greater a sample income is than an expense, so that the balance stays positive."""

_CLASSES: dict[Kind, tuple[str, str | None]] = {
    "text": (STRING, None),
    "number": (DECIMAL, "#,##0.0"),
    "integer": (INTEGER, "#,##0"),
    "money": (DECIMAL, "#,##0.00"),
    "percent": (DECIMAL, "0.0%"),
    "date": (DATE, "yyyy-MM-dd"),
    "datetime": (DATE, "yyyy-MM-dd HH:mm"),
    "flag": (BOOLEAN, None),
}
_KINDS: dict[str, Kind] = {DECIMAL: "number", INTEGER: "integer", LONG: "integer", DATE: "date"}
_COUNTERS = frozenset({"linenumber", "lineno", "lineno.", "line", "pos", "pos.", "position", "itemno", "行号", "项次"})
"""Labels, without blanks, of first columns that number the rows."""
_UNGROUPED_NUMBERS = frozenset({"year", "number", "line_no"})
"""Whole numbers that are printed without thousands separators."""


@dataclass(frozen=True)
class SpecItem:
    """A column, a group or a header field."""

    label: str
    name: str
    kind: Kind
    java_class: str
    pattern: str | None
    stem: str
    """The name that the label means; samples are looked up by it."""
    total: Totalling = "none"
    width: int | None = None
    computed: Computed | None = None
    running: bool = False
    """Whether it adds up from row to row."""
    share_of: str | None = None
    """The name of the column of whose total it is the share."""
    expression: str | None = None
    """How a line is worked out from the lines before it."""
    counter: bool = False
    """Whether it prints the number of its row. A counter has no field."""
    values: tuple[SampleValue, ...] = ()
    side: Literal["auto", "left", "right"] = "auto"
    """The half of the page that a line stands in."""
    size: float | None = None
    """Type size of a line's value in points; None is that of the other lines."""

    @property
    def is_number(self) -> bool:
        return self.kind in ("number", "integer", "money", "percent")

    @property
    def field(self) -> DataField | None:
        """The declaration of the field; a computed value and a counter have none."""
        if self.computed or self.counter or self.share_of or self.expression:
            return None
        return DataField(name=self.name, java_class=self.java_class, label=self.label)

    @property
    def reference(self) -> str:
        """The Java expression of the value in the current row."""
        if self.counter:
            return "$V{REPORT_COUNT}"
        return f"$V{{{self.name}}}" if self.computed else f"$F{{{self.name}}}"

    def shown(self, value: SampleValue) -> str:
        """Return a value as it is printed."""
        if value is None:
            return ""
        if self.java_class == DATE and self.pattern:
            return write_date(datetime.fromisoformat(str(value)), self.pattern)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return str(value)
        return format_number(value, self.pattern)


@dataclass(frozen=True)
class SpecTable:
    """The columns, the groups, and the header fields above the table."""

    columns: tuple[SpecItem, ...]
    groups: tuple[SpecItem, ...]
    """Outermost first. A group may be a column as well."""
    header_fields: tuple[SpecItem, ...]
    closing: tuple[SpecItem, ...] = ()
    """The lines below the table."""
    amounts: tuple[SpecItem | None, ...] = ()
    """For each line of the block of totals the amount that the data gives; None where it is computed."""
    locale: Locale | None = None
    """The locale that a pattern needs, if any does."""

    @property
    def fields(self) -> list[SpecItem]:
        """The fields of a data row, each once."""
        by_name = {item.name: item for item in (*self.groups, *self.columns) if item.field}
        return list(by_name.values())

    @property
    def parameters(self) -> list[SpecItem]:
        """What the data gives once."""
        items = [*self.header_fields, *self.closing, *(item for item in self.amounts if item)]
        return [item for item in items if item.field]

    @property
    def rows(self) -> int:
        return len(self.fields[0].values) if self.fields else SAMPLE_ROWS


def build_table(spec: ReportSpec) -> SpecTable:
    """Build the spec's table with the user's own rows, or with made-up ones."""
    taken: set[str] = set()
    columns = [_column(column, taken, first=n == 0, has_rows=bool(spec.rows)) for n, column in enumerate(spec.columns)]
    stems = {item.stem for item in columns}
    columns = [replace(item, stem=in_context(item.stem, stems)) for item in columns]
    by_label = {_plain(item.label): item for item in columns}
    groups = []
    for label in dict.fromkeys(spec.group_by):
        known = by_label.get(_plain(label))
        group = _item(label, None, None, taken) if known is None or not known.field else known
        groups.append(replace(group, stem=in_context(group.stem, stems)))
    columns = [replace(item, share_of=_shared(item, by_label)) for item in columns]
    columns = _without_cycles([replace(item, computed=_resolved(item.computed, by_label)) for item in columns])
    locale = None
    if spec.blank_rows and not spec.rows:
        columns = [replace(item, values=(None,) * spec.blank_rows) for item in columns]
        groups = [replace(item, values=(None,) * spec.blank_rows) for item in groups]
    elif spec.rows:
        columns, groups, locale = _with_own_rows(columns, groups, spec)
    else:
        columns, groups = _with_sample_rows(columns, groups, spec.language)
    names: set[str] = set()
    header, closing = _lines(spec.header_fields, spec, names), _lines(spec.closing, spec, names)
    return SpecTable(tuple(columns), tuple(groups), header, closing, _amounts(spec, names), locale)


def _amounts(spec: ReportSpec, taken: set[str]) -> tuple[SpecItem | None, ...]:
    """Return the amounts below the table that no column gives."""
    items: list[SpecItem | None] = []
    for line in spec.summary:
        if line.kind != "value":
            items.append(None)
            continue
        value = None if spec.blank_rows else SAMPLE_PAYMENT
        items.append(replace(_item(line.label, None, "money", taken), values=(value,)))
    return tuple(items)


def _lines(fields: Sequence[HeaderField], spec: ReportSpec, taken: set[str]) -> tuple[SpecItem, ...]:
    items: list[SpecItem] = []
    for field in fields:
        item = replace(_item(field.label, field.name, field.type, taken), side=field.side, size=field.size)
        before = [each for each in items if each.kind == "money"]
        if field.sums_up and len(before) > 1:
            items.append(_sum_of_lines(item, before))
        elif field.value is not None:
            items.append(_typed(item, [field.value]))
        else:
            value = None if spec.blank_rows else sample(item.stem, item.kind, field.label, spec.language, 0)
            items.append(replace(item, values=(value,)))
    return tuple(items)


def _sum_of_lines(item: SpecItem, before: Sequence[SpecItem]) -> SpecItem:
    """Return the line that adds up the amounts before it."""
    amounts = [f"($P{{{each.name}}} == null ? BigDecimal.ZERO : $P{{{each.name}}})" for each in before]
    expression = amounts[0] + "".join(f".add({amount})" for amount in amounts[1:])
    total = sum((Decimal(str(each.values[0] or 0)) for each in before), Decimal(0))
    java_class, pattern = _CLASSES["money"]
    return replace(
        item, kind="money", java_class=java_class, pattern=pattern, expression=expression, values=(float(total),)
    )


def format_number(value: float | Decimal, pattern: str | None) -> str:
    """Format a number as DecimalFormat does, for the patterns that are used here."""
    found = re.fullmatch(r"(?P<before>[^#0]*)(?P<whole>[#,0]+)(?:\.(?P<places>[0#]+))?(?P<after>.*)", pattern or "0")
    if found is None:
        return str(value)
    number = Decimal(str(value)) * (100 if "%" in found["after"] else 1)
    places = found["places"] or ""
    rounded = number.quantize(Decimal(1).scaleb(-len(places)), ROUND_HALF_EVEN)
    text = f"{rounded:{',' if ',' in found['whole'] else ''}.{len(places)}f}"
    for _ in range(places.count("#")):
        text = text.removesuffix("0")
    return (found["before"] + text.removesuffix(".") + found["after"]).replace("'", "")


def _item(label: str, name: str | None, kind: Kind | None, taken: set[str]) -> SpecItem:
    meant = meaning(label)
    given = name if name and name.isascii() and name.isidentifier() else None
    field_name = unique_name(given, taken) if given else name_for(name or label, meant.name, taken, column=True)
    taken.add(field_name)
    kind = kind or meant.kind
    java_class, pattern = _CLASSES[kind]
    if kind == "datetime" and meant.name in CLOCK:
        pattern = "HH:mm"
    if kind == "integer" and meant.name in _UNGROUPED_NUMBERS:
        pattern = None
    return SpecItem(label, field_name, kind, java_class, pattern, meant.name)


def _column(column: Column, taken: set[str], first: bool, has_rows: bool) -> SpecItem:
    item = _item(column.label, column.name, column.type, taken)
    is_counter = (
        first and not has_rows and column.computed is None and _counts_rows(meaning(column.label), column.label)
    )
    if is_counter:
        item = replace(item, kind="integer", java_class=INTEGER, pattern=None)
    return replace(
        item,
        pattern=column.pattern or item.pattern,
        total=column.total,
        width=column.width,
        computed=column.computed,
        running=column.running and column.computed is not None,
        share_of=column.share_of,
        counter=is_counter,
    )


def _counts_rows(meant: Meaning, label: str) -> bool:
    """Whether a first column with this label only numbers the rows."""
    return (
        meant.name == "line_no"
        or _plain(label) in _COUNTERS
        or (meant.name == "number" and _plain(label) in ("序号", "no", "#", "no.", "nr"))
    )


def _resolved(computed: Computed | None, by_label: dict[str, SpecItem]) -> Computed | None:
    """Replace labels by column names. Return None if an operand is neither a number nor a column of numbers."""
    if computed is None:
        return None
    operands = []
    for operand in computed.operands:
        item = by_label.get(_plain(operand)) or next((i for i in by_label.values() if i.name == operand), None)
        if item is not None and item.is_number and item.computed is not computed:
            operands.append(item.name)
        elif numeric(operand) is not None:
            operands.append(operand)
        else:
            return None
    return computed.model_copy(update={"operands": operands})


def _shared(item: SpecItem, by_label: dict[str, SpecItem]) -> str | None:
    """Return the name of the column that the item is a share of, if that is a column of numbers."""
    whole = by_label.get(_plain(item.share_of or ""))
    return whole.name if whole and whole is not item and whole.is_number and not whole.share_of else None


def _without_cycles(columns: list[SpecItem]) -> list[SpecItem]:
    """Remove formulas that depend on themselves."""
    pending = {item.name: item.computed for item in columns if item.computed}
    while ready := [name for name, formula in pending.items() if not pending.keys() & set(formula.operands)]:
        for name in ready:
            del pending[name]
    return [replace(item, computed=None) if item.name in pending else item for item in columns]


def _plain(label: str) -> str:
    return "".join(label.split()).casefold()


# --- values ----------------------------------------------------------------------------------------------------------


def _with_own_rows(
    columns: list[SpecItem], groups: list[SpecItem], spec: ReportSpec
) -> tuple[list[SpecItem], list[SpecItem], Locale | None]:
    """Fill the columns with the user's rows; their types follow from how the values are written."""
    locale: Locale = "zh_CN" if spec.language == "zh" else "en_US"
    needed = False
    filled = []
    for n, item in enumerate(columns):
        if item.computed or item.share_of:
            filled.append(item)
            continue
        texts = [row[n].strip() if n < len(row) else "" for row in spec.rows]
        found = infer_type([text or None for text in texts], item.label, locale)
        needed |= found.locale is not None
        kind = _KINDS.get(found.java_class, "text")
        kind = item.kind if kind in ("number", "integer") and item.is_number else kind
        pattern = found.pattern or (item.pattern if kind == item.kind and kind != "text" else None)
        if item.kind == "money" and pattern and pattern.startswith("0."):
            pattern = f"#,##{pattern}"
        if kind == "percent" and not (found.pattern or "").endswith("%"):
            kind = "number"
        total = item.total if kind not in ("text", "date") or item.total == "count" else "none"
        new = replace(item, kind=kind, java_class=found.java_class, pattern=pattern, total=total, values=found.values)
        filled.append(new)
    by_name = {item.name: item for item in filled}
    count = len(spec.rows)
    kept = [by_name.get(item.name) or replace(item, values=("",) * count) for item in groups]
    return _with_computed(filled, count), kept, locale if needed else None


def _typed(item: SpecItem, texts: Sequence[SampleValue]) -> SpecItem:
    """Set the user's value of a header field; its type follows from how the value is written."""
    found = infer_type([str(text) for text in texts], item.label)
    if found.java_class == item.java_class and found.locale is None:
        return replace(item, pattern=found.pattern or item.pattern, values=found.values)
    return replace(item, kind="text", java_class=STRING, pattern=None, values=tuple(texts))


def _with_sample_rows(
    columns: list[SpecItem], groups: list[SpecItem], language: Language
) -> tuple[list[SpecItem], list[SpecItem]]:
    """Fill the columns with sample rows that fall into groups and whose values go together."""
    count = SAMPLE_ROWS if len(groups) < 2 else 12
    by_name = {item.name: item for item in (*groups, *columns) if not item.counter}
    rows: list[dict[str, SampleValue]] = []
    for row in range(count):
        values = {
            name: sample(item.stem, item.kind, item.label, language, row)
            for name, item in by_name.items()
            if item.field
        }
        for level, group in enumerate(groups):
            values[group.name] = sample(
                group.stem, group.kind, group.label, language, _sample_index(row, level, groups)
            )
        rows.append(with_derived_values(values))
    if groups:
        rows.sort(key=lambda row: tuple(str(row[group.name]) for group in groups))
    _running_balance(rows)
    for pair in (item.computed.operands for item in columns if item.running and item.computed):
        _one_of_each(rows, pair)
    values_of = {name: tuple(row.get(name) for row in rows) for name in by_name}
    filled = [replace(item, values=values_of.get(item.name, ())) for item in columns]
    kept = [replace(item, values=values_of[item.name]) for item in groups]
    return _with_computed(filled, count), kept


def _sample_index(row: int, level: int, groups: Sequence[SpecItem]) -> int:
    """Return the number of a group's sample in a row: three groups of three rows, or two groups of two of three."""
    if len(groups) == 1:
        return row // (SAMPLE_ROWS // SAMPLE_GROUPS)
    return row // 6 if level == 0 else row // 3 % 2


def _running_balance(rows: list[dict[str, SampleValue]]) -> None:
    """Give each line of a ledger a debit or a credit, and the balance after it."""
    if not rows or not {"debit", "credit"} <= rows[0].keys():
        return
    balance = Decimal(5000)
    for n, row in enumerate(rows):
        row["credit" if n % 2 else "debit"] = None
        balance += Decimal(str(row["credit"] or 0)) - Decimal(str(row["debit"] or 0))
        if "balance" in row:
            row["balance"] = float(balance)


def _one_of_each(rows: list[dict[str, SampleValue]], pair: Sequence[str]) -> None:
    """Give each line of a cash book an income or an expense; most lines are expenses."""
    for n, row in enumerate(rows):
        left_out = pair[1:] if n % 3 == 0 else pair[:1]
        row.update(dict.fromkeys(set(left_out) & row.keys()))
        if row.get(pair[0]) is not None:
            row[pair[0]] = INCOME_TO_EXPENSE * float(row[pair[0]] or 0)


def _with_computed(columns: list[SpecItem], count: int) -> list[SpecItem]:
    """Give computed columns the values that the engine will compute, so that their width is known."""
    by_name = {item.name: item for item in columns}
    filled = []
    for item in columns:
        if item.computed is not None:
            values = tuple(_computed_value(item, by_name, row) for row in range(count))
            values = _added_up(values) if item.running else values
            by_name[item.name] = replace(item, java_class=DECIMAL, values=values)
        elif item.share_of is not None:
            by_name[item.name] = replace(item, java_class=DECIMAL, values=(0.1234,) * count)
        filled.append(by_name[item.name])
    return filled


def _added_up(values: Sequence[SampleValue]) -> tuple[SampleValue, ...]:
    total, sums = Decimal(0), []
    for value in values:
        total += Decimal(str(value or 0))
        sums.append(float(total))
    return tuple(sums)


def _computed_value(item: SpecItem, by_name: dict[str, SpecItem], row: int) -> SampleValue:
    operands: list[Decimal] = []
    computed = item.computed
    assert computed is not None, "only computed columns have a computed value"
    for operand in computed.operands:
        known = numeric(operand)
        values = by_name[operand].values if known is None else ()
        value = known if known is not None else values[row] if row < len(values) else None
        if value is None and not item.running:
            return None
        value = value or 0
        operands.append(Decimal(str(value)))
    return calculate(computed.operator, operands)
