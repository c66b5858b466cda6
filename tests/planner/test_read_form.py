"""A form is read again by a model: what it is shown, and what becomes of its answer."""

from __future__ import annotations

import io
from base64 import b64decode

import pytest
from PIL import Image

from bandsmith.shared.llm.scripted import ScriptedReply
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Cell, Grid, JoinedPages, RulingLine, TickBox

from .read_forms import ITEMS, RIGHT, STYLE, ask, page


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


async def test_a_text_that_is_the_label_of_another_value_is_wording():
    layout = page()
    values = [block.model_copy(update={"role": "value"}) if block.id == "b-l4" else block for block in layout.blocks]
    answer = {"values": [{"texts": "5", "label": "Bread:"}]}

    reading = (await ask(answer, layout=layout.model_copy(update={"blocks": values}))).reading
    assert reading and reading.wording == ["l4"]

    both = {"values": [*answer["values"], {"texts": "4", "label": "Item"}]}
    reading = (await ask(both, layout=layout.model_copy(update={"blocks": values}))).reading
    assert reading and reading.wording == []


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


async def test_of_a_form_of_several_pages_the_first_one_is_shown():
    layout = page()
    asked = await ask(RIGHT, layout=layout.model_copy(update={"later": [layout]}), sees=True)
    [address] = asked.model.requests[0].pictures

    with Image.open(io.BytesIO(b64decode(address.partition(",")[2]))) as shown:
        half = shown.height / shown.width
    [address] = (await ask(RIGHT, layout=layout, sees=True)).model.requests[0].pictures
    with Image.open(io.BytesIO(b64decode(address.partition(",")[2]))) as shown:
        whole = shown.height / shown.width

    assert abs(half - whole / 2) < 0.01  # the form's picture is the same, and shows two pages
