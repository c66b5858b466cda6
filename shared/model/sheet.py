"""What a workbook computes: the formulas of the cells on a printed sheet, and the cells that they refer to."""

from __future__ import annotations

from typing import Literal

from .base import Value
from .geometry import Box


class CellArea(Value):
    """A cell, or a rectangle of cells, of a sheet; rows and columns count from 1."""

    top: int
    left: int
    bottom: int
    right: int
    is_summed: bool = False
    """Whether a function adds up its cells, as ``SUM(D5:D9)``."""
    is_factor: bool = False
    """Whether PRODUCT multiplies by it, which leaves out an empty cell."""

    def holds(self, row: int, column: int) -> bool:
        return self.top <= row <= self.bottom and self.left <= column <= self.right


class Rounding(Value):
    """How a result is rounded; the modes are those of Java."""

    decimals: int
    mode: Literal["HALF_UP", "UP", "DOWN", "FLOOR"] = "HALF_UP"


class CellFormula(Value):
    """A formula of a cell, as far as a template can compute it."""

    text: str
    """The formula with the number of each operand in braces, counted from 1: ``{1} * {2} - 5``."""
    operands: list[CellArea]
    rounding: Rounding | None = None
    """How the formula itself rounds its result."""
    counts_rows: bool = False
    """Whether it numbers the rows: ``ROW()-4``, or the cell above and 1."""
    is_computable: bool = True
    """Whether printed cells give its result; otherwise it only says what the sheet adds up."""


class SheetCell(Value):
    """A cell of the printed sheet that has a formula, or that one names."""

    row: int
    column: int
    box: Box
    """Where it is printed; a merged cell has the area of all its cells."""
    formula: CellFormula | None = None
    decimals: int | None = None
    """Decimals that its number format prints of every number; None where that depends on the number."""
