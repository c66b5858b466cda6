"""The table of a spec: columns with names, classes, patterns and sample values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from bandsmith.shared.fields.column_kinds import CLOCK, Meaning, meaning
from bandsmith.shared.fields.identifiers import name_for, unique_name
from bandsmith.shared.fields.value_types import DATE, DECIMAL, INTEGER, STRING
from bandsmith.shared.jrxml.amount_words import amount_in_words, chinese_words
from bandsmith.shared.language import Language
from bandsmith.shared.model.spec import Column, Computed, HeaderField, Kind, ReportSpec, numeric

from .rows import SAMPLE_ROWS, typed, with_own_rows, with_sample_rows
from .samples import around, in_context, sample
from .spec_item import SpecItem

BOOLEAN, DOUBLE = "java.lang.Boolean", "java.lang.Double"
_CLASSES: dict[Kind, tuple[str, str | None]] = {
    "text": (STRING, None),
    "number": (DECIMAL, "#,##0.0"),
    "integer": (INTEGER, "#,##0"),
    "money": (DECIMAL, "#,##0.00"),
    "percent": (DECIMAL, "0.0%"),
    "date": (DATE, "yyyy-MM-dd"),
    "datetime": (DATE, "yyyy-MM-dd HH:mm"),
    "flag": (BOOLEAN, None),
    "tick": (BOOLEAN, None),
}
UNKNOWN_NUMBER = "#,##0.##"
"""The pattern of numbers of which nothing else is known: they may be counted or measured."""
SAMPLE_PAYMENT = 20_000.0
_COUNTERS = frozenset({"linenumber", "lineno", "lineno.", "line", "pos", "pos.", "position", "itemno", "行号", "项次"})
"""Labels, without blanks, of first columns that number the rows."""
_UNGROUPED_NUMBERS = frozenset({"year", "number", "line_no"})
"""Whole numbers that are printed without thousands separators."""


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
    locale: str | None = None
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
    stems = around((item.stem for item in columns), (item.label for item in columns))
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
        columns, groups, locale = with_own_rows(columns, groups, spec)
    else:
        columns, groups = with_sample_rows(columns, groups, spec.language)
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
            items.append(typed(item, [field.value]))
        else:
            value = None if spec.blank_rows else sample(item.stem, item.kind, field.label, spec.language, 0)
            items.append(replace(item, values=(value,)))
    amounts = [item for item in items if item.kind == "money"]
    return tuple(_in_words(item, amounts, spec.language) for item in items)


def _in_words(item: SpecItem, amounts: Sequence[SpecItem], language: Language) -> SpecItem:
    """Return a line for an amount in words as the words of the only amount beside it."""
    is_given = item.values in (("",), (None,))
    if item.stem != "amount_in_words" or is_given or len(amounts) != 1:
        return item
    amount = Decimal(str(amounts[0].values[0] or 0))
    shown = chinese_words(amount) if language == "zh" else item.values[0]
    reference = amounts[0].expression or f"$P{{{amounts[0].name}}}"
    return replace(item, expression=amount_in_words(f"({reference})", language), values=(shown,))


def _sum_of_lines(item: SpecItem, before: Sequence[SpecItem]) -> SpecItem:
    """Return the line that adds up the amounts before it."""
    amounts = [f"($P{{{each.name}}} == null ? BigDecimal.ZERO : $P{{{each.name}}})" for each in before]
    expression = amounts[0] + "".join(f".add({amount})" for amount in amounts[1:])
    total = sum((Decimal(str(each.values[0] or 0)) for each in before), Decimal(0))
    java_class, pattern = _CLASSES["money"]
    return replace(
        item, kind="money", java_class=java_class, pattern=pattern, expression=expression, values=(float(total),)
    )


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
    if kind == "number" and not meant.known:
        pattern = UNKNOWN_NUMBER
    return SpecItem(label, field_name, kind, java_class, pattern, meant.name)


def _column(column: Column, taken: set[str], first: bool, has_rows: bool) -> SpecItem:
    item = _item(column.label, column.name, column.type, taken)
    is_usual = first and not has_rows and _counts_rows(meaning(column.label), column.label)
    is_counter = column.computed is None and (column.numbered or is_usual)
    if is_counter:
        item = replace(item, kind="integer", java_class=INTEGER, pattern=None)
    return replace(
        item,
        pattern=column.pattern or item.pattern,
        given_pattern=column.pattern,
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
    for operand in computed.needed:
        item = by_label.get(_plain(operand)) or next((i for i in by_label.values() if i.name == operand), None)
        if item is not None and item.is_number and item.computed is not computed:
            operands.append(item.name)
        elif numeric(operand) is not None:
            operands.append(operand)
        else:
            return None
    count = len(computed.operands)
    return computed.model_copy(update={"operands": operands[:count], "less": operands[count:]})


def _shared(item: SpecItem, by_label: dict[str, SpecItem]) -> str | None:
    """Return the name of the column that the item is a share of, if that is a column of numbers."""
    whole = by_label.get(_plain(item.share_of or ""))
    return whole.name if whole and whole is not item and whole.is_number and not whole.share_of else None


def _without_cycles(columns: list[SpecItem]) -> list[SpecItem]:
    """Remove formulas that depend on themselves."""
    pending = {item.name: item.computed for item in columns if item.computed}
    while ready := [name for name, formula in pending.items() if not pending.keys() & set(formula.needed)]:
        for name in ready:
            del pending[name]
    return [replace(item, computed=None) if item.name in pending else item for item in columns]


def _plain(label: str) -> str:
    return "".join(label.split()).casefold()
