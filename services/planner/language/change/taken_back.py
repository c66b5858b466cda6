"""What makes the rules give a whole request back: words that take a wish back, or on which it depends.

A clause that no rule reads is named as unread, and the others are carried out. That would be wrong where it says that
the others are not meant (“red, no, blue”), that they depend on something (“if he does not sign, take it out”), or where
it holds the words of what they make (“put a line below the total, “Deposit””). What users say is in
``templates/*/negation.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..request_clauses import SplitRequest
from ..sentence_templates import matches
from .reading import SENTENCE_ENDS, ClauseReading

_QUOTATION = re.compile("[\ue000-\ue0ff]")
_LIMITS = (("negation", "leaves_out"), ("highlight", "bare"))


@dataclass(frozen=True)
class ReadClause:
    """A clause of a request, with what rules read in it."""

    first: int
    last: int
    """The parts of the request that it is made of."""
    text: str
    reading: ClauseReading | None
    is_told: bool = False
    """Whether it only tells something."""

    @property
    def does_something(self) -> bool:
        return self.reading is not None and bool(self.reading.edits)


def is_given_back(request: SplitRequest, clauses: Sequence[ReadClause]) -> bool:
    """Whether nothing of a request may be carried out because of a clause that no rule reads."""
    parts = [request.text[part.start : part.end].strip() for part in request.parts]
    if any(map(_takes_back, parts[1:])) or any(any(matches("negation", "open_question", part)) for part in parts):
        return True  # “no” in “red, no, blue” is not the column No.
    unread = [n for n, clause in enumerate(clauses) if clause.reading is None]
    return any(
        (not clauses[n].is_told and _leaves_out(clauses[n].text))
        or _depends(request, clauses, n)
        or _is_part_of_another(request, clauses, n)
        for n in unread
    )


def _leaves_out(clause: str) -> bool:
    """Whether a clause takes something out of what was read: “全部列居中，备注除外”.

    A condition does, too: “单价超过30的货，品名用红字”.
    """
    return any(any(matches(*rule, clause)) for rule in _LIMITS)


def _takes_back(clause: str) -> bool:
    return any(matches("negation", "takes_back", clause))


def _depends(request: SplitRequest, clauses: Sequence[ReadClause], n: int) -> bool:
    """Whether a clause is a condition of another one in its sentence."""
    start, end = request.parts[clauses[n].first].start, request.parts[clauses[n].last].end
    texts = (clauses[n].text, request.text[start:end].strip())  # 只要 at its beginning is taken for politeness
    is_condition, is_polite = (
        any(any(matches("negation", rule, text)) for text in texts) for rule in ("condition", "no_condition")
    )
    if not is_condition or is_polite:
        return False
    return any(one.does_something and _in_one_sentence(request, clauses[n], one) for one in clauses)


def _is_part_of_another(request: SplitRequest, clauses: Sequence[ReadClause], n: int) -> bool:
    """Whether a clause is a piece of the one before or after it: the words of a line, or the first of two names."""
    clause = clauses[n]
    before = clauses[n - 1] if n else None
    is_quoted = _QUOTATION.fullmatch(clause.text) is not None
    if (
        before is not None
        and before.reading is not None
        and before.does_something
        and (before.reading.may_be_text or is_quoted)
        and _in_one_sentence(request, before, clause)
    ):
        return True
    after = clauses[n + 1] if n + 1 < len(clauses) else None
    is_joined = after is not None and request.parts[after.first].weak
    return is_joined and after is not None and after.reading is not None and after.reading.wording


def _in_one_sentence(request: SplitRequest, one: ReadClause, other: ReadClause) -> bool:
    first, second = sorted((one, other), key=lambda clause: clause.first)
    between = request.text[request.parts[first.first].start : request.parts[second.first].start]
    return not (SENTENCE_ENDS & set(between) or re.search(r"\.\s|\n", between))
