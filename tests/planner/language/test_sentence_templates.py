"""Templates of sentences: what their syntax means, and that files and code know of each other."""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module, resources
from itertools import chain, pairwise
from pathlib import Path

import pytest

from bandsmith.services.planner import own_report, program_questions
from bandsmith.services.planner.language import (
    answer_report,
    background,
    calendar_sentences,
    change,
    confirmation,
    described_elements,
    filling_sentences,
    named_groups,
    periods,
    questions,
    reference_resolver,
    request_clauses,
    request_frames,
    run_sentences,
    sentence_templates,
    words_with_page,
)
from bandsmith.services.planner.language.change import (
    arithmetic,
    asked_removals,
    follow_up,
    listed_headings,
    remarks,
    unsupported,
)
from bandsmith.services.planner.language.change.rules import RULES
from bandsmith.services.planner.language.intents import exports_besides, replacement, versions
from bandsmith.services.planner.language.sentence_templates import SentenceTemplate, Slots, Subject
from bandsmith.services.planner.language.spec import account, change_requests, labels, sections, summary_lines, titles
from bandsmith.services.planner.language.spec.clauses import CLAUSES
from bandsmith.services.planner.language.spec.rule_reader import MAX_REQUEST_CHARS
from bandsmith.services.planner.language.template_pattern import TemplateError
from bandsmith.services.planner.own_report import row_conditions
from bandsmith.shared.language import LANGUAGES
from tests.each_case import each

FOLDER = resources.files(sentence_templates.__package__).joinpath("templates")
SUBJECTS = {
    file.name.removesuffix(".toml"): file for language in LANGUAGES for file in FOLDER.joinpath(language).iterdir()
}

MODULE_RULES = {
    module.SUBJECT: module.RULES
    for module in (
        account, change_requests, request_clauses, labels, sections, summary_lines, titles, replacement, versions,
        remarks, exports_besides,
        asked_removals, unsupported, words_with_page, run_sentences, answer_report, arithmetic, confirmation,
        filling_sentences, periods, row_conditions, calendar_sentences, described_elements,
        named_groups, listed_headings, background, request_frames,
    )
} | {questions.WORDS: questions.RULES}  # fmt: skip


def read(template: str, clause: str, **content: object) -> Slots | None:
    subject = Subject({**content, "sentences": {"rule": [template]}})
    return subject.sentences["rule"][0].fullmatch(clause)


@pytest.mark.parametrize(
    ("template", "clause", "fits"),
    [
        ("sort by {column}", "sort by unit price", True),
        ("sort by {column}", "please sort by unit price", False),
        ("sort[ed] by date", "sorted by date", True),
        ("sort [the] rows", "sort rows", True),
        ("sort [the] rows", "sort therows", False),
        ("(a|the) row", "the row", True),
        ("(a|the) row", "row", False),
        ("按{column}[的]排序", "按单价的排序", True),
        ("按 {column} 排序", "按单价排序", True),
        ("width \\(pt\\)", "width (pt)", True),
        ("50% wider.", "50% wider.", True),
    ],
)
def test_a_template_accounts_for_the_whole_clause(template: str, clause: str, fits: bool):
    assert (read(template, clause) is not None) == fits


def test_free_words_are_as_the_user_wrote_them():
    slots = read("sort by {column} [{direction}]", "Sort by No. (1,000) in desc order", lists=DIRECTIONS)
    assert slots is not None and (slots["column"], slots["direction"]) == ("No. (1,000)", "descending")


@pytest.mark.parametrize(
    ("template", "text", "rest"),
    [
        ("[in] landscape", "a list in landscape, please", "a list , please"),
        ("sort", "a resort", "a resort"),
        ("^totals: {rest}", "name\nTotals: a, b; end", "name\n; end"),
        ("^totals: {rest}", "subtotals: a", "subtotals: a"),
        ("no totals /", "no totals column", "no totals column"),
        ("by {column} / (with|and a)", "by region with totals", " with totals"),
        ('called "{title}"', 'called "A, b" with c', " with c"),
    ],
)
def test_a_phrase_is_taken_out_of_running_text(template: str, text: str, rest: str):
    slots = {"rest": "line", "column": "words", "title": "quoted"}
    subject = Subject({"slots": slots, "sentences": {"rule": [template]}})
    assert subject.sentences["rule"][0].substitute(text, lambda found, span: "") == rest


def test_a_slot_that_is_left_out_is_empty():
    slots = read("sort by {column} [{direction}]", "sort by date", lists=DIRECTIONS)
    assert slots is not None and slots["direction"] == ""


DIRECTIONS = {"direction": {"descending": ["[in] desc[ending] [order]"], "ascending": ["[in] asc[ending] [order]"]}}


@pytest.mark.parametrize(
    ("template", "message"), [("[a", "never closed"), ("a)", "closes nothing"), ("<x> a", "no part 'x'")]
)
def test_a_template_that_cannot_be_read_is_named(template: str, message: str):
    with pytest.raises(TemplateError, match=message):
        read(template, "a")


def test_a_list_whose_wordings_have_slots_is_refused():
    with pytest.raises(TemplateError, match="redefinition"):
        subject = Subject({"lists": {"size": {"large": ["{number}"]}}, "sentences": {"rule": ["{size} {size}"]}})
        subject.sentences["rule"][0].fullmatch("large large")


