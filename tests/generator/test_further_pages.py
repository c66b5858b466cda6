"""A document of several pages becomes one template that prints each page at its place, filled from one data file."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from bandsmith.services.generator.mapping.field_mapping import map_fields
from bandsmith.services.generator.planning import plan
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.jrxml.further_pages import further_pages
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.sheet import SheetCell
from bandsmith.shared.model.stacked_pages import stacked
from bandsmith.shared.xml import parse

from .forms import PAGE, Form
from .test_lists import table


def page(title: str, label: str, value: str, number: int) -> Form:
    form = Form()
    form.text(title, 30, 40, size=18)
    form.text(label, 30, 120)
    form.text(value, 130, 120, value=True, label=label)
    form.rule(30, 200, 370, 200)
    form.text(f"Page {number} of 3", 300, 290, value=True)
    return form


def with_ids_of(layout: Layout, number: int) -> Layout:
    """Return a layout whose ids are none of another page."""
    known = re.sub(r'"((?:block|line|rule|picture|grid)\d+)"', rf'"p{number}-\1"', layout.model_dump_json())
    return Layout.model_validate_json(known)


@pytest.fixture
def layout() -> Layout:
    first = page("Lease", "Tenant", "Ada Marlow", 1).layout()
    second = page("House rules", "Caretaker", "Ben Harper", 2)
    second.picture(Box(x=300, y=20, width=50, height=50))
    third = page("Handover", "Keys", "4", 3).layout()
    return first.model_copy(update={"later": [with_ids_of(second.layout(), 2), with_ids_of(third, 3)]})


def white_pages(count: int) -> bytes:
    target = io.BytesIO()
    size = (round(PAGE.width * 150 / 72), round(PAGE.height * 150 / 72) * count)
    Image.new("RGB", size, "white").save(target, "PNG")
    return target.getvalue()


def red_square() -> bytes:
    """Three pages below each other, the second one with a red square where its picture is."""
    picture = Image.open(io.BytesIO(white_pages(3))).convert("RGB")
    scale, height = 150 / 72, picture.height // 3
    picture.paste(
        "red", (round(300 * scale), height + round(20 * scale), round(350 * scale), height + round(70 * scale))
    )
    target = io.BytesIO()
    picture.save(target, "PNG")
    return target.getvalue()


def printed(engine: ReportEngine, layout: Layout, form: bytes) -> list[dict[str, Box]]:
    """Return where each text is printed, by page."""
    report, data = plan(layout, form, "lease")
    printout = engine.print(build_jrxml(report), data, pages=1, listed=9)
    pages = [printout.elements, *printout.later]
    return [{one.text: one.box for one in elements if one.text} for elements in pages]


def test_each_page_is_printed_on_a_page_of_its_own(engine: ReportEngine, layout: Layout):
    pages = printed(engine, layout, white_pages(3))

    assert len(pages) == 3
    assert {"Lease", "Ada Marlow", "Page 1 of 3"} <= set(pages[0])
    assert {"House rules", "Ben Harper", "Page 2 of 3"} <= set(pages[1])
    assert {"Handover", "4", "Page 3 of 3"} <= set(pages[2])


def test_a_text_stands_as_high_on_a_later_page_as_on_the_first(engine: ReportEngine, layout: Layout):
    pages = printed(engine, layout, white_pages(3))

    assert pages[1]["Caretaker"].y == pages[0]["Tenant"].y
    assert pages[2]["Handover"].x == pages[0]["Lease"].x


def test_the_values_of_all_pages_are_in_one_data_file_named_by_their_labels(layout: Layout):
    report, data = plan(layout, white_pages(3), "lease")
    _, data = map_fields(build_jrxml(report), data, stacked(layout, layout.later))

    assert data.parameters["tenant"] == "Ada Marlow"
    assert data.parameters["caretaker"] == "Ben Harper"
    assert data.parameters["keys"] == 4


def test_what_a_workbook_computes_on_a_later_page_stands_on_that_page():
    cell = SheetCell(row=60, column=4, box=Box(x=300, y=40, width=50, height=20))
    second = Layout(page=PAGE, sheet_cells=[cell])

    [found] = stacked(Layout(page=PAGE), [second]).sheet_cells

    assert (found.row, found.box.y) == (60, 40 + PAGE.height)


def test_a_picture_of_a_later_page_is_cropped_from_that_page(engine: ReportEngine, layout: Layout):
    report, data = plan(layout, red_square(), "lease")
    pictures = engine.print(build_jrxml(report), data).pictures
    middle = (round(325 * 150 / 72), round(45 * 150 / 72))

    colours = [Image.open(io.BytesIO(png)).convert("RGB").getpixel(middle) for png in pictures]

    assert colours == [(255, 255, 255), (255, 0, 0), (255, 255, 255)]


def test_a_table_of_a_later_page_is_a_list_with_rows_of_its_own(engine: ReportEngine, layout: Layout):
    form = page("Inventory", "Flat", "12b", 2)
    rows = table(form, 150, ("Item", "Count"), [("Chair", "4"), ("Table", "1")])
    second = with_ids_of(form.layout().model_copy(update={"further": [rows]}), 2)
    layout = layout.model_copy(update={"later": [second]})

    _, data = plan(layout, white_pages(2), "lease")
    pages = printed(engine, layout, white_pages(2))

    assert [len(rows) for rows in data.lists.values()] == [2]
    assert pages[1]["Table"].y - pages[1]["Chair"].y == 20


def test_paper_of_one_colour_is_behind_all_pages_and_leaves_a_list_room_to_grow(engine: ReportEngine, layout: Layout):
    form = Form()
    form.text("Inventory", 30, 40, size=18)
    rows = table(form, 150, ("Item", "Count"), [("Chair", "4"), ("Table", "1")])
    blue = {"paper": "#DDEEFF", "later": []}
    second = with_ids_of(form.layout().model_copy(update={"further": [rows]}), 2)
    papers = layout.model_copy(update={**blue, "later": [second.model_copy(update=blue)]})
    report, data = plan(papers, white_pages(2), "lease")
    name, items = next(iter(data.lists.items()))

    printout = engine.print(build_jrxml(report), data.model_copy(update={"lists": {name: [items[0]] * 4}}), pages=9)
    corners = [Image.open(io.BytesIO(png)).convert("RGB").getpixel((3, 3)) for png in printout.pictures]

    assert corners == [(0xDD, 0xEE, 0xFF)] * 2


def test_the_template_has_a_band_for_each_later_page_with_page_breaks_between_them(layout: Layout):
    report, _ = plan(layout, white_pages(3), "lease")
    bands = further_pages(parse(build_jrxml(report)))

    assert [any(element.tag.endswith("break") for element in band) for band in bands] == [True, False]
