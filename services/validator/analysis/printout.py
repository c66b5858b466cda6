"""An analysis as a template of the report engine with the rows that fill it: the PDF is printed like any report.

Every paragraph and every row of a table is one row of the report. Its field ``kind`` says which band prints it. Charts
stand at the end of their section, a group, and take their values from the rows of the section's table.
"""

from __future__ import annotations

from collections.abc import Iterator

from bandsmith.shared.language import Language
from bandsmith.shared.model.analysis import AnalysisDocument, Chart, DocumentTable
from bandsmith.shared.model.filling import FilledData, encode_lines
from bandsmith.shared.replies import text

from .markdown import unshown
from .web_page import COLOURS

WIDTH, MARGIN = 515, 40
MAX_COLUMNS = 10
"""Columns of a table that fit on a page; the other ones are in its file."""
MAX_CELL_CHARS = 30
"""A longer cell takes several lines."""
MIN_COLUMN = 36
MAX_SERIES = 6
CHART_HEIGHT = 200
CHART = "-chart"
"""What the name of a section's group ends with that has the values of its chart."""
LABEL_POINTS = 400
"""Width of the labels of a chart's categories, in points, from which they are turned."""
Row = dict[str, str | float | None]


def template_and_rows(document: AnalysisDocument, language: Language) -> tuple[bytes, bytes]:
    """Return the JRXML and the JSON Lines that fill it."""
    rows = [row | {"part": str(row["section"]).removesuffix(CHART)} for row in _rows(document, language)]
    template = _template(document)
    return template.encode(), encode_lines(FilledData(rows=len(rows)), rows)


def _rows(document: AnalysisDocument, language: Language) -> Iterator[Row]:
    yield {"section": "title", "kind": "title", "c1": document.title}
    yield {"section": "title", "kind": "text", "c1": document.question}
    for number, section in enumerate(document.sections):
        name = f"s{number}"
        yield {"section": name, "kind": "heading", "c1": section.heading}
        for paragraph in section.paragraphs:
            yield {"section": name, "kind": "text", "c1": paragraph}
        if section.chart:
            yield from _points(section.chart, name)
        if section.table:
            yield from _cells(section.table, name, language)
    yield {"section": "queries", "kind": "heading", "c1": text("data.analysis.queries", language)}
    for query in document.queries:
        yield {"section": "queries", "kind": "text", "c1": query.task}
        for kind, said in (("code", query.query), ("text", query.problem)):
            if said:
                yield {"section": "queries", "kind": kind, "c1": said}


def _points(chart: Chart, section: str) -> Iterator[Row]:
    """The values of a chart, which no band prints; the chart comes with the last of them."""
    for number, category in enumerate(chart.categories):
        point: Row = {"section": f"{section}{CHART}", "kind": f"point-{section}", "c1": category}
        yield point | {f"v{n}": one.values[number] for n, one in enumerate(chart.series[:MAX_SERIES], 1)}


def _cells(table: DocumentTable, section: str, language: Language) -> Iterator[Row]:
    for kind, cells in (("head", table.columns), *(("row", row) for row in table.rows)):
        row: Row = {"section": section, "kind": f"{kind}-{section}"}
        yield row | {f"c{n}": cell for n, cell in enumerate(cells[:MAX_COLUMNS], 1)}
    if said := unshown(table, language):
        yield {"section": section, "kind": "text", "c1": said}
    if len(table.columns) > MAX_COLUMNS:
        names = ", ".join(table.columns[MAX_COLUMNS:])
        yield {"section": section, "kind": "text", "c1": text("data.analysis.columns_left_out", language, names=names)}


# --- the template ----------------------------------------------------------------------------------------------------


