"""What a user wants, by rules: read off what he says, and never off what he quotes."""

from __future__ import annotations

from typing import Any

import pytest

from bandsmith.services.planner.language.intents import Guess, classify
from tests.each_case import each


def guess(text: str, **facts: Any) -> Guess:
    return classify(text, **({"has_template": True} | facts))


@each(
    "text, intent, format",
    [
        ("undo", "undo_modification", None),
        ("Please UNDO that", "undo_modification", None),
        ("撤销上一步", "undo_modification", None),
        ("撤銷", "undo_modification", None),  # as it is written in Taiwan
        ("redo", "redo_modification", None),
        ("取消撤销", "redo_modification", None),
        ("reset everything", "reset_session", None),
        ("重新开始", "reset_session", None),
        ("preview", "preview_report", "png"),
        ("prview", "preview_report", "png"),
        ("现在长什么样？", "preview_report", "png"),
        ("export as PDF", "export_pdf", "pdf"),
        ("导出 PDF", "export_pdf", "pdf"),
        ("give me the jrxml", "export_jrxml", None),
        ("把模板文件发给我", "export_jrxml", None),
        ("excel please", "export_file", "xlsx"),
        ("转成 Word 文档", "export_file", "docx"),
        ("save it as a web page", "export_file", "html"),
        ("导出 csv", "export_file", "csv"),
    ],
)
def test_a_command_is_known_for_sure(text, intent, format):
    assert guess(text) == Guess(intent, format)


@pytest.mark.parametrize(
    "text",
    [
        "把“重置”改成“清空”",
        'change "undo" to "back"',
        "在页脚加上「导出 PDF 请联系财务」",
        "write 'preview only' across the page",
        "reset the column widths to equal",
        "move the export date to the footer",
        "don't undo anything, only make the title bold",
        "清空标题",
        "the preview column should be called Draft",
    ],
)
def test_the_words_of_a_command_do_not_make_one(text):
    assert guess(text).intent == "modify_report"


@pytest.mark.parametrize(
    "text",
    [
        "what does undo do?",
        "重置会删除我的模板吗？",
        "怎么导出 PDF？",
        "which formats can I export to",
        "how far can I undo?",
    ],
)
def test_a_question_about_a_command_is_a_question(text):
    assert guess(text) == Guess("consult_question")


@pytest.mark.parametrize(
    ("text", "facts", "intent"),
    [
        ("", {"has_template": False}, "initial_generation"),
        ("", {"has_template": True}, "initial_generation"),
        ("like this", {"has_template": True}, "initial_generation"),
        ("照这个做", {"has_template": False}, "initial_generation"),
        ("", {"has_template": True, "remarks": True}, "modify_report"),
        ("", {"has_template": False, "remarks": True}, "initial_generation"),
        ("按批注修改", {"has_template": True, "remarks": True}, "modify_report"),
        ("use this logo", {"has_template": True}, "modify_report"),
    ],
)
def test_with_a_picture(text, facts, intent):
    assert guess(text, has_page=True, **facts) == Guess(intent)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello!", "report"),
        ("谢谢，辛苦了", "报表"),
        ("book me a flight to Rome", "can't"),
        ("今天天气怎么样", "做不到"),
        ("who are you?", "Bandsmith"),
        ("?!", "nothing"),
        ("😀", "nothing"),
        ("sdfsdf", "nothing"),
    ],
)
def test_who_asks_for_nothing_is_told_what_to_say(text, said):
    found = guess(text, language="zh" if any("一" <= letter <= "龥" for letter in text) else "en")
    assert (found.intent, found.sure) == ("unknown", True)
    assert said in found.answer


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    "text",
    [
        "Добавьте строку итогов", "タイトルを大きくしてください", "제목을 크게 해주세요", "أضف عمودا",
        "Añade una columna con el total", "Mach bitte den Titel größer", "Ajoutez une ligne avec le montant",
    ],
)  # fmt: skip
def test_a_third_language_is_answered_in_both(text, language):
    found = guess(text, language=language)
    assert found.intent == "unknown"
    assert "Chinese and English" in found.answer
    assert "中文和英文" in found.answer


