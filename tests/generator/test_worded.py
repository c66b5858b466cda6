"""Change reports that were made from words, with computed columns, row numbers and totals."""

from __future__ import annotations

from typing import Any

import pytest

from bandsmith.services.generator.spec import build_spec
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.language import Language
from bandsmith.shared.model.plan import Data
from tests.planner.language.change.test_modify import turn
from tests.planner.language.spec.specs import spec_of
from tests.shared.edits.reports import complaints, printed

SALES = "sales report with customer, quantity, price and amount (quantity x price), total at the bottom"
ORDERS = "做一个采购单，有序号、品名、数量、单价、金额（金额=数量×单价），底部合计"


def born(sentence: str) -> tuple[bytes, Data]:
    """The report of a sentence, with its sample data."""
    language: Language = "zh" if "做" in sentence else "en"
    plan, data = build_spec(spec_of(sentence, language))
    return build_jrxml(plan), data


async def talked(sentence: str, *requests: str) -> tuple[bytes, Data, str]:
    """The report after requests, its data, and what was said of the last one."""
    report = born(sentence)
    said = ""
    for request in requests:
        after = await turn(report, request, language="zh" if sentence == ORDERS else "en")
        report, said = (after.template, after.data), after.event.summary
    return *report, said


def columns(template: bytes) -> list[str]:
    return [column.label for column in TemplateView(Editor(template)).columns]


async def test_a_computed_column_is_a_column_like_any_other(engine: ReportEngine) -> None:
    template, data, said = await talked(SALES, "move amount to the front", "highlight amounts over 1000 in red")
    assert columns(template) == ["Amount", "Customer", "Quantity", "Price"]
    assert "Amount > 1000" in said
    template, data, _ = await talked(SALES, "sort by amount, highest first", "amount with 1 decimal")
    amounts = [text for text in printed(engine, template, data) if text.endswith(".0")]
    assert amounts[0] == max(amounts[:-1], key=lambda text: float(text.replace(",", "")))


async def test_deleting_a_computed_column_keeps_its_operands(engine: ReportEngine) -> None:
    template, data, _ = await talked(SALES, "delete the amount column")
    assert columns(template) == ["Customer", "Quantity", "Price"]
    assert b"amount" not in template
    assert "Total" not in printed(engine, template, data)


async def test_a_column_added_by_a_formula_is_like_any_other(engine: ReportEngine) -> None:
    template, data, _ = await talked(
        "employee list with name and salary", "add a column bonus = salary * 10%", "total of bonus", "sort by bonus",
        "salary without decimals",
    )  # fmt: skip
    texts = printed(engine, template, data)
    assert "bonus" in texts and complaints(template) == set()
    column = next(one for one in TemplateView(Editor(template)).columns if one.label == "bonus")
    assert column.numeric


async def test_the_numbers_of_the_rows_are_the_first_column() -> None:
    template, *_ = await talked(ORDERS, "删除第二列")
    assert columns(template) == ["序号", "数量", "单价", "金额"]
    template, *_ = await talked(ORDERS, "删除第一列")
    assert columns(template) == ["品名", "数量", "单价", "金额"]


@pytest.mark.parametrize("request_", ["删除单价列", "把金额列移到数量后面", "按金额从高到低排序", "金额大于1000标红"])
async def test_the_changed_report_prints(engine: ReportEngine, request_: str) -> None:
    template, data, _ = await talked(ORDERS, request_)
    assert template != born(ORDERS)[0]
    assert printed(engine, template, data)
    assert complaints(template) == set()


async def test_a_total_row_is_removed_and_restored_as_a_whole(engine: ReportEngine) -> None:
    born_with, data = born(SALES)
    rows = printed(engine, born_with, data)
    without, data, said = await talked(SALES, "remove the total row")
    assert said == "Deleted the totals."
    assert complaints(without) == set() and b"<summary>" not in without
    assert "Total" not in printed(engine, without, data)
    again, data, _ = await talked(SALES, "remove the total row", "total of amount")
    assert printed(engine, again, data) == rows
    *_, said = await talked(SALES, "remove the total row", "remove the total row")
    assert "no such total" in said


