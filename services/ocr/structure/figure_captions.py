"""Find the figures of a summary panel: ruled cells side by side, each with a figure above the wording that names it.

Elsewhere a wording names what is below it, so only several figures in a row, with nothing below their wordings, count.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Cell, Grid

from .text_classifier import is_figure, is_statement, text_kind

MIN_FIGURES = 3
"""Figures side by side, from which on they are a panel; two may stand below labels that were not found."""


def find_figure_captions(blocks: Sequence[Block], grids: Sequence[Grid], known: Collection[str]) -> dict[str, Block]:
    """Return the wording below each figure of such a panel, by the figure's block id. Blocks in `known` are neither."""
    free = [block for block in blocks if block.id not in known]
    found: dict[str, Block] = {}
    for grid in grids:
        for row in range(len(grid.rows) - 2):
            found |= _captions(grid, row, free)
    return found


def _captions(grid: Grid, row: int, blocks: Sequence[Block]) -> dict[str, Block]:
    """Return the captions in the row below, if each cell of this one holds a figure and has a caption."""
    above, below = _cells_in(grid, row), _cells_in(grid, row + 1)
    figures, wordings = ([_texts(cell.box, blocks) for cell in cells] for cells in (above, below))
    if len(above) < MIN_FIGURES or [_columns(cell) for cell in above] != [_columns(cell) for cell in below]:
        return {}
    if not all(len(texts) == 1 for texts in (*figures, *wordings)):
        return {}
    pairs = [(figure[0], wording[0]) for figure, wording in zip(figures, wordings, strict=True)]
    is_panel = all(is_figure(figure.text) and _is_caption(wording.text) for figure, wording in pairs)
    if not is_panel or any(_texts(cell.box, blocks) for cell in _cells_in(grid, row + 2)):
        return {}
    return {figure.id: wording for figure, wording in pairs}


def _is_caption(text: str) -> bool:
    return text_kind(text) == "text" and any(map(str.isalpha, text)) and not is_statement(text)


def _cells_in(grid: Grid, row: int) -> list[Cell]:
    """Return the cells of a row from left to right."""
    return sorted((cell for cell in grid.cells if cell.row == row), key=lambda cell: cell.column)


def _columns(cell: Cell) -> tuple[int, int]:
    return cell.column, cell.column_span


def _texts(area: Box, blocks: Sequence[Block]) -> list[Block]:
    return [block for block in blocks if area.holds(*block.box.middle)]
