"""The grade of a template made from a form: keep, small edits, start over, and the reasons that are told."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bandsmith.services.validator.checks import wellformed
from bandsmith.services.validator.checks.grading import judge
from bandsmith.services.validator.checks.likeness import PageComparison
from bandsmith.services.validator.evidence import Evidence, collect
from bandsmith.services.validator.overprint import covered_share, stacked_share
from bandsmith.services.validator.pictures import PX, PagePicture
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Block, Cell, Grid, Layout, Picture, Repeat, Slot, TextLine, TextStyle
from bandsmith.shared.turns.verdict import Likeness, Printed

from .reports import field, report, static

SPOTLESS = Evidence(
    texts=0, lost=0, added=0, doubtful=0, overlaps=0, picture=0, fragments=0, missing=0, rows=0, blank=0, labels=0,
    parts=0, loops=0, items=0, wording=0, headings=0, shared=0, fixed=0, unnamed=0, pages=0,
)  # fmt: skip
STYLE = TextStyle(family="Liberation Sans", size=10)
PAGE = Size(width=300, height=200)


def box(x: float, y: float, width: float = 40, height: float = 8) -> Box:
    return Box(x=x, y=y, width=width, height=height)


def block(name: str, at: Box, role: str = "value", label: str | None = "Label") -> Block:
    return Block(id=name, text=name, lines=[], box=at, style=STYLE, role=role, label=label)  # type: ignore[arg-type]


def picture(*inks: Box) -> PagePicture:
    pixels = np.full((round(PAGE.height * PX), round(PAGE.width * PX), 3), 255, np.uint8)
    for ink in inks:
        corners = ((round(ink.x * PX), round(ink.y * PX)), (round(ink.right * PX), round(ink.bottom * PX)))
        cv2.rectangle(pixels, *corners, (0, 0, 0), -1)
    return PagePicture(pixels)


ALIKE = Likeness(ssim=1, texts=1)


def evidence(
    layout: Layout,
    form: PagePicture | None = None,
    page: PagePicture | None = None,
    printed: tuple[Printed, ...] = (),
    likeness: Likeness = ALIKE,
) -> Evidence:
    same = picture(box(20, 20))
    template, _ = wellformed.check(report())
    assert template is not None
    pages = PageComparison(form or same, page or same, layout, printed, template, ValidatorSettings())
    return collect(pages, likeness, 1)


def test_a_template_without_blemish_is_kept():
    assert judge(SPOTLESS) == ("keep", [])


@pytest.mark.parametrize(
    ("code", "blemish", "heavy"),
    [
        ("grade.texts", {"texts": 0.1}, {"texts": 0.5}),
        ("grade.lost", {"lost": 0.1}, {"lost": 0.5}),
        ("grade.added", {"added": 0.1}, {"added": 0.5}),
        ("grade.doubtful", {"doubtful": 0.1}, {"doubtful": 0.3}),
        ("grade.overlaps", {"overlaps": 0.1}, {"overlaps": 0.3}),
        ("grade.glyphs", {"glyphs": 0.1}, {"glyphs": 0.5}),
        ("grade.stacked", {"stacked": 0.1}, {"stacked": 0.6}),
        ("grade.picture", {"picture": 0.3}, {"picture": 0.9}),
        ("grade.fragments", {"fragments": 5}, {"fragments": 12}),
        ("grade.missing", {"missing": 1}, {"missing": 4}),
        ("grade.rows", {"rows": 0.2}, {"rows": 0.6}),
        ("grade.blank", {"blank": 0.3}, {"blank": 0.8}),
        ("grade.labels", {"labels": 0.3}, {"labels": 1.0}),
        ("grade.items", {"items": 0.4}, {"items": 1.0}),
        ("grade.wording", {"wording": 0.1}, {"wording": 0.4}),
        ("grade.headings", {"headings": 0.1}, {"headings": 0.5}),
        ("grade.shared", {"shared": 0.2}, {"shared": 0.6}),
        ("grade.parts", {"parts": 0.2}, {"parts": 0.6}),
        ("grade.loops", {"loops": 1}, {"loops": 4}),
        ("grade.fixed", {"fixed": 0.78}, {"fixed": 1.0}),
        ("grade.unnamed", {"unnamed": 0.4}, {"unnamed": 0.9}),
        ("grade.pages", {"pages": 1}, {"pages": 5}),
    ],
)
def test_each_blemish_asks_for_edits_and_a_heavy_one_for_a_new_beginning(code, blemish, heavy):
    for found, grade in ((blemish, "small_edits"), (heavy, "start_over")):
        judged, reasons = judge(SPOTLESS._replace(**found))
        assert (judged, [one.code for one in reasons]) == (grade, [code])
        assert reasons[0].severity == "warning" and reasons[0].message and reasons[0].message_zh


@pytest.mark.parametrize(
    ("found", "grade"),
    [
        ({"texts": 0.1, "lost": 0.1, "added": 0.1, "overlaps": 0.1}, "small_edits"),
        ({"rows": 0.2, "overlaps": 0.1}, "small_edits"),
        ({"rows": 0.2, "overlaps": 0.1, "stacked": 0.1}, "small_edits"),
        ({"rows": 0.2, "overlaps": 0.1, "unnamed": 0.4}, "start_over"),
        ({"lost": 0.1, "overlaps": 0.1, "fragments": 5}, "start_over"),
    ],
)
def test_edits_of_three_kinds_are_not_small(found, grade):
    judged, reasons = judge(SPOTLESS._replace(**found))
    assert judged == grade and len(reasons) == len(found)


def test_the_heaviest_reason_is_told_first():
    _, reasons = judge(SPOTLESS._replace(texts=0.1, unnamed=0.9))
    assert [one.code for one in reasons] == ["grade.unnamed", "grade.texts"]


def test_handwriting_that_was_not_read_counts_as_lost():
    found = evidence(Layout(page=PAGE), picture(box(20, 20), box(20, 100)), picture(box(20, 20)))
    assert found.lost == pytest.approx(0.5, abs=0.05) and found.added == 0


def test_a_logo_that_is_not_printed_is_missing():
    logo = Picture(id="p", box=box(100, 50, 60, 60))
    found = evidence(
        Layout(page=PAGE, pictures=[logo]), picture(box(20, 20), box(110, 60, 6, 40)), picture(box(20, 20))
    )
    assert found.missing == 1 and found.fragments == 1


def test_texts_printed_over_each_other_are_counted():
    printed = (
        Printed(key="a", box=box(10, 10), ink=box(10, 10)),
        Printed(key="b", box=box(30, 12), ink=box(30, 12)),
        Printed(key="c", box=box(10, 90), ink=box(10, 90)),
        Printed(key="d", box=box(10, 120), ink=box(10, 120)),
    )
    assert evidence(Layout(page=PAGE), printed=printed).overlaps == 0.5


def test_lines_of_tight_type_that_touch_are_not_printed_over_each_other():
    printed = tuple(
        Printed(key=f"line{n}", box=box(10, 10 + 15 * n), ink=box(10, 10 + 15 * n, height=18)) for n in range(4)
    )
    assert evidence(Layout(page=PAGE), printed=printed).overlaps == 0


def test_texts_in_letters_that_no_font_has_are_named():
    """Thai is printed as empty boxes; Arabic, Chinese and symbols are not."""
    texts = ("ใบแจ้งหนี้", "فاتورة", "发票 ☑", "Invoice №")
    printed = tuple(Printed(key=text, text=text, box=box(10, 10 + 20 * n)) for n, text in enumerate(texts))
    found = evidence(Layout(page=PAGE), printed=printed)
    assert (found.glyphs, found.places["glyphs"]) == (0.25, (texts[0],))
    assert "ใบแจ้งหนี้" in judge(found)[1][0].message


def test_boxes_that_overlap_where_neither_prints_are_not_printed_over_each_other():
    """What is inked in both boxes is the print of one of them."""
    template, _ = wellformed.check(report(static("Name", key="label", width=90), static("Tom", key="name", x=70)))
    assert template is not None
    printed = [
        Printed(key="label", text="Name", box=box(0, 10, 90, 12), ink=box(1, 12, 85, 8)),
        Printed(key="name", text="Tom", box=box(70, 10, 60, 12), ink=box(71, 12, 18, 8)),
    ]
    assert covered_share(printed, template) == 0
    closer = printed[1].model_copy(update={"box": box(12, 10, 60, 12), "ink": box(12, 12, 18, 8)})
    assert covered_share([printed[0], closer], template) == 1


def test_a_field_without_a_value_in_the_place_of_another_text_is_counted():
    """Once it has a value both are printed over each other; a field with a value is seen on the page."""
    template, _ = wellformed.check(report(field("$P{pieces}", key="pieces"), static("Nuts", key="label")))
    assert template is not None
    label = Printed(key="label", text="Nuts", box=box(10, 10))
    for value, share in (("", 0.5), ("12", 0)):
        pieces = Printed(key="pieces", text=value, box=box(12, 10))
        assert stacked_share([label, pieces], template)[0] == share
    beside = Printed(key="pieces", text="", box=box(60, 10))
    assert stacked_share([label, beside], template) == (0, ())


def test_captions_that_are_torn_into_letters_ask_for_edits():
    torn = [
        block(letter, box(10, 10 + 12 * n), role="fixed", label=None) for n, letter in enumerate("存根联客户记账联")
    ]
    whole = [block(f"Text {n}", box(60, 10 + 12 * n), role="fixed", label=None) for n in range(4)]
    found = evidence(Layout(page=PAGE, blocks=[*torn, *whole]))
    grade, [reason] = judge(SPOTLESS._replace(letters=found.letters))
    assert (grade, reason.code) == ("small_edits", "grade.letters")
    assert judge(SPOTLESS._replace(letters=evidence(Layout(page=PAGE, blocks=whole)).letters))[0] == "keep"


def test_letters_of_blurred_lines_are_doubtful():
    lines = [
        TextLine(id=str(n), text="12345", box=box(10, 10), style=STYLE, confidence=c) for n, c in enumerate((1, 0.6))
    ]
    assert evidence(Layout(page=PAGE, lines=lines)).doubtful == 0.5


def test_texts_that_are_printed_lower_are_shifted_and_not_missing():
    lines = [
        TextLine(id=name, text=name, box=box(20, 20 + 30 * n), style=STYLE) for n, name in enumerate(("Rope", "Hook"))
    ]
    printed = tuple(Printed(key=line.text, text=line.text, box=line.box.moved(0, 100)) for line in lines)
    form = Layout(page=PAGE, lines=lines)
    found = evidence(form, printed=printed, likeness=Likeness(ssim=1, texts=0))
    assert (found.shifted, found.texts) == (1, 0)
    beside = tuple(one.model_copy(update={"box": one.box.moved(90, 0)}) for one in printed)
    found = evidence(form, printed=beside, likeness=Likeness(ssim=1, texts=0))
    assert (found.shifted, found.texts) == (0, 1)


def test_lines_of_a_sum_with_a_rate_are_no_rows_of_a_table():
    """Their wording names the value at their end."""
    lines = [("+2%", "Discount", "470.65"), ("+20%", "Value added tax", "4,706.50"), ("+1%", "Fee", "47.06")]
    blocks = []
    for y, (rate, name, amount) in enumerate(lines):
        label = f"{name} %"
        blocks += [
            block(rate, box(20, 50 + 13 * y, 25), label=label),
            block(name, box(60, 50 + 13 * y, 60), "fixed", None),
        ]
        blocks.append(block(amount, box(150, 50 + 13 * y), label=name))
    assert evidence(Layout(page=PAGE, blocks=blocks)).rows == 0
    unnamed = [one.model_copy(update={"label": "Label"}) if one.label else one for one in blocks]
    assert evidence(Layout(page=PAGE, blocks=unnamed)).rows == 1


def test_rows_left_out_of_the_detail_band_are_counted():
    """Of four equal rows only the first two repeat."""
    names = [[f"{column}{row}" for row in range(4)] for column in "abc"]
    blocks = [block(name, box(20 + 80 * x, 50 + 20 * y)) for x, rows in enumerate(names) for y, name in enumerate(rows)]
    slots = [Slot(label="Label", blocks=[*rows[:2]]) for rows in names]
    repeat = Repeat(box=Box.between(20, 45, 240, 85), tops=[45, 65], pitch=20, slots=slots)
    assert evidence(Layout(page=PAGE, blocks=blocks, repeat=repeat)).rows == 0.5


def test_a_page_whose_table_has_no_rows_that_repeat_is_better_begun_anew():
    rows = [("Repair", "12", "$10.00", "$120.00"), ("Cleaning", "5", "$1.50", "$7.50")]
    blocks = [
        block(text, box(20 + 70 * x, 50 + 60 * y)) for y, texts in enumerate(rows) for x, text in enumerate(texts)
    ]
    found = evidence(Layout(page=PAGE, blocks=blocks))
    grade, findings = judge(found)
    assert grade == "start_over"
    assert findings[0].message == "100% of the table's rows do not repeat (“Repair”, “Cleaning”); they are fixed text."


def test_labels_beside_their_values_are_no_table_without_rows():
    rows = [("Order", "88213", "Date", "2026-04-07"), ("Phone", "555-0199", "Sent by", "R. Okafor")]
    blocks = [
        block(text, box(20 + 70 * x, 50 + 20 * y)) for y, texts in enumerate(rows) for x, text in enumerate(texts)
    ]
    assert evidence(Layout(page=PAGE, blocks=blocks)).rows == 0


def test_a_total_below_the_rows_is_no_row():
    blocks = [
        block(f"{column}{row}", box(20 + 80 * x, 50 + 20 * row)) for x, column in enumerate("abc") for row in (0, 1)
    ]
    slots = [Slot(label="Label", blocks=[f"{column}0", f"{column}1"]) for column in "abc"]
    repeat = Repeat(box=Box.between(20, 45, 240, 85), tops=[45, 65], pitch=20, slots=slots)
    blocks.append(block("total", box(180, 90)))
    assert evidence(Layout(page=PAGE, blocks=blocks, repeat=repeat)).rows == 0


def test_values_without_wording_are_unnamed_and_a_blank_form_is_fixed():
    named = [block(f"a{n}", box(10, 10 * n)) for n in range(5)]
    unnamed = [block(f"b{n}", box(60, 10 * n), label=None) for n in range(5)]
    blank = [block(f"c{n}", box(110, 10 * n), role="fixed") for n in range(5)]
    found = evidence(Layout(page=PAGE, blocks=[*named, *unnamed, *blank]))
    assert found.unnamed == 0.5 and found.fixed == pytest.approx(1 / 3)


def test_few_unnamed_values_are_soon_named_by_hand():
    blocks = [block("a", box(10, 10), label=None), block("b", box(10, 30), label=None)]
    assert evidence(Layout(page=PAGE, blocks=blocks)).unnamed == 0.2


def table(rows: list[list[str]], *, height: float = 20) -> Layout:
    """A ruled table with its texts, none of which repeats."""
    cells, lines, blocks = [], [], []
    for number, texts in enumerate(rows):
        for column, text in enumerate(texts):
            at = Box(x=20 + 60 * column, y=20 + height * number, width=60, height=height)
            cells.append(Cell(row=number, column=column, box=at))
            if text:
                ink = box(at.x + 4, at.y + 4)
                lines.append(TextLine(id=f"l{number}{column}", text=text, box=ink, style=STYLE))
                blocks.append(block(text, ink))
    area = Box.around(cell.box for cell in cells)
    edges = [20 + height * number for number in range(len(rows) + 1)]
    grid = Grid(id="g", box=area, columns=[20 + 60 * n for n in range(len(rows[0]) + 1)], rows=edges, cells=cells)
    return Layout(page=PAGE, grids=[grid], lines=lines, blocks=blocks)


def graded(layout: Layout) -> tuple[str, list[str]]:
    grade, findings = judge(evidence(layout))
    return grade, [one.code for one in findings if one.code != "grade.unnamed"]


def test_a_blank_table_that_does_not_repeat_is_better_begun_anew():
    layout = table([["Dish", "Helpings", "Cook"], *[["", "", ""]] * 3])
    assert graded(layout) == ("start_over", ["grade.blank"])
    repeat = Repeat(box=Box.between(20, 40, 200, 100), tops=[40, 60, 80], pitch=20, slots=[])
    assert graded(layout.model_copy(update={"repeat": repeat})) == ("keep", [])


def rows_of(texts: list[list[str]], pitch: float = 20) -> Layout:
    """Rows that repeat, without headings, from texts by row."""
    blocks = [
        block(f"{row}{column}", box(20 + 60 * column, 20 + pitch * row)).model_copy(update={"text": text})
        for row, line in enumerate(texts)
        for column, text in enumerate(line)
        if text
    ]
    slots = [
        Slot(
            label=f"Column {'ABCD'[column]}",
            blocks=[f"{row}{column}" if line[column] else None for row, line in enumerate(texts)],
        )
        for column in range(len(texts[0]))
    ]
    tops = [18 + pitch * row for row in range(len(texts))]
    area = Box.between(20, 18, 60 * len(texts[0]), tops[-1] + pitch)
    return Layout(page=PAGE, blocks=blocks, repeat=Repeat(box=area, tops=tops, pitch=pitch, slots=slots))


def test_labels_that_repeat_with_their_values_are_better_begun_anew():
    asked = rows_of([["Name", "Ada Low"], ["Born", "1990-04-02"], ["Size", "172"], ["Town", "Bonn"]])
    assert graded(asked) == ("start_over", ["grade.labels"])
    assert graded(rows_of([["Name: Ada", "4"], ["Born: 1990", "5"]])) == ("start_over", ["grade.labels"])


def test_rows_with_values_of_one_kind_are_no_labels():
    assert graded(rows_of([["Rope", "3"], ["Hook", "12"], ["Sail", "1"]])) == ("keep", [])


def test_lines_of_an_item_that_repeat_as_rows_of_their_own_are_told():
    items = rows_of([["Rope", "3", "4.50"], ["red, 12 mm", "", ""], ["Hook", "1", "2.00"], ["of brass", "", ""]])
    assert graded(items) == ("start_over", ["grade.parts"])


def test_a_line_between_rows_that_does_not_repeat_is_told():
    items = rows_of([["Rope", "3", "4.50"], ["Hook", "1", "2.00"], ["Sail", "1", "9.00"]], pitch=40)
    loose = block("loose", box(20, 38))
    found = evidence(items.model_copy(update={"blocks": [*items.blocks, loose]}))
    assert found.parts == pytest.approx(1 / 3)


def test_marks_of_loops_that_are_printed_are_counted():
    texts = ["{%tr for i in items %}", "{%tr endfor %}"]
    blocks = [block(text, box(20, 20 + 30 * n)) for n, text in enumerate(texts)]
    assert evidence(Layout(page=PAGE, blocks=blocks)).loops == 2


def test_a_table_beside_the_rows_that_repeats_nowhere_is_counted():
    items = rows_of([["Rope", "3", "4.50"], ["Hook", "1", "2.00"], ["Sail", "1", "9.00"]])
    others = [
        block(f"{row}{column}x", box(20 + 60 * column, 110 + 20 * row)).model_copy(update={"text": text})
        for row in range(3)
        for column, text in enumerate(("Tax", "19", "1.20"))
    ]
    assert evidence(items.model_copy(update={"blocks": [*items.blocks, *others]})).rows >= 0.5


def test_a_ruled_table_of_words_none_of_whose_rows_repeats_is_better_started_over():
    columns, tops = [10.0, 100.0, 190.0, 280.0], [10.0, 30.0, 50.0, 70.0]
    texts = [("Name", "Role", "Place"), ("Anna", "Printer", "Mill"), ("Ben", "Binder", "Yard")]
    cells, blocks = [], []
    for row, words in enumerate(texts):
        for column, word in enumerate(words):
            area = Box.between(columns[column], tops[row], columns[column + 1], tops[row + 1])
            cells.append(Cell(row=row, column=column, box=area))
            style = STYLE.model_copy(update={"bold": row == 0})
            blocks.append(block(word, box(area.x + 4, area.y + 6), "fixed").model_copy(update={"style": style}))
    grid = Grid(id="grid1", box=Box.between(10, 10, 280, 70), columns=columns, rows=tops, cells=cells)
    layout = Layout(page=PAGE, blocks=blocks, grids=[grid])

    slots = [Slot(label=head, blocks=[texts[1][n], texts[2][n]]) for n, head in enumerate(texts[0])]
    repeat = Repeat(box=Box.between(10, 30, 280, 70), tops=tops[1:3], pitch=20, slots=slots, header=list(texts[0]))

    assert judge(evidence(layout))[0] == "start_over"
    assert evidence(layout.model_copy(update={"repeat": repeat})).rows == 0
