"""Documents of every kind as a page: one file each, chosen by suffix and confirmed by content."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from bandsmith.shared.model.geometry import Size

from ..engines import Engine
from ..page import Page
from . import docx, image, pdf, xlsx
from .refusals import refusal

__all__ = ["read_document"]


class Kind(NamedTuple):
    suffixes: tuple[str, ...]
    looks_like: Callable[[bytes], bool]
    read: Callable[[bytes, Size | None, Engine], Page]


KINDS = [Kind(module.SUFFIXES, module.looks_like, module.read) for module in (image, pdf, docx, xlsx)]


def read_document(name: str, content: bytes, size: Size | None, engine: Engine) -> Page:
    """The first page of a document, flat and upright.

    `name` is used for its suffix alone. `size`, in points, is the page's where it is known. Blocks for seconds: call
    it on a thread. Raises ``BadInput`` with one sentence for whatever cannot be read.
    """
    suffix = PurePath(name).suffix.lower()
    kind = next((kind for kind in KINDS if suffix in kind.suffixes), None)
    if kind is None:
        raise refusal("suffix")
    if not content:
        raise refusal("empty")
    if not kind.looks_like(content):
        raise refusal("content")
    page = kind.read(content, size, engine)
    if not page.words and _is_blank(page.pixels):
        raise refusal("blank")
    return page


def _is_blank(pixels: np.ndarray) -> bool:
    """Whether nothing on the page stands out from its paper."""
    grey = pixels.max(axis=2).astype(np.int16)
    # The rim may show what a scanner or a desk left there.
    inner = grey[grey.shape[0] // 50 : -grey.shape[0] // 50, grey.shape[1] // 50 : -grey.shape[1] // 50]
    return int(np.count_nonzero(np.abs(inner - np.median(inner)) > 40)) < 25
