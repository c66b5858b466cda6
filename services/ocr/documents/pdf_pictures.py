"""Pictures on a page of a PDF: its images, and logos and charts that it draws with curves and slanting lines."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from pypdfium2 import raw

from bandsmith.shared.model.geometry import Box

from ..page import Word
from .picture_margins import without_margins

MIN_SIDE_PT = 6.0
"""A smaller image or drawing is a bullet or a part of a rule."""
MAX_PAGE_SHARE = 0.4
"""A larger image lies behind the page's content."""
MAX_WORDS_ON_PICTURE = 3
"""A picture with more words than this on it is a background; these words belong to the form."""
JOIN_DISTANCE_PT = 6.0
"""Strips of an image and parts of a drawing that are closer together than this are one picture."""
MIN_STRIPS = 0.7
"""Share of their common box that strips of one image fill."""
MAX_OBJECTS, MAX_SEGMENTS, MAX_FORM_DEPTH = 20_000, 400, 4
"""Bounds on what is looked at: objects of a page, segments of a path, forms within forms."""

_Corners = tuple[float, float, float, float]
"""Left, bottom, right and top in the page's coordinates."""


class _Found(NamedTuple):
    corners: _Corners
    drawn: bool
    """Whether it is a path, not an image."""
    free_form: bool
    """Whether no rule or filled rectangle looks like it."""


def find_pictures(
    page: Any, to_box: Callable[[Any], Box], words: Sequence[Word], pixels: np.ndarray, seals: Sequence[Box] = ()
) -> list[Box]:
    """Return the boxes of the pictures on a page other than its seals, without empty margins that have words on them.

    `to_box` converts an ``FS_RECTF`` to points as displayed; `pixels` are the rendered page.
    """
    whole = to_box(raw.FS_RECTF(left=0, bottom=0, right=page.get_width(), top=page.get_height()))
    images: list[Box] = []
    drawn: list[tuple[Box, bool]] = []
    for found in _objects(page):
        box = _within(to_box(rectangle(found.corners)), whole)
        if box is None or box.area > MAX_PAGE_SHARE * whole.area or _is_part_of(box, seals):
            continue
        if found.drawn:
            drawn.append((box, found.free_form))
        else:
            images.append(box)
    boxes = joined([*_whole_images(images), *_drawings(drawn)], 0.0)
    return [box for box in without_margins(boxes, words, pixels) if _is_picture(box, whole, words)]


def _whole_images(images: list[Box]) -> list[Box]:
    """Join the strips of images. Images that only touch, as a logo and a line below it do, stay apart."""
    whole: list[Box] = []
    for box in joined(images, 1.0):
        parts = [image for image in images if box.holds(*image.middle)]
        are_strips = sum(part.area for part in parts) >= MIN_STRIPS * box.area
        whole += [box] if are_strips else parts
    return whole


def _is_part_of(box: Box, seals: Sequence[Box]) -> bool:
    return any(seal.holds(*box.middle) and box.area <= 1.1 * seal.area for seal in seals)


def _is_picture(box: Box, whole: Box, words: Sequence[Word]) -> bool:
    on_it = sum(box.holds(*word.box.middle) for word in words)
    return (
        min(box.width, box.height) >= MIN_SIDE_PT
        and box.area <= MAX_PAGE_SHARE * whole.area
        and on_it <= MAX_WORDS_ON_PICTURE
    )


def _drawings(paths: list[tuple[Box, bool]]) -> list[Box]:
    """Return the boxes of drawings: neighbouring paths, some of them free-form, with the rectangles among them."""
    free = joined([box for box, free_form in paths if free_form], JOIN_DISTANCE_PT)
    grown = []
    for box in free:
        # Bars of a chart and straight parts of a logo lie inside; a line across the page only passes by.
        inside = [other for other, _ in paths if other.area and other.overlap(box) > 0.8 * other.area]
        grown.append(Box.around([box, *inside]))
    return grown


