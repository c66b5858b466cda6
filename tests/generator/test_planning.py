"""A layout becomes a plan, and filling the template reproduces the form."""

import pytest

from bandsmith.services.generator.planning import plan
from bandsmith.services.generator.planning.expressions import labelled_value
from bandsmith.services.generator.planning.regions import divide
from bandsmith.services.generator.planning.rows import between_blanks
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, Slot, TickBox
from bandsmith.shared.model.plan import Data, StaticText, TextField

from .forms import Form, blank, complaints, invoice
from .planned import bands, filled, off, texts


def test_rows_begin_where_the_form_has_them_though_a_cell_beside_them_is_as_high_as_all() -> None:
    layout = invoice().layout()
    assert layout.repeat
    extents = {block.id: block.box for block in layout.blocks}
    first = layout.repeat.slots[0].blocks[0]
    assert first
    spanning = extents | {first: extents[first].model_copy(update={"height": layout.repeat.box.height})}

    def top(boxes: dict[str, Box]) -> int:
        return next(region.top for region in divide(layout, boxes) if region.band == "detail")

    assert top(spanning) == top(extents)


def test_each_part_of_a_form_gets_its_band() -> None:
    report, data = plan(invoice().layout(), blank(), "invoice")
    found = {name: texts(band) for name, band in bands(report).items()}
    assert found == {
        "title": ["Invoice", "Customer:", "$P{value_1}"],
        "columnHeader": ["Item", "Quantity", "Amount"],
        "detail": ["$F{column_1}", "$F{column_2}", "$F{column_3}"],
        "summary": ["Total", "$P{value_2}"],
        "pageFooter": ['"Page " + $V{CURRENT_PAGE} + " of " + $V{PAGE_NUMBER}'],
    }
    assert data.parameters == {"value_1": "Meadow Bindery", "value_2": "1,340.40"}
    assert [row["column_1"] for row in data.rows] == ["Wall lamp", "Elm board", "Paper"]


def test_a_form_without_rows_is_all_title() -> None:
    form = Form()
    form.text("Leave request", 30, 40)
    form.text("Clara Brand", 80, 60, value=True, label="Name")
    report, data = plan(form.layout(), blank(), "leave")
    assert list(bands(report)) == ["title"]
    assert data.rows == []


def test_a_form_without_rows_leaves_the_end_of_the_page_free() -> None:
    form = Form()
    form.text("Leave request", 30, 40)
    report, _ = plan(form.layout(), blank(), "form")
    assert report.bands[0].height < 50


@pytest.mark.parametrize("pitch", [20, 17.4, 20.6], ids=["whole", "rounded-down", "rounded-up"])
def test_a_filled_template_prints_every_text_in_its_position(engine: ReportEngine, pitch: float) -> None:
    layout = invoice(pitch).layout()
    printout, items = filled(engine, layout)
    assert printout.pages == 1
    for words, (right, down) in off(layout, items).items():
        assert abs(right) <= 1.2 and abs(down) <= 1.5, f"{words!r} is off by {right:.1f}, {down:.1f}"


def test_no_text_is_cut_and_the_schema_is_followed(engine: ReportEngine) -> None:
    layout = invoice().layout()
    report, _ = plan(layout, blank(), "invoice")
    assert complaints(build_jrxml(report)) == []
    printout, _ = filled(engine, layout)
    assert not [element for element in printout.elements if element.cut]


@pytest.mark.parametrize("pitch", [16.5, 16.27, 15.9])
def test_spacers_keep_many_rows_aligned_with_the_form(engine: ReportEngine, pitch: float) -> None:
    form = Form()
    tops = [20 + n * pitch for n in range(15)]
    names = [form.text(f"Item {n}", 30, top + 12, value=True) for n, top in enumerate(tops)]
    form.repeats(tops, pitch, [Slot(label="Item", blocks=names)], [])
    form.text("Total", 30, tops[-1] + pitch + 12)
    printout, items = filled(engine, form.layout())
    assert printout.pages == 1
    assert max(abs(down) for _, down in off(form.layout(), items).values()) <= 2.5


def test_a_one_alone_at_the_foot_of_the_page_is_its_number() -> None:
    form = Form()
    form.text("Delivery note", 30, 40)
    form.text("1", 200, 290, value=True)
    report, data = plan(form.layout(), blank(), "note")
    assert texts(bands(report)["pageFooter"]) == ['"" + $V{PAGE_NUMBER}']
    assert not data.parameters


