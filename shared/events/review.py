"""Messages of the report flow about the outcome of a change: is the printed report what the user asked for?"""

from __future__ import annotations

from ..language import Language
from ..model.allowance import Allowance, Usage
from ..model.base import Ref
from ..model.session_parts import HistoryEntry, Version
from .base import Command, Event


class ReviewOutcome(Command):
    """Ask a model which parts of the request the printed report does not meet."""

    service = "planner"
    answers = ("OutcomeReviewed",)
    text: str
    language: Language
    template: Ref
    data: Ref
    shown: Ref | None = None
    """The elements of page 1, as a JSON list of ``Printed``."""
    page_count: int = 0
    before: Version | None = None
    """The report before a change."""
    summary: str = ""
    """What the reply says was done and was not."""
    undone: list[str] = []
    """What else the reply says was not done, in the turn's language."""
    history: list[HistoryEntry] = []
    allowance: Allowance


class OutcomeReviewed(Event):
    not_as_asked: list[str] = []
    """Parts of the request with what the page has instead, in the turn's language."""
    notes: list[str] = []
    """Why there was no review, in the turn's language."""
    usage: Usage = Usage()
