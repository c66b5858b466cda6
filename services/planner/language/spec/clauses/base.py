"""What the clauses of a request ask for, and how their phrases are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bandsmith.shared.language import Language
from bandsmith.shared.model.spec import Computed, Paper, Sort

from ...sentence_templates import Slots, load


@dataclass
class SpecClauses:
    """What the clauses of a request ask for, in its own words."""

    rest: str
    """The text that no clause has taken so far."""
    before: str = ""
    after: str = ""
    """The text around the phrase that is being read."""
    title: str | None = None
    footer: str | None = None
    page_numbers: bool = True
    paper: Paper = field(default_factory=Paper)
    language: Language | None = None
    sort: list[Sort] = field(default_factory=list)
    """The column ``date`` is any date, an empty one any amount."""
    groups: list[str] = field(default_factory=list)
    header: list[str] = field(default_factory=list)
    computed: dict[str, Computed] = field(default_factory=dict)
    summed: list[str] = field(default_factory=list)
    averaged: list[str] = field(default_factory=list)
    counted: bool = False
    wants_totals: bool = False
    no_totals: bool = False

    def read(self, subject: str, build: Builder) -> None:
        """Replace each phrase that the builder's templates read by what the builder returns."""
        for language in load(subject):
            for template in language.sentences.get(build.__name__, ()):
                text = self.rest

                def replacement(slots: Slots, span: tuple[int, int], text: str = text) -> str | None:
                    self.before, self.after = text[: span[0]], text[span[1] :]
                    return build(self, slots)

                self.rest = template.substitute(text, replacement)


Builder = Callable[[SpecClauses, Slots], str | None]
"""Notes what a phrase asks for; returns what takes its place in the text, None to leave it unread."""
