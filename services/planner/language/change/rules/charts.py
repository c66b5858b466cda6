"""Charts and crosstabs of the rows. What users say is in ``templates/*/charts.toml``."""

from __future__ import annotations

from typing import NamedTuple

from bandsmith.shared.edits.add_chart import AddChart
from bandsmith.shared.edits.add_crosstab import AddCrosstab
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.jrxml.dom import CHARTS
from bandsmith.shared.jrxml.tables import humanize

from ...references import Missing
from ...sentence_templates import Slots
from ...view_elements import NUMERIC, TableColumn
from ..reading import Clause, ClauseReading, refused, templated


class ChartSource(NamedTuple):
    """Where the values of a chart or crosstab come from."""

    field: str
    label: str
    numeric: bool


_TAGS = {"chart": CHARTS, "crosstab": frozenset({"crosstab"}), "code": frozenset({"componentElement"})}
"""The elements that are drawn, by what users call them."""


def chart(clause: Clause, slots: Slots) -> ClauseReading | None:
    found = _columns(clause, slots, "by", "series")
    if not isinstance(found, dict):
        return found
    values: dict[str, object] = {"kind": slots["kind"], "by": found["by"].field}
    if "series" in found:
        values["series"] = found["series"].field
    if "measure" in found:
        values["field"] = found["measure"].field
    if slots["top"]:
        values["band"] = slots["top"]
    return ClauseReading([AddChart.model_validate(values)])


def crosstab(clause: Clause, slots: Slots) -> ClauseReading | None:
    found = _columns(clause, slots, "rows", "columns")
    if not isinstance(found, dict):
        return found
    measure = found["measure"].field if "measure" in found else None
    return ClauseReading([AddCrosstab(rows=found["rows"].field, columns=found["columns"].field, field=measure)])


def no_chart(clause: Clause, slots: Slots) -> ClauseReading | None:
    """Delete the one chart, crosstab or code of the report."""
    found = [one for one in clause.view.pieces if one.tag in _TAGS[slots["drawn"]]]
    if len(found) != 1:
        return None if found else refused(f"language.no_drawing.{slots['drawn']}")
    return ClauseReading([Delete(element=found[0].key)])


def _field(clause: Clause, words: str) -> ChartSource | None:
    """Return the field that words name where no column prints it, such as one that the rows are grouped by."""
    wanted = clause.words(words).casefold()
    for name, java_class in clause.view.classes.items():
        if wanted in (name.casefold(), humanize(name).casefold()):
            return ChartSource(name, humanize(name), java_class in NUMERIC)
    return None


def _columns(clause: Clause, slots: Slots, *names: str) -> dict[str, ChartSource] | ClauseReading | None:
    """Return the columns that slots name and the measure, which has to hold numbers unless the rows are counted."""
    found: dict[str, ChartSource] = {}
    for name in (*names, "measure"):
        if not slots[name]:
            continue
        column = clause.column(slots[name])
        source = _field(clause, slots[name]) if isinstance(column, Missing) else None
        if isinstance(column, Missing) and source is None:
            return clause.absent(column)
        if isinstance(column, TableColumn):
            source = ChartSource(column.field, column.label, column.numeric)
        if source is None:
            return None
        found[name] = source
    measure = found.get("measure")
    if measure is not None and not measure.numeric:
        return refused("language.text_has_no_total.sum", column=measure.label)
    is_clear = (measure is None) == bool(slots["counted"])
    return found if is_clear and len({column.field for column in found.values()}) == len(found) else None


RULES = tuple(templated("charts", rule) for rule in (chart, crosstab, no_chart))