def joined(boxes: list[Box], distance: float) -> list[Box]:
    """Join boxes that overlap or are at most `distance` apart."""
    joined: list[Box] = []
    for box in boxes:
        whole = box
        # A box that has grown may reach further boxes.
        while near := [other for other in joined if _distance(whole, other) <= distance]:
            joined = [other for other in joined if other not in near]
            whole = Box.around([whole, *near])
        joined.append(whole)
    return joined


def _distance(one: Box, other: Box) -> float:
    across = max(one.x - other.right, other.x - one.right)
    down = max(one.y - other.bottom, other.y - one.bottom)
    return max(across, down)


def _within(box: Box, whole: Box) -> Box | None:
    """Return the part of a box that is on the page."""
    left, top = max(box.x, whole.x), max(box.y, whole.y)
    right, bottom = min(box.right, whole.right), min(box.bottom, whole.bottom)
    return Box.between(left, top, right, bottom) if right > left and bottom > top else None


def rectangle(corners: _Corners) -> Any:
    left, bottom, right, top = corners
    return raw.FS_RECTF(left=left, bottom=bottom, right=right, top=top)


def _objects(page: Any) -> Iterator[_Found]:
    """Yield images and paths of a page, also those inside forms."""
    count = min(raw.FPDFPage_CountObjects(page), MAX_OBJECTS)
    identity = raw.FS_MATRIX(a=1, b=0, c=0, d=1, e=0, f=0)
    for index in range(count):
        yield from _object(raw.FPDFPage_GetObject(page, index), [identity])


def _object(item: Any, matrices: list[Any]) -> Iterator[_Found]:
    """Yield an object, or what is in it. `matrices` are those of the forms around it, outermost first."""
    kind = raw.FPDFPageObj_GetType(item)
    if kind == raw.FPDF_PAGEOBJ_FORM and len(matrices) <= MAX_FORM_DEPTH:
        matrix = raw.FS_MATRIX()
        raw.FPDFPageObj_GetMatrix(item, matrix)
        for index in range(min(raw.FPDFFormObj_CountObjects(item), MAX_OBJECTS)):
            yield from _object(raw.FPDFFormObj_GetObject(item, index), [*matrices, matrix])
    elif kind in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING):
        yield _Found(bounds_of(item, matrices), drawn=False, free_form=True)
    elif kind == raw.FPDF_PAGEOBJ_PATH and _is_visible(item):
        yield _Found(bounds_of(item, matrices), drawn=True, free_form=_is_free_form(item))


def bounds_of(item: Any, matrices: list[Any]) -> _Corners:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    raw.FPDFPageObj_GetBounds(item, left, bottom, right, top)
    points = [(x.value, y.value) for x in (left, right) for y in (bottom, top)]
    for matrix in reversed(matrices):
        points = [(matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f) for x, y in points]
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_visible(path: Any) -> bool:
    """Whether a path is filled or stroked; other paths only clip."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(path, fill, stroke)
    return bool(fill.value or stroke.value)


def _is_free_form(path: Any) -> bool:
    """Whether a path has slanting lines, or curves other than the four corners of a rounded rectangle."""
    count = min(raw.FPDFPath_CountSegments(path), MAX_SEGMENTS)
    curves = 0
    last = (0.0, 0.0)
    for index in range(count):
        segment = raw.FPDFPath_GetPathSegment(path, index)
        x, y = ctypes.c_float(), ctypes.c_float()
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        kind = raw.FPDFPathSegment_GetType(segment)
        across, down = abs(x.value - last[0]), abs(y.value - last[1])
        if kind == raw.FPDF_SEGMENT_LINETO and min(across, down) > 0.5:
            return True
        curves += kind == raw.FPDF_SEGMENT_BEZIERTO
        last = (x.value, y.value)
    # Each curve has three points, and a rounded rectangle four curves and four lines.
    rounded = curves == 12 and count >= 16
    return curves > 0 and not rounded