def test_a_label_before_its_value_becomes_fixed_wording() -> None:
    form = Form()
    form.text("Order: C40217", 30, 40, value=True, label="Order")
    report, data = plan(form.layout(), blank(), "order")
    assert texts(report.bands[0]) == ['"Order: " + ($P{value_1} == null ? "" : $P{value_1})']
    assert data.parameters == {"value_1": "C40217"}


def test_a_value_missing_from_one_row_stays_missing() -> None:
    form = Form()
    names: list[str | None] = [form.text("first", 30, 43, value=True), None, form.text("third", 30, 83, value=True)]
    amounts = [form.text(str(n), 200, 43 + 20 * n, value=True) for n in range(3)]
    slots = [Slot(label="Name", blocks=names), Slot(label="Amount", blocks=list(amounts))]
    form.repeats([30, 50, 70], 20, slots, [])
    _, data = plan(form.layout(), blank(), "rows")
    assert [row["column_1"] for row in data.rows] == ["first", None, "third"]


def test_a_text_beside_the_rows_is_printed_in_the_background(engine: ReportEngine) -> None:
    form = invoice()
    form.text("draft", 350, 125)
    printout, items = filled(engine, form.layout())
    assert "draft" in [element.text for element in printout.elements]
    assert abs(off(form.layout(), items)["draft"][1]) <= 1


def test_line_feeds_are_dropped_where_the_engine_breaks_alike() -> None:
    form = Form()
    cells = form.grid([30, 90, 230], [50, 90])
    form.text("a long value\nof two lines", 33, 66, value=True, room=cells[0][0])
    form.text("short\nlines", 95, 66, value=True, room=cells[0][1])
    _, data = plan(form.layout(), blank(), "wrapped")
    assert list(data.parameters.values()) == ["a long value of two lines", "short\nlines"]


def test_the_same_layout_gives_the_same_template() -> None:
    one, other = (build_jrxml(plan(invoice().layout(), blank(), "invoice")[0]) for _ in range(2))
    assert one == other


def test_keys_are_unique_and_sources_name_blocks() -> None:
    layout = invoice().layout()
    report, _ = plan(layout, blank(), "invoice")
    elements = [element for band in report.bands for element in band.elements]
    assert len({element.key for element in elements}) == len(elements)
    blocks: dict[str, Block] = {block.id: block for block in layout.blocks}
    assert all(element.source in blocks for element in elements if isinstance(element, TextField))


def test_no_element_reaches_into_the_margins() -> None:
    form = Form()
    form.text("At the very edge", 3, 12)
    report, _ = plan(form.layout(), blank(), "edge")
    assert report.margins.left <= 3
    assert all(e.x >= 0 and e.y >= 0 for band in report.bands for e in band.elements)


def test_the_data_match_the_plans_declarations() -> None:
    report, data = plan(invoice().layout(), blank(), "invoice")
    assert isinstance(data, Data)
    assert set(data.parameters) == {parameter.name for parameter in report.parameters}
    assert all(set(row) == {field.name for field in report.fields} for row in data.rows)


def test_a_number_below_a_right_aligned_column_is_aligned_right() -> None:
    report, _ = plan(invoice().layout(), blank(), "invoice")
    total = next(one for one in bands(report)["summary"].elements if getattr(one, "expression", "") == "$P{value_2}")
    assert isinstance(total, TextField) and total.align == "Right"


def test_a_line_in_the_middle_of_the_page_is_centred_and_leaves_room() -> None:
    measured = Form()
    measured.text("Delivery note", 0, 40)
    layout = measured.layout()
    width = layout.blocks[0].box.width
    form = Form()
    form.text("Delivery note", (layout.page.width - width) / 2, 40)
    form.text("To the bindery", 30, 90)
    form.text("No. 1", 320, 90)
    report, _ = plan(form.layout(), blank(), "note")
    title = next(one for one in report.bands[0].elements if getattr(one, "text", "") == "Delivery note")
    assert isinstance(title, StaticText) and title.align == "Center" and title.width > 2 * width


def test_a_text_close_above_the_headings_is_not_in_their_band() -> None:
    form = Form()
    address = form.text("送货地址：无锡市友谊北路", 30, 90)
    headings = [form.text(text, x, 101) for text, x in (("Item", 30), ("Price", 200))]
    tops = [106.0, 120.0, 134.0]
    columns = zip(("Item", "Price"), (30, 200), (("Tea", "Cup", "Pot"), ("1.50", "2.50", "9.00")), strict=True)
    slots = [
        Slot(label=label, blocks=[form.text(t, x, top + 10, value=True) for t, top in zip(texts, tops, strict=True)])
        for label, x, texts in columns
    ]
    form.repeats(tops, 14, slots, headings)

    report, _ = plan(form.layout(), blank(), "note")

    (band,) = [band for band in report.bands if any(one.key == address for one in band.elements)]
    assert band.name == "title"


