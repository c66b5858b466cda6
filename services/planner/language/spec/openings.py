"""What stands in front of the description of a report and asks for nothing: a greeting, a reason, "something for ...".

What users say is in ``templates/*/spec_title.toml``.
"""

from __future__ import annotations

import re

from ..sentence_templates import matches, phrase_at
from .clauses import clauses
from .description import Description
from .labels import holds_instruction
from .leads import opens_columns
from .titles import SUBJECT, is_request

MAX_OPENINGS = 3
MAX_REASON_CHARS = 80
_ABOUT_THE_REPORT = ("look", "position", "counting", "furniture")
_MARK = re.compile(r"\s*(?P<mark>[,，;；.。!！\n])\s*")
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


def _after_reason(text: str) -> str:
    mark = _MARK.search(text)
    if mark is None or mark.start() > MAX_REASON_CHARS:
        return ""
    clause, rest = text[: mark.start()].strip(), _JOINT.sub("", text[mark.end() :], count=1)
    described = Description(clause)
    if any(matches(SUBJECT, "something_for", described.text)):
        opens = opens_columns(rest) and not holds_instruction(described.text, ("look", "position", "furniture"))
        return rest if _ARTICLE.match(rest) or opens else ""
    is_reason = any(matches(SUBJECT, "reason", described.text)) and not _asks_for_something(described)
    return rest if is_reason and is_request(rest) else ""


def _asks_for_something(described: Description) -> bool:
    """Whether a reason also says what the report is like: 因为表格要横向, "since the title is red"."""
    words = described.text
    asks = holds_instruction(words, _ABOUT_THE_REPORT) or clauses(described).rest.strip() != words.strip()
    return asks or re.search(r"[\d\ue000-\ue0ff]", words) is not None
