"""Spaces beside Chinese characters."""

import pytest

from bandsmith.services.ocr.engines import OcrEngine
from tests.ocr.marks.test_marks import DrawnPage


@pytest.mark.parametrize("text", ["冲击钻头 10mm", "送货地址：文苑路 88 号", "内六角扳手9件套", "数量合计"])
def test_spaces_are_read_exactly_where_they_are_printed(engine: OcrEngine, text: str) -> None:
    page = DrawnPage()
    page.write(40, 60, text, 12)
    assert [line.text for line in page.marks(engine).lines] == [text]


def test_a_spaced_title_keeps_its_spaces(engine: OcrEngine) -> None:
    page = DrawnPage()
    page.write(40, 60, "销 售 单", 16)
    (line,) = page.marks(engine).lines
    assert line.text.split() == ["销", "售", "单"]
