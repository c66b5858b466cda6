"""Templates: the texts, fields and page of a JRXML, recalled for similar forms and requests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from bandsmith.shared.errors import BadInput
from bandsmith.shared.fields.known_fields import plain
from bandsmith.shared.jrxml.dom import local_name
from bandsmith.shared.jrxml.expressions import referenced_names
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.knowledge import KnowledgeEntry
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.xml import parse

from . import page_fingerprint
from .records import Record, identity, searchable

MAX_FIELDS, MAX_TEXTS = 60, 80
MAX_TEXT_CHARS = 80
MAX_ELEMENTS = 2_000
MIN_SHARED_LABELS = 2


@dataclass(frozen=True)
class _Element:
    """An element of the report. Its box is relative to its band."""

    band: str
    box: Box
    text: str = ""
    field: str | None = None
    pattern: str | None = None


def record(name: str, jrxml: bytes, layout: Layout | None = None) -> Record:
    """Return a template's record. Its page is known from `layout`, the layout of the form that it was built from.

    Raises ``BadInput`` for anything but a JRXML of JasperReports 6.
    """
    root = parse(jrxml)
    if not isinstance(root.tag, str) or local_name(root) != "jasperReport" or "}" not in root.tag:
        raise BadInput.of("planner.knowledge.template", code="kb.template")
    elements = list(_elements(root))
    classes = {
        node.get("name", ""): node.get("class", "java.lang.String") for node in root if local_name(node) == "field"
    }
    texts = list(dict.fromkeys(element.text for element in elements if element.text))[:MAX_TEXTS]
    title = root.get("name") or name
    value = {
        "title": title[:MAX_TEXT_CHARS],
        "texts": texts,
        "fields": [_field(field, classes[field], elements) for field in list(classes)[:MAX_FIELDS]],
    }
    words = searchable("\n".join([title, *texts, *classes]))
    fingerprint = page_fingerprint.of_layout(layout) if layout else None
    return Record(id=identity("template", words), words=words, value=value, fingerprint=fingerprint)


def words_of(layout: Layout) -> str:
    """Return the words to search a form by: its printed wording, without the values filled in."""
    values = {block.id for block in layout.blocks if block.role == "value"}
    return "\n".join(block.text for block in layout.blocks if block.id not in values)


def title(record: Record) -> str:
    return str(record.value["title"])


def resembles(record: Record, words: str) -> bool:
    """Whether the text, as ``plain`` returns it, has at least half of the labels of a template's fields, and two."""
    labels = {plain(field.partition("=")[0]) for field in record.value["fields"]} - {""}
    shared = sum(label in words for label in labels)
    return shared >= MIN_SHARED_LABELS and 2 * shared >= len(labels)


def passage(record: Record) -> str:
    """Describe the template for a prompt."""
    return f"A report that was made before, {entry(record).text}"


def entry(record: Record) -> KnowledgeEntry:
    """Describe the record for a user."""
    value = record.value
    fields = ", ".join(value["fields"])
    return KnowledgeEntry(
        id=record.id, kind="template", title=value["title"],
        text=f"{value['title']}. Texts: {' | '.join(value['texts'])[:600]}. Fields: {fields[:900]}.",
    )  # fmt: skip


def _field(name: str, java_class: str, elements: list[_Element]) -> str:
    """Describe a field as ``LABEL=NAME:CLASS:PATTERN``, as far as these are known."""
    shown = next((element for element in elements if element.field == name), None)
    label = _label(shown, elements) if shown else ""
    return f"{label}={name}:{java_class}" + (f":{shown.pattern}" if shown and shown.pattern else "")


def _label(shown: _Element, elements: list[_Element]) -> str:
    """Return the heading of a column, or the text before a value on its line."""
    texts = [element for element in elements if element.text]
    middle, _ = shown.box.middle
    if shown.band == "detail":
        headings = [text for text in texts if text.band == "columnHeader" and text.box.x <= middle <= text.box.right]
        return headings[-1].text if headings else ""
    before = [
        text for text in texts
        if text.band == shown.band
        and text.box.right <= shown.box.x + 2
        and abs(text.box.middle[1] - shown.box.middle[1]) < shown.box.height / 2
    ]  # fmt: skip
    return max(before, key=lambda text: text.box.right).text if before else ""


def _elements(root: Any) -> Iterator[_Element]:
    bands = [node for node in root.iter() if local_name(node) == "band"]
    nodes = ((node, local_name(band.getparent())) for band in bands for node in band)
    for node, band in islice(nodes, MAX_ELEMENTS):
        if element := _element(node, band):
            yield element


def _element(node: Any, band: str) -> _Element | None:
    position = next((child for child in node if local_name(child) == "reportElement"), None)
    if position is None:
        return None
    box = Box(
        x=_number(position, "x"), y=_number(position, "y"),
        width=_number(position, "width"), height=_number(position, "height"),
    )  # fmt: skip
    texts = {local_name(child): "".join(child.itertext()).strip() for child in node}
    fields = referenced_names(texts.get("textFieldExpression", ""), "F")
    return _Element(
        band=band, box=box, text=" ".join(texts.get("text", "").split())[:MAX_TEXT_CHARS],
        field=fields[0] if len(fields) == 1 else None, pattern=node.get("pattern"),
    )  # fmt: skip


def _number(node: Any, name: str) -> int:
    try:
        return int(node.get(name, "0"))
    except ValueError:
        return 0
