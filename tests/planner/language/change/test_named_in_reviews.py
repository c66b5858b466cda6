"""What of a model's edits cannot be used is named to the model: fields that an edit lacks, names that do not exist."""

from __future__ import annotations

from typing import Any

import pytest

from bandsmith.services.planner.language.change.llm_edits import checked, review
from bandsmith.services.planner.language.change.rule_parser import RequestReading
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.llm.answers.report import ChangeAnswer

from .templates import ALL

SALES = ALL["sales"]()[0]


def read(*edits: dict[str, Any]) -> tuple[ChangeAnswer, list[str]]:
    """Return an answer with edits as a model wrote them, and what could not be read of them."""
    left_out: list[str] = []
    answer = ChangeAnswer.model_validate({"rules": "replace", "edits": list(edits)}, context={"left_out": left_out})
    answer._left_out = tuple(left_out)
    return answer, left_out


@pytest.mark.parametrize(
    ("edit", "field", "value"),
    [
        ({"do": "fill_rows", "rows": 12}, "count", 12),
        ({"do": "limit_rows", "number": "3"}, "count", 3),
        ({"do": "add_shape", "key": "a", "band": "title", "shape": "line", "lineWidth": 2}, "line_width", 2.0),
    ],
)
def test_a_near_miss_of_a_field_is_understood(edit: dict[str, Any], field: str, value: object):
    answer, left_out = read(edit)
    assert getattr(answer.edits[0], field) == value and not left_out


def test_a_field_that_an_edit_lacks_is_named():
    answer, left_out = read({"do": "sort", "field": "amount", "locale": "de"})
    assert len(answer.edits) == 1
    assert len(left_out) == 1 and left_out[0].startswith("edits.0: sort has no field 'locale'; it has do, field")
    assert checked(answer, TemplateView(Editor(SALES)), RequestReading()).refusals


def test_a_remark_beside_an_edit_asks_for_nothing():
    assert read({"do": "sort", "field": "amount", "reason": "asked for", "note": ""})[1] == []


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"do": "move_column", "field": "amuont"}, "it names 'amuont' (there is 'amount'"),
        ({"do": "text", "element": "xyzzy", "text": "A"}, "it names 'xyzzy', which is not in the report"),
        ({"do": "highlight", "field": "amount", "comparison": "<", "other": "limit"}, "it names 'limit'"),
        ({"do": "add_rows", "rows": [{"amount": 1, "colour": "red"}]}, "it names 'colour'"),
    ],
)
def test_a_name_that_is_not_in_the_report_is_said(edit: dict[str, Any], said: str):
    [objection] = review(read(edit)[0], SALES, RequestReading()).objections
    assert said in objection


@pytest.mark.parametrize(
    "edits",
    [
        [
            {
                "do": "declare", "scope": "variable", "name": "double", "java_class": "java.math.BigDecimal",
                "expression": "$F{amount}.add($F{amount})",
            },
            {"do": "highlight", "field": "double", "comparison": ">", "value": "30", "row": True},
        ],
        [
            {"do": "declare", "scope": "field", "name": "days_left", "java_class": "java.lang.Integer"},
            {"do": "highlight", "field": "days_left", "comparison": "<", "value": "30", "row": True},
        ],
        [
            {"do": "total", "field": "amount", "calculation": "Average"},
            {"do": "set", "element": "amount_average", "name": "isBold", "value": "true"},
        ],
    ],
    ids=["variable", "field", "total"],
)  # fmt: skip
def test_what_an_earlier_edit_made_is_known_to_a_later_one(edits: list[dict[str, Any]]):
    answer = read(*edits)[0]
    assert review(answer, SALES, RequestReading()).objections == []
    assert checked(answer, TemplateView(Editor(SALES)), RequestReading()).edits == answer.edits


def test_a_later_edit_does_not_make_a_name_known_to_an_earlier_one():
    answer = read(
        {"do": "highlight", "field": "days_left", "comparison": "<", "value": "30", "row": True},
        {"do": "declare", "scope": "field", "name": "days_left", "java_class": "java.lang.Integer"},
    )[0]
    assert "it names 'days_left'" in review(answer, SALES, RequestReading()).objections[0]
    assert len(checked(answer, TemplateView(Editor(SALES)), RequestReading()).edits) == 1
