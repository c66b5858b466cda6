"""A page of terms behind an invoice is printed last, on a page of its own, however many rows the invoice has."""

from __future__ import annotations

from itertools import cycle, islice

import pytest

from bandsmith.services.generator.planning import plan
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing.editor import Editor
from bandsmith.shared.edits.add_signatures import AddSignatures
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.fill_rows import FillRows
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.layout import JoinedPages, Layout
from bandsmith.shared.model.plan import Data, Plan

from .forms import PAGE, Form, complaints, invoice
from .test_further_pages import white_pages, with_ids_of


def terms() -> Form:
    form = Form()
    form.text("Terms of sale", 30, 40, size=18)
    form.text("Delivery is free.", 30, 80)
    form.text("Accepted by", 30, 200)
    form.text("Ada Marlow", 120, 200, value=True, label="Accepted by")
    form.text("Page 2 of 2", 30, 285, value=True)
    return form


@pytest.fixture
def layout() -> Layout:
    return invoice().layout().model_copy(update={"later": [with_ids_of(terms().layout(), 2)]})


def planned(layout: Layout) -> tuple[Plan, Data]:
    return plan(layout, white_pages(2), "invoice")


def printed(engine: ReportEngine, report: Plan, data: Data, rows: int | None = None) -> list[list[str]]:
    """Return the texts of each page, with this number of rows."""
    if rows is not None:
        data = data.model_copy(update={"rows": list(islice(cycle(data.rows), rows))})
    printout = engine.print(build_jrxml(report), data, pages=1, listed=20)
    return [[one.text for one in elements if one.text] for elements in (printout.elements, *printout.later)]


def test_the_terms_are_printed_on_a_page_of_their_own_below_rows_and_total(engine: ReportEngine, layout: Layout):
    report, data = planned(layout)
    rows, after = printed(engine, report, data)

    assert {"Invoice", "Wall lamp", "Paper", "Total", "1,340.40", "Page 1 of 2"} <= set(rows)
    assert {"Terms of sale", "Ada Marlow", "Page 2 of 2"} <= set(after)
    assert complaints(build_jrxml(report)) == []


def test_the_values_of_both_pages_and_the_rows_are_in_one_data_file(layout: Layout):
    _, data = planned(layout)

    assert len(data.rows) == 3
    assert {"Meadow Bindery", "1,340.40", "Ada Marlow"} <= set(data.parameters.values())


@pytest.mark.parametrize("count", [0, 1, 5, 8, 40])
def test_the_terms_come_last_once_without_heading_and_foot_of_the_rows(
    engine: ReportEngine, layout: Layout, count: int
):
    report, data = planned(layout)
    pages = printed(engine, report, data, count)

    assert ["Terms of sale" in page for page in pages] == [False] * (len(pages) - 1) + [True]
    assert set(pages[-1]) == {
        "Terms of sale", "Delivery is free.", "Accepted by", "Ada Marlow", f"Page {len(pages)} of {len(pages)}",
    }  # fmt: skip
    assert ["Total" in page for page in pages[-2:]] == [True, False]


def test_pages_are_numbered_through_also_where_only_the_total_is_left_for_one(engine: ReportEngine, layout: Layout):
    report, data = planned(layout)
    pages = printed(engine, report, data, 8)

    numbers = [text for page in pages for text in page if text.startswith("Page ")]
    assert numbers == [f"Page {number} of {len(pages)}" for number in range(1, len(pages) + 1)]


def test_a_frame_behind_the_rows_is_not_printed_on_the_page_after_them(engine: ReportEngine):
    form = invoice()
    form.rule(15, 50, 15, 290)
    layout = form.layout().model_copy(update={"later": [with_ids_of(terms().layout(), 2)]})
    report, data = planned(layout)

    printout = engine.print(build_jrxml(report), data, pages=1, listed=2)

    assert any(one.box.x < 20 and one.box.height > 100 for one in printout.elements)
    assert not any(one.box.x < 20 for one in printout.later[0])


