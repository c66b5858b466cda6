"""The items of a receipt are rows, whatever was read of their lines as one text, and however crooked the photo is."""

import pytest

from bandsmith.services.ocr.structure import join
from bandsmith.services.ocr.structure.slip_items import value_of
from bandsmith.shared.model.layout import Layout

from .handmade import HandmadeMarks
from .test_headed_tables import rows_of

ITEMS = [("Green tea", "4.50"), ("Black tea of the spring", "12.95"), ("Rice", "0.99"), ("Bananas", "1.20")]
TOTALS = [("SUBTOTAL", "19.64"), ("Tax 10%", "1.96"), ("TOTAL", "21.60"), ("CASH", "25.00"), ("CHANGE", "3.40")]
RIGHT = 220
"""Where the amounts end."""


class Receipt(HandmadeMarks):
    """A strip of paper with a head, items and totals below each other."""

    def __init__(self, *, slope: float = 0.0) -> None:
        super().__init__()
        self.slope = slope
        self.y = 100.0
        self.line("Corner Shop")
        self.line("12 Mill Road")
        self.y += 12

    def put(self, x: float, text: str, *, right: bool = False) -> None:
        """Write a text on the current line; on a crooked photo it stands lower the more it is to the right."""
        self.write(x, self.y, text, right=right)
        box = self.lines[-1].box
        start, end = self.slope * box.x, self.slope * box.right
        moved = box.model_copy(update={"y": box.y + min(start, end), "height": box.height + abs(end - start)})
        self.lines[-1] = self.lines[-1].model_copy(update={"box": moved})

    def line(self, text: str, amount: str = "", mark: str = "") -> None:
        self.put(20, text)
        if amount:
            self.put(RIGHT, amount, right=True)
        if mark:
            self.put(RIGHT + 8, mark)
        self.y += 12

    def totals(self) -> None:
        self.y += 6
        for text, amount in TOTALS:
            self.line(text, amount)


def labels_of(layout: Layout) -> list[str | None]:
    assert layout.repeat is not None
    return [slot.label for slot in layout.repeat.slots]


def names_outside_rows(layout: Layout) -> set[str]:
    assert layout.repeat is not None
    inside = {name for slot in layout.repeat.slots for name in slot.blocks}
    return {block.text for block in layout.blocks if block.id not in inside}


@pytest.mark.parametrize("slope", [0.0, 0.06, -0.06])
def test_every_item_is_a_row_from_the_first_to_the_last_also_on_a_crooked_photo(slope: float):
    receipt = Receipt(slope=slope)
    for text, amount in ITEMS:
        receipt.line(text, amount)
    receipt.totals()

    layout = receipt.understood()
    assert rows_of(layout) == [list(item) for item in ITEMS]
    assert labels_of(layout) == ["Description", "Amount"]
    assert {text for text, _ in TOTALS} <= names_outside_rows(layout)


@pytest.mark.parametrize("wording", ["A payer", "À PAYER", "Net à payer"])
def test_what_is_to_be_paid_in_french_is_no_item(wording: str):
    receipt = Receipt()
    for text, amount in ITEMS:
        receipt.line(text, amount)
    receipt.y += 6
    receipt.line(wording, "19.64")
    receipt.line("Espèces", "20.00")

    assert rows_of(receipt.understood()) == [list(item) for item in ITEMS]


def test_the_texts_of_a_crooked_line_are_brought_to_one_height():
    receipt = Receipt(slope=0.06)
    for text, amount in ITEMS:
        receipt.line(text, amount)
    receipt.totals()

    layout = receipt.understood()
    assert layout.repeat is not None
    boxes = {block.id: block.box for block in layout.blocks}
    for name, amount in zip(*(slot.blocks for slot in layout.repeat.slots), strict=True):
        assert name and amount and boxes[name].middle[1] == pytest.approx(boxes[amount].middle[1])
    assert layout.repeat.pitch == pytest.approx(12, abs=0.5), "as far apart as on the photo"


def test_letters_for_the_tax_are_a_column_whether_or_not_they_were_read_with_the_amount():
    receipt = Receipt()
    receipt.line("Green tea", "4.50 S")
    receipt.line("Black tea", "12.95", "S")
    receipt.line("Discount tea", "2.00- S")
    receipt.totals()

    layout = receipt.understood()
    assert rows_of(layout) == [
        ["Green tea", "4.50", "S"],
        ["Black tea", "12.95", "S"],
        ["Discount tea", "2.00-", "S"],
    ]
    assert labels_of(layout) == ["Description", "Amount", "Tax code"]


