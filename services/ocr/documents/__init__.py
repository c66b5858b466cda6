"""Documents of every format as a page: one module per format, chosen by suffix and confirmed by content.

A module of this package that defines `SUFFIXES` is a format. It also defines `looks_like`, which checks the content's
first bytes, and `read`, which returns a page, counted from 1, or its picture, or raises ``BadInput``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.geometry import Size

from ..channels import max_channel
from ..engines import OcrEngine
from ..flatten import flatten
from ..flatten.watermark import without_watermark
from ..page import Page, PageImage
from . import docx, image, pdf, xlsx

__all__ = ["as_page", "decode_document", "read_document"]


class DocumentFormat(NamedTuple):
    """How one format is recognised and read."""

    suffixes: tuple[str, ...]
    looks_like: Callable[[bytes], bool]
    read: Callable[[bytes, Size | None, int], Page | PageImage]


FORMATS = [DocumentFormat(module.SUFFIXES, module.looks_like, module.read) for module in (image, pdf, docx, xlsx)]


def decode_document(name: str, content: bytes, size: Size | None, number: int = 1) -> Page | PageImage:
    """Return a page of a document, or its picture where the page is still to be made from it.

    `name` is used for its suffix only. `size` is the page's size in points where it is known. `number` counts from 1.
    Raises ``BadInput`` for any document that cannot be read, or does not have the page. Runs in a worker process
    (``documents.reader``).
    """
    suffix = PurePath(name).suffix.lower()
    document_format = next((each for each in FORMATS if suffix in each.suffixes), None)
    if document_format is None:
        formats = ", ".join(known.removeprefix(".") for form in FORMATS for known in form.suffixes)
        raise BadInput.of("documents.suffix", formats=formats)
    if not content:
        raise BadInput.of("documents.empty")
    if not document_format.looks_like(content):
        raise BadInput.of("documents.content")
    return document_format.read(content, size, number)


def as_page(decoded: Page | PageImage, engine: OcrEngine) -> Page:
    """Return the page, flat, upright and without its watermark.

    Raises ``BadInput`` for one on which there is nothing.
    """
    page = _flat_page(decoded, engine)
    if is_blank(page):
        raise BadInput.of("documents.blank")
    return _without_watermark(page)


def as_later_page(decoded: Page | PageImage, engine: OcrEngine) -> Page:
    """Return a page after the first one as `as_page` does, though there may be nothing on it."""
    page = _flat_page(decoded, engine)
    return page if is_blank(page) else _without_watermark(page)


def _without_watermark(page: Page) -> Page:
    return without_watermark(page) if page.may_have_watermark else page


def is_blank(page: Page) -> bool:
    """Whether there is nothing on a page."""
    return not page.words and _is_blank(page.pixels)


def _flat_page(decoded: Page | PageImage, engine: OcrEngine) -> Page:
    if isinstance(decoded, PageImage):
        page = flatten(decoded.pixels, decoded.size, engine, decoded.resolution)
        page = replace(page, notes=decoded.notes + page.notes, pages=decoded.pages, left_out=decoded.left_out)
        return page
    return decoded


def read_document(name: str, content: bytes, size: Size | None, engine: OcrEngine) -> Page:
    """Return the first page of a trusted document, flat and upright, in this process. Raises ``BadInput``."""
    return as_page(decode_document(name, content, size), engine)


def _is_blank(pixels: np.ndarray) -> bool:
    """Whether nothing on the page stands out from its paper."""
    grey = max_channel(pixels).astype(np.int16)
    # The rim may show what a scanner or a desk left there.
    inner = grey[grey.shape[0] // 50 : -grey.shape[0] // 50, grey.shape[1] // 50 : -grey.shape[1] // 50]
    return int(np.count_nonzero(np.abs(inner - np.median(inner)) > 40)) < 25
