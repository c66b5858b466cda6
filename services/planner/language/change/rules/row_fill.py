"""The background of a line whose texts leave gaps between them: one area behind the whole of it."""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_shape import AddShape
from bandsmith.shared.edits.set_header_background import SetHeaderBackground

from ...references import Target, prints_total
from ...template_view import TemplateView

KEY = "total_background"
NEAR_ROWS_PT = 8
"""A line that begins so close to the rows is filled up to them."""


def row_filled(view: TemplateView, target: Target, colour: str) -> list[AnyEdit] | None:
    """Return the edits that fill a heading row or a line of totals; None for any other line."""
    if target.role == "header":
        return [SetHeaderBackground(colour=colour)]
    cells = [piece for column in view.columns for piece in column.pieces]
    is_total = (
        any(prints_total(piece) or view.numbers(piece) for piece in target.texts)
        and len({one.band for one in target.texts}) == 1
    )
    if target.role != "row" or not is_total or not cells or view.piece(KEY) is not None:
        return None
    if any(piece.section != "summary" for piece in target.texts):
        return None
    left, right = min(one.x for one in cells), max(one.x + one.width for one in cells)
    top, bottom = min(one.y for one in target.texts), max(one.y + one.height for one in target.texts)
    lines = [one for one in view.lines if one.band == target.texts[0].band and one.width > one.height]
    top = max((one.y for one in lines if one.y <= top), default=0 if top <= NEAR_ROWS_PT else top)
    bottom = min((one.y for one in lines if one.y >= bottom), default=bottom)
    return [
        AddShape(
            key=KEY, band="summary", shape="rectangle", x=left, y=top, width=right - left, height=bottom - top,
            colour=colour, fill=colour, line_width=0,
        )
    ]  # fmt: skip
