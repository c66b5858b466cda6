"""What the words beside a picture ask for besides building it."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.words_with_page import words_besides_building

WISHES = {
    "build this": "",
    "please make a report from this picture": "",
    "按这张图做一张报表": "",
    "识别这张图片": "",
    "leave out the price columns": "leave out the price columns",
    "build this form but leave out the price columns": "leave out the price columns",
    "build this without the price column": "leave out the price column",
    "recreate this, and make the title red": "make the title red",
    "delete the amount and the price columns": "delete the amount and the price columns",
    "照着做，不要单价列": "不要单价列",
    "根据图片生成报表，标题改成“送货单”，去掉备注列": "标题改成“送货单”; 去掉备注列",
}


@pytest.mark.parametrize("text", WISHES)
def test_the_part_that_only_asks_for_building_is_left_out(text: str):
    assert words_besides_building(text) == WISHES[text]
