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

from .sheet_areas import At, cell_count
from .sheet_grid import MAX_COLUMNS, MAX_ROWS

MAX_PASSES = 12
"""How often the sheet is gone through: values of cells further down and to the right are needed by others."""
MAX_SUMMED_CELLS = 200_000
"""Cells that are added up in one pass."""
MANY_CELLS = 1_000
"""Cells of a single formula."""
MAX_DIGITS = 15
"""Digits of a number in a spreadsheet."""


class _NoNumber(Exception):
    """Raised where a formula needs a number and there is none."""


def compute_missing_values(sheet: Worksheet, written: Mapping[At, CellFormula | None]) -> int:
    """Give the cells of a sheet without a value what their formulas give, and return how many got one.

    `written` has all cells with a formula, with None for one that is not read.
    """
    formulas = {at: formula for at, formula in written.items() if formula is not None and formula.is_computable}
    missing = {at for at in written if sheet.cell(*at).value is None}
    without_value = len(missing)
    limits = sheet.max_row, sheet.max_column
    counts = {at: sum(cell_count(area, *limits) for area in formulas[at].operands) for at in missing & {*formulas}}
    for _ in range(MAX_PASSES):
        # Formulas over many cells come last: they must not keep the others from being computed.
        ready = sorted((at for at in missing if at in formulas), key=lambda at: (counts[at] > MANY_CELLS, at))
        left = MAX_SUMMED_CELLS
        for at in ready:
            if counts[at] > left:
                continue
            left -= counts[at]
            if (value := _value(sheet, formulas[at], missing)) is not None:
                sheet.cell(*at).value = value
                missing.discard(at)
        if len(ready) == sum(at in formulas for at in missing):
            break
    return without_value - len(missing)


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
    """Return the number of a cell or the sum of several; an empty cell counts as 0, but not as a factor."""
    if area.bottom > MAX_ROWS < sheet.max_row or area.right > MAX_COLUMNS < sheet.max_column:
        raise _NoNumber
    numbers = list[Decimal]()
    for at in _cells(sheet, area):
        value = sheet.cell(*at).value
        if at in missing or isinstance(value, bool):
            raise _NoNumber
        if isinstance(value, int | float):
            numbers.append(Decimal(str(value)))
        elif value is not None and not (isinstance(value, str) and area.is_summed):
            raise _NoNumber
    if area.is_factor and not numbers:
        raise _NoNumber
    return sum(numbers, Decimal(0))


def _cells(sheet: Worksheet, area: CellArea) -> Iterator[At]:
    for row in range(area.top, min(area.bottom, sheet.max_row) + 1):
        for column in range(area.left, min(area.right, sheet.max_column) + 1):
            yield row, column
