"""The document that a user sends, before anything is understood."""

from functools import lru_cache
from pathlib import PurePath
from typing import Literal

from .base import Ref, Value
from .geometry import Size

MEDIA = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".bmp": "image/bmp",
    ".tif": "image/tiff",
    ".tiff": "image/tiff",
    ".webp": "image/webp",
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Media types of the documents that can be read as a page, by suffix."""
TEMPLATES = {".jrxml": "application/xml"}
DATA = {".json": "application/json"}
"""Media types of the files that hold data and nothing to read or to draw."""
TEXTS = {".txt": "text/plain", ".md": "text/markdown", ".csv": "text/csv"}
TABLES = {".csv": TEXTS[".csv"], ".xlsx": MEDIA[".xlsx"], **DATA}
"""Media types of the files that a report can be filled with, by suffix."""
MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
"""A larger document is refused without being read."""


@lru_cache(maxsize=256)
def _suffix(name: str) -> str:
    """Return the suffix of a file's name in lower case. Conditions of the routes ask for it at every step."""
    return PurePath(name).suffix.lower()


class Document(Value):
    """One input file."""

    name: str
    """The file's own name, without folders; used for its suffix and the report's name, never opened."""
    content: Ref
    page: Size | None = None
    """The page's size in points where the user knows it; otherwise it is taken from the document."""

    @property
    def kind(self) -> Literal["page", "template", "text", "data"] | None:
        """What the document is, by its suffix; None if it cannot be read."""
        suffix = _suffix(self.name)
        if suffix in MEDIA:
            return "page"
        if suffix in DATA:
            return "data"
        return "template" if suffix in TEMPLATES else "text" if suffix in TEXTS else None

    @property
    def is_table(self) -> bool:
        """Whether a report can be filled with it, by its suffix."""
        return _suffix(self.name) in TABLES

    @property
    def is_picture(self) -> bool:
        """Whether it is a picture, by its suffix."""
        return MEDIA.get(_suffix(self.name), "").startswith("image/")
