"""Loops of a DOCX that is a template: which rows and paragraphs it repeats. The marks that say so are taken out.

Repeated elements carry the number of their loop as an attribute until they are drawn. A loop whose end is missing, one
within a line of text and one over columns stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from docx.document import Document
from docx.oxml.ns import qn

from bandsmith.shared import replies
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.template_markers import Marker, markers

from .drawing import Fragment, LoopArea

_LOOP = "bandsmith-loop"
"""The attribute of a repeated row or paragraph."""
_INNER_SPACE = re.compile(r"(?<=\{\{)\s+(?=[^\W\d][^{}%]{0,59}\}\})|(?<=[\w)])\s+(?=\}\})")
"""Spaces inside a placeholder, at which its text could be divided."""


def mark_loops(document: Document) -> list[replies.Text]:
    """Number the loops of a document, take out their marks, and return what to tell the user about them."""
    body, numbers = document.element.body, count(1)
    for paragraph in body.iter(qn("w:p")):
        _cut(paragraph, [match.span() for match in _INNER_SPACE.finditer(_text(paragraph))])
    conditions = nested = 0
    for table in body.iter(qn("w:tbl")):
        conditions += _number(table.findall(qn("w:tr")), numbers)[1]
    parts = [child for child in body if child.tag in (qn("w:p"), qn("w:tbl"))]
    nested, found = _number(parts, numbers)
    notes = [replies.Text.of("documents.notes.conditions", count=conditions + found)] if conditions + found else []
    return [*notes, *([replies.Text.of("documents.notes.nested_loops")] if nested else [])]


def with_loop(part: Fragment, element: Any, width: float, left: float = 0.0) -> Fragment:
    """Return a row or paragraph with its area, if it is repeated."""
    number = element.get(_LOOP)
    if number is None or part.height <= 0:
        return part
    area = LoopArea(Box(x=left, y=0, width=width, height=part.height), int(number))
    return Fragment([*part.items, area], part.height)


def _number(elements: Sequence[Any], numbers: count[int]) -> tuple[int, int]:
    """Number the loops over neighbours. Return how many hold others, and how many conditions were taken out."""
    nested = conditions = 0
    start, depth = 0, 0
    for index, element in enumerate(elements):
        kinds = [] if element.tag == qn("w:tbl") else [one.kind for one in markers(_text(element))]
        if not depth and "start" in kinds:
            start = index
        is_open, depth = depth > 0 or "start" in kinds, max(0, depth + kinds.count("start") - kinds.count("end"))
        if is_open and not depth and "end" in kinds:
            run = elements[start : index + 1]
            if _is_whole(run):
                nested += _take(run, next(numbers))
        elif kinds and set(kinds) == {"condition"} and _is_bare(element):
            element.getparent().remove(element)
            conditions += 1
    return nested, conditions


def _is_whole(run: Sequence[Any]) -> bool:
    """Whether a loop takes whole elements: nothing stands before its first mark, and nothing after its last."""
    first, last = _text(run[0]), _text(run[-1])
    own, others = markers(first), markers(last)
    begins = next(one for one in own if one.kind == "start")
    ends = [one for one in others if one.kind == "end"][-1]
    if run[0].tag == qn("w:tr"):
        return True
    return not first[: begins.start].strip() and not last[ends.end :].strip()


def _take(run: Sequence[Any], number: int) -> bool:
    """Number the elements of a loop, without its marks. Return whether it holds loops, which then are the only ones."""
    inner = [row for element in run for row in element.iter(qn("w:tr")) if row.get(_LOOP) is not None]
    for element in run:
        if element.tag != qn("w:tbl"):
            if _is_bare(element):
                element.getparent().remove(element)
                continue
            marks = [one for one in markers(_text(element)) if one.kind in ("start", "end")]
            _cut(element, [(one.start, one.end) for one in marks])
        rows = element.findall(qn("w:tr")) if element.tag == qn("w:tbl") else [element]
        for each in rows if not inner else []:
            each.set(_LOOP, str(number))
    return bool(inner)


def _is_bare(element: Any) -> bool:
    """Whether an element holds marks and nothing else."""
    text = _text(element)
    return not _without(text, markers(text)).strip() and not list(element.iter(qn("w:drawing"), qn("w:pict")))


def _without(text: str, marks: Iterable[Marker]) -> str:
    for one in sorted(marks, key=lambda one: -one.start):
        text = text[: one.start] + text[one.end :]
    return text


def _text(element: Any) -> str:
    return "".join(node.text or "" for node in element.iter(qn("w:t")))


def _cut(element: Any, spans: Sequence[tuple[int, int]]) -> None:
    """Take parts out of the text of an element, also where one runs over several runs."""
    at = 0
    for node in element.iter(qn("w:t")):
        text = node.text or ""
        node.text = "".join(
            char for place, char in enumerate(text, at) if not any(start <= place < end for start, end in spans)
        )
        at += len(text)
