"""Plain wishes of offices: what they change, and what they must leave alone."""

from __future__ import annotations

import re

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_signatures import AddSignatures
from bandsmith.shared.edits.add_tax import AddTax
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.base import Row
from bandsmith.shared.edits.highlight import Highlight
from bandsmith.shared.edits.set_borders import SetBorders
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_parameters import SetParameters
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.edits.sort_by import SortBy
from tests.generator.test_worded import born

from .templates import ALL


def read(name: str, request: str) -> RequestReading:
    template, data = ALL[name]()
    return read_request(request, TemplateView(Editor(template), data))


def test_column_whose_computation_was_not_read_is_not_made_up():
    reading = read("slip", "单价后面加一列优惠价，按老客户的老规矩算")

    assert reading.edits == []
    assert "优惠价" in reading.refusals[0].zh


def test_date_that_is_kept_as_text_is_printed_in_another_way():
    (edit,) = read("slip", "日期格式改成2026年3月18日这种").edits

    assert isinstance(edit, SetExpression)
    assert edit.expression.endswith('$P{date}.replaceAll("^(\\\\d{4})-0?(\\\\d{1,2})-0?(\\\\d{1,2})$", "$1年$2月$3日")')


def test_date_without_zeros_gets_them_where_the_new_form_has_them():
    template, data = ALL["slip"]()
    data = data.model_copy(update={"parameters": {**data.parameters, "date": "2026年4月7日"}})
    (edit,) = read_request("日期改成2026-04-07这种写法", TemplateView(Editor(template), data)).edits

    assert isinstance(edit, SetExpression)
    day = "2026年4月7日"
    for regex, new in re.findall(r'\.replaceAll\("([^"]+)", "([^"]+)"\)', edit.expression):
        day = re.sub(regex.replace("\\\\", "\\"), re.sub(r"\$(\d)", r"\\g<\1>", new), day)
    assert day == "2026-04-07"


def test_date_pattern_without_a_name_is_for_every_date():
    (edit,) = read("leave", "date format dd/mm/yyyy please, all of them").edits

    assert isinstance(edit, SetExpression)
    assert edit.expression.endswith('"$3/$2/$1")')


def test_signatures_stand_on_the_side_that_is_named():
    (edit,) = read("sales", "add a signature line bottom right: Received by and Date").edits

    assert isinstance(edit, AddSignatures)
    assert (edit.labels, edit.side) == (["Received by", "Date"], "right")


@pytest.mark.parametrize("request_", ["heavier outer border round the table, 2 pt", "frame around the table 2 pt"])
def test_frame_has_the_width_that_is_named(request_: str):
    (edit,) = read("sales", request_).edits

    assert isinstance(edit, SetBorders)
    assert (edit.lines, edit.width) == ("outside", 2.0)


@pytest.mark.parametrize(
    ("name", "request_"),
    [
        ("slip", "单价和金额都保留两位小数，带千分位"),
        ("sales", "price and amount bold, with a thousands separator"),
    ],
)
def test_format_without_a_name_is_that_of_what_was_named_before(name: str, request_: str):
    edits = read(name, request_).edits
    formatted = {
        str(getattr(edit, "field", None) or getattr(edit, "element", "")) for edit in edits if edit.do == "format"
    }
    assert formatted and not any("quantity" in one for one in formatted)


def test_format_for_everything_goes_beyond_what_was_named_before():
    fields = [
        getattr(edit, "field", "") for edit in read("sales", "amount bold, thousands separators everywhere").edits
    ]
    assert {"quantity", "unit_price", "amount"} <= set(fields)


@pytest.mark.parametrize("look", ["bigger, 14 pt or so", "14 pt", "red", "bold and 12 pt"])
def test_look_is_no_new_value_of_a_label(look: str):
    assert not any(edit.do == "set_parameters" for edit in read("slip", f"the No. should be {look}").edits)


