"""Spaces beside Chinese characters are read as they are printed."""

import pytest

from bandsmith.services.ocr.engines import OcrEngine
from tests.ocr.marks.test_marks import Sheet


@pytest.mark.parametrize("text", ["冲击钻头 10mm", "送货地址：文苑路 88 号", "内六角扳手9件套", "数量合计"])
def test_a_space_is_read_where_one_is_printed_and_nowhere_else(engine: OcrEngine, text: str) -> None:
    sheet = Sheet()
    sheet.write(40, 60, text, 12)
    assert [line.text for line in sheet.marks(engine).lines] == [text]


def test_a_spaced_title_keeps_its_spaces(engine: OcrEngine) -> None:
    sheet = Sheet()
    sheet.write(40, 60, "销 售 单", 16)
    (line,) = sheet.marks(engine).lines
    assert line.text.split() == ["销", "售", "单"]