async def test_totals_of_a_column_or_of_groups_are_removed_alone(engine: ReportEngine) -> None:
    asked = "add a total of quantity", "group by customer with subtotals"
    template, data, said = await talked(SALES, *asked, "remove the total of quantity")
    assert said == "Deleted the totals of Quantity."
    texts = printed(engine, template, data)
    assert texts[texts.index("Total") + 1].count(",") == 1
    template, data, _ = await talked(SALES, *asked, "remove the subtotals")
    texts = printed(engine, template, data)
    assert "Subtotal" not in texts and "Total" in texts


async def test_a_new_total_joins_the_existing_row_of_totals(engine: ReportEngine) -> None:
    template, data, _ = await talked(SALES, "add a total of quantity")
    texts = printed(engine, template, data)
    assert texts.count("Total") == 1
    quantities: list[Any] = [row["quantity"] for row in data.rows]
    assert texts[texts.index("Total") + 1] == str(sum(quantities))


async def test_highlighting_a_value_does_not_highlight_its_total() -> None:
    template, *_ = await talked(SALES, "remove the total row", "highlight amounts over 1 in red", "total of amount")
    total = next(piece for piece in TemplateView(Editor(template)).texts if piece.expression == "$V{amount_sum}")
    assert total.node.find("{*}reportElement").get("style") is None


@pytest.mark.parametrize(
    ("request_", "order"),
    [
        ("move amount to the first column", ["Amount", "Customer", "Quantity", "Price"]),
        ("make amount the second column", ["Customer", "Amount", "Quantity", "Price"]),
        ("把Amount移到第三列", ["Customer", "Quantity", "Amount", "Price"]),
        ("move customer to the last position", ["Quantity", "Price", "Amount", "Customer"]),
    ],
)
async def test_a_column_is_moved_to_a_position_by_number(request_: str, order: list[str]) -> None:
    template, *_ = await talked(SALES, request_)
    assert columns(template) == order


async def test_typos_are_corrected_if_the_whole_request_is_then_read() -> None:
    for typed, meant in (
        ("make teh titel bigger", "make the title bigger"),
        ("delte the thrid colunm", "delete the third column"),
        ("gruop by custmer", "group by customer"),
        ("hightlight amounts over 1000 in red", "highlight amounts over 1000 in red"),
    ):
        assert (await talked(SALES, typed))[0] == (await talked(SALES, meant))[0] != born(SALES)[0]
    *_, said = await talked(SALES, 'rename "Pirce" to "Prize"')
    assert "Pirce" in said


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("add our logo", "attach"),
        ("make it prettier", "for example"),
    ],
)
async def test_an_unsupported_request_gets_a_suggestion(request_: str, told: str) -> None:
    template, _, said = await talked(SALES, request_)
    assert template == born(SALES)[0] and told in said


async def test_a_group_keeps_its_name_when_its_column_is_removed() -> None:
    template, *_ = await talked(ORDERS, "删除品名列，按品名分组")
    assert "品名：" in template.decode() and "品名" not in columns(template)


@pytest.mark.parametrize("side", ["left", "center", "right"])
async def test_a_page_number_of_two_parts_moves_as_one(engine: ReportEngine, side: str) -> None:
    template, data, _ = await talked(SALES, "add a footer “Internal use only”", f"put the page number at the {side}")
    shown = [one for one in engine.print(template, data, pages=0).elements if one.text and one.box.y > 780]
    words, number, last = sorted(shown, key=lambda one: ("Internal" not in one.text, one.box.x))
    assert (number.text, last.text.strip()) == ("Page 1 of", "1")
    assert number.box.right == last.box.x
    apart = words.box.right <= number.box.x or words.box.x >= last.box.right
    assert apart and complaints(template) == set()


async def test_a_subtitle_goes_below_the_title_and_moves_the_rest_down() -> None:
    template, _, said = await talked(SALES, "add a subtitle “March 2026”")
    view = TemplateView(Editor(template))
    title, subtitle = (view.piece(key) for key in ("title", "subtitle"))
    rule = view.piece("title_rule")
    assert title and subtitle and rule
    assert title.y + title.height == subtitle.y and subtitle.y + subtitle.height <= rule.y
    assert (subtitle.x, subtitle.size < title.size) == (title.x, True)
    assert said == "Added “March 2026” to the title." and complaints(template) == set()


