"""Edits that were asked for in words keep everything on the page; edits that were measured are applied exactly."""

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.jrxml.dom import report_element

from .reports import SLIP_ROWS, band, edited, orders, place, printed, refused, slip, text


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (Move(element="signed", x=-20), (0, 20, 100, 14)),
        (Move(element="signed", x=5000), (455, 20, 100, 14)),
        (Move(element="signed", y=100), (30, 100, 100, 14)),
        (Resize(element="signed", width=900), (0, 20, 555, 14)),
        (Resize(element="signed", height=60), (30, 20, 100, 60)),
    ],
)
def test_a_position_is_kept_on_the_page(edit: AnyEdit, expected: tuple[int, int, int, int]) -> None:
    assert place(edited(slip(), edit), "signed") == expected


def test_a_measured_position_is_applied_exactly() -> None:
    editor = Editor(slip())
    assert (
        editor.apply(
            [Move(element="signed", y=100), Move(element="signed", x=-1), ResizeBand(band="summary", height=7)]
        )
        == 2
    )
    assert place(editor, "signed") == (30, 100, 100, 14)
    assert dict(editor.bands())["summary"].get("height") == "7"


def test_a_band_is_not_lower_than_its_elements() -> None:
    editor = edited(slip(), ResizeBand(band="summary", height=1))
    assert dict(editor.bands())["summary"].get("height") == "35"


def test_a_larger_font_gets_space_and_stays_centred(engine: ReportEngine) -> None:
    editor = edited(slip(), SetProperty(element="heading", name="fontSize", value="44"))
    x, _, width, height = place(editor, "heading")
    assert x + width / 2 == pytest.approx(277.5, abs=1)
    assert place(editor, "to")[1] >= 5 + height  # what stood below moved down
    assert printed(engine, editor.bytes(), SLIP_ROWS)[0] == "Delivery slip"


@pytest.mark.parametrize(("words", "height"), [("TAX INVOICE", 20), ("SIMPLIFIED TAX INVOICE", 37)])
def test_wording_at_the_right_side_takes_room_that_a_value_beside_it_has_to_spare(words: str, height: int) -> None:
    """It ends where it ended; the value keeps most of its width, and what finds no room beside it gets another line."""
    title = text("staticText", "word", 459, 32, 90, 20, "INVOICE", '<textElement><font size="16"/></textElement>')
    value = text("textField", "company", 300, 32, 150, 20, "$P{customer}")
    template = slip().replace(b"</band></title>", f"{title}{value}</band></title>".encode())
    editor = edited(template, SetText(element="word", text=words))
    x, _, width, high = place(editor, "word")
    left, _, value_width, _ = place(editor, "company")
    assert (x + width, left, high) == (530, 300, height)
    assert 0.6 * 150 <= value_width <= x - left


@pytest.mark.parametrize("size", ["9", "26"])
def test_a_text_that_ends_at_the_right_side_still_does(size: str) -> None:
    # 71 points of words from x 459: they end where the table does, at 530.
    word = text("staticText", "word", 459, 5, 90, 20, "INVOICE", '<textElement><font size="16"/></textElement>')
    template = slip().replace(b"</band></title>", word.encode() + b"</band></title>")
    editor = edited(template, SetProperty(element="word", name="fontSize", value=size))
    x, _, width, _ = place(editor, "word")
    node = editor.element("word")
    assert x + width == 530
    assert node.find("{*}textElement").get("textAlignment") == "Right"


def test_cells_of_a_row_grow_together() -> None:
    editor = edited(slip(), SetProperty(element="h1", name="fontSize", value="30"))
    assert len({place(editor, f"h{n}")[3] for n in range(4)}) == 1
    assert place(editor, "h0")[3] == int(dict(editor.bands())["columnHeader"].get("height") or 0) > 20


def test_a_frame_grows_with_its_texts(engine: ReportEngine) -> None:
    editor = edited(orders(), SetProperty(element="columnHeader.2", name="fontSize", value="20"))
    frame = place(editor, "columnHeader.1")
    assert frame[3] == place(editor, "columnHeader.2")[3] == place(editor, "columnHeader.5")[3] > 20


def test_a_longer_text_gets_space() -> None:
    editor = edited(slip(), SetText(element="signed", text="Received in good order and signed by the customer:"))
    assert place(editor, "signed")[2] > 200


def test_an_element_without_a_key_is_named_by_its_number() -> None:
    editor = edited(orders(), SetText(element="title.2", text="Autumn"), Delete(element="pageFooter.1"))
    assert [words for words, _, _ in band(editor, "title")] == ["Orders", "Autumn"]
    assert not list(editor.root.iter("{*}line"))


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (Delete(element="missing"), "element"),
        (SetText(element="to", text="x"), "kind"),
        (SetExpression(element="heading", expression="$P{customer}"), "kind"),
        (SetProperty(element="heading", name="fontSize", value="big"), "value"),
        (SetProperty(element="heading", name="onClick", value="1"), "value"),
        (SetProperty(element="line", name="isBold", value="true"), "kind"),
        (SetProperty(element="heading", name="isBold", value="true"), "already"),
        (ResizeBand(band="attic", height=1), "band"),
        (SetProperty(element="heading", name="fontSize", value="900"), "room"),
    ],
)
def test_an_impossible_edit_is_refused_with_a_reason(edit: AnyEdit, code: str) -> None:
    assert refused(slip(), edit).code == code


def test_hundreds_of_edits_find_thousands_of_elements() -> None:
    many = "".join(
        f'<line><reportElement key="l{n}" x="{n % 50}" y="{n % 60}" width="1" height="1"/></line>' for n in range(5000)
    )
    editor = Editor(slip().replace(b'<title><band height="60">', f'<title><band height="60">{many}'.encode()))
    assert editor.apply(Move(element=f"l{n}", x=60) for n in range(0, 5000, 10)) == 500
    assert editor.apply(Delete(element=f"l{n}") for n in range(0, 5000, 10)) == 500
    assert editor.element("l10") is None
    assert report_element(next(node for node in editor.elements() if "line" in node.tag)).get("key") == "l1"
