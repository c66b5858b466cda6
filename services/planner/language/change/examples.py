"""The sentences nearest to one that could not be read, each of which would be read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from rapidfuzz import fuzz

from bandsmith.shared.language import Language

from ..template_view import TemplateView
from .rule_parser import read_request

MAX_EXAMPLES = 2
MIN_SIMILARITY = 33.0
"""Of 100; a sentence that is less like the user's is no help."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_FILLER = re.compile(
    r"\b(?:the|a|an|please|can|could|you|i|want|would|like|to|of|it|is|in|at|on|my|me|this|that|with|and|up|make|get|put|should|be|do|just)\b"
    r"|一下|一点|[请把将的了吗呢吧给我要想在里个来那这弄搞些点就让得到从]"
)


class Example(NamedTuple):
    say: str
    about: str


def nearest(clause: str, view: TemplateView, language: Language) -> list[str]:
    """Return the examples most like a clause that rules read as a change of this report, best first."""
    names = _headings(view)
    if not names:
        return []
    scored = [(_similarity(clause, example, names), example) for example in _examples(language)]
    likely = sorted((pair for pair in scored if pair[0] >= MIN_SIMILARITY), key=itemgetter(0), reverse=True)
    found = (say for _, example in likely if _is_read(say := example.say.format(**names), view))
    return list(islice(found, MAX_EXAMPLES))


@cache
def _examples(language: Language) -> tuple[Example, ...]:
    content = tomllib.loads(Path(__file__).with_name("examples.toml").read_text(encoding="utf-8"))
    return tuple(Example(**entry) for entry in content[language])


def _headings(view: TemplateView) -> dict[str, str]:
    """Return headings of the report's columns, by what they stand for in the examples; none without columns."""
    columns = view.columns
    if not columns:
        return {}
    numbers = [column for column in columns if column.numeric]
    number = (numbers or columns)[-1]
    other = next((column for column in columns[1:] if column is not number), columns[0])
    return {"column": columns[0].label, "number": number.label, "other": other.label}


def _similarity(clause: str, example: Example, names: Mapping[str, str]) -> float:
    """Return how much of a clause's words is in the example, from 0 to 100."""
    words = list(_words(clause))
    known = list(_words(f"{example.say.format(**names)} {example.about}"))
    if not words:
        return 0.0
    return sum(max(_likeness(word, other) for other in known) for word in words) / len(words)


def _likeness(word: str, other: str) -> float:
    ratio = fuzz.ratio(word, other)
    return ratio if ratio >= 75 else 0.0


def _words(text: str) -> Iterator[str]:
    """Yield the words of a text that say something: in Chinese its characters."""
    yield from re.findall(rf"[a-z0-9]+|{_HAN.pattern}", _FILLER.sub(" ", text.lower()))


def _is_read(sentence: str, view: TemplateView) -> bool:
    reading = read_request(sentence, view)
    return bool(reading.edits) and not (reading.unread or reading.refusals)


def of_clauses(clauses: Sequence[str], view: TemplateView, language: Language) -> list[str]:
    """Return the examples nearest to the first clauses."""
    found = [say for clause in clauses for say in nearest(clause, view, language)]
    return list(dict.fromkeys(found))[:MAX_EXAMPLES]
