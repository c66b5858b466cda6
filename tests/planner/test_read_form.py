"""A form is read again by a model: what it is shown, and what becomes of its answer."""

from __future__ import annotations

import io
import json
from base64 import b64decode
from typing import Any

import pytest
from PIL import Image, ImageDraw

from bandsmith.services.planner.read_form import read_form
from bandsmith.shared.events import FormRead, ReadForm
from bandsmith.shared.llm import Allowance, model_from
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedReply
from bandsmith.shared.model.form_reading import FormReading
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import (
    Blank,
    Block,
    Cell,
    Grid,
    JoinedPages,
    Layout,
    Picture,
    Repeat,
    RulingLine,
    Slot,
    TextLine,
    TextStyle,
    TickBox,
)
from tests.generator.test_actor import MemoryStore

STYLE = TextStyle(family="DejaVu Sans", size=9)
TEXTS = (
    ("Corner Shop", 40, 40, 0.9),
    ("Oat milk", 40, 100, 0.9),
    ("3.80", 200, 100, 0.9),
    ("Bread", 40, 114, 0.8),
    ("2.40", 200, 114, 1.0),
    ("l:", 2, 300, 0.4),
)


def page(**changes: Any) -> Layout:
    """A receipt of which the rules take the first item alone for a row."""
    lines = [
        TextLine(id=f"l{number}", text=text, box=Box(x=x, y=y, width=40, height=7), style=STYLE, confidence=confidence)
        for number, (text, x, y, confidence) in enumerate(TEXTS, 1)
    ]
    blocks = [Block(id=f"b-{n.id}", text=n.text, lines=[n.id], box=n.box, style=STYLE) for n in lines]
    rows = Repeat(box=lines[1].box, tops=[98], pitch=14, slots=[Slot(label="Item", blocks=["b-l2"])])
    picture = Picture(id="p1", box=Box(x=300, y=300, width=60, height=60))
    layout = Layout(page=Size(width=420, height=595), lines=lines, blocks=blocks, repeat=rows, pictures=[picture])
    return layout.model_copy(update=changes)


def drawn() -> bytes:
    """The page as a PNG: right of *Bread*, between its name and its amount, something is printed."""
    written = io.BytesIO()
    form = Image.new("RGB", (875, 1240), "white")
    ImageDraw.Draw(form).text((178, 238), "rye rye rye", fill="black")
    form.save(written, "PNG")
    return written.getvalue()


class Asked:
    """One form that a scripted model was asked about."""

    def __init__(self, model: ScriptedModel, event: FormRead, reading: FormReading | None) -> None:
        self.model, self.event, self.reading = model, event, reading

    @property
    def prompt(self) -> str:
        return self.model.requests[0].text


async def ask(*replies: dict[str, Any] | ScriptedReply, layout: Layout | None = None, sees: bool = False) -> Asked:
    store = MemoryStore()
    command = ReadForm(
        layout=await store.put((layout or page()).model_dump_json().encode(), "application/json"),
        form=await store.put(drawn(), "image/png"),
        text="a receipt",
        language="en",
        allowance=Allowance(calls=10, tokens=100_000),
    )
    script = [one if isinstance(one, ScriptedReply) else json.dumps(one) for one in replies]
    with ScriptedModel(script) as server:
        model = model_from(server.settings(vision=sees))
        assert model is not None
        event = await read_form(store, command, model)
        await model.close()
    reading = FormReading.model_validate_json(await store.get(event.reading)) if event.reading else None
    return Asked(server, event, reading)


RIGHT: dict[str, Any] = {"wrong": "", "rows_are_right": True}
ITEMS: dict[str, Any] = {
    "rows_are_right": False,
    "tables": [{"columns": [{"name": "Item"}, {"name": "Amount"}], "rows": ["2 | 3", "4 | 5"]}],
}


