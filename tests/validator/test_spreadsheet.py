"""XLSX and CSV have one column for each column of a report, with values that can be computed with."""

from __future__ import annotations

import csv
import datetime as dt
import io
from typing import Any

import openpyxl
import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.exports import export
from bandsmith.services.validator.spreadsheet.number_formats import date_format, number_format
from bandsmith.shared.model.plan import Data

from .reports import field, report, row_field, static

DECIMAL = "java.math.BigDecimal"
FIELDS = row_field("customer") + row_field("day", "java.util.Date") + row_field("amount", DECIMAL)
TOTAL = (
    f'<variable name="total" class="{DECIMAL}" calculation="Sum"><variableExpression><![CDATA[$F{{amount}}]]>'
    "</variableExpression></variable>"
)
GROUP = (
    '<group name="customer"><groupExpression><![CDATA[$F{customer}]]></groupExpression><groupHeader><band height="20">'
    f"{static('Customer:', 'label', x=0, y=0, width=60)}{field('$F{customer}', 'who', x=60, y=0)}"
    "</band></groupHeader></group>"
)
HEADER = static("Day", "h1", x=0, y=0, width=100) + static("Amount", "h2", x=130, y=0, width=70)
ROW = field("$F{day}", "day", x=0, y=0, width=100, more='pattern="dd/MM/yyyy"') + field(
    "$F{amount}", "amount", x=100, y=0, width=100, more='pattern="#,##0.00"'
)
ROWS = Data(
    rows=[
        {"customer": "Ada", "day": "2026-03-01", "amount": 1200.5},
        {"customer": "Ada", "day": "2026-03-02", "amount": 30},
        {"customer": "Bo", "day": "2026-03-02", "amount": 7.125},
    ]
)


ODD_VALUES = ["Double.valueOf(0.0 / 0.0)", "Double.valueOf(1.0 / 0.0)", "new java.util.Date(9000000000000000L)",
              "java.time.LocalDate.of(12000, 1, 1)", "java.time.LocalDate.of(-5, 1, 1)",
              'new java.math.BigDecimal("1E+500")', '"half a character: \\ud83d"']  # fmt: skip


@pytest.mark.parametrize("expression", ODD_VALUES)
def test_a_value_that_no_spreadsheet_can_compute_with_is_a_text(engine: ReportEngine, expression: str):
    content = report(field(expression, "odd", width=300), declared=FIELDS)
    for file_format in ("xlsx", "csv"):
        assert export(engine, content, ROWS, file_format).files[0]


def template(detail: str = ROW, header: str = HEADER, declared: str = FIELDS + TOTAL, attributes: str = "") -> bytes:
    """A title, a column header, rows, a total, and a footer with the number of the page."""
    bands = f'<columnHeader><band height="20">{header}</band></columnHeader>' if header else ""
    number = field('"Page " + $V{PAGE_NUMBER}', "page", x=0, y=0)
    end = (
        f'<pageFooter><band height="20">{number}</band></pageFooter>'
        f'<summary><band height="20">{static("Total", "t", x=60, y=0, width=40)}'
        f"{field('$V{total}', 'sum', x=100, y=0, width=110)}</band></summary></jasperReport>"
    )
    made = report(static("Sales report", "title", x=90), detail=detail, declared=declared, attributes=attributes)
    return made.replace(b"</title>", b"</title>" + bands.encode()).replace(b"</jasperReport>", end.encode())


def sheet(engine: ReportEngine, content: bytes, data: Data = ROWS) -> Any:
    return openpyxl.load_workbook(io.BytesIO(export(engine, content, data, "xlsx").files[0])).active


def values(engine: ReportEngine, content: bytes, data: Data = ROWS) -> list[list[Any]]:
    return [list(row) for row in sheet(engine, content, data).iter_rows(values_only=True)]


def table(engine: ReportEngine, content: bytes, data: Data = ROWS) -> list[list[str]]:
    return list(csv.reader(io.StringIO(export(engine, content, data, "csv").files[0].decode("utf-8-sig"))))


def test_a_workbook_has_a_column_for_each_column_and_no_furniture(engine: ReportEngine):
    assert values(engine, template()) == [
        ["Sales report", None],
        ["Day", "Amount"],
        [dt.datetime(2026, 3, 1), 1200.5],
        [dt.datetime(2026, 3, 2), 30],
        [dt.datetime(2026, 3, 2), 7.125],
        ["Total", 1237.625],
    ]


def test_cells_keep_the_formats_of_the_report_and_nothing_is_merged(engine: ReportEngine):
    page = sheet(engine, template())
    assert [cell.number_format for cell in page[3]] == ["dd/mm/yyyy", "#,##0.00"]
    assert not page.merged_cells.ranges and page.freeze_panes == "A3" and page["A2"].font.bold


