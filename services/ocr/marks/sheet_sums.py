"""Mark the texts of a workbook's cells that add up the cells above them: their row is no record of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.model.layout import TextLine
from bandsmith.shared.model.sheet import SheetCell

_ONLY_ADDED = re.compile(r"[{}\d()+ ]*")


def with_sums(lines: list[TextLine], cells: Sequence[SheetCell]) -> list[TextLine]:
    """Return the lines, those marked that stand in a cell with the sum of cells above it."""
    sums = [cell for cell in cells if _adds_up_column(cell)]
    return [
        line.model_copy(update={"sums_up": True}) if any(cell.box.holds(*line.box.middle) for cell in sums) else line
        for line in lines
    ]


def _adds_up_column(cell: SheetCell) -> bool:
    """Whether a cell has the sum of cells above it in its own column, and nothing else."""
    if cell.formula is None or not cell.formula.operands or not _ONLY_ADDED.fullmatch(cell.formula.text):
        return False
    return all(
        area.is_summed and area.left <= cell.column <= area.right and area.bottom < cell.row
        for area in cell.formula.operands
    )
