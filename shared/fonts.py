"""The font families that templates may use, where their files are, and how large a text is in them.

The report engine's font extension is written from this list, so what is measured here is what the engine prints. Each
family is a font set: its own faces for Latin text, the CJK face for han, kana and hangul, and DejaVu Sans for symbols
such as ☑ and ① and for the letters of further scripts, such as Arabic and Georgian.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import MissingPart
from .model.base import Value
from .model.geometry import Box
from .model.layout import VAlign

if TYPE_CHECKING:
    from PIL import ImageFont

FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/share/fonts-droid-fallback"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".fonts",
    Path.home() / ".local/share/fonts",
)

MONOSPACED = "Liberation Mono"
CJK_FAMILY = "Droid Sans Fallback"
CJK_FILE = "DroidSansFallbackFull.ttf"
SYMBOLS_FROM = "DejaVuSans.ttf"


class Family(Value):
    """File names of a family's four faces; a face that is None is derived from the regular one."""

    regular: str
    bold: str | None = None
    italic: str | None = None
    bold_italic: str | None = None

    def face(self, bold: bool, italic: bool) -> str:
        chosen = {(True, True): self.bold_italic, (True, False): self.bold, (False, True): self.italic}
        return chosen.get((bold, italic)) or self.regular


def _four(stem: str, italic: str = "Italic", regular: str = "-Regular") -> Family:
    return Family(
        regular=f"{stem}{regular}.ttf",
        bold=f"{stem}-Bold.ttf",
        italic=f"{stem}-{italic}.ttf",
        bold_italic=f"{stem}-Bold{italic}.ttf",
    )


FAMILIES: dict[str, Family] = {
    "Liberation Sans": _four("LiberationSans"),
    "Liberation Sans Narrow": _four("LiberationSansNarrow"),
    "Liberation Serif": _four("LiberationSerif"),
    "Liberation Mono": _four("LiberationMono"),
    "DejaVu Sans": _four("DejaVuSans", "Oblique", ""),
    "DejaVu Serif": _four("DejaVuSerif", "Italic", ""),
}
DEFAULT_FAMILY = "Liberation Sans"


def font_folders() -> list[Path]:
    """Return the folders in which fonts are looked for: those of ``BANDSMITH_FONTS``, then the usual ones."""
    return [*(Path(extra) for extra in os.environ.get("BANDSMITH_FONTS", "").split(os.pathsep) if extra), *FOLDERS]


@lru_cache
def font_file(name: str) -> Path:
    """Return the path of a font file. Raises ``MissingPart`` when it is not installed."""
    for folder in font_folders():
        for found in sorted(folder.rglob(name)):
            return found
    raise MissingPart.of("fonts.missing", code=MissingPart.code, name=name)


class Measure(Value):
    """The size of one line of text, in points; `ink` is relative to the start of its baseline, y down.

    The report engine uses the same measures. It prints n lines into an element that is at least n line heights high
    and silently omits what does not fit. The first baseline is `leading + ascent` below the top of the text, each
    further one a `line_height` lower. The space that is left in the element lies below the text (Top), above it
    (Bottom), or half above and half below (Middle).
    """

    advance: float
    ink: Box
    ascent: float
    descent: float
    leading: float = 0.0

    @property
    def line_height(self) -> float:
        return self.leading + self.ascent + self.descent

    @property
    def first_baseline(self) -> float:
        """Distance of the first baseline from the top of the text."""
        return self.leading + self.ascent

    def baseline(self, height: float, valign: VAlign = "Top", lines: int = 1) -> float:
        """Return the distance of the first baseline from the top of an element of `height` points without padding."""
        spare = height - lines * self.line_height
        return self.first_baseline + spare * {"Top": 0.0, "Middle": 0.5, "Bottom": 1.0}[valign]


_UNITS = 256
"""Fonts are loaded once at this size and measures are scaled, so that hinting has no effect."""


@lru_cache(maxsize=32)
def _face(name: str) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont  # noqa: PLC0415 - every service imports this module, few measure text

    return ImageFont.truetype(str(font_file(name)), _UNITS, layout_engine=ImageFont.Layout.BASIC)


