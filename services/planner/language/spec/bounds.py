"""Limits on the specs of a model: what cannot be built is left out."""

from __future__ import annotations

import re

from bandsmith.shared.model.spec import Column, Kind, ReportSpec, numeric

_NUMBER_PATTERN = re.compile(r"[^#0,.;\"\\<>&]{0,8}#?[#,0]{1,12}(\.[0#]{1,6})?[^#0,.;\"\\<>&]{0,8}")
_DATE_PATTERN = re.compile(r"[yMdHhmsaE年月日时分秒/\-:., ']{1,40}")
_NUMERIC_TYPES = frozenset({"number", "integer", "money", "percent"})


def bounded(spec: ReportSpec) -> ReportSpec:
    """Return a spec without patterns that do not fit their types, unknown operands and surplus cells.

    A value below the table that is called like a column with a total would be printed beside that total.
    """
    labels = {_plain(column.label) for column in spec.columns}
    columns = [_column(column, labels) for column in spec.columns]
    rows = [[" ".join(cell.split())[:200] for cell in row[: len(columns)]] for row in spec.rows]
    title = " ".join(spec.title.split()) or "Report"
    totals = {_plain(column.label) for column in columns if column.total != "none"}
    summary = [line for line in spec.summary if line.kind != "value" or _plain(line.label) not in totals]
    groups = list(dict.fromkeys(label for label in spec.group_by if label.strip()))
    return spec.model_copy(
        update={"title": title, "columns": columns, "rows": rows, "summary": summary, "group_by": groups}
    )


def _column(column: Column, labels: set[str]) -> Column:
    column = _with_type_of_pattern(column)
    pattern = column.pattern if column.pattern is not None and _fits(column.type, column.pattern) else None
    computed = column.computed
    if computed and not all(_plain(operand) in labels or numeric(operand) is not None for operand in computed.needed):
        computed = None
    total = column.total if column.type in _NUMERIC_TYPES or column.total == "count" else "none"
    label = " ".join(column.label.split()) or "#"
    return column.model_copy(update={"label": label, "pattern": pattern, "computed": computed, "total": total})


def _with_type_of_pattern(column: Column) -> Column:
    """Return a column whose type was left out with the type that its pattern formats.

    A pattern such as ``#,##0.0`` is that of a number, also where the type is said to be text.
    """
    pattern = column.pattern
    if pattern is None or column.type != "text" or ("type" in column.model_fields_set and "#" not in pattern):
        return column
    if _fits("number", pattern):
        return column.model_copy(update={"type": "number"})
    if re.search("[yMdHhm]", pattern) and _fits("date", pattern):
        return column.model_copy(update={"type": "datetime" if re.search("[Hhm]", pattern) else "date"})
    return column


def _fits(kind: Kind, pattern: str) -> bool:
    """Whether a pattern formats values of a type."""
    if kind in _NUMERIC_TYPES:
        return _NUMBER_PATTERN.fullmatch(pattern) is not None
    return kind in ("date", "datetime") and _DATE_PATTERN.fullmatch(pattern) is not None


def _plain(label: str) -> str:
    return "".join(label.split()).casefold()
