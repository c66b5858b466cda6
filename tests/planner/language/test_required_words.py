"""A template is tried only on clauses that have its words, and on every clause that it could read."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from bandsmith.services.planner.language import sentence_templates
from bandsmith.services.planner.language.required_words import may_match
from bandsmith.services.planner.language.sentence_templates import Subject

from .test_sentence_templates import SUBJECTS, all_templates

LISTS = {"direction": {"down": ["desc[ending]", "falling"], "up": ["asc[ending]"]}}
SLOTS = {"because": "any_characters"}
PARTS = {"rows": "(row|line|记录)[s]", "sorts": "sort <rows>"}


@pytest.mark.parametrize(
    ("template", "has_them", "lacks_one"),
    [
        ("sort by {column}", "sort by date", "sort on date"),
        ("sort[ed] by date", "sorted by date", "sor by date"),
        ("(sort|order) rows", "order rows", "arrange rows"),
        ("(sort|order the) rows", "ORDER THE ROWS", "rows"),
        ("[please] sort", "sort", "please"),
        ("<sorts>", "sort 记录", "sort cells"),
        ("in {direction} order", "in falling order", "in any order"),
        ("sort (by {column}|rows)", "sort rows", "by rows"),
        ("因为{because}", "因为太晚", "所以"),
        ("width \\(pt\\)", "width (pt)", "width pt"),
        ("^totals / (with|and a)", "totals", "total"),
    ],
)
def test_a_clause_without_a_required_word_is_not_tried(template: str, has_them: str, lacks_one: str):
    subject = Subject({"lists": LISTS, "slots": SLOTS, "parts": PARTS, "sentences": {"rule": [template]}})
    (one,) = subject.sentences["rule"]
    assert may_match(one.required, has_them) and one.pattern.match(has_them)
    assert not may_match(one.required, lacks_one) and not one.pattern.match(lacks_one)


@pytest.mark.parametrize("template", ["{column}", "[sort] {column}", "(sort|{column})", "[sort|order]"])
def test_a_template_of_free_words_requires_none(template: str):
    (one,) = Subject({"sentences": {"rule": [template]}}).sentences["rule"]
    assert one.required == []


@pytest.mark.parametrize(
    "clause", ["SORT IN KIND", "ſort in kind", "sort İn kind", "sort ın kind", "sort in \u212aind"]
)
def test_letters_that_a_pattern_takes_for_others_are_no_difference(clause: str):
    (one,) = Subject({"sentences": {"rule": ["sort in kind"]}}).sentences["rule"]
    assert one.pattern.fullmatch(clause) and one.fullmatch(clause) is not None


def test_every_template_is_tried_on_what_it_reads():
    chosen, tried = random.Random(1), 0
    for template in all_templates():
        for _ in range(3):
            said = "".join(spoken(template.source, template._subject, chosen))
            assert may_match(template.required, said), f"{template.source}: {said}"
            tried += 1
    assert tried > 4_500


def spoken(source: str, subject: Subject, chosen: random.Random) -> Iterator[str]:
    """Yield the parts of a clause that a template reads, with its alternatives chosen by chance."""
    pieces = iter(re.findall(r"\\.|<\w+>|\{\w+\}|.", source, re.DOTALL))
    yield from _alternative(pieces, subject, chosen)


def _alternative(pieces: Iterator[str], subject: Subject, chosen: random.Random) -> list[str]:
    """Read up to the end of a group, and return one of its alternatives."""
    alternatives: list[list[str]] = [[]]
    for piece in pieces:
        if piece in (")", "]", "/"):
            break
        if piece == "|":
            alternatives.append([])
        elif piece in ("(", "["):
            inner = _alternative(pieces, subject, chosen)
            alternatives[-1] += inner if piece == "(" or chosen.random() < 0.5 else []
        elif piece.startswith("<") and len(piece) > 1:
            alternatives[-1] += spoken(subject.part(piece[1:-1], source=piece), subject, chosen)
        elif piece.startswith("{") and len(piece) > 1:
            wordings = [template for _, template in subject._lists.get(piece[1:-1], [])]
            alternatives[-1] += spoken(chosen.choice(wordings).source, subject, chosen) if wordings else ["…"]
        elif piece != "^":
            alternatives[-1].append(chosen.choice([piece[-1].lower(), piece[-1].upper()]))
    return chosen.choice(alternatives)


def test_a_first_sentence_compiles_few_patterns():
    fresh = [language for subject in SUBJECTS for language in sentence_templates.load.__wrapped__(subject)]
    templates = [template for language in fresh for rule in language.sentences.values() for template in rule]
    for template in templates:
        template.fullmatch("sort the rows by date and make the title bold")
    compiled = [template for template in templates if "pattern" in vars(template)]
    assert len(templates) > 1_500 and len(compiled) < 250
