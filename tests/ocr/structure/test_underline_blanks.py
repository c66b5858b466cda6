"""Lines to write on become blanks that the wording beside or under them names."""

from __future__ import annotations

import pytest

from bandsmith.shared.model.layout import RulingLine

from .handmade import HandmadeMarks


def draw_line(page: HandmadeMarks, left: float, right: float, y: float) -> None:
    page.rules.append(RulingLine(id=f"r{len(page.rules)}", x1=left, y1=y, x2=right, y2=y, thickness=0.5))


def blanks(page: HandmadeMarks) -> list[tuple[str, int, int]]:
    return [(blank.label, round(blank.box.x), round(blank.box.bottom)) for blank in page.understood().blanks]


def test_a_line_after_a_label_is_a_blank():
    page = HandmadeMarks()
    page.write(50, 100, "Name:")
    draw_line(page, 85, 250, 108)
    page.write(260, 100, "Date:")
    draw_line(page, 290, 400, 108)

    assert blanks(page) == [("Name", 85, 108), ("Date", 290, 108)]


def test_a_line_above_a_label_is_a_blank():
    page = HandmadeMarks()
    draw_line(page, 60, 220, 600)
    page.write(110, 604, "Signature")

    assert blanks(page) == [("Signature", 60, 600)]


def test_lines_to_sign_on_side_by_side_are_blanks_whatever_the_wording_under_them():
    page = HandmadeMarks()
    for left, caption in ((50, "Received in good order (name, date)"), (330, "For Meridian Laboratory Equipment")):
        draw_line(page, left, left + 180, 600)
        page.write(left, 606, caption)

    assert [label for label, _, _ in blanks(page)] == [
        "Received in good order (name, date)", "For Meridian Laboratory Equipment",
    ]  # fmt: skip
    assert not [block for block in page.understood().blocks if block.role == "value"]


def test_a_line_with_a_value_on_it_is_no_blank():
    page = HandmadeMarks()
    page.write(50, 100, "Name:")
    page.write(100, 99, "Ada Lovelace")
    draw_line(page, 85, 250, 108)

    assert blanks(page) == []


def test_a_rule_that_divides_the_page_is_no_blank():
    page = HandmadeMarks()
    page.write(50, 80, "Some wording of the form")
    draw_line(page, 40, 555, 95)
    page.write(50, 100, "Customer")

    assert blanks(page) == []


def test_the_places_before_year_month_and_day_are_blanks_of_a_date():
    marks = HandmadeMarks()
    marks.write(40, 300, "签订日期：", size=10)
    marks.write(150, 300, "年      月", size=10)
    line = marks.lines[-1]
    marks.lines[-1] = line.model_copy(update={"box": line.box.model_copy(update={"width": 60})})
    marks.write(240, 300, "日", size=10)
    layout = marks.understood()

    assert [block.role for block in layout.blocks] == ["fixed"] * 4
    assert [blank.label for blank in layout.blanks] == ["年", "月", "日"]
    year, month, day = (blank.box for blank in layout.blanks)
    assert year.right <= 150 and 159 < month.x < month.right <= 200 and 209 < day.x < day.right <= 240


def test_a_date_that_is_filled_in_has_no_blanks():
    marks = HandmadeMarks()
    for x, text in ((100, "2026"), (125, "年"), (140, "3"), (148, "月"), (162, "18"), (174, "日")):
        marks.write(x, 300, text)

    assert marks.understood().blanks == []


def test_month_and_day_over_the_columns_of_a_ledger_are_headings():
    marks = HandmadeMarks()
    marks.table(40, 300, [40, 40, 200, 80], [["月", "日", "摘要", "金额"], ["3", "18", "Rent", "900.00"]])

    assert not {"月", "日"} & {blank.label for blank in marks.understood().blanks}


@pytest.mark.parametrize("colon", [":", ""])
def test_labels_at_the_start_of_long_lines_ask_for_what_is_written_behind_them(colon: str):
    marks = HandmadeMarks()
    for y, label in (
        (100, "Firma"),
        (125, "Projekt"),
        (150, "Kunst für Film, Kulmer Str. 20A, 10783 Berlin"),
        (175, "von"),
    ):
        marks.write(50, y, label if "20A" in label else label + colon)
        marks.rules.append(RulingLine(id=f"r{y}", x1=49, y1=y + 12, x2=450, y2=y + 12, thickness=0.5))
    marks.write(250, 175, "bis" + colon)
    blanks = marks.understood().blanks
    assert [blank.label for blank in blanks] == (["Firma", "Projekt", "von", "bis"] if colon else [])
    if colon:
        assert blanks[0].box.right == 450 and blanks[2].box.right < 250 < blanks[3].box.x
