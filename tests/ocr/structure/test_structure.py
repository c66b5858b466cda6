"""Structure of a page: rows, headers, labels and fixed wording."""

import pytest

from bandsmith.services.ocr.structure.text_classifier import is_label, split_prefix, text_kind
from bandsmith.shared.model.layout import Layout

from .handmade import HandmadeMarks


def role_of(layout: Layout, text: str) -> str:
    return next(b.role for b in layout.blocks if b.text == text)


def label_of(layout: Layout, text: str) -> str | None:
    return next(b.label for b in layout.blocks if b.text == text)


def test_rows_of_a_ruled_table_exclude_header_and_total():
    page = HandmadeMarks()
    page.table(50, 100, [200, 80, 80], [
        ["品名", "数量", "金额"],
        ["不锈钢杯", "3", "120.00"],
        ["木托盘", "10", "250.00"],
        ["茶叶礼盒", "2", "396.00"],
        ["合计", "", "766.00"],
    ])  # fmt: skip

    repeat = page.understood().repeat

    assert repeat is not None
    assert repeat.rows == 3
    assert repeat.pitch == pytest.approx(20)
    assert [slot.label for slot in repeat.slots] == ["品名", "数量", "金额"]


def test_a_table_without_rules_is_found_by_its_columns():
    page = HandmadeMarks()
    for x, text in ((50, "Product"), (250, "Qty"), (350, "Unit price")):
        page.write(x, 200, text, bold=True)
    for row, (name, qty, price) in enumerate([("Teapot", "4", "12.50"), ("Tray", "12", "7.00"), ("Cup", "48", "3.20")]):
        page.write(50, 220 + 18 * row, name)
        page.write(250, 220 + 18 * row, qty)
        page.write(400, 220 + 18 * row, price, right=True)

    layout = page.understood()

    assert layout.total_rows == 3
    assert [slot.label for slot in layout.repeat.slots] == ["Product", "Qty", "Unit price"]
    assert role_of(layout, "Product") == "fixed"
    assert role_of(layout, "Tray") == "value"


def test_cards_of_several_lines_repeat_with_their_labels():
    page = HandmadeMarks()
    for card in range(3):
        top = 80 + 90 * card
        page.write(60, top, "Objective:")
        page.write(160, top, ["Alice", "Bob", "Carol"][card])
        page.write(60, top + 20, "Step", bold=True)
        page.write(300, top + 20, "Due date", bold=True)
        page.write(60, top + 40, ["plan", "build", "measure"][card])
        page.write(300, top + 40, ["2024-01-02", "2024-03-04", "2024-05-06"][card])

    repeat = page.understood().repeat

    assert repeat is not None
    assert (repeat.rows, repeat.pitch) == (3, pytest.approx(90, abs=0.5))
    assert sum(slot.role == "fixed" for slot in repeat.slots) == 3
    assert sum(slot.role == "value" for slot in repeat.slots) == 3


def test_a_list_of_labels_and_values_is_not_a_table():
    page = HandmadeMarks()
    pairs = [("Customer:", "Acme"), ("Order date:", "2024-02-03"), ("Terms:", "30 days"), ("Warehouse:", "North")]
    for row, (label, value) in enumerate(pairs):
        page.write(50, 100 + 14 * row, label)
        page.write(140, 100 + 14 * row, value)

    layout = page.understood()

    assert layout.repeat is None
    assert role_of(layout, "Customer:") == "fixed"
    assert (role_of(layout, "Acme"), label_of(layout, "Acme")) == ("value", "Customer")


def test_totals_below_a_table_are_not_rows():
    page = HandmadeMarks()
    for row, (label, amount) in enumerate([("Subtotal", "$90.00"), ("Tax", "$9.00"), ("Grand total", "$99.00")]):
        page.write(350, 500 + 16 * row, label)
        page.write(500, 500 + 16 * row, amount, right=True)

    layout = page.understood()

    assert layout.repeat is None
    assert label_of(layout, "$9.00") == "Tax"


def test_blank_rows_do_not_hide_the_rows_of_a_form():
    page = HandmadeMarks()
    page.table(50, 100, [200, 80], [["Item", "Amount"], ["Tea", "12.00"], ["Milk", "3.00"], ["", ""], ["", ""]])

    assert page.understood().total_rows == 2


