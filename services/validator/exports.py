"""Export a filled report: page pictures, PDF, and formats for other programs."""

from __future__ import annotations

from dataclasses import dataclass

from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.session import Format
from bandsmith.shared.model.verdict import Finding

from .checks.engine_run import engine_findings
from .checks.printout import Code as PrintoutCode
from .engine import EngineDied, EngineRefused, EngineTimeout, ReportEngine
from .refusals import refusal
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


def export(engine: ReportEngine, content: bytes, data: Data, format_: Format) -> Export:
    """Fill a template with its data and export it in a format.

    Raises ``TerminalError`` with the code of the finding when a check or the engine refuses the template.
    """
    template, findings = parse_template(content)
    if template is None or findings:
        raise refusal(findings)
    try:
        if format_ == "png":
            printout = engine.print(template.inert, data, pages=MAX_PICTURES)
            files, pages = printout.pictures, printout.pages
        else:
            pages, file = engine.export(template.inert, data, format_)
            files = [file]
    except (EngineRefused, EngineTimeout, EngineDied) as error:
        raise refusal(engine_findings(error, template)) from None
    if not pages:
        raise refusal([Finding.of(PrintoutCode.EMPTY)])
    return Export(files, MEDIA[format_], pages)
