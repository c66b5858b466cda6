"""Whether a sentence is worded as a question about the user's own report or about the program itself.

``own_report.toml``, ``row_questions.toml``, ``program.toml`` and ``questions.toml`` in ``templates/*`` say how.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from bandsmith.shared.fonts import is_cjk

from .request_clauses import without_politeness
from .sentence_templates import Slots, end_of_phrases, load, matches, pattern, phrase_at, phrases

MAX_QUESTION_CHARS = 160
SUBJECT = "own_report"
ROWS = "row_questions"
PRINTED = "printed_questions"
_WHOLE_QUESTIONS = ("signed", "tax_included", "grand_total", "known_value", "asked_label")
"""Rules of ``printed_questions.toml`` whose words are those of a question; the others may be a part of anything."""
PROGRAM = "program"
WORDS = "questions"
RULES = frozenset({
    "before_question", "question_begins", "question_word", "asks_for_value", "polite_request", "failure", "abilities",
    "order", "names_report", "joins_questions", "next_question", "general", "points_at_report", "compares",
    "told", "pronoun", "wants_explanation",
    "comes_again", "speaks_of_work", "stops_runs", "was_stopped", "amount_of_time", "day", "deadline", "compared_time",
})  # fmt: skip
"""Rules of ``questions.toml``."""
QUESTION_MARKS = ("?", "？")
_MARK = re.compile("[,，、;；:：]")
_END = re.compile(r"[?？]")
_CONTRACTED = re.compile(r"\b(what|which|who|where|when|how)(?:['’]s|s)\b", re.IGNORECASE)
_STORY_END = re.compile(r"[,，:：;；.。]\s*(?:and |so )?")
_NAME = re.compile(r"(?<![^,，、:：])[^,，、:：]+[,，、]")
MIN_NAMES = 3
"""Names with a comma behind them that make a list."""
_SENTENCE = re.compile(r"[^.?!;。？！；\n]+(?:[.](?=\d)[^.?!;。？！；\n]+)*[.?!;。？！；]*")


def is_question(text: str) -> bool:
    """Whether every part of a sentence is such a question."""
    sentences = questions_in(text)
    return bool(sentences) and all(map(_is_one, sentences))


def is_about_report(text: str) -> bool:
    """Whether every part of a sentence asks about the report as such, whatever its rows and texts hold."""
    sentences = questions_in(text)
    return bool(sentences) and all(next(_rules_that_read(SUBJECT, one), None) is not None for one in sentences)


def is_mere_question(text: str) -> bool:
    """Whether a message only asks: no sentence of it says anything that may be a wish."""
    sentences = [one for one in _SENTENCE.findall(text) if len(one.split()) > 1 or any(map(is_cjk, one))]
    return all(map(_asks, sentences))


def lists_names(text: str) -> bool:
    """Whether a message lists what a report has, and only one of the names is worded as a question: “what for”."""
    begins = phrase_at(WORDS, "question_begins", text, end_of_phrases(WORDS, "before_question", text)) is not None
    is_polite = phrase_at(WORDS, "polite_request", text, end_of_phrases(WORDS, "before_question", text)) is not None
    if (begins or text.rstrip().endswith(QUESTION_MARKS)) and not is_polite:
        return False
    return any(len(_NAME.findall(sentence)) >= MIN_NAMES for sentence in _SENTENCE.findall(text))


def _asks(sentence: str) -> bool:
    """Whether a sentence asks for knowledge, and requests no change of the report."""
    if sentence.rstrip().endswith(QUESTION_MARKS) or phrases(WORDS, "question_word", sentence):
        return True
    if any(matches(WORDS, "order", sentence.strip(" .!。！"))):
        return False
    return phrase_at(WORDS, "question_begins", sentence, end_of_phrases(WORDS, "before_question", sentence)) is not None


def asks_for_value(sentence: str) -> bool:
    """Whether a sentence that rules take for a change may be a question."""
    return sentence.rstrip().endswith(QUESTION_MARKS) or bool(phrases(WORDS, "asks_for_value", sentence))


def without_story(text: str) -> tuple[str, str]:
    """Return what is told in front of a question, empty where nothing is, and the rest: “my boss says so, ...”."""
    ends = [mark.span() for mark in _STORY_END.finditer(text[: 2 * MAX_QUESTION_CHARS])]
    start, end = next(((start, end) for start, end in ends if _is_told(text[:start])), (0, 0))
    return text[:start].strip(), text[end:].strip()


def _is_told(text: str) -> bool:
    """Whether words tell what people said or wants to know, and ask nothing themselves."""
    is_statement = any(True for _ in matches(WORDS, "told", text.strip()))
    return is_statement and not phrases(WORDS, "asks_for_value", text) and not any(map(str.isdigit, text))


def wants_explanation(text: str) -> bool:
    """Whether a message wants to know how or why something is, wherever the words stand."""
    return bool(phrases(WORDS, "wants_explanation", text))


def pronouns_in(question: str) -> list[tuple[int, int]]:
    """Return where a question has words that stand for what was named before: “them”, “that day”."""
    return [(phrase.start, phrase.end) for phrase in phrases(WORDS, "pronoun", question)]


def comes_again(sentence: str) -> bool:
    """Whether a sentence speaks of times that come again: “every Monday”."""
    return bool(phrases(WORDS, "comes_again", sentence))


def speaks_of_work(sentence: str) -> bool:
    """Whether a sentence speaks of work beyond the report: planned, scheduled, filled or delivered."""
    return comes_again(sentence) or bool(phrases(WORDS, "speaks_of_work", sentence))


def stops_runs(text: str) -> bool:
    """Whether a sentence of a message says that what runs automatically is to stop."""
    sentences = [without_politeness(sentence) for sentence in _SENTENCE.findall(text)]
    return any(
        phrase_at(WORDS, "stops_runs", sentence) is not None and phrase_at(WORDS, "was_stopped", sentence) is None
        for sentence in sentences
    )


def gives_time_and_day(text: str) -> bool:
    """Whether a message gives an amount of time and a day, as one does of work that is planned."""
    return bool(phrases(WORDS, "amount_of_time", text) and phrases(WORDS, "day", text))


def plans_by_deadline(text: str) -> bool:
    """Whether a message gives an amount of time that work takes, and the day that it is to be done by."""
    is_planned = phrases(WORDS, "amount_of_time", text) and phrases(WORDS, "deadline", text)
    return bool(is_planned) and not phrases(WORDS, "compared_time", text)


def questions_in(text: str) -> list[str]:
    """Return the questions of a message: its parts where each is one, else itself where it is one."""
    if len(text) > MAX_QUESTION_CHARS:
        return []
    whole = contracted(without_politeness(text))
    parts = [part.strip() for part in _next().split(whole) if part.strip()]
    return [whole] if _is_one(whole) and not all(map(_is_one, parts)) else parts


def contracted(question: str) -> str:
    """Return a question with “what is” for “what's”, as templates have it."""
    return _CONTRACTED.sub(r"\1 is", question)