@pytest.mark.parametrize(
    "text",
    [
        "把标题改成 Отчёт о продажах",
        "add columns nombre and dirección",
        "标题改成“タイトル”",
        "rename Betrag to Amount",
    ],
)
def test_foreign_words_in_a_request_are_content(text):
    assert guess(text).intent == "modify_report"
    assert not guess(text).answer


@pytest.mark.parametrize(
    "text",
    ["hi, make the title bigger", "谢谢，再加一列", "add the weather to the header", "给酒店做的表头改成蓝色"],
)
def test_a_request_is_not_swallowed_by_small_talk(text):
    assert guess(text).intent == "modify_report"


@pytest.mark.parametrize(
    "text", ["hotels with stars and price", "音乐会门票", "a weather report by city", "做个餐厅菜单"]
)
def test_a_report_may_be_about_anything(text):
    assert guess(text, has_template=False).intent == "initial_generation"


@pytest.mark.parametrize(
    "text",
    ["clear all borders", "restart the numbering", "清空所有备注", "重新开始编号", "delete everything in the footer"],
)
def test_only_a_session_is_reset(text):
    assert guess(text).intent == "modify_report"


@pytest.mark.parametrize("has_template", [True, False])
def test_what_nobody_can_tell_is_left_to_a_model_and_a_report(has_template):
    found = guess("hmm, warehouse people", has_template=has_template)
    assert not found.sure and not found.answer
    assert found.intent in ("unknown", "modify_report" if has_template else "initial_generation")


@pytest.mark.parametrize("text", ["a" * 1_000_000, "“" * 100_000, "把" * 500_000, "not " * 250_000, " " * 999_999])
def test_however_long_it_is_its_beginning_says_what_is_wanted(text):
    assert classify(f"undo {text}", has_template=True) == classify(f"undo {text[:2_000]}", has_template=True)


@pytest.mark.parametrize(
    ("text", "formats", "with_jrxml"),
    [
        ("export as pdf and excel", ["pdf", "xlsx"], False),
        ("give me the report as PDF, Word and Excel please", ["pdf", "docx", "xlsx"], False),
        ("导出 PDF 和 Excel", ["pdf", "xlsx"], False),
        ("同时导出csv和网页", ["csv", "html"], False),
        ("export the pdf and the jrxml", ["pdf"], True),
    ],
)
def test_an_export_may_be_in_several_formats(text: str, formats: list[str], with_jrxml: bool):
    guess = classify(text, has_template=True)
    assert (guess.intent, list(guess.formats), guess.with_jrxml) == ("export_file", formats, with_jrxml)


@pytest.mark.parametrize(
    "text",
    [
        "export pdf and make the title of the excel column red",
        "export to excel, not pdf",
        "do you support pdf and csv?",
    ],
)
def test_only_what_asks_for_files_alone_is_an_export_in_several_formats(text: str):
    assert classify(text, has_template=True).formats == ()


@pytest.mark.parametrize(
    "text",
    [
        "算了，回到最初那样",
        "还是一开始的样子吧",
        "不改了，还原成刚上传时的样子",
        "never mind, back to how everything was at the start",
        "make it like it was before i changed anything",
        "as it looked originally please",
    ],
)
def test_how_it_was_at_first_is_the_first_version_and_not_one_step_back(text):
    assert guess(text) == Guess("restore_version", version=1)


@pytest.mark.parametrize(
    "text",
    [
        "标题恢复成最初的字号",
        "回到一开始，公司名改成蓝色",
        "make the total as big as at the start",
        "put the logo back at the start",
    ],
)
def test_what_one_thing_was_at_first_restores_no_version(text):
    assert guess(text).intent != "restore_version"


@pytest.mark.parametrize("text", ["as it was before", "回到刚才那样"])
def test_how_it_was_before_is_one_step_back(text):
    assert guess(text).intent == "undo_modification"
