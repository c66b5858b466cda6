"""Sentences that go on with the change before: correct it, repeat it, take it further, take a part of it back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bandsmith.services.planner.language.change.conversation import PastChange
from bandsmith.services.planner.language.change.follow_up import read_follow_up
from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.session_parts import Version
from tests.each_case import each

from .templates import ALL

REF = Ref(key="0" * 64, media="application/xml", size=1)


def said(form: str, *requests: str) -> RequestReading | None:
    """Return what the last of several requests is read as, after the others were carried out."""
    template, data = ALL[form]()
    past: list[PastChange] = []
    for number, request in enumerate(requests[:-1], 1):
        edits = read_request(request, TemplateView(Editor(template), data)).edits
        version = Version(
            number=number, template=REF, data=REF, author="x", time=datetime(2026, 1, 1, tzinfo=UTC),
            edits=REF if past else None,
        )  # fmt: skip
        past.insert(0, PastChange(request, edits, version, template, data))
        editor = Editor(template)
        editor.carry_out(edits)
        template = editor.bytes()
    return read_follow_up(requests[-1], TemplateView(Editor(template), data), past)


def values(edits: list[AnyEdit]) -> list[tuple[str, ...]]:
    found = []
    for edit in edits:
        content = edit.model_dump(exclude_defaults=True)
        content.pop("do", None)
        found.append(tuple(str(value) for value in content.values()))
    return found


@each(
    "form, first, then, edits",
    [
        ("sales", "center the quantity column", "no, the amount column", {("d_amount", "textAlignment", "Center")}),
        ("slip", "数量列居中", "不对，是右边那列", {("d_price", "textAlignment", "Center")}),
        ("sales", "delete the quantity column", "sorry, i meant unit price", {("unit_price",)}),
        ("slip", "金额大于1000标红", "改成2000", {("amount", ">", "2000", "#FF0000")}),
        ("sales", "highlight amounts over 500 in red", "make that 1000", {("amount", ">", "1000", "#FF0000")}),
        ("leave", 'add a footer "Tel. 0571"', "it's not 0571, it's 0573", {("footer_text", "pageFooter", "Tel. 0573")}),
        ("sales", "make the title bold and red", "undo that but keep the colour", {("title", "forecolor", "#FF0000")}),
        ("sales", "make the title bold and red", "no, only the red bit", {("title", "forecolor", "#FF0000")}),
        ("slip", "标题加粗，红色", "只要红色就行", {("title", "forecolor", "#FF0000")}),
        (
            "sales",
            "center the quantity column",
            "oh sorry, I was thinking of the amount and not the quantity",
            {("d_amount", "textAlignment", "Center")},
        ),
        ("slip", "标题加粗，红色", "红色不要了", {("title", "isBold", "true")}),
        ("sales", "make the quantity column bold", "i meant the amount column", {("d_amount", "isBold", "true")}),
        (
            "sales",
            "make the quantity column bold",
            "no no, the amount column, quantity has to stay",
            {("d_amount", "isBold", "true")},
        ),
        ("sales", "sort by amount", "hmm by quantity instead, same direction", {("quantity",)}),
        (
            "sales",
            "highlight amounts over 500 in orange",
            "orange is hard to read, use dark red instead",
            {("amount", ">", "500", "#8B0000")},
        ),
        ("sales", "make the title red", "not red, blue", {("title", "forecolor", "#0000FF")}),
        (
            "sales",
            "highlight amounts over 500 in red",
            "500 is too low, make it 800",
            {("amount", ">", "800", "#FF0000")},
        ),
        ("slip", "单价列加粗", "错了错了，是金额，单价要留着的", {("d_amount", "isBold", "true")}),
        ("slip", "标题改成红色", "太刺眼了，换成深蓝", {("title", "forecolor", "#00008B")}),
        ("slip", "金额大于1000标红", "1000太多了，改500", {("amount", ">", "500", "#FF0000")}),
        ("slip", "按金额排序", "还是按数量排吧", {("quantity",)}),
        ("sales", "delete the quantity column", "no wait, delete the customer column instead", {("customer",)}),
        (
            "sales",
            "make the title italic",
            "make the customer column italic instead",
            {("d_customer", "isItalic", "true")},
        ),
        ("sales", "align the customer to the right", "no, center it", {("d_customer", "textAlignment", "Center")}),
        ("sales", "make the title 30 pt", "that's too big, make it 26", {("title", "fontSize", "26")}),
        ("sales", "rename Item to Goods", "actually, make that Articles", {("h_item", "Articles")}),
        ("sales", "make the title bold", "i meant the period only", {("period", "isBold", "true")}),
        ("slip", "去掉备注列", "弄错了，要去掉的是单位列", {("unit",)}),
        ("slip", "单价列加粗", "不对，应该是数量列加粗", {("d_quantity", "isBold", "true")}),
        ("slip", "备注改成说明", "不是，改成“附注”", {("h_remark", "附注")}),
        ("slip", "标题改成红色", "还是蓝色吧", {("title", "forecolor", "#0000FF")}),
        ("slip", "金额列改成绿色", "我说的是底色，不是字", {("d_amount", "backcolor", "#008000")}),
        ("sales", "make the amount red", "only those over 500, i mean", {("amount", ">", "500", "#FF0000")}),
        ("slip", "最后加一列货位", "不是最后，放在品名后面", {("huo_wei", "货位", "product")}),
        (
            "sales",
            "highlight amounts over 500 in red",
            "make it over 900, otherwise all are red",
            {("amount", ">", "900", "#FF0000")},
        ),
        ("slip", "备注列窄一点", "省出来的地方给品名", {("remark", "120", "product")}),
        ("slip", "标题改成蓝色，备注删掉", "备注那个撤回，蓝色留着", {("title", "forecolor", "#0000FF")}),
        ("sales", "delete the row of Elm board", "Wall lamp, not Elm board", {("{'item': 'Wall lamp'}",)}),
        ("slip", "删掉角磨机那一行", "说错了，是冲击钻头那行", {("{'product': '冲击钻头'}",)}),
        (
            "sales",
            "make the title and the quantity column blue",
            "only the title, leave the rest as it was",
            {("title", "forecolor", "#0000FF")},
        ),
        ("slip", "加一列税率", "写13%", {("tax_rate", "税率", '"13%"')}),
        ("sales", "add a column Depot at the end", 'put "North" in every row', {("warehouse", "Depot", '"North"')}),
        ("sales", "add 19% VAT", "no wait, it should be 7%, and a grand total too", {("amount", "7", "VAT")}),
        ("slip", "按金额排序，大的在前", "还是按品名排吧", {("product",)}),
        ("slip", "按金额排序，大的在前", "还是按数量排吧", {("quantity", "True")}),
        (
            "sales",
            "add two signature lines, customer and driver",
            "put them side by side at the bottom",
            {("['Customer', 'Driver']",)},
        ),
    ],
)
def test_a_correction_takes_the_place_of_the_change_before(form, first, then, edits):
    reading = said(form, first, then)
    assert reading is not None and reading.base is not None
    assert edits <= set(values(reading.edits))


@pytest.mark.parametrize(
    ("form", "first", "then", "edits"),
    [
        ("sales", "make the title red", "same for the amount column", {("d_amount", "forecolor", "#FF0000")}),
        ("slip", "数量列居中", "单价列也要", {("d_price", "textAlignment", "Center")}),
        ("sales", "make the title bigger", "even bigger", {("title", "fontSize", "27")}),
        ("slip", "标题字号大一点", "再大一点", {("title", "fontSize", "26")}),
        ("slip", "标题字号大一点", "还不够，再大些", {("title", "fontSize", "26")}),
        ("sales", "make the title bigger", "too much, half of that", {("title", "fontSize", "20")}),
        ("sales", "make the title bigger", "too big now, something in between", {("title", "fontSize", "20")}),
        ("sales", "make the title 40 pt", "that's too big now, a bit smaller", {("title", "fontSize", "29")}),
        ("sales", "make the title bigger", "you overdid it, make it a bit smaller", {("title", "fontSize", "20")}),
        ("slip", "标题再大点", "大过头了，小一点", {("title", "fontSize", "23")}),
        ("slip", "标题再大点", "太大了点，调小一些", {("title", "fontSize", "23")}),
        (
            "slip",
            "把数量列移到品名后面",
            "嗯位置对了，名字也顺手改成“数目”，别的列名不动",
            {("h_quantity", "数目")},
        ),
        (
            "sales",
            "move the quantity column after the customer column",
            "ok, now call it Pieces too, leave the other headings alone",
            {("h_quantity", "Pieces")},
        ),
        ("sales", "sort by amount", "other way round", {("amount", "True")}),
        ("sales", "sort by amount", "highest first please", {("amount", "True")}),
        ("slip", "按金额排序", "从大到小", {("amount", "True")}),
        ("sales", "make the title bold", "the period as well please", {("period", "isBold", "true")}),
        ("sales", "rename Qty to Pieces", "and Unit price to Price", {("h_price", "Price")}),
        ("slip", "标题再大一点", "还是蓝色吧", {("title", "forecolor", "#0000FF")}),
        ("slip", "备注列窄一点", "太窄了，放宽一点点", {("remark", "135")}),
        ("slip", "金额加千分位和两位小数，前面加¥", "单价也一样", {("d_price", "pattern", "¥#,##0.00")}),
    ],
)
def test_a_continuation_starts_from_the_current_report(form, first, then, edits):
    reading = said(form, first, then)
    assert reading is not None and reading.base is None
    assert edits <= set(values(reading.edits))


def test_one_of_several_changes_is_taken_back_and_the_later_ones_are_made_again():
    reading = said("sales", "make the title blue", "sort by amount", "skip the blue, rest is good")
    assert reading is not None and reading.base is not None
    assert reading.base.number == 1 and values(reading.edits) == [("amount",)]


def test_the_report_before_a_kind_of_change_comes_back():
    reading = said("sales", "make the title blue", "sort by amount", "go back to the version before the sorting")
    assert reading is not None and reading.base is not None
    assert reading.base.number == 2 and reading.edits == []


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("make the title bigger", "even thinner please but only sometimes"),
        ("make the title bigger", "too small now, something in between"),
        ("sort by amount", "even bigger"),
        ("make the title red", "make that 1000"),
        ("make the title red", "no, the other thing we talked about"),
        ("make the title red", "skip the sorting"),
        ("delete the logo", "other way round"),
        ("make the title red", "thanks"),
        ("make the title red", "same as last year"),
        ("make the title red", "it's not what I wanted, it's ugly"),
        ("make the quantity column bold", "not the customer, the amount column"),
        ("make the quantity column bold", "no, the amount column, the customer has to stay"),
        ("highlight amounts over 500 in red", "700 is too low, make it 800"),
        ("highlight amounts over 500 in red", "the logo is hard to read, use dark red instead"),
        ("highlight amounts over 500 in red", "blue is hard to read, use dark red instead"),
        ("make the title blue", "only the title, leave the rest as it was"),
        ("delete the row of Elm board", "the lamps, not the Linen roll"),
        ("add a column Net = amount * 0.9", 'put "North" in every row'),
        ("make the title red", "put them side by side at the bottom"),
        ("make the title 20 pt", "it should be 7%, and a grand total too"),
    ],
)
def test_what_does_not_fit_the_change_before_is_not_carried_out(first: str, then: str):
    reading = said("sales", first, then)
    assert reading is None or not (reading.edits or reading.base)


def test_a_correction_that_names_nothing_is_refused():
    reading = said("slip", "把数量列居中", "不对，是折扣列")
    assert reading is not None and reading.refusals and not reading.edits


@pytest.mark.parametrize(
    ("form", "first", "then"),
    [
        ("sales", "make the table lines thinner", "even thinner, and grey"),
        ("sales", "make the table lines thinner", "and make them grey"),
        ("slip", "表格线细一点", "也改成灰色"),
    ],
)
def test_a_colour_after_a_change_of_lines_is_that_of_the_lines(form: str, first: str, then: str):
    reading = said(form, first, then)
    assert reading is not None
    names = {str(getattr(edit, "name", "")) for edit in reading.edits}
    assert any(name.endswith("ineColor") for name in names)
    assert all(name.endswith(("ineColor", "ineWidth")) for name in names)


def test_a_change_is_counted_with_those_that_were_refused():
    requests = ["隔行换色", "标题改成蓝色", "按金额排序"]
    template, data = ALL["slip"]()
    view = TemplateView(Editor(template), data)
    time = datetime(2026, 1, 1, tzinfo=UTC)
    first = Version(number=1, template=REF, data=REF, author="x", time=time)
    past = [
        PastChange(requests[2], read_request(requests[2], view).edits, first.model_copy(update={"edits": REF}),
                   template, data),
        PastChange(requests[1], read_request(requests[1], view).edits, first, template, data),
    ]  # fmt: skip
    reading = read_follow_up("第二个不要了，其他的保留", view, past, requests)
    assert reading is not None and reading.base == first and values(reading.edits) == values(past[0].edits)
    refused = read_follow_up("第一个不要了", view, past, requests)
    assert refused is not None and refused.refusals and not (refused.edits or refused.base)


def test_the_other_column_is_never_a_text_that_shares_a_word_with_it():
    reading = said("sales", "delete the quantity column", "oops i meant the other sales column, quantity has to stay")

    assert reading is None or not reading.edits


@pytest.mark.parametrize(
    ("form", "first", "then"),
    [
        ("sales", "make the title bold", "no, make the title bold"),
        ("sales", "make the title bold", "no, make the period bold too"),
        ("sales", "make the title bold", "no, sort by amount"),
        ("sales", "rename Item to Goods", "make it bold"),
        ("sales", "make the title bold", "make that Articles"),
        ("sales", "make the title bold", "highest first"),
        ("slip", "标题加粗", "不对，公司名也加粗"),
        ("slip", "标题加粗", "错了，再把金额删掉"),
        ("slip", "标题加粗", "从大到小"),
        ("slip", "标题加粗", "改成“附注”"),
    ],
)
def test_a_sentence_that_does_not_say_what_else_was_meant_takes_the_place_of_nothing(form, first, then):
    reading = said(form, first, then)
    assert reading is None or reading.base is None


@pytest.mark.parametrize(
    ("form", "sentence", "elements"),
    [
        ("slip", "公司名下面那行字加粗", ["title"]),
        ("slip", "标题上面那行字加粗", ["company"]),
        ("slip", "货物如有问题那句话加粗", ["terms"]),
        ("sales", "make the line below the title bold", ["period", "period_label"]),
        ("sales", "make the line below the note bold", []),
        ("slip", "标题下面那行字加粗", []),
    ],
)
def test_a_text_is_named_by_the_one_above_it_or_below_it(form, sentence, elements):
    template, data = ALL[form]()
    edits = read_request(sentence, TemplateView(Editor(template), data)).edits
    assert sorted(values(edits)) == [(element, "isBold", "true") for element in elements]


@pytest.mark.parametrize("then", ["even bigger", "再大一点", "too big now, something in between"])
def test_what_goes_on_with_a_request_that_was_not_carried_out_is_not_read_as_if_it_had_been(then: str):
    template, data = ALL["sales"]()
    request = "make the title bigger"
    edits = read_request(request, TemplateView(Editor(template), data)).edits
    version = Version(number=1, template=REF, data=REF, author="x", time=datetime(2026, 1, 1, tzinfo=UTC))
    past = [PastChange(request, edits, version, template, data)]
    editor = Editor(template)
    editor.carry_out(edits)
    view = TemplateView(editor, data)
    assert read_follow_up(then, view, past, [request]) is not None
    assert read_follow_up(then, view, past, [request, "I mean the letters behind it"]) is None


def test_the_last_step_is_taken_back():
    reading = said("sales", "make the title bigger", "even bigger", "no that's too far, one step back")
    assert reading is not None and reading.base is not None and (reading.base.number, reading.edits) == (2, [])


def test_a_limit_of_the_other_direction_is_another_request():
    reading = said("sales", "highlight amounts over 500 in red", "make it under 100")
    assert reading is None or reading.base is None


def test_white_letters_are_not_left_without_their_background():
    reading = said("slip", "表头改成深灰底白字", "客户名称也一样")
    fills = {edit.do for edit in reading.edits} if reading else set()
    letters = [value for value in values(reading.edits if reading else []) if value[-1] == "#FFFFFF"]
    assert not letters or fills & {"add_shape"} or any("backcolor" in value for value in values(reading.edits))


@pytest.mark.parametrize(
    ("form", "first", "then"),
    [
        ("sales", "make the title bigger", "too big, make it a bit bigger"),
        ("slip", "标题再大点", "太大了，再大一点"),
    ],
)
def test_a_sentence_that_contradicts_itself_is_left_unread(form: str, first: str, then: str) -> None:
    reading = said(form, first, then)
    assert reading is not None and (reading.edits, reading.unread) == ([], [then])


@each(
    "form, first, then, edits",
    [
        ("slip", "把单价那列删了", "哎不对，我看错了，是单位那列，单价要在的", {("unit",)}),
        ("slip", "把客户名称那一项删掉", "哎呀说错了，要删的是日期，客户名称得留着", {("date",)}),
        ("slip", "删掉日期", "撤回，这个要留，去掉客户名称就行，名字也一起", {("customer",)}),
        (
            "sales",
            "hide the date column",
            "hmm no, the day is in there. bring it back and hide Customer instead",
            {("customer",)},
        ),
        (
            "sales",
            "delete the quantity column",
            "oh no, bring that back and delete the customer column",
            {("customer",)},
        ),
        ("sales", "Item column could be narrower", "give what you saved to Amount", {("item", "108", "amount")}),
        ("slip", "标题淡蓝色", "蓝的看不清，换浅灰吧", {("title", "forecolor", "#D3D3D3")}),
        ("sales", "the title in light blue", "use dark red instead", {("title", "forecolor", "#8B0000")}),
    ],
)
def test_correction_with_what_was_wrong_takes_the_place_of_the_change(
    form: str, first: str, then: str, edits: set[tuple[str, ...]]
):
    reading = said(form, first, then)
    assert reading is not None and reading.base is not None
    assert set(values(reading.edits)) == edits and not reading.unread


def test_width_that_two_steps_freed_goes_to_one_column():
    reading = said("sales", "make Item narrower", "make Item narrower", "ok now give what you saved to Amount")
    assert reading is not None and reading.base is not None
    assert reading.base.number == 1 and values(reading.edits) == [("item", "86", "amount")]


def test_too_big_is_between_the_old_and_the_new_size():
    reading = said("sales", "make the title 30 pt", "whoa, too big. somewhere in between")
    assert reading is not None and values(reading.edits) == [("title", "fontSize", "24")]


@each(
    "form, first, second, third",
    [
        ("sales", "make the title bigger", "draw a line below the title", "no that looks silly, without the line"),
        ("slip", "标题放大", "标题下面画一条横线", "还是去掉那条线吧"),
    ],
)
def test_line_that_was_drawn_is_taken_back_and_what_came_before_stays(form: str, first: str, second: str, third: str):
    reading = said(form, first, second, third)
    assert reading is not None and reading.base is not None
    assert (reading.base.number, reading.edits, reading.unread) == (2, [], [])


def test_same_background_is_seen_behind_another_line():
    reading = said("slip", "表头铺个浅蓝底", "合计也要同样的底")
    assert reading is not None
    assert {(edit.name, edit.value) for edit in reading.edits if edit.do == "set"} == {  # type: ignore[attr-defined]
        ("backcolor", "#ADD8E6"), ("mode", "Opaque"),
    }  # fmt: skip


@each(
    "form, first, then",
    [
        ("slip", "把单价那列删了", "哎不对，单价要在的"),
        ("sales", "hide the date column", "hmm, the day is in there. should I bring it back"),
        ("sales", "make the title smaller", "whoa, too big. somewhere in between"),
        ("sales", "Item column could be narrower", "don't give what you saved to Amount"),
    ],
)
def test_remark_that_names_nothing_else_or_only_asks_changes_nothing(form: str, first: str, then: str):
    reading = said(form, first, then)
    assert reading is None or not reading.edits


@each(
    "form, first, then, shades",
    [
        ("sales", "make the headings white on dark green", "too dark, a couple of shades lighter", {"#7FB17F"}),
        ("sales", "make the headings white on dark green", "lighter please", {"#7FB17F"}),
        ("sales", "make the title red", "two shades darker", {"#AA0000"}),
        ("slip", "标题改成深绿色", "太深了，再浅两号", {"#7FB17F"}),
    ],
)
def test_lighter_means_the_colour_that_can_become_lighter(form: str, first: str, then: str, shades: set[str]):
    reading = said(form, first, then)
    assert reading is not None
    assert {str(edit.value) for edit in reading.edits} == shades  # type: ignore[attr-defined]


def test_darker_does_not_choose_between_two_colours():
    reading = said("sales", "make the headings white on dark green", "darker please")
    assert reading is None or not reading.edits


def test_same_way_repeats_the_change_for_what_is_named():
    reading = said("sales", "make the headings red", "do the title the same way")
    assert reading is not None
    assert set(values(reading.edits)) == {("title", "forecolor", "#FF0000")}
