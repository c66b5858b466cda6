"""Cells of ruled tables: the one that a point lies in."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Grid


def cell_at(point: tuple[float, float], grids: Sequence[Grid]) -> Box | None:
    """Return the smallest ruled cell around a point."""
    cells = (cell.box for grid in grids for cell in grid.cells if cell.box.holds(*point))
    return min(cells, key=lambda box: box.area, default=None)
