"""Export a filled report: page pictures, PDF, and formats for other programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bandsmith.shared.jrxml.dom import tag
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.session import Format
from bandsmith.shared.model.verdict import Finding

from .checks.engine_run import ENGINE_ERRORS, engine_findings, run_excusing
from .checks.printout import Code as PrintoutCode
from .engine import ReportEngine
from .inert import Printable
from .refusals import refusal
from .spreadsheet import arrange, as_csv, as_workbook
from .validate import parse_template

MAX_PICTURES = 20
"""Pages that are exported as pictures. The PDF of a longer report has all pages."""
MEDIA: dict[Format, str] = {
    "png": "image/png",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "html": "text/html",
    "csv": "text/csv",
}


@dataclass(frozen=True)
class Export:
    """The exported files: one, or for PNG one per page."""

    files: list[bytes]
    media: str
    pages: int
    """Pages of the whole report. A format without pages has one."""


def export(engine: ReportEngine, content: bytes, data: Data, format_: Format, upload: bytes | None = None) -> Export:
    """Fill a template with its data and export it in a format. `upload` is the user's own file that it comes from.

    Raises ``TerminalError`` with the code of the finding when a check or the engine refuses the template.
    """
    printable, findings = parse_template(content, upload)
    if printable is None or findings:
        raise refusal(findings)
    try:
        match format_:
            case "png":
                printout, _ = run_excusing(printable, lambda xml: engine.print(xml, data, pages=MAX_PICTURES))
                files, pages = printout.pictures, printout.pages
            case "xlsx" | "csv":
                files = [_table(engine, printable, data, format_)]
                pages = 1 if files[0] else 0
            case _:
                (pages, file), _ = run_excusing(printable, lambda xml: engine.export(xml, data, format_))
                files = [file]
    except ENGINE_ERRORS as error:
        raise refusal(engine_findings(error, printable.template)) from None
    if not pages:
        raise refusal([Finding.of(PrintoutCode.EMPTY)])
    return Export(files, MEDIA[format_], pages)


def _table(engine: ReportEngine, printable: Printable, data: Data, format_: Literal["xlsx", "csv"]) -> bytes:
    """Return the report as a table; nothing where it prints nothing."""
    cells, printable = run_excusing(printable, lambda xml: engine.cells(xml, data))
    template = printable.template
    if not cells:
        return b""
    sheet = arrange(template, cells)
    if format_ == "csv":
        return as_csv(sheet)
    locale = str(data.parameters.get("REPORT_LOCALE") or _property(template, "net.sf.jasperreports.default.locale"))
    landscape = template.page_width > template.page_height
    return as_workbook(sheet, template.root.get("name", ""), locale, landscape)


def _property(template: Template, name: str) -> str:
    """Return a property of the report."""
    nodes = template.root.findall(tag("property"))
    return next((node.get("value", "") for node in nodes if node.get("name") == name), "")
