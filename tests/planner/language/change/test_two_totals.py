"""A total in figures beside one in words: each name means one of them, with its label."""

from __future__ import annotations

from bandsmith.services.planner.language.change.rule_parser import read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.model.plan import AnyElement, Band
from tests.each_case import each

from .templates import DECIMAL, MONEY, STRING, field, report, rows, words


def note() -> bytes:
    head, detail, fields = rows(
        [("product", "品名", "product", STRING, None, 300), ("amount", "金额", "amount", DECIMAL, MONEY, 100)], 24
    )
    below: list[AnyElement] = [
        words("words_label", "合计（大写）：", 0, 6, 80),
        field("in_words", '$V{amount_total}.toPlainString().replace("0", "零")', 90, 6, 200),
        words("total_label", "合计：", 300, 6, 50),
        field("in_figures", "$V{amount_total}", 360, 6, 100, pattern=MONEY),
    ]
    bands = [head, detail, Band(name="summary", height=40, elements=below)]
    return report("note", (595, 842), bands, {}, fields)


@each("sentence, changed", [
    ("合计加粗", {"total_label", "in_figures"}),
    ("大写金额加粗", {"words_label", "in_words"}),
    ("合计（大写）加粗", {"words_label", "in_words"}),
    ("小写金额加粗", {"total_label", "in_figures"}),
    ("the total in figures in bold", {"total_label", "in_figures"}),
    ("金额加粗", {"h_amount", "d_amount"}),
])  # fmt: skip
def test_a_name_means_the_total_in_words_or_the_one_in_figures(sentence: str, changed: set[str]):
    reading = read_request(sentence, TemplateView(Editor(note())))
    assert {edit.model_dump().get("element") for edit in reading.edits} == changed
    assert reading.unread == []
