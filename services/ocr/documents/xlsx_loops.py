"""Loops of an XLSX that is a template: the rows that it repeats for each row of its data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from bandsmith.shared.template_markers import Marker, markers

_ROW_VALUE = re.compile(r"\$\{\s*table:[^{}]+\}|(?<![{$])\{\s*(?:[^\W\d]\w*)?\.\w+\s*\}(?!\})")
"""A value that a sheet repeats downwards: ``${table:items.name}``, ``{.name}``, ``{items.name}``"""
_EACH = re.compile(r'jx:each\s*\([^)]{,500}?lastCell\s*=\s*"\$?([A-Z]{1,3})\$?(\d{1,6})"')
"""A comment that repeats the rows from its cell to another one."""


def mark_loops(cells: Iterable[Any]) -> list[tuple[int, int]]:
    """Return the first and last row of each loop of a sheet, and take the marks of loops out of its cells."""
    rows: dict[int, list[Any]] = {}
    for cell in cells:
        rows.setdefault(cell.row, []).append(cell)
    found = [*_between_marks(rows), *_commented(rows)]
    inside = {row for first, last in found for row in range(first, last + 1)}
    for number, row in rows.items():
        if number not in inside and any(_ROW_VALUE.search(_text(cell)) for cell in row):
            found.append((number, number))
    return found


def _between_marks(rows: dict[int, list[Any]]) -> list[tuple[int, int]]:
    """The rows between the marks of a loop. Rows that hold nothing else are not repeated."""
    found, start = list[tuple[int, int]](), None
    for number, row in sorted(rows.items()):
        kinds = {one.kind for cell in row for one in markers(_text(cell))}
        if start is None and "start" in kinds:
            start = number
        if start is not None and "end" in kinds:
            run = [each for each in range(start, number + 1) if each in rows]
            for cell in (cell for each in run for cell in rows[each]):
                _cut(cell, [one for one in markers(_text(cell)) if one.kind in ("start", "end")])
            filled = [each for each in run if any(_text(cell).strip() for cell in rows[each])]
            found += [(filled[0], filled[-1])] if filled else []
            start = None
    return found


def _commented(rows: dict[int, list[Any]]) -> list[tuple[int, int]]:
    comments = ((cell, cell.comment.text) for row in rows.values() for cell in row if getattr(cell, "comment", None))
    return [(cell.row, max(cell.row, int(match[2]))) for cell, text in comments if (match := _EACH.search(text))]


def _text(cell: Any) -> str:
    return cell.value if isinstance(cell.value, str) else ""


def _cut(cell: Any, marks: Sequence[Marker]) -> None:
    text = _text(cell)
    for one in reversed(marks):
        text = text[: one.start] + text[one.end :]
    if marks:
        cell.value = text or None
