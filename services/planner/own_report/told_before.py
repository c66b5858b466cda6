"""A question behind what people said, and one that goes on with another.

“Ines says she stayed late on Tuesday, when did she leave?”, 直线导轨是哪个批号，送了几根.

What was told is passed over only where a template of ``questions.toml`` reads it as what people say. The one
thing that it names in the rows is what the question behind it means by “them” or “that day”; a question whose pronoun
stands for nothing is not answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bandsmith.shared.fonts import is_cjk

from ..language.questions import pronouns_in, without_story
from ..language.request_clauses import without_politeness
from .report import OwnReport
from .row_table import RowTable

MAX_CHARS = 240
MAX_PARTS = 3
MIN_WORD_CHARS, MAX_NAME_CHARS = 4, 8
"""Letters of an English word, and Chinese characters, that may name a row."""
_PARTS = re.compile(r"[,，]\s*(?:and )?|\s+and\s+", re.IGNORECASE)
Answering = Callable[[str], str | None]


def answer_behind(report: OwnReport, question: str, answer: Answering) -> str | None:
    """Return the answer to a question of several parts, or behind a story; None where a part has none."""
    text = without_politeness(question)
    if len(text) > MAX_CHARS:
        return None
    told, asked = without_story(text)
    return _answers(report, asked, _named_row(report, told), answer)


def _answers(report: OwnReport, asked: str, antecedent: str, answer: Answering) -> str | None:
    """Return the answers to the whole, or to each of its parts, in which the same thing may be meant."""
    asked = asked.strip(" ?？。.")
    if (whole := _answer(asked, antecedent, answer)) is not None:
        return whole
    parts = [part.strip() for part in _PARTS.split(asked) if part.strip()]
    if not 1 < len(parts) <= MAX_PARTS:
        return None
    answers = list[str]()
    for part in parts:
        found = _answer(part, antecedent, answer)
        if found is None:
            return None
        answers.append(found)
        antecedent = _named_row(report, part) or antecedent
    return "\n".join(dict.fromkeys(answers))


def _answer(question: str, antecedent: str, answer: Answering) -> str | None:
    return next((found for one in _meant(question, antecedent) if (found := answer(one)) is not None), None)


def _meant(question: str, antecedent: str) -> Iterator[str]:
    """Yield what a question may mean: with the thing that was named, and, without a pronoun, as it stands."""
    found = pronouns_in(question)
    if antecedent and found:
        pronoun = found[-1]
        yield question[: pronoun[0]] + antecedent + question[pronoun[1] :]
    elif antecedent:
        yield from [f"{antecedent}{question}"] if any(map(is_cjk, question)) else [f"{question} on {antecedent}"]
    if not found:
        yield question


def _named_row(report: OwnReport, words: str) -> str:
    """Return the word of a text that names rows, where all such words name the same; else an empty text."""
    table = RowTable(report)
    named = {word: tuple(rows) for word in _names_in(words) if (rows := table.holding(word))}
    chosen = {rows for rows in named.values() if len(rows) < len(table.rows)}
    return max(named, key=len) if len(chosen) == 1 and len(set(named.values())) == 1 else ""


def _names_in(words: str) -> Iterator[str]:
    """Yield the words of a text, and the longest runs of its Chinese characters first."""
    yield from re.findall(rf"[A-Za-z][A-Za-z-]{{{MIN_WORD_CHARS - 1},}}", words)
    for run in re.findall(r"[\u3400-\u9fff]{2,40}", words):
        for start in range(len(run) - 1):
            yield from (run[start : start + size] for size in range(2, MAX_NAME_CHARS + 1) if start + size <= len(run))
