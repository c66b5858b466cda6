"""Yes and no, in both languages; anything else is a request."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.confirmation import read_confirmation, says_right

YES = [
    "yes", "Yes, please!", "y", "ok go ahead", "sure, do it", "好的", "是", "可以的", "确定", "好，替换吧", "要",
    "that's fine with me", "Looks good, thanks", "sounds good to me", "看起来没问题", "就按这个来吧",
]  # fmt: skip
NO = [
    "no", "No, keep it.", "n", "never mind", "not now", "否", "不要", "不用了，谢谢", "算了", "先不要", "取消",
    "no, I changed my mind", "actually I've changed my mind", "I don't want it any more",
    "不，我改主意了", "我不想要了",
]  # fmt: skip
OTHER = [
    "make the title bigger", "yes and make it landscape", "不，把标题改大", "delete the second column", "删除第二列",
    "no page numbers", "undo", "", "？", "yes, two hours is ok then", "that's fine, but not on Mondays",
]  # fmt: skip


@pytest.mark.parametrize("text", YES)
def test_a_yes_is_read(text: str):
    assert read_confirmation(text) is True


@pytest.mark.parametrize("text", NO)
def test_a_no_is_read(text: str):
    assert read_confirmation(text) is False


@pytest.mark.parametrize("text", OTHER)
def test_anything_else_is_no_answer(text: str):
    assert read_confirmation(text) is None


@pytest.mark.parametrize(
    "text", ["that was right", "Correct!", "the answer is right, thanks", "没错", "答对了", "对的"]
)
def test_what_says_that_an_answer_was_right(text: str):
    assert says_right(text)


@pytest.mark.parametrize("text", ["ok", "yes", "好", "thanks", "that was right, now by city", "right align the total"])
def test_what_does_not_say_it(text: str):
    assert not says_right(text)
