"""The language of a message is that of its sentence, whatever labels, names and quotations stand in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bandsmith.shared.language import language_of
from tests.yaml_files import read_yaml

STRANGERS = Path(__file__).parents[1] / "strangers"


@pytest.mark.parametrize(
    "text",
    [
        "make 制单 bold please, it is too small",
        "make 制单 bold",
        "Delete “以下空白” at the end",
        "move the 制单 to the right",
        "the driver is 王大海 now, not 李强",
        "Please put “货物如有问题，请于三日内联系我们公司。” at the bottom of the page",
        "what is the 单价 of the 螺栓 in this report?",
        "sort by date",
        "表の幅を広げて",
    ],
)
def test_an_english_sentence_with_chinese_names_is_english(text: str):
    assert language_of(text) == "en"


@pytest.mark.parametrize(
    "text",
    [
        "把 logo 放到右上角",
        "导出 Excel",
        "MacBook Pro 的单价改成 9999",
        "iPhone 15 Pro Max 加一行",
        "标题改成 The Art of War",
        "把“sales report for the month of May”改成中文",
        "把标题改成 Bill of Lading",
        "加粗",
        "Terms of Payment 这一列不要了",
        "total 加粗",
        "make 制单 bold 然后把它放到右边",
        "The Lord of the Rings 加一行",
        "delete 备注",
        "bold 制单",
    ],
)
def test_a_chinese_sentence_with_latin_names_is_chinese(text: str):
    assert language_of(text) == "zh"


def test_messages_of_strangers_in_one_script_keep_their_language():
    files = sorted(STRANGERS.rglob("*.yaml"))
    texts = {text for file in files for text in _texts(read_yaml(file))}
    chinese = {text for text in texts if len(re.findall("[\u4e00-\u9fff]", text)) * 2 > len(text)}
    assert len(chinese) > 100
    assert [text for text in chinese if language_of(text) != "zh"] == []


def _texts(part: object) -> list[str]:
    match part:
        case str():
            return [part]
        case list():
            return [text for one in part for text in _texts(one)]
        case dict():
            return [text for one in part.values() for text in _texts(one)]
    return []
