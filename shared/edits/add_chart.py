"""Add a chart of the rows."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from lxml import etree
from pydantic import Field

from ..jrxml.aggregates import (
    KEY_OF_TOTAL,
    VALUE_OF_TOTAL,
    TotalsBy,
    declare_totals_by,
    declare_totals_dataset,
    key_expression,
    totals_run,
)
from ..jrxml.bands import elements_in
from ..jrxml.dom import int_attribute, new_node
from ..jrxml.draft import Draft
from ..jrxml.element_box import ElementBox
from ..jrxml.java_literals import java_string
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..jrxml.tables import column_label, humanize, main_table, printed_sides
from ..language import Language
from ..replies import Text, text
from .base import Edit, EditClause, KnownNames

ChartKind = Literal["bar", "horizontal_bar", "pie", "line", "area"]
_TAGS = {"bar": "barChart", "horizontal_bar": "barChart", "pie": "pieChart", "line": "lineChart", "area": "areaChart"}
_PLOTS = {"bar": "barPlot", "horizontal_bar": "barPlot", "pie": "piePlot", "line": "linePlot", "area": "areaPlot"}
_GAP_PT = 8


class AddChart(Edit):
    """Add a chart to the report's end or beginning: the total of a field, or the number of rows, by another field."""

    do: Literal["chart"] = "chart"
    kind: ChartKind = "bar"
    by: str
    """The field whose values are the bars, slices or points."""
    field: str | None = None
    """The field that is totalled; null counts the rows."""
    series: str | None = None
    """A field with whose values the bars of each place, or the lines, are told apart."""
    title: str | None = None
    band: Literal["summary", "title"] = "summary"
    height: Annotated[int, Field(ge=80, le=600)] = 200
    key: str = "chart"

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if self.kind == "pie" and self.series is not None:
            raise EditRefused("value", Text.of("edits.add_chart.pie_series"))
        band = draft.ensure_band(self.band)
        key = key_expression(draft, self.by)
        both = key if self.series is None else f'{key} + "\\n" + {key_expression(draft, self.series)}'
        totals = declare_totals_by(draft, f"{self.key}_value", both, self.field)
        node = self._node(draft, key, totals)
        top = max((draft.box_of(one).bottom for one in elements_in(band)), default=0)
        top += _GAP_PT if top else 0
        draft.grow_band(band, int_attribute(band, "height"), top + self.height - int_attribute(band, "height"))
        left, right = printed_sides(draft, band)
        node[0].insert(0, new_node("reportElement"))
        draft.add_element(band, node, self.key)
        draft.set_box(node, ElementBox(left, top, right, top + self.height))
        return True

    def _node(self, draft: Draft, key: str, totals: TotalsBy) -> etree._Element:
        """Return the chart, without its place."""
        node = new_node(_TAGS[self.kind])
        attributes = {"isShowLegend": "true" if self.kind == "pie" or self.series else "false"}
        if self.band == "title":
            attributes["evaluationTime"] = "Report"
        chart = new_node("chart", **attributes)
        node.append(chart)
        title = new_node("chartTitle")
        title.append(new_node("titleExpression", java_string(self.title or self._title(draft))))
        chart.extend([title, new_node("chartSubtitle"), new_node("chartLegend")])
        node.append(self._slices(draft, totals) if self.kind == "pie" else self._bars(draft, key, totals))
        plot = new_node(_PLOTS[self.kind])
        orientation = {"orientation": "Horizontal"} if self.kind == "horizontal_bar" else {}
        plot.append(new_node("plot", **orientation))
        if self.kind == "pie":
            plot.append(new_node("itemLabel"))
        node.append(plot)
        return node

    def _slices(self, draft: Draft, totals: TotalsBy) -> etree._Element:
        """Return the data of a pie."""
        slices, dataset = new_node("pieDataset"), new_node("dataset")
        dataset.append(totals_run(declare_totals_dataset(draft, f"{self.key}_slices"), totals.all))
        slices.append(dataset)
        slices.append(new_node("keyExpression", KEY_OF_TOTAL))
        slices.append(new_node("valueExpression", VALUE_OF_TOTAL))
        return slices

    def _bars(self, draft: Draft, key: str, totals: TotalsBy) -> etree._Element:
        """Return the data of any other chart: it keeps the last value for each place, which is the total."""
        bars, series = new_node("categoryDataset"), new_node("categorySeries")
        name = key_expression(draft, self.series) if self.series else java_string(self._measure(draft))
        series.append(new_node("seriesExpression", name))
        series.append(new_node("categoryExpression", key))
        series.append(new_node("valueExpression", f"$V{{{totals.of_row}}}"))
        bars.append(series)
        return bars

    def _measure(self, draft: Draft) -> str:
        language: Language = "zh" if draft.is_chinese() else "en"
        if self.field is None:
            return text("edits.add_chart.count", language)
        return _label(draft, self.field)

    def _title(self, draft: Draft) -> str:
        language: Language = "zh" if draft.is_chinese() else "en"
        return text("edits.add_chart.title", language, measure=self._measure(draft), by=_label(draft, self.by))

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        kind = text(f"edits.add_chart.kind.{self.kind}", labels.language)
        measure = labels.field(self.field) if self.field else text("edits.add_chart.count", labels.language)
        return EditClause("edits.add_chart.done", kind, {"measure": measure, "by": labels.field(self.by)})

    def is_known(self, names: KnownNames) -> bool:
        names.elements.add(self.key)
        return all(name is None or name in names.fields | names.columns for name in (self.by, self.field, self.series))


def _label(draft: Draft, field: str) -> str:
    """Return what a field is called: by the header of its column, else by its name in words."""
    try:
        return column_label(draft, main_table(draft), field)
    except EditRefused:
        return humanize(field)
