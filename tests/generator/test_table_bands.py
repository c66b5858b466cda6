"""What belongs to a table is printed with it: nothing of a table stays at a fixed place of the page."""

from collections.abc import Sequence

import pytest

from bandsmith.services.generator.planning import plan
from bandsmith.services.generator.planning.page_builder import PageBuilder
from bandsmith.services.generator.planning.regions import Region
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Layout, Repeat, Slot
from bandsmith.shared.model.plan import StaticText, TextElement

from .forms import Form, blank
from .planned import bands, filled, off, texts

COLUMNS: list[float] = [30, 130, 230]


def ruled(heights: Sequence[float], *, crowded: Sequence[int] = ()) -> tuple[Form, list[list[Box]]]:
    """Rows of two columns between rules; of the rows `crowded` the cells' edges were not found for their texts."""
    form, edges = Form(), [60.0]
    for height in heights:
        edges.append(edges[-1] + height)
    cells = form.grid(COLUMNS, edges)
    slots = list[Slot]()
    for column, label in enumerate(("Item", "Amount")):
        rooms = [None if row in crowded else line[column] for row, line in enumerate(cells)]
        names = [
            form.text(f"{label} {row}", line[column].x + 5, line[column].y + 14, value=True, room=room)
            for row, (line, room) in enumerate(zip(cells, rooms, strict=True))
        ]
        slots.append(Slot(label=label, blocks=list(names)))
    form.repeats(edges[:-1], min(heights), slots, [], heights)
    return form, cells


def positions(engine: ReportEngine, layout: Layout, words: str) -> list[float]:
    """How far below the last row a text is printed, with one row and with three times the rows of the form."""
    report, data = plan(layout, blank(), "form")
    found = list[float]()
    for rows in (data.rows[:1], data.rows * 3):
        printed = engine.print(build_jrxml(report), data.model_copy(update={"rows": rows}), pages=0).elements
        (own,) = [one.box.y for one in printed if one.text == words]
        found.append(own - max(one.box.y for one in printed if one.text and one.text.startswith("Item")))
    return found


def test_rows_stay_below_headings_that_are_too_high_for_their_band() -> None:
    builder = PageBuilder([Region("title", 0, 60), Region("columnHeader", 60, 73), Region("detail", 73, 133, rows=3)])

    report = builder.plan("form", Size(width=300, height=400))

    assert [(band.name, band.height) for band in report.bands if band.name == "columnHeader"] == [("columnHeader", 13)]


def test_a_total_whose_cell_begins_in_a_last_row_that_seems_too_high_follows_the_rows(engine: ReportEngine) -> None:
    form, _ = ruled([20, 20, 20])
    total = Box.between(30, 120, 130, 140)
    form.text("Total", 35, 134, room=total)
    form.rule(30, 140, 130, 140)
    assert form.repeat is not None
    form.repeat = form.repeat.model_copy(update={"heights": [20, 20, 27]})  # a text of the row is higher than its cell
    report, _ = plan(form.layout(), blank(), "form")
    assert texts(bands(report)["summary"]) == ["Total"]
    assert "background" not in bands(report)
    few, many = positions(engine, form.layout(), "Total")
    assert abs(few - many) <= 1 and few >= 19


def test_a_text_beside_a_further_table_follows_the_rows_above_it() -> None:
    form, _ = ruled([20, 20])
    notes = [form.text(words, 35, y, value=True) for words, y in (("Red", 154), ("Blue", 174))]
    form.text("I certify\nthat all of\nthis is true\nand complete", 240, 148)
    further = Repeat(
        box=Box(x=30, y=140, width=100, height=40), tops=[140, 160], pitch=20, heights=[],
        slots=[Slot(label="Note", blocks=list(notes))], header=[],
    )  # fmt: skip
    report, _ = plan(form.layout().model_copy(update={"further": [further]}), blank(), "form")
    assert "background" not in bands(report)
    assert "I certify\nthat all of\nthis is true\nand complete" in texts(bands(report)["summary"])


def test_a_heading_a_little_higher_than_its_bar_is_set_smaller_and_lies_above_the_fill() -> None:
    form, _ = ruled([20, 20])
    bar = Box.between(130, 30, 230, 60)
    form.fill(bar, "#3366CC")
    assert form.repeat is not None
    heading = form.text("Amount\nper\nhour", 180, 39, align="Center", room=bar)
    form.repeat = form.repeat.model_copy(update={"header": [heading]})
    report, _ = plan(form.layout(), blank(), "form")
    assert "background" not in bands(report)
    (element,) = [one for one in bands(report)["columnHeader"].elements if isinstance(one, StaticText)]
    assert element.text == "Amount\nper\nhour" and element.height <= 30
    assert 8 <= element.font.size < 10


