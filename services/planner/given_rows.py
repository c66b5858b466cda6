"""The numbers in a model's answer about a form, and where the rows are that it gives or leaves as they are."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bandsmith.shared.llm.answers.report import FormAnswer
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, TextLine

_NUMBER = re.compile(r"[ab]?[1-9]\d{0,3}(\.[1-9]\d?)?", re.ASCII)
"""The number of a text, of its part, of one that the model added, or of a place to fill in."""


def numbers_in(text: str) -> list[str]:
    return [word for word in text.replace(",", " ").split() if _NUMBER.fullmatch(word)]


def cells_of(row: str, count: int) -> list[list[str]]:
    """Return the numbers in each cell of a row; what is beyond the last column belongs to it."""
    cells = [numbers_in(cell) for cell in row.split("|")]
    return [*cells[: count - 1], [n for cell in cells[count - 1 :] for n in cell], *([[]] * (count - len(cells)))]


def later_rows(answer: FormAnswer, layout: Layout, texts: Mapping[str, TextLine]) -> list[Box]:
    """Return where the rows below the first ones are: what they print is what the first row prints."""
    if answer.rows_are_right:
        tables = [rows for rows in layout.tables if rows.rows > 1]
        return [Box.between(rows.box.x, rows.tops[1], rows.box.right, rows.box.bottom) for rows in tables]
    found = []
    for table in answer.tables:
        boxes = [texts[n].box for row in table.rows[1:] for n in numbers_in(row.replace("|", " ")) if n in texts]
        found += [Box.around(boxes)] if boxes else []
    return found