def _open_font(name: str) -> Any:
    """Open a face's file; its tables are read as they are needed."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - as above

    return TTFont(font_file(name), lazy=True)


@lru_cache(maxsize=32)
def _heights(name: str) -> tuple[float, float, float]:
    """Return ascent, descent and line gap of a face at size 1."""
    font = _open_font(name)
    head, unit = font["hhea"], font["head"].unitsPerEm
    return head.ascent / unit, -head.descent / unit, head.lineGap / unit


def is_cjk(char: str) -> bool:
    """Whether a character is printed in the CJK face: han, kana, hangul, their punctuation and full-width forms."""
    code = ord(char)
    if 0xFE70 <= code <= 0xFEFF:  # forms of Arabic letters
        return False
    return 0x2E80 <= code <= 0x9FFF or 0xAC00 <= code <= 0xD7AF or 0xF900 <= code <= 0xFAFF or 0xFE30 <= code <= 0xFFEF


_FIRST_SYMBOL = "\u0370"
"""Behind the Latin letters and the accents that are combined with them."""
_PRIVATE_USE = range(0xE000, 0xF900)


@lru_cache
def symbols() -> frozenset[int]:
    """Return the characters printed in the symbols face: those of DejaVu Sans that the default family lacks."""
    has = _open_font(FAMILIES[DEFAULT_FAMILY].regular).getBestCmap()
    return frozenset(
        code
        for code in _open_font(SYMBOLS_FROM).getBestCmap()
        if ord(_FIRST_SYMBOL) <= code <= 0xFFFF
        and code not in _PRIVATE_USE
        and code not in has
        and not is_cjk(chr(code))
    )


def _face_of(char: str) -> str | None:
    """Return the file of the face in which a character is printed; None for the family's own face."""
    if is_cjk(char):
        return CJK_FILE
    if char >= _FIRST_SYMBOL and ord(char) in symbols():
        return SYMBOLS_FROM
    return None


def face_of(char: str, family: str, bold: bool, italic: bool) -> str:
    """Return the file of the face in which a family prints a character."""
    return _face_of(char) or FAMILIES[family].face(bold, italic)


@lru_cache
def _printable() -> frozenset[int]:
    faces = (FAMILIES[DEFAULT_FAMILY].regular, CJK_FILE)
    return symbols().union(*(_open_font(face).getBestCmap() for face in faces))


def unprintable(text: str) -> str:
    """Return the characters of a text that no face has: the engine prints empty boxes for them."""
    return "".join(char for char in text if unicodedata.category(char)[0] in "LNPS" and ord(char) not in _printable())


MAX_MEASURED_CHARS = 2_000
"""Characters of a line that are measured: so many are wider than any page, and the library refuses a million."""


class _Run(NamedTuple):
    """Characters of a line that are printed in one face."""

    text: str
    face: str
    thicker: float
    """How much wider each glyph is. Where a family has no bold face, the engine thickens the regular one."""

    @property
    def length(self) -> float:
        return _face(self.face).getlength(self.text) + self.thicker * len(self.text)


def _runs(text: str, family: str, bold: bool, italic: bool) -> Iterator[_Run]:
    listed = FAMILIES[family]
    primary = listed.face(bold, italic)
    for file, group in groupby(text[:MAX_MEASURED_CHARS] or " ", key=_face_of):
        is_thickened = bold and (file is not None or primary == listed.regular)
        yield _Run("".join(group), file or primary, _UNITS / 32 if is_thickened else 0.0)


class LineSize(NamedTuple):
    """The size of one line of text without its ink; the fields are those of ``Measure``."""

    advance: float
    ascent: float
    descent: float
    leading: float

    @property
    def line_height(self) -> float:
        return self.leading + self.ascent + self.descent


@lru_cache(maxsize=20_000)
def line_size(text: str, family: str, size: float, bold: bool = False, italic: bool = False) -> LineSize:
    """Measure one line of `text` without drawing it. Raises ``KeyError`` for a family that is not listed."""
    pen, ascent, descent, below = 0.0, 0.0, 0.0, 0.0
    for run in _runs(text, family, bold, italic):
        pen += run.length
        up, under, gap = _heights(run.face)
        ascent, descent, below = max(ascent, up), max(descent, under), max(below, under + gap)
    return LineSize(pen * size / _UNITS, ascent * size, descent * size, (below - descent) * size)


@lru_cache(maxsize=20_000)
def measure(text: str, family: str, size: float, bold: bool = False, italic: bool = False) -> Measure:
    """Measure one line of `text` at `size` points. Raises ``KeyError`` for a family that is not listed."""
    pen = 0.0
    left, top, right, bottom = float("inf"), float("inf"), float("-inf"), float("-inf")
    for run in _runs(text, family, bold, italic):
        mask, (across, down) = _face(run.face).getmask2(run.text, mode="1", anchor="ls")
        if inked := mask.getbbox():
            x0, y0, x1, y1 = inked
            left, top = min(left, pen + across + x0), min(top, down + y0 - run.thicker)
            right, bottom = max(right, pen + across + x1 + run.thicker * len(run.text)), max(bottom, down + y1)
        pen += run.length
    if right < left:
        left = top = right = bottom = 0.0
    scale = size / _UNITS
    ink = Box.between(left * scale, top * scale, right * scale, bottom * scale)
    return Measure(ink=ink, **line_size(text, family, size, bold, italic)._asdict())