@pytest.mark.parametrize(
    ("request_", "back", "ink"),
    [
        ("make the header blue", "#0000FF", "#FFFFFF"),
        ("header background yellow", "#FFFF00", "#000000"),
        ("make the header text yellow", "#24506B", "#FFFF00"),
    ],
)
async def test_a_coloured_header_stays_legible(request_: str, back: str, ink: str) -> None:
    template, *_ = await talked(SALES, request_)
    looks = [piece.node.find("{*}reportElement") for piece in TemplateView(Editor(template)).header]
    assert {(look.get("backcolor"), look.get("forecolor")) for look in looks} == {(back, ink)}


WAGES = "做一份工资表，包括姓名、部门、基本工资、奖金、实发工资（实发工资=基本工资+奖金），按部门分组，每组小计"


async def wages(*requests: str) -> tuple[bytes, Data]:
    report = born(WAGES)
    for request in requests:
        after = await turn(report, request, language="zh")
        assert after.event.changed, after.event.summary
        report = after.template, after.data
    return report


@pytest.mark.parametrize(
    "request_", ["在奖金后面加一列扣款", "在部门后面加一列级别", "在最前面加一列序号", "最后加一列备注"]
)
async def test_a_new_column_leaves_no_gap_in_any_row(engine: ReportEngine, request_: str) -> None:
    template, data = await wages(request_)
    assert complaints(template) == set()
    view = TemplateView(Editor(template))
    for section in ("columnHeader", "detail", "groupFooter", "summary"):
        ends = sorted((piece.x, piece.x + piece.width) for piece in view.in_sections(section) if piece.is_text)
        assert [right for _, right in ends[:-1]] == [left for left, _ in ends[1:]], section
        assert (ends[0][0], ends[-1][1]) == (0, view.width)
    assert printed(engine, template, data)


async def test_a_new_column_has_the_type_its_heading_suggests() -> None:
    template, _ = await wages("加一列扣款", "加一列序号", "加一列入职日期", "加一列件数")
    classes = {column.label: column.java_class.rpartition(".")[2] for column in TemplateView(Editor(template)).columns}
    assert {label: classes[label] for label in ("扣款", "入职日期", "件数")} == {
        "扣款": "BigDecimal",
        "入职日期": "Date",
        "件数": "Integer",
    }
    assert "$V{REPORT_COUNT}" in template.decode()


async def test_changing_a_formula_updates_its_totals(engine: ReportEngine) -> None:
    template, data = await wages("实发工资改成 基本工资+奖金*2")
    assert "实发工资" in columns(template)
    rows: list[Any] = data.rows
    net = sum(row["salary"] + row["bonus"] * 2 for row in rows)
    assert f"{net:,.2f}" in printed(engine, template, data)


async def test_a_new_column_is_empty_until_its_values_are_known(engine: ReportEngine) -> None:
    template, data = await wages("最后加一列备注")
    assert {row["remark"] for row in data.rows} == {None}
    assert not any(text.startswith("备注 ") for text in printed(engine, template, data))


async def test_a_removed_column_leaves_nothing_behind(engine: ReportEngine) -> None:
    template, *_ = await talked(SALES, "add a column weight", "delete the weight column")
    assert b"weight" not in template


async def test_a_format_applies_to_the_totals_of_a_column_too(engine: ReportEngine) -> None:
    template, data, _ = await talked(SALES, "amount without decimals")
    texts = printed(engine, template, data)
    assert "." not in texts[texts.index("Total") + 1]


async def test_a_request_after_new_wording_is_not_part_of_it() -> None:
    template, *_ = await talked(SALES, "rename the title to March sales and make it 30pt")
    title = TemplateView(Editor(template)).title
    assert title and (title.words, title.size) == ("March sales", 30.0)


@pytest.mark.parametrize("request_", ["取消按部门分组", "删除分组", "不要分组了", "ungroup", "remove the grouping"])
async def test_a_group_is_removed_with_its_totals_and_sorting(engine: ReportEngine, request_: str) -> None:
    template, data = await wages(request_)
    assert not {b"<group ", b"sortField", b"resetGroup"} & set(template.split())
    assert complaints(template) == set() and b"groupHeader" not in template
    texts = printed(engine, template, data)
    assert "小计" not in texts and "合计" in texts
    *_, said = await talked(SALES, "ungroup")
    assert "not grouped" in said