@cache
def _next() -> re.Pattern[str]:
    """Return the pattern of what stands between two questions."""
    words, asks = pattern(WORDS, "joins_questions"), pattern(WORDS, "next_question")
    return re.compile(rf"[?？;；。]\s*|\s+(?:{words})\s+(?=(?:{asks})\b)|[,，]\s*(?:(?:{words}) )?(?={asks})")


def is_general(question: str) -> bool:
    """Whether a question is about reports in general, so that the user's own one says nothing about it."""
    return any(True for _ in matches(WORDS, "general", question.strip(" ?!.？！。")))


def is_about_open_report(question: str) -> bool:
    """Whether a question points at the report that is open: “is this set up for A4?”"""
    return not is_general(question) and bool(phrases(WORDS, "points_at_report", question))


def compared(question: str) -> tuple[str, str] | None:
    """Return the two things whose difference a question asks for."""
    found = next(matches(WORDS, "compares", question.strip(" ?!.？！。")), None)
    return (found["one"], found["other"]) if found else None


def program_rule(text: str) -> str | None:
    """Return the rule of ``program.toml`` that reads the first question of a message."""
    if len(text) > MAX_QUESTION_CHARS:
        return None
    first = text.strip()[: end.end()] if (end := _END.search(text.strip())) else text
    return next(_rules_that_read(PROGRAM, without_politeness(first)), None)


def _is_one(sentence: str) -> bool:
    if next(_rules_that_read(SUBJECT, sentence), None) is not None:
        return True
    rules = [(ROWS, rule) for language in load(ROWS) for rule in language.sentences]
    rules += [(PRINTED, rule) for rule in _WHOLE_QUESTIONS]
    return any(_names_one_thing(slots) for subject, rule in rules for slots in matches(subject, rule, sentence))


def _names_one_thing(slots: Slots) -> bool:
    """Whether what the slots of a question took goes over no mark, behind which another request may begin."""
    return not any(_MARK.search(words) for name, words in slots.values.items() if name != "except")


def _rules_that_read(subject: str, sentence: str) -> Iterator[str]:
    rules = dict.fromkeys(rule for language in load(subject) for rule in language.sentences)
    return (rule for rule in rules if any(True for _ in matches(subject, rule, sentence)))
