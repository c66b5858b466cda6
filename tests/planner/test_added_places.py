"""A model that reads a form adds places to fill in and print that was not read, by the texts around them."""

from __future__ import annotations

import pytest

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Cell, Grid, Repeat

from .read_forms import ITEMS, STYLE, ask, page


async def test_a_place_before_a_text_is_to_its_left():
    reading = (await ask({"added": [{"before": 5, "label": "Count"}]})).reading
    assert reading
    [place] = reading.added
    assert place.line.box.x > 80 and place.line.box.right < 200 and place.line.box.holds(150, 117)


async def test_a_place_to_fill_in_is_added_beside_below_or_where_line_and_column_meet():
    added = [
        {"beside": 1, "label": "Branch"},
        {"below": 4, "label": "Remark"},
        {"beside": 6, "below": 3, "label": "Total"},
    ]
    reading = (await ask({"added": added})).reading
    assert reading
    beside, below, crossing = reading.added
    assert [one.label for one in reading.added] == ["Branch", "Remark", "Total"]
    assert not any(one.line.text for one in reading.added)
    assert beside.line.box.holds(100, 43.5) and beside.line.box.x > 80 and beside.line.box.height > STYLE.size
    assert below.line.box.x == 40 and below.line.box.y > 121
    assert (crossing.line.box.x, crossing.line.box.y) == (200, 300)


async def test_a_place_below_a_short_heading_reaches_half_way_to_the_headings_beside_it():
    short = page()
    short.lines[2] = short.lines[2].model_copy(update={"box": Box(x=200, y=100, width=12, height=7)})
    reading = (await ask({"added": [{"beside": 6, "below": 3, "label": "Monday"}]}, layout=short)).reading
    assert reading
    box = reading.added[0].line.box
    assert 140 < box.x < 200 and box.right - 212 == pytest.approx(200 - box.x)


async def test_a_place_beside_a_label_is_the_empty_cell_there_where_that_is_wider():
    cells = [
        Cell(row=0, column=n, box=Box.between(left, 290, right, 310))
        for n, (left, right) in enumerate([(0, 50), (50, 150)])
    ]
    grid = Grid(id="g1", box=Box.between(0, 290, 150, 310), columns=[0, 50, 150], rows=[290, 310], cells=cells)
    reading = (await ask({"added": [{"beside": 6, "label": "Signed"}]}, layout=page(grids=[grid]))).reading
    assert reading and reading.added[0].line.box == cells[1].box


async def test_a_place_beside_a_label_is_the_top_of_a_cell_that_has_a_text_further_down():
    """Such as the opinion above the line to sign on."""
    cells = [
        Cell(row=0, column=n, box=Box.between(left, 290, right, 400))
        for n, (left, right) in enumerate([(0, 90), (90, 350)])
    ]
    grid = Grid(id="g1", box=Box.between(0, 290, 350, 400), columns=[0, 90, 350], rows=[290, 400], cells=cells)
    layout = page(grids=[grid])
    signature = layout.lines[5].model_copy(
        update={"id": "l7", "text": "Signature", "box": Box(x=200, y=380, width=40, height=7)}
    )
    layout = layout.model_copy(update={"lines": [*layout.lines, signature]})
    reading = (await ask({"added": [{"beside": 6, "label": "Opinion"}]}, layout=layout)).reading
    assert reading
    box = reading.added[0].line.box
    assert (box.x, box.y, box.right) == (90, 290, 350) and 370 < box.bottom < 380


async def test_a_place_below_a_label_is_the_rest_of_its_cell():
    cell = Cell(row=0, column=0, box=Box.between(0, 290, 350, 400))
    grid = Grid(id="g1", box=cell.box, columns=[0, 350], rows=[290, 400], cells=[cell])
    reading = (await ask({"added": [{"below": 6, "label": "Opinion"}]}, layout=page(grids=[grid]))).reading
    assert reading and reading.added[0].line.box.bottom == 399 and reading.added[0].line.box.right == 349


async def test_a_place_far_from_all_texts_is_given_by_its_edges():
    reading = (await ask({"added": [{"at": "300 500 400 520", "label": "Seal"}]}, sees=True)).reading
    assert reading and reading.added[0].line.box == Box.between(300, 500, 400, 520)


async def test_a_place_that_is_given_by_its_edges_is_the_empty_cell_that_it_nearly_fills():
    """Such as the total of a day in a grid: a field beside the cell would lie upon it."""
    cell = Cell(row=0, column=0, box=Box.between(298, 498, 402, 523))
    grid = Grid(id="g1", box=cell.box, columns=[298, 402], rows=[498, 523], cells=[cell])

    for at, box in (("300 500 400 520", cell.box), ("300 500 330 510", Box.between(300, 500, 330, 510))):
        reading = (await ask({"added": [{"at": at, "label": "Sunday"}]}, layout=page(grids=[grid]))).reading
        assert reading and reading.added[0].line.box == box


async def test_a_place_below_a_part_of_a_text_is_below_that_part_alone():
    answer = {
        "parted": [{"text": 3, "parts": ["3", ".80"]}],
        "added": [{"beside": 6, "below": "3.2", "label": "Cents"}],
    }
    reading = (await ask(answer)).reading
    assert reading and reading.added[0].line.box.x > 205


