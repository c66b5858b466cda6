"""Files that come with a turn: which are accepted, and how they are read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePath

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.document import DATA, MAX_DOCUMENT_BYTES, MEDIA, TEMPLATES, TEXTS
from bandsmith.shared.model.geometry import Size

MEDIA_TYPES = {**MEDIA, **TEMPLATES, **TEXTS, **DATA}
"""Media types that a turn accepts, by file suffix."""


class Attachment(Value):
    """A file that comes with a turn."""

    name: str
    """File name without folders; its suffix tells the type."""
    content: bytes
    page: Size | None = None
    """Size in points of the page that the file shows, if known."""


def attachment(path: Path, page: Size | None = None) -> Attachment:
    """Read a file as an attachment. Raises ``BadInput`` when it is not accepted or cannot be read."""
    check(path, MEDIA_TYPES)
    try:
        content = path.read_bytes()
    except OSError:
        raise BadInput.of("cli.file.unreadable", code="file") from None
    return Attachment(name=path.name, content=content, page=page)


def check(path: Path, media_types: Mapping[str, str] = MEDIA) -> None:
    """Check the name and size of a file, without reading it. Raises ``BadInput`` when it is not accepted."""
    try:
        size = path.stat().st_size
    except (OSError, ValueError):
        raise BadInput.of("cli.file.missing", code="file") from None
    if not path.is_file():
        raise BadInput.of("cli.file.not_a_file", code="file")
    check_name_and_size(path.name, size, media_types)


def check_name_and_size(name: str, size: int, media_types: Mapping[str, str] = MEDIA_TYPES) -> None:
    """Check a file by what is known before its content is looked at. Raises ``BadInput`` when it is not accepted."""
    if PurePath(name).suffix.lower() not in media_types:
        raise BadInput.of("cli.file.suffix", suffixes=", ".join(suffix[1:] for suffix in media_types))
    if size == 0:
        raise BadInput.of("cli.file.empty")
    if size > MAX_DOCUMENT_BYTES:
        raise BadInput.of("cli.file.large", megabytes=MAX_DOCUMENT_BYTES // 1024 // 1024)
