"""Rows that a description lists cell by cell behind a word such as "data": 数据：苹果 烟台 10 85；香蕉 海南 6 70."""

from __future__ import annotations

import re

from bandsmith.shared.language import normalized_characters

from ..sentence_templates import phrases
from .data_rows import is_row
from .sections import SUBJECT

MIN_CELLS, MAX_CELLS, MAX_ROWS = 2, 40, 200
_ROW_END = re.compile(r"[;。\n]|\.(?=\s+[A-Z\u3400-\u9fff]|\s*$)")
_CELL_END = re.compile(r",(?!\d{3}(?!\d))|[、|\t]")
_NUMBER = re.compile(r"\d")


def rows_apart(text: str) -> tuple[list[list[str]], str]:
    """Return the rows that a text lists, and the text without them; none where they differ in their cells."""
    plain = normalized_characters(text)
    lead = next((phrase for phrase in phrases(SUBJECT, "data", plain) if plain[: phrase.end].endswith(":")), None)
    if lead is None:
        return [], text
    rows, at, has_marks = list[list[str]](), lead.end, False
    while at < len(plain) and len(rows) < MAX_ROWS:
        end = _ROW_END.search(plain, at)
        words = plain[at : end.start() if end else len(plain)]
        has_marks = has_marks or (not rows and _CELL_END.search(words) is not None)
        cells = _cells(words, has_marks)
        if cells and (len(cells) < MIN_CELLS or len(cells) > MAX_CELLS or (rows and len(cells) != len(rows[0]))):
            break
        rows += [cells] if cells else []
        at = end.end() if end else len(plain)
    if not rows or not any(_NUMBER.search(cell) for row in rows for cell in row):
        return [], text
    if any(all(map(is_row, row)) for row in rows):
        return [], text  # each is a row of its own: 苹果50斤3.2元，香蕉30斤2.8元
    return rows, f"{plain[: lead.start].rstrip(' ,')}. {plain[at:]}".strip()


def _cells(words: str, has_marks: bool) -> list[str]:
    """Return the cells of a row: between marks where the rows have some, else between blanks."""
    words = words.strip()
    parts = _CELL_END.split(words) if has_marks else words.split()
    return [part.strip() for part in parts] if words else []
