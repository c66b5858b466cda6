"""The rows of a spec's table: the user's own, or made-up ones, with the values that are computed from them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import cycle

from bandsmith.shared.fields.notation import CHINESE, ENGLISH
from bandsmith.shared.fields.value_types import DATE, DECIMAL, INTEGER, LONG, STRING, infer_type
from bandsmith.shared.language import Language
from bandsmith.shared.model.spec import Kind, ReportSpec, numeric

from .samples import PRICE_FOR_ONE, SampleValue, calculate, rows_in_category, sample, with_derived_values
from .spec_item import SpecItem

SAMPLE_ROWS, SAMPLE_GROUPS = 9, 3
"""Number of sample rows, and of groups that they fall into."""

COUNT_DEVIATIONS = (0, -1, 0, 0, 2, 0, -2)
"""How much sample counts differ from what was expected."""
INCOME_TO_EXPENSE = 4
"""How many times greater a sample income is than an expense, so that the balance stays positive."""
_NUMBERS = frozenset({"number", "integer", "money", "percent"})
_KINDS: dict[str, Kind] = {DECIMAL: "number", INTEGER: "integer", LONG: "integer", DATE: "date"}


def with_own_rows(
    columns: list[SpecItem], groups: list[SpecItem], spec: ReportSpec
) -> tuple[list[SpecItem], list[SpecItem], str | None]:
    """Fill the columns with the user's rows; their types follow from how the values are written."""
    notation = CHINESE if spec.language == "zh" else ENGLISH
    needed = False
    filled = []
    for n, item in enumerate(columns):
        if item.computed or item.share_of or item.counter:
            filled.append(item)
            continue
        if item.kind == "tick":
            filled.append(replace(item, values=(None,) * len(spec.rows)))
            continue
        texts = [row[n].strip() if n < len(row) else "" for row in spec.rows]
        found = infer_type([text or None for text in texts], item.label, notation)
        needed |= found.locale is not None
        kind = _KINDS.get(found.java_class, "text")
        kind = item.kind if kind in ("number", "integer") and item.is_number else kind
        pattern = found.pattern or (item.pattern if kind == item.kind and kind != "text" else None)
        if item.kind == "money" and pattern and pattern.startswith("0."):
            pattern = f"#,##{pattern}"
        pattern = _asked_pattern(item, kind, found.pattern) or pattern
        if kind == "percent" and not (found.pattern or "").endswith("%"):
            kind = "number"
        total = item.total if kind not in ("text", "date") or item.total == "count" else "none"
        new = replace(item, kind=kind, java_class=found.java_class, pattern=pattern, total=total, values=found.values)
        filled.append(new)
    by_name = {item.name: item for item in filled}
    count = len(spec.rows)
    kept = [by_name.get(item.name) or replace(item, values=("",) * count) for item in groups]
    return _with_computed(filled, count), kept, notation.locale if needed else None


def _asked_pattern(item: SpecItem, kind: Kind, written: str | None) -> str | None:
    """Return the pattern that the spec asks for, where it fits the values and keeps their sign or unit."""
    asked = item.given_pattern
    is_alike = item.is_number if kind in _NUMBERS else kind == "date" and item.kind in ("date", "datetime")
    if asked is None or not is_alike:
        return None
    unit = re.sub(r"[#,.0]", "", written or "") if kind in _NUMBERS else ""
    return asked if unit in asked and ("%" in asked) == ("%" in unit) else None


def typed(item: SpecItem, texts: Sequence[SampleValue]) -> SpecItem:
    """Set the user's value of a header field; its type follows from how the value is written."""
    found = infer_type([str(text) for text in texts], item.label)
    if found.java_class == item.java_class and found.locale is None:
        return replace(item, pattern=found.pattern or item.pattern, values=found.values)
    return replace(item, kind="text", java_class=STRING, pattern=None, values=tuple(texts))


def with_sample_rows(
    columns: list[SpecItem], groups: list[SpecItem], language: Language
) -> tuple[list[SpecItem], list[SpecItem]]:
    """Fill the columns with sample rows that fall into groups and whose values go together."""
    count = SAMPLE_ROWS if len(groups) < 2 else 12
    by_name = {item.name: item for item in (*groups, *columns) if not item.counter}
    rows: list[dict[str, SampleValue]] = []
    is_by_category = [group.stem for group in groups] == ["category"]
    indices = rows_in_category(language, count) if is_by_category else list(range(count))
    count = len(indices)
    for n, row in enumerate(indices):
        values = {
            name: sample(item.stem, item.kind, item.label, language, row)
            for name, item in by_name.items()
            if item.field
        }
        for level, group in enumerate(groups):
            values[group.name] = sample(
                group.stem,
                group.kind,
                group.label,
                language,
                row if is_by_category else _sample_index(n, level, groups),
            )
        rows.append(_derived(values, by_name))
    if groups:
        rows.sort(key=lambda row: tuple(str(row[group.name]) for group in groups))
    _running_balance(rows)
    _plausible_differences(rows, columns)
    for pair in (item.computed.operands for item in columns if item.running and item.computed):
        _one_of_each(rows, pair)
    values_of = {name: tuple(row.get(name) for row in rows) for name in by_name}
    filled = [replace(item, values=values_of.get(item.name, ())) for item in columns]
    kept = [replace(item, values=values_of[item.name]) for item in groups]
    return _with_computed(filled, count), kept


def _derived(values: dict[str, SampleValue], by_name: dict[str, SpecItem]) -> dict[str, SampleValue]:
    """Return a row whose values go together, whatever its fields are named: a label says what a value is."""
    derived = with_derived_values(values)
    stems = Counter(by_name[name].stem for name in derived)
    names = {by_name[name].stem: name for name in derived if stems[by_name[name].stem] == 1}
    if PRICE_FOR_ONE in names:
        names["unit_price"] = names.pop(PRICE_FOR_ONE)
    meant = with_derived_values({stem: derived[name] for stem, name in names.items()})
    return derived | {names[stem]: value for stem, value in meant.items()}


def _sample_index(row: int, level: int, groups: Sequence[SpecItem]) -> int:
    """Return the number of a group's sample in a row: three groups of three rows, or two groups of two of three."""
    if len(groups) == 1:
        return row // (SAMPLE_ROWS // SAMPLE_GROUPS)
    return row // 6 if level == 0 else row // 3 % 2


def _plausible_differences(rows: list[dict[str, SampleValue]], columns: Sequence[SpecItem]) -> None:
    """Let what is subtracted be the smaller number; of two counts that are compared, most are alike."""
    for item in columns:
        operands = item.computed.operands if item.computed and item.computed.operator == "-" else []
        if len(operands) != 2 or item.running:
            continue
        for row, deviation in zip(rows, cycle(COUNT_DEVIATIONS), strict=False):
            first, second = (row.get(operand) for operand in operands)
            if not isinstance(first, int | float) or not isinstance(second, int | float):
                continue
            if item.kind == "integer" and item.stem == "difference":
                row[operands[0]] = max(0, round(second) + deviation)
            elif first < second and item.stem != "variance":
                row[operands[0]], row[operands[1]] = second, first


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
    for operand in computed.needed:
        known = numeric(operand)
        values = by_name[operand].values if known is None else ()
        value = known if known is not None else values[row] if row < len(values) else None
        if value is None and not item.running:
            return None
        value = value or 0
        operands.append(Decimal(str(value)))
    count = len(computed.operands)
    result = calculate(computed.operator, operands[:count])
    return calculate("-", [Decimal(str(result)), *operands[count:]]) if computed.less else result
