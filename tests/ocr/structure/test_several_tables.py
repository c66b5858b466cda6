"""Several tables on a page: each with a header has rows of its own, and what is not certain stays as it is."""

from bandsmith.shared.model.layout import Layout, Repeat

from .handmade import HandmadeMarks


def write_table(page: HandmadeMarks, y: float, *rows: tuple[str, ...], x: float = 50) -> None:
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            page.write(x + 150 * column, y + 20 * number, text, bold=number == 0)


def texts_of(layout: Layout, rows: Repeat) -> list[list[str | None]]:
    texts = {block.id: block.text for block in layout.blocks}
    return [
        [texts[name] if name else None for name in row] for row in zip(*(s.blocks for s in rows.slots), strict=True)
    ]


def invoice() -> HandmadeMarks:
    page = HandmadeMarks()
    page.write(50, 170, "Services", size=12, bold=True)
    names = ("Green tea", "Black tea", "Roasted coffee", "Brown sugar", "White cups")
    items = [(name, str(n), f"{n}0.00") for n, name in enumerate(names, 1)]
    write_table(page, 200, ("Description", "Qty", "Amount"), *items)
    page.write(50, 350, "Materials", size=12, bold=True)
    write_table(page, 380, ("Item", "Quantity", "Price"), ("Paint", "2", "12.50"), ("Brush", "1", "3.20"))
    return page


def test_a_second_table_has_its_own_rows_and_headings():
    layout = invoice().understood()

    assert layout.total_rows == 5
    (further,) = layout.further
    assert [slot.label for slot in further.slots] == ["Item", "Quantity", "Price"]
    assert texts_of(layout, further) == [["Paint", "2", "12.50"], ["Brush", "1", "3.20"]]
    assert {block.text for block in layout.blocks if block.role == "fixed"} >= {"Services", "Materials", "Item"}


def test_totals_and_addresses_are_no_second_table():
    page = HandmadeMarks()
    write_table(page, 100, ("Bill to", "Ship to"), ("Meadow Bindery", "Acme"), ("12 Mill Street", "3 Elm Road"))
    write_table(page, 200, ("Description", "Qty", "Amount"), *((f"Tea {n}", str(n), f"{n}.50") for n in range(1, 5)))
    for y, text, amount in ((320, "Subtotal", "14.00"), (335, "Tax", "2.80"), (350, "Total", "16.80")):
        page.write(300, y, text)
        page.write(350, y, amount)

    layout = page.understood()

    assert (layout.total_rows, layout.further, layout.fixed_tables) == (4, [], [])


def test_a_table_with_texts_beside_its_rows_stays_as_it_is_and_is_named():
    page = invoice()
    page.write(520, 410, "Checked by A. Smith")

    layout = page.understood()

    assert layout.further == []
    assert layout.fixed_tables == ["Item, Quantity, Price"]