def test_a_centred_title_ends_before_what_stands_a_little_lower_beside_it() -> None:
    measured = Form()
    measured.text("Delivery note", 0, 40, size=16)
    width = measured.layout().blocks[0].box.width
    form = Form()
    form.text("Delivery note", (form.layout().page.width - width) / 2, 40, size=16)
    form.text("Contact", 330, 47.5, size=8)
    report, _ = plan(form.layout(), blank(), "note")
    title, contact = (
        next(one for one in report.bands[0].elements if getattr(one, "text", "") == text)
        for text in ("Delivery note", "Contact")
    )
    assert title.x + title.width <= contact.x


def test_cells_above_ruled_headings_end_where_these_begin(engine: ReportEngine) -> None:
    form = Form()
    cells = form.grid([20.0, 200.0, 380.0], [20.0, 45.84, 71.76, 97.68, 123.6])
    form.text("Taxpayer", 110, 36, align="Center", room=cells[0][0])
    form.text("Meadow Bindery", 290, 36, align="Center", room=cells[0][1], value=True, label="Taxpayer")
    header = [
        form.text(text, cell.middle[0], 62, align="Center", room=cell)
        for text, cell in zip(("Item", "Amount"), cells[1], strict=True)
    ]
    rows = [
        [form.text(text, cell.middle[0], cell.y + 16, align="Center", room=cell, value=True) for text, cell in pairs]
        for pairs in (
            zip(("Wall lamp", "12.50"), cells[2], strict=True),
            zip(("Paper", "9.90"), cells[3], strict=True),
        )
    ]
    slots = [Slot(label=label, blocks=[row[n] for row in rows]) for n, label in enumerate(("Item", "Amount"))]
    form.repeats([71.76, 97.68], 25.92, slots, header)

    found = bands(plan(form.layout(), blank(), "form")[0])

    assert found["title"].height == 46 - 20
    assert [(one.y, one.height) for one in found["title"].elements] == [(0, 26), (0, 26)]
    assert {one.y for one in found["columnHeader"].elements} == {0}


def test_headings_in_capitals_fill_their_bar() -> None:
    form = Form()
    form.fill(Box(x=20, y=80, width=360, height=26))
    header = [form.text(text, x, 96, size=7) for text, x in (("ITEM", 30), ("AMOUNT", 200))]
    tops = [110.0, 130.0, 150.0]
    columns = zip(("Item", "Amount"), (30, 200), (("Tea", "Cup", "Pot"), ("1,001.50", "2.50", "9.00")), strict=True)
    slots = [
        Slot(label=label, blocks=[form.text(t, x, top + 13, value=True) for t, top in zip(texts, tops, strict=True)])
        for label, x, texts in columns
    ]
    form.repeats(tops, 20, slots, header)
    band = bands(plan(form.layout(), blank(), "form")[0])["columnHeader"]
    assert [one.height for one in band.elements if isinstance(one, StaticText)] == [26, 26]


def test_rows_with_more_lines_stretch_and_what_follows_stays_in_position(engine: ReportEngine) -> None:
    form = Form()
    texts = ["Green tea\nfrom the first\nharvest", "Black tea", "Cups\nof glass"]
    tops = [100.0, 144.0, 164.0]
    names = [form.text(text, 30, top + 12, value=True) for text, top in zip(texts, tops, strict=True)]
    prices = [form.text(f"{row}.50", 200, top + 12, value=True) for row, top in enumerate(tops)]
    slots = [Slot(label="Item", blocks=names), Slot(label="Price", blocks=prices)]
    form.repeats(tops, 20, slots, [], heights=[44, 20, 32])
    form.text("Thank you", 30, 230)
    layout = form.layout()
    printout, items = filled(engine, layout)
    assert printout.pages == 1
    assert max(abs(down) for _, down in off(layout, items).values()) <= 4


