"""Export a filled report: page pictures, PDF, and formats for other programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bandsmith.shared.jrxml.dom import tag
from bandsmith.shared.jrxml.jrxml7 import to_jrxml7
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.filling import FilledData, lines_of
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.session_parts import ExportFormat, Format
from bandsmith.shared.turns.verdict import Finding

from .checks.engine_run import ENGINE_ERRORS, engine_findings, run_excusing
from .checks.printout import Code as PrintoutCode
from .engine import EngineData, ReportEngine
from .inert import Printable
from .java_project import java_project
from .refusals import refusal
from .spreadsheet import Sheet, arrange, as_csv, as_workbook, left_out
from .validate import parse_template

MAX_PICTURES = 20
"""Pages that are exported as pictures. The PDF of a longer report has all pages."""
MEDIA: dict[ExportFormat, str] = {
    "png": "image/png",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "html": "text/html",
    "csv": "text/csv",
    "jrxml7": "application/xml",
    "java": "application/zip",
}


@dataclass(frozen=True)
class Export:
    """The exported files: one, or for PNG one per page."""

    files: list[bytes]
    media: str
    pages: int
    """Pages of the whole report. A format without pages has one."""
    notes: list[Finding] = field(default_factory=list)
    """What of the user's own file was left out of the print."""
    missing: list[str] = field(default_factory=list)
    """The first texts that the report prints and that the file does not have."""
    missing_shapes: int = 0
    """Pictures, lines and areas that the report prints and that the file does not have."""


def export(
    engine: ReportEngine, content: bytes, data: Data, format_: ExportFormat, upload: bytes | None = None
) -> Export:
    """Fill a template with its data and export it in a format. `upload` is the user's own file that it comes from.

    Raises ``TerminalError`` with the code of the finding when a check or the engine refuses the template.
    """
    if format_ == "jrxml7" or format_ == "java":  # noqa: PLR1714 - a type checker reads this
        printable, findings = parse_template(content, upload)
        if printable is None or findings:
            raise refusal(findings)
        file = to_jrxml7(content) if format_ == "jrxml7" else java_project(content, data)
        return Export([file], MEDIA[format_], pages=1)
    return _export(engine, content, data, data.parameters, format_, upload)


def export_filled(
    engine: ReportEngine, content: bytes, rows: bytes, format_: Format, upload: bytes | None = None
) -> Export:
    """Fill a template with a person's own rows, JSON Lines that begin with a ``FilledData``, and export it.

    Raises ``TerminalError`` with the code of the finding when a check or the engine refuses the template.
    """
    head = FilledData.model_validate_json(next(lines_of(rows)))
    return _export(engine, content, rows, head.parameters, format_, upload)


def _export(
    engine: ReportEngine,
    content: bytes,
    data: EngineData,
    parameters: Mapping[str, object],
    format_: Format,
    upload: bytes | None,
) -> Export:
    printable, findings = parse_template(content, upload)
    if printable is None or findings:
        raise refusal(findings)
    try:
        with engine.job(data):
            made = _filled(engine, printable, data, parameters, format_)
    except ENGINE_ERRORS as error:
        raise refusal(engine_findings(error, printable.template)) from None
    if not made.pages:
        raise refusal([Finding.of(PrintoutCode.EMPTY)])
    return made


def _filled(
    engine: ReportEngine, printable: Printable, data: EngineData, parameters: Mapping[str, object], format_: Format
) -> Export:
    missing: list[str] = []
    missing_shapes = 0
    match format_:
        case "png":
            printout, printable = run_excusing(printable, lambda xml: engine.print(xml, data, pages=MAX_PICTURES))
            files, pages = printout.pictures, printout.pages
        case "xlsx" | "csv":
            cells, printable = run_excusing(printable, lambda xml: engine.cells(xml, data))
            sheet = arrange(printable.template, cells)
            files = [_table(printable.template, sheet, parameters, format_)] if cells else []
            rows_only = format_ == "csv" and bool(sheet.records)
            missing = left_out(printable.template, cells, sheet, records_only=rows_only)
            pages = len(files)
        case _:
            made, printable = run_excusing(printable, lambda xml: engine.export(xml, data, format_))
            files, pages, missing, missing_shapes = [made.content], made.pages, made.missing, made.missing_shapes
    return Export(files, MEDIA[format_], pages, printable.notes, missing, missing_shapes)


def _table(
    template: Template,
    sheet: Sheet,
    parameters: Mapping[str, object],
    format_: Literal["xlsx", "csv"],
) -> bytes:
    """Return what a report printed as a table."""
    if format_ == "csv":
        return as_csv(sheet)
    locale = str(parameters.get("REPORT_LOCALE") or _property(template, "net.sf.jasperreports.default.locale"))
    landscape = template.page_width > template.page_height
    return as_workbook(sheet, template.root.get("name", ""), locale, landscape)


def _property(template: Template, name: str) -> str:
    """Return a property of the report."""
    nodes = template.root.findall(tag("property"))
    return next((node.get("value", "") for node in nodes if node.get("name") == name), "")
