"""Large pictures of an office: phones of 48 megapixels and scans at 600 dots per inch fit into the reader's memory."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PIL import Image

from bandsmith.services.ocr.documents import image
from bandsmith.services.ocr.reader import DocumentReader

PHONE, A4_SCAN = (8000, 6000), (4960, 7016)
PICTURES: dict[str, tuple[str, str, tuple[int, int], dict[str, object]]] = {
    "a JPEG for print": ("JPEG", "CMYK", PHONE, {}),
    "a PNG with transparency": ("PNG", "RGBA", PHONE, {"compress_level": 1}),
    "a grey PNG with transparency": ("PNG", "LA", PHONE, {"compress_level": 1}),
    "a PNG of 16 bits": ("PNG", "I;16", PHONE, {"compress_level": 1}),
    "a BMP": ("BMP", "RGB", PHONE, {}),
    "a scan in a TIFF": ("TIFF", "RGB", A4_SCAN, {"dpi": (600, 600)}),
}


@pytest.fixture(scope="module")
def reader() -> Iterator[DocumentReader]:
    reader = DocumentReader(limit=60)
    yield reader
    reader.stop()


def with_a_mark(mode: str, size: tuple[int, int]) -> Image.Image:
    """A light sheet with a dark square."""
    if mode == "I;16":
        deep = np.full(size[::-1], 60_000, np.uint16)
        deep[1000:2000, 1000:2000] = 4_000
        return Image.fromarray(deep)
    light: dict[str, Any] = {"CMYK": (0, 0, 0, 10), "LA": (245, 255), "RGBA": (245, 245, 245, 255)}
    dark: dict[str, Any] = {"CMYK": (0, 0, 0, 230), "LA": (20, 255), "RGBA": (20, 20, 20, 255)}
    sheet = Image.new(mode, size, light.get(mode, (245, 245, 245)))
    sheet.paste(dark.get(mode, (20, 20, 20)), (1000, 1000, 2000, 2000))
    return sheet


@pytest.mark.slow
@pytest.mark.parametrize("kind", PICTURES)
def test_an_ordinary_large_picture_is_read(kind: str, reader: DocumentReader):
    form, mode, size, options = PICTURES[kind]
    file = io.BytesIO()
    with_a_mark(mode, size).save(file, form, **options)

    pixels = reader.decode(f"page.{form.lower()}", file.getvalue(), None).pixels

    assert pixels.shape == (size[1], size[0], 3)
    assert pixels[1500, 1500].max() < 60 and pixels[500, 500].min() > 220


def test_a_picture_that_is_made_smaller_keeps_the_colours_of_its_palette(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(image, "USEFUL_SIDE_PX", 50)
    sheet = Image.fromarray(np.tile(np.array([[0, 2]], np.uint8), (200, 100)), "P")
    sheet.putpalette([255, 0, 0, 0, 255, 0, 255, 0, 0])  # a mean of the numbers would be the green between them
    file = io.BytesIO()
    sheet.save(file, "PNG")

    pixels, _ = image.decode(file.getvalue())

    assert pixels.shape == (100, 100, 3)
    assert np.all(pixels == [0, 0, 255])
