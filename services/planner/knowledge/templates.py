"""Templates: what a JRXML says and what its page looks like, to be recalled for a form or a request like it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from bandsmith.shared.errors import BadInput
from bandsmith.shared.jrxml.dom import local_name
from bandsmith.shared.jrxml.expressions import referenced_names
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.knowledge import KnowledgeEntry
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.xml import parse

from . import page_fingerprint
from .records import Record, identity, searchable

MOST_FIELDS, MOST_TEXTS = 60, 80
LONGEST_TEXT = 80
MOST_ELEMENTS = 2_000


@dataclass(frozen=True)
class _Part:
    """One element; its place is relative to its band."""

    band: str
    box: Box
    text: str = ""
    field: str | None = None
    pattern: str | None = None


def record(name: str, jrxml: bytes, layout: Layout | None = None) -> Record:
    """`layout` is that of the form which the template was built from: what a page looks like is told from it.

    Raises ``BadInput`` for what is no JRXML of JasperReports 6.
    """
    root = parse(jrxml)
    if not isinstance(root.tag, str) or local_name(root) != "jasperReport" or "}" not in root.tag:
        raise BadInput(
            "Only a JRXML of JasperReports 6 can be kept as a template.",
            message_zh="只能将 JasperReports 6 的 JRXML 保存为模板。",
            code="kb.template",
        )
    parts = list(_parts(root))
    classes = {
        node.get("name", ""): node.get("class", "java.lang.String") for node in root if local_name(node) == "field"
    }
    texts = list(dict.fromkeys(part.text for part in parts if part.text))[:MOST_TEXTS]
    title = root.get("name") or name
    value = {
        "title": title[:LONGEST_TEXT],
        "texts": texts,
        "fields": [_field(field, classes[field], parts) for field in list(classes)[:MOST_FIELDS]],
    }
    words = searchable("\n".join([title, *texts, *classes]))
    looks = page_fingerprint.of_layout(layout) if layout else None
    return Record(id=identity("template", words), words=words, value=value, shape=looks)


def words_of(layout: Layout) -> str:
    """What a form is searched by: its own wording, and not what was filled in."""
    values = {block.id for block in layout.blocks if block.role == "value"}
    return "\n".join(block.text for block in layout.blocks if block.id not in values)


def passage(kept: Record) -> str:
    return f"A report that was made before, {entry(kept).text}"


def entry(kept: Record) -> KnowledgeEntry:
    value = kept.value
    fields = ", ".join(value["fields"])
    return KnowledgeEntry(
        id=kept.id, kind="template", title=value["title"],
        text=f"{value['title']}. Texts: {' | '.join(value['texts'])[:600]}. Fields: {fields[:900]}.",
    )  # fmt: skip


def _field(name: str, java_class: str, parts: list[_Part]) -> str:
    """``LABEL=NAME:CLASS:PATTERN`` as far as they are known."""
    shown = next((part for part in parts if part.field == name), None)
    label = _label(shown, parts) if shown else ""
    return f"{label}={name}:{java_class}" + (f":{shown.pattern}" if shown and shown.pattern else "")


def _label(shown: _Part, parts: list[_Part]) -> str:
    """The wording over a column, else the one before a value on its line."""
    texts = [part for part in parts if part.text]
    middle, _ = shown.box.middle
    if shown.band == "detail":
        heads = [text for text in texts if text.band == "columnHeader" and text.box.x <= middle <= text.box.right]
        return heads[-1].text if heads else ""
    before = [
        text for text in texts
        if text.band == shown.band
        and text.box.right <= shown.box.x + 2
        and abs(text.box.middle[1] - shown.box.middle[1]) < shown.box.height / 2
    ]  # fmt: skip
    return max(before, key=lambda text: text.box.right).text if before else ""


def _parts(root: Any) -> Iterator[_Part]:
    bands = [node for node in root.iter() if local_name(node) == "band"]
    nodes = ((node, local_name(band.getparent())) for band in bands for node in band)
    for node, band in islice(nodes, MOST_ELEMENTS):
        if part := _part(node, band):
            yield part


def _part(node: Any, band: str) -> _Part | None:
    place = next((child for child in node if local_name(child) == "reportElement"), None)
    if place is None:
        return None
    box = Box(
        x=_number(place, "x"), y=_number(place, "y"), width=_number(place, "width"), height=_number(place, "height")
    )  # fmt: skip
    said = {local_name(child): "".join(child.itertext()).strip() for child in node}
    fields = referenced_names(said.get("textFieldExpression", ""), "F")
    return _Part(
        band=band, box=box, text=" ".join(said.get("text", "").split())[:LONGEST_TEXT],
        field=fields[0] if len(fields) == 1 else None, pattern=node.get("pattern"),
    )  # fmt: skip


def _number(node: Any, name: str) -> int:
    try:
        return int(node.get(name, "0"))
    except ValueError:
        return 0
