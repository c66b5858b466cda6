"""How a report looks: stripes, borders, formats, pictures, codes, charts. Each is seen on the page that is printed."""

from __future__ import annotations

import re

import numpy as np
import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.editing.edit_summary import summarize
from bandsmith.shared.editing.outcome import EditOutcome
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add import Add
from bandsmith.shared.edits.add_link import AddLink
from bandsmith.shared.edits.add_page_mark import AddPageMark
from bandsmith.shared.edits.add_signatures import AddSignatures
from bandsmith.shared.edits.add_watermark import AddWatermark
from bandsmith.shared.edits.copy_style import CopyStyle
from bandsmith.shared.edits.hide_empty import HideEmpty
from bandsmith.shared.edits.highlight import Highlight
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.repeat_header import RepeatHeader
from bandsmith.shared.edits.set_borders import SetBorders
from bandsmith.shared.edits.set_columns import SetColumns
from bandsmith.shared.edits.set_format import SetFormat
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_roll import SetRoll
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.edits.stripe_rows import StripeRows
from bandsmith.shared.language import Language
from bandsmith.shared.model.plan import Data

from .printed import BOTH, PX, REPORTS, boxes, colours, inside, loose_columns, page, shown, words
from .reports import ORDERS_ROWS, SLIP_ROWS, edited, orders, place, refused, slip

# --- rows and borders ------------------------------------------------------------------------------------------------


def test_every_other_row_is_shaded_from_side_to_side(engine: ReportEngine) -> None:
    printout = shown(engine, "slip", StripeRows(colour="#F0F0F0"), pages=1)
    pixels = page(printout)
    first, second, third = boxes(printout, "c0")
    right = boxes(printout, "c3")[0].right
    for row, share in ((first, 0.0), (second, 1.0), (third, 0.0)):
        line = pixels[round((row.y + 4) * PX), round((row.x + 4) * PX) : round((right - 4) * PX)]
        assert (np.mean(line == 0xF0) > 0.9) == bool(share)


def test_stripes_that_a_template_has_get_another_colour_and_go_again() -> None:
    striped = edited(orders(), StripeRows(colour="#FFEECC"))
    assert b"#FFEECC" in striped.bytes() and b"#EEF3F7" not in striped.bytes()
    assert b"conditionalStyle" not in edited(orders(), StripeRows(off=True)).bytes()
    assert refused(slip(), StripeRows(off=True)).code == "already"


def test_stripes_that_are_areas_below_every_other_row_get_another_colour_and_go_again() -> None:
    area = b"""<rectangle><reportElement x="0" y="0" width="500" height="10" mode="Opaque" backcolor="#EEF4F1">
        <printWhenExpression><![CDATA[$V{REPORT_COUNT} % 2 == 0]]></printWhenExpression></reportElement></rectangle>"""
    template = re.sub(rb"<detail>\s*<band[^>]*>", lambda found: found[0] + area, slip())
    assert b"#FFEECC" in edited(template, StripeRows(colour="#FFEECC")).bytes()
    assert b"REPORT_COUNT" not in edited(template, StripeRows(off=True)).bytes()


def test_a_light_highlight_colours_the_cells_from_line_to_line(engine: ReportEngine) -> None:
    edit = Highlight(field="quantity", comparison="==", value="10", colour="#FFFF99", row=True)
    printout = engine.print(edited(loose_columns(), edit).bytes(), SLIP_ROWS)
    line = page(printout)[round((boxes(printout, "c0")[1].y + 3) * PX)]
    assert np.mean(line[round(52 * PX) : round(548 * PX)] > 0xE0) > 0.98
    assert len({*boxes(printout, "c3")}) == 3


def test_a_highlight_in_bold_type_alone_keeps_the_colour_of_the_text() -> None:
    template = edited(slip(), Highlight(field="item", comparison="==", value="Lamp", bold=True)).bytes()
    assert b'<style isBold="true"/>' in template and b"#FF0000" not in template
    assert b"#FF0000" in edited(slip(), Highlight(field="item", comparison="==", value="Lamp")).bytes()


def test_a_background_may_be_dark_if_it_is_asked_for() -> None:
    template = edited(slip(), Highlight(field="item", comparison="==", value="Lamp", colour="#CC0000", background=True))
    assert b'mode="Opaque" backcolor="#CC0000"' in template.bytes()


