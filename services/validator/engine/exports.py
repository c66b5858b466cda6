"""A filled report as a file: PDF, XLSX, DOCX, HTML, CSV. Part of the worker; the files stay in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

import jpype

FLOWING = ("xlsx", "csv")
"""Formats without pages: for them the rows follow each other, under one header and over one footer."""

_EXPORT = "net.sf.jasperreports.export."
_EXPORTERS = {
    "pdf": "net.sf.jasperreports.engine.export.JRPdfExporter",
    "xlsx": "net.sf.jasperreports.engine.export.ooxml.JRXlsxExporter",
    "docx": "net.sf.jasperreports.engine.export.ooxml.JRDocxExporter",
    "html": "net.sf.jasperreports.engine.export.HtmlExporter",
    "csv": "net.sf.jasperreports.engine.export.JRCsvExporter",
}
# Whatever a template makes the engine write into a page, no browser runs or fetches it.
_HTML_HEADER = """<!DOCTYPE html>
<html>
<head>
<meta charset="UTF-8"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'"/>
<title>{title}</title>
<style>body {{margin: 0; background: #eef0f3}} a {{text-decoration: none}} .jrPage {{margin: 16px auto}}</style>
</head>
<body>
"""
_HTML_FOOTER = "</body>\n</html>\n"
_LONGEST_SHEET_NAME = 31
_NOT_IN_SHEET_NAMES = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))


def export(context: Any, filled: Any, form: str) -> bytes:
    """The file's bytes; `form` is one of the formats above. Raises ``JException``."""
    java = jpype.JClass
    exporter = java(_EXPORTERS[form])(context)
    stream = java("java.io.ByteArrayOutputStream")()
    exporter.setExporterInput(java(_EXPORT + "SimpleExporterInput")(filled))
    exporter.setExporterOutput(_OUTPUTS.get(form, _plain)(stream))
    for configuration in _CONFIGURATIONS[form](str(filled.getName() or "")):
        exporter.setConfiguration(configuration)
    exporter.exportReport()
    return bytes(stream.toByteArray())


def _plain(stream: Any) -> Any:
    return jpype.JClass(_EXPORT + "SimpleOutputStreamExporterOutput")(stream)


def _csv_output(stream: Any) -> Any:
    return jpype.JClass(_EXPORT + "SimpleWriterExporterOutput")(stream, "UTF-8")


def _html_output(stream: Any) -> Any:
    return jpype.JClass(_EXPORT + "SimpleHtmlExporterOutput")(stream, "UTF-8")


def _made(name: str, **settings: object) -> Any:
    """A configuration of the engine with its ``set...`` called."""
    made = jpype.JClass(_EXPORT + name)()
    for setting, value in settings.items():
        boxed = jpype.JClass("java.lang.Boolean")(value) if isinstance(value, bool) else value
        getattr(made, f"set{setting}")(boxed)
    return made


def _pdf(name: str) -> list[Any]:
    return [_made("SimplePdfExporterConfiguration", MetadataTitle=name)]


def _xlsx(name: str) -> list[Any]:
    sheet = name.translate(_NOT_IN_SHEET_NAMES).strip()[:_LONGEST_SHEET_NAME] or "report"
    configuration = _made(
        "SimpleXlsxReportConfiguration",
        OnePagePerSheet=False,
        DetectCellType=True,
        WhitePageBackground=False,
        RemoveEmptySpaceBetweenRows=True,
        RemoveEmptySpaceBetweenColumns=True,
        IgnorePageMargins=True,
        WrapText=True,
        SheetNames=jpype.JArray(jpype.JString)([sheet]),
    )
    return [configuration, _made("SimpleXlsxExporterConfiguration", MetadataTitle=name)]


def _docx(name: str) -> list[Any]:
    return [_made("SimpleDocxExporterConfiguration", MetadataTitle=name)]


def _html(name: str) -> list[Any]:
    return [
        _made("SimpleHtmlReportConfiguration", EmbedImage=True, WhitePageBackground=True),
        _made(
            "SimpleHtmlExporterConfiguration",
            HtmlHeader=_HTML_HEADER.format(title=escape(name)),
            BetweenPagesHtml="",
            HtmlFooter=_HTML_FOOTER,
        ),
    ]


def _csv(_: str) -> list[Any]:
    # Without the mark a Chinese Excel reads UTF-8 as GBK; a value that begins with = must not become a formula there.
    return [_made("SimpleCsvExporterConfiguration", WriteBOM=True, RecordDelimiter="\r\n", EscapeFormula=True)]


_OUTPUTS: dict[str, Callable[[Any], Any]] = {"csv": _csv_output, "html": _html_output}
_CONFIGURATIONS: dict[str, Callable[[str], list[Any]]] = {
    "pdf": _pdf, "xlsx": _xlsx, "docx": _docx, "html": _html, "csv": _csv,
}  # fmt: skip
