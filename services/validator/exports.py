"""The filled report as files to take away: page pictures, PDF, and what the engine writes for other programs."""

from __future__ import annotations

from dataclasses import dataclass

from bandsmith.shared.errors import TerminalError
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.session import Format

from .checks import fill
from .engine import EngineDied, EngineRefused, EngineTimeout, ReportEngine
from .refusals import refusal
from .validate import parse_template

MOST_PICTURES = 20
"""Pages that become pictures; a longer report has the rest in its PDF."""
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
    """One file; of PNG one for each of the first pages."""

    files: list[bytes]
    media: str
    pages: int
    """Pages of the whole report; formats without pages have one."""


def export(engine: ReportEngine, content: bytes, data: Data, form: Format) -> Export:
    """Fill a template with its data and write it in a format.

    Raises ``TerminalError``, with the finding's sentence and code, where a check or the engine refuses it.
    """
    template, findings = parse_template(content)
    if template is None or findings:
        raise refusal(findings)
    try:
        if form == "png":
            printout = engine.print(template.inert, data, pages=MOST_PICTURES)
            files, pages = printout.pictures, printout.pages
        else:
            pages, file = engine.export(template.inert, data, form)
            files = [file]
    except (EngineRefused, EngineTimeout, EngineDied) as error:
        raise refusal(fill.failed(error, template)) from None
    if not pages:
        raise TerminalError(
            "The filled report has no page.", message_zh="填充后的报表没有任何页面。", code="fill.empty"
        )
    return Export(files, MEDIA[form], pages)
