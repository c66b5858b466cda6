"""Knowledge: what is kept from one turn to help another."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..edits import AnyEdit
from .base import Ref, Value
from .document import Document

Kind = Literal["template", "field", "mending"]


class Fix(Value):
    """A finding that was mended once, and the edits that mended it."""

    code: str
    """The finding's."""
    message: str
    """The finding's, in English."""
    element: str | None = None
    """The finding's: what its edits are about."""
    edits: list[AnyEdit]


class FieldDefinition(Value):
    """What a field is called and how it is typed, wherever this label stands beside it."""

    label: str = Field(min_length=1, max_length=120)
    name: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,59}$")
    java_class: str = Field(default="java.lang.String", pattern=r"^[A-Za-z_][\w.]{0,99}$")
    pattern: str | None = Field(default=None, max_length=60)


class KnownTemplate(Value):
    """A report to learn from."""

    document: Document
    """Its JRXML."""
    layout: Ref | None = None
    """The ``Layout`` of the form that it was built from, as JSON: what a page looks like is told from it."""


class KnowledgeEntry(Value):
    """One thing that is kept, as it is shown to a person."""

    id: str
    kind: Kind
    title: str
    text: str
