"""Read XML that comes from outside: no DTD, no entities, nothing fetched, bounded in size and depth."""

from __future__ import annotations

from typing import Any

from lxml import etree

from .errors import BadInput

MOST_BYTES = 4_000_000
DEEPEST = 64


def parse(content: bytes, *, most_bytes: int = MOST_BYTES, deepest: int = DEEPEST) -> Any:
    """The root element. Raises ``BadInput``, with one of these codes, for what is not safely read:

    ``xml.empty``, ``xml.size``, ``xml.dtd``, ``xml.syntax``, ``xml.depth``.
    """
    if not content.strip():
        raise BadInput("The XML is empty.", message_zh="XML 内容为空。", code="xml.empty")
    if len(content) > most_bytes:
        raise BadInput(
            f"The XML is larger than {most_bytes:,} bytes.",
            message_zh=f"XML 超过 {most_bytes:,} 字节。",
            code="xml.size",
        )
    # A parser is made for each text: what one text declares must not be seen by the next.
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, dtd_validation=False, huge_tree=False
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        said = error.msg.split(", line ")[0]
        raise BadInput(
            f"The XML is not well-formed: {said} (line {line}, column {column}).",
            message_zh=f"XML 格式不正确:{said}(第 {line} 行,第 {column} 列)。",
            code="xml.syntax",
        ) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise BadInput(
            "The XML has a document type declaration; remove it, entities and external files are not read.",
            message_zh="XML 含有文档类型声明 (DOCTYPE);请删除,系统不读取实体和外部文件。",
            code="xml.dtd",
        )
    if _deeper_than(root, deepest):
        raise BadInput(
            f"The XML is nested more than {deepest} levels deep.",
            message_zh=f"XML 嵌套超过 {deepest} 层。",
            code="xml.depth",
        )
    return root


def _deeper_than(root: Any, deepest: int) -> bool:
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > deepest:
            return True
    return False