async def test_it_is_shown_each_text_with_its_place_and_what_rules_take_it_for():
    asked = await ask(RIGHT)
    assert "1 [40,40,80,47] Corner Shop | wording" in asked.prompt
    assert "2 [40,100,80,107] Oat milk | row 1, column 1" in asked.prompt
    assert "7 [300,300,360,360] (image)" in asked.prompt
    assert "420 x 595" in asked.prompt and "a receipt" in asked.prompt


@pytest.mark.parametrize("sees", [True, False])
async def test_only_a_model_that_sees_pictures_is_shown_the_page(sees: bool):
    asked = await ask(RIGHT, sees=sees)
    assert len(asked.model.requests[0].pictures) == sees


async def test_the_pictures_on_the_page_that_it_sees_have_their_numbers():
    [address] = (await ask(RIGHT, sees=True)).model.requests[0].pictures
    with Image.open(io.BytesIO(b64decode(address.partition(",")[2]))) as page:
        framed = page.getpixel((round(330 / 420 * page.width), round(300 / 420 * page.width)))
    assert framed == (208, 2, 27)


async def test_where_nothing_is_wrong_there_is_no_reading():
    assert (await ask(RIGHT)).event.reading is None


async def test_its_rows_are_read_by_the_numbers_of_their_texts():
    reading = (await ask(ITEMS)).reading
    assert reading and reading.tables
    [table] = reading.tables
    assert [column.name for column in table.columns] == ["Item", "Amount"]
    assert table.rows == [[["l2"], ["l3"]], [["l4"], ["l5"]]]


async def test_values_wording_and_scraps_are_read_by_number():
    reading = (
        await ask({"values": [{"texts": "2 3", "label": "First item"}], "wording": [4], "no_part": ["6", 7, 99]})
    ).reading
    assert reading and reading.tables is None
    assert [(value.lines, value.label) for value in reading.values] == [(["l2", "l3"], "First item")]
    assert (reading.wording, reading.left_out) == (["l4"], ["l6", "p1"])


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (["2 | 3", "2 | 5"], "text 2 is in two places"),
        (["2 | 3", "4 | 99"], "there is no text with the number 99"),
        (["2 | 3", " | "], "row 2 is empty"),
        (["4 | 5", "2 | 3"], "row 2 does not stand below row 1"),
    ],
)
async def test_rows_that_contradict_the_page_go_back_once_and_are_not_used(rows: list[str], fault: str):
    wrong = {**ITEMS, "tables": [{**ITEMS["tables"][0], "rows": rows}]}
    asked = await ask(wrong, wrong)
    assert fault in asked.model.requests[1].text
    assert len(asked.model.requests) == 2
    assert asked.event.reading is None


async def test_two_columns_that_were_read_as_one_text_are_parted():
    answer = {
        "parted": [{"text": 2, "parts": ["Oat", "milk"]}],
        "rows_are_right": False,
        "tables": [{"columns": [{"name": "Grain"}, {"name": "Item"}], "rows": ["2.1 | 2.2 3", "4 | 5"]}],
    }
    reading = (await ask(answer)).reading
    assert reading and reading.tables
    assert reading.parted == {"l2": ["Oat", "milk"]}
    assert reading.tables[0].rows == [[["l2.1"], ["l2.2", "l3"]], [["l4"], ["l5"]]]


async def test_parts_that_a_text_does_not_say_go_back_and_are_not_used():
    wrong = {"parted": [{"text": 2, "parts": ["Oat", "butter"]}]}
    asked = await ask(wrong, wrong)
    assert "what text 2 says" in asked.model.requests[1].text
    assert asked.event.reading is None


async def test_one_row_without_headings_needs_names_for_its_columns():
    one = {**ITEMS, "tables": [{**ITEMS["tables"][0], "rows": ["2 | 3"]}]}
    named = (await ask(one)).reading
    assert named and named.tables and len(named.tables[0].rows) == 1
    nameless = {**one, "tables": [{"columns": [{}, {}], "rows": ["2 | 3"]}]}
    assert (await ask(nameless, nameless)).event.reading is None


async def test_a_reply_that_leaves_out_much_of_the_form_leaves_out_nothing():
    assert (await ask(*[{"no_part": [1, 2, 3, 4]}] * 2)).event.reading is None


