"""Guards the door for office documents: zip files of XML, looked through before any library opens them."""

from __future__ import annotations

import io
import zipfile

from bandsmith.shared import xml
from bandsmith.shared.errors import BadInput

from .refusals import refusal

MOST_ENTRIES = 2_000
MOST_BYTES = 200_000_000
"""Of all parts together, unpacked."""
MOST_XML = 30_000_000
"""Of one XML part."""
MOST_RATIO = 200
"""Unpacked to packed, for a part larger than a megabyte; office XML packs to about a tenth."""
DEEPEST = 256


def looks_like(content: bytes) -> bool:
    # A password turns an office document into an OLE file.
    return content.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0"))


def check(content: bytes, main_part: str) -> None:
    """Raises ``BadInput`` unless this is a zip of harmless size whose XML declares nothing and that has `main_part`."""
    if not content.startswith(b"PK"):
        raise refusal("password")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            entries = package.infolist()
            if any(entry.flag_bits & 1 for entry in entries):
                raise refusal("password")
            if len(entries) > MOST_ENTRIES or sum(entry.file_size for entry in entries) > MOST_BYTES:
                raise refusal("bomb")
            for entry in entries:
                if entry.file_size > 1_000_000 and entry.file_size > MOST_RATIO * max(1, entry.compress_size):
                    raise refusal("bomb")
            if main_part not in package.namelist():
                raise refusal("content")
            for entry in entries:
                if entry.filename.lower().endswith((".xml", ".rels", ".vml")):
                    _check_xml(package.read(entry))
    # NotImplementedError is what zipfile raises for a compression that it does not know
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError, OSError, ValueError):
        raise refusal("office") from None


def _check_xml(part: bytes) -> None:
    if not part.strip():
        return
    try:
        xml.parse(part, most_bytes=MOST_XML, deepest=DEEPEST)
    except BadInput as error:
        reasons = {"xml.dtd": "entity", "xml.size": "bomb", "xml.depth": "bomb"}
        raise refusal(reasons.get(error.code, "office")) from None
