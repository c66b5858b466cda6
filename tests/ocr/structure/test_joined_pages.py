"""Pages that go on with a table are joined to the first one; anything else leaves the first page as it is."""

from __future__ import annotations

from bandsmith.services.ocr.structure import join, understand
from bandsmith.shared.model.layout import Layout

from .handmade import A4, HandmadeMarks

HEADINGS = ("Date", "Description", "Amount")
COLUMNS = (50, 150, 420)


def write_rows(page: HandmadeMarks, y: float, first: int, count: int) -> float:
    """Write some rows of a statement, and return where they end."""
    for number in range(count):
        texts = (f"2026-03-{first + number:02}", f"Oak desk {first + number}", f"{first + number}0.50")
        for x, text in zip(COLUMNS, texts, strict=True):
            page.write(x, y + 20 * number, text)
    return y + 20 * count


def write_header(page: HandmadeMarks, y: float) -> None:
    for x, text in zip(COLUMNS, HEADINGS, strict=True):
        page.write(x, y, text, bold=True)


def write_foot(page: HandmadeMarks, number: int, count: int = 2) -> None:
    page.write(50, 800, "Meadow Bank, 12 Mill Street")
    page.write(500, 800, f"Page {number} of {count}")


def first_page(rows: int = 20) -> HandmadeMarks:
    page = HandmadeMarks()
    page.write(50, 60, "Account statement", size=16, bold=True)
    write_header(page, 140)
    write_rows(page, 160, 1, rows)
    write_foot(page, 1)
    return page


def last_page(*, header: bool, rows: int = 5, first: int = 21) -> HandmadeMarks:
    page = HandmadeMarks()
    y = 60.0
    if header:
        write_header(page, y)
        y += 20
    end = write_rows(page, y, first, rows)
    page.write(300, end + 20, "Closing balance")
    page.write(420, end + 20, "3,250.00")
    page.write(50, end + 60, "Please report errors within 30 days.")
    write_foot(page, 2)
    return page


def joined(first: HandmadeMarks, *later: HandmadeMarks) -> Layout:
    layout, _ = join(understand(A4, first, []), first, later)
    return layout


def test_rows_below_the_same_header_are_rows_of_the_table():
    layout = joined(first_page(), last_page(header=True))

    assert (layout.pages, layout.repeat.rows, layout.whole.total_rows) == (2, 20, 25)
    assert layout.whole.repeat.continued[0] == ["2026-03-21", "Oak desk 21", "210.50"]


def test_rows_without_a_header_are_rows_of_the_table_too():
    layout = joined(first_page(), last_page(header=False))

    assert layout.whole.total_rows == 25
    assert layout.whole.repeat.continued[-1] == ["2026-03-25", "Oak desk 25", "250.50"]


def test_what_follows_the_last_row_stands_between_the_rows_and_the_foot_of_page_1():
    layout = joined(first_page(), last_page(header=True))
    whole = layout.whole
    at = {block.text: block.box.y for block in whole.blocks}

    assert whole.repeat.box.bottom < at["Closing balance"] < at["Please report errors within 30 days."]
    assert at["Please report errors within 30 days."] < layout.joined.footer_top <= at["Meadow Bank, 12 Mill Street"]
    assert sum(block.text == "Meadow Bank, 12 Mill Street" for block in whole.blocks) == 1
    assert {block.text for block in whole.blocks if block.label == "Closing balance"} == {"3,250.00"}


def test_a_note_that_the_table_goes_on_is_neither_its_row_nor_printed_with_other_data():
    first = first_page()
    first.write(440, 566, "continued on page 2")

    layout = joined(first, last_page(header=True))

    assert (layout.pages, layout.repeat.rows, layout.whole.total_rows) == (2, 20, 25)
    assert "continued on page 2" not in {block.text for block in layout.whole.blocks}