async def test_a_model_that_sees_the_page_may_read_a_picture_otherwise_but_not_what_a_document_says():
    misread = {"misread": [{"text": 4, "reads": "Broad beans"}, {"text": 5, "reads": "2.48"}]}
    seen = (await ask(misread, sees=True)).reading
    assert seen and seen.misread == {"l4": "Broad beans"}
    assert (await ask(misread, sees=False)).event.reading is None


async def test_a_stroke_that_is_a_figure_becomes_a_text_where_it_stands():
    stroke = RulingLine(id="r1", x1=150, y1=100, x2=150, y2=108, thickness=1)
    rows = {"columns": [{"name": name} for name in ("Item", "Count", "Amount")], "rows": ["2 | 8 | 3", "4 | | 5"]}
    answer = {"misread": [{"text": 8, "reads": "1"}], "rows_are_right": False, "tables": [rows]}
    reading = (await ask(answer, sees=True, layout=page(rules=[stroke]))).reading
    assert reading and reading.tables
    [one] = reading.added
    assert (one.line.text, one.replaces, reading.left_out) == ("1", "r1", [])
    assert one.line.box.holds(150, 104) and one.line.box.width < 10
    assert reading.tables[0].rows[0] == [["l2"], [one.line.id], ["l3"]]
    assert (await ask(answer, answer, layout=page(rules=[stroke]))).event.reading is None


async def test_letters_that_a_document_sets_apart_are_joined():
    apart = page()
    apart.lines[4] = apart.lines[4].model_copy(update={"text": "2 . 5 0"})
    seen = (await ask({"misread": [{"text": 5, "reads": "2.50"}]}, sees=True, layout=apart)).reading
    assert seen and seen.misread == {"l5": "2.50"}


async def test_a_text_that_is_divided_or_left_out_is_not_said_to_be_read_otherwise():
    answer = {
        "parted": [{"text": 2, "parts": ["Oat", "milk"]}],
        "misread": [{"text": 2, "reads": "Oak milk"}, {"text": 6, "reads": "I"}],
        "no_part": [6],
    }
    reading = (await ask(answer, sees=True)).reading
    assert reading and reading.misread == {} and reading.left_out == ["l6"]


async def test_it_is_shown_the_places_to_fill_in_that_were_found():
    blank = Blank(id="blank1", label="Till", box=Box(x=90, y=40, width=60, height=9), style=STYLE)
    assert 'b1 [90,40,150,49] (place to fill in: "Till")' in (await ask(RIGHT, layout=page(blanks=[blank]))).prompt


async def test_a_place_to_fill_in_or_a_box_to_tick_is_named_otherwise_or_is_none():
    blanks = [
        Blank(id=name, label="Till", box=Box(x=90, y=y, width=60, height=9), style=STYLE)
        for name, y in (("blank1", 40), ("blank2", 200), ("blank3", 220))
    ]
    ticks = [TickBox(id="t1", box=Box(x=40, y=240, width=8, height=8), ticked=False, label="Till")]
    answer = {"values": [{"texts": "b2", "label": "Remark"}, {"texts": "8", "label": "Paid"}], "no_part": ["b3", "b9"]}
    asked = await ask(answer, layout=page(blanks=blanks, tick_boxes=ticks))
    assert '8 [40,240,48,248] (box to tick: "Till")' in asked.prompt
    assert asked.reading and [(place.box, place.label) for place in asked.reading.places] == [
        (blanks[1].box, "Remark"), (blanks[2].box, ""), (ticks[0].box, "Paid"),
    ]  # fmt: skip
    assert len(asked.model.requests) == 1


async def test_lines_of_one_sentence_are_one_text_where_they_stand_below_each_other():
    tight = page()
    tight.lines[3] = tight.lines[3].model_copy(update={"box": Box(x=40, y=110.5, width=40, height=7)})
    reading = (await ask({"wording": ["2 4", 5]}, layout=tight)).reading
    assert reading and (reading.paragraphs, reading.wording) == ([["l2", "l4"]], ["l5"])
    asked = await ask(*[{"wording": ["1 2"]}] * 2)
    assert "wording.0: these are not lines of one text" in asked.model.requests[1].text
    assert asked.event.reading is None


