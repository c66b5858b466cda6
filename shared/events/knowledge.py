"""What a person does with the knowledge, outside of turns."""

from __future__ import annotations

from ..model.knowledge import FieldDefinition, KnowledgeEntry, KnownTemplate
from .base import Command, Event

# --- outside of turns: what a person does with the knowledge --------------------------------------------------------


class AddKnowledge(Command):
    """Keep reports and definitions of fields, in place of what has the same content or label."""

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
    """Of each kind the best first."""


class RemoveKnowledge(Command):
    service = "planner"
    answers = ("KnowledgeRemoved",)
    of_turns = False
    ids: list[str]


class KnowledgeRemoved(Event):
    entries: list[KnowledgeEntry]
    """Those that were there."""
