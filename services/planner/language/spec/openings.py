"""What stands in front of the description of a report and asks for nothing: a greeting, a reason, a story.

A story tells of people and their work, and ends where they say what they want: "every Friday I count the tin, I need a
petty cash sheet". It is passed over as a whole or not at all: only where each of its clauses is a sentence and no name,
none says how the report is to be, and a demand or a list of names follows. The reply quotes what was passed over.

What users say is in ``templates/*/spec_title.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.fonts import is_cjk

from ..sentence_templates import matches, phrase_at, phrases
from .clauses import clauses
from .description import Description
from .labels import cleaned, holds_instruction, is_label, split
from .leads import opens_columns
from .titles import SUBJECT, is_demand, is_request, name_in, without_request

MAX_OPENINGS = 3
MAX_STORY_CLAUSES = 8
MIN_LISTED = 3
"""Names of a sentence that lists columns."""
MAX_REASON_CHARS, MAX_STORY_CHARS = 120, 240
MIN_STORY_WORDS, MIN_STORY_CHARACTERS = 3, 4
"""English words and Chinese characters of a clause of a story."""
MIN_SENTENCE_CHARACTERS = 5
"""Chinese characters from which on words that no column is called may be a sentence: 果农一车一车拉过来过磅."""
MAX_UNNAMED_WORDS, MAX_UNNAMED_CHARACTERS = 4, 8
"""Up to as many English words or Chinese characters, an opening is not quoted in the reply."""
_ABOUT_PARTS = ("look", "position", "furniture")
_ABOUT_THE_REPORT = (*_ABOUT_PARTS, "counting")
_MARK = re.compile(r"\s*(?P<mark>[,，;；.。!！\n])\s*")
_SENTENCE_END = re.compile(r"[.。\n](?:\s|$)")
_JOINT = re.compile(r"(?:so|and so|therefore|and|but)\b,?\s*|所以", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:an?|the|one)\s", re.IGNORECASE)
_DIGIT_OR_QUOTATION = re.compile(r"[\d\ue000-\ue0ff]")
_LISTS = re.compile("[、:：]")
_NO_DIGITS = str.maketrans("0123456789", "x" * 10)


def without_opening(text: str) -> str:
    """Return a description without its greeting and what explains it: only where a request or a sentence follows."""
    for _ in range(MAX_OPENINGS):
        rest = _after_greeting(text) or _after_reason(text) or _after_story(text)
        if not rest:
            break
        text = rest
    return text


def quoted_opening(text: str, rest: str) -> str:
    """Return what was passed over in front of the `rest`; empty where it is only a few words."""
    passed = text[: len(text) - len(rest)].strip(" ,，;；.。!！\n") if text.endswith(rest) else ""
    chinese = sum(map(is_cjk, passed))
    is_long = chinese > MAX_UNNAMED_CHARACTERS or len(passed.split()) > MAX_UNNAMED_WORDS
    return " ".join(passed.split()) if is_long else ""


def _after_greeting(text: str) -> str:
    greeting = phrase_at(SUBJECT, "greeting", text)
    mark = _MARK.match(text, greeting.end) if greeting else None
    if mark is None:
        return ""
    rest = text[mark.end() :]
    is_opening = mark["mark"] in "!！.。\n" or is_request(rest) or bool(_after_reason(rest) or _after_story(rest))
    return rest if is_opening else ""


def _after_reason(text: str, further: int = MAX_OPENINGS) -> str:
    mark = _MARK.search(text)
    if mark is None or mark.start() > MAX_REASON_CHARS:
        return ""
    clause, rest = text[: mark.start()].strip(), _without_joint(text[mark.end() :])
    described = Description(clause)
    if any(matches(SUBJECT, "something_for", described.text)):
        opens = opens_columns(rest) and not holds_instruction(described.text, _ABOUT_PARTS)
        return rest if _ARTICLE.match(rest) or opens else ""
    if not _is_background(described):
        return ""
    begins = is_request(rest) or (mark["mark"] in ".。" and _begins_list(rest))
    return rest if begins or (further and _after_reason(rest, further - 1)) else ""


def _after_story(text: str) -> str:
    """Return the demand behind a story; empty where the text does not begin with one."""
    rest, tells_of_people = text, False
    for _ in range(MAX_STORY_CLAUSES):
        ends = _story_end(rest)
        if ends is None:
            return ""
        mark = rest[ends[0] : ends[1]].strip(" \t")
        clause, rest = rest[: ends[0]].strip(), _without_joint(rest[ends[1] :].lstrip())
        described = Description(clause)
        if not _is_story(described):
            return ""
        tells_of_people |= bool(phrases(SUBJECT, "teller", described.text))
        lists = mark in (".", "。", "\n") and _begins_list(rest)
        if tells_of_people and (lists or is_demand(rest)):
            return rest
    return ""


def _story_end(text: str) -> tuple[int, int] | None:
    """Return where the first clause of a story ends, and where what follows its mark, or "so", begins."""
    mark = _MARK.search(text)
    clause = text[: mark.start()] if mark else text
    joints = (one for one in phrases(SUBJECT, "joint", clause[:MAX_STORY_CHARS]) if one.start > 0)
    joint = next((one for one in joints if is_demand(clause[one.end :].strip())), None)
    start, end = (joint.start, joint.end) if joint else mark.span() if mark else (0, 0)
    return (start, end) if 0 < start <= MAX_STORY_CHARS else None


def _without_joint(text: str) -> str:
    return _JOINT.sub("", text, count=1) if _JOINT.match(text) else text


def _is_story(described: Description) -> bool:
    """Whether a clause is a sentence that tells something, and says nothing of the report."""
    words = described.text
    chinese = sum(map(is_cjk, words))
    is_sentence = chinese >= MIN_STORY_CHARACTERS or (not chinese and len(words.split()) >= MIN_STORY_WORDS)
    counted = phrases(SUBJECT, "counted", words)
    if any((one.start, one.end) == (0, len(words)) for one in counted):
        return True
    for one in reversed(counted):
        words = f"{words[: one.start]}{words[one.start : one.end].translate(_NO_DIGITS)}{words[one.end :]}"
    if not is_sentence or _DIGIT_OR_QUOTATION.search(words) or _LISTS.search(words) or is_demand(words):
        return False
    if is_label(cleaned(words)) and (chinese < MIN_SENTENCE_CHARACTERS or meaning(words).known):
        return False
    may_name = phrase_at(SUBJECT, "teller", words) is None or bool(phrases(SUBJECT, "asks_within", words))
    if may_name and name_in(words, has_more=False) is not None:
        return False
    return not any(phrases(SUBJECT, rule, words) for rule in ("about_report", "orders"))


def _begins_list(text: str) -> bool:
    """Whether a text begins with a sentence of several names: "Date, oven, temperature."."""
    _, rest = without_request(_SENTENCE_END.split(text, maxsplit=1)[0])
    labels = [cleaned(part) for part in split(rest[:MAX_STORY_CHARS])[:MIN_LISTED]]
    return len(labels) == MIN_LISTED and all(map(is_label, labels))


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
    return asks or _DIGIT_OR_QUOTATION.search(words) is not None
