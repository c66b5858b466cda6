"""Whether a sentence is worded as a question about the user's own report or about the program itself.

``templates/*/own_report.toml`` and ``program.toml`` say how.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .change.clauses import without_politeness
from .sentence_templates import load, matches

MAX_QUESTION_CHARS = 160
SUBJECT = "own_report"
PROGRAM = "program"
_NEXT = re.compile(
    r"[?？;；。]\s*|\s+and\s+(?=(?:which|what|how)\b)|[,，]\s*(?:and )?(?=which|what|how|哪|什么|多少|几)"
)
"""Where another question begins."""
_END = re.compile(r"[?？]")
_SENTENCE = re.compile(r"[^.?!;。？！；\n]+(?:[.](?=\d)[^.?!;。？！；\n]+)*[.?!;。？！；]*")
_ASKS = re.compile(
    r"[?？]\s*$|^\W*(?:(?:and|so|but|please|hi|hello)\W+)*(?:what|how|why|which|who|whose|when|where|whether|can|could|do"
    r"|does|did|is|are|was|were|will|would|should|has|have|may|explain|describe|tell|help|thanks?|thank you|i wonder"
    r"|(?:i want|i'd like|i would like|i need) to (?:know|understand))\b"
    r"|什么|怎么|怎样|如何|为何|哪|多少|几|吗|呢|是否|能不能|可不可以|有没有|是不是|区别|解释|介绍|说说|意思|谢谢|[请想]问",
    re.IGNORECASE,
)
"""How a sentence looks that asks for knowledge, and wishes nothing of the report."""


def is_question(text: str) -> bool:
    """Whether every part of a sentence is such a question."""
    sentences = questions_in(text)
    return bool(sentences) and all(map(_is_one, sentences))


def is_mere_question(text: str) -> bool:
    """Whether a message only asks: no sentence of it says anything that may be a wish."""
    sentences = [one for one in _SENTENCE.findall(text) if len(one.split()) > 1 or re.search(r"[\u3400-\u9fff]", one)]
    return all(_ASKS.search(one) for one in sentences)


def questions_in(text: str) -> list[str]:
    """Return the questions of a message: itself where it is one, else its parts."""
    if len(text) > MAX_QUESTION_CHARS:
        return []
    whole = without_politeness(text)
    return [whole] if _is_one(whole) else [part.strip() for part in _NEXT.split(whole) if part.strip()]


def program_rule(text: str) -> str | None:
    """Return the rule of ``program.toml`` that reads the first question of a message."""
    if len(text) > MAX_QUESTION_CHARS:
        return None
    first = text.strip()[: end.end()] if (end := _END.search(text.strip())) else text
    return next(_rules_that_read(PROGRAM, without_politeness(first)), None)


def _is_one(sentence: str) -> bool:
    return next(_rules_that_read(SUBJECT, sentence), None) is not None


def _rules_that_read(subject: str, sentence: str) -> Iterator[str]:
    rules = dict.fromkeys(rule for language in load(subject) for rule in language.sentences)
    return (rule for rule in rules if any(True for _ in matches(subject, rule, sentence)))
