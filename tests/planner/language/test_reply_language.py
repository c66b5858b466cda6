"""Every refusal and every question is in the language of the sentence, whatever the report's columns are called."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bandsmith.services.generator.modify_template import summary
from bandsmith.services.planner.language.change.examples import of_clauses
from bandsmith.services.planner.language.change.rule_parser import read_request
from bandsmith.services.planner.language.change.unsupported import suggestion
from bandsmith.services.planner.language.spec.rule_reader import read
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.language import Language, language_of
from bandsmith.shared.replies import message_in
from bandsmith.shared.turns.request import ChangeRequest
from tests.yaml_files import read_yaml

from .change.templates import ALL

STRANGERS = Path(__file__).resolve().parents[2] / "strangers" / "read"
CASES = [case for file in sorted(STRANGERS.glob("*.yaml")) for case in read_yaml(file)]
_QUOTED = re.compile(r"[“「][^”」]*[”」]|‘[^’]*’")
_ENGLISH_WORDS = re.compile(r"(?:[A-Za-z]{2,}[ ,.]+){2}[A-Za-z]{2,}")


def is_in(language: Language, reply: str) -> bool:
    """Whether a reply is in a language, apart from what it quotes and from names of columns."""
    while (bare := _QUOTED.sub("", reply)) != reply:
        reply = bare
    if language == "zh":
        return language_of(reply) == "zh" and not _ENGLISH_WORDS.search(reply)
    return bool(_ENGLISH_WORDS.search(reply))


def reply_to_change(sentence: str, form: str) -> str:
    """What is said of the parts of a change that were not read or cannot be carried out; nothing without such parts."""
    template, data = ALL[form]()
    view = TemplateView(Editor(template), data)
    reading = read_request(sentence, view)
    hints = [hint for hint in map(suggestion, reading.unread) if hint]
    examples = of_clauses(reading.unread, view, language_of(sentence))
    request = ChangeRequest(
        edits=[], refusals=reading.refusals, unread=reading.unread, suggestions=hints, examples=examples
    )
    is_open = reading.unread or reading.refusals
    return summary(template, language_of(sentence), [], request) if is_open else ""


@pytest.mark.parametrize(
    ("form", "every"),
    [
        ("sales", 18),
        pytest.param("sales", 3, marks=pytest.mark.slow),
        pytest.param("slip", 3, marks=pytest.mark.slow),
    ],
)
def test_refused_changes_are_answered_in_the_language_of_the_sentence(form: str, every: int):
    sentences = [text for case in CASES if case["class"] == "change" for text in case["say"]]
    replies = [(text, reply) for text in sentences[::every] if (reply := reply_to_change(text, form))]
    assert len(replies) > 180 // every
    assert [pair for pair in replies if not is_in(language_of(pair[0]), pair[1])] == []


def test_refused_descriptions_are_answered_in_the_language_of_the_sentence():
    replies = []
    for text in (text for case in CASES if case["class"] == "new" for text in case["say"]):
        try:
            read(text, language_of(text))
        except TerminalError as refused:
            replies.append((text, message_in(refused, language_of(text))))
    assert {language_of(text) for text, _ in replies} == {"en", "zh"}
    assert [pair for pair in replies if not is_in(language_of(pair[0]), pair[1])] == []