def test_a_weight_below_some_items_of_a_receipt_has_a_line_of_its_own_there_and_none_elsewhere(
    engine: ReportEngine,
) -> None:
    form = Form()
    tops, heights = [100.0, 128.0, 142.0, 156.0, 184.0], [28.0, 14.0, 14.0, 28.0, 14.0]
    names = [form.text(f"Cheese {row}", 30, top + 11, value=True) for row, top in enumerate(tops)]
    prices = [form.text(f"{row}.50", 200, top + 11, value=True) for row, top in enumerate(tops)]
    weights = [
        form.text("0.302 x 5.29", 44, top + 25, value=True) if height > 14 else None
        for top, height in zip(tops, heights, strict=True)
    ]
    slots = [Slot(label=label, blocks=ids) for label, ids in (("Item", names), ("Price", prices), ("Weight", weights))]
    form.repeats(tops, 20, slots, [], heights=heights)
    form.text("Total", 30, 215)
    layout = form.layout()

    printout, items = filled(engine, layout)

    assert printout.pages == 1
    assert max(abs(down) for _, down in off(layout, items).values()) <= 3


def test_a_value_at_the_top_of_a_high_row_is_held_there_where_the_other_rows_hold_one_line() -> None:
    form = Form()
    columns, edges = [30.0, 200.0, 280.0], [100.0, 144.0, 164.0, 184.0]
    rooms = form.grid(columns, edges)
    texts = [("Green tea\nfrom the first\nharvest", "7.50"), ("Black tea", "1.50"), ("Cups", "2.50")]
    names, prices = [], []
    for (item, price), (left, right), top in zip(texts, rooms, edges, strict=False):
        names.append(form.text(item, 34, top + 14, value=True, room=left))
        is_high = right.height > 20
        prices.append(form.text(price, 204, top + 14, value=True, room=right, valign="Top" if is_high else "Middle"))
    slots = [Slot(label="Item", blocks=names), Slot(label="Price", blocks=prices)]
    form.repeats(edges[:-1], 20, slots, [], heights=[44, 20, 20])

    report, _ = plan(form.layout(), blank(), "tea")

    detail = next(band for band in report.bands if band.name == "detail")
    valigns = [element.valign for element in detail.elements if isinstance(element, TextField)]
    assert valigns == ["Middle", "Top"]


def test_a_box_to_tick_is_a_boolean_printed_as_a_square():
    form = Form()
    form.text("Express delivery", 60, 50)
    box = TickBox(id="tick1", box=Box(x=40, y=41, width=10, height=10), ticked=True, label="Express delivery")
    layout = form.layout().model_copy(update={"tick_boxes": [box]})

    report, data = plan(layout, blank(), "order")
    (field,) = [e for band in report.bands for e in band.elements if e.source == "tick1" and isinstance(e, TextField)]

    (parameter,) = report.parameters
    assert (parameter.java_class, data.parameters[parameter.name]) == ("java.lang.Boolean", True)
    assert (field.width, field.height, field.borders.left.width) == (10, 10, 0.75)
    reference = f"$P{{{parameter.name}}}"
    assert field.expression == f'{reference} != null && {reference} ? "X" : ""'


def test_an_empty_grid_becomes_a_plan() -> None:
    form = Form()
    form.grid([50, 200, 400], [100, 130, 160])
    report, _ = plan(form.layout(), blank(), "form")
    assert report.bands


def test_a_colon_that_was_set_apart_from_its_label_is_no_part_of_the_value() -> None:
    assert labelled_value(": 31/01/2026", "Pay Date").value == "31/01/2026"
    assert labelled_value(": 26", "Working Days").value == "26"
    assert labelled_value("Purchase Order #: 2023-12-000020", "Purchase Order").value == "2023-12-000020"


def test_the_words_before_a_value_stay_wording_though_its_label_is_another_one():
    assert labelled_value("Phone: 392-3233", "Bill to phone", "Phone: ").value == "392-3233"


def test_a_value_that_begins_with_the_word_above_it_is_printed_as_a_whole():
    assert labelled_value("Client Limited", "Client").value == "Client Limited"
    assert labelled_value("Order C40217", "Order", "Order ").value == "C40217"


def test_a_column_grows_no_farther_than_the_empty_column_beside_it() -> None:
    layout = invoice().layout()
    assert layout.repeat
    amount = next(block for block in layout.blocks if block.id == layout.repeat.slots[-1].blocks[0])
    right = amount.box.right + 20
    remarks = Box.between(right, amount.box.y, right + 60, amount.box.bottom)
    empty = Blank(id="b", label="Remarks", box=remarks, style=amount.style)
    assert between_blanks(amount, (300, 550), [empty]) == (300, right)
    assert between_blanks(amount, (300, 550), []) == (300, 550)
