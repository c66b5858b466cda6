"""What the words beside a picture ask for besides building a report from it: “leave out the price columns”.

``templates/*/words_with_page.toml`` says which words only ask for building.
"""

from __future__ import annotations

from bandsmith.shared.language import LANGUAGES, Language

from .request_clauses import SplitRequest
from .sentence_templates import end_of_phrases, phrase_at, phrases

SUBJECT = "words_with_page"
RULES = frozenset({"building", "page", "lead", "without"})
_LEAVE_OUT: dict[Language, str] = {"en": "leave out ", "zh": "去掉"}
"""How a wish begins that was worded as “without the price”."""
_MARKS = " ,，"


def words_besides_building(text: str) -> str:
    """Return the clauses of a sentence that do not only ask for a report like the page beside it."""
    split = SplitRequest(text)
    wishes = ""
    for number, part in enumerate(split.parts):
        wish = _wish(split.as_written(split.clause(number, number)))
        if wish:
            joint = "" if not wishes else " and " if part.weak else "; "
            wishes += joint + wish
    return wishes


def _wish(clause: str) -> str:
    """Return a clause without a part that only asks for building: ``build this without the price``."""
    building = clause[: end_of_phrases(SUBJECT, "building", clause)]
    if not any(char.isalnum() for char in clause[len(building) :]):
        return ""
    if phrases(SUBJECT, "page", building):
        clause = clause[len(building) :]
    lead = phrase_at(SUBJECT, "lead", clause)
    if lead is not None:
        clause = clause[lead.end :].lstrip(_MARKS)
    for language in LANGUAGES:
        if (without := phrase_at(SUBJECT, "without", clause, language=language)) is not None:
            return _LEAVE_OUT[language] + clause[without.end :].lstrip()
    return clause
