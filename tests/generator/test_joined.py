"""A table that runs over several pages: one detail band, all rows in the data, the ending after the last row."""

from __future__ import annotations

import pypdfium2
import pytest

from bandsmith.services.generator.planning import plan
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.layout import JoinedPages, Layout, RunningHead
from bandsmith.shared.model.plan import Plan

from .forms import PAGE, Form, blank, invoice

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


def with_running_head(layout: Layout) -> Layout:
    """From the second page on there is another head: a value of page 1, one of its own, and the number of the page."""
    assert layout.joined is not None
    given = next(block.text for block in layout.whole.blocks if block.role == "value" and "\n" not in block.text)
    head = Form()
    for x, text in ((30, f"Invoice: {given}"), (160, "Job: B-12"), (260, "Elm Ltd"), (330, "Page 2 of 2")):
        head.text(text, x, 30, size=8)
    running = RunningHead(lines=head.lines, bottom=60)
    return layout.model_copy(update={"joined": layout.joined.model_copy(update={"running_head": running})})


def test_the_head_of_the_later_pages_is_printed_from_the_second_page_on(layout: Layout, engine: ReportEngine):
    report, data = plan(with_running_head(layout), blank(), "invoice")
    (head,) = [band for band in report.bands if band.name == "pageHeader"]
    assert head.print_when == "$V{PAGE_NUMBER} > 1"
    assert [one.text for one in head.elements if one.kind == "staticText"] == ["Elm Ltd"]

    rows = data.model_copy(update={"rows": data.rows * 4})
    pdf = pypdfium2.PdfDocument(engine.export(build_jrxml(report), rows, "pdf").content)
    first, *others = [page.get_textpage().get_text_range() for page in pdf]
    assert "Elm Ltd" not in first and "Job: B-12" not in first
    assert len(others) > 1
    for number, text in enumerate(others, 2):
        assert all(words in text for words in ("Job: B-12", "Elm Ltd", f"Page {number} of {len(pdf)}"))


def test_a_value_of_page_1_in_the_head_of_the_later_pages_is_the_same_parameter(layout: Layout):
    known = set(plan(layout, blank(), "invoice")[0].parameters)
    report, data = plan(with_running_head(layout), blank(), "invoice")
    (job,) = set(report.parameters) - known
    assert (data.parameters[job.name], job.label) == ("B-12", "Job")
