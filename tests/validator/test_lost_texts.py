"""No text of a report is lost in an export: what would take another's place gets one, and what has none is named."""

from __future__ import annotations

import io

import docx
import pytest
from docx.table import Table, _Cell

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.exports import Export, export
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.session_parts import Format

from .reports import field, report, row_field, static


def aligned(text: str, alignment: str, **box: object) -> str:
    return static(text, text, **box).replace("<text>", f'<textElement textAlignment="{alignment}"/><text>')  # type: ignore[arg-type]


def line(x: int, y: int, width: int, height: int) -> str:
    return f'<line><reportElement x="{x}" y="{y}" width="{width}" height="{height}"/></line>'


def area(x: int, y: int, width: int, height: int) -> str:
    return line(x, y, width, height).replace("line>", "rectangle>")


def frame(*elements: str) -> str:
    return f'<frame><reportElement x="20" y="10" width="200" height="60"/>{"".join(elements)}</frame>'


def bordered(text: str) -> str:
    return text.replace("<textFieldExpression", '<box><pen lineWidth="1"/></box><textFieldExpression')


def word(engine: ReportEngine, *elements: str) -> Export:
    return export(engine, report(*elements), Data(), "docx")


def cells(tables: list[Table]) -> list[_Cell]:
    """The cells of a document, each once, with those of the tables in them."""
    own = {cell._tc: cell for table in tables for row in table.rows for cell in row.cells}.values()
    return [found for cell in own for found in (cell, *cells(cell.tables))]


def texts(done: Export) -> list[str]:
    found = cells(docx.Document(io.BytesIO(done.files[0])).tables)
    return sorted(cell.text.strip() for cell in found if cell.text.strip())


LONG = "a long text that wraps over several lines of the box that it stands in"


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        pytest.param((static("甲", "a", width=151), static("乙", "b", x=160)), ["乙", "甲"], id="by a point"),
        pytest.param((static("a", "a", height=21), static("b", "b", y=30)), ["a", "b"], id="by a line"),
        pytest.param((static("a", "a"), static("b", "b")), ["a", "b"], id="the same box"),
        pytest.param((static("a", "a"), static("a", "b", x=11, y=11)), ["a", "a"], id="a shadow"),
        pytest.param((static(LONG, "a", height=60), static("b", "b", y=30)), [LONG, "b"], id="within another"),
        pytest.param((static("a", "a", width=160), field('" "', x=160)), ["a"], id="a blank one"),
        pytest.param((static("a", "a", width=160), bordered(field('" "', x=160))), ["a"], id="a blank cell"),
        pytest.param((static("a", "a"), line(10, 20, 150, 1), line(12, 0, 1, 90)), ["a"], id="lines"),
        pytest.param((static("a", "a"), area(0, 0, 390, 90)), ["a"], id="an area drawn later"),
        pytest.param((frame(static("in", "i", x=0, y=0)), static("b", "b", x=30, y=12)), ["b", "in"], id="a frame"),
        pytest.param((frame(static("1", "i", x=0, y=0), static("2", "j", x=0, y=19)),), ["1", "2"], id="in a frame"),
        pytest.param((frame(static("1", "i", x=0, y=0)), frame(static("2", "j", x=9, y=30))), ["1", "2"], id="frames"),
    ],
)
def test_texts_that_overlap_are_all_in_a_word_file(
    engine: ReportEngine, elements: tuple[str, ...], expected: list[str]
):
    done = word(engine, *elements)
    assert texts(done) == expected
    assert done.missing == []


@pytest.mark.parametrize(
    ("elements", "missing"),
    [
        pytest.param((area(0, 0, 390, 90), static("a", "a")), 1, id="an area behind a text"),
        pytest.param((line(0, 50, 200, 1), line(100, 0, 1, 90)), 1, id="lines that cross"),
        pytest.param((area(0, 60, 390, 20), static("a", "a"), line(0, 90, 200, 1)), 0, id="beside each other"),
    ],
)
def test_pictures_lines_and_areas_without_a_place_in_a_word_file_are_counted(
    engine: ReportEngine, elements: tuple[str, ...], missing: int
):
    assert word(engine, *elements).missing_shapes == missing


def test_three_texts_in_the_width_of_the_page_stand_side_by_side(engine: ReportEngine):
    wide = {"x": 0, "y": 10, "width": 400}
    done = word(
        engine, aligned("left", "Left", **wide), aligned("mid", "Center", **wide), aligned("right", "Right", **wide)
    )
    (table,) = docx.Document(io.BytesIO(done.files[0])).tables
    (row,) = [row for row in table.rows if any(cell.text.strip() for cell in row.cells)]
    written = [cell for cell in dict.fromkeys(row.cells) if cell.text.strip()]
    assert [cell.text.strip() for cell in written] == ["left", "mid", "right"]
    left, _, right = (cell.width.pt for cell in written)
    assert left == right  # so the middle one stays in the middle


def test_a_box_that_reaches_into_its_neighbour_ends_where_that_begins(engine: ReportEngine):
    apart = word(engine, static("甲", "a", width=150), static("乙", "b", x=160))
    overlapping = word(engine, static("甲", "a", width=153), static("乙", "b", x=160))
    widths = [
        [cell.width for cell in cells(docx.Document(io.BytesIO(done.files[0])).tables) if cell.text.strip()]
        for done in (apart, overlapping)
    ]
    assert widths[0] == widths[1]


def test_the_pages_of_other_formats_are_as_they_were_after_an_export_to_word(engine: ReportEngine):
    template = report(static("a", "a", width=151), static("b", "b", x=160))
    before = engine.print(template, Data())
    export(engine, template, Data(), "docx")
    after = engine.print(template, Data())
    assert after.elements == before.elements and after.pictures == before.pictures


def test_texts_without_a_place_are_named(engine: ReportEngine):
    crowd = [static(str(number), f"k{number}", width=20) for number in range(10, 60)]
    done = word(engine, *crowd)
    assert done.missing
    assert not set(done.missing) & set(texts(done))


def test_a_web_page_holds_texts_that_overlap(engine: ReportEngine):
    template = report(static("甲", "a", width=151), static("乙", "b", x=160), static("丙", "c"))
    done = export(engine, template, Data(), "html")
    page = done.files[0].decode()
    assert all(text in page for text in "甲乙丙") and done.missing == []


def test_spaces_and_line_breaks_make_no_text_missing(engine: ReportEngine):
    template = report(field('"a\\tb\\n  c\\u200bd"', height=60), static("销  售 \n 单", "s", y=80, height=60))
    for form in ("docx", "html"):
        assert export(engine, template, Data(), form).missing == []


@pytest.mark.parametrize(("form", "missing"), [("xlsx", ["each"]), ("csv", ["each"]), ("html", [])])
def test_a_table_names_the_wording_beside_its_rows_that_it_has_no_column_for(
    engine: ReportEngine, form: Format, missing: list[str]
):
    detail = field("$F{item}", "item", y=0) + static("each", "unit", x=200, y=0)
    template = report(static("Prices"), detail=detail, declared=row_field("item"), height=40)
    assert export(engine, template, Data(rows=[{"item": "tea"}, {"item": "milk"}]), form).missing == missing


def test_what_belongs_to_pages_is_not_missing_in_a_table(engine: ReportEngine):
    template = report(static("Prices"), field('"Page " + $V{PAGE_NUMBER}', "page", y=60))
    assert export(engine, template, Data(), "xlsx").missing == []