def test_total_of_several_columns_is_one_line():
    template, data = born("小票，明细是品名、数量、金额，合计")
    edits = read_request("合计放大", TemplateView(Editor(template), data)).edits
    assert {getattr(edit, "element", "") for edit in edits} == {
        "total_label_sum",
        "total_sum_quantity",
        "total_sum_amount",
    }


def test_two_columns_change_places():
    (edit,) = read("slip", "数量和单价两列换个位置").edits

    assert edit.do == "move_column"


@pytest.mark.parametrize(
    ("name", "request_", "column"),
    [
        ("sales", "biggest amounts first please", "amount"),
        ("sales", "with the highest quantity at the top", "quantity"),
        ("slip", "金额大的排前面", "amount"),
    ],
)
def test_what_comes_first_sorts_the_rows(name: str, request_: str, column: str):
    (edit,) = read(name, request_).edits
    assert edit == SortBy(field=column, descending=True)


@pytest.mark.parametrize(
    ("name", "request_", "is_row"),
    [
        ("slip", "数量少于10的标个黄底", False), ("slip", "数量不到10的整行底色变黄", True),
        ("sales", "quantity below 10 with a yellow background", False),
    ],
)  # fmt: skip
def test_cells_are_filled_where_a_condition_holds(name: str, request_: str, is_row: bool):
    (edit,) = read(name, request_).edits
    assert isinstance(edit, Highlight)
    assert (edit.colour, edit.background, edit.row, edit.comparison) == ("#FFFF00", True, is_row, "<")


@pytest.mark.parametrize("request_", ["amounts below 100 should stand out in red", "any amount below 100 shoud be red"])
def test_values_that_should_stand_out_are_highlighted(request_: str):
    (edit,) = read("sales", request_).edits
    assert isinstance(edit, Highlight)
    assert (edit.colour, edit.background, edit.value) == ("#FF0000", None, "100")


@pytest.mark.parametrize("request_", ["数量能不能加个合计？", "合计那一行把数量也合计一下"])
def test_total_that_is_asked_for_in_passing_is_added(request_: str):
    assert read("slip", request_).edits == [AddTotal(field="quantity")]


@pytest.mark.parametrize("request_", ["日期改成2026年7月31日", "日期那里改成2026年7月31日"])
def test_another_date_is_no_format(request_: str):
    reading = read("slip", request_)
    assert not any(edit.do in ("format", "expression") for edit in reading.edits)


@pytest.mark.parametrize(
    ("name", "request_"),
    [
        ("sales", "delete the customer column, we don't sell by customer any more"),
        ("slip", "把备注列删掉，空着看着别扭"),
    ],
)
def test_reason_for_a_change_is_no_request(name: str, request_: str):
    reading = read(name, request_)
    assert len(reading.edits) == 1 and reading.unread == []


@pytest.mark.parametrize(
    "request_", ["delete the customer column, we don't want decimals there", "title bold, we never print the date"]
)
def test_wish_that_sounds_like_a_reason_is_not_dropped(request_: str):
    reading = read("sales", request_)
    assert reading.unread or reading.refusals or len(reading.edits) > 1


def test_new_column_is_not_named_by_the_place_that_was_torn_off():
    reading = read("sales", "add a column for the unit between customer and qty (days, pcs)")
    assert reading.edits == [] and reading.unread


@pytest.mark.parametrize(
    ("request_text", "values"),
    [
        ("the department is Printing now, not Bindery", {"department": "Printing"}),
        ("her office is Printing now, not Bindery", {"department": "Printing"}),
        ("Department从Bindery改成Printing", {"department": "Printing"}),
        ("the from date is 2026-09-01 from now on", {"from_date": "2026-09-01"}),
    ],
)
def test_a_value_takes_the_place_of_the_one_that_is_said_to_be_old(request_text: str, values: Row):
    assert read("leave", request_text).edits == [SetParameters(values=values)]


