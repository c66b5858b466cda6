"""Where the rows below a header end: totals, sums and notes that the table goes on are none of them."""

import pytest

from .handmade import HandmadeMarks
from .headed import rows_of, rule, write_header, write_row


def test_a_total_ends_the_rows_and_a_subtotal_does_not():
    page = HandmadeMarks()
    write_header(page, 200)
    write_row(page, 220, "Green tea", "2", "4.50", "9.00")
    write_row(page, 238, None, None, "Subtotal", "9.00")
    write_row(page, 256, "Black tea", "1", "5.00", "5.00")
    write_row(page, 274, "Cups", "4", "1.00", "4.00")
    write_row(page, 292, None, None, "Total", "18.00")

    rows = rows_of(page.understood())

    assert [row[0] for row in rows] == ["Green tea", None, "Black tea", "Cups"]


@pytest.mark.parametrize("total", ["Totaal", "Gesamtbetrag", "Total HT", "IGST18 (18%)", "合计"])
def test_totals_are_known_in_other_languages(total: str):
    page = HandmadeMarks()
    write_header(page, 200)
    write_row(page, 220, "Green tea", "2", "4.50", "9.00")
    write_row(page, 238, "Black tea", "1", "5.00", "5.00")
    write_row(page, 256, None, None, total, "14.00")

    assert page.understood().total_rows == 2


@pytest.mark.parametrize("tax", ["營業稅", "消費税", "增值税"])
def test_a_tax_with_its_amount_and_rate_below_the_items_is_no_item(tax: str):
    page = HandmadeMarks()
    write_header(page, 200)
    write_row(page, 220, "Green tea", "2", "4.50", "9.00")
    write_row(page, 238, "Black tea", "1", "5.00", "5.00")
    write_row(page, 256, tax, None, "0.70", "5%")
    write_row(page, 274, "總金額", None, None, "14.70")

    assert rows_of(page.understood()) == [["Green tea", "2", "4.50", "9.00"], ["Black tea", "1", "5.00", "5.00"]]


def test_sums_without_a_word_for_it_end_the_rows():
    page = HandmadeMarks()
    write_header(page, 200)
    write_row(page, 220, "Green tea", "2", "4.50", "9.00")
    write_row(page, 238, "Black tea", "1", "5.00", "5.00")
    write_row(page, 256, None, None, "before GST", "14.00")
    write_row(page, 274, None, None, "GST (7%)", "0.98")

    assert [row[0] for row in rows_of(page.understood())] == ["Green tea", "Black tea"]


@pytest.mark.parametrize("word", ["Total", "Totals", "Sub-totals", "Grand totals"])
def test_a_row_of_totals_under_another_column_than_the_first_is_no_record(word: str):
    page = HandmadeMarks()
    for x, text in zip((50, 120, 300, 380), ("Date", "Details", "Debit", "Credit"), strict=True):
        page.write(x, 200, text, bold=True)
    for row, (date, text, debit) in enumerate((("01/08/2026", "Sand", "642.10"), ("09/08/2026", "Timber", "388.00"))):
        for x, cell in zip((50, 120, 300), (date, text, debit), strict=True):
            page.write(x, 220 + 18 * row, cell)
    page.write(50, 256, "12/08/2026")
    page.write(120, 256, "Payment received")
    page.write(380, 256, "204.50")
    for x, text in zip((120, 300, 380), (word, "1,030.10", "204.50"), strict=True):
        page.write(x, 274, text, bold=True)

    assert [row[1] for row in rows_of(page.understood())] == ["Sand", "Timber", "Payment received"]


@pytest.mark.parametrize("note", ["continued on page 2", "Continued overleaf", "see next page", "接下页"])
def test_a_note_that_the_table_goes_on_is_no_record_of_it(note: str):
    page = HandmadeMarks()
    write_header(page, 200)
    for number in range(4):
        write_row(page, 220 + 20 * number, f"Green tea {number}", "2", "4.50", "9.00")
        rule(page, 234 + 20 * number)
    page.write(390, 304, note)

    assert len(rows_of(page.understood())) == 4


@pytest.mark.parametrize(
    "totals", [("TOTAL", "1 X 40HC", None, "14.00"), ("总金额(大写)：壹拾肆元整", "小写：14.00", None, "14.00")]
)
def test_a_total_with_other_texts_before_its_figure_is_no_row(totals: tuple[str | None, ...]):
    page = HandmadeMarks()
    write_header(page, 200)
    write_row(page, 220, "Green tea", "2", "4.50", "9.00")
    write_row(page, 240, "Black tea", "1", "5.00", "5.00")
    write_row(page, 260, *totals)

    assert rows_of(page.understood()) == [["Green tea", "2", "4.50", "9.00"], ["Black tea", "1", "5.00", "5.00"]]


def test_a_description_that_begins_with_the_word_total_is_a_row():
    page = HandmadeMarks()
    write_header(page, 200)
    write_row(page, 220, "Green tea", "2", "4.50", "9.00")
    write_row(page, 240, "Black tea", "1", "5.00", "5.00")
    write_row(page, 260, "Total station", "1 set", "5.00", "5.00")

    assert rows_of(page.understood())[2] == ["Total station", "1 set", "5.00", "5.00"]


def test_a_line_with_colons_below_the_header_precedes_the_records():
    page = HandmadeMarks()
    write_header(page, 200)
    page.write(50, 218, "Delivery note:")
    page.write(120, 218, "DN-4711 (taken by: Bell)")
    write_row(page, 236, "Green tea", "2", "4.50", "9.00")
    write_row(page, 254, "Black tea", "1", "5.00", "5.00")
    rows = rows_of(page.understood())
    assert [row[0] for row in rows] == ["Green tea", "Black tea"]


def test_a_sentence_of_two_lines_below_the_header_precedes_the_records():
    page = HandmadeMarks()
    write_header(page, 200)
    page.write(50, 218, "Thank you for your order. For the work on your courts in")
    page.write(50, 230, "spring we charge as follows:")
    write_row(page, 250, "Green tea", "2", "4.50", "9.00")
    write_row(page, 268, "Black tea", "1", "5.00", "5.00")

    assert rows_of(page.understood()) == [["Green tea", "2", "4.50", "9.00"], ["Black tea", "1", "5.00", "5.00"]]


def test_a_description_that_ends_in_a_colon_does_not_end_the_table():
    page = HandmadeMarks()
    write_header(page, 200)
    write_row(page, 220, "Green tea", "2", "4.50", "9.00")
    write_row(page, 240, "Surcharge by weight:", "1", "5.00", "5.00")
    page.write(50, 252, "up to five tons")
    write_row(page, 270, "Black tea", "1", "5.00", "5.00")

    rows = rows_of(page.understood())
    assert [row[1:] for row in rows] == [["2", "4.50", "9.00"], ["1", "5.00", "5.00"], ["1", "5.00", "5.00"]]
    assert rows[2][0] == "Black tea"
