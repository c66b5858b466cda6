"""Compute the formulas of a worksheet that have no saved values, as a spreadsheet program does when it opens the file.

Programs other than Excel often save formulas alone. What cannot be computed with certainty stays empty.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal, DecimalException

from openpyxl.worksheet.worksheet import Worksheet

from bandsmith.shared.jrxml.formula_tree import read_formula, value_of
from bandsmith.shared.jrxml.refusals import EditRefused
from bandsmith.shared.model.sheet import CellArea, CellFormula, Rounding

from .sheet_grid import MAX_COLUMNS, MAX_ROWS

MAX_PASSES = 12
"""How often the sheet is gone through: values of cells further down and to the right are needed by others."""
MAX_SUMMED_CELLS = 200_000
"""Cells that are added up in one pass."""
MAX_DIGITS = 15
"""Digits of a number in a spreadsheet."""

At = tuple[int, int]
"""Row and column of a cell."""


class _NoNumber(Exception):
    """Raised where a formula needs a number and there is none."""


def compute_missing_values(sheet: Worksheet, formulas: Mapping[At, CellFormula], written: Collection[At]) -> None:
    """Give the cells of a sheet without a value what their formulas give. `written` are all cells with a formula."""
    missing = {at for at in written if sheet.cell(*at).value is None}
    for _ in range(MAX_PASSES):
        ready = sorted(at for at in missing if at in formulas)
        left = MAX_SUMMED_CELLS
        for at in ready:
            left -= sum((area.bottom - area.top + 1) * (area.right - area.left + 1) for area in formulas[at].operands)
            if left < 0:
                return
            if (value := _value(sheet, formulas[at], missing)) is not None:
                sheet.cell(*at).value = value
                missing.discard(at)
        if len(ready) == sum(at in formulas for at in missing):
            return


def _value(sheet: Worksheet, formula: CellFormula, missing: Collection[At]) -> int | float | None:
    """Return what a formula gives; None where it needs what is not known or is no number."""
    if not formula.text:
        return None
    try:
        operands = {str(n): _number(sheet, area, missing) for n, area in enumerate(formula.operands, 1)}
        quoted = formula.text.replace("{", '"').replace("}", '"')
        result = value_of(read_formula(quoted), operands)
        if result is None:
            return None
        result = _rounded(result, formula.rounding)
    except (_NoNumber, EditRefused, DecimalException):
        return None
    value = float(f"{result:.{MAX_DIGITS}g}")
    return int(value) if value.is_integer() and abs(value) < 10**MAX_DIGITS else value


def _rounded(number: Decimal, rounding: Rounding | None) -> Decimal:
    if rounding is None:
        return number
    return number.quantize(Decimal(1).scaleb(-rounding.decimals), f"ROUND_{rounding.mode}")


def _number(sheet: Worksheet, area: CellArea, missing: Collection[At]) -> Decimal:
    """Return the number of a cell or the sum of several; an empty cell counts as 0."""
    total = Decimal(0)
    for at in _cells(area):
        value = sheet.cell(*at).value if at[0] <= sheet.max_row and at[1] <= sheet.max_column else None
        if at in missing or isinstance(value, bool):
            raise _NoNumber
        if isinstance(value, int | float):
            total += Decimal(str(value))
        elif value is not None and not (isinstance(value, str) and area.is_summed):
            raise _NoNumber
    return total


def _cells(area: CellArea) -> Iterator[At]:
    for row in range(area.top, min(area.bottom, MAX_ROWS) + 1):
        for column in range(area.left, min(area.right, MAX_COLUMNS) + 1):
            yield row, column
