"""What has a name in a template that was made from a form: its values, columns and lists, each with a number.

A model that names them is shown a line for each, and the page with their numbers where they stand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from lxml import etree

from bandsmith.shared.jrxml.dom import local_name
from bandsmith.shared.jrxml.expressions import LETTERS, expression_nodes, referenced_names
from bandsmith.shared.jrxml.writer import source_of
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Layout, Picture, TickBox
from bandsmith.shared.model.plan import Data

from .field_mapping import LOCALE

MAX_PARTS = 200
"""Values, columns and lists that a model is shown,"""
MAX_VALUES, MAX_VALUE_CHARS = 3, 60
"""values of each, and characters of each value."""
MAX_PAGE_CHARS = 6_000
"""Characters of the page that a model is shown."""
MAX_WORDING_CHARS = 80
"""Characters of each wording on it."""
MIN_LEVEL_SHARE = 0.4
"""Share of the lower of two texts that is level with the other one if they stand on one line."""
PNG_IN_BASE64 = "iVBORw0KGgo"
"""How the value of a picture begins."""

Scope = Literal["parameter", "field", "list"]
Value = str | int | float | bool | None


class NamedPart(NamedTuple):
    """A value, a list, or a column of the main table or of a list."""

    scope: Scope
    name: str
    values: Sequence[Value]
    table: str = ""
    """The list that a column belongs to; empty for the main table."""


Parts = Mapping[str, NamedPart]
"""What has a name, by its number."""


def named_parts(data: Data) -> dict[str, NamedPart]:
    """Return the values, the columns of the main table, and each list with its columns."""
    found = [NamedPart("parameter", name, [value]) for name, value in data.parameters.items() if name != LOCALE]
    found += _columns(data.rows)
    for name, rows in data.lists.items():
        found += [NamedPart("list", name, [None] * len(rows)), *_columns(rows, name)]
    return {str(number): part for number, part in enumerate(found[:MAX_PARTS], 1)}


def _columns(rows: Sequence[Mapping[str, Value]], table: str = "") -> list[NamedPart]:
    return [NamedPart("field", name, [row.get(name) for row in rows], table) for name in (rows[0] if rows else {})]


def marks_by_part(root: etree._Element, parts: Parts) -> dict[str, list[str]]:
    """Return the ids of the marks of the form that print each part, by its number."""
    numbers = {(LETTERS.get(part.scope), part.name): number for number, part in parts.items()}
    found: dict[str, list[str]] = {}
    for node in expression_nodes(root):
        element = node.getparent()
        if element is None or local_name(element) not in ("textField", "image"):
            continue
        for letter in "PF":
            for name in referenced_names(node.text or "", letter):
                if number := numbers.get((letter, name)):
                    found.setdefault(number, []).append(source_of(element))
    return {number: [*dict.fromkeys(sources)] for number, sources in found.items()}


def labels_by_part(marks: Mapping[str, Sequence[str]], labels: Mapping[str, str]) -> dict[str, str]:
    """Return the labels of parts by number; `labels` are those of the form by the ids of its marks."""
    found = {number: next((labels[one] for one in own if labels.get(one)), "") for number, own in marks.items()}
    return {number: label for number, label in found.items() if label}


def described(parts: Parts, labels: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each part: its number and name, its label, and a few of its values."""
    for number, part in parts.items():
        if part.scope == "list":
            yield f"{number} {part.name}: a list of {len(part.values)} rows, with these columns"
            continue
        kind = "column " if part.scope == "field" else ""
        values = json.dumps([_shortened(value) for value in part.values[:MAX_VALUES]], ensure_ascii=False)
        yield f"{kind}{number} {part.name} ({labels.get(number, '')}): {values[1:-1]}"


def _shortened(value: Value) -> Value:
    """Return a value as a model is shown it: a number is told from a text that looks like one."""
    if isinstance(value, int | float):
        return value
    return "(picture)" if str(value).startswith(PNG_IN_BASE64) else str(value or "")[:MAX_VALUE_CHARS]


def page_with_numbers(layout: Layout, marks: Mapping[str, Sequence[str]]) -> str:
    """Return the page line by line, with ``{4}`` where part 4 is printed; of rows that repeat the first ones."""
    numbers: dict[str, list[str]] = {}
    for number, sources in marks.items():
        for source in sources:
            numbers.setdefault(source, []).append(f"{{{number}}}")
    later = {name for rows in layout.row_sets for slot in rows.slots for name in slot.blocks[1:]}
    texts = [
        (block.box, " ".join([*block.prefix.split(), *numbers[block.id]]) if block.id in numbers else block.text)
        for block in layout.blocks
        if block.id in numbers or (block.text and block.id not in later)
    ]
    others: list[Blank | TickBox | Picture] = [*layout.blanks, *layout.tick_boxes, *layout.pictures]
    texts += [(mark.box, " ".join(numbers[mark.id])) for mark in others if mark.id in numbers]
    lines = ["   ".join(text[:MAX_WORDING_CHARS].replace("\n", " ") for text in line) for line in _lines(texts)]
    return "\n".join(lines)[:MAX_PAGE_CHARS]


def _lines(texts: Sequence[tuple[Box, str]]) -> list[list[str]]:
    """Return texts by the line that they stand on, from top to bottom and from left to right."""
    lines: list[list[tuple[Box, str]]] = []
    for box, text in sorted(texts, key=lambda one: one[0].middle[1]):
        if lines and lines[-1][0][0].level_share(box) >= MIN_LEVEL_SHARE:
            lines[-1].append((box, text))
        else:
            lines.append([(box, text)])
    return [[text for _, text in sorted(line, key=lambda one: one[0].x)] for line in lines]
