"""Check that a file is XML, safely parsed, with a report at its root."""

from __future__ import annotations

from bandsmith.shared import xml
from bandsmith.shared.errors import BadInput
from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.turns.verdict import Finding

from .base import Check, FindingCode, Stage


class Code(FindingCode):
    EMPTY = "wellformed.empty"
    SIZE = "wellformed.size"
    SYNTAX = "wellformed.syntax"
    DTD = "wellformed.dtd"
    DEPTH = "wellformed.depth"
    ROOT = "wellformed.root"


XML_ERRORS = {
    "xml.empty": Code.EMPTY, "xml.size": Code.SIZE, "xml.syntax": Code.SYNTAX, "xml.dtd": Code.DTD,
    "xml.depth": Code.DEPTH,
}  # fmt: skip
"""The code for each error of ``shared.xml``, whose message the finding keeps."""


def check(content: bytes) -> tuple[Template | None, list[Finding]]:
    """Return the parsed template, or None and the reason."""
    try:
        root = xml.parse(content)
    except BadInput as error:
        return None, [Finding(code=XML_ERRORS[error.code].value, message=error.message, message_zh=error.message_zh)]
    if root.tag != f"{J}jasperReport":
        return None, [Finding.of(Code.ROOT)]
    return Template(root), []


CHECK: Check[bytes] = Check(Stage.PARSE, Code)
