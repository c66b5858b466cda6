"""Knowledge: what is kept of one turn to help others."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .base import Ref, Value
from .document import Document

Kind = Literal["template", "field", "mending"]


class FieldDefinition(Value):
    """Name and type of the field that a label stands for."""

    label: str = Field(min_length=1, max_length=120)
    name: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,59}$")
    java_class: str = Field(default="java.lang.String", pattern=r"^[A-Za-z_][\w.]{0,99}$")
    pattern: str | None = Field(default=None, max_length=60)


class KnownTemplate(Value):
    """A report to learn from."""

    document: Document
    """The report's JRXML."""
    layout: Ref | None = None
    """The ``Layout`` of the form that it was built from, as JSON. Similar pages are found by it."""


class KnowledgeEntry(Value):
    """An entry of the knowledge, as a user sees it."""

    id: str
    kind: Kind
    title: str
    text: str