@pytest.mark.parametrize(
    ("request_", "java"),
    [
        ("加一列税后=(基本工资+奖金)×0.9", 'multiply(new BigDecimal("0.9"))'),
        ("加一列年薪，等于(基本工资+奖金)*12", 'multiply(new BigDecimal("12"))'),
        ("加一列扣款=实发工资*5%，在奖金后面", "$V{net_pay}.multiply("),
    ],
)
async def test_formulas_take_brackets_computed_columns_and_positions(engine: ReportEngine, request_: str, java: str):
    template, data = await wages(request_)
    assert java in template.decode() and printed(engine, template, data)


async def test_a_formula_with_an_unknown_column_adds_none() -> None:
    after = await turn(born(WAGES), "加一列毛利率，等于(奖金-成本)/奖金", language="zh")
    assert not after.event.changed and "成本" in after.event.summary


@pytest.mark.parametrize(
    ("request_", "calculation"),
    [("合计奖金", None), ("加上平均奖金", "Average"), ("显示最大奖金", "Highest"), ("加一行平均值", "Average")],
)
async def test_totals_by_words_in_either_order(request_: str, calculation: str | None) -> None:
    report = born(WAGES)
    after = await turn((report[0], report[1]), request_, language="zh")
    if calculation is None:
        assert "已经有" in after.event.summary
    else:
        assert f'calculation="{calculation}"' in after.template.decode()


async def test_a_name_that_begins_like_a_keyword_is_a_name() -> None:
    invoice = "invoice with item, quantity, price, line total (quantity x price), tax total"
    template, *_ = await talked(invoice, "delete the line total column")
    assert "Line total" not in columns(template) and "Tax total" in columns(template)
    template, _, said = await talked(invoice, "delete the line total column", "sort by line total")
    assert "line total" in said and "Tax total" in columns(template)


async def test_the_footer_gets_the_requested_text() -> None:
    template, *_ = await talked(SALES, "change the footer to “Thank you”", "change the footer to “Good bye”")
    words = [piece.words for piece in TemplateView(Editor(template)).footer if piece.tag == "staticText"]
    assert words == ["Good bye"]


async def test_a_light_highlight_is_a_background(engine: ReportEngine) -> None:
    template, data, _ = await talked(SALES, "highlight rows where amount is over 1000 in yellow")
    assert b'backcolor="#FFFF00"' in template and b'forecolor="#FFFF00"' not in template
    assert complaints(template) == set() and printed(engine, template, data)


async def test_a_text_colour_that_is_illegible_is_not_applied() -> None:
    template, *_ = await talked(SALES, "make amount bold and blue")
    view = TemplateView(Editor(template))
    column = next(one for one in view.columns if one.label == "Amount")
    assert column.head and column.head.node.find("{*}reportElement").get("forecolor") == "#FFFFFF"
    assert column.cells[0].node.find("{*}reportElement").get("forecolor") == "#0000FF"


@pytest.mark.parametrize("request_", ["在标题下面加上打印日期", "右上角加公司名称“星河贸易有限公司”"])
async def test_an_element_added_beside_the_title_is_not_the_title(engine: ReportEngine, request_: str) -> None:
    template, data = await wages(request_)
    view = TemplateView(Editor(template))
    added = [piece for piece in view.in_sections("title") if piece.key in ("print_date", "header_text")]
    assert [piece.size for piece in added] == [10.0]
    assert view.title and view.title.key == "title" and printed(engine, template, data)


async def test_a_total_is_described_with_the_format_of_its_column() -> None:
    *_, said = await talked(SALES, "amount with 1 decimal")
    assert said == "Set the format of “Amount” and the total of Amount to #,##0.0."


