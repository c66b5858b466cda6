"""The sentence that asks to fill a report with a file. What users say is in ``templates/*/filling.toml``."""

from __future__ import annotations

from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.session import Format

from ..language.change.clauses import without_politeness
from ..language.sentence_templates import Slots, matches

SUBJECT, RULE = "filling", "fill"
MAX_SENTENCE_CHARS = 300
FORMATS: tuple[Format, ...] = ("png", "pdf", "xlsx", "docx", "html", "csv")


def read_filling(text: str) -> Filling | None:
    """Return what a sentence asks to be filled; None where it asks for something else."""
    slots = _slots(text)
    if slots is None:
        return None
    named = (slots["format"], slots["other_format"])
    return Filling(formats=[form for form in FORMATS if form in named])


def _slots(text: str) -> Slots | None:
    sentence = without_politeness(text)
    return next(matches(SUBJECT, RULE, sentence), None) if len(sentence) <= MAX_SENTENCE_CHARS else None
