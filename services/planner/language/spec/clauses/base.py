"""What the readers of clauses fill in, and the pieces that their patterns are made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from bandsmith.shared.language import Language
from bandsmith.shared.model.spec import Computed, Paper, Sort

from ...sentence_templates import Slots, load

END = r"(?=\s*(?:[,;.\n。()]|$))"
"""Where a clause ends."""
LINE = r"(?:^|(?<=\n))\s*"
"""Where a line begins."""
EN = r"[A-Za-z][\w/%#&' -]{0,40}?"
"""A few English words."""
ZH = r"[^\s按,;。、()]{1,12}?"
"""A few Chinese ones."""
QUOTED = r"[\"“”'‘《「]([^\"“”’》」\n]{1,120})[\"“”'’》」]"


@dataclass
class SpecClauses:
    """What was understood, in the wording of the spec."""

    rest: str
    """What is left of the text."""
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

    def take(self, pattern: str, use: Callable[[re.Match[str]], str | None]) -> None:
        """Give every match to `use`, and put what it answers in its place; None leaves it."""

        def replace(found: re.Match[str]) -> str:
            instead = use(found)
            return found[0] if instead is None else instead

        self.rest = re.sub(pattern, replace, self.rest, flags=re.IGNORECASE)

    def read(self, subject: str, build: Builder) -> None:
        """Give every phrase that the builder's templates read to the builder, and put what it returns in its place."""
        for language in load(subject):
            for template in language.sentences.get(build.__name__, ()):
                text = self.rest

                def replacement(slots: Slots, span: tuple[int, int], text: str = text) -> str | None:
                    self.before, self.after = text[: span[0]], text[span[1] :]
                    return build(self, slots)

                self.rest = template.substitute(text, replacement)


Builder = Callable[[SpecClauses, Slots], str | None]
"""Notes what a phrase asks for; returns what takes its place in the text, None to leave it unread."""
