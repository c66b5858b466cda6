"""A clause that says two things: names, and what is read whole, such as "the total and a place to sign"."""

from __future__ import annotations

from ..sentence_templates import phrase_at, phrases
from .leads import lead_at
from .sections import SUBJECT, Section
from .statements import MAX_STATEMENT_CHARS, statement_in


def joined(words: str, section: Section | None) -> list[str] | None:
    """Return the two parts of a clause in `section` of which the second is read whole; None if there are no two.

    A word for a total behind names may be one of the names, so it needs a whole clause before it as well.
    """
    if words.startswith("(") and 0 < (end := words.find(")")) < len(words) - 1:
        rest = words[end + 1 :].strip()
        joint = phrase_at(SUBJECT, "joint", rest)
        return [words[: end + 1], rest[joint.end :].strip()] if joint else None
    for joint in reversed(phrases(SUBJECT, "joint", words)):
        before, after = words[: joint.start].strip(" ,"), words[joint.end :].strip(" ,")
        rule = statement_in(after, section)[0]
        if before and rule is None and _begins_list(after):
            return [before, after]
        if (
            before
            and rule not in (None, "filler")
            and (rule not in ("all_totals", "choice", "count") or statement_in(before, section)[0])
        ):
            return [before, after]
    return None


def _begins_list(words: str) -> bool:
    """Whether words say themselves what they list: "signature lines for ...", "five columns ..."."""
    if len(words) > MAX_STATEMENT_CHARS:
        return False  # each of hundreds of joints would be tried again
    lead, counted = lead_at(words, 0), phrase_at(SUBJECT, "counted_columns", words)
    is_signed = lead is not None and lead[0] == "signatures" and lead[1] < len(words)
    return is_signed or (counted is not None and counted.end < len(words))