def test_a_table_may_run_over_three_pages():
    second = HandmadeMarks()
    write_header(second, 60)
    write_rows(second, 80, 21, 5)
    write_foot(second, 2, 3)

    layout = joined(first_page(), second, last_page(header=True, rows=3, first=26))

    assert (layout.pages, layout.whole.total_rows) == (3, 28)


def test_a_page_that_has_only_the_total_belongs_to_the_table():
    layout = joined(first_page(), last_page(header=False, rows=0))

    assert (layout.pages, layout.whole.total_rows) == (2, 20)
    assert "Closing balance" in {block.text for block in layout.whole.blocks}


def test_totals_with_units_below_the_last_row_are_no_row():
    last = HandmadeMarks()
    end = write_rows(last, 60, 21, 5)
    for x, text in zip((50, 150, 260, 420), ("Total weight", "28,721.14lb", "Total pieces", "71 pcs"), strict=True):
        last.write(x, end, text)
    write_foot(last, 2)

    layout = joined(first_page(), last)

    assert (layout.pages, layout.whole.total_rows) == (2, 25)
    assert {"Total weight", "28,721.14lb"} <= {block.text for block in layout.whole.blocks}


def test_a_table_that_ended_with_a_total_does_not_go_on():
    first = first_page(rows=10)
    first.write(300, 380, "Total")
    first.write(420, 380, "1,250.00")

    assert joined(first, last_page(header=True)).pages == 1


def test_a_page_of_its_own_is_not_joined():
    other = HandmadeMarks()
    other.write(50, 60, "Terms and conditions", size=14, bold=True)
    for number in range(10):
        other.write(50, 100 + 20 * number, f"{number + 1}. The supplier delivers what was ordered in time and in full.")

    assert joined(first_page(), other).pages == 1


def test_a_page_after_the_end_of_the_table_is_not_read():
    def pages():
        yield last_page(header=True)
        raise AssertionError("the table ended on page 2")

    layout, _ = join(understand(A4, first := first_page(), []), first, pages())

    assert layout.pages == 2


def test_a_head_that_each_page_repeats_is_told_from_that_of_the_first_page():
    with_head, without = last_page(header=True), last_page(header=True)
    for line in with_head.lines:
        if line.box.y < 700:
            line_box = line.box.moved(0, 80)
            with_head.lines[with_head.lines.index(line)] = line.model_copy(update={"box": line_box})
    with_head.write(50, 60, "Account statement", size=16, bold=True)

    assert joined(first_page(), with_head).joined.repeats_head
    assert not joined(first_page(), without).joined.repeats_head


def with_own_head(page: HandmadeMarks, *texts: str) -> HandmadeMarks:
    """Write texts beside each other above the headings of a later page."""
    for x, text in zip((50, 260, 480), texts, strict=False):
        page.write(x, 40, text)
    return page


def test_what_all_later_pages_have_above_the_headings_is_their_running_head():
    second = HandmadeMarks()
    write_header(second, 60)
    write_rows(second, 80, 21, 5)
    write_foot(second, 2, 3)
    last = last_page(header=True, rows=3, first=26)
    pages = [
        with_own_head(page, "Account: 4711", f"Carried forward {n}80.00", f"Page {n} of 3")
        for n, page in ((2, second), (3, last))
    ]

    head = joined(first_page(), *pages).joined.running_head

    assert [line.text for line in head.lines] == ["Account: 4711", "Page 2 of 3"]
    assert 50 < head.bottom < 65


def test_a_text_above_the_headings_of_a_single_later_page_is_of_its_head_where_page_1_has_it_too():
    first = first_page()
    first.write(50, 100, "Account: 4711")
    last = with_own_head(last_page(header=True), "Account 4711", "Statement for Mr Alan Poe", "Page 2 of 2")

    head = joined(first, last).joined.running_head

    assert [line.text for line in head.lines] == ["Account 4711", "Page 2 of 2"]


def test_pages_that_have_nothing_above_the_headings_have_no_running_head():
    assert joined(first_page(), last_page(header=True)).joined.running_head is None