def _template(document: AnalysisDocument) -> str:
    tables = {f"s{n}": section.table for n, section in enumerate(document.sections) if section.table}
    charts = {f"s{n}": section.chart for n, section in enumerate(document.sections) if section.chart}
    fields = ["part", "section", "kind", *(f"c{n}" for n in range(1, MAX_COLUMNS + 1))]
    declared = [f'<field name="{name}" class="java.lang.String"/>' for name in fields]
    declared += [f'<field name="v{n}" class="java.lang.Double"/>' for n in range(1, MAX_SERIES + 1)]
    bands = [_text_band("title", 34, "Title"), _text_band("heading", 30, "Heading"), _text_band("text", 18, "Text"),
             _text_band("code", 16, "Code")]  # fmt: skip
    for section, table in tables.items():
        bands += [_row_band(f"head-{section}", table, "Head"), _row_band(f"row-{section}", table, "Cell")]
    footer = "".join(_chart_band(section, chart) for section, chart in charts.items())
    start = CHART_HEIGHT + 60 if charts else 90  # points that a section needs to begin on a page that is begun
    group = f'<group name="Part" minHeightToStartNewPage="{start}"><groupExpression><![CDATA[$F{{part}}]]>'
    group += (
        '</groupExpression><groupHeader><band height="1"/></groupHeader></group>'  # the engine measures at a header
    )
    group += '<group name="Section"><groupExpression><![CDATA[$F{section}]]></groupExpression>'
    group += f"<groupFooter>{footer}</groupFooter></group>" if footer else "</group>"
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="analysis" pageWidth="595" '
        f'pageHeight="842" columnWidth="{WIDTH}" leftMargin="{MARGIN}" rightMargin="{MARGIN}" topMargin="{MARGIN}" '
        f'bottomMargin="{MARGIN}">\n{_STYLES}{"".join(declared)}{group}<detail>{"".join(bands)}</detail>{_FOOTER}</jasperReport>\n'
    )


_STYLES = (
    '<style name="Text" isDefault="true" fontName="Liberation Sans" fontSize="10"/>'
    '<style name="Title" style="Text" fontSize="20" isBold="true"/>'
    '<style name="Heading" style="Text" fontSize="13" isBold="true"/>'
    '<style name="Code" style="Text" fontSize="8" forecolor="#5B6875"/>'
    '<style name="Cell" style="Text" fontSize="9"/>'
    '<style name="Head" style="Text" fontSize="9" isBold="true" forecolor="#5B6875"/>'
)
_AXES = "".join(
    f'<{axis}AxisFormat><axisFormat axisLineColor="#8894A0"><tickLabelFont><font size="8"/></tickLabelFont>'
    f"</axisFormat></{axis}AxisFormat>"
    for axis in ("category", "value")
)
_FOOTER = (
    '<pageFooter><band height="20"><textField><reportElement x="0" y="6" width="515" height="14" style="Cell"/>'
    '<textElement textAlignment="Center"/><textFieldExpression><![CDATA[$V{PAGE_NUMBER}]]></textFieldExpression>'
    "</textField></band></pageFooter>"
)


def _text_band(kind: str, height: int, style: str) -> str:
    top = height - 18 if style == "Heading" else 0
    field = _field("c1", 0, top, WIDTH, height - top - 2, style, "Left")
    return f'<band height="{height}" splitType="Stretch">{_printed_when(kind)}{field}</band>'


def _row_band(kind: str, table: DocumentTable, style: str) -> str:
    widths = _widths(table)
    fields, x = "", 0
    for number, width in enumerate(widths, 1):
        side = "Right" if table.numeric[number - 1] else "Left"
        fields += _field(f"c{number}", x, 2, width - 8, 13, style, side)
        x += width
    line = (
        f'<line><reportElement positionType="Float" x="0" y="17" width="{sum(widths)}" height="1" forecolor="#E3E8ED"/>'
        '<graphicElement><pen lineWidth="0.5"/></graphicElement></line>'
    )
    return f'<band height="18" splitType="Prevent">{_printed_when(kind)}{fields}{line}</band>'


