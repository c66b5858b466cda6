"""Sentences that correct the change before."""

from __future__ import annotations

import pytest

from tests.each_case import each

from .follow_ups import said, values


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


def test_a_limit_of_the_other_direction_is_another_request():
    reading = said("sales", "highlight amounts over 500 in red", "make it under 100")
    assert reading is None or reading.base is None


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
