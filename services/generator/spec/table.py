"""The table of a spec: its columns with names, classes, patterns and values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal

from bandsmith.shared.fields.column_kinds import CLOCK, Meaning, meaning
from bandsmith.shared.fields.date_patterns import write_date
from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.fields.value_types import DATE, DECIMAL, INTEGER, LONG, STRING, Locale, infer_type
from bandsmith.shared.language import Language
from bandsmith.shared.model.plan import DataField
from bandsmith.shared.model.spec import Column, Computed, Kind, ReportSpec, Totalling, numeric

from .samples import SampleValue, calculated, in_context, sample, worked_out

BOOLEAN, DOUBLE = "java.lang.Boolean", "java.lang.Double"
ROWS, GROUPS = 9, 3
"""So many sample rows, and so many groups of them."""

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
_PLAIN = frozenset({"year", "number", "line_no"})
"""Whole numbers that are printed without grouping."""


@dataclass(frozen=True)
class SpecItem:
    """A column, a group's value or a line above the table."""

    label: str
    name: str
    kind: Kind
    java_class: str
    pattern: str | None
    stem: str
    """The name that its wording stands for, by which samples are found."""
    total: Totalling = "none"
    width: int | None = None
    computed: Computed | None = None
    counter: bool = False
    """It prints the number of its row and has no field."""
    values: tuple[SampleValue, ...] = ()

    @property
    def is_number(self) -> bool:
        return self.kind in ("number", "integer", "money", "percent")

    @property
    def field(self) -> DataField | None:
        """What is declared for it; a value that is worked out has none."""
        if self.computed or self.counter:
            return None
        return DataField(name=self.name, java_class=self.java_class, label=self.label)

    @property
    def reference(self) -> str:
        """The Java expression of its value in the row at hand."""
        if self.counter:
            return "$V{REPORT_COUNT}"
        return f"$V{{{self.name}}}" if self.computed else f"$F{{{self.name}}}"

    def shown(self, value: SampleValue) -> str:
        """A value as it is printed."""
        if value is None:
            return ""
        if self.java_class == DATE and self.pattern:
            return write_date(datetime.fromisoformat(str(value)), self.pattern)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return str(value)
        return formatted(value, self.pattern)


@dataclass(frozen=True)
class SpecTable:
    """The columns, the groups that are not among them, and the lines above."""

    columns: tuple[SpecItem, ...]
    groups: tuple[SpecItem, ...]
    """The outermost first; one may be a column as well."""
    above: tuple[SpecItem, ...]
    locale: Locale | None = None
    """The locale that some pattern needs."""

    @property
    def fields(self) -> list[SpecItem]:
        """What a row of the data holds, each once."""
        found = {item.name: item for item in (*self.groups, *self.columns) if item.field}
        return list(found.values())

    @property
    def rows(self) -> int:
        return len(self.fields[0].values) if self.fields else ROWS


def tabulated(spec: ReportSpec) -> SpecTable:
    """The spec's table with values: the user's own rows, else made-up ones."""
    taken: set[str] = set()
    columns = [_column(column, taken, first=n == 0, own=bool(spec.rows)) for n, column in enumerate(spec.columns)]
    stems = {item.stem for item in columns}
    columns = [replace(item, stem=in_context(item.stem, stems)) for item in columns]
    by_label = {_plain(item.label): item for item in columns}
    groups = []
    for label in dict.fromkeys(spec.group_by):
        known = by_label.get(_plain(label))
        own = _item(label, None, None, taken) if known is None or not known.field else known
        groups.append(replace(own, stem=in_context(own.stem, stems)))
    above: set[str] = set()
    heads = []
    for head in spec.header_fields:
        item = _item(head.label, head.name, head.type, above)
        given = head.value if head.value is not None else sample(item.stem, item.kind, head.label, spec.language, 0)
        heads.append(_typed(item, [given]) if head.value is not None else replace(item, values=(given,)))
    columns = _in_order([replace(item, computed=_resolved(item.computed, by_label)) for item in columns])
    locale = None
    if spec.rows:
        columns, groups, locale = _own(columns, groups, spec)
    else:
        columns, groups = _made_up(columns, groups, spec.language)
    return SpecTable(tuple(columns), tuple(groups), tuple(heads), locale)


def formatted(value: float | Decimal, pattern: str | None) -> str:
    """A number as DecimalFormat prints it, for the patterns that are used here."""
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
    own = name_for(name or label, meant.name, taken, column=True)
    taken.add(own)
    kind = kind or meant.kind
    java_class, pattern = _CLASSES[kind]
    if kind == "datetime" and meant.name in CLOCK:
        pattern = "HH:mm"
    if kind == "integer" and meant.name in _PLAIN:
        pattern = None
    return SpecItem(label, own, kind, java_class, pattern, meant.name)


