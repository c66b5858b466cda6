"""Files that come with a turn: which ones are accepted, and reading them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.document import MAX_DOCUMENT_BYTES, MEDIA, TEMPLATES, TEXTS
from bandsmith.shared.model.geometry import Size

ATTACHMENTS = {**MEDIA, **TEMPLATES, **TEXTS}
"""What may come with a turn of a conversation: media types by suffix."""


class Attachment(Value):
    """A file that comes with a turn."""

    name: str
    """With its suffix, which tells the type; without folders."""
    content: bytes
    page: Size | None = None
    """The size in points of the page that it shows, if known."""


def attachment(path: Path, page: Size | None = None) -> Attachment:
    """Read a file as an attachment. Raises ``BadInput`` when it is not one that can be read."""
    check(path, ATTACHMENTS)
    return Attachment(name=path.name, content=read(path), page=page)


def check(path: Path, kinds: Mapping[str, str] = MEDIA) -> None:
    """Whether a document of these kinds may be read at all, by its name and size. Raises ``BadInput``."""
    try:
        size = path.stat().st_size
    except (OSError, ValueError):
        raise BadInput(
            "There is no such file; check its name and folder.",
            message_zh="文件不存在；请检查文件名和所在文件夹。",
            code="file",
        ) from None
    if not path.is_file():
        raise BadInput("This is not a file.", message_zh="这不是文件。", code="file")
    if path.suffix.lower() not in kinds:
        known = ", ".join(suffix[1:] for suffix in kinds)
        raise BadInput(
            f"This kind of file cannot be read; give one of these: {known}.",
            message_zh=f"不支持这种文件；支持的类型有：{known}。",
            code="suffix",
        )
    if size == 0:
        raise BadInput("The file is empty.", message_zh="文件是空的。", code="empty")
    if size > MAX_DOCUMENT_BYTES:
        most = MAX_DOCUMENT_BYTES // 1024 // 1024
        raise BadInput(
            f"The file is larger than {most} MB; give a smaller picture or fewer pages.",
            message_zh=f"文件超过 {most} MB；请使用更小的图片或更少的页数。",
            code="large",
        )


def read(path: Path) -> bytes:
    """A document's bytes. Raises ``BadInput`` when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        raise BadInput(
            "The file cannot be read; check that you may read it.",
            message_zh="无法读取文件；请检查读取权限。",
            code="file",
        ) from None
