"""Parse XML that comes from outside: no DTD, no entities, nothing fetched, limited in size and depth."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from .errors import BadInput

MAX_BYTES = 4_000_000
MAX_DEPTH = 64
_UNSTORABLE = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")


def parse(content: bytes, *, max_bytes: int = MAX_BYTES, max_depth: int = MAX_DEPTH) -> Any:
    """Return the root element. Raises ``BadInput`` for XML that is not safe to read, with one of these codes:

    ``xml.empty``, ``xml.size``, ``xml.dtd``, ``xml.syntax``, ``xml.depth``.
    """
    if not content.strip():
        raise BadInput.of("xml.empty", code="xml.empty")
    if len(content) > max_bytes:
        raise BadInput.of("xml.size", code="xml.size", limit=max_bytes)
    # Each text gets a parser of its own, so that it cannot see the declarations of another.
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, dtd_validation=False, huge_tree=False
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        reason = error.msg.split(", line ")[0]
        raise BadInput.of("xml.syntax", code="xml.syntax", reason=reason, line=line, column=column) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise BadInput.of("xml.dtd", code="xml.dtd")
    if _is_deeper_than(root, max_depth):
        raise BadInput.of("xml.depth", code="xml.depth", limit=max_depth)
    return root


def _is_deeper_than(root: Any, max_depth: int) -> bool:
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > max_depth:
            return True
    return False


def storable(text: str) -> str:
    """Return a text without the control characters and half characters that XML cannot contain."""
    return _UNSTORABLE.sub("", text)
