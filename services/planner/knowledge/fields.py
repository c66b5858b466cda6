"""Field definitions: the field that a label stands for, written ``LABEL=NAME:CLASS[:PATTERN]``."""

from __future__ import annotations

from bandsmith.shared.fields.known_fields import plain
from bandsmith.shared.model.knowledge import FieldDefinition, KnowledgeEntry

from .records import Record, identity, searchable


def record(field: FieldDefinition) -> Record:
    """Return the definition's record. A label has one record, so a new definition replaces the old one."""
    label = plain(field.label)
    return Record(
        id=identity("field", label), words=searchable(f"{field.label} {field.name}"), value=field.model_dump()
    )


def applies(record: Record, text: str) -> bool:
    """Whether the text, as ``plain`` returns it, contains the label."""
    return plain(record.value["label"]) in text


def definition(record: Record) -> FieldDefinition:
    return FieldDefinition.model_validate(record.value)


def passage(record: Record) -> str:
    """Describe the field for a prompt."""
    return f"Field: {entry(record).text}"


def entry(record: Record) -> KnowledgeEntry:
    """Describe the record for a user."""
    field = definition(record)
    wording = ":".join([field.name, field.java_class, *([field.pattern] if field.pattern else [])])
    return KnowledgeEntry(id=record.id, kind="field", title=field.label, text=f"{field.label}={wording}")
