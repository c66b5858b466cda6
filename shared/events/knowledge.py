"""Messages about knowledge, which clients send outside turns."""

from __future__ import annotations

from ..model.knowledge import FieldDefinition, KnowledgeEntry, KnownTemplate
from .base import Command, Event


class AddKnowledge(Command):
    """Add reports and definitions of fields; each replaces an entry with the same content or label."""

    service = "planner"
    answers = ("KnowledgeAdded",)
    of_turns = False
    templates: list[KnownTemplate] = []
    fields: list[FieldDefinition] = []


class KnowledgeAdded(Event):
    entries: list[KnowledgeEntry]


class ListKnowledge(Command):
    service = "planner"
    answers = ("KnowledgeListed",)
    of_turns = False


class KnowledgeListed(Event):
    entries: list[KnowledgeEntry]


class SearchKnowledge(Command):
    service = "planner"
    answers = ("KnowledgeFound",)
    of_turns = False
    words: str


class KnowledgeFound(Event):
    entries: list[KnowledgeEntry]
    """The best of each kind first."""


class RemoveKnowledge(Command):
    service = "planner"
    answers = ("KnowledgeRemoved",)
    of_turns = False
    ids: list[str]


class KnowledgeRemoved(Event):
    entries: list[KnowledgeEntry]
    """The entries that were removed; ids without an entry are ignored."""
