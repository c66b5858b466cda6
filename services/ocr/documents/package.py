"""Check office documents, which are zip files of XML, before any library opens them."""

from __future__ import annotations

import io
import zipfile

from bandsmith.shared import xml
from bandsmith.shared.errors import BadInput

MAX_ENTRIES = 2_000
MAX_UNPACKED_BYTES = 200_000_000
"""Total size of all parts, unpacked."""
MAX_XML_BYTES = 30_000_000
"""Size of one XML part."""
MAX_COMPRESSION_RATIO = 200
"""Unpacked size divided by packed size of a part larger than a megabyte; office XML packs to about a tenth."""
MAX_XML_DEPTH = 256
RELATIONS = "_rels/.rels"
"""The part that names the main part."""
_DANGERS = {"xml.dtd": "documents.entity", "xml.size": "documents.bomb", "xml.depth": "documents.bomb"}
"""What is said of XML that no reader may get."""


def looks_like(content: bytes) -> bool:
    # A password turns an office document into an OLE file.
    return content.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0"))


def check(content: bytes, main_part: str) -> None:
    """Raise ``BadInput`` unless this is a zip of harmless size, without DTD or entities, that has `main_part`."""
    if not content.startswith(b"PK"):
        raise BadInput.of("documents.password")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            entries = package.infolist()
            if any(entry.flag_bits & 1 for entry in entries):
                raise BadInput.of("documents.password")
            if len(entries) > MAX_ENTRIES or sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
                raise BadInput.of("documents.bomb")
            for entry in entries:
                if entry.file_size > 1_000_000 and entry.file_size > MAX_COMPRESSION_RATIO * max(
                    1, entry.compress_size
                ):
                    raise BadInput.of("documents.bomb")
            for entry in entries:
                if entry.filename.lower().endswith((".xml", ".rels", ".vml")):
                    _check_xml(package.read(entry), may_be_unclosed=entry.filename.lower().endswith(".vml"))
            if main_part not in package.namelist() and not _has_renamed(package, main_part):
                raise BadInput.of("documents.content")
    # zipfile raises NotImplementedError for an unknown compression method.
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError, OSError, ValueError):
        raise BadInput.of("documents.office") from None


def _has_renamed(package: zipfile.ZipFile, main_part: str) -> bool:
    """Whether the main part stands in its folder under another name, as Word on the web writes `document2.xml`."""
    names = set(package.namelist())
    if RELATIONS not in names:
        return False
    root = xml.parse(package.read(RELATIONS), max_bytes=MAX_XML_BYTES, max_depth=MAX_XML_DEPTH)
    links = [link for link in root.iterfind("{*}Relationship") if link.get("Type", "").endswith("/officeDocument")]
    targets = [link.get("Target", "").lstrip("/") for link in links]
    folder = main_part.partition("/")[0]
    return any(target in names and target.startswith(f"{folder}/") for target in targets)


def _check_xml(part: bytes, may_be_unclosed: bool) -> None:
    """Check one part. Excel writes HTML such as ``<br>`` into drawings of comments, which nothing reads."""
    if not part.strip():
        return
    try:
        xml.parse(part, max_bytes=MAX_XML_BYTES, max_depth=MAX_XML_DEPTH)
    except BadInput as error:
        if may_be_unclosed and error.code not in _DANGERS:
            return
        raise BadInput.of(_DANGERS.get(error.code, "documents.office")) from None
