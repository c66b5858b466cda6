"""The background of a line whose texts leave gaps between them: one area behind the whole of it."""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.fill_total_row import FillTotalRow
from bandsmith.shared.edits.set_header_background import SetHeaderBackground

from ...references import Target, prints_total
from ...template_view import TemplateView


def row_filled(view: TemplateView, target: Target, colour: str) -> list[AnyEdit] | None:
    """Return the edits that fill a heading row or a line of totals; None for any other line."""
    if target.role == "header":
        return [SetHeaderBackground(colour=colour)]
    is_total = (
        any(prints_total(piece) or view.numbers(piece) for piece in target.texts)
        and len({one.band for one in target.texts}) == 1
    )
    if target.role != "row" or not is_total or not view.columns:
        return None
    if any(piece.section != "summary" for piece in target.texts):
        return None
    return [FillTotalRow(element=target.texts[0].key, colour=colour)]
