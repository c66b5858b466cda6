"""PDF: a page rendered, with its exact words; a scanned page is read like an image."""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import cv2
import numpy as np
import pypdfium2 as pdfium
from pypdfium2 import raw

from bandsmith.shared import replies
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import TextStyle

from ..flatten.seal import seal_picture
from ..page import SCALE, Page, PageImage, Seal, Word, page_size, pixel_shape
from .font_mapping import family_by_name, family_by_widths, match_family
from .ideographs import unified
from .pdf_pictures import find_pictures
from .pdf_seals import find_seals, hidden, without_letters
from .pdf_weights import Weights, read_weights

SUFFIXES = (".pdf",)
BOLD_WEIGHT, MAX_WEIGHT = 600, 1000
"""Weights from which on a font is bold, and up to which one is stated in earnest: some state thousands."""
MIN_WATERMARK_PT, MIN_SLANT = 24, 10
"""Characters of this size, turned by so many degrees from the page's edges, are a watermark."""
MIN_LEAN, MAX_LEAN = 5, 45
"""Degrees by which slanted letters lean."""
MAX_MEASURED_CHARS = 6000
"""Characters of a page that are looked at to tell its fonts."""
MIN_VISIBLE_PT = 1.0
"""Smaller characters cannot be seen."""
MAX_WORDS = 10_000
"""A page with more words, which is more than fits, is read like an image: comparing them takes too long."""
MAX_OBJECTS = 400_000
"""Drawing operations of a page. PDFium keeps 250 bytes for each, and asking for each takes 3 microseconds."""
_HYPHEN = 0x02
"""PDFium's code for a hyphen at the end of a line."""
_MAX_CODE = 0x110000
_HIGH_SURROGATES, _LOW_SURROGATES, _SURROGATES = range(0xD800, 0xDC00), range(0xDC00, 0xE000), range(0xD800, 0xE000)
_PDFIUM_LOCK = threading.Lock()
"""PDFium is not thread-safe."""


SAME_PLACE_PT = 0.5
"""Words whose corners are no further apart stand in the same place."""


def looks_like(content: bytes) -> bool:
    return b"%PDF-" in content[:1024]


def read(content: bytes, size: Size | None, number: int = 1) -> Page | PageImage:
    """Return a page of a PDF, counted from 1, or its picture where it was scanned.

    Raises ``BadInput`` when it is damaged, protected or too large.
    """
    with _PDFIUM_LOCK:
        page, count = _read_page(content, size, number)
    left_out = replies.Text.of("documents.notes.pdf_pages", count=count) if count > 1 else None
    if page.words is None:
        return PageImage(page.pixels, page.size, pages=count, left_out=left_out)
    return replace(page, pages=count, left_out=left_out)


def _read_page(content: bytes, size: Size | None, number: int) -> tuple[Page, int]:
    """Return a page as it is drawn, and the number of pages."""
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        protected = getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD
        raise BadInput.of("documents.password" if protected else "documents.pdf") from None
    try:
        if not 1 <= number <= len(document):
            raise BadInput.of("documents.pdf")
        page = _flattened_page(document, number - 1)
        stated = page_size(*page.get_size())
        size = size or stated
        words = _words(page, size)
        if words is None:
            return Page(_render(page, size), size), len(document)
        return _drawn_page(page, size, words), len(document)
    except pdfium.PdfiumError:
        raise BadInput.of("documents.pdf") from None
    finally:
        document.close()


def _drawn_page(page: Any, size: Size, words: list[Word]) -> Page:
    """Return a page that carries its words, with its pictures, and with what its seals cover."""
    to_box = _box_converter(page, size)
    pixels = _render(page, size)
    seals = find_seals(page, to_box, words)
    faded, stamps = None, list[Seal]()
    if seals:
        words = without_letters(words, seals)
        with hidden([item for seal in seals for item in seal.objects]):
            faded = _render(page, size)
        stamps = [Seal(seal.box, seal_picture(seal.box, pixels, faded)) for seal in seals]
    pictures = find_pictures(page, to_box, words, pixels, [seal.box for seal in seals])
    return Page(pixels, size, words, pictures=pictures, seals_faded=faded, seals=stamps)