def _column(column: Column, taken: set[str], first: bool, own: bool) -> SpecItem:
    item = _item(column.label, column.name, column.type, taken)
    counts = first and not own and column.computed is None and _counts(meaning(column.label), column.label)
    if counts:
        item = replace(item, kind="integer", java_class=INTEGER, pattern=None)
    return replace(
        item,
        pattern=column.pattern or item.pattern,
        total=column.total,
        width=column.width,
        computed=column.computed,
        counter=counts,
    )


def _counts(meant: Meaning, label: str) -> bool:
    """Whether a first column only numbers the rows."""
    return meant.name == "line_no" or (meant.name == "number" and _plain(label) in ("序号", "no", "#", "no.", "nr"))


def _resolved(computed: Computed | None, by_label: dict[str, SpecItem]) -> Computed | None:
    """With names of columns for their labels; None where an operand is neither a number nor a column of numbers."""
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


def _in_order(columns: list[SpecItem]) -> list[SpecItem]:
    """Without formulas that go round in a circle."""
    waiting = {item.name: item.computed for item in columns if item.computed}
    while ready := [name for name, made in waiting.items() if not waiting.keys() & set(made.operands)]:
        for name in ready:
            del waiting[name]
    return [replace(item, computed=None) if item.name in waiting else item for item in columns]


def _plain(label: str) -> str:
    return "".join(label.split()).casefold()


# --- values ----------------------------------------------------------------------------------------------------------


def _own(
    columns: list[SpecItem], groups: list[SpecItem], spec: ReportSpec
) -> tuple[list[SpecItem], list[SpecItem], Locale | None]:
    """The user's rows, typed as they are written."""
    locale: Locale = "zh_CN" if spec.language == "zh" else "en_US"
    needed = False
    filled = []
    for n, item in enumerate(columns):
        if item.computed:
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
    """A line above the table whose value the user gave."""
    found = infer_type([str(text) for text in texts], item.label)
    if found.java_class == item.java_class and found.locale is None:
        return replace(item, pattern=found.pattern or item.pattern, values=found.values)
    return replace(item, kind="text", java_class=STRING, pattern=None, values=tuple(texts))


def _made_up(
    columns: list[SpecItem], groups: list[SpecItem], language: Language
) -> tuple[list[SpecItem], list[SpecItem]]:
    """Sample rows that stand in groups, whose values go together."""
    count = ROWS if len(groups) < 2 else 12
    by_name = {item.name: item for item in (*groups, *columns) if not item.counter}
    rows: list[dict[str, SampleValue]] = []
    for row in range(count):
        values = {
            name: sample(item.stem, item.kind, item.label, language, row)
            for name, item in by_name.items()
            if not item.computed
        }
        for level, group in enumerate(groups):
            values[group.name] = sample(group.stem, group.kind, group.label, language, _place(row, level, groups))
        rows.append(worked_out(values))
    if groups:
        rows.sort(key=lambda row: tuple(str(row[group.name]) for group in groups))
    _running_balance(rows)
    values_of = {name: tuple(row.get(name) for row in rows) for name in by_name}
    filled = [replace(item, values=values_of.get(item.name, ())) for item in columns]
    kept = [replace(item, values=values_of[item.name]) for item in groups]
    return _with_computed(filled, count), kept


def _place(row: int, level: int, groups: Sequence[SpecItem]) -> int:
    """Which of its samples a group has in a row: three groups of three rows, or two of two of three."""
    if len(groups) == 1:
        return row // (ROWS // GROUPS)
    return row // 6 if level == 0 else row // 3 % 2


def _running_balance(rows: list[dict[str, SampleValue]]) -> None:
    """A ledger has a debit or a credit in each line, and what is left after it."""
    if not rows or not {"debit", "credit"} <= rows[0].keys():
        return
    left = Decimal(5000)
    for n, row in enumerate(rows):
        row["credit" if n % 2 else "debit"] = None
        left += Decimal(str(row["credit"] or 0)) - Decimal(str(row["debit"] or 0))
        if "balance" in row:
            row["balance"] = float(left)


def _with_computed(columns: list[SpecItem], count: int) -> list[SpecItem]:
    """Columns that are worked out get the values that the engine will give them, so that their width is known."""
    by_name = {item.name: item for item in columns}
    done = []
    for item in columns:
        if item.computed is not None:
            values = tuple(_worth(item.computed, by_name, row) for row in range(count))
            by_name[item.name] = replace(item, java_class=DECIMAL, values=values)
        done.append(by_name[item.name])
    return done


def _worth(computed: Computed, by_name: dict[str, SpecItem], row: int) -> SampleValue:
    operands = []
    for operand in computed.operands:
        known = numeric(operand)
        values = by_name[operand].values if known is None else ()
        value = known if known is not None else values[row] if row < len(values) else None
        if value is None:
            return None
        operands.append(Decimal(str(value)))
    return calculated(computed.operator, operands)
