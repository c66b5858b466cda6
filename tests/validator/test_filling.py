"""Reports filled with a person's own rows: none, many, and values with many digits."""

from __future__ import annotations

import csv
import io

import pypdfium2

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.engine.lockdown import MAX_PAGES
from bandsmith.services.validator.exports import Export, export_filled
from bandsmith.shared.model.filling import FilledData, encode_lines
from bandsmith.shared.model.session_parts import Format

from .reports import field, parameter, report, row_field

TEMPLATE = report(
    field("$P{customer}", "customer"),
    declared=parameter("customer") + row_field("item") + row_field("amount", "java.math.BigDecimal"),
    detail=field("$F{item}", "item", y=0) + field("$F{amount}", "amount", x=200, y=0),
    height=40,
)


def filled(
    engine: ReportEngine, rows: list[dict[str, object]], form: Format = "pdf", template: bytes = TEMPLATE
) -> Export:
    lines = encode_lines(FilledData(parameters={"customer": "Eastgate"}, rows=len(rows)), rows)
    return export_filled(engine, template, lines, form)


def text_of(pdf: bytes, page: int = 0) -> str:
    return pypdfium2.PdfDocument(pdf)[page].get_textpage().get_text_range()


def test_no_rows_print_what_stands_around_them(engine: ReportEngine):
    done = filled(engine, [])
    assert done.pages == 1 and text_of(done.files[0]).split() == ["Eastgate"]


def test_no_rows_print_a_template_from_elsewhere_that_does_not_say_how(engine: ReportEngine):
    silent = TEMPLATE.replace(b'whenNoDataType="AllSectionsNoDetail"', b"")
    assert text_of(filled(engine, [], template=silent).files[0]).split() == ["Eastgate"]


def test_a_missing_value_prints_nothing(engine: ReportEngine):
    template = TEMPLATE.replace(b"<textField >", b'<textField isBlankWhenNull="true">')
    assert text_of(filled(engine, [{"item": "Saw"}], template=template).files[0]).split() == ["Eastgate", "Saw"]


def test_numbers_keep_all_of_their_digits(engine: ReportEngine):
    done = filled(engine, [{"item": "Saw", "amount": "12345678901234567890.12"}])
    assert "12345678901234567890.12" in text_of(done.files[0])


def test_every_row_is_printed_in_order_on_more_pages_than_samples_may_have(engine: ReportEngine):
    count = (MAX_PAGES + 10) * 15
    done = filled(engine, [{"item": f"item {number}", "amount": str(number)} for number in range(count)])
    assert done.pages > MAX_PAGES
    assert f"item {count - 1}" in text_of(done.files[0], done.pages - 1)


def test_all_formats_print_the_same_rows(engine: ReportEngine):
    rows: list[dict[str, object]] = [{"item": "Saw", "amount": "7.50"}, {"item": "Axe", "amount": "8.00"}]
    table = list(csv.reader(io.StringIO(filled(engine, rows, "csv").files[0].decode("utf-8-sig"))))
    assert [row for row in table if "Axe" in row]
    for form in ("docx", "html", "xlsx", "png"):
        assert filled(engine, rows, form).files[0]
