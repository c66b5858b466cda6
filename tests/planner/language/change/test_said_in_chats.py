"""Wishes as people type them into a chat: what they change, and near misses that change nothing or something else."""

from __future__ import annotations

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add import Add
from tests.each_case import each

from .templates import ALL


def read(form: str, request: str) -> RequestReading:
    template, data = ALL[form]()
    return read_request(request, TemplateView(Editor(template), data))


def looks(edits: list[AnyEdit]) -> set[tuple[str, str, str]]:
    return {(edit.element, edit.name, str(edit.value)) for edit in edits if edit.do == "set"}  # type: ignore[attr-defined]


@each(
    "form, request_",
    [
        ("slip", "单位这一列拿掉，省下的宽度给品名"),
        ("slip", "单位列删掉，多出来的地方留给品名"),
        ("slip", "单位列不要了，空出来的空间全给品名那列"),
        ("sales", "remove the Date column and let Item have the extra room"),
        ("sales", "drop the Date column. The space it frees should go to Item"),
        ("sales", "drop the Date column and give what it saves to Item"),
    ],
)
def test_freed_width_of_a_column_goes_to_the_one_that_is_named(form: str, request_: str):
    removed, resized = read(form, request_).edits
    assert (removed.do, resized.do, resized.width) == ("delete_column", "resize_column", 1)  # type: ignore[attr-defined]
    assert resized.other == ("product" if form == "slip" else "item")  # type: ignore[attr-defined]


@each(
    "form, request_",
    [
        ("slip", "单位列拿掉，省下的宽度别给品名"),
        ("slip", "单位列拿掉，省下的宽度给谁？"),
        ("sales", "drop the Date column, but don't give the space to Item"),
        ("sales", "drop the Date column. Should the freed space go to Item"),
    ],
)
def test_width_that_is_not_to_go_to_a_column_or_is_asked_about_is_named(form: str, request_: str):
    reading = read(form, request_)
    assert [edit.do for edit in reading.edits] == ["delete_column"]
    assert reading.unread or reading.refusals


@each(
    "form, request_",
    [
        ("sales", "grey background behind the table headings"),
        ("sales", "put a grey shading behind the table headings please"),
        ("sales", "i want a grey fill under the headings"),
        ("slip", "表头灰底"),
        ("slip", "铺个灰色的底在表头后面"),
    ],
)
def test_colour_goes_behind_the_headings(form: str, request_: str):
    reading = read(form, request_)
    assert {value for _, name, value in looks(reading.edits) if name == "backcolor"} == {"#808080"}
    assert not reading.unread and not reading.refusals


@each(
    "request_, shade",
    [("表头浅灰底", "#D3D3D3"), ("表头浅蓝底", "#ADD8E6"), ("标题淡蓝", "#ADD8E6"), ("标题浅了，改成蓝色", "#0000FF")],
)
def test_light_shade_is_not_read_as_a_complaint_about_a_pale_text(request_: str, shade: str):
    assert {value for _, name, value in looks(read("slip", request_).edits) if name.endswith("color")} == {shade}


@each(
    "form, request_",
    [
        ("slip", "标题底色换成浅绿吧，蓝的不好看"),
        ("slip", "标题底色换成浅绿，现在的蓝色打出来发花"),
        ("sales", "light green background behind the title, the blue looks ugly"),
        ("sales", "move the period below the title, it gets overlooked down there"),
    ],
)
def test_what_is_wrong_with_the_look_so_far_is_a_reason(form: str, request_: str):
    reading = read(form, request_)
    assert reading.edits and reading.passed_over and not reading.unread


@each(
    "form, request_, keys",
    [
        ("slip", "单价加粗，金额也要", {"d_price", "h_price", "d_amount", "h_amount"}),
        ("slip", "合计加粗，日期也一样", {"total_label", "total", "date"}),
        ("sales", "Item bold and the same for Customer", {"d_item", "h_item", "d_customer", "h_customer"}),
        ("sales", "Item bold, Internal use only as well", {"d_item", "h_item", "note"}),
        ("sales", "Item bold, the heading as well, Internal use only too", {"d_item", "h_item", "note"}),
    ],
)
def test_look_is_repeated_for_what_is_named_too(form: str, request_: str, keys: set[str]):
    reading = read(form, request_)
    assert {key for key, _, _ in looks(reading.edits)} == keys
    assert not reading.unread and not reading.refusals


@each(
    "form, request_",
    [
        ("sales", "Item bold, Customer"),
        ("sales", "make the title bigger, Internal use only too"),
        ("sales", "delete the logo, Internal use only too"),
        ("slip", "标题再大一点，日期也一样"),
    ],
)
def test_nothing_is_repeated_that_was_not_said_or_has_no_value_of_its_own(form: str, request_: str):
    reading = read(form, request_)
    assert not any(key in ("note", "date") or "customer" in key for key, _, _ in looks(reading.edits))
    assert reading.unread or reading.refusals or not looks(reading.edits)