def test_shares_and_final_totals_are_not_columns() -> None:
    spec = spec_of("invoice with item, amount, VAT 20% of amount", "en")
    vat = spec.columns[-1]
    assert vat.label == "VAT" and vat.computed and vat.computed.operands == ["Amount", "0.2"]
    spec = spec_of("做销售表，列有日期、门店、金额，按门店分组，组内按日期排序，金额合计", "zh")
    assert [column.label for column in spec.columns] == ["日期", "门店", "金额"]
    assert [sort.column for sort in spec.sort] == ["日期"] and spec.columns[-1].total == "sum"


async def test_clauses_after_new_wording_are_clauses() -> None:
    asked = "标题改成“2026年工资”，横向，奖金大于500标红，页脚写“内部资料”，每个部门的平均奖金"
    after = await turn(born(WAGES), asked, language="zh")
    view = TemplateView(Editor(after.template))
    assert view.title and view.title.words == "2026年工资" and view.page == (842, 595)
    assert b"highlight_bonus" in after.template and "内部资料" in after.template.decode()
    assert b'calculation="Average"' in after.template
    after = await turn(born(SALES), "rename customer to Client, bold")
    assert "Client" in [column.label for column in TemplateView(Editor(after.template)).columns]


async def test_rows_are_sorted_by_two_columns(engine: ReportEngine) -> None:
    for asked in ("sort by customer, then by amount descending", "sort by customer and quantity"):
        template, *_ = await talked(SALES, asked)
        order = [node.get("name") for node in Editor(template).root.iterchildren("{*}sortField")]
        assert order in (["customer", "amount"], ["customer", "quantity"])


@pytest.mark.parametrize("request_", ["margins 1 inch", "page margins 2 cm", "left margin 100", "页边距设为20毫米"])
async def test_the_columns_follow_the_margins(engine: ReportEngine, request_: str) -> None:
    template, data, said = await talked(SALES, "landscape", request_)
    view = TemplateView(Editor(template))
    ends = [(piece.x, piece.x + piece.width) for piece in view.in_sections("detail")]
    assert (min(left for left, _ in ends), max(right for _, right in ends)) == (0, view.width)
    assert complaints(template) == set() and printed(engine, template, data)
    assert "margin" in said


@pytest.mark.parametrize(
    ("request_", "order"),
    [
        ("add column notes between customer and quantity", ["Customer", "notes", "Quantity", "Price", "Amount"]),
        ("add a column margin = amount * 0.3 at the end", ["Customer", "Quantity", "Price", "Amount", "margin"]),
        ("make the customer column come last", ["Quantity", "Price", "Amount", "Customer"]),
    ],
)
async def test_a_position_can_be_given_in_many_ways(request_: str, order: list[str]) -> None:
    template, *_ = await talked(SALES, request_)
    assert columns(template) == order


async def test_columns_get_equal_widths() -> None:
    template, *_ = await talked(SALES, "make all columns equally wide")
    widths = [column.width for column in TemplateView(Editor(template)).columns]
    assert max(widths) - min(widths) <= 2


@pytest.mark.parametrize(
    ("request_", "language"),
    [
        ("delete columns 1 and 2", "en"),
        ("make the title larger", "en"),
        ("add a column price = amount * 2", "en"),
        ("加一列金额=数量×单价", "zh"),
        ("把金额标红", "zh"),
    ],
)
def test_a_change_request_without_a_report_is_rejected(request_: str, language: Language) -> None:
    with pytest.raises(TerminalError) as refused:
        spec_of(request_, language)
    assert "no report to change" in refused.value.message and "还没有" in refused.value.message_zh


async def test_a_request_after_subtotals_is_carried_out_too() -> None:
    template, *_ = await talked(SALES, "group by customer with subtotals and landscape")
    assert TemplateView(Editor(template)).page == (842, 595) and b"quantity_sum_customer" in template


async def test_a_column_that_cannot_grow_is_reported() -> None:
    *_, said = await talked(
        SALES, "A5 paper", "make customer much wider", "amount column 500 wide", "amount column 900 wide"
    )
    assert "room" in said or "wide" in said


@pytest.mark.parametrize(
    ("request_", "pattern"), [("price with $ sign and 3 decimals", "$#,##0.000"), ("amount in euros", "€#,##0.00")]
)
async def test_currency_signs_and_decimals(request_: str, pattern: str) -> None:
    template, *_ = await talked(SALES, request_)
    assert f'pattern="{pattern}"' in template.decode()
