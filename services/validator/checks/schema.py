"""Check that a template follows the engine's schema, the one in its jar, with the components' schemas beside it."""

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
from bandsmith.shared.turns.verdict import Finding

from ..engine import classpath
from .base import Check, FindingCode, Stage, key_of

MAX_SCHEMA_ERRORS = 30


class Code(FindingCode):
    INVALID = "schema.invalid"
    WHOLE = "schema.whole"
    """A coordinate that is not a whole number. libxml2 accepts those, the engine does not."""


_SCHEMAS_IN_JAR = {
    "jasperreport.xsd": "net/sf/jasperreports/engine/dtds/jasperreport.xsd",
    "components.xsd": "net/sf/jasperreports/components/components.xsd",
    "parts.xsd": "net/sf/jasperreports/parts/parts.xsd",
}
_DRIVER = """<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:bandsmith:all">
  <import namespace="http://jasperreports.sourceforge.net/jasperreports" schemaLocation="jasperreport.xsd"/>
  <import namespace="http://jasperreports.sourceforge.net/jasperreports/components" schemaLocation="components.xsd"/>
  <import namespace="http://jasperreports.sourceforge.net/jasperreports/parts" schemaLocation="parts.xsd"/>
</schema>"""
_NAMESPACE_PREFIX = re.compile(r"\{[^}]*\}")
_WHOLE_NUMBER = re.compile(r"-?\d+")
_WHOLE_NUMBER_ATTRIBUTES = {
    "reportElement": ("x", "y", "width", "height"),
    "band": ("height",),
    "jasperReport": (
        "pageWidth", "pageHeight", "columnWidth", "columnCount", "columnSpacing",
        "leftMargin", "rightMargin", "topMargin", "bottomMargin",
    ),
}  # fmt: skip


class _JarResolver(etree.Resolver):  # type: ignore[misc]
    """Resolves schemas by file name."""

    def __init__(self, texts: dict[str, bytes]) -> None:
        super().__init__()
        self._texts = texts

    def resolve(self, url: str, public_id: str, context: Any) -> Any:
        return self.resolve_string(self._texts[url.rpartition("/")[2]], context, base_url=url)


@lru_cache
def _schema() -> Any:
    jar = next(path for path in classpath() if Path(path).name.startswith("jasperreports-"))
    with zipfile.ZipFile(jar) as archive:
        texts = {name: archive.read(path) for name, path in _SCHEMAS_IN_JAR.items()}
    parser = etree.XMLParser(no_network=True)
    parser.resolvers.add(_JarResolver(texts))
    return etree.XMLSchema(etree.fromstring(_DRIVER.encode(), parser))


def check(template: Template) -> list[Finding]:
    """Raises ``MissingPart`` when the engine is not set up."""
    schema = _schema()
    findings = _check_whole_numbers(template)
    if not schema.validate(template.root):
        for error in list(schema.error_log)[:MAX_SCHEMA_ERRORS]:
            detail = _NAMESPACE_PREFIX.sub("", error.message).rstrip(".")
            key = _key_at(template, error.path)
            findings.append(Finding.of(Code.INVALID, element=key, line=error.line, detail=detail))
    return findings


def _key_at(template: Template, path: str | None) -> str | None:
    if path is None:
        return None
    prefixes = {prefix: uri for node in template.root.iter() for prefix, uri in node.nsmap.items() if prefix}
    nodes = template.root.getroottree().xpath(path, namespaces=prefixes)
    return key_of(template, nodes[0]) if nodes else None


def _check_whole_numbers(template: Template) -> list[Finding]:
    findings = []
    for node in template.root.iter("{*}reportElement", "{*}band", "{*}jasperReport"):
        for name in _WHOLE_NUMBER_ATTRIBUTES[local_name(node)]:
            value = node.get(name)
            if value is None or _WHOLE_NUMBER.fullmatch(value.strip()):
                continue
            edits = _rounding_edits(template, node, name, value)
            findings.append(
                Finding.of(Code.WHOLE, element=key_of(template, node), edits=edits, name=name, value=value[:20])
            )
    return findings


def _rounding_edits(template: Template, node: Any, name: str, value: str) -> list[AnyEdit]:
    try:
        rounded = round(float(value))
    except (ValueError, OverflowError):
        return []
    if local_name(node) == "jasperReport":
        return [SetReport(name=name, value=str(rounded))]
    if local_name(node) == "band":
        band = next((band for band in template.bands if band.node is node), None)
        return [ResizeBand(band=band.name, height=rounded)] if band else []
    key = key_of(template, node)
    if key is None:
        return []
    edit: AnyEdit = (Move if name in ("x", "y") else Resize).model_validate({"element": key, name: rounded})
    return [edit]


CHECK = Check(Stage.SCHEMA, Code, check, blocking=frozenset(Code))
