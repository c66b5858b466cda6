"""Amounts below the table that the data gives, because no column of the table adds up to them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.model.spec import HeaderField, ReportSpec, SummaryLine

from .totals import SpecTotal


def with_given_amounts(spec: ReportSpec, totals: Sequence[SpecTotal], labels: Collection[str]) -> ReportSpec:
    """Return a spec without lines of amounts that cannot be computed from its table.

    Where no column is added up, such a line is printed with a value of the data. So is the last value of a column
    that is none of the `labels`.
    """
    has_sum = any(total.calculation == "sum" for total in totals)
    known = {_plain(label) for label in labels}
    lines: list[SummaryLine] = []
    fields: list[HeaderField] = []
    for line in spec.summary:
        computable = _plain(line.column or "") in known if line.kind == "last" else has_sum or line.kind == "value"
        if computable:
            lines.append(line)
        elif line.kind in ("last", "words"):
            fields.append(HeaderField(label=line.label, type=meaning(line.label).kind))
        else:
            lines.append(line.model_copy(update={"kind": "value"}))
    return spec.model_copy(update={"summary": lines, "closing": [*fields, *spec.closing]}) if fields or lines else spec


def _plain(label: str) -> str:
    return "".join(label.split()).casefold()
