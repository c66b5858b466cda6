"""Replace the unprinted cells that formulas name by their formulas or numbers.

Rates and steps of a computation often stand in hidden columns or beside the printed area. A template has no value for
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal

from bandsmith.shared.model.sheet import CellArea, CellFormula

MAX_STEPS = 4
"""Unseen cells that lead from one to the next."""
MAX_TEXT_CHARS, MAX_OPERANDS = 250, 30
_OPERAND = re.compile(r"\{(\d{1,3})\}")

At = tuple[int, int]
"""Row and column of a cell."""


class UnseenCells:
    """The cells of a sheet that are not printed."""

    def __init__(
        self, formulas: Mapping[At, CellFormula], is_seen: Callable[[At], bool], value_at: Callable[[At], object]
    ) -> None:
        self._formulas, self._is_seen, self._value_at = formulas, is_seen, value_at
        self._written: dict[tuple[At, int], CellFormula] = {}

    def written_out(self, formula: CellFormula, steps: int = MAX_STEPS) -> CellFormula:
        """Return a formula without unseen cells, as far as these have numbers or formulas."""
        operands: list[CellArea] = []
        words = [self._words(area, operands, steps) for area in formula.operands]
        text = _OPERAND.sub(lambda found: words[int(found[1]) - 1], formula.text)
        if len(text) > MAX_TEXT_CHARS or len(operands) > MAX_OPERANDS:
            return formula
        return formula.model_copy(update={"text": text, "operands": operands})

    def _words(self, area: CellArea, operands: list[CellArea], steps: int) -> str:
        """Return what stands for an operand in the text; what it names is added to the operands."""
        at = (area.top, area.left)
        if at == (area.bottom, area.right) and not self._is_seen(at):
            inner = self._formulas.get(at)
            if inner is not None and inner.text and inner.rounding is None and steps:
                inner = self._inner(at, inner, steps - 1)
                words = [_named(one, operands) for one in inner.operands]
                return f"( {_OPERAND.sub(lambda found: words[int(found[1]) - 1], inner.text)} )"
            value = self._value_at(at)
            if inner is None and isinstance(value, int | float) and not isinstance(value, bool):
                return f"{Decimal(str(value)):f}" if value >= 0 else f"( {Decimal(str(value)):f} )"
        return _named(area, operands)

    def _inner(self, at: At, formula: CellFormula, steps: int) -> CellFormula:
        """Return the formula of an unseen cell, written out once: many others may name it."""
        if (at, steps) not in self._written:
            self._written[at, steps] = self.written_out(formula, steps)
        return self._written[at, steps]


def _named(area: CellArea, operands: list[CellArea]) -> str:
    if area not in operands:
        operands.append(area)
    return f"{{{operands.index(area) + 1}}}"