def test_a_csv_has_the_headings_and_the_rows_only(engine: ReportEngine):
    assert table(engine, template()) == [
        ["Day", "Amount"],
        ["2026-03-01", "1200.50"],
        ["2026-03-02", "30.00"],
        ["2026-03-02", "7.125"],
    ]


def test_a_csv_repeats_what_a_group_header_says_in_each_row(engine: ReportEngine):
    content = template(declared=FIELDS + TOTAL + GROUP)
    assert [row[0] for row in table(engine, content)] == ["Customer", "Ada", "Ada", "Bo"]
    assert [row[:2] for row in values(engine, content)][1:3] == [["Customer:", "Ada"], ["Day", "Amount"]]


def test_two_lines_of_a_row_are_columns_beside_each_other(engine: ReportEngine):
    detail = ROW.replace('height="20"', 'height="10"') + field("$F{customer}", "who", x=0, y=10, width=200, height=10)
    assert table(engine, template(detail))[:2] == [["Day", "Amount", "customer"], ["2026-03-01", "1200.50", "Ada"]]


def test_alternatives_in_one_place_are_one_column(engine: ReportEngine):
    def printed_when(text: str, condition: str) -> str:
        when = f"<printWhenExpression><![CDATA[{condition}]]></printWhenExpression></reportElement>"
        return text.replace('height="20"/>', f'height="20">{when}', 1)

    large = printed_when(field("$F{amount}", "a", x=100, y=0, width=100), "$F{amount}.intValue() > 100")
    small = printed_when(field("$F{amount}", "b", x=100, y=0, width=100), "$F{amount}.intValue() <= 100")
    content = template(field("$F{day}", "day", x=0, y=0, width=100) + large + small)
    assert [row[1] for row in table(engine, content)] == ["Amount", "1200.5", "30", "7.125"]


def test_columns_without_a_heading_are_named_by_their_fields(engine: ReportEngine):
    assert table(engine, template(header=""))[0] == ["day", "amount"]


def test_a_report_in_two_columns_has_its_rows_once(engine: ReportEngine):
    content = template(attributes='columnCount="2"').replace(b'columnWidth="400"', b'columnWidth="200"')
    assert [row[1] for row in table(engine, content)] == ["Amount", "1200.50", "30.00", "7.125"]


def test_a_form_without_rows_has_its_texts_below_each_other(engine: ReportEngine):
    content = report(
        static("Name", "n", x=0, y=0, width=60),
        field('"Ada"', "name", x=80, y=0, width=100),
        static("Born", "b", x=0, y=30, width=60),
        field("new Date(0L)", "born", x=80, y=30, width=100, more='pattern="yyyy"'),
    )
    assert [[row[0], type(row[1])] for row in values(engine, content, Data())] == [
        ["Name", str],
        ["Born", dt.datetime],
    ]


def test_texts_that_look_like_formulas_stay_texts(engine: ReportEngine):
    data = Data(rows=[{"customer": "=1+1", "day": None, "amount": 1}])
    content = template(field("$F{customer}", "who", x=0, y=0, width=100))
    assert table(engine, content, data)[1] == ["'=1+1", ""]
    assert sheet(engine, content, data)["A3"].data_type == "s"


def test_codes_and_long_numbers_keep_every_digit(engine: ReportEngine):
    data = Data(rows=[{"customer": "00123", "day": None, "amount": 12345678901234567890}])
    content = template(field("$F{customer}", "who", x=0, y=0, width=100) + field("$F{amount}", "amount", x=100, y=0))
    assert values(engine, content, data)[2] == ["00123", "12345678901234567890"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("#,##0.00", "#,##0.00"),
        ("¤#,##0.00;(¤#,##0.00)", '"$"#,##0.00;("$"#,##0.00)'),
        ("0.0%", "0.0%"),
        ("#,##0.00 '元'", '#,##0.00 "元"'),
        ("0 kg", '0 "k""g"'),
        (None, "General"),
    ],
)
def test_patterns_of_numbers_become_number_formats(pattern: str | None, expected: str):
    assert number_format(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("yyyy年M月d日", 'yyyy"年"m"月"d"日"'),
        ("EEE, dd MMM yyyy HH:mm", "ddd, dd mmm yyyy hh:mm"),
        ("hh:mm a", "hh:mm AM/PM"),
        ("dd 'of' MMMM", 'dd "of" mmmm'),
        (None, "yyyy-mm-dd"),
    ],
)
def test_patterns_of_dates_become_number_formats(pattern: str | None, expected: str):
    assert date_format(pattern) == expected
