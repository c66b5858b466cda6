"""Fields: what a label means, as ``LABEL=NAME:CLASS[:PATTERN]``."""

from __future__ import annotations

from bandsmith.shared.model.knowledge import FieldDefinition, KnowledgeEntry

from .records import Record, identity, searchable


def record(field: FieldDefinition) -> Record:
    """One for each label: the newest definition is the one that holds."""
    label = plain(field.label)
    return Record(
        id=identity("field", label), words=searchable(f"{field.label} {field.name}"), value=field.model_dump()
    )


def applies(kept: Record, text: str) -> bool:
    """Whether the text, as `plain` gives it, has the label."""
    return plain(kept.value["label"]) in text


def plain(text: str) -> str:
    """Small letters and single spaces, without the marks that set a label off from its value."""
    return " ".join(text.lower().replace(":", " ").replace("：", " ").split())


def passage(kept: Record) -> str:
    return f"Field: {entry(kept).text}"


def entry(kept: Record) -> KnowledgeEntry:
    field = FieldDefinition.model_validate(kept.value)
    written = ":".join([field.name, field.java_class, *([field.pattern] if field.pattern else [])])
    return KnowledgeEntry(id=kept.id, kind="field", title=field.label, text=f"{field.label}={written}")