@each("form, request_", [("slip", "单价加粗，金额不要"), ("sales", "Item bold, Amount not")])
def test_look_that_something_else_is_not_to_have_removes_nothing(form: str, request_: str):
    assert {edit.do for edit in read(form, request_).edits} == {"set"}


def test_second_column_that_is_not_wanted_goes_with_the_first():
    assert [edit.do for edit in read("slip", "单价列不要，备注不要").edits] == ["delete_column", "delete_column"]


@each(
    "form, request_",
    [
        ("sales", "rename Sales report to Receipt, keep the colour"),
        ("sales", "rename Sales report to Receipt, the size stays as it is"),
        ("sales", "rename Sales report to Receipt, in the same font"),
        ("slip", "销售单改成送货单，字体颜色不动"),
        ("slip", "销售单改成送货单，字号跟原来一样"),
        ("slip", "标题加粗，位置不变"),
    ],
)
def test_part_of_the_look_that_stays_asks_for_nothing(form: str, request_: str):
    reading = read(form, request_)
    assert len(reading.edits) == 1 and not reading.unread


@each(
    "form, request_",
    [("sales", "the title in red, keep the colour"), ("slip", "标题放大，字号不变"), ("slip", "颜色不动")],
)
def test_look_that_stays_and_changes_is_named(form: str, request_: str):
    assert read(form, request_).unread


@each(
    "form, request_, element, colour",
    [
        ("slip", "标题用公司名的颜色", "title", "#000000"),
        ("slip", "标题的颜色跟日期一样", "title", "#000000"),
        ("sales", "make the title the same colour as Internal use only", "title", "#000000"),
        ("sales", "Internal use only should have the same colour as the period", "note", "#000000"),
    ],
)
def test_letters_take_the_colour_of_another_text(form: str, request_: str, element: str, colour: str):
    assert looks(read(form, request_).edits) == {(element, "forecolor", colour)}


@each(
    "form, request_, moved",
    [
        ("sales", "Put Internal use only between the period and the table", "note"),
        ("sales", "Internal use only should stand in between the period and the table", "note"),
        ("slip", "客户签收放到客户名称和表格之间", "sign"),
    ],
)
def test_text_goes_between_a_text_and_the_table_below_it(form: str, request_: str, moved: str):
    edits = read(form, request_).edits
    assert {edit.element: edit.band for edit in edits if edit.do == "move"}[moved] == "title"  # type: ignore[attr-defined]


@each(
    "form, request_",
    [
        ("sales", "put Internal use only between the table and the period"),
        ("slip", "别把签收放到客户名称和表之间"),
    ],
)
def test_nothing_goes_between_what_does_not_follow(form: str, request_: str):
    assert not read(form, request_).edits


@each(
    "form, request_, moved, x",
    [
        ("slip", "日期的左边跟合计对齐", "date", 520),
        ("slip", "合计加粗，左边跟日期对齐", "total_label", 600),
    ],
)
def test_edge_comes_to_stand_in_line_with_another_text(form: str, request_: str, moved: str, x: int):
    reading = read(form, request_)
    places = {edit.element: edit.x for edit in reading.edits if edit.do == "move"}  # type: ignore[attr-defined]
    assert places.get(moved) == x or reading.refusals


@each(
    "form, request_",
    [("slip", "日期的左边不要跟合计对齐"), ("leave", "does the left edge of Approved by line up with Name")],
)
def test_edge_that_is_not_to_move_or_is_asked_about_stays(form: str, request_: str):
    assert not read(form, request_).edits


@each(
    "form, request_",
    [
        ("sales", "add a column Break between Item and Quantity, half an hour on every day"),
        ("sales", "add a column Break after Item with 0.5 in each row"),
        ("slip", "品名后面加一列休息，每天都是半小时"),
        ("slip", "品名后面加一列休息，每行填0.5"),
    ],
)
def test_new_column_has_the_same_number_in_each_row(form: str, request_: str):
    (edit,) = read(form, request_).edits
    assert (edit.do, edit.expression, edit.pattern) == ("add_column", 'new java.math.BigDecimal("0.5")', "#,##0.0")  # type: ignore[attr-defined]


@each(
    "request_",
    ["add a column Break after Item, half an hour on Mondays", "add a column Break after Item, some rows 0.5"],
)
def test_number_that_only_some_rows_have_is_named(request_: str):
    assert read("sales", request_).unread