def test_paper_of_another_colour_on_the_page_after_the_rows_covers_that_page(layout: Layout):
    report, _ = planned(layout.model_copy(update={"paper": "#DDEEFF"}))

    assert report.page_after_rows is not None
    first = report.page_after_rows.elements[0]
    assert (first.backcolour, first.width, first.height) == ("#FFFFFF", round(PAGE.width), round(PAGE.height))


def joined(layout: Layout) -> Layout:
    """The invoice as one of two pages: its rows go on on a second one, and its foot is that of all pages."""
    whole = layout.model_copy(update={"later": [], "page": PAGE.model_copy(update={"height": 330})})
    lowered = [one.model_copy(update={"box": one.box.moved(0, 30)}) if one.box.y > 270 else one for one in whole.blocks]
    lines = [one.model_copy(update={"box": one.box.moved(0, 30)}) if one.box.y > 270 else one for one in whole.lines]
    whole = whole.model_copy(update={"blocks": lowered, "lines": lines})
    pages = JoinedPages(layout=whole, pages=2, footer_top=300, footer_shift=30)
    return layout.model_copy(update={"joined": pages})


def test_a_page_follows_rows_that_were_joined_from_two_pages(engine: ReportEngine, layout: Layout):
    report, data = planned(joined(layout))
    pages = printed(engine, report, data, 20)

    assert report.page_height == PAGE.height
    assert "Terms of sale" in pages[-1]
    assert sum("Terms of sale" in page for page in pages) == 1


def test_rows_without_a_foot_end_where_they_did_and_the_page_after_them_is_whole(engine: ReportEngine, layout: Layout):
    form = invoice()
    form.blocks.pop()
    form.lines.pop()
    whole = joined(form.layout().model_copy(update={"later": layout.later}))
    report, data = planned(whole)
    rows = data.model_copy(update={"rows": data.rows * 10})
    printout = engine.print(build_jrxml(report), rows, pages=1, listed=9)

    assert max(one.box.bottom for page in (printout.elements, *printout.later[:-1]) for one in page) <= 270
    assert f"Page {printout.pages} of {printout.pages}" in [one.text for one in printout.later[-1]]


def test_a_total_that_is_added_later_goes_below_the_rows_and_not_onto_the_page_after_them(
    engine: ReportEngine, layout: Layout
):
    report, data = planned(layout)
    editor = Editor(build_jrxml(report))
    field = report.fields[1].name

    editor.apply([AddTotal(field=field, calculation="Count")])
    printout = engine.print(editor.bytes(), data, pages=1, listed=2)

    assert [[one.text for one in page].count("3") for page in (printout.elements, printout.later[0])] == [1, 0]


def test_lines_to_sign_on_at_the_end_stand_below_the_total_and_the_page_after_the_rows_stays_whole(
    engine: ReportEngine, layout: Layout
):
    report, data = planned(layout)
    editor = Editor(build_jrxml(report))

    editor.apply([AddSignatures(labels=["Approved by"])])
    printout = engine.print(editor.bytes(), data, pages=1, listed=9)
    texts = [[(one.text or "").strip() for one in page] for page in (printout.elements, *printout.later)]

    assert ["Approved by:" in page for page in texts] == [True] + [False] * (len(texts) - 1)
    assert "Terms of sale" in texts[-1]


def test_what_does_not_fit_below_the_title_and_the_rows_is_refused_before_the_engine_does(layout: Layout):
    report, _ = planned(layout)
    editor = Editor(build_jrxml(report))

    (outcome,) = editor.carry_out([AddSignatures(labels=[f"Partner {number}" for number in range(12)])])

    assert (outcome.changed, outcome.code) == (False, "room")


def test_blank_rows_come_before_the_total(engine: ReportEngine, layout: Layout):
    report, data = planned(layout)
    editor = Editor(build_jrxml(report))

    editor.apply([FillRows(count=5)])
    printout = engine.print(editor.bytes(), data, pages=1, listed=2)
    before = engine.print(build_jrxml(report), data, pages=1, listed=2)

    lower = {one.text: one.box.y for one in printout.elements}["Total"]
    assert lower - {one.text: one.box.y for one in before.elements}["Total"] == 2 * 20
