"""Replace the unprinted cells that formulas name by their formulas or numbers.

Rates and steps of a computation often stand in hidden columns or beside the printed area. A template has no value for
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal

from openpyxl.worksheet.worksheet import Worksheet

from bandsmith.shared.model.sheet import CellArea, CellFormula

from .sheet_areas import At, CellCounts
from .sheet_formulas import MAX_OPERANDS
from .sheet_grid import MAX_COLUMNS, MAX_ROWS, cells_in

MAX_STEPS = 4
"""Unseen cells that lead from one to the next."""
MAX_TEXT_CHARS = 250
_OPERAND = re.compile(r"\{(\d{1,3})\}")


class _Unknown(Exception):
    """Raised for a formula that needs an unseen cell without a typed number or a formula that is read."""


class UnseenCells:
    """The cells of a sheet that are not printed."""

    def __init__(
        self, sheet: Worksheet, formulas: Mapping[At, CellFormula | None], is_seen: Callable[[At], bool]
    ) -> None:
        """`formulas` has all cells with a formula, with None for one that is not read."""
        self._sheet, self._formulas, self._is_seen = sheet, formulas, is_seen
        cells = cells_in(sheet, (1, 1, MAX_COLUMNS, MAX_ROWS))
        numbers = {(cell.row, cell.column): cell.value for cell in cells if _is_number(cell.value)}
        self._typed = {at: number for at, number in numbers.items() if at not in formulas}
        self._counts = CellCounts(at for at in {*numbers, *formulas} if not is_seen(at))
        self._written: dict[tuple[At, int], CellFormula] = {}

    def written_out(self) -> dict[At, CellFormula]:
        """Return the formulas of seen cells without unseen cells. One that needs others of these is not computable."""
        found = dict[At, CellFormula]()
        for at, formula in self._formulas.items():
            if formula is not None and self._is_seen(at):
                try:
                    found[at] = formula if formula.counts_rows else self._of(formula, MAX_STEPS)
                except _Unknown:
                    found[at] = formula.model_copy(update={"is_computable": False})
        return found

    def _of(self, formula: CellFormula, steps: int) -> CellFormula:
        if not formula.is_computable:
            raise _Unknown
        operands: list[CellArea] = []
        words = [self._words(area, operands, steps) for area in formula.operands]
        text = _OPERAND.sub(lambda found: words[int(found[1]) - 1], formula.text)
        if text != formula.text and (len(text) > MAX_TEXT_CHARS or len(operands) > MAX_OPERANDS):
            raise _Unknown
        return formula.model_copy(update={"text": text, "operands": operands})

    def _words(self, area: CellArea, operands: list[CellArea], steps: int) -> str:
        """Return what stands for an operand in the text; what it names is added to the operands."""
        at = (area.top, area.left)
        if at != (area.bottom, area.right):
            if self._holds_unseen(area):
                raise _Unknown
        elif not self._is_seen(at):
            return self._unseen(at, operands, steps)
        return _named(area, operands)

    def _holds_unseen(self, area: CellArea) -> bool:
        """Whether numbers or formulas of an area are not printed, or may not be."""
        is_beyond = area.bottom > MAX_ROWS < self._sheet.max_row or area.right > MAX_COLUMNS < self._sheet.max_column
        return is_beyond or self._counts.within(area) > 0

    def _unseen(self, at: At, operands: list[CellArea], steps: int) -> str:
        inner = self._formulas.get(at)
        if inner is not None and inner.text and inner.rounding is None and steps:
            inner = self._inner(at, inner, steps - 1)
            words = [_named(one, operands) for one in inner.operands]
            return f"( {_OPERAND.sub(lambda found: words[int(found[1]) - 1], inner.text)} )"
        if at not in self._typed:
            raise _Unknown
        number = Decimal(str(self._typed[at]))
        return f"{number:f}" if number >= 0 else f"( {number:f} )"

    def _inner(self, at: At, formula: CellFormula, steps: int) -> CellFormula:
        """Return the formula of an unseen cell, written out once: many others may name it."""
        if (at, steps) not in self._written:
            self._written[at, steps] = self._of(formula, steps)
        return self._written[at, steps]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _named(area: CellArea, operands: list[CellArea]) -> str:
    if area not in operands:
        operands.append(area)
    return f"{{{operands.index(area) + 1}}}"
