"""A table that runs over several pages: one detail band, all rows in the data, the ending after the last row."""

from __future__ import annotations

import pytest

from bandsmith.services.generator.planning import plan
from bandsmith.shared.model.layout import JoinedPages, Layout
from bandsmith.shared.model.plan import Plan

from .forms import PAGE, blank, invoice

ADDED, ROWS_END = 100, 160


@pytest.fixture
def layout() -> Layout:
    """Page 1 of an invoice whose total stands on page 2, below two more rows."""
    page = whole = invoice().layout()

    def moved(mark):
        """The page number is the foot; it moves down by what is added."""
        return mark.model_copy(update={"box": mark.box.moved(0, ADDED)}) if mark.box.y > 250 else mark

    joined = whole.model_copy(
        update={
            "page": PAGE.model_copy(update={"height": PAGE.height + ADDED}),
            "repeat": whole.repeat.model_copy(update={"continued": [["Desk", "2", "310.00"], ["Chair", "8", "75.20"]]}),
            "lines": [moved(line) for line in whole.lines],
            "blocks": [moved(block) for block in whole.blocks],
        }
    )
    pages = JoinedPages(layout=joined, pages=2, footer_top=ROWS_END + ADDED, footer_shift=ADDED)
    return page.model_copy(update={"joined": pages})


def band_heights(report: Plan) -> dict[str, int]:
    return {band.name: band.height for band in report.bands}


def test_the_rows_of_all_pages_are_data(layout: Layout):
    _, data = plan(layout, blank(), "invoice")

    assert [row["column_1"] for row in data.rows] == ["Wall lamp", "Elm board", "Paper", "Desk", "Chair"]
    assert data.rows[-1]["column_3"] == "75.20"


def test_the_report_has_the_height_of_the_forms_pages(layout: Layout):
    report, _ = plan(layout, blank(), "invoice")

    assert report.page_height == PAGE.height
    assert sum(band.name == "detail" for band in report.bands) == 1


def test_a_page_has_as_many_rows_as_on_the_form(layout: Layout):
    report, _ = plan(layout, blank(), "invoice")
    heights = band_heights(report)
    above = report.margins.top + heights["title"] + heights["columnHeader"]
    below = report.margins.bottom + heights["pageFooter"]

    assert (PAGE.height - above - below) // heights["detail"] == 3


def test_what_follows_the_last_row_is_printed_once_after_it(layout: Layout):
    report, _ = plan(layout, blank(), "invoice")
    (summary,) = [band for band in report.bands if band.name == "summary"]

    assert [element.text for element in summary.elements if element.kind == "staticText"] == ["Total"]
