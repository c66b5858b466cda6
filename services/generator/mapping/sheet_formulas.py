"""Say what a workbook's own formulas compute, by the numbers of the template's values and columns.

A cell is the value that is printed in it. In the formula of a value, cells of the rows stand for the sum of their
column, and only where the sheet adds them up: a single row of many has no name. In the formula of a row, a cell of the
same row stands for its column. Whether a formula gives what the form prints is not looked at here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.fields.notation import notation_of
from bandsmith.shared.fields.stated_types import NUMBER
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.sheet import CellArea, CellFormula

from .apply_stated_types import with_stated_types
from .named_parts import Parts
from .sheet_places import CellPlace, SheetPlaces, is_whole
from .stated_formulas import OPERAND, Formulas, added_together, operands_of, proven_formulas, with_rounding

MIN_SHARE_OF_ROWS = 0.5
"""Share of a column's filled rows that have one formula; the others may be typed over it."""
MIN_ADDED_ROWS = 2
"""Cells of a column that a formula adds one by one to mean its sum; one alone is a row of its own."""
_ONLY_ADDED = re.compile(r"[()+ ]*")


class SheetFormulas(NamedTuple):
    """What a workbook computes."""

    formulas: Formulas
    """Formulas by the number of what they compute."""
    counting: frozenset[str] = frozenset()
    """The numbers of the columns that count their rows."""
    whole: frozenset[str] = frozenset()
    """The numbers of what is printed in whole numbers, whatever its decimals."""


def sheet_formulas(root: etree._Element, parts: Parts, layout: Layout) -> SheetFormulas:
    """Return what the sheet that a form was printed from computes of the template's parts."""
    places = SheetPlaces(root, parts, layout)
    sheet = _Sheet(places, parts)
    values, columns = dict[str, str](), dict[str, list[str]]()
    counting, whole, others = set[str](), set[str](), set[str]()
    for cell in layout.sheet_cells:
        own = places.by_cell.get((cell.row, cell.column))
        if cell.formula is None or own is None:
            continue
        (whole if cell.decimals == 0 else others).add(own.number)
        if own.record is None:
            values |= {own.number: text} if (text := sheet.of_value(cell.formula)) else {}
        elif not own.table:
            counting |= {own.number} if cell.formula.counts_rows else set()
            columns.setdefault(own.number, []).append(sheet.of_row(cell.formula, cell.row, own.record))
    for number, texts in columns.items():
        filled = sum(value not in (None, "") for value in parts[number].values)
        if len({*texts}) == 1 and texts[0] and len(texts) >= MIN_SHARE_OF_ROWS * filled:
            values[number] = texts[0]
    return SheetFormulas(values, frozenset(counting), frozenset(whole - others))


def proven_by_sheet(
    editor: Editor, data: Data, parts: Parts, formulas: Formulas, layout: Layout
) -> tuple[Data, dict[str, str]]:
    """Return the formulas of a sheet that give what the form prints, and the data.

    What the form leaves empty and such a formula computes, or computes with, is a number.
    """
    proven = proven_formulas(data, parts, formulas)
    named = {one for number, formula in proven.items() for one in (number, *operands_of(formula))}
    empty = {one: NUMBER for one in parts if one in named and all(value in (None, "") for value in parts[one].values)}
    notation = notation_of(block.text for block in layout.blocks)
    return with_stated_types(editor, data, parts, empty, notation, added_together(proven)).data, proven


