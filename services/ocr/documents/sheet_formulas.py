"""Read the formulas of a worksheet's cells, as far as a template can compute them.

Numbers, cells of the same sheet, ``+ - * /`` and percent, and the functions below are read. Anything else, such as IF,
a lookup or another sheet, makes the formula unread: its cell keeps its value. Nothing is evaluated here; openpyxl only
splits the text into tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from decimal import Decimal
from typing import Any, Literal

from openpyxl.formula.tokenizer import Token, Tokenizer, TokenizerError
from openpyxl.utils import column_index_from_string, range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

from bandsmith.shared.model.sheet import CellArea, CellFormula, Rounding

from .sheet_grid import MAX_COLUMNS, MAX_ROWS, cells_in
from .sheet_subtotals import Subtotals

MAX_FORMULA_CHARS = 400
MAX_OPERANDS = 30
MAX_EXPONENT = 30
"""Digits before or after the point of a number in a formula: ``1E+60000000`` would be a text of as many."""
MAX_FORMULAS = 5_000
"""Formulas of a sheet that are read."""
_CELLS = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,5})(?::\$?([A-Z]{1,3})\$?(\d{1,5}))?")
_ROW_NUMBER = re.compile(r"=\+?ROW\((?:\$?[A-Z]{1,3}\$?\d{1,5})?\)(?:[-+]\d{1,5})?")
_COLUMN_OF_TABLE = re.compile(r"(\w{1,80})\[(\[#This Row\],)?\[?([^\[\]@#']{1,80})\]?\]")
_SUBTOTAL = "SUBTOTAL("
_SUMS = frozenset({"SUM(", _SUBTOTAL})
_PRODUCTS = frozenset({"PRODUCT("})
_ROUNDING_MODES: Mapping[str, Literal["HALF_UP", "UP", "DOWN", "FLOOR"]] = {
    "ROUND(": "HALF_UP",
    "ROUNDUP(": "UP",
    "ROUNDDOWN(": "DOWN",
    "TRUNC(": "DOWN",
    "INT(": "FLOOR",
}
_DIGITS = frozenset("0123456")
_ADDING = ("9", "109")
"""What SUBTOTAL is told where it adds up."""


class _Unsupported(Exception):
    """Raised for a formula that a template cannot compute."""


def written_formulas(sheet: Worksheet) -> dict[tuple[int, int], CellFormula | None]:
    """Return the formulas of a sheet that was loaded with them, by row and column; None for one that is not read."""
    cells = [cell for cell in cells_in(sheet, (1, 1, MAX_COLUMNS, MAX_ROWS)) if cell.data_type == "f"]
    subtotals = Subtotals(sheet)
    read = {
        (cell.row, cell.column): read_formula(cell.value, cell.row, cell.column, sheet, subtotals)
        for cell in cells[:MAX_FORMULAS]
    }
    return read | {(cell.row, cell.column): None for cell in cells[MAX_FORMULAS:]}


def read_formula(
    text: Any, row: int, column: int, sheet: Worksheet, subtotals: Subtotals | None = None
) -> CellFormula | None:
    """Return the formula of a cell; None for one that is not read."""
    if not isinstance(text, str) or len(text) > MAX_FORMULA_CHARS:
        return None
    if _ROW_NUMBER.fullmatch(text):
        return CellFormula(text="", operands=[], counts_rows=True)
    try:
        tokens = [token for token in Tokenizer(text).items if token.type != Token.WSPACE]
        whole, rounding = _without_rounding(tokens)
        formula = _Translator(whole, row, sheet, subtotals or Subtotals(sheet)).translate()
    except (_Unsupported, TokenizerError, ValueError, IndexError):
        return None
    above = CellArea(top=row - 1, left=column, bottom=row - 1, right=column)
    counts_rows = formula.text == "{1} + 1" and formula.operands == [above]
    return formula.model_copy(update={"counts_rows": counts_rows, "rounding": rounding})


def _without_rounding(tokens: Sequence[Token]) -> tuple[Sequence[Token], Rounding | None]:
    """Return what a formula rounds as a whole, and how."""
    mode = _ROUNDING_MODES.get(tokens[0].value.upper()) if tokens else None
    if mode is None or not _is_one_call(tokens):
        return tokens, None
    inner = tokens[1:-1]
    has_decimals = len(inner) > 2 and inner[-2].type == Token.SEP and inner[-1].value in _DIGITS
    if has_decimals:
        return inner[:-2], Rounding(decimals=int(inner[-1].value), mode=mode)
    if mode != "FLOOR" and tokens[0].value.upper() != "TRUNC(":
        raise _Unsupported
    return inner, Rounding(decimals=0, mode=mode)


def _is_one_call(tokens: Sequence[Token]) -> bool:
    """Whether the function that a formula begins with ends with the formula."""
    depth = 0
    for number, token in enumerate(tokens):
        depth += (token.subtype == Token.OPEN) - (token.subtype == Token.CLOSE)
        if depth == 0:
            return number == len(tokens) - 1
    return False


class _Translator:
    """Writes a formula with numbered operands from its tokens."""

    def __init__(self, tokens: Sequence[Token], row: int, sheet: Worksheet, subtotals: Subtotals) -> None:
        self._tokens, self._row, self._sheet, self._subtotals = tokens, row, sheet, subtotals
        self._operands: list[CellArea] = []
        self._is_computable = True
        self._functions: list[str] = []
        """The functions and brackets that are open."""

    def translate(self) -> CellFormula:
        """Return the formula. Raises ``_Unsupported``."""
        words, opened, last = list[str](), list[int](), 0
        for at, token in enumerate(self._tokens):
            if token.type == Token.OP_POST and token.value == "%":
                # It binds more closely than every other operator.
                words.insert(last, "(")
                words.append("/ 100 )")
                continue
            if token.subtype == Token.OPEN:
                opened.append(len(words))
            elif token.subtype == Token.CLOSE:
                last = opened.pop()
            else:
                last = len(words)
            words += self._words(at, token)
        if not self._operands or self._functions:
            raise _Unsupported
        return CellFormula(text=" ".join(words), operands=self._operands, is_computable=self._is_computable)

    def _words(self, at: int, token: Token) -> Iterator[str]:
        """Yield what stands for a token in the written formula."""
        if token.type == Token.OPERAND:
            yield self._operand(at, token)
        elif token.type == Token.OP_IN and token.value in "+-*/":
            yield token.value
        elif token.type == Token.OP_PRE:
            yield from "-" if token.value == "-" else ""
        elif token.type in (Token.FUNC, Token.PAREN) and token.subtype == Token.OPEN:
            yield self._opened(at, token.value.upper())
        elif token.type in (Token.FUNC, Token.PAREN):
            yield ")" * (1 + (self._functions.pop() in _SUMS | _PRODUCTS))
        elif token.type == Token.SEP and token.subtype == Token.ARG:
            yield self._separator(at)
        else:
            raise _Unsupported

    def _opened(self, at: int, function: str) -> str:
        is_adding = function != _SUBTOTAL or self._tokens[at + 1].value in _ADDING
        if not (function == "(" or function in _SUMS | _PRODUCTS) or not is_adding:
            raise _Unsupported
        self._functions.append(function)
        return "(" if function == "(" else "(("

    def _separator(self, at: int) -> str:
        function = self._functions[-1]
        if function == "(":
            raise _Unsupported
        if function == _SUBTOTAL and self._is_kind_of_subtotal(at - 1):
            return ""
        return ") * (" if function in _PRODUCTS else ") + ("

    def _is_kind_of_subtotal(self, at: int) -> bool:
        return at > 0 and self._tokens[at].value in _ADDING and self._tokens[at - 1].value.upper() == _SUBTOTAL

    def _operand(self, at: int, token: Token) -> str:
        if token.subtype == Token.NUMBER:
            return "" if self._is_kind_of_subtotal(at) else _number(token.value)
        if token.subtype != Token.RANGE:
            raise _Unsupported
        areas = self._areas(at, token.value)
        self._operands += [area for area in areas if area not in self._operands]
        if len(self._operands) > MAX_OPERANDS:
            raise _Unsupported
        return " + ".join(f"{{{self._operands.index(area) + 1}}}" for area in areas)

    def _areas(self, at: int, text: str) -> list[CellArea]:
        """Return the areas that cells in the formula stand for: several where they hold subtotals."""
        name, _, cells = text.rpartition("!")
        if name and name.strip("'") != self._sheet.title:
            raise _Unsupported
        top, left, bottom, right = self._corners(cells)
        is_summed = self._is_argument(at, _SUMS)
        if (top, left) != (bottom, right) and not is_summed:
            raise _Unsupported
        is_factor = self._is_argument(at, _PRODUCTS)
        area = CellArea(top=top, left=left, bottom=bottom, right=right, is_summed=is_summed, is_factor=is_factor)
        if _SUBTOTAL not in self._functions:
            return [area]
        if not is_summed or self._functions[-1] != _SUBTOTAL:
            raise _Unsupported
        added = self._subtotals.added_areas(area)
        self._is_computable &= added is not None
        return added or [area]

    def _is_argument(self, at: int, functions: Set[str]) -> bool:
        """Whether what stands here is an argument of one of some functions, and it alone."""
        if not (self._functions and self._functions[-1] in functions) or at + 1 >= len(self._tokens):
            return False
        before, after = self._tokens[at - 1], self._tokens[at + 1]
        is_alone = after.type == Token.SEP or after.subtype == Token.CLOSE
        return is_alone and (before.type == Token.SEP or before.value.upper() in functions)

    def _corners(self, cells: str) -> tuple[int, int, int, int]:
        """Return the first row and column, and the last, of cells or of a column of a table."""
        if found := _CELLS.fullmatch(cells.upper()):
            left, top = column_index_from_string(found[1]), int(found[2])
            right, bottom = (column_index_from_string(found[3]), int(found[4])) if found[3] else (left, top)
            if not (top and bottom):
                raise _Unsupported
            return min(top, bottom), min(left, right), max(top, bottom), max(left, right)
        named = _COLUMN_OF_TABLE.fullmatch(cells)
        if named is None:
            raise _Unsupported
        return self._column_of_table(self._sheet.tables, named[1], named[3].strip(), bool(named[2]))

    def _column_of_table(
        self, tables: Mapping[str, Any], name: str, column: str, in_row: bool
    ) -> tuple[int, int, int, int]:
        table = tables.get(name)
        if table is None or column not in (names := [one.name for one in table.tableColumns]):
            raise _Unsupported
        left, top, _, bottom = range_boundaries(table.ref)
        first, last = top + (table.headerRowCount or 0), bottom - (table.totalsRowCount or 0)
        if in_row and not first <= self._row <= last:
            raise _Unsupported
        at = left + names.index(column)
        return (self._row, at, self._row, at) if in_row else (first, at, last, at)


def _number(text: str) -> str:
    number = Decimal(text)
    if not number.is_finite() or abs(number.adjusted()) > MAX_EXPONENT or len(text) > MAX_EXPONENT:
        raise _Unsupported
    return f"{number:f}"
