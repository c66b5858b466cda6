"""An analysis as one HTML file: ECharts and the charts' data are inside, and its policy forbids every connection."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib import resources

from bandsmith.shared.language import Language
from bandsmith.shared.model.analysis import AnalysisDocument, Chart, DocumentQuery, DocumentSection, DocumentTable
from bandsmith.shared.replies import text

from .markdown import unshown

_DRAW = """
for (const node of document.querySelectorAll(".chart")) {
  const chart = echarts.init(node, null, { renderer: "svg" });
  chart.setOption(JSON.parse(node.nextElementSibling.textContent));
  addEventListener("resize", () => chart.resize());
}
"""
_STYLE = """
:root { color-scheme: light; }
body { margin: 2.5rem auto; max-width: 52rem; padding: 0 1.25rem; color: #1d2733; background: #fff;
  font: 16px/1.6 "Noto Sans", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .5rem; }
.question { color: #5b6875; margin: 0 0 1.5rem; }
.chart { height: 22rem; margin: 1rem 0; }
.rows { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92rem; min-width: 50%; }
th, td { padding: .3rem .9rem .3rem 0; text-align: left; border-bottom: 1px solid #e3e8ed; vertical-align: top; }
th { color: #5b6875; font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; padding-left: .9rem; }
.left-out { color: #5b6875; font-size: .92rem; }
details { margin-top: 2.5rem; border-top: 1px solid #e3e8ed; padding-top: 1rem; }
summary { cursor: pointer; color: #5b6875; }
pre { background: #f5f7f9; padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
@media print { .chart { break-inside: avoid; } details { display: none; } }
"""
MAX_NARROW_BARS = 16
"""Bars whose names are all written on a narrow screen; of more, every other name is left out, as the chart does."""
_NARROW = {
    "query": {"maxWidth": 560},
    "option": {"xAxis": {"axisLabel": {"interval": 0, "rotate": 50, "width": 90, "overflow": "truncate"}}},
}
COLOURS = ["#2f6f9f", "#d98032", "#4f9d69", "#a8577e", "#7a6bb0", "#8c7a4f"]


def as_web_page(document: AnalysisDocument, language: Language) -> str:
    """Return the page. All that it shows is escaped."""
    has_charts = any(section.chart for section in document.sections)
    scripts = [_echarts(), _DRAW] if has_charts else []
    policy = "; ".join(["default-src 'none'", "style-src 'unsafe-inline'", *_script_policy(scripts)])
    parts = [
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(document.title)}</title><style>{_STYLE}</style></head><body><main>",
        f'<h1>{escape(document.title)}</h1><p class="question">{escape(document.question)}</p>',
        *(part for section in document.sections for part in _section(section, language)),
        *_queries(document.queries, language),
        "</main>",
        *(f"<script>{script}</script>" for script in scripts),
        "</body></html>\n",
    ]
    return "\n".join(parts)


def _script_policy(scripts: list[str]) -> list[str]:
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    return ["script-src " + " ".join(f"'sha256-{digest}'" for digest in digests)] if scripts else []


@cache
def _echarts() -> str:
    return resources.files(__package__).joinpath("vendor/echarts.js").read_text(encoding="utf-8")


def _section(section: DocumentSection, language: Language) -> Iterator[str]:
    yield f"<section><h2>{escape(section.heading)}</h2>"
    yield from (f"<p>{escape(paragraph)}</p>" for paragraph in section.paragraphs)
    if section.chart:
        options = json.dumps(chart_options(section.chart), ensure_ascii=False).replace("<", "\\u003c")
        yield f'<div class="chart" role="img" aria-label="{escape(section.heading, quote=True)}"></div>'
        yield f'<script type="application/json">{options}</script>'
    if section.table:
        yield from _table(section.table, language)
    yield "</section>"


def _table(table: DocumentTable, language: Language) -> Iterator[str]:
    classes = [' class="number"' if one else "" for one in table.numeric]
    head = "".join(f"<th{style}>{escape(name)}</th>" for name, style in zip(table.columns, classes, strict=True))
    yield f'<div class="rows"><table><thead><tr>{head}</tr></thead><tbody>'
    for row in table.rows:
        yield "<tr>" + "".join(f"<td{s}>{escape(cell)}</td>" for cell, s in zip(row, classes, strict=True)) + "</tr>"
    yield "</tbody></table></div>"
    if said := unshown(table, language):
        yield f'<p class="left-out">{escape(said)}</p>'


def _queries(queries: list[DocumentQuery], language: Language) -> Iterator[str]:
    if not queries:
        return
    yield f"<details><summary>{escape(text('data.analysis.queries', language))}</summary>"
    for query in queries:
        yield f"<p>{escape(query.task)}</p>"
        if query.query:
            yield f"<pre>{escape(query.query)}</pre>"
        if query.problem:
            yield f"<p>{escape(query.problem)}</p>"
    yield "</details>"


def chart_options(chart: Chart) -> dict[str, object]:
    """Return a chart as options of ECharts; they hold data only, no function and no address."""
    common: dict[str, object] = {"color": COLOURS, "animation": False, "tooltip": {"trigger": "item"}}
    if chart.kind == "pie":
        values = zip(chart.categories, chart.series[0].values, strict=True)
        slices = [{"name": name, "value": value} for name, value in values]
        return common | {"series": [{"type": "pie", "radius": "68%", "data": slices}]}
    common |= {"legend": {"bottom": 0}} if len(chart.series) > 1 else {}
    common |= {"media": [_NARROW]} if chart.kind == "bar" and len(chart.categories) <= MAX_NARROW_BARS else {}
    return common | {
        "tooltip": {"trigger": "axis"},
        "grid": {"left": 8, "right": 16, "top": 24, "bottom": 40 if len(chart.series) > 1 else 8, "containLabel": True},
        "xAxis": {"type": "category", "data": chart.categories},
        "yAxis": {"type": "value"},
        "series": [{"type": chart.kind, "name": one.name, "data": one.values} for one in chart.series],
    }