class _Sheet:
    """Writes the formulas of cells with the numbers of parts."""

    def __init__(self, places: SheetPlaces, parts: Parts) -> None:
        self._places, self._parts = places, parts
        self._columns: dict[int, set[str]] = {}
        """The columns of the main table by those of the sheet."""
        for (_, column), place in places.by_cell.items():
            if place.record is not None and not place.table:
                self._columns.setdefault(column, set()).add(place.number)

    def of_value(self, formula: CellFormula) -> str:
        """Return the formula of a value; empty where it cannot be written."""
        if not formula.is_computable:
            return ""
        rows = [place.number for area in formula.operands if not area.is_summed for place in self._in_rows(area)]
        if not _is_sum(formula) or any(rows.count(number) < MIN_ADDED_ROWS for number in rows):
            single = [not area.is_summed and bool(self._in_rows(area)) for area in formula.operands]
            named = zip(formula.operands, single, strict=True)
            return _written(formula, ["" if is_row else " + ".join(self._whole([area])) for area, is_row in named])
        if not all(area.is_summed or self._is_known(area) for area in formula.operands):
            return ""
        numbers = self._whole(formula.operands)
        return with_rounding(" + ".join(numbers), formula.rounding) if numbers else ""

    def _is_known(self, area: CellArea) -> bool:
        """Whether a cell that is added may be a number of a part, or is printed empty."""
        is_empty = not self._places.within(area) and self._places.is_printed((area.top, area.left))
        return is_empty or bool(self._numbers(area))

    def _whole(self, areas: Sequence[CellArea]) -> list[str]:
        """Return the numbers of what areas add up; none where they hold only some rows of a column."""
        places = [place for area in areas for place in self._places.within(area) if place.record is not None]
        columns = {place.number for place in places if self._may_be_number(place.number)}
        if not all(is_whole(self._places.records, number, self._beside(number, areas)) for number in columns):
            return []
        return [*dict.fromkeys(number for area in areas for number in self._numbers(area))]

    def _beside(self, number: str, areas: Sequence[CellArea]) -> list[CellArea]:
        """Return the areas that hold a row of a column."""
        return [area for area in areas if any(place.number == number for place in self._places.within(area))]

    def of_row(self, formula: CellFormula, row: int, record: int) -> str:
        """Return the formula of a column from that of a row; empty where it cannot be written."""
        if not formula.is_computable:
            return ""
        return _written(formula, [self._in_row(area, row, record) for area in formula.operands])

    def _in_rows(self, area: CellArea) -> list[CellPlace]:
        return [place for place in self._places.within(area) if place.record is not None]

    def _numbers(self, area: CellArea) -> list[str]:
        """Return what may be a number of what is printed in an area, each once; a column for its rows."""
        found = [place.number for place in self._places.within(area) if self._may_be_number(place.number)]
        return [*dict.fromkeys(f"{{{number}}}" for number in found)]

    def _may_be_number(self, number: str) -> bool:
        return not any(isinstance(value, str) and value for value in self._parts[number].values)

    def _in_row(self, area: CellArea, row: int, record: int) -> str:
        """Return the columns of an area that lies in a row; empty where it does not."""
        if area.top == area.bottom == row:
            columns = [self._columns.get(column, set()) for column in range(area.left, area.right + 1)]
            numbers = [number for one in columns if len(one) == 1 for number in one if self._may_be_number(number)]
            return " + ".join(f"{{{number}}}" for number in numbers)
        is_own = all(place.record == record and not place.table for place in self._places.within(area))
        return " + ".join(self._numbers(area)) if is_own else ""


def _is_sum(formula: CellFormula) -> bool:
    """Whether a formula adds up its operands, and nothing else."""
    each_once = len(OPERAND.findall(formula.text)) == len(formula.operands)
    return each_once and bool(_ONLY_ADDED.fullmatch(OPERAND.sub("", formula.text)))


def _written(formula: CellFormula, operands: Sequence[str]) -> str:
    """Return a formula with its operands; empty where one of them is not printed."""
    if not all(operands):
        return ""
    if _is_sum(formula):
        return with_rounding(" + ".join(operands), formula.rounding)
    named = [f"({text})" if " + " in text else text for text in operands]
    text = OPERAND.sub(lambda found: named[int(found[1]) - 1], formula.text)
    return with_rounding(text, formula.rounding)
