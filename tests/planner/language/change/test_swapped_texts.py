"""Two texts outside the rows change places by a sentence; what has no room to do so stays."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.swap_places import SwapPlaces

from .templates import ALL


def read(form: str, sentence: str) -> RequestReading:
    template, data = ALL[form]()
    return read_request(sentence, TemplateView(Editor(template), data))


@pytest.mark.parametrize("sentence", ["客户名称和日期换位置", "把客户名称和日期对调一下", "swap 客户名称 and 日期"])
def test_two_texts_change_places(sentence: str):
    found = read("slip", sentence)
    assert found.unread == [] and found.edits and all(isinstance(edit, SwapPlaces) for edit in found.edits), found


def test_a_text_and_a_column_do_not_change_places():
    assert not read("slip", "客户名称和金额换位置").edits


def test_columns_change_places_as_before():
    [edit] = read("sales", "let quantity and unit price change places").edits
    assert edit.do == "move_column"