async def test_lines_farther_apart_than_their_font_sets_them_stay_where_they_are():
    asked = await ask({"wording": ["2 4"]})
    assert len(asked.model.requests) == 1
    assert asked.reading and (asked.reading.paragraphs, asked.reading.wording) == ([], ["l2", "l4"])


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


async def test_a_place_below_a_part_of_a_text_is_below_that_part_alone():
    answer = {
        "parted": [{"text": 3, "parts": ["3", ".80"]}],
        "added": [{"beside": 6, "below": "3.2", "label": "Cents"}],
    }
    reading = (await ask(answer)).reading
    assert reading and reading.added[0].line.box.x > 205


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


async def test_strokes_and_boxes_have_numbers_and_can_be_no_part_of_the_form():
    stroke = RulingLine(id="r1", x1=40, y1=200, x2=60, y2=200, thickness=1)
    box = TickBox(id="t1", box=Box(x=40, y=220, width=8, height=8), ticked=False)
    asked = await ask({"no_part": [8, 9]}, layout=page(rules=[stroke], tick_boxes=[box]))
    assert "8 [40,220,48,228] (box to tick)" in asked.prompt and "9 [40,200,60,200] (line)" in asked.prompt
    assert asked.reading and asked.reading.left_out == ["t1", "r1"]


async def test_a_stroke_in_a_cell_has_a_number_but_the_sides_of_cells_have_none():
    frame = Box.between(30, 90, 250, 122)
    cells = [Cell(row=0, column=0, box=frame)]
    rules = [RulingLine(id="r1", x1=30, y1=90, x2=250, y2=90, thickness=1)]
    rules += [RulingLine(id="r2", x1=200, y1=117, x2=240, y2=117, thickness=1)]
    grid = Grid(id="g1", box=frame, columns=[30, 250], rows=[90, 122], cells=cells, rules=["r1", "r2"])
    asked = await ask({"no_part": [8]}, layout=page(grids=[grid], rules=rules))
    assert asked.prompt.count("(line)") == 1 and asked.reading and asked.reading.left_out == ["r2"]


async def test_the_pieces_of_a_picture_are_named_by_number_but_are_not_much_of_the_form():
    reading = (await ask({"one_picture": ["7 6"]})).reading
    assert reading and reading.one_picture == [["p1", "l6"]]
    asked = await ask(*[{"one_picture": ["1 2 3 4 5"]}] * 2)
    assert "one_picture.0" in asked.model.requests[1].text and asked.event.reading is None


async def test_without_an_answer_the_rules_stand_and_the_trouble_is_named():
    asked = await ask(ScriptedReply("no such key", status=401))
    assert asked.event.reading is None
    assert "key" in " ".join(asked.event.notes)


async def test_a_table_over_several_pages_and_a_template_are_not_asked_about():
    layout = page()
    joined = layout.model_copy(update={"joined": JoinedPages(layout=layout, pages=2, footer_top=500, footer_shift=0)})
    marked = layout.model_copy(
        update={"lines": [line.model_copy(update={"text": "{{ total }}"}) for line in layout.lines]}
    )
    for certain in (joined, marked):
        asked = await ask(RIGHT, layout=certain)
        assert asked.model.requests == [] and asked.event.reading is None


async def test_a_template_that_repeats_nothing_is_asked_about():
    """Its rows may be numbered: {{ item1 }}, {{ item2 }}."""
    layout = page(repeat=None)
    lines = [line.model_copy(update={"text": f"{{{{ item{n} }}}}"}) for n, line in enumerate(layout.lines)]
    reading = (await ask(ITEMS, layout=layout.model_copy(update={"lines": lines}))).reading
    assert reading and reading.tables and len(reading.tables[0].rows) == 2