async def test_a_place_beside_a_part_of_a_text_ends_where_the_next_part_begins():
    answer = {"parted": [{"text": 2, "parts": ["Oat", "milk"]}], "added": [{"beside": "2.1", "label": "Kind"}]}
    layout = page()
    wide = layout.lines[1].model_copy(update={"box": Box(x=40, y=100, width=150, height=7)})
    layout = layout.model_copy(update={"lines": [layout.lines[0], wide, *layout.lines[2:]]})

    asked = await ask(answer, layout=layout)

    assert asked.reading and 150 < asked.reading.added[0].line.box.right < 172


async def test_a_place_may_lie_between_the_parts_of_a_divided_text():
    """Such as the month in a date to fill in."""
    between = {"at": "215 100 225 107", "label": "Month"}
    asked = await ask(*[{"added": [between]}] * 2)
    assert "added.0: text 3 stands at that place" in asked.model.requests[1].text
    reading = (await ask({"parted": [{"text": 3, "parts": ["3", ".80"]}], "added": [between]})).reading
    assert reading and reading.added[0].label == "Month"


async def test_a_part_of_a_text_may_be_read_otherwise_and_a_text_be_divided_as_it_is_corrected():
    part = {"parted": [{"text": 4, "parts": ["Bre", "ad"]}], "misread": [{"text": "4.2", "reads": "ak"}]}
    seen = (await ask(part, sees=True)).reading
    assert seen and (seen.parted, seen.misread) == ({"l4": ["Bre", "ad"]}, {"l4.2": "ak"})
    whole = {"parted": [{"text": 4, "parts": ["Broad", "beans"]}], "misread": [{"text": 4, "reads": "Broad beans"}]}
    assert (await ask(whole, sees=True)).reading.parted == {"l4": ["Broad", "beans"]}
    exact = {"parted": [{"text": 5, "parts": ["2", "48"]}], "misread": [{"text": 5, "reads": "2 48"}]}
    asked = await ask(exact, exact, sees=True)
    assert "parted.0: the parts are not" in asked.model.requests[1].text


async def test_a_place_that_is_not_free_or_beside_no_text_goes_back_and_is_not_used():
    for one, reason in (
        ({"beside": 2, "below": 3, "label": "Price"}, "text 3 stands at that place, 200,100,240,107"),
        ({"beside": 99, "label": "Price"}, "there is no text with the number 99"),
        ({"before": 6, "label": "Price"}, "there is no room at these texts: only 0 points are free"),
        ({"at": "400 580 500 600", "label": "Price"}, "at: that is not a place on the page"),
        ({"at": "400 580", "label": "Price"}, "at: give left, top, right and bottom"),
        ({"beside": 1, "reads": "Limited"}, "no print is seen at that place"),
    ):
        asked = await ask(*[{"added": [one]}] * 2, sees=True)
        assert f"added.0: {reason}" in asked.model.requests[1].text
        assert asked.event.reading is None


async def test_a_place_in_a_row_below_the_first_one_goes_back():
    """Whatever the first row prints, the others print too."""
    answer = {"added": [{"beside": 6, "label": "Monday"}]}
    box = Box(x=0, y=240, width=300, height=90)
    for top, accepted in ((290, False), (320, True)):
        rows = Repeat(box=box, tops=[240, top], pitch=top - 240, slots=[])
        asked = await ask(answer, answer, layout=page(repeat=None, further=[rows]))
        assert "(2 rows to fill in)" in asked.prompt
        assert bool(asked.reading) == accepted
        assert accepted or "it is in a row that repeats: give it for the first row only" in asked.model.requests[1].text


async def test_two_added_places_are_not_one():
    one = {"added": [{"beside": 1, "label": "Branch"}, {"beside": 1, "label": "City"}]}
    asked = await ask(one, one)
    assert "added.1: text a1 stands at that place" in asked.model.requests[1].text
    assert asked.reading and [added.label for added in asked.reading.added] == ["Branch"]


async def test_print_that_was_not_read_is_added_only_where_the_page_has_ink():
    rows = {**ITEMS["tables"][0], "rows": ["2 | 3", "4 a1 | 5"]}
    bread = {**ITEMS, "added": [{"beside": 4, "reads": "rye"}], "tables": [rows]}
    reading = (await ask(bread, sees=True)).reading
    assert reading and reading.tables
    assert [one.line.text for one in reading.added] == ["rye"]
    assert reading.tables[0].rows[1] == [["l4", "a1"], ["l5"]]
    assert (await ask(bread, bread, sees=False)).event.reading is None
    elsewhere = {"added": [{"beside": 1, "reads": "Limited"}]}
    assert (await ask(elsewhere, elsewhere, sees=True)).event.reading is None


async def test_print_that_is_added_stands_where_its_ink_is():
    """Such as a dash somewhere in the place of an amount."""
    answer = {"added": [{"beside": 4, "below": 1, "reads": "-", "label": "Discount"}]}
    wide = page()
    wide.lines[0] = wide.lines[0].model_copy(update={"box": Box(x=85, y=40, width=100, height=7)})
    reading = (await ask(answer, sees=True, layout=wide)).reading
    assert reading and 85 <= reading.added[0].line.box.x <= 115
