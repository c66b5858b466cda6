"""Groups, totals, sorting, charts and crosstabs pass the checks and are printed by the engine."""

from __future__ import annotations

import pytest

from bandsmith.services.validator.checks.allowed import CHARTS
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.pictures import PagePicture
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import Validation, validate
from bandsmith.shared import xml
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.plan import Data

from .reports import PIECES, categories, chart, crosstab, field, parameter, report, row_field

FIELDS = row_field("city") + row_field("kind") + row_field("amount", "java.math.BigDecimal")
SALES = Data(
    rows=[
        {"city": city, "kind": kind, "amount": amount}
        for city, kind, amount in (("上海", "B", 5), ("北京", "甲", 10), ("北京", "B", 20), ("上海", "甲", 7))
    ]
)
PLOTS = {
    "pieChart": "<piePlot><plot/></piePlot>",
    "pie3DChart": "<pie3DPlot><plot/></pie3DPlot>",
    "barChart": "<barPlot><plot/></barPlot>",
    "bar3DChart": "<bar3DPlot><plot/></bar3DPlot>",
    "stackedBarChart": "<barPlot><plot/></barPlot>",
    "stackedBar3DChart": "<bar3DPlot><plot/></bar3DPlot>",
    "lineChart": "<linePlot><plot/></linePlot>",
    "areaChart": "<areaPlot><plot/></areaPlot>",
    "stackedAreaChart": "<areaPlot><plot/></areaPlot>",
}


def run(engine: ReportEngine, content: bytes) -> Validation:
    return validate(engine, ValidatorSettings(), content, SALES)


def texts(done: Validation) -> list[str | None]:
    assert done.verdict.findings == [] and done.printout is not None
    return [element.text for element in done.printout.elements if element.text is not None]


def summary(*elements: str, declared: str = FIELDS) -> bytes:
    band = f'<summary><band height="160">{"".join(elements)}</band></summary>'
    return report(declared=declared, height=20).replace(b"</jasperReport>", f"{band}</jasperReport>".encode())


# --- groups, totals, sorting ----------------------------------------------------------------------------------------


def grouped() -> bytes:
    """Rows sorted and grouped by city, with totals of each group and of the report."""

    def total(name: str, reset: str) -> str:
        return (
            f'<variable name="{name}" class="java.math.BigDecimal" calculation="Sum" {reset}>'
            "<variableExpression><![CDATA[$F{amount}]]></variableExpression></variable>"
        )

    def band(section: str, content: str) -> str:
        return f'<{section}><band height="20">{content}</band></{section}>'

    declared = (
        FIELDS
        + '<sortField name="city"/><sortField name="amount" order="Descending"/>'
        + total("of_city", 'resetType="Group" resetGroup="by city"')
        + total("of_all", 'resetType="Report"')
        + '<group name="by city"><groupExpression><![CDATA[$F{city}]]></groupExpression>'
        + band("groupHeader", field("$F{city}", "head", y=0))
        + band("groupFooter", field('$V{by city_COUNT} + ": " + $V{of_city}', "foot", y=0))
        + "</group>"
    )
    row = field('$F{kind} + " " + $F{amount}', "row", y=0)
    return report(declared=declared, detail=row, height=20).replace(
        b"</jasperReport>", band("summary", field("$V{of_all}", "all", y=0)).encode() + b"</jasperReport>"
    )


def test_rows_are_sorted_grouped_counted_and_summed(engine: ReportEngine):
    assert texts(run(engine, grouped())) == [
        "上海", "甲 7", "B 5", "2: 12", "北京", "B 20", "甲 10", "2: 30", "42",
    ]  # fmt: skip


def test_the_bands_of_a_group_are_named_after_it():
    template = Template(xml.parse(grouped()))
    assert [band.name for band in template.bands] == [
        "groupHeader(by city)", "groupFooter(by city)", "title", "detail", "summary",
    ]  # fmt: skip


def test_a_total_of_a_missing_group_is_reported(engine: ReportEngine):
    done = run(engine, grouped().replace(b"$V{by city_COUNT}", b"$V{by region_COUNT}"))
    assert [finding.code for finding in done.verdict.findings] == ["structure.undeclared"]


# --- charts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CHARTS)
def test_a_chart_is_drawn(engine: ReportEngine, kind: str):
    dataset = PIECES if "pie" in kind else categories()
    done = run(engine, summary(chart(kind, dataset, PLOTS[kind])))
    assert done.verdict.findings == [] and done.printout is not None
    (drawn,) = done.printout.elements
    assert (drawn.key, drawn.kind) == ("chart", "image")
    ink = PagePicture.of_png(done.printout.pictures[0]).ink_in(drawn.box)
    assert ink is not None and ink.width > 150 and ink.height > 100


def test_chinese_text_in_a_chart_has_glyphs(engine: ReportEngine):
    """Two titles with the same number of characters look different."""

    def page(title: str) -> PagePicture:
        content = chart("barChart", categories(), PLOTS["barChart"]).replace("销售额 Sales", title)
        return PagePicture.of_png(engine.print(summary(content), SALES).pictures[0])

    assert (page("一一一").pixels != page("龘龘龘").pixels).any()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (chart("barChart", categories(), PLOTS["barChart"], more='customizerClass="x.Y"'), "allowed.attribute"),
        (chart("barChart", categories("Runtime.getRuntime()"), PLOTS["barChart"]), "expressions.class"),
        (chart("barChart", categories("$F{gone}"), PLOTS["barChart"]), "structure.undeclared"),
        (chart("meterChart", "<valueDataset/>", "<meterPlot/>"), "allowed.element"),
        (crosstab('new java.io.File("x")'), "expressions.class"),
        (crosstab("$F{gone}"), "structure.undeclared"),
    ],
    ids=["customizer", "chart-expression", "chart-field", "meter", "crosstab-expression", "crosstab-field"],
)
def test_charts_and_crosstabs_follow_the_same_restrictions(engine: ReportEngine, content: str, code: str):
    done = run(engine, summary(content))
    assert done.verdict.findings[0].code == code
    assert not done.verdict.passed


def test_a_finding_in_a_chart_names_the_chart(engine: ReportEngine):
    done = run(engine, summary(chart("barChart", categories("$F{gone}"), PLOTS["barChart"])))
    assert done.verdict.findings[0].element == "chart"


# --- crosstabs ------------------------------------------------------------------------------------------------------


def test_a_crosstab_totals_each_pair(engine: ReportEngine):
    assert texts(run(engine, summary(crosstab()))) == [
        "B", "甲", "上海", "5", "7", "北京", "20", "10", "合计", "25", "17",
    ]  # fmt: skip


def test_a_chart_may_have_a_dataset(engine: ReportEngine):
    """Its expressions then refer to the fields of its dataset, which the report need not declare."""
    own = f'<subDataset name="own">{FIELDS}</subDataset>'
    dataset = categories().replace(
        "<categoryDataset>", '<categoryDataset><dataset><datasetRun subDataset="own"/></dataset>'
    )
    content = summary(chart("barChart", dataset, PLOTS["barChart"]), declared=own + parameter("p"))
    assert run(engine, content).verdict.findings == []
