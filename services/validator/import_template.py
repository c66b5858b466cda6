"""Import a template from outside: convert it to the 6.x schema, check it, and give each element a key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from bandsmith.shared import xml
from bandsmith.shared.errors import BadInput
from bandsmith.shared.jrxml import legacy
from bandsmith.shared.jrxml.dom import NAMESPACE, J, local_name
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.plan import Data
from bandsmith.shared.replies import Text

from . import sample_data
from .checks import Stage, run_checks
from .inert import inert
from .refusals import refusal

MAX_ELEMENTS = 10_000
SNIFFED_BYTES = 1000
"""Bytes at the start of a file that are looked at to tell its kind."""
MAX_QUOTED_CHARS = 40
"""Characters of an element's name that a message quotes."""

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "png"), (b"\xff\xd8\xff", "jpeg"), (b"GIF8", "gif"), (b"BM", "bmp"), (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"), (b"RIFF", "webp"), (b"%PDF", "pdf"), (b"PK\x03\x04", "zip"), (b"\xd0\xcf\x11\xe0", "ole"),
    (b"{", "json"), (b"[", "json"),
)  # fmt: skip
"""How files of other kinds begin, and what the catalogue calls each."""
_COMPILED = b"\xac\xed\x00\x05"
_HTML = re.compile(rb"<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)
_PAGE_SECTIONS = ("title", "pageHeader", "columnHeader", "columnFooter", "pageFooter", "summary", "background")


@dataclass(frozen=True)
class ImportedTemplate:
    """A template as it will be worked on."""

    template: bytes
    """The file itself, unless it is of an old form that has to be converted."""
    data: Data
    """Sample values of its parameters and fields."""
    notes: list[Text]
    """What was converted."""


def import_template(content: bytes, name: str) -> ImportedTemplate:
    """Import a JRXML of any version before 7. Its file's `name` names a report that has no name.

    Raises ``BadInput`` for a file of another kind, ``TerminalError`` for a template that cannot be made safe to print.
    """
    _require_jrxml(content)
    converted, notes = _convert(content, PurePath(name).stem or "report")
    root = xml.parse(converted)
    _require_version_6(root)
    elements = sum(1 for _ in root.iter(f"{J}reportElement"))
    if elements > MAX_ELEMENTS:
        raise BadInput.of("validator.import.elements", code="template.elements", elements=elements, limit=MAX_ELEMENTS)
    template = Template(root)
    printable = inert(template, origin=template)
    if findings := printable.findings or run_checks(Stage.SCHEMA, printable.template):
        raise refusal(findings)
    return ImportedTemplate(converted, sample_data.data_for(printable.template), notes)


def _convert(content: bytes, name: str) -> tuple[bytes, list[Text]]:
    """Return the file in a form that can be read. What need not change keeps its bytes."""
    content, notes = legacy.to_utf8(content)
    for convert in (legacy.remove_doctype, legacy.add_namespace, lambda text: legacy.add_name(text, name)):
        content, more = convert(content)
        notes += more
    return content, notes


def _require_jrxml(content: bytes) -> None:
    """Raise ``BadInput`` that says what the file is instead, where that can be told from its start."""
    start = content[:SNIFFED_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start:
        raise BadInput.of("validator.import.empty", code="template.empty")
    if start.startswith(_COMPILED):
        raise BadInput.of("validator.import.compiled", code="template.compiled")
    kind = next((kind for signature, kind in _SIGNATURES if start.startswith(signature)), None)
    kind = kind or ("html" if _HTML.match(start) else None)
    if kind is not None:
        what = Text.of(f"validator.import.files.{kind}")
        raise BadInput.of("validator.import.kind", code="template.kind", what=what)


def _require_version_6(root: Any) -> None:
    """Raise ``BadInput`` for XML that is no report, and for reports of JasperReports 7."""
    name = local_name(root)
    namespace = root.tag.rpartition("}")[0].lstrip("{")
    if name != "jasperReport" or namespace not in ("", NAMESPACE):
        raise BadInput.of("validator.import.root", code="template.root", name=name[:MAX_QUOTED_CHARS])
    if _is_version_7(root):
        raise BadInput.of("validator.import.version", code="template.version")


def _is_version_7(root: Any) -> bool:
    """Version 7 writes every element as ``<element kind="...">``, most sections without a ``<band>``, and has new names
    for attributes that began with ``is``."""
    if any(style.get("default") is not None for style in root.iterchildren("{*}style")):
        return True
    for node in root.iter("{*}element", "{*}query"):
        if local_name(node) == "query" or node.get("kind") is not None:
            return True
    return any(local_name(child) in _PAGE_SECTIONS and child.get("height") is not None for child in root)
