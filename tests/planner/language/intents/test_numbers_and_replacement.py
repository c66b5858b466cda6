"""Numbers of versions and of steps in a sentence, and sentences that replace the report."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.intents import (
    Guess,
    classify,
    drops_request,
    names_replacement,
    steps_named,
    version_named,
    without_replacement,
)

VERSIONS = {
    "go back to version 2": 2, "restore version three": 3, "use the first version": 1, "the 4th version please": 4,
    "回到第二版": 2, "恢复到版本3": 3, "用第 12 版": 12,
}  # fmt: skip
STEPS = {
    "undo": 1, "undo the last two": 2, "undo 3 times": 3, "go back two steps": 2, "undo both changes": 2,
    "undo the last change": 1, "redo two steps": 2, "撤销": 1, "撤销两步": 2, "撤销最近三次修改": 3, "撤销上一步": 1,
}  # fmt: skip
FIRST_VERSION = [
    "undo everything", "undo all", "undo all of my edits", "discard all changes", "revert everything",
    "could you undo everything I did?", "go back to the original", "revert to the original version",
    "restore the original", "take everything back to the original",
    "全部撤销", "撤销所有修改", "把所有修改都撤销", "放弃所有修改", "恢复到最初", "恢复到最初的状态",
    "回到最开始的样子",
]  # fmt: skip
NOT_FIRST_VERSION = [
    "undo", "undo both changes", "go back", "撤销", "回到原来的样子", "cancel all", "reset everything",
    "恢复到初始状态",
    "undo everything but the colour", "undo all changes to the title", "bring back the original colour",
    "use the original logo", "what does undo everything do?", "取消全部边框", "撤销全部修改但保留颜色",
]  # fmt: skip
REPLACING = [
    "start over with a sales report of customer and amount", "replace the report by an invoice",
    "scrap this and make a delivery note", "推倒重来，做一张送货单", "不要这张报表了，重新生成一张工资表",
]  # fmt: skip
NOT_REPLACING = [
    "a new report with customer and amount", "make another report", "start over", "replace it with a bold title",
    "replace the title by Sales", "做一张送货单", "把单价换成价格", "group by customer",
]  # fmt: skip


@pytest.mark.parametrize("text", VERSIONS)
def test_the_number_of_a_version_is_read(text: str):
    assert version_named(text) == VERSIONS[text]
    assert classify(text, has_template=True).intent == "restore_version"


@pytest.mark.parametrize(
    "text",
    [
        "make the title say version 2",
        "what is in version 2?",
        "add the version number to the footer",
        "给页脚加上版本2",
    ],
)
def test_a_sentence_that_only_names_a_version_restores_nothing(text: str):
    assert classify(text, has_template=True).intent != "restore_version"


@pytest.mark.parametrize("text", FIRST_VERSION)
def test_to_undo_everything_restores_the_first_version(text: str):
    assert classify(text, has_template=True) == Guess("restore_version", version=1)


@pytest.mark.parametrize("text", NOT_FIRST_VERSION)
def test_other_sentences_do_not_restore_the_first_version(text: str):
    assert classify(text, has_template=True).intent != "restore_version"


@pytest.mark.parametrize("text", STEPS)
def test_the_number_of_steps_is_read(text: str):
    assert steps_named(text) == STEPS[text]
    assert classify(text, has_template=True).intent in ("undo_modification", "redo_modification")


@pytest.mark.parametrize("text", REPLACING)
def test_a_sentence_that_replaces_the_report_says_so(text: str):
    assert names_replacement(text)


@pytest.mark.parametrize("text", NOT_REPLACING)
def test_a_description_alone_replaces_nothing(text: str):
    assert not names_replacement(text)


def test_a_description_is_read_without_the_words_for_the_replacement():
    assert without_replacement("start over with a list of items") == "a list of items"
    assert without_replacement("推倒重来，做一张送货单") == "做一张送货单"
    assert without_replacement("a list of items") == "a list of items"


@pytest.mark.parametrize(
    "text", ["never mind, leave it as it was", "ok forget it, keep it how it was before", "算了，还原吧", "Never mind."]
)
def test_a_message_may_drop_what_was_asked_last(text: str):
    assert drops_request(text)


@pytest.mark.parametrize("text", ["undo", "leave it out", "undo that, never mind the colour", "撤销", "合计算了两次"])
def test_other_messages_drop_nothing(text: str):
    assert not drops_request(text)
