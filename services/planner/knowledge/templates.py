"""Templates: the texts, fields and page of a JRXML, recalled for similar forms and requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from lxml import etree

from bandsmith.shared.errors import BadInput
from bandsmith.shared.fields.known_fields import plain
from bandsmith.shared.jrxml.dom import content_of, declared_nodes, local_name
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.expressions import referenced_names
from bandsmith.shared.jrxml.refusals import EditRefused
from bandsmith.shared.jrxml.tables import column_header, main_table
from bandsmith.shared.jrxml.value_labels import label_of
from bandsmith.shared.model.knowledge import KnowledgeEntry
from bandsmith.shared.model.layout import Layout

from . import page_fingerprint
from .records import Record, identity, searchable

MAX_FIELDS, MAX_TEXTS = 60, 80
MAX_TEXT_CHARS = 80
MAX_ELEMENTS = 2_000
MIN_SHARED_LABELS = 2


def record(name: str, jrxml: bytes, layout: Layout | None = None) -> Record:
    """Return a template's record. Its page is known from `layout`, the layout of the form that it was built from.

    Raises ``BadInput`` for anything but a JRXML of JasperReports 6.
    """
    draft = Draft(jrxml)
    root = draft.root
    if not isinstance(root.tag, str) or local_name(root) != "jasperReport" or "}" not in root.tag:
        raise BadInput.of("planner.knowledge.template", code="kb.template")
    nodes = list(islice((node for _, band in draft.bands() for node in draft.texts(band)), MAX_ELEMENTS))
    classes = {field: node.get("class", "java.lang.String") for field, node in declared_nodes(root, "field").items()}
    words = [_words(node) for node in nodes if local_name(node) == "staticText"]
    texts = list(dict.fromkeys(filter(None, words)))[:MAX_TEXTS]
    title = root.get("name") or name
    value = {
        "title": title[:MAX_TEXT_CHARS],
        "texts": texts,
        "fields": _fields(draft, nodes, dict(islice(classes.items(), MAX_FIELDS))),
    }
    wording = searchable("\n".join([title, *texts, *classes]))
    fingerprint = page_fingerprint.of_layout(layout) if layout else None
    return Record(id=identity("template", wording), words=wording, value=value, fingerprint=fingerprint)


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


def _fields(draft: Draft, nodes: Sequence[etree._Element], classes: Mapping[str, str]) -> list[str]:
    """Describe fields as ``LABEL=NAME:CLASS:PATTERN``, as far as these are known."""
    try:
        table = main_table(draft)
    except EditRefused:
        table = None
    found = []
    for name, java_class in classes.items():
        shown = next((node for node in nodes if referenced_names(content_of(node), "F") == [name]), None)
        pattern = shown.get("pattern") if shown is not None else None
        label = column_header(table, name)[:MAX_TEXT_CHARS] if table else ""
        if not label and shown is not None and local_name(draft.band_of(shown).getparent()) != "detail":
            beside = label_of(draft, shown)
            label = _words(beside) if beside is not None else ""
        found.append(f"{label}={name}:{java_class}" + (f":{pattern}" if pattern else ""))
    return found


def _words(node: etree._Element) -> str:
    return " ".join(content_of(node).split())[:MAX_TEXT_CHARS]
