"""What the clauses of a request ask for, and how their phrases are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from bandsmith.shared.language import Language
from bandsmith.shared.model.spec import Computed, Paper, Sort

from ...sentence_templates import Slots, load
from ..description import Description

_SENTENCE_ENDS = (".", "。", "!", "！", "?", "？")


@dataclass
class SpecClauses:
    """What the clauses of a request ask for, in its own words."""

    rest: str
    """The text that no clause has taken so far, with its quotations masked."""
    description: Description
    before: str = ""
    after: str = ""
    """The text around the phrase that is being read."""
    phrase: str = ""
    """The phrase that is being read."""
    title: str | None = None
    title_align: Literal["auto", "left", "center", "right"] = "auto"
    company: str | None = None
    footer: str | None = None
    page_numbers: bool = True
    changes: list[str] = field(default_factory=list)
    """Sentences that change the finished report."""
    like_example: bool = False
    """Whether the report is to look like a template that comes with the request."""
    paper: Paper = field(default_factory=Paper)
    language: Language | None = None
    sort: list[Sort] = field(default_factory=list)
    """The column ``date`` is any date, an empty one any amount."""
    groups: list[str] = field(default_factory=list)
    loose_groups: list[str] = field(default_factory=list)
    """Groups of which it is only said that the report is "by" them."""
    dimensions: list[str] = field(default_factory=list)
    """Columns before the named ones: "sales by region and product"."""
    group_pages: list[str] = field(default_factory=list)
    """The groups of which each begins on a new page."""
    closing_texts: list[str] = field(default_factory=list)
    computed: dict[str, Computed] = field(default_factory=dict)
    running: list[str] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    """The phrase that named a column, a group or a formula: it is unread if there is no such column."""

    def note(self, label: str) -> str:
        """Remember the phrase that names a label, and return the label."""
        self.sources.setdefault(label, self.description.as_written(self.phrase))
        return label

    def read(self, subject: str, build: Builder) -> None:
        """Replace each phrase that the builder's templates read by what the builder returns."""
        for language in load(subject):
            for template in language.sentences.get(build.__name__, ()):
                text = self.rest

                def replacement(slots: Slots, span: tuple[int, int], text: str = text) -> str | None:
                    self.before, self.after = text[: span[0]], text[span[1] :]
                    self.phrase = text[span[0] : span[1]]
                    made = build(self, slots)
                    # A comma in the place of a phrase must not follow the end of a sentence.
                    return " " if made == ", " and self.before.rstrip().endswith(_SENTENCE_ENDS) else made

                self.rest = template.substitute(text, replacement)


Builder = Callable[[SpecClauses, Slots], str | None]
"""Notes what a phrase asks for; returns what takes its place in the text, None to leave it unread."""