def test_a_value_that_is_printed_with_its_label_takes_the_place_of_the_old_one():
    reading = read("slip", "客户名称是新海机电，不是宏达机电")
    assert reading.edits == [SetParameters(values={"customer": "新海机电"})] and not reading.unread


@pytest.mark.parametrize(
    "request_text", ["the reason is Printing now, not Bindery", "the department is Printing now, not Accounts"]
)
def test_a_value_that_is_not_the_old_one_stays(request_text: str):
    assert read("leave", request_text).edits == []


@pytest.mark.parametrize("request_text", ["bring it back", "客户是中国公司"])
def test_a_part_of_a_sentence_is_no_name_of_something_missing(request_text: str):
    reading = read("sales", f"delete {request_text}") if request_text.isascii() else read("slip", f"{request_text}居中")
    assert not reading.edits and not reading.refusals and reading.unread


def edits_of(form: str, request: str) -> list[dict[str, object]]:
    reading = read(form, request)
    assert not reading.unread and not reading.refusals
    return [edit.model_dump(exclude_defaults=True) for edit in reading.edits]


@pytest.mark.parametrize(
    ("form", "request_", "edit"),
    [
        ("sales", "change March 2026 to April 2026", {"values": {"period": "April 2026"}}),
        ("slip", "把宏达机电改成宏发公司", {"values": {"customer": "宏发公司"}}),
        ("slip", "冲击钻头换成电锤钻头", {"values": {"product": "电锤钻头"}, "where": {"product": "冲击钻头"}}),
    ],
)
def test_a_value_that_is_printed_once_may_be_named_by_itself(form: str, request_: str, edit: dict[str, object]):
    assert edits_of(form, request_) == [edit]


@pytest.mark.parametrize("request_", ["把单价改成含税单价", "change Internal use only to For customers"])
def test_a_label_is_renamed_whatever_the_values_are(request_: str):
    (edit,) = edits_of("slip" if "单价" in request_ else "sales", request_)
    assert set(edit) == {"element", "text"}


@pytest.mark.parametrize(
    ("form", "request_", "field", "value"),
    [
        ("slip", "只显示金额大于500的", "amount", "500"),
        ("sales", "show only lines over 300", "amount", "300"),
        ("sales", "only items above 1,000", "amount", "1000"),
    ],
)
def test_rows_over_an_amount_are_those_of_the_only_amounts(form: str, request_: str, field: str, value: str):
    assert edits_of(form, request_) == [{"field": field, "comparison": ">", "value": value}]


@pytest.mark.parametrize(("form", "request_"), [("sales", "make the header row taller"), ("slip", "表头高一点")])
def test_the_header_gets_higher_with_its_cells(form: str, request_: str):
    band, *cells = edits_of(form, request_)
    assert band["band"] == "columnHeader"
    assert {cell["height"] for cell in cells} == {band["height"]}


@pytest.mark.parametrize(
    ("form", "request_"),
    [
        ("sales", "remove the background of the header"),
        ("sales", "the header should not have a background"),
        ("slip", "表头的底色去掉"),
    ],
)
def test_a_background_that_is_removed_is_white(form: str, request_: str):
    assert {edit["value"] for edit in edits_of(form, request_) if edit["name"] == "backcolor"} == {"#FFFFFF"}


def test_a_size_may_have_its_reason_before_it():
    sizes = edits_of("sales", "the title is too big, make it 14 pt")
    assert sizes == [{"element": "title", "name": "fontSize", "value": "14"}]


def test_a_column_is_renamed_and_changed_in_one_sentence():
    renamed, widened = edits_of("sales", "rename the Amount column Total and make it wider")
    assert renamed == {"element": "h_amount", "text": "Total"}
    assert widened["field"] == "amount"


@pytest.mark.parametrize(
    ("form", "request_", "other"),
    [("sales", "put the page number on the left", "Internal use only"), ("slip", "把日期放到左边", "客户名称")],
)
def test_what_would_cover_another_text_is_not_moved(form: str, request_: str, other: str):
    reading = read(form, request_)
    assert not reading.edits and not reading.unread
    assert other in reading.refusals[0].en