def test_a_label_in_the_same_text_becomes_the_prefix():
    page = HandmadeMarks()
    page.write(50, 60, "Order #: C40217")

    block = page.understood().blocks[0]

    assert (block.role, block.label, block.prefix) == ("value", "Order", "Order #: ")


@pytest.mark.parametrize(("text", "label"), [("No. XS20260318", "No."), ("Invoice # 120", "Invoice")])
def test_a_number_sign_separates_label_and_value(text: str, label: str):
    page = HandmadeMarks()
    page.write(50, 60, text)

    block = page.understood().blocks[0]

    assert (block.role, block.label) == ("value", label)
    assert block.prefix and not block.prefix.strip().isdigit()


def test_a_long_text_after_a_label_is_a_value():
    page = HandmadeMarks()
    page.write(50, 60, "送货地址：海宁市文苑路 88 号 2 号仓库")

    (block,) = page.understood().blocks

    assert (block.role, block.label, block.prefix) == ("value", "送货地址", "送货地址：")


@pytest.mark.parametrize("number", ["1.", "2.1.", "b)", "iv.", "（三）", "②"])
def test_the_number_of_a_paragraph_is_fixed_wording(number: str):
    marks = HandmadeMarks()
    marks.write(60, 300, number)
    marks.write(90, 300, "Delivery takes place within ten days of the order.")

    assert {block.role for block in marks.understood().blocks} == {"fixed"}


def test_a_whole_sentence_is_fixed_wording():
    page = HandmadeMarks()
    page.write(300, 500, "客户签收：")
    page.write(300, 514, "货物如有问题，请于三日内联系。")

    assert role_of(page.understood(), "货物如有问题，请于三日内联系。") == "fixed"


def test_a_label_above_names_the_value_below():
    page = HandmadeMarks()
    page.write(50, 100, "BILL TO", bold=True)
    page.write(50, 114, "Meadow Bindery")

    assert label_of(page.understood(), "Meadow Bindery") == "BILL TO"


def test_headings_side_by_side_name_the_values_below_them():
    page = HandmadeMarks()
    page.table(50, 100, [90, 90, 90, 90], [
        ["Salesperson", "P.O. number", "Shipped via", "F.O.B. point"],
        ["", "PO-3333", "", ""],
    ])  # fmt: skip
    for x, heading, value in ((50, "Klant", "SCON0303"), (200, "Vervaldatum", "8-9-2022"), (350, "Bedrag", "49,99")):
        page.write(x, 200, heading)
        page.write(x, 212, value)

    layout = page.understood()

    assert {role_of(layout, text) for text in ("P.O. number", "F.O.B. point", "Klant", "Bedrag")} == {"fixed"}
    assert label_of(layout, "PO-3333") == "P.O. number"
    assert (role_of(layout, "8-9-2022"), label_of(layout, "8-9-2022")) == ("value", "Vervaldatum")


def test_a_cell_between_two_labels_is_a_value():
    page = HandmadeMarks()
    page.table(50, 100, [80, 100, 80, 100], [["姓名", "欧阳小树", "部门", "海外市场"]])

    layout = page.understood()

    assert [role_of(layout, text) for text in ("欧阳小树", "海外市场")] == ["value", "value"]


def test_addresses_side_by_side_are_not_rows():
    page = HandmadeMarks()
    for x, label in ((50, "Bill to:"), (220, "Ship to:"), (390, "Service address:")):
        for row, text in enumerate((label, "Meadow Bindery", "12 Mill Street,", "Redmond WA, 98052")):
            page.write(x, 100 + 14 * row, text, bold=row == 0)

    assert page.understood().repeat is None


def test_a_single_letter_is_not_a_title():
    page = HandmadeMarks()
    page.write(400, 20, "V", size=40)
    page.write(50, 60, "Checklist", size=16)
    for row, text in enumerate(("Keep this form", "Store it safely", "Share it with care")):
        page.write(50, 100 + 30 * row, text)

    layout = page.understood()

    assert next(b.text for b in layout.blocks if b.id == layout.title) == "Checklist"


def test_the_largest_wording_at_the_top_is_the_title():
    page = HandmadeMarks()
    page.write(200, 40, "销售单", size=20, bold=True)
    page.write(50, 90, "客户:")
    page.write(90, 90, "张建国")

    layout = page.understood()

    assert next(b.text for b in layout.blocks if b.id == layout.title) == "销售单"
    assert role_of(layout, "张建国") == "value"


