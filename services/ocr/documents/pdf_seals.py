"""Seals of a PDF: round drawings or images that are stamped over the form's own text.

A document can be drawn without them, and they without the document. So what they cover is read as if it were not
covered, and they are printed over it again as pictures, with the letters that run around them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from pypdfium2 import raw

from bandsmith.shared.model.geometry import Box

from ..flatten.seal import MAX_SEAL_PT, MAX_SEAL_RATIO, MIN_SEAL_PT
from ..page import Word
from .pdf_pictures import JOIN_DISTANCE_PT, MAX_FORM_DEPTH, MAX_OBJECTS, MAX_SEGMENTS, bounds_of, joined, rectangle

MAX_CLIPS = 8
"""Paths that clip an object, of which are looked at."""
MIN_CROSSED_SHARE, MAX_INSIDE_SHARE = 0.1, 0.9
"""Share of a text that a seal over it covers, at least and at most; what lies inside a seal altogether is its own."""


class DrawnSeal(NamedTuple):
    """A seal and the objects of the page that draw it."""

    box: Box
    objects: list[Any]


def find_seals(page: Any, to_box: Callable[[Any], Box], words: Sequence[Word]) -> list[DrawnSeal]:
    """Return the seals over the text of a page. `to_box` converts an ``FS_RECTF`` to points as displayed."""
    items = list(_items(page, to_box))
    drawn = [box for item, box in items if _may_be_seal(item) and max(box.width, box.height) <= MAX_SEAL_PT]
    seals = []
    for box in joined(drawn, JOIN_DISTANCE_PT):
        if _is_round(box) and any(_crosses(word.box, box) for word in words):
            own = [item for item, other in items if other.overlap(box) >= MAX_INSIDE_SHARE * max(other.area, 1.0)]
            seals.append(DrawnSeal(box, own))
    return seals


def without_letters(words: Sequence[Word], seals: Sequence[DrawnSeal]) -> list[Word]:
    """Return the words without the letters of seals."""
    return [word for word in words if not any(_is_inside(word.box, seal.box) for seal in seals)]


@contextmanager
def hidden(objects: Sequence[Any]) -> Iterator[None]:
    """Draw the page without some of its objects for this block."""
    for item in objects:
        raw.FPDFPageObj_SetIsActive(item, False)
    try:
        yield
    finally:
        for item in objects:
            raw.FPDFPageObj_SetIsActive(item, True)


def _items(page: Any, to_box: Callable[[Any], Box]) -> Iterator[tuple[Any, Box]]:
    """Yield the objects of a page with their boxes; what is in a form that is larger than a seal, one by one."""
    identity = raw.FS_MATRIX(a=1, b=0, c=0, d=1, e=0, f=0)
    count = min(raw.FPDFPage_CountObjects(page), MAX_OBJECTS)
    waiting = [(raw.FPDFPage_GetObject(page, n), [identity]) for n in range(count)]
    while waiting:
        item, matrices = waiting.pop(0)
        box = to_box(rectangle(bounds_of(item, matrices)))
        is_form = raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_FORM
        if not is_form or max(box.width, box.height) <= MAX_SEAL_PT:
            yield item, box
        elif len(matrices) <= MAX_FORM_DEPTH:
            matrix = raw.FS_MATRIX()
            raw.FPDFPageObj_GetMatrix(item, matrix)
            inner = min(raw.FPDFFormObj_CountObjects(item), MAX_OBJECTS)
            waiting += [(raw.FPDFFormObj_GetObject(item, n), [*matrices, matrix]) for n in range(inner)]


def _may_be_seal(item: Any) -> bool:
    kind = raw.FPDFPageObj_GetType(item)
    if kind == raw.FPDF_PAGEOBJ_PATH:
        return any(kind == raw.FPDF_SEGMENT_BEZIERTO for kind in _segments(item))
    return kind in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM)


def _segments(path: Any) -> Iterator[int]:
    """Yield the kinds of the segments of a path, and of the ones which clip it: a ring may be a clipped rectangle."""
    for n in range(min(raw.FPDFPath_CountSegments(path), MAX_SEGMENTS)):
        yield raw.FPDFPathSegment_GetType(raw.FPDFPath_GetPathSegment(path, n))
    clip = raw.FPDFPageObj_GetClipPath(path)
    for one in range(min(raw.FPDFClipPath_CountPaths(clip), MAX_CLIPS) if clip else 0):
        for n in range(min(raw.FPDFClipPath_CountPathSegments(clip, one), MAX_SEGMENTS)):
            yield raw.FPDFPathSegment_GetType(raw.FPDFClipPath_GetPathSegment(clip, one, n))


def _is_round(box: Box) -> bool:
    short, long = sorted((box.width, box.height))
    return short >= MIN_SEAL_PT and long <= min(MAX_SEAL_PT, MAX_SEAL_RATIO * short)


def _is_inside(text: Box, seal: Box) -> bool:
    return text.overlap(seal) >= MAX_INSIDE_SHARE * text.area


def _crosses(text: Box, seal: Box) -> bool:
    """Whether a text runs below a seal and beyond it."""
    return MIN_CROSSED_SHARE * text.area <= text.overlap(seal) and not _is_inside(text, seal)