def _widths(table: DocumentTable) -> list[int]:
    """The widths of a table's columns, in points: by their longest cells, narrowed where the page ends."""
    columns = [[name, *(row[n] for row in table.rows)] for n, name in enumerate(table.columns[:MAX_COLUMNS])]
    wanted = [
        max(MIN_COLUMN, 16 + max(min(_length(cell), MAX_CELL_CHARS * 5.2) for cell in cells)) for cells in columns
    ]
    scale = min(1.0, WIDTH / sum(wanted))
    return [int(width * scale) for width in wanted]


def _length(cell: str) -> float:
    """The width of a text in 9 points, estimated: a Chinese character is about as wide as it is high."""
    return sum(9.2 if ord(character) > 0x2E7F else 5.2 for character in cell)


def _field(name: str, x: int, y: int, width: int, height: int, style: str, side: str) -> str:
    return (
        f'<textField isStretchWithOverflow="true" isBlankWhenNull="true"><reportElement x="{x}" y="{y}" '
        f'width="{width}" height="{height}" style="{style}"/><textElement textAlignment="{side}"/>'
        f"<textFieldExpression><![CDATA[$F{{{name}}}]]></textFieldExpression></textField>"
    )


def _printed_when(kind: str) -> str:
    return f'<printWhenExpression><![CDATA["{kind}".equals($F{{kind}})]]></printWhenExpression>'


def _chart_band(section: str, chart: Chart) -> str:
    frame = (
        f'<chart isShowLegend="{str(len(chart.series) > 1 or chart.kind == "pie").lower()}">'
        f'<reportElement x="0" y="4" width="{WIDTH}" height="{CHART_HEIGHT}"/><chartTitle/><chartSubtitle/>'
        '<chartLegend position="Bottom"/></chart>'
    )
    when = f'<incrementWhenExpression><![CDATA["point-{section}".equals($F{{kind}})]]></incrementWhenExpression>'
    dataset = f'<dataset resetType="Group" resetGroup="Section">{when}</dataset>'
    colours = "".join(
        f'<seriesColor seriesOrder="{number}" color="{COLOURS[number % len(COLOURS)]}"/>'
        for number in range(len(chart.categories) if chart.kind == "pie" else len(chart.series))
    )
    plot = f"<plot>{colours}</plot>"
    if chart.kind == "pie":
        drawn = (
            f"<pieChart>{frame}<pieDataset>{dataset}<keyExpression><![CDATA[$F{{c1}}]]></keyExpression>"
            f"<valueExpression><![CDATA[$F{{v1}}]]></valueExpression></pieDataset><piePlot>{plot}</piePlot></pieChart>"
        )
    else:
        series = "".join(
            f"<categorySeries><seriesExpression><![CDATA[{_java(one.name)}]]></seriesExpression>"
            "<categoryExpression><![CDATA[$F{c1}]]></categoryExpression>"
            f"<valueExpression><![CDATA[$F{{v{number}}}]]></valueExpression></categorySeries>"
            for number, one in enumerate(chart.series[:MAX_SERIES], 1)
        )
        turned = ' labelRotation="-45"' if sum(map(_length, chart.categories)) > LABEL_POINTS else ""
        plot = plot.replace("<plot>", f"<plot{turned}>")
        drawn = (
            f"<{chart.kind}Chart>{frame}<categoryDataset>{dataset}{series}</categoryDataset>"
            f"<{chart.kind}Plot>{plot}{_AXES}</{chart.kind}Plot></{chart.kind}Chart>"
        )
    shown = f'<printWhenExpression><![CDATA["{section}{CHART}".equals($F{{section}})]]></printWhenExpression>'
    return f'<band height="{CHART_HEIGHT + 10}" splitType="Prevent">{shown}{drawn}</band>'


def _java(words: str) -> str:
    """Return a text as a Java literal within CDATA."""
    plain = "".join(character if character.isalnum() or character in " _-." else " " for character in words)
    return f'"{plain}"'
