"""Export a filled report as PDF, DOCX or HTML. Runs in the worker and writes to memory only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

import jpype

_EXPORT = "net.sf.jasperreports.export."
_EXPORTERS = {
    "pdf": "net.sf.jasperreports.engine.export.JRPdfExporter",
    "docx": "net.sf.jasperreports.engine.export.ooxml.JRDocxExporter",
    "html": "net.sf.jasperreports.engine.export.HtmlExporter",
}
WITH_GRID = frozenset({"docx"})
"""Formats that have one grid of cells for a page, and no place for what overlaps."""
# Whatever a template makes the engine write into a page, the browser neither runs nor fetches it.
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


def export(context: Any, filled: Any, file_format: str) -> bytes:
    """Return the file's content. `file_format` is a key of ``_EXPORTERS``. Raises ``JException``."""
    java = jpype.JClass
    exporter = java(_EXPORTERS[file_format])(context)
    stream = java("java.io.ByteArrayOutputStream")()
    exporter.setExporterInput(java(_EXPORT + "SimpleExporterInput")(filled))
    exporter.setExporterOutput(_OUTPUTS.get(file_format, _stream_output)(stream))
    for configuration in _CONFIGURATIONS[file_format](str(filled.getName() or "")):
        exporter.setConfiguration(configuration)
    exporter.exportReport()
    return bytes(stream.toByteArray())


def _stream_output(stream: Any) -> Any:
    return jpype.JClass(_EXPORT + "SimpleOutputStreamExporterOutput")(stream)


def _html_output(stream: Any) -> Any:
    return jpype.JClass(_EXPORT + "SimpleHtmlExporterOutput")(stream, "UTF-8")


def _configuration(name: str, **settings: object) -> Any:
    """Create one of the engine's configuration objects and call its setters."""
    configuration = jpype.JClass(_EXPORT + name)()
    for setting, value in settings.items():
        boxed = jpype.JClass("java.lang.Boolean")(value) if isinstance(value, bool) else value
        getattr(configuration, f"set{setting}")(boxed)
    return configuration


def _pdf(name: str) -> list[Any]:
    return [_configuration("SimplePdfExporterConfiguration", MetadataTitle=name)]


def _docx(name: str) -> list[Any]:
    return [_configuration("SimpleDocxExporterConfiguration", MetadataTitle=name)]


def _html(name: str) -> list[Any]:
    return [
        _configuration("SimpleHtmlReportConfiguration", EmbedImage=True, WhitePageBackground=True),
        _configuration(
            "SimpleHtmlExporterConfiguration",
            HtmlHeader=_HTML_HEADER.format(title=escape(name)),
            BetweenPagesHtml="",
            HtmlFooter=_HTML_FOOTER,
        ),
    ]


_OUTPUTS: dict[str, Callable[[Any], Any]] = {"html": _html_output}
_CONFIGURATIONS: dict[str, Callable[[str], list[Any]]] = {"pdf": _pdf, "docx": _docx, "html": _html}