def _flattened_page(document: Any, index: int) -> Any:
    """Return a page with what was typed into form fields and annotations as a part of it.

    It is then drawn and read like the rest.
    """
    # PDFium refuses to flatten a page that was loaded before its form environment.
    document.init_forms()
    page = document[index]
    if raw.FPDFPage_CountObjects(page) > MAX_OBJECTS:
        raise BadInput.of("documents.slow")
    # Flattening makes a page whose size is inherited from its parent a Letter page, so the page gets its own.
    page.set_mediabox(*page.get_bbox())
    # Even with nothing to flatten, PDFium takes as much memory again as the page has.
    if raw.FPDFPage_GetAnnotCount(page) == 0:
        return page
    # The wrapper refuses a document without form fields, whose annotations have text all the same.
    if raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY) != raw.FLATTEN_SUCCESS:
        return page
    page.close()
    return document[index]


def _render(page: Any, size: Size) -> np.ndarray:
    width, height = page.get_size()
    scale = max(size.width / width, size.height / height) * SCALE
    rendered = page.render(scale=scale, fill_color=(255, 255, 255, 255)).to_numpy()
    pixels = np.ascontiguousarray(rendered[:, :, :3])
    rows, columns = pixel_shape(size)
    if max(abs(pixels.shape[0] - rows), abs(pixels.shape[1] - columns)) > 2:
        return cv2.resize(pixels, (columns, rows), interpolation=cv2.INTER_AREA)
    below, right = max(0, rows - pixels.shape[0]), max(0, columns - pixels.shape[1])
    return cv2.copyMakeBorder(pixels[:rows, :columns], 0, below, 0, right, cv2.BORDER_REPLICATE)


class _Char(NamedTuple):
    text: str
    box: Box
    """In points of the page as displayed."""
    turn: int
    """Direction of its line in degrees, as displayed."""
    style: TextStyle
    owner: int | None
    """The text object that it belongs to."""


def _words(page: Any, size: Size) -> list[Word] | None:
    """Return the visible words of the page; None when they are not all of its text."""
    if _is_scan(page):
        return None
    chars = list(_chars(page, size))
    # Without a map to Unicode, a font's codes mean nothing, but the shapes can still be recognised.
    unknown = sum(char is not None and _is_unmapped(char.text) for char in chars)
    if not any(chars) or unknown > 0.05 * len(chars):
        return None
    words: list[Word] = []
    run: list[_Char] = []
    for index, char in enumerate([*chars, None]):
        if run and (char is None or not _continues(run[-1], char)):
            if run[0].style.size >= MIN_VISIBLE_PT:
                box = Box.around(char.box for char in run)
                after = chars[index + 1] if char is None and index + 1 < len(chars) else None
                goes_on = after is not None and run[-1].owner == after.owner
                words.append(Word("".join(char.text for char in run), box, run[0].style, goes_on))
            run = []
        if char is not None:
            run.append(char)
    words = _painted_once(words)
    return words if 0 < len(words) <= MAX_WORDS else None


def _painted_once(words: list[Word]) -> list[Word]:
    """Return the words without the ones that the document paints again in the same place."""
    kept: list[Word] = []
    places: dict[str, list[Box]] = {}
    for word in words:
        box = word.box
        known = places.setdefault(word.text, [])
        if all(max(abs(box.x - one.x), abs(box.y - one.y)) > SAME_PLACE_PT for one in known):
            kept.append(word)
            known.append(box)
    return kept


def _is_scan(page: Any) -> bool:
    """Whether one image covers most of the page: its text, if any, then comes from a scanner's own OCR."""
    width, height = page.get_size()
    for image in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        left, bottom, right, top = image.get_bounds()
        if (right - left) * (top - bottom) > 0.75 * width * height:
            return True
    return False


