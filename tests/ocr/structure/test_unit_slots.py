"""Units that stand apart from their figures in the rows of a table, below the same heading."""

from __future__ import annotations

from .handmade import HandmadeMarks


def test_a_currency_beside_each_price_is_wording_and_another_unit_a_value_of_its_own():
    marks = HandmadeMarks()
    rows = [[f"研修資料{number}", "", "", f"{number * 30},000"] for number in range(1, 5)]
    marks.table(50, 100, [180, 90, 90, 90], [["摘要", "数量", "単価", "金額"], *rows])
    for number, unit in enumerate("個本枚個", 1):
        y = 106 + 20 * number
        for x, text in ((260, f"{number * 10}"), (290, unit), (340, f"{number},000"), (375, "円")):
            marks.write(x, y, text)
    layout = marks.understood()
    assert layout.repeat is not None and layout.repeat.rows == 4
    texts = {block.id: block.text for block in layout.blocks}
    found = {texts[slot.blocks[0]]: (slot.role, slot.label) for slot in layout.repeat.slots if slot.blocks[0]}
    assert found["円"] == ("fixed", None)
    assert found["個"] == ("value", "数量单位") and found["10"] == ("value", "数量")
