"""Weight and slant of a PDF's text where the names of its fonts tell neither.

A printer driver names fonts `F1` and `F2`, but the font files that it embeds state how heavy they are. A program
without a bold face makes one itself: it draws each letter twice, the second time a hair's breadth beside the first, or
draws its outline, too.
"""

from __future__ import annotations

import ctypes
import struct
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pypdfium2 import raw

MAX_FONT_BYTES = 32_000_000
"""The file of a larger font is not read."""
WEIGHTS = range(100, 1000)
"""Weights that a font file states in earnest."""
MIN_SHIFT, MAX_SHIFT = 0.005, 0.05
"""Distance of a letter's second drawing from its first, in font sizes, which makes it bold."""
MIN_OUTLINE, MAX_OUTLINE = 0.01, 0.1
"""Width of an outline in the letters' colour, in font sizes, which makes them bold."""
_SAME_PT = 0.06
"""Two drawings of one letter differ by no more in height, and in width."""
_FORM_DEPTH = 4
"""Depth to which text within forms is looked at."""


@dataclass(frozen=True)
class Weights:
    """What a page shows of weight and slant, other than by the names of its fonts."""

    stated: dict[str, int]
    """The weight that the embedded file of a font states, by the font's name without the prefix of a subset."""
    italic: frozenset[str]
    """Names of fonts whose files state that they are italic."""
    thickened: frozenset[int]
    """Addresses of text objects that the page draws heavier than their font."""


def read_weights(page: Any) -> Weights:
    fonts, objects = dict[int, Any](), dict[tuple[int, float], list[_Drawn]]()
    thickened = set[int]()
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=_FORM_DEPTH):
        font = raw.FPDFTextObj_GetFont(item.raw)
        drawn = _drawn(item) if font else None
        if drawn is None:
            continue
        fonts.setdefault(_address(font), font)
        objects.setdefault((_address(font), drawn.size), []).append(drawn)
        if _has_outline(item, drawn.size):
            thickened.add(drawn.address)
    for each in objects.values():
        thickened.update(_drawn_twice(each))
    return _of_fonts(list(fonts.values()), frozenset(thickened))


def _of_fonts(fonts: Sequence[Any], thickened: frozenset[int]) -> Weights:
    """Return what the files of the fonts state; fonts of one name that differ state nothing."""
    found: dict[str, set[tuple[int, bool] | None]] = defaultdict(set)
    for font in fonts:
        found[_name(font)].add(_stated(font))
    sure = {name: next(iter(each)) for name, each in found.items() if len(each) == 1}
    faces = {name: face for name, face in sure.items() if face}
    return Weights(
        {name: weight for name, (weight, _) in faces.items()},
        frozenset(name for name, (_, italic) in faces.items() if italic),
        thickened,
    )


def _name(font: Any) -> str:
    buffer = ctypes.create_string_buffer(256)
    used = raw.FPDFFont_GetBaseFontName(font, buffer, len(buffer))
    return buffer.raw[: max(0, min(used, len(buffer)) - 1)].decode("utf-8", "replace").split("+", 1)[-1]


def _stated(font: Any) -> tuple[int, bool] | None:
    """Return the weight that the embedded file of a font states, and whether it is italic."""
    length = ctypes.c_size_t()
    if raw.FPDFFont_GetIsEmbedded(font) != 1 or not raw.FPDFFont_GetFontData(font, None, 0, length):
        return None
    if not 0 < length.value <= MAX_FONT_BYTES:
        return None
    buffer = (ctypes.c_uint8 * length.value)()
    if not raw.FPDFFont_GetFontData(font, buffer, length.value, length):
        return None
    return face_of_file(bytes(buffer))


def face_of_file(content: bytes) -> tuple[int, bool] | None:
    """Return the weight of a TrueType or OpenType font and whether it is italic, by its table `OS/2`."""
    if content[:4] not in (b"\x00\x01\x00\x00", b"true", b"OTTO") or len(content) < 12:
        return None
    for number in range(struct.unpack_from(">H", content, 4)[0]):
        entry = 12 + 16 * number
        if entry + 16 > len(content):
            return None
        tag, _, start, size = struct.unpack_from(">4sIII", content, entry)
        if tag == b"OS/2" and size >= 64 and start + 64 <= len(content):
            weight, selection = (struct.unpack_from(">H", content, start + at)[0] for at in (4, 62))
            return (weight, bool(selection & 1)) if weight in WEIGHTS else None
    return None


@dataclass(frozen=True)
class _Drawn:
    """A text object and where its ink is."""

    address: int
    left: float
    bottom: float
    right: float
    top: float
    size: float
    """Of its font, in points of the page."""

    def is_beside(self, other: _Drawn) -> bool:
        """Whether `other` is the same drawing, moved to the right by a hair's breadth."""
        shift = other.left - self.left
        return (
            MIN_SHIFT * self.size <= shift <= MAX_SHIFT * self.size
            and abs(other.right - self.right - shift) < _SAME_PT
            and abs(other.bottom - self.bottom) < _SAME_PT
            and abs(other.top - self.top) < _SAME_PT
        )


def _drawn(item: Any) -> _Drawn | None:
    size = ctypes.c_float()
    if not raw.FPDFTextObj_GetFontSize(item.raw, size):
        return None
    matrix = item.get_matrix()
    height = round(size.value * (matrix.c**2 + matrix.d**2) ** 0.5, 2)
    left, bottom, right, top = item.get_bounds()
    if right <= left or top <= bottom or height <= 0:
        return None
    return _Drawn(_address(item.raw), left, bottom, right, top, height)


def _drawn_twice(objects: Sequence[_Drawn]) -> Iterator[int]:
    """Yield the addresses of the text objects of one font and size that are drawn again beside themselves."""
    rows: dict[int, list[_Drawn]] = defaultdict(list)
    for one in objects:
        rows[round(one.bottom)].append(one)
    for row in rows.values():
        row.sort(key=lambda one: one.left)
        for one, other in pairwise(row):
            if one.is_beside(other):
                yield one.address
                yield other.address


def _has_outline(item: Any, size: float) -> bool:
    """Whether the letters of a text object have an outline in their own colour."""
    if raw.FPDFTextObj_GetTextRenderMode(item.raw) != raw.FPDF_TEXTRENDERMODE_FILL_STROKE:
        return False
    width = ctypes.c_float()
    fill, stroke = ([ctypes.c_uint() for _ in range(4)] for _ in range(2))
    known = (
        raw.FPDFPageObj_GetStrokeWidth(item.raw, width)
        and raw.FPDFPageObj_GetFillColor(item.raw, *fill)
        and raw.FPDFPageObj_GetStrokeColor(item.raw, *stroke)
    )
    same = [one.value for one in fill] == [one.value for one in stroke]
    return bool(known) and same and MIN_OUTLINE * size <= width.value <= MAX_OUTLINE * size


def _address(handle: Any) -> int:
    return ctypes.cast(handle, ctypes.c_void_p).value or 0