@pytest.mark.parametrize("mode", ["Opaque", "Transparent"])
@pytest.mark.parametrize("before", [[], [Highlight(field="item", comparison="==", value="Stool", row=True)]], ids=len)
def test_a_highlight_is_seen_on_cells_with_a_background_of_their_own(
    engine: ReportEngine, mode: str, before: list[AnyEdit]
) -> None:
    own = [
        SetProperty(element="c0", name="mode", value=mode),
        SetProperty(element="c0", name="backcolor", value="#D0FFD0"),
    ]
    edit = Highlight(field="item", comparison="==", value="Lamp", colour="#FFFF99", background=True)
    printout = engine.print(edited(slip(), *before, *own, edit).bytes(), SLIP_ROWS)
    cells = [one for one in printout.elements if one.key == "c0"]
    found = {one.text: tuple(np.median(inside(colours(printout), one.box), axis=(0, 1))[::-1]) for one in cells}
    plain = (0xD0, 0xFF, 0xD0) if mode == "Opaque" else (255, 255, 255)
    assert found.pop("Lamp") == (0xFF, 0xFF, 0x99) and set(found.values()) == {plain}


def test_the_frame_keeps_its_colour_when_the_text_gets_another() -> None:
    node = edited(slip(), SetProperty(element="c0", name="forecolor", value="#FF0000")).element("c0")
    assert node is not None and {pen.get("lineColor") for pen in node.find("{*}box")} == {"#000000"}


def test_a_column_is_aligned_within_its_lines_and_not_within_its_text() -> None:
    editor = edited(loose_columns(), SetProperty(element="c3", name="textAlignment", value="Right"))
    x, _, width, _ = place(editor, "c3")
    assert 410 <= x <= 416 and 524 <= x + width <= 530


def test_borders_go_and_come_as_a_set(engine: ReportEngine) -> None:
    bare = page(shown(engine, "slip", SetBorders(lines="none"), pages=1))
    ruled = page(shown(engine, "slip", SetBorders(lines="none"), SetBorders(lines="rows", colour="#808080"), pages=1))
    grid = page(shown(engine, "slip", SetBorders(lines="none"), SetBorders(lines="all", width=1), pages=1))
    assert (bare < 128).sum() < (ruled < 160).sum() < (grid < 160).sum()


def test_a_dashed_line_between_rows_takes_the_place_of_a_solid_one(engine: ReportEngine) -> None:
    printout = shown(
        engine, "slip", SetBorders(lines="all", width=1), SetBorders(lines="rows", width=1, style="Dashed"), pages=1
    )
    below_the_first = boxes(printout, "c0")[1]
    right = boxes(printout, "c3")[0].right
    around = page(printout)[
        round((below_the_first.y - 1) * PX) : round((below_the_first.y + 1) * PX),
        round((below_the_first.x + 4) * PX) : round((right - 4) * PX),
    ]
    dark = (around < 128).any(axis=0)
    assert 0.3 < dark.mean() < 0.9


@BOTH
@pytest.mark.parametrize("lines", ["all", "rows", "columns", "outside", "below", "above"])
def test_any_set_of_borders_keeps_every_text(engine: ReportEngine, name: str, lines: str) -> None:
    build, rows = REPORTS[name]
    before = words(engine.print(build(), rows, pages=0))
    borders = SetBorders.model_validate({"lines": lines, "width": 1.5, "style": "Dashed", "colour": "#336699"})
    printout = shown(engine, name, borders)
    assert words(printout) == before
    assert not [one.text for one in printout.elements if one.cut]


def test_a_frame_has_one_line_below_the_last_row(engine: ReportEngine) -> None:
    printout = shown(engine, "slip", SetBorders(lines="none"), SetBorders(lines="outside", width=2))
    assert len(boxes(printout, "table_end")) == 1
    assert refused(slip(), SetBorders(part="totals")).code == "kind"


def test_totals_can_look_like_the_header(engine: ReportEngine) -> None:
    editor = edited(orders(), CopyStyle(source="header", target="totals"))
    total = editor.element("groupFooter.2")
    assert total is not None and total.find("{*}reportElement").get("style") == "Head"
    assert total.find("{*}textElement").get("textAlignment") == "Right"
    assert total.find("{*}reportElement").get("backcolor") == "#355E7E"  # of the frame behind the white letters
    assert "1" in "".join(words(engine.print(editor.bytes(), ORDERS_ROWS, pages=0)))


def test_what_looks_like_another_text_already_is_not_said_to_be_changed() -> None:
    editor = edited(orders(), CopyStyle(source="header", target="totals"))
    (outcome,) = editor.carry_out([CopyStyle(source="header", target="totals")])
    assert (outcome.changed, outcome.code) == (False, "already")


# --- formats ---------------------------------------------------------------------------------------------------------


def test_numbers_are_written_as_asked(engine: ReportEngine) -> None:
    data = Data(rows=[{"item": "a", "quantity": 3, "price": 5.0, "amount": -1234.5}])
    edit = SetFormat(field="amount", decimals=1, before="¥", negative="brackets")
    assert "(¥1,234.5)" in words(shown(engine, "slip", edit, data=data))
    assert "3 pcs" in words(shown(engine, "slip", SetFormat(field="quantity", after=" pcs"), data=data))
    assert "-1234.50 EUR" in words(
        shown(engine, "slip", SetFormat(field="amount", thousands=False, after=" EUR"), data=data)
    )


