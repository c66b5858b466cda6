"""Any spec becomes a report without findings, with its table, groups, totals and pages."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bandsmith.services.generator.spec.build import build_spec
from bandsmith.services.validator.engine import Printout, ReportEngine
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import validate
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.language import language_of
from bandsmith.shared.model.plan import Plan
from bandsmith.shared.model.spec import Column, Computed, HeaderField, Paper, ReportSpec, Sort, SummaryLine
from tests.planner.language.spec.specs import spec_of

REQUESTS = [
    "invoice with item, qty, unit price, amount, total at the bottom, grouped by customer, A4 landscape",
    "做一张按部门分组的工资表,有姓名、基本工资、奖金、实发,最后合计,横向",
    "一张送货单",
    "statement of account",
    "report with the average score per class: student, class, score",
]


def printed(engine: ReportEngine, spec: ReportSpec) -> tuple[Plan, Printout]:
    """Build a spec, assert that it has no findings, and return the plan and the printout."""
    plan, data = build_spec(spec)
    result = validate(engine, ValidatorSettings(), build_jrxml(plan), data)
    assert result.verdict.findings == []
    assert result.printout is not None
    return plan, result.printout


def texts(printout: Printout) -> list[str]:
    return [element.text for element in printout.elements if element.text]


def of(printout: Printout, key: str) -> list[str | None]:
    return [element.text for element in printout.elements if element.key == key]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda text: text[:30])
def test_a_request_becomes_a_report_without_findings(engine: ReportEngine, request_: str) -> None:
    _, printout = printed(engine, spec_of(request_, language_of(request_)))
    assert printout.pages == 1


def test_groups_have_headers_and_subtotals_add_up_to_the_total(engine: ReportEngine) -> None:
    spec = ReportSpec(
        title="Sales",
        columns=[Column(label="Item"), Column(label="Amount", type="money", total="sum")],
        group_by=["Customer"],
        rows=[],
    )
    plan, printout = printed(engine, spec)
    assert [group.name for group in plan.groups] == ["customer"]
    assert len(of(printout, "group_customer")) == 3
    subtotals = [float((text or "").replace(",", "")) for text in of(printout, "total_sum_customer_amount")]
    (total,) = of(printout, "total_sum_amount")
    assert len(subtotals) == 3 and f"{sum(subtotals):,.2f}" == total


def test_the_engine_computes_and_sums_a_computed_column(engine: ReportEngine) -> None:
    spec = ReportSpec(
        title="Order",
        columns=[
            Column(label="Qty", type="integer"),
            Column(label="Price", type="money"),
            Column(
                label="Amount", type="money", total="sum", computed=Computed(operator="*", operands=["Qty", "Price"])
            ),
        ],
        rows=[["3", "4.50", ""], ["", "9.99", ""], ["2", "10.00", ""]],
    )
    plan, printout = printed(engine, spec)
    assert [field.name for field in plan.fields] == ["quantity", "price"]
    assert of(printout, "amount") == ["13.50", "", "20.00"]
    assert of(printout, "total_sum_amount") == ["33.50"]


def test_averages_and_counts_have_separate_rows(engine: ReportEngine) -> None:
    spec = ReportSpec(
        title="People",
        columns=[Column(label="Name", total="count"), Column(label="Age", type="integer", total="average")],
        rows=[["Ann", "20"], ["Ben", "25"], ["Cy", "30"], ["Di", "27"]],
    )
    _, printout = printed(engine, spec)
    assert of(printout, "total_average_age") == ["25.5"]
    assert of(printout, "total_count_name") == ["4"]


def test_rows_are_in_the_requested_order(engine: ReportEngine) -> None:
    spec = ReportSpec(
        title="Debts",
        columns=[Column(label="Who"), Column(label="Amount", type="money")],
        sort=[Sort(column="Amount", descending=True)],
        rows=[["a", "5.00"], ["b", "70.00"], ["c", "6.00"]],
    )
    _, printout = printed(engine, spec)
    assert of(printout, "who") == ["b", "c", "a"]


@pytest.mark.parametrize(("language", "numbering"), [("en", ["Page 1 of", " 1"]), ("zh", ["第 1 页 / 共", " 1 页"])])
def test_page_numbers_follow_the_report_language(engine: ReportEngine, language: str, numbering: list[str]) -> None:
    columns = [Column(label="金额" if language == "zh" else "Amount", type="money")]
    _, printout = printed(engine, ReportSpec.model_validate({"title": "T", "columns": columns, "language": language}))
    assert of(printout, "page_number") + of(printout, "page_total") == numbering
    _, bare = printed(engine, ReportSpec(title="T", columns=columns, page_numbers=False))
    assert of(bare, "page_number") == []


def test_wide_tables_get_a_landscape_page() -> None:
    few = [Column(label=f"Amount {n}", type="money") for n in range(4)]
    many = [Column(label=f"Amount {n}", type="money") for n in range(14)]
    assert build_spec(ReportSpec(title="T", columns=few))[0].page_width == 595
    assert build_spec(ReportSpec(title="T", columns=many))[0].page_width == 842
    upright = build_spec(ReportSpec(title="T", columns=many, page=Paper(orientation="portrait")))[0]
    assert upright.page_width == 595


def test_a_long_value_wraps_and_its_row_grows(engine: ReportEngine) -> None:
    long = "a remark that goes on and on, and then on some more until no one reads it " * 4
    spec = ReportSpec(
        title="T", columns=[Column(label="No"), Column(label="Remark")], rows=[["A1", long], ["A2", "short"]]
    )
    _, printout = printed(engine, spec)
    cells = [element for element in printout.elements if element.key in ("number", "remark")]
    assert cells[0].box.height == cells[1].box.height > 2 * cells[3].box.height
    assert "".join((cells[1].text or "").split()) == "".join(long.split())


def test_many_rows_flow_over_several_pages(engine: ReportEngine) -> None:
    rows = [[f"Item {n}", f"{n}.00"] for n in range(90)]
    spec = ReportSpec(
        title="T", columns=[Column(label="Item"), Column(label="Amount", type="money", total="sum")], rows=rows
    )
    _, printout = printed(engine, spec)
    assert printout.pages == 3


HOSTILE = ReportSpec(
    title='He said "x" \\ $F{y} <b>& ' + "long " * 15,
    columns=[
        Column(label='"quoted" $F{a}'),
        Column(label="class"),
        Column(label="是否含税", type="flag"),
        Column(label="$P{REPORT_CONNECTION}", type="percent"),
        Column(label="A", type="money", computed=Computed(operator="*", operands=["B", "2"])),
        Column(label="B", type="money", computed=Computed(operator="+", operands=["A", "1"])),
    ],
    header_fields=[HeaderField(label="A long label of a line above " + "x" * 20) for _ in range(20)],
    group_by=["是否含税", "nowhere"],
    sort=[Sort(column="nothing")],
    footer='a "b" ${c} ' * 15,
)
WIDE = ReportSpec(
    title="标题" * 50,
    language="zh",
    columns=[Column(label=f"很长的标题第{n}列" * 5, type="money", total="sum") for n in range(40)],
    page=Paper(size="A5", orientation="portrait"),
)


@pytest.mark.slow
@pytest.mark.parametrize("spec", [HOSTILE, WIDE], ids=["hostile", "wide"])
def test_extreme_specs_give_reports_without_findings(engine: ReportEngine, spec: ReportSpec) -> None:
    printed(engine, spec)


def test_the_same_spec_gives_the_same_report() -> None:
    spec = spec_of("payroll report", "en")
    assert build_jrxml(build_spec(spec)[0]) == build_jrxml(build_spec(spec)[0])
    assert build_spec(spec)[1] == build_spec(spec)[1]


def test_block_of_totals_has_net_tax_gross_and_the_amount_in_words(engine: ReportEngine) -> None:
    spec = ReportSpec(
        title="Invoice",
        columns=[Column(label="Item"), Column(label="Amount", type="money", total="sum")],
        rows=[["Tea", "100.00"], ["Cake", "50.00"]],
        summary=[
            SummaryLine(label="Net total", kind="net"),
            SummaryLine(label="19% VAT", kind="tax", percent=Decimal(19)),
            SummaryLine(label="Gross total", kind="gross"),
            SummaryLine(label="In words", kind="words"),
        ],
    )
    _, printout = printed(engine, spec)
    shown = [of(printout, f"summary_{number}")[0] for number in (1, 2, 3, 4)]
    assert shown[:3] == ["150.00", "28.50", "178.50"]
    assert "One hundred seventy-eight" in (shown[3] or "")
    assert of(printout, "total_sum_amount") == []


def test_change_is_the_cash_given_without_what_is_due(engine: ReportEngine) -> None:
    spec = ReportSpec(
        title="Receipt",
        columns=[Column(label="Item"), Column(label="Amount", type="money", total="sum")],
        rows=[["Tea", "100.00"]],
        page=Paper(roll_mm=80),
        summary=[
            SummaryLine(label="Total", kind="net"),
            SummaryLine(label="cash given", kind="value"),
            SummaryLine(label="change", kind="value"),
        ],
    )
    plan, printout = printed(engine, spec)
    assert plan.page_width == 227
    assert of(printout, "summary_3") == ["19,900.00"]


def test_signatures_lines_and_sentences_stand_below_the_table(engine: ReportEngine) -> None:
    spec = ReportSpec(
        title="Delivery",
        company="Larkfield & Moss",
        columns=[Column(label="Item"), Column(label="Qty", type="integer")],
        closing=[HeaderField(label="Payment terms", value="30 days net")],
        closing_texts=["Thank you."],
        signatures=["Driver", "Customer"],
    )
    _, printout = printed(engine, spec)
    assert of(printout, "company") == ["Larkfield & Moss"]
    assert {"30 days net", "Thank you.", "Driver", "Customer"} <= set(texts(printout))


def test_running_balance_goes_on_from_row_to_row(engine: ReportEngine) -> None:
    spec = ReportSpec(
        title="Cash book",
        columns=[
            Column(label="In", type="money"),
            Column(label="Out", type="money"),
            Column(
                label="Balance", type="money", running=True, computed=Computed(operator="-", operands=["In", "Out"])
            ),
        ],
        rows=[["100.00", "", ""], ["", "30.00", ""], ["5.00", "", ""]],
    )
    _, printout = printed(engine, spec)
    assert of(printout, "balance") == ["100.00", "70.00", "75.00"]


def test_share_is_that_of_the_total(engine: ReportEngine) -> None:
    spec = ReportSpec(
        title="Shares",
        columns=[
            Column(label="Item"),
            Column(label="Amount", type="money", total="sum"),
            Column(label="Share", type="percent", share_of="Amount"),
        ],
        rows=[["Tea", "75.00", ""], ["Cake", "25.00", ""]],
    )
    _, printout = printed(engine, spec)
    assert of(printout, "share") == ["75.0%", "25.0%"]


def test_blank_rows_are_numbered_and_empty(engine: ReportEngine) -> None:
    spec = ReportSpec(
        title="会议签到表",
        columns=[Column(label="序号"), Column(label="姓名"), Column(label="签名")],
        blank_rows=20,
        language="zh",
    )
    _, printout = printed(engine, spec)
    counted = [text for text in texts(printout) if text.isdigit()]
    assert counted == [str(number) for number in range(1, 21)]


def test_rows_to_fill_in_have_a_line_of_totals_that_adds_up_what_is_filled_in(engine: ReportEngine) -> None:
    columns = [Column(label="Day"), Column(label="Cash", type="money", total="sum"), Column(label="Card", type="money")]
    plan, data = build_spec(ReportSpec(title="Takings", columns=columns, blank_rows=3))
    template = build_jrxml(plan)
    empty = texts(engine.print(template, data, pages=0))
    filled = texts(engine.print(template, data.model_copy(update={"rows": [{"cash": 2.5}, {"cash": 3}]}), pages=0))
    assert "Total" in empty and not any("0.00" in text or "null" in text for text in empty)
    assert "5.50" in filled


def test_a_column_numbers_the_rows_whatever_its_heading_place_and_own_values(engine: ReportEngine) -> None:
    columns = [Column(label="Guest"), Column(label="Seat", numbered=True)]
    spec = ReportSpec(title="Guests", columns=columns, rows=[["Ann Lee", "A"], ["Ben Ott", ""], ["Cy Moss", "x"]])
    plan, printout = printed(engine, spec)
    assert [field.name for field in plan.fields] == ["guest"]
    assert [text for text in texts(printout) if text.isdigit()] == ["1", "2", "3"]


def test_form_has_its_lines_and_no_table(engine: ReportEngine) -> None:
    spec = ReportSpec(title="Leave request", header_fields=[HeaderField(label="Employee", value="")])
    plan, printout = printed(engine, spec)
    assert plan.fields == []
    assert "Employee:" in texts(printout)


def test_a_label_has_its_own_size_and_one_large_line(engine: ReportEngine) -> None:
    large = HeaderField(label="Ship to", name="address", value="Mill & Co, 12 Harbour Street, Leeds", size=20)
    lines = [large, HeaderField(label="Box", name="box")]
    paper = Paper(width_mm=100, height_mm=70)
    plan, printout = printed(engine, ReportSpec(title="Label", page=paper, page_numbers=False, header_fields=lines))
    assert (plan.page_width, plan.page_height, printout.pages) == (283, 198, 1)
    boxes = {one.key: one.box for one in printout.elements}
    assert boxes["value_address"].height >= 2 * 20
    assert boxes["value_address"].bottom <= boxes["value_box"].y


def test_the_headings_of_31_days_stay_in_one_line(engine: ReportEngine) -> None:
    days = [Column(label=str(day), width=21) for day in range(1, 32)]
    columns, page = [Column(label="Check", width=110), *days], Paper(orientation="landscape")
    _, printout = printed(engine, ReportSpec(title="Checks", columns=columns, blank_rows=3, page=page))
    assert max(one.box.height for one in printout.elements if (one.key or "").startswith("header_")) < 32


def test_groups_begin_on_new_pages_where_that_was_asked_for(engine: ReportEngine) -> None:
    spec = ReportSpec(
        title="Sales",
        columns=[Column(label="Amount", type="money", total="sum")],
        group_by=["Region"],
        group_pages=True,
    )
    _, printout = printed(engine, spec)
    assert printout.pages == 3


def test_amounts_that_no_column_adds_up_to_are_values_of_the_data(engine: ReportEngine) -> None:
    lines = [("Total", "net"), ("VAT", "tax"), ("To pay", "gross"), ("In words", "words"), ("Closing balance", "last")]
    spec = ReportSpec(
        title="Bill",
        columns=[Column(label="Item"), Column(label="Remark")],
        summary=[SummaryLine.model_validate({"label": label, "kind": kind}) for label, kind in lines],
    )
    plan, printout = printed(engine, spec)
    assert {"total", "to_pay", "closing_balance"} <= {parameter.name for parameter in plan.parameters}
    assert all(of(printout, f"summary_{number}") for number in (1, 2, 3))


def test_rows_to_fill_in_have_amounts_to_fill_in_below_them(engine: ReportEngine) -> None:
    spec = ReportSpec(
        title="Bill",
        columns=[Column(label="Item"), Column(label="Amount", type="money", total="sum")],
        summary=[SummaryLine(label="Total", kind="net"), SummaryLine(label="VAT", kind="tax")],
        blank_rows=5,
    )
    _, printout = printed(engine, spec)
    assert [of(printout, f"summary_label_{number}") for number in (1, 2)] == [["Total"], ["VAT"]]


@pytest.mark.parametrize(
    ("pattern", "values", "shown"),
    [
        ("#,##0.0", ["3", "1200"], ["3.0", "1,200.0"]),
        ("#,##0.0", ["3%", "12%"], ["3%", "12%"]),
        ("#,##0", ["$3.00", "$4.00"], ["$3.00", "$4.00"]),
        ("#,##0.0", ["three", "four"], ["three", "four"]),
    ],
    ids=["own values", "a unit stays", "a currency stays", "words"],
)
def test_a_pattern_that_is_asked_for_formats_the_users_own_values(
    engine: ReportEngine, pattern: str, values: list[str], shown: list[str]
) -> None:
    hours = Column(label="Hours", type="number", pattern=pattern)
    spec = ReportSpec(title="Work", columns=[Column(label="Name"), hours], rows=[["Ann", values[0]], ["Bo", values[1]]])
    _, printout = printed(engine, spec)
    assert [text for text in texts(printout) if text in shown] == shown


def test_a_value_of_several_lines_moves_the_lines_below_it_down(engine: ReportEngine) -> None:
    """An amount in words takes more lines than its place has, and the date below it makes way."""
    words = [HeaderField(label=label) for label in ("Received from", "Amount in words", "For")]
    lines = [HeaderField(label="Amount", type="money"), *words, HeaderField(label="Date", type="date")]
    _, printout = printed(engine, ReportSpec(title="Receipt", page=Paper(size="A5"), header_fields=lines))
    boxes = {one.key: one.box for one in printout.elements}
    assert boxes["value_amount_in_words"].height > 26
    assert boxes["value_amount_in_words"].bottom <= boxes["value_date"].y