@pytest.mark.parametrize("crowded", [[2], [1, 2]], ids=["one-row", "two-rows"])
def test_rules_of_rows_whose_texts_fill_their_cells_are_those_of_every_row(crowded: list[int]) -> None:
    form, _ = ruled([20, 20, 50, 40, 20], crowded=crowded)
    report, _ = plan(form.layout(), blank(), "form")
    assert "background" not in bands(report)
    assert [one.kind for one in bands(report)["detail"].elements] == ["textField", "textField"]


def test_a_text_a_little_higher_than_its_cell_has_the_cell_to_itself_where_rows_grow() -> None:
    form, cells = ruled([20, 20, 50])
    for row, line in enumerate(cells):
        at = next(n for n, block in enumerate(form.blocks) if block.text == f"Amount {row}")
        form.text(f"{row}0 EUR\nand tax", 135, line[1].y + 10, value=True, room=line[1])
        form.blocks[at] = form.blocks.pop().model_copy(update={"id": form.blocks[at].id})
    report, data = plan(form.layout(), blank(), "form")
    item, amount = bands(report)["detail"].elements
    assert (amount.x, amount.width, amount.height) == (item.x + 100, 100, 20)
    assert isinstance(amount, TextElement) and amount.padding.bottom == 0
    assert [row["column_2"] for row in data.rows] == [f"{row}0 EUR\nand tax" for row in range(3)]


def test_a_rule_that_is_longer_in_some_rows_is_one_of_every_row() -> None:
    form = Form()
    tops = [60.0 + 20 * row for row in range(6)]
    names = [form.text(f"Item {row}", 110, top + 14, value=True) for row, top in enumerate(tops)]
    for row, top in enumerate(tops):
        form.rule(30 if row in (1, 2, 4) else 100, top + 20, 230, top + 20)
    form.repeats(tops, 20, [Slot(label="Item", blocks=list(names))], [])
    report, _ = plan(form.layout(), blank(), "form")
    lines = [one for one in bands(report)["detail"].elements if one.kind == "line"]
    assert [(one.x + report.margins.left, one.width, one.print_when) for one in lines] == [(100, 130, None)]


def test_a_cell_nearly_as_high_as_two_rows_does_not_move_the_rows(engine: ReportEngine) -> None:
    form = Form()
    tops = [60.0 + 12 * row for row in range(8)]
    names = [form.text(f"Item {row}", 110, top + 9, value=True, size=7) for row, top in enumerate(tops)]
    kinds: list[str | None] = [None] * 8
    for row, end in ((2, 107.5), (5, 143.5)):
        cell = Box.between(30, tops[row], 100, end)
        form.fill(cell, "#EEEEEE")
        kinds[row] = form.text(f"Kind {row}", 35, tops[row] + 14, value=True, size=7, room=cell)
    form.text("Totals", 110, tops[-1] + 21, size=7)
    form.repeats(tops, 12, [Slot(label="Kind", blocks=kinds), Slot(label="Item", blocks=list(names))], [])
    _, items = filled(engine, form.layout())
    down = {words: by for words, (_, by) in off(form.layout(), items).items()}
    assert all(abs(down[words]) <= 1.5 for words in ("Item 0", "Item 7", "Totals"))


def test_a_logo_that_reaches_into_the_headings_is_on_the_first_page_only_since_rows_stand_there_on_others() -> None:
    form, _ = ruled([20, 20])
    heading = form.text("Item", 35, 50)
    assert form.repeat is not None
    form.repeat = form.repeat.model_copy(update={"header": [heading]})
    form.picture(Box(x=250, y=10, width=60, height=45))
    form.picture(Box(x=20, y=50, width=300, height=200))  # a watermark behind all of the page
    report, _ = plan(form.layout(), blank(), "form")
    found = {one.height: one.print_when for one in bands(report)["background"].elements}
    assert found == {45: "$V{PAGE_NUMBER} == 1", 200: None}


def test_a_rule_along_the_rows_that_is_broken_in_one_of_them_is_one_of_every_row() -> None:
    form = Form()
    tops = [60.0 + 20 * row for row in range(8)]
    names = [form.text(f"Item {row}", 110, top + 14, value=True) for row, top in enumerate(tops)]
    form.rule(100, 60, 100, 130)
    form.rule(100, 146, 100, 220)
    form.repeats(tops, 20, [Slot(label="Item", blocks=list(names))], [])
    report, _ = plan(form.layout(), blank(), "form")
    assert "background" not in bands(report)
    lines = [one for one in bands(report)["detail"].elements if one.kind == "line"]
    assert [(one.y, one.height, one.print_when) for one in lines] == [(0, 20, None)]
