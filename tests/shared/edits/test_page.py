"""On a page of another size, columns follow, texts stay at their sides, and nothing leaves the page or is cut."""

import re
from itertools import pairwise

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.set_page import SetPage

from .reports import ORDERS_ROWS, SLIP_ROWS, band, edited, orders, place, printed, refused, slip


def test_a_table_keeps_its_distance_to_both_sides_of_a_wider_page(engine: ReportEngine) -> None:
    editor = edited(slip(), SetPage(width=842, height=595))
    assert (editor.root.get("orientation"), editor.root.get("columnWidth")) == ("Landscape", "802")
    for section in ("columnHeader", "detail"):
        cells = band(editor, section)
        assert (cells[0][1], cells[-1][2]) == (30, 777)
        assert all(a[2] == b[1] for a, b in pairwise(cells))
    x, _, width, _ = place(editor, "heading")
    assert x + width / 2 == pytest.approx(401, abs=1)  # it stood in the middle
    assert place(editor, "to")[0] == 30
    assert printed(engine, editor.bytes(), SLIP_ROWS)[0] == "Delivery slip"


def test_texts_at_the_right_side_stay_there() -> None:
    editor = edited(orders(), SetPage(width=842, height=595))
    assert [right for words, _, right in band(editor, "title") if words == "Spring"] == [802]
    assert band(editor, "pageFooter") == [('"Page " + $V{PAGE_NUMBER}', 702, 802)]
    assert band(editor, "groupFooter")[-1][2] == 802


@pytest.mark.parametrize("width", [420, 300])
def test_all_texts_print_on_a_narrower_page(engine: ReportEngine, width: int) -> None:
    before = printed(engine, orders(), ORDERS_ROWS)
    editor = edited(orders(), SetPage(width=width, height=595))
    assert sorted(printed(engine, editor.bytes(), ORDERS_ROWS)) == sorted(before)


def test_a_picture_that_gets_narrower_keeps_its_shape() -> None:
    stamp = b'<image scaleImage="FillFrame"><reportElement key="stamp" x="300" y="0" width="200" height="30"/></image>'
    stamped = re.sub(rb"(<title>\s*<band[^>]*>)", rb"\1" + stamp, orders())
    editor = edited(stamped, SetPage(width=300, height=595))
    assert 0 < place(editor, "stamp")[2] < 200
    (picture,) = editor.root.iter("{*}image")
    assert picture.get("scaleImage") == "RetainShape"


def test_there_and_back_moves_nothing_by_more_than_a_point() -> None:
    editor = edited(slip(), SetPage(width=842, height=595), SetPage(width=595, height=842))
    was = band(Editor(slip()), "detail")
    assert [words for words, _, _ in band(editor, "detail")] == [words for words, _, _ in was]
    assert all(abs(a[1] - b[1]) <= 1 for a, b in zip(band(editor, "detail"), was, strict=True))


@pytest.mark.parametrize(("width", "height", "code"), [(595, 842, "already"), (10, 842, "value"), (595, 90, "room")])
def test_an_impossible_page_is_refused(width: int, height: int, code: str) -> None:
    assert refused(slip(), SetPage(width=width, height=height)).code == code