def test_lines_of_one_cell_are_one_block():
    page = HandmadeMarks()
    page.table(50, 100, [100, 100], [["", "Amount"]], height=40)
    page.write(60, 110, "Special service")
    page.write(70, 121, "groups")

    assert "Special service\ngroups" in [b.text for b in page.understood().blocks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$ 4,218.35", "number"),
        ("-$52.61", "number"),
        ("SAR 1,845.90", "number"),
        ("2024年3月5日", "date"),
        ("Jul 9, 2024", "date"),
        ("4/28/24, 5:00 PM", "date"),
        ("C40217", "code"),
        ("mail@example.org", "contact"),
        ("0573-87654321", "contact"),
        ("Black tea 200g", "text"),
    ],
)
def test_kinds_of_text_are_distinguished(text: str, expected: str):
    assert text_kind(text) == expected


@pytest.mark.parametrize("text", ["Customer:", "UNIT PRICE", "备注", "金额(元)", "Invoice #", "合计"])
def test_wording_of_forms_is_a_label(text: str):
    assert is_label(text)


@pytest.mark.parametrize("text", ["张建国", "Green tea", "120.00", "2024-01-02"])
def test_values_are_not_labels(text: str):
    assert not is_label(text)


@pytest.mark.parametrize("text", ["12:48", "https://example.org", "4/28/24, 5:00 PM", "TOTAL:"])
def test_not_every_colon_separates_label_and_value(text: str):
    assert split_prefix(text) == ("", text)


def test_two_addresses_with_labels_are_no_rows():
    page = HandmadeMarks()
    for y, role, name, street in (
        (150, "Seller", "Oak and Sons", "Mill Street"),
        (290, "Buyer", "Meadow Ltd", "Elm Road"),
    ):
        page.write(50, y, role, bold=True)
        for step, label, text in ((15, "Name:", name), (30, "Street:", street)):
            page.write(50, y + step, label)
            page.write(150, y + step, text)

    assert page.understood().repeat is None


@pytest.mark.parametrize("values", [("9hqjxvufdr", "11111"), ("CREDIT", "Swiped"), ("25.23", "3.78")])
def test_values_below_each_other_stay_apart_where_each_has_its_label_beside_it(values: tuple[str, str]):
    page = HandmadeMarks()
    for y, label, value in zip((300, 311), ("Merchant:", "Terminal:"), values, strict=True):
        page.write(50, y, label, size=10)
        page.write(300, y, value, size=10, right=True)

    layout = page.understood()

    assert [label_of(layout, value) for value in values] == ["Merchant", "Terminal"]


def test_a_label_whose_colon_stands_beside_it_is_not_part_of_the_text_above():
    page = HandmadeMarks()
    page.write(50, 300, "Recommendation: urn:cen.eu", size=10)
    page.write(50, 311, "Currency", size=10)
    page.write(150, 311, ": EUR", size=10)

    texts = [block.text for block in page.understood().blocks]

    assert "Recommendation: urn:cen.eu" in texts
    assert "Currency" in texts


def test_the_lines_of_an_address_beside_another_one_stay_one_text():
    page = HandmadeMarks()
    for n, (left, right) in enumerate([("12 Mill Lane", "4 Bridge Street"), ("Old Town", "New Harbour")]):
        page.write(50, 300 + 11 * n, left, size=10)
        page.write(300, 300 + 11 * n, right, size=10)

    assert {"12 Mill Lane\nOld Town", "4 Bridge Street\nNew Harbour"} <= {b.text for b in page.understood().blocks}


def test_texts_in_the_columns_of_one_large_cell_are_not_one_text():
    page = HandmadeMarks()
    page.table(40, 100, [300, 200], [["", ""], ["", ""]], height=100)
    page.write(50, 120, "40235 Old Town", size=9)
    page.write(200, 130, "In case of questions", size=9)

    texts = {block.text for block in page.understood().blocks}

    assert {"40235 Old Town", "In case of questions"} <= texts


def test_the_number_of_pages_beside_a_page_number_is_one_text_with_it():
    page = HandmadeMarks()
    page.write(50, 800, "Page 1 of")
    page.write(98, 800, "7")
    page.write(300, 800, "7")
    assert [block.text for block in page.understood().blocks] == ["Page 1 of 7", "7"]
