"""The texts of a report that its table leaves out, apart from what belongs to pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bandsmith.shared.jrxml.template import Template

from ..engine import PrintedCell
from .arrange import Sheet, SheetRow, is_furniture

MAX_TEXTS = 20
"""Texts that are named."""
MAX_TEXT_CHARS = 80


def left_out(template: Template, printed: Sequence[PrintedCell], sheet: Sheet, *, records_only: bool) -> list[str]:
    """Return the first texts that no row of a table has; of the rows of data alone with `records_only`."""
    placed = set(_texts(sheet.rows))
    headings = "\n".join(_bare(column.heading) for column in sheet.columns)  # some are joined of two lines
    missing: dict[str, str] = {}
    for cell in printed:
        if not cell.text or (records_only and cell.band != "detail"):
            continue
        bare = _bare(cell.text)
        if bare not in placed and bare not in headings and not is_furniture(template, cell):
            missing.setdefault(bare, " ".join(cell.text.split())[:MAX_TEXT_CHARS])
            if len(missing) == MAX_TEXTS:
                break
    return list(missing.values())


def _texts(rows: Iterable[SheetRow]) -> Iterable[str]:
    return (_bare(cell.text) for row in rows for cell in row.cells.values() if cell.text)


def _bare(text: str) -> str:
    return "".join(text.split())