def _is_unmapped(char: str) -> bool:
    return char == "\ufffd" or "\ue000" <= char <= "\uf8ff" or ord(char) < 32


def _continues(before: _Char, char: _Char) -> bool:
    """Whether a character follows the one before on the same line, in the same direction, without a gap."""
    if char.turn != before.turn or char.style != before.style:
        return False
    if char.turn % 180:
        return abs(char.box.x - before.box.x) < 0.3 * before.box.width
    is_ligature = char.box == before.box
    gap = 0.0 if is_ligature else char.box.x - before.box.right
    return abs(char.box.bottom - before.box.bottom) < 0.3 * before.box.height and abs(gap) < 0.5 * char.style.size


def _chars(page: Any, size: Size) -> Iterator[_Char | None]:
    """Yield the visible characters in reading order; None stands for white space."""
    text = page.get_textpage()
    turned = page.get_rotation()
    width, height = page.get_size()
    weights = read_weights(page)
    families = _measured_families(text, weights)
    codes = [raw.FPDFText_GetUnicode(text, i) for i in range(raw.FPDFText_CountChars(text))]
    for i, (code, char) in enumerate(zip(codes, characters(codes), strict=True)):
        if not char:
            continue
        owner = raw.FPDFText_GetTextObject(text, i)
        invisible = owner and raw.FPDFTextObj_GetTextRenderMode(owner) == raw.FPDF_TEXTRENDERMODE_INVISIBLE
        if char.isspace() or code == 0 or raw.FPDFText_IsGenerated(text, i) == 1 or invisible:
            yield None
            continue
        box = raw.FS_RECTF()
        raw.FPDFText_GetLooseCharBox(text, i, box)
        shown = _to_displayed_box(page, box, size, (width, height))
        if shown.right <= 0 or shown.bottom <= 0 or shown.x >= size.width or shown.y >= size.height:
            continue
        angle = _direction(_matrix(text, i)) + turned
        text_object = ctypes.cast(owner, ctypes.c_void_p).value if owner else None
        style = _style(text, i, size.height / height, families, weights)
        if text_object in weights.thickened:
            style = style.model_copy(update={"bold": True})
        if style.size >= MIN_WATERMARK_PT and MIN_SLANT <= angle % 90 <= 90 - MIN_SLANT:
            yield None
            continue
        yield _Char(unified(char), shown, angle % 360, style, text_object)


def characters(codes: Sequence[int]) -> list[str]:
    """Return the character of each code; PDFium gives one beyond 16 bits as two codes, of which the second is empty.

    It gives a hyphen at the end of a line as a code of its own.
    """
    found = ["-" if code == _HYPHEN else chr(code) if code < _MAX_CODE else "\ufffd" for code in codes]
    for i, code in enumerate(codes):
        if code in _HIGH_SURROGATES and i + 1 < len(codes) and codes[i + 1] in _LOW_SURROGATES:
            pair = (code - _HIGH_SURROGATES.start << 10) + codes[i + 1] - _LOW_SURROGATES.start
            found[i], found[i + 1] = chr(0x10000 + pair), ""
    return ["\ufffd" if char and ord(char) in _SURROGATES else char for char in found]


def _box_converter(page: Any, size: Size) -> Callable[[Any], Box]:
    displayed = page.get_size()
    return lambda rect: _to_displayed_box(page, rect, size, displayed)


def _to_displayed_box(page: Any, box: Any, size: Size, displayed: tuple[float, float]) -> Box:
    """Convert a box from page coordinates (y up, unrotated) to points of the page as displayed."""
    fine = 100  # PDFium rounds to whole units; hundredths keep the fraction
    corners = []
    for x, y in ((box.left, box.top), (box.right, box.bottom)):
        across, down = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(
            page,
            0,
            0,
            round(displayed[0] * fine),
            round(displayed[1] * fine),
            0,
            x,
            y,
            ctypes.byref(across),
            ctypes.byref(down),
        )
        corners.append(
            (across.value / fine * size.width / displayed[0], down.value / fine * size.height / displayed[1]),
        )
    (x1, y1), (x2, y2) = corners
    return Box.between(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))