def test_words_that_were_read_in_pieces_or_with_the_amount_are_the_same_columns():
    receipt = Receipt()
    for name, amount in (("1 Green tea", "4.50"), ("1 Rice", "0.99")):
        receipt.line(name, amount)
    for x, text in ((20, "2"), (30, "Black"), (60, "tea")):
        receipt.put(x, text)
    receipt.put(RIGHT, "12.95", right=True)
    receipt.y += 12
    receipt.put(RIGHT, "1 Bananas of the house, ripe and sweet 1.20", right=True)
    receipt.y += 12
    receipt.totals()

    layout = receipt.understood()
    assert labels_of(layout) == ["Quantity", "Description", "Amount"]
    assert rows_of(layout) == [
        ["1", "Green tea", "4.50"],
        ["1", "Rice", "0.99"],
        ["2", "Black tea", "12.95"],
        ["1", "Bananas of the house, ripe and sweet", "1.20"],
    ]


def test_the_weight_below_some_items_is_a_line_of_their_description():
    receipt = Receipt()
    receipt.line("Green tea", "4,50")
    receipt.line("Apples", "1,29")
    receipt.line("0,520 kg x 2,49")
    receipt.line("Rice", "0,99")
    receipt.line("Bananas", "1,20")
    receipt.totals()

    assert rows_of(receipt.understood()) == [
        ["Green tea", "4,50"],
        ["Apples\n0,520 kg x 2,49", "1,29"],
        ["Rice", "0,99"],
        ["Bananas", "1,20"],
    ]


def test_quantity_and_unit_price_below_every_item_are_columns():
    receipt = Receipt()
    for number, (name, amount) in enumerate(ITEMS[:3], 1):
        receipt.line(f"00{number} 789784439146{number} {name}")
        receipt.line(f"{number},000 Un x {amount}", amount)

    layout = receipt.understood()
    assert labels_of(layout) == [
        "Item no.",
        "Item code",
        "Description",
        "Quantity",
        "Unit",
        None,
        "Unit price",
        "Amount",
    ]
    assert layout.repeat is not None
    texts = {block.id: block.text for block in layout.blocks}
    second = [texts[name] for slot in layout.repeat.slots if (name := slot.blocks[1])]
    assert second == ["002", "7897844391462", "Black tea of the spring", "2,000", "Un", "x", "12.95", "12.95"]
    assert layout.repeat.slots[5].role == "fixed"


def test_a_line_between_items_whose_amount_was_not_read_is_an_item_of_its_own():
    receipt = Receipt()
    receipt.line("Green tea", "4.50")
    receipt.line("Black tea", "12.95")
    receipt.line("Coffee beans")
    receipt.line("Rice", "0.99")
    receipt.line("Bananas", "1.20")

    assert ["Coffee beans", None] in rows_of(receipt.understood())


def test_a_single_item_is_a_row_if_it_has_a_quantity_and_is_the_total():
    receipt = Receipt()
    receipt.line("2 Pale ale", "10.20")
    receipt.y += 12
    receipt.line("Total", "10.20")

    assert rows_of(receipt.understood()) == [["2", "Pale ale", "10.20"]]


def test_a_discount_among_the_items_does_not_end_them():
    receipt = Receipt()
    for text, amount in (("Green tea", "4.50"), ("Discount", "2.00-"), ("Black tea", "12.95")):
        receipt.line(text, amount)
    receipt.totals()

    assert len(rows_of(receipt.understood())) == 3


def test_labels_with_amounts_are_no_items():
    receipt = Receipt()
    for text, amount in (("Item price", "4.50"), ("Shipping fee", "2.00"), ("Amount paid", "6.50")):
        receipt.line(text, amount)

    assert receipt.understood().repeat is None


@pytest.mark.parametrize("slope", [0.0, 0.06])
def test_amounts_below_the_items_are_named_by_the_wording_on_their_line(slope: float):
    receipt = Receipt(slope=slope)
    for text, amount in ITEMS:
        receipt.line(text, amount)
    receipt.totals()

    blocks = {block.text: block for block in receipt.understood().blocks}
    for text, amount in TOTALS:
        assert blocks[text].role == "fixed"
        assert (blocks[amount].role, blocks[amount].label) == ("value", text)


def test_names_addresses_and_specks_around_the_items_are_wording():
    receipt = Receipt()
    receipt.line("23 Anis & Sons of the Mill")
    receipt.put(180, "5")
    receipt.y += 20
    for text, amount in ITEMS:
        receipt.line(text, amount)
    receipt.totals()
    receipt.y += 12
    receipt.line("12/03/2026 14:05")

    roles = {block.text: block.role for block in receipt.understood().blocks}
    assert roles["23 Anis & Sons of the Mill"] == roles["12 Mill Road"] == roles["5"] == "fixed"
    assert roles["12/03/2026 14:05"] == "value"


def test_a_receipt_ends_with_its_page():
    receipt = Receipt()
    for text, amount in ITEMS:
        receipt.line(text, amount)
    layout = receipt.understood()

    assert join(layout, receipt, iter([receipt])) == (layout, 0)


@pytest.mark.parametrize(
    ("text", "value"), [("12.95", 12.95), ("4.00-", -4), ("1.234,50", 1234.5), ("27.500", 27500), ("-0,45", -0.45)]
)
def test_amounts_have_the_value_that_their_signs_say(text: str, value: float):
    assert value_of(text) == pytest.approx(value)
