"""Import a template from outside: convert it to the 6.x schema, check it, and give each element a key."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from lxml import etree

from bandsmith.shared import xml
from bandsmith.shared.errors import BadInput
from bandsmith.shared.jrxml import legacy
from bandsmith.shared.jrxml.dom import NAMESPACE, J, local_name
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.plan import Data
from bandsmith.shared.replies import Text, text

from . import sample_data
from .checks import Stage, run_checks
from .checks.allowed import is_harmless_property
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
    data: Data
    """Sample values of its parameters and fields."""
    notes: list[str]
    """What was changed during the import."""


def import_template(content: bytes, name: str) -> ImportedTemplate:
    """Import a JRXML of any version before 7. Its file's `name` names a report that has no name.

    Raises ``BadInput`` for a file of another kind, ``TerminalError`` for content that is not allowed from outside.
    """
    _require_jrxml(content)
    xml_text, notes = legacy.remove_doctype(legacy.to_utf8(content))
    root = xml.parse(xml_text)
    _require_version_6(root)
    notes += legacy.convert(root, keep_property=is_harmless_property)
    if not root.get("name", "").strip():
        root.set("name", PurePath(name).stem or "report")
    elements = list(root.iter(f"{J}reportElement"))
    if len(elements) > MAX_ELEMENTS:
        raise BadInput.of(
            "validator.import.elements", code="template.elements", elements=len(elements), limit=MAX_ELEMENTS
        )
    notes += _assign_keys(elements)
    # Serialized and parsed again, so that findings name the lines and namespaces of the template that is kept.
    template_bytes = bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True))
    template = Template(xml.parse(template_bytes))
    if findings := run_checks(Stage.GUARD, template) or run_checks(Stage.SCHEMA, template):
        raise refusal(findings)
    return ImportedTemplate(template_bytes, sample_data.data_for(template), notes)


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
    """Version 7 writes every element as ``<element kind="...">`` and most sections without a ``<band>``."""
    for node in root.iter("{*}element", "{*}query"):
        if local_name(node) == "query" or node.get("kind") is not None:
            return True
    return any(local_name(child) in _PAGE_SECTIONS and child.get("height") is not None for child in root)


def _assign_keys(elements: list[Any]) -> list[str]:
    """Give each element without a key of its own a new one, and return a note where any got one."""
    counts = Counter(element.get("key") for element in elements)
    taken, numbers, assigned = set(counts), Counter[str](), 0
    seen: set[str] = set()
    for element in elements:
        key = element.get("key")
        if key and key not in seen:
            seen.add(key)
            continue
        kind = local_name(element.getparent())
        if kind == "chart":
            kind = local_name(element.getparent().getparent())
        while True:
            numbers[kind] += 1
            key = f"{kind}-{numbers[kind]}"
            if key not in taken:
                break
        element.set("key", key)
        taken.add(key)
        seen.add(key)
        assigned += 1
    return [text("validator.import.keys", "en", count=assigned)] if assigned else []
