"""A sentence that goes on with the change before, with what it may refer to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..reference_resolver import ReferenceResolver
from ..references import Missing, Several, Target
from ..request_clauses import SplitRequest
from ..sentence_templates import Slots
from ..template_view import TemplateView
from .conversation import PastChange
from .rule_parser import RequestReading


class FollowUp:
    """A sentence, the current report, and the changes before it, the newest first."""

    def __init__(self, text: str, view: TemplateView, past: Sequence[PastChange], requests: Sequence[str] = ()) -> None:
        self.request = SplitRequest(text)
        self.text = self.request.text
        self.view, self.past, self.last = view, past, past[0]
        self.requests = list(requests) or [change.request for change in reversed(past)]
        """What was asked for since the report was made, also what could not be done."""

    @property
    def follows_change(self) -> bool:
        """Whether the last request was the change before, and not one that was not carried out."""
        return self.requests[-1].startswith(self.last.request)

    def words(self, text: str) -> str:
        return self.request.with_quotations(text)[0].strip()

    def targets(self, view: TemplateView, words: str) -> list[Target] | Missing | Several | None:
        """Return what words name in a report; a label with its value."""
        return ReferenceResolver(view).find_all(*self.request.with_quotations(words))

    def was_about(self, words: str) -> bool:
        """Whether words name nothing but what the change before was about. No words name nothing else."""
        if not words:
            return True
        old, named = self.last.target(self.last.view), self.targets(self.last.view, words)
        if old is None or not isinstance(named, list):
            return False
        keys = {piece.key for piece in old.pieces}
        return all(keys & {piece.key for piece in target.pieces} for target in named)


Builder = Callable[[FollowUp, Slots], RequestReading | None]
