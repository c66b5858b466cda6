"""Limits on the specs of a model: what cannot be built is left out."""

from __future__ import annotations

import re

from bandsmith.shared.model.spec import Column, ReportSpec, numeric

_NUMBER_PATTERN = re.compile(r"[^#0,.;\"\\<>&]{0,8}#?[#,0]{1,12}(\.[0#]{1,6})?[^#0,.;\"\\<>&]{0,8}")
_DATE_PATTERN = re.compile(r"[yMdHhmsaE年月日时分秒/\-:., ']{1,40}")
_NUMERIC_TYPES = frozenset({"number", "integer", "money", "percent"})


def bounded(spec: ReportSpec) -> ReportSpec:
    """Return a spec without patterns that do not fit their types, unknown operands and surplus cells."""
    labels = {_plain(column.label) for column in spec.columns}
    columns = [_column(column, labels) for column in spec.columns]
    rows = [[" ".join(cell.split())[:200] for cell in row[: len(columns)]] for row in spec.rows]
    title = " ".join(spec.title.split()) or "Report"
    groups = list(dict.fromkeys(label for label in spec.group_by if label.strip()))
    return spec.model_copy(update={"title": title, "columns": columns, "rows": rows, "group_by": groups})


def _column(column: Column, labels: set[str]) -> Column:
    pattern = column.pattern
    if pattern is not None:
        allowed = (
            _NUMBER_PATTERN
            if column.type in _NUMERIC_TYPES
            else _DATE_PATTERN
            if column.type in ("date", "datetime")
            else None
        )
        pattern = pattern if allowed is not None and allowed.fullmatch(pattern) else None
    computed = column.computed
    if computed and not all(_plain(operand) in labels or numeric(operand) is not None for operand in computed.operands):
        computed = None
    total = column.total if column.type in _NUMERIC_TYPES or column.total == "count" else "none"
    label = " ".join(column.label.split()) or "#"
    return column.model_copy(update={"label": label, "pattern": pattern, "computed": computed, "total": total})


def _plain(label: str) -> str:
    return "".join(label.split()).casefold()
