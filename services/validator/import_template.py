"""A template from outside becomes one to work on: of the 6.x schema, allowed, each element with a key of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
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

from . import sample_data
from .checks import allowed, expressions, schema
from .refusals import refusal

MOST_ELEMENTS = 10_000

_MAGIC: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG", "a PNG picture", "PNG 图片"),
    (b"\xff\xd8\xff", "a JPEG picture", "JPEG 图片"),
    (b"GIF8", "a GIF picture", "GIF 图片"),
    (b"BM", "a BMP picture", "BMP 图片"),
    (b"II*\0", "a TIFF picture", "TIFF 图片"),
    (b"MM\0*", "a TIFF picture", "TIFF 图片"),
    (b"RIFF", "a WebP picture", "WebP 图片"),
    (b"%PDF", "a PDF", "PDF 文件"),
    (b"PK\x03\x04", "a Word, Excel or ZIP file", "Word、Excel 或 ZIP 文件"),
    (b"\xd0\xcf\x11\xe0", "an old Word or Excel file", "旧版 Word 或 Excel 文件"),
    (b"{", "JSON", "JSON"),
    (b"[", "JSON", "JSON"),
)
_COMPILED = b"\xac\xed\x00\x05"
_HTML = re.compile(rb"<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)
_PAGE_SECTIONS = ("title", "pageHeader", "columnHeader", "columnFooter", "pageFooter", "summary", "background")


@dataclass(frozen=True)
class Reading:
    """What came of an upload."""

    template: bytes
    data: Data
    """Sample values of its parameters and fields."""
    notes: list[str]
    """What was changed so that it is a template of today."""


def read_upload(content: bytes, name: str) -> Reading:
    """Read a JRXML of any version before 7; `name` is the file's own, for a report that has none.

    Raises ``BadInput`` for what is no such file, ``TerminalError`` for what a template from outside may not hold.
    """
    _be_a_template(content)
    text, notes = legacy.remove_doctype(legacy.to_utf8(content))
    root = xml.parse(text)
    _be_a_report(root)
    notes += legacy.convert(root, keep_property=allowed.harmless)
    if not root.get("name", "").strip():
        root.set("name", PurePath(name).stem or "report")
    elements = list(_report_elements(root))
    if len(elements) > MOST_ELEMENTS:
        raise BadInput(
            f"The template has {len(elements):,} elements; {MOST_ELEMENTS:,} are the most that can be worked on.",
            message_zh=f"模板包含 {len(elements):,} 个元素;最多支持 {MOST_ELEMENTS:,} 个。",
            code="template.elements",
        )
    notes += _name_each(elements)
    # Written and read once more, so that lines and namespaces are those of the template that is kept.
    written = bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True))
    template = Template(xml.parse(written))
    if found := allowed.check(template) + expressions.check(template) or schema.check(template):
        raise refusal(found)
    return Reading(written, sample_data.data_for(template), notes)


def _be_a_template(content: bytes) -> None:
    """Raises ``BadInput`` that says what the file is instead."""
    start = content[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start:
        raise BadInput(
            "The file is empty; attach the .jrxml file itself.",
            message_zh="文件为空;请上传 .jrxml 文件本身。",
            code="template.empty",
        )
    if start.startswith(_COMPILED):
        raise BadInput(
            "The file is a compiled report (.jasper); attach the .jrxml that it was made from.",
            message_zh="该文件是编译后的报表 (.jasper);请上传其源文件 .jrxml。",
            code="template.compiled",
        )
    for magic, what, what_zh in _MAGIC:
        if start.startswith(magic):
            raise _other(what, what_zh)
    if _HTML.match(start):
        raise _other("a web page", "网页")


def _other(what: str, what_zh: str) -> BadInput:
    return BadInput(
        f"The file is not a JRXML template but {what}; attach it under its own suffix, or attach the .jrxml.",
        message_zh=f"该文件不是 JRXML 模板,而是{what_zh};请使用正确的扩展名上传,或上传 .jrxml 文件。",
        code="template.kind",
    )


def _be_a_report(root: Any) -> None:
    """Raises ``BadInput`` for XML of another kind, and for reports of JasperReports 7."""
    name = local_name(root)
    space = root.tag.rpartition("}")[0].lstrip("{")
    if name != "jasperReport" or space not in ("", NAMESPACE):
        raise BadInput(
            f"The XML is not a report template: its root is <{name[:40]}>, not <jasperReport>.",
            message_zh=f"该 XML 不是报表模板:根元素是 <{name[:40]}>,而不是 <jasperReport>。",
            code="template.root",
        )
    if _of_version_7(root):
        raise BadInput(
            "The template is of JasperReports 7, whose form is not read here; in Jaspersoft Studio, save it with "
            "compatibility 6.x and attach that.",
            message_zh="该模板为 JasperReports 7 格式,暂不支持;请在 Jaspersoft Studio 中以 6.x 格式另存后再上传。",
            code="template.version",
        )


def _of_version_7(root: Any) -> bool:
    """Version 7 writes every element as ``<element kind="...">`` and most sections without a ``<band>``."""
    for node in root.iter("{*}element", "{*}query"):
        if local_name(node) == "query" or node.get("kind") is not None:
            return True
    return any(local_name(child) in _PAGE_SECTIONS and child.get("height") is not None for child in root)


def _report_elements(root: Any) -> Iterator[Any]:
    return root.iter(f"{J}reportElement")


def _name_each(elements: list[Any]) -> list[str]:
    """Give each element a key that no other has; those that have one of their own keep it."""
    counts = Counter(element.get("key") for element in elements)
    taken, numbers, named = set(counts), Counter[str](), 0
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
        named += 1
    return [f"{named} elements got a key, by which changes can name them."] if named else []