@each("subject", SUBJECTS)
def test_each_subject_is_read_in_every_language(subject: str):
    rules = [set(language.sentences) for language in sentence_templates.load(subject)]
    assert len(rules) == len(LANGUAGES)
    assert all(one == other for one, other in pairwise(rules)), f"templates/*/{subject}.toml have different rules"


@each("subject", SUBJECTS)
def test_each_rule_of_a_file_has_a_builder_and_each_builder_a_rule(subject: str):
    written = {rule for language in sentence_templates.load(subject) for rule in language.sentences}
    if subject == "style_phrases":
        built = import_module(f"{change.__name__}.style_phrases").RULES
    elif subject == "references":
        built = set(reference_resolver.PHRASES)
    elif subject == "follow_up":
        built = {build.__name__ for build in follow_up.RULES}
    elif subject == "reasons":
        built = {"chosen_rows", "complaint", "reason", "reported", "topic"}
    elif subject == "program":
        built = {*program_questions.ARTICLES, program_questions.OUTSIDE}
    elif subject in own_report.RULES:
        built = {rule.__name__ for rule in own_report.RULES[subject]} | own_report.PHRASES.get(subject, set())
    elif subject in MODULE_RULES:
        built = MODULE_RULES[subject]
    elif subject == "page_format":
        built = set(import_module(f"{change.__name__}.rules.page").PAGE_PHRASES)
    elif subject in CLAUSES:
        built = {build.__name__ for build in CLAUSES[subject]}
    else:
        built = {name.partition(".")[2] for rule in RULES if (name := rule.__name__).startswith(f"{subject}.")}
        built |= getattr(import_module(f"{change.__name__}.rules.{subject}"), "PHRASES", set())
    assert written == built


def all_templates() -> Iterator[SentenceTemplate]:
    for subject in SUBJECTS:
        for language in sentence_templates.load(subject):
            yield from chain.from_iterable(language.sentences.values())


MAX_GROWTH = 24.0
"""Comparing each character with each other one gives 16."""
NO_DIFFERENCE_S = 0.01


def growth(read: Callable[[str], object], text: str) -> float:
    """Return how many times as long a text takes as its first quarter, in processor time."""

    def seconds(said: str) -> float:
        tries = []
        for _ in range(3):
            began = time.process_time()
            read(said)
            tries.append(time.process_time() - began)
        return min(tries)

    quarter = seconds(text[: len(text) // 4])  # first: it also compiles the patterns
    return seconds(text) / max(quarter, NO_DIFFERENCE_S)


@pytest.mark.parametrize("clause", ["sort by " * 20, "按" * 160, "group by a with total of " * 6, "(" * 160])
def test_no_clause_takes_long_to_read(clause: str):
    patterns = [template.pattern for template in all_templates()]
    assert growth(lambda text: [pattern.fullmatch(text) for pattern in patterns], clause[:160]) < MAX_GROWTH


@pytest.mark.parametrize(
    "text",
    [
        "with name and city grouped by region ",
        "sum of a, b and c at the bottom, ",
        "total of ",
        "header with ",
        "a=b+",
        "按部门分组并按日期排序合计金额",
        "表头有",
    ],
)
def test_no_request_for_a_report_takes_long_to_read(text: str):
    templates = [
        template
        for subject in CLAUSES
        for language in sentence_templates.load(subject)
        for template in chain.from_iterable(language.sentences.values())
    ]

    def read(said: str) -> None:
        for template in templates:
            template.substitute(said, lambda slots, span: None)

    assert growth(read, (text * MAX_REQUEST_CHARS)[:MAX_REQUEST_CHARS]) < MAX_GROWTH


PLANNER = resources.files("bandsmith.services.planner")
CODE = "\n".join(file.read_text(encoding="utf-8") for file in Path(str(PLANNER)).rglob("*.py"))
QUOTED = set(re.findall(r"(?<=[\"'])\w+(?=[\"'])", CODE))
"""Words in quotation marks, names of slots among them."""


@each("language", LANGUAGES)
@each("subject", sorted(SUBJECTS))
def test_what_a_slot_takes_is_looked_at_or_is_a_filler(subject: str, language: str):
    content = tomllib.loads(FOLDER.joinpath(language, f"{subject}.toml").read_text(encoding="utf-8"))
    wordings = [*content.get("parts", {}).values(), *chain.from_iterable(content["sentences"].values())]
    slots = {slot for wording in wordings for slot in re.findall(r"(?<!\\)\{(\w+)\}", wording)}

    assert not slots - content.get("fillers", {}).keys() - QUOTED


def test_words_that_a_builder_did_not_look_at_are_left_over():
    slots = Slots({"name": "total", "old": "the date", "place": ""})
    assert slots["name"] == "total" and slots.left_over == ["the date"]


def test_a_filler_is_read_and_says_nothing():
    (template,) = Subject({"sentences": {"a": ["because {why}"]}, "fillers": {"why": "any_characters"}}).sentences["a"]
    slots = template.fullmatch("because it is late")
    assert slots is not None and not slots.left_over


def test_phrases_of_a_rule_do_not_overlap():
    found = sentence_templates.phrases("spec_sections", "columns", "a list with the following columns: name")
    assert [(phrase.start, phrase.end) for phrase in found] == [(0, 34)]
