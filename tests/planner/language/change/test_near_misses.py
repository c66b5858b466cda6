"""No rule acts on a sentence that only comes near to what it reads."""

from __future__ import annotations

from pathlib import Path

from bandsmith.services.planner.language.change.rule_parser import read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from tests.each_case import each
from tests.yaml_files import read_yaml

from .templates import ALL

CASES = read_yaml(Path(__file__).with_name("near_misses.yaml"))


@each("form, sentence", [(form, one) for form, listed in CASES.items() for one in listed])
def test_no_rule_acts_on_a_near_miss(form: str, sentence: str):
    template, data = ALL[form]()
    reading = read_request(sentence, TemplateView(Editor(template), data))
    assert reading.edits == []
    assert reading.unread or reading.refusals