def test_dates_are_written_as_asked(engine: ReportEngine) -> None:
    assert "2 May 2026" in words(shown(engine, "orders", SetFormat(field="ordered", date="d MMMM yyyy")))


def test_a_format_needs_values_of_its_kind() -> None:
    assert refused(slip(), SetFormat(field="item", decimals=2)).code == "class"
    assert refused(slip(), SetFormat(field="amount", date="yyyy")).code == "class"
    assert refused(orders(), SetFormat(field="ordered", date="<script>")).code == "value"


def test_only_what_was_set_of_a_format_is_told() -> None:
    """The pattern of whole numbers has no decimals, so none may be named."""
    told_in: dict[Language, str] = {"en": "separated thousands", "zh": "千分位分隔"}
    for language, said in told_in.items():
        told = summarize([EditOutcome(SetFormat(field="quantity", thousands=True), True)], language, slip())
        assert said in told and "0.00" not in told
    edit = SetFormat(field="amount", decimals=1, before="¥", negative="brackets", percent=False)
    told = summarize([EditOutcome(edit, True)], "en", slip())
    assert all(part in told for part in ("1 decimal", "“¥” before the numbers", "brackets", "no percentages"))


# --- pictures, codes, links ------------------------------------------------------------------------------------------


@BOTH
def test_texts_become_links(engine: ReportEngine, name: str) -> None:
    element = {"slip": "heading", "orders": "title.1"}[name]
    build, rows = REPORTS[name]
    printout = shown(engine, name, AddLink(element=element, address="https://example.com"))
    assert words(printout) == words(engine.print(build(), rows, pages=0))


@pytest.mark.parametrize("address", ["javascript:alert(1)", "file:///etc/hosts", "example.com", 'https://a"b'])
def test_other_addresses_are_no_links(address: str) -> None:
    assert refused(slip(), AddLink(element="heading", address=address)).code == "value"


# --- the page --------------------------------------------------------------------------------------------------------


@BOTH
def test_a_watermark_is_behind_every_text(engine: ReportEngine, name: str) -> None:
    build, rows = REPORTS[name]
    printout = shown(engine, name, AddWatermark(text="DRAFT"), pages=1)
    assert sorted(words(printout)) == sorted([*words(engine.print(build(), rows, pages=0)), "DRAFT"])
    assert (page(printout) == 0xE4).sum() > 1000
    twice = edited(build(), AddWatermark(text="DRAFT"), AddWatermark(text="COPY"))
    assert twice.bytes().count(b"<![CDATA[COPY]]>") == 1 and b"DRAFT" not in twice.bytes()


@BOTH
def test_signatures_stand_side_by_side_below_everything(engine: ReportEngine, name: str) -> None:
    printout = shown(engine, name, AddSignatures(labels=["Prepared by", "Approved by", "制单"]))
    places = [
        next(one.box for one in printout.elements if one.text == text)
        for text in ("Prepared by: ", "Approved by: ", "制单：")
    ]
    assert places[0].y == places[1].y == places[2].y
    assert places[0].right < places[1].x < places[1].right < places[2].x
    assert len(boxes(printout, "signature_line") + boxes(printout, "signature_line_2")) == 2


def test_the_foot_of_the_page_says_which_page_when_and_who(engine: ReportEngine) -> None:
    printout = shown(
        engine, "slip", AddPageMark(what="page_of_pages"), AddPageMark(what="date", align="Right"),
        AddPageMark(what="user", align="Left", user="Anna Li"),
    )  # fmt: skip
    found = words(printout)
    assert {"Page 1 of", " 1", "Printed by Anna Li"} <= set(found)
    assert any(text.startswith("Printed on 20") for text in found)
    assert refused(orders(), AddPageMark(what="page")).code == "already"


def test_who_prints_may_be_passed_when_the_report_is_filled(engine: ReportEngine) -> None:
    data = Data(parameters={"printed_by": "王敏"}, rows=SLIP_ROWS.rows)
    assert "Printed by 王敏" in words(shown(engine, "slip", AddPageMark(what="user"), data=data))


@pytest.mark.parametrize(
    ("what", "wording", "printed"),
    [
        ("page", "- {page} -", ["- 1 -"]),
        ("page_of_pages", "{page} of {pages}", ["1 of", " 1"]),
        ("page_of_pages", "第{page}页/共{pages}页", ["第1页/共", "1页"]),
        ("page_of_pages", "共{pages}页 第{page}页", ["共1页 第", "1页"]),
    ],
)
def test_page_numbers_are_worded_as_asked(engine: ReportEngine, what: str, wording: str, printed: list[str]) -> None:
    mark = AddPageMark.model_validate({"what": what, "wording": wording})
    assert set(printed) <= set(words(shown(engine, "slip", mark)))