@each(
    "request_",
    [
        "write Total sales where it now says Sales report",
        "where the page says Sales report now, it should read Total sales",
        "use 'Total sales' where the report currently reads Sales report",
    ],
)
def test_words_are_replaced_where_the_page_reads_so_now(request_: str):
    (edit,) = read("sales", request_).edits
    assert (edit.do, edit.text) == ("text", "Total sales")  # type: ignore[attr-defined]


def test_words_that_stand_nowhere_are_named():
    reading = read("sales", "write Total sales where it now says Checked by")
    assert not reading.edits and reading.refusals


@each(
    "form, request_",
    [
        ("slip", "备注里写了字的那行，底色弄成浅黄"),
        ("slip", "把备注栏有内容的行标成浅黄"),
        ("slip", "备注不为空的整行用浅黄底色"),
        ("slip", "rows with a 备注 in light yellow"),
        ("slip", "shade the rows where the 备注 is not empty light yellow"),
    ],
)
def test_rows_in_which_something_is_written_get_a_colour(form: str, request_: str):
    (edit,) = read(form, request_).edits
    assert (edit.do, edit.field, edit.comparison, edit.value, edit.row) == ("highlight", "remark", "!=", "", True)  # type: ignore[attr-defined]


@each(
    "request_",
    [
        "备注没写字的那行，底色弄成浅黄",
        "备注里写了字的那行删掉",
        "金额有内容的行标成浅蓝",
        "rows without a 备注, make it yellow",
    ],
)
def test_other_rows_are_not_coloured_and_neither_is_the_column(request_: str):
    reading = read("slip", request_)
    assert not reading.edits and reading.unread


@each(
    "form, request_, label, anchor",
    [
        ("slip", "客户名称那行下面加个司机电话，留空横线，手写用", "司机电话：", "customer"),
        ("slip", "在日期下面加一行 Date: ，后面留一条横线手写", "Date:", "date"),
        ("sales", "add a driver name below the period, with a line to write on", "driver name:", "period_label"),
        ("sales", "below the period, add Deposit with a blank line to fill in", "Deposit:", "period_label"),
    ],
)
def test_label_below_a_text_gets_a_line_to_write_on(form: str, request_: str, label: str, anchor: str):
    reading = read(form, request_)
    (added,) = [edit for edit in reading.edits if edit.do == "add"]
    (line,) = [edit for edit in reading.edits if edit.do == "add_shape"]
    assert (added.text, added.like) == (label, anchor) and not reading.unread  # type: ignore[attr-defined]
    assert line.x == added.x + added.width + 2 and line.y == added.y + added.height - 1  # type: ignore[attr-defined]


@each(
    "request_",
    ["客户名称下面别加司机电话，留空横线", "客户名称下面加个司机电话，不要横线", "客户名称下面加个图片，留空横线"],
)
def test_label_that_is_not_wanted_or_has_no_line_is_not_added(request_: str):
    reading = read("slip", request_)
    assert not any(edit.do in ("add", "delete") for edit in reading.edits) and reading.unread


@each(
    "request_, text",
    [
        ("说明第2条的七个工作日改为三个工作日", "2. 质量异议请于收货后三个工作日内提出。"),
        ("第2条里的七个工作日改成三个工作日", "2. 质量异议请于收货后三个工作日内提出。"),
        ("change 七个 to 三个 in point 2", "2. 质量异议请于收货后三个工作日内提出。"),
        ("说明第1条的七个工作日改为三个工作日", ""),
        ("说明第2条改为粗体", ""),
    ],
)
def test_words_of_a_numbered_remark_are_replaced(request_: str, text: str):
    template, data = ALL["slip"]()
    editor = Editor(template)
    remarks = ("说明：", "1. 请当面清点数量。", "2. 质量异议请于收货后七个工作日内提出。")
    editor.carry_out([
        Add(key=f"remark_{n}", band="summary", text=words, x=0, y=62 + 16 * n, width=300, height=14)
        for n, words in enumerate(remarks)
    ])  # fmt: skip
    edits = read_request(request_, TemplateView(editor, data)).edits
    assert [edit.text for edit in edits if edit.do == "text"] == ([text] if text else [])  # type: ignore[attr-defined]


@each(
    "form, request_, between",
    [
        ("leave", "page numbers at the bottom in the middle, just 1 / 1", "/"),
        ("leave", "page numbers bottom right, like 1 of 3", "of"),
        ("sales", "change the page number to 1/5", "/"),
        ("slip", "页码改成1/3", "/"),
    ],
)
def test_page_numbers_are_printed_without_words_where_the_example_has_none(form: str, request_: str, between: str):
    reading = read(form, request_)
    number, count = [edit.expression for edit in reading.edits if isinstance(edit, Add)]
    assert number == f'$V{{PAGE_NUMBER}} + " {between}"'
    assert count == '" " + $V{PAGE_NUMBER}'
    assert not reading.unread
