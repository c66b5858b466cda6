"""One clause, what it asks for, and what a rule is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.jrxml.declarations import DATE_CLASSES
from bandsmith.shared.replies import Text

from ..reference_resolver import ReferenceResolver
from ..references import Missing, Reference, Several, Target, missing, which_one
from ..request_clauses import SplitRequest
from ..sentence_templates import Slots, listed, matches
from ..template_view import TemplateView
from ..view_elements import TableColumn

Named = TypeVar("Named", Target, list[Target], TableColumn, list[TableColumn])


@dataclass
class ClauseReading:
    """What a clause asks for. Without edits and refusals it asks that something stays as it is."""

    edits: list[AnyEdit] = field(default_factory=list)
    refusals: list[Text] = field(default_factory=list)
    """Why it cannot be carried out."""
    target: Target | None = None
    """What it refers to, for a following clause that names nothing."""
    wording: bool = False
    """Whether it ends in new wording without quotation marks, which the next part may continue."""
    kept: tuple[str, ...] = ()
    """Keys of elements that have to stay."""
    left_alone: tuple[str, ...] = ()
    """Keys of elements that no edit of the request may change."""
    group: str | None = None
    """The field that it groups the rows by."""
    may_be_text: bool = False
    """Whether it draws what may as well be a line of text, whose words the next part of the sentence gives."""


SENTENCE_ENDS = frozenset("。！？!?")
"""What stands behind one of these belongs to another sentence: in “去掉。合计” the second word is not what goes."""


class Clause:
    """One clause, with the reading of the clause before it."""

    def __init__(
        self,
        text: str,
        request: SplitRequest,
        view: TemplateView,
        names: ReferenceResolver,
        before: ClauseReading | None,
        is_first: bool = True,
        as_said: str = "",
    ) -> None:
        self.text, self.request, self.view, self.names = text, request, view, names
        self.before = before
        self.is_first = is_first
        """Whether no clause stands before it."""
        self.as_said = as_said or text
        """The same with the words of politeness around it."""

    @property
    def begins_sentence(self) -> bool:
        """Whether a sentence ends in front of it."""
        before = self.request.text.rpartition(self.as_said)[0].rstrip()
        return before[-1:] in SENTENCE_ENDS or before.endswith((".", "\n"))

    @property
    def may_mean_everything(self) -> bool:
        """Whether "the text" without a name is that of the whole report, and not of what a clause before it named."""
        return self.is_first or (self.before is not None and not self.before.target)

    def find(self, words: str | None) -> Reference:
        """Return what words refer to; for no words and for a pronoun, what the clause before refers to."""
        words = (words or "").strip()
        if not words or listed("references", "pronoun", words):
            return self.before.target if self.before else None
        if words[0] in SENTENCE_ENDS:
            return None
        return self.names.find(*self.request.with_quotations(words))

    def column(self, words: str | None) -> TableColumn | Missing | Several | None:
        """Return the column that words refer to; for no words and for a pronoun, the column of the clause before."""
        words = (words or "").strip()
        if not words or listed("references", "pronoun", words):
            return self.before.target.column if self.before and self.before.target else None
        return self.names.column(*self.request.with_quotations(words))

    def columns(self, words: str) -> list[TableColumn] | Missing | Several | None:
        """Return the columns that words list."""
        return self.names.columns(*self.request.with_quotations(words))

    def targets(self, words: str) -> list[Target] | Missing | Several | None:
        """Return what words list; for a pronoun, what the clause before refers to."""
        words = words.strip()
        if listed("references", "pronoun", words):
            return [self.before.target] if self.before and self.before.target else None
        if words[:1] in SENTENCE_ENDS:
            return None
        return self.names.find_all(*self.request.with_quotations(words))

    def known(self, found: Named | Missing | Several | None) -> Named | ClauseReading | None:
        """Return what a rule may act on, or what it returns instead.

        That is the reading that says that something does not exist, or asks which of several things a description
        means; None for what is no name or names several things.
        """
        if isinstance(found, Missing):
            return self.absent(found)
        if isinstance(found, Several):
            return ClauseReading(refusals=[which_one(found)]) if found.is_described else None
        return found

    def words(self, text: str) -> str:
        """Return new wording as the user wrote it, without quotation marks."""
        return self.request.with_quotations(text)[0].strip()

    def has_quotes(self, text: str) -> bool:
        """Whether a part of the text is quoted."""
        return re.search("[\ue000-\ue0ff]", text) is not None

    def is_quotation(self, text: str) -> bool:
        """Whether a part of the text is one quotation and nothing else."""
        return len(text.strip()) == 1 and self.has_quotes(text)

    def absent(self, found: Missing) -> ClauseReading:
        """Return the reading of a clause that names something that does not exist."""
        return ClauseReading(refusals=[missing(found, self.view)])


def compared_column(clause: Clause, column: TableColumn, words: str) -> TableColumn | None:
    """Return the other column that words name, where its values can be compared with those of the column."""
    other = clause.column(words) if words.strip() else None
    if not isinstance(other, TableColumn) or other.field == column.field:
        return None
    are_numbers = column.numeric and other.numeric
    are_dates = {column.java_class, other.java_class} <= DATE_CLASSES
    return other if are_numbers or are_dates else None


def refused(code: str, **values: object) -> ClauseReading:
    """Return the reading of a clause that cannot be carried out, with the reason from the catalogue."""
    return ClauseReading(refusals=[Text.of(code, **values)])


ClauseRule = Callable[[Clause], ClauseReading | None]
"""Returns what a clause asks for; None unless the rule accounts for the whole clause."""

Builder = Callable[[Clause, Slots], ClauseReading | None]
"""Returns what a clause asks for, from the slots of its template; None where they name nothing to act on."""


def templated(subject: str, build: Builder) -> ClauseRule:
    """Return the rule that reads a clause by the templates of a subject that bear the builder's name.

    The first template whose slots name something in the report wins; else the first that says what is missing. What a
    slot took and the builder did not look at is left over, so that the template does not read the clause.
    """
    name = build.__name__

    def rule(clause: Clause) -> ClauseReading | None:
        absent: ClauseReading | None = None
        for slots in matches(subject, name, clause.text):
            reading = build(clause, slots)
            if reading is not None and (reading.edits or reading.kept or not reading.refusals):
                if not slots.left_over:
                    return reading
                continue
            absent = absent or reading
        return absent

    rule.__name__ = f"{subject}.{name}"
    return rule