@pytest.mark.parametrize(("what", "wording"), [("page", "No. {pages}"), ("page", "No."), ("page_of_pages", "{page}")])
def test_a_wording_without_its_numbers_is_refused(what: str, wording: str) -> None:
    mark = AddPageMark.model_validate({"what": what, "wording": wording})
    assert refused(slip(), mark).code == "value"


def test_a_header_can_be_printed_on_the_first_page_only(engine: ReportEngine) -> None:
    long = SLIP_ROWS.model_copy(update={"rows": SLIP_ROWS.rows * 20})
    printout = shown(engine, "slip", RepeatHeader(first_page_only=True), data=long)
    assert printout.pages == 2 and "Item" in words(printout)
    again = edited(slip(), RepeatHeader(first_page_only=True), RepeatHeader())
    assert b"PAGE_NUMBER" not in again.bytes()
    assert refused(slip(), RepeatHeader()).code == "already"


def test_a_roll_is_as_long_as_what_is_printed(engine: ReportEngine) -> None:
    editor = edited(slip(), SetRoll(width=80))
    long = SLIP_ROWS.model_copy(update={"rows": SLIP_ROWS.rows * 60})
    printout = engine.print(editor.bytes(), long, pages=0)
    assert printout.pages == 1 and round(printout.size.width) == 227
    assert not [one.text for one in printout.elements if one.cut]


def test_rows_are_printed_in_two_columns_of_the_page(engine: ReportEngine) -> None:
    long = SLIP_ROWS.model_copy(update={"rows": SLIP_ROWS.rows * 15})
    printout = shown(engine, "slip", SetColumns(count=2), data=long)
    assert len({round(box.x) for box in boxes(printout, "c0")}) == 2
    assert refused(slip(), SetColumns(count=8)).code == "room"


def test_an_empty_value_is_not_printed_and_its_cell_stays(engine: ReportEngine) -> None:
    printout = shown(
        engine, "slip", HideEmpty(element="to"), HideEmpty(element="c2", zero=True), data=Data(rows=SLIP_ROWS.rows)
    )
    assert not boxes(printout, "to")
    assert [one.text for one in printout.elements if one.key == "c2"] == ["12.50", "130.25"]
    assert len(boxes(printout, "c2_empty")) == 1
    assert refused(slip(), HideEmpty(element="heading")).code == "kind"


# --- charts and crosstabs --------------------------------------------------------------------------------------------


def test_lines_between_the_cells_stay_visible_on_shaded_rows() -> None:
    """A line that is drawn before the cells would be covered by them."""
    rule = b'<line><reportElement key="rule" x="230" y="0" width="1" height="20"/></line>'
    start = b'<detail><band height="20">'
    editor = edited(slip().replace(start, start + rule), StripeRows())
    line = editor.element("rule")
    assert line is not None and line.getnext() is None


@pytest.mark.parametrize("words", ["Short", "A wording that is longer than the one before"])
def test_a_heading_that_stands_in_the_middle_stays_there_with_another_wording(words: str):
    editor = Editor(orders())
    editor.carry_out([Add(key="head", band="title", text="D e l i v e r y", x=0, y=0, width=200, height=20)])
    node = editor.draft.require_element("head")
    width = editor.draft.style_of(node).width_of("D e l i v e r y")
    middle = editor.draft.band_width(editor.draft.band_of(node)) / 2
    editor.carry_out([Move(element="head", x=round(middle - width / 2))])
    assert [one.changed for one in editor.carry_out([SetText(element="head", text=words)])] == [True]
    assert editor.draft.style_of(node).align == "Center"
    assert editor.draft.box_of(node).center_x == pytest.approx(middle, abs=1)


_LINES = {"end": "0.25", "s30": "0.25", "s529": "0.25", "line": None}
"""The lines below the rows of a slip, the last one to sign on, and how thick they become."""


def test_lines_that_become_thinner_do_so_around_the_totals_too() -> None:
    frame = '<line><reportElement key="end" x="30" y="19" width="500" height="1"/></line>'
    sides = [f'<line><reportElement key="s{x}" x="{x}" y="0" width="1" height="19"/></line>' for x in (30, 529)]
    template = slip().replace(
        b'<summary><band height="50">', f'<summary><band height="50">{frame}{"".join(sides)}'.encode()
    )
    editor = edited(template, SetBorders(lines="all", width=0.25)).draft
    pens = {key: editor.require_element(key).find(".//{*}pen") for key in _LINES}
    assert {key: pen.get("lineWidth") if pen is not None else None for key, pen in pens.items()} == _LINES