def _measured_families(text: Any, weights: Weights) -> dict[str, str]:
    """Return the families of the fonts whose names say nothing, by the widths of their characters."""
    widths: dict[str, dict[str, float]] = {}
    for i in range(min(raw.FPDFText_CountChars(text), MAX_MEASURED_CHARS)):
        char, name = chr(raw.FPDFText_GetUnicode(text, i) % 0x110000), _font(text, i)[0]
        size = raw.FPDFText_GetFontSize(text, i)
        if family_by_name(name) or not char.isascii() or not char.isalnum() or size <= 0:
            continue
        box = raw.FS_RECTF()
        raw.FPDFText_GetLooseCharBox(text, i, box)
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(text, i, matrix)
        if abs(matrix.b) < 0.01 * abs(matrix.a):  # text that is not turned
            widths.setdefault(name, {})[char] = (box.right - box.left) / (size * abs(matrix.a))
    found = {name: family_by_widths(each, is_bold(name, weights.stated.get(name, 0))) for name, each in widths.items()}
    return {name: family for name, family in found.items() if family}


def is_bold(name: str, weight: int = 0) -> bool:
    """Whether a font is bold: by its name, else by the weight that it states.

    What the file of a font states is its own weight; what a document states of a font is often not.
    """
    lower = name.lower()
    if any(word in lower for word in ("bold", "black", "heavy")):
        return True
    return BOLD_WEIGHT <= weight <= MAX_WEIGHT and not any(word in lower for word in _REGULAR_NAMES)


def _style(text: Any, i: int, scale: float, families: Mapping[str, str], weights: Weights) -> TextStyle:
    """Return the style of a character. `families` are those of fonts that were measured."""
    name, flags = _font(text, i)
    matrix = _matrix(text, i)
    size = raw.FPDFText_GetFontSize(text, i) * math.hypot(matrix.b, matrix.d) * scale
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    raw.FPDFText_GetFillColor(text, i, red, green, blue, alpha)
    lower = name.lower()
    return TextStyle(
        family=families.get(name) or match_family(name, serif=bool(flags & _SERIF), fixed=bool(flags & _FIXED_PITCH)),
        size=round(size, 2),
        bold=is_bold(name, weights.stated.get(name) or raw.FPDFText_GetFontWeight(text, i)),
        italic=(
            bool(flags & _ITALIC)
            or name in weights.italic
            or "italic" in lower
            or "oblique" in lower
            or _is_slanted(matrix)
        ),
        colour=f"#{red.value:02X}{green.value:02X}{blue.value:02X}",
    )


def _matrix(text: Any, i: int) -> Any:
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text, i, matrix)
    return matrix


def _direction(matrix: Any) -> int:
    """Return the direction of a character's line in degrees, clockwise.

    PDFium's own angle is that of its strokes, which an upright face that is slanted to look italic turns, too.
    """
    return round(math.degrees(math.atan2(-matrix.b, matrix.a))) % 360


def _is_slanted(matrix: Any) -> bool:
    """Whether the strokes of a character lean to the right of its line, as where a document makes italics itself."""
    lean = math.atan2(matrix.d, matrix.c) - math.atan2(matrix.b, matrix.a)
    return MIN_LEAN < 90 - math.degrees(lean) < MAX_LEAN


_REGULAR_NAMES = ("roman", "regular", "light", "thin", "book", "normal")
"""Words in the names of fonts that are not bold."""
_FIXED_PITCH, _SERIF, _ITALIC = 1, 2, 64
"""Flags of a font descriptor."""


def _font(text: Any, i: int) -> tuple[str, int]:
    flags = ctypes.c_int()
    buffer = ctypes.create_string_buffer(256)
    used = raw.FPDFText_GetFontInfo(text, i, buffer, len(buffer), flags)
    name = buffer.raw[: max(0, min(used, len(buffer)) - 1)].decode("utf-8", "replace")
    return name.split("+", 1)[-1], flags.value