def test_a_text_is_centred_where_its_writing_has_room():
    moved = [edit for edit in edits_of("sales", "centre the period") if "x" in edit]
    assert [edit["element"] for edit in moved] == ["period_label", "period"]


@pytest.mark.parametrize("request_", ["remove VAT", "delete the VAT line"])
def test_a_tax_that_is_removed_is_not_in_the_grand_total_either(request_: str):
    template, data = ALL["sales"]()
    editor = Editor(template)
    editor.carry_out([AddTax(field="amount", rate="20", name="VAT")])
    reading = read_request(request_, TemplateView(editor, data))
    assert reading.edits[0] == AddTax(field="amount", rate="0")
    assert {edit.do for edit in reading.edits[1:]} == {"delete"}


def test_what_is_due_stays_as_it_is_where_the_sum_before_tax_is_removed_with_the_tax():
    template, data = ALL["sales"]()
    editor = Editor(template)
    editor.carry_out([AddTax(field="amount", rate="20", name="VAT")])
    reading = read_request("remove the Subtotal and VAT lines", TemplateView(editor, data))
    assert not reading.unread and {edit.do for edit in reading.edits} == {"delete"}


@pytest.mark.parametrize("request_", ["move the department to the right a bit", "put the department below the reason"])
def test_a_label_is_moved_with_its_value(request_: str):
    moved = {str(edit["element"]) for edit in edits_of("leave", request_) if "x" in edit}
    assert {"department_label", "department"} <= moved


@pytest.mark.parametrize("request_", ["number the pages", "please number all pages at the bottom right"])
def test_pages_are_numbered_where_they_were_not(request_: str):
    (edit, *_) = edits_of("leave", request_)
    assert edit["key"] == "page_number"


def test_a_quotation_stands_instead_of_what_is_named():
    assert edits_of("sales", "write “Overview” instead of “Sales report”") == [{"element": "title", "text": "Overview"}]


@pytest.mark.parametrize(
    ("request_", "size"),
    [
        ("make the title twice as big", "36"),
        ("make the title half as big", "9"),
        ("make the title double the size", "36"),
    ],
)
def test_a_size_is_multiplied_as_it_is_said(request_: str, size: str):
    assert edits_of("sales", request_) == [{"element": "title", "name": "fontSize", "value": size}]


@pytest.mark.parametrize(
    ("request_text", "labels", "side"),
    [
        ("signature line for the driver at the bottom", ["Driver"], None),
        ("signature lines for driver and clerk side by side at the bottom", ["Driver", "Clerk"], None),
        ("add a place where the customer can sign", ["Customer"], None),
        ("we need a line at the bottom for the driver to sign", ["Driver"], None),
        ("右下角留个盘点人签字的地方", ["盘点人"], "right"),
        ("最后面右下给盘点人和复核人各留一个签字的位置", ["盘点人", "复核人"], "right"),
        ("底下留个主管签字的位置", ["主管"], None),
    ],
)
def test_place_to_sign_is_a_line_with_the_name_of_who_signs(request_text: str, labels: list[str], side: str | None):
    reading = read("slip", request_text)
    (edit,) = reading.edits

    assert isinstance(edit, AddSignatures)
    assert (edit.labels, edit.side, reading.unread) == (labels, side, [])


def test_number_of_lines_to_sign_is_no_label():
    assert read("slip", "最下面加两个签字栏，员工和主管").edits == []


@pytest.mark.parametrize(
    "request_", ["左下角那句“三日内”改成“七日内”", "左下角的“三日内”改成“七日内”", "把“三日内”改成“七日内”"]
)
def test_quoted_words_of_a_sentence_are_replaced_and_the_sentence_stays(request_: str):
    (edit,) = read("slip", request_).edits

    assert isinstance(edit, SetText)
    assert edit.text == "货物如有问题，请于七日内联系。"
