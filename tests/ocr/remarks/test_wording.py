"""Text that asks for a change is distinguished from text that forms print in colour."""

import pytest

from bandsmith.services.ocr.remarks.wording import is_request, may_request
from tests.each_case import each

REQUESTS = """
改成大写 | 删除 | 这列删掉 | 标题加大 | 金额右对齐 | 请把标题居中 | 日期格式改为yyyy-mm-dd
字体太小 | 移到右边
放到左上角 | 去掉这一行 | 增加一列 | 不要了 | 此列加粗 | 1. 标题大一点 | → 改成大写
delete | delete this | Delete this column | remove logo | bigger | make this bold
Please move to the right | align right
rename to Unit price | change to Qty | title bigger | should be centered | font too small | uppercase | deletethis
makethisbold | move up | add a total row | center this | Please make the title larger | Change Amount to Total
"""
PRINTED = """
业务单据 | 金额（大写） | 合计：¥2,653.60 | 请勿删除此行
如有涂改无效 | 收货专用章
编辑 | 第一联：存根 | 合并报表 | 变更登记 | 调整金额
已付 | 作废 | 请放在阴凉处 | 添加微信 | 大写
Payment Confirmed | -$1,095.60 | Total due | XS20260318 | Delete as applicable | Change due | Center | Data Center
Add to cart | Please remit payment to the address below | Do not remove | Bold Coffee Ltd | Large | No. 20417 | INVOICE
Remove before flight | Move-in date | Set of 4 | Use by 2026-01-01 | Merge | PAID | Change of address | Thank you!
"""


def texts(lines: str) -> list[str]:
    return [text.strip() for line in lines.strip().splitlines() for text in line.split("|")]


@each("text", texts(REQUESTS))
def test_requests_are_recognised_by_their_words(text: str):
    assert is_request(text)
    assert may_request(text)


@each("text", texts(PRINTED))
def test_wording_that_forms_print_is_not_a_request(text: str):
    assert not is_request(text)


@pytest.mark.parametrize("text", ["大写", "字体", "这里错了", "left", "wrong font", "12 pt please"])
def test_beside_a_mark_fewer_words_are_enough(text: str):
    assert may_request(text)
