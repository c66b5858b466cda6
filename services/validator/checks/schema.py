"""Does it follow the engine's schema: the one in its jar, with the components' schemas beside it?"""

from __future__ import annotations

import re
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from lxml import etree

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_report import SetReport
from bandsmith.shared.jrxml.dom import local_name
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.verdict import Finding

from ..engine import classpath

_IN_JAR = {
    "jasperreport.xsd": "net/sf/jasperreports/engine/dtds/jasperreport.xsd",
    "components.xsd": "net/sf/jasperreports/components/components.xsd",
    "parts.xsd": "net/sf/jasperreports/parts/parts.xsd",
}
_DRIVER = """<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:bandsmith:all">
  <import namespace="http://jasperreports.sourceforge.net/jasperreports" schemaLocation="jasperreport.xsd"/>
  <import namespace="http://jasperreports.sourceforge.net/jasperreports/components" schemaLocation="components.xsd"/>
  <import namespace="http://jasperreports.sourceforge.net/jasperreports/parts" schemaLocation="parts.xsd"/>
</schema>"""
_MOST = 30
_NAMESPACE = re.compile(r"\{[^}]*\}")
_WHOLE = re.compile(r"-?\d+")
_WHOLE_ATTRIBUTES = {
    "reportElement": ("x", "y", "width", "height"),
    "band": ("height",),
    "jasperReport": (
        "pageWidth", "pageHeight", "columnWidth", "columnCount", "columnSpacing",
        "leftMargin", "rightMargin", "topMargin", "bottomMargin",
    ),
}  # fmt: skip


class _Jar(etree.Resolver):  # type: ignore[misc]
    def __init__(self, texts: dict[str, bytes]) -> None:
        super().__init__()
        self._texts = texts

    def resolve(self, url: str, public_id: str, context: Any) -> Any:
        return self.resolve_string(self._texts[url.rpartition("/")[2]], context, base_url=url)


@lru_cache
def _schema() -> Any:
    jar = next(path for path in classpath() if Path(path).name.startswith("jasperreports-"))
    with zipfile.ZipFile(jar) as archive:
        texts = {name: archive.read(path) for name, path in _IN_JAR.items()}
    parser = etree.XMLParser(no_network=True)
    parser.resolvers.add(_Jar(texts))
    return etree.XMLSchema(etree.fromstring(_DRIVER.encode(), parser))


def check(template: Template) -> list[Finding]:
    """``schema.invalid``, and ``schema.whole`` for a coordinate that is no whole number.

    libxml2 lets the latter through, the engine does not. Raises ``MissingPart`` when the engine is not set up.
    """
    schema = _schema()
    found = _not_whole(template)
    if not schema.validate(template.root):
        for error in list(schema.error_log)[:_MOST]:
            said = _NAMESPACE.sub("", error.message).rstrip(".")
            found.append(
                Finding(
                    code="schema.invalid",
                    message=f"Line {error.line} does not follow the schema: {said}.",
                    message_zh=f"第 {error.line} 行不符合模式:{said}。",
                    element=_key_at(template, error.path),
                )
            )
    return found


def _key_at(template: Template, path: str | None) -> str | None:
    if path is None:
        return None
    prefixes = {prefix: uri for node in template.root.iter() for prefix, uri in node.nsmap.items() if prefix}
    nodes = template.root.getroottree().xpath(path, namespaces=prefixes)
    element = template.element_of(nodes[0]) if nodes else None
    return element.key if element else None


def _not_whole(template: Template) -> list[Finding]:
    found = []
    for node in template.root.iter("{*}reportElement", "{*}band", "{*}jasperReport"):
        for name in _WHOLE_ATTRIBUTES[local_name(node)]:
            value = node.get(name)
            if value is None or _WHOLE.fullmatch(value.strip()):
                continue
            element = template.element_of(node)
            found.append(
                Finding(
                    code="schema.whole",
                    message=f"{name}={value[:20]} is not a whole number of points.",
                    message_zh=f"{name}={value[:20]} 不是整数。",
                    element=element.key if element else None,
                    edits=_rounded(template, node, name, value),
                )
            )
    return found


def _rounded(template: Template, node: Any, name: str, value: str) -> list[AnyEdit]:
    try:
        whole = round(float(value))
    except (ValueError, OverflowError):
        return []
    if local_name(node) == "jasperReport":
        return [SetReport(name=name, value=str(whole))]
    if local_name(node) == "band":
        band = next((band for band in template.bands if band.node is node), None)
        return [ResizeBand(band=band.name, height=whole)] if band else []
    element = template.element_of(node)
    if element is None or element.key is None:
        return []
    edit: AnyEdit = (Move if name in ("x", "y") else Resize).model_validate({"element": element.key, name: whole})
    return [edit]
