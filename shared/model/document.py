"""Document: what came in, before anything was understood."""

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
"""The kinds of page that can be read, by suffix."""
TEMPLATES = {".jrxml": "application/xml"}
TEXTS = {".txt": "text/plain", ".md": "text/markdown", ".csv": "text/csv"}
MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
"""A larger document is refused unread."""


class Document(Value):
    """One input file."""

    name: str
    """The file's own name, without folders; used for its suffix and for the report's name, never opened."""
    content: Ref
    page: Size | None = None
    """The page's size in points where the user knows it; else it is told from the document."""

    @property
    def kind(self) -> Literal["page", "template", "text"] | None:
        """What it is by its suffix; None is nothing that can be read."""
        suffix = PurePath(self.name).suffix.lower()
        if suffix in MEDIA:
            return "page"
        return "template" if suffix in TEMPLATES else "text" if suffix in TEXTS else None
