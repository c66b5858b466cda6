"""What stands in front of the description of a report and asks for nothing: a greeting, a reason, "something for ...".

What users say is in ``templates/*/spec_title.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..sentence_templates import matches, phrase_at, phrases
from .clauses import clauses
from .description import Description
from .labels import holds_instruction, listed
from .leads import opens_columns
from .titles import SUBJECT, is_request

MAX_OPENINGS = 3
MIN_LISTED = 3
"""Names of a sentence that lists columns."""
MAX_REASON_CHARS = 120
_ABOUT_PARTS = ("look", "position", "furniture")
_ABOUT_THE_REPORT = (*_ABOUT_PARTS, "counting")
_MARK = re.compile(r"\s*(?P<mark>[,，;；.。!！\n])\s*")
_SENTENCE_END = re.compile(r"[.。\n](?:\s|$)")
_JOINT = re.compile(r"(?:so|and so|therefore)\b,?\s*|所以", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:an?|the|one)\s", re.IGNORECASE)


def without_opening(text: str) -> str:
    """Return a description without its greeting and what explains it: only where a request or a sentence follows."""
    for _ in range(MAX_OPENINGS):
        rest = _after_greeting(text) or _after_reason(text)
        if not rest:
            break
        text = rest
    return text


def _after_greeting(text: str) -> str:
    greeting = phrase_at(SUBJECT, "greeting", text)
    mark = _MARK.match(text, greeting.end) if greeting else None
    if mark is None:
        return ""
    rest = text[mark.end() :]
    is_opening = mark["mark"] in "!！.。\n" or is_request(rest) or bool(_after_reason(rest))
    return rest if is_opening else ""


def _after_reason(text: str, further: int = MAX_OPENINGS) -> str:
    mark = _MARK.search(text)
    if mark is None or mark.start() > MAX_REASON_CHARS:
        return ""
    clause, rest = text[: mark.start()].strip(), _JOINT.sub("", text[mark.end() :], count=1)
    described = Description(clause)
    if any(matches(SUBJECT, "something_for", described.text)):
        opens = opens_columns(rest) and not holds_instruction(described.text, _ABOUT_PARTS)
        return rest if _ARTICLE.match(rest) or opens else ""
    if not _is_background(described):
        return ""
    begins = is_request(rest) or (mark["mark"] in ".。" and _begins_list(rest))
    return rest if begins or (further and _after_reason(rest, further - 1)) else ""


def _begins_list(text: str) -> bool:
    """Whether a text begins with a sentence of several names: "Date, oven, temperature."."""
    return len(listed(_SENTENCE_END.split(text, maxsplit=1)[0]) or ()) >= MIN_LISTED


def _is_background(described: Description) -> bool:
    """Whether a clause gives a reason, or introduces its writer, and asks for nothing."""
    words = described.text
    if any(matches(SUBJECT, "reason", words)):
        return not _asks_for_something(described, _ABOUT_THE_REPORT)
    is_introduction = any(matches(SUBJECT, "introduction", words)) and not phrases(SUBJECT, "wants", words)
    return is_introduction and not _asks_for_something(described, _ABOUT_PARTS)


def _asks_for_something(described: Description, kinds: Sequence[str]) -> bool:
    """Whether words also say what the report is like: 因为表格要横向, "since the title is red"."""
    words = described.text
    asks = holds_instruction(words, kinds) or clauses(described).rest.strip() != words.strip()
    return asks or re.search(r"[\d\ue000-\ue0ff]", words) is not None
