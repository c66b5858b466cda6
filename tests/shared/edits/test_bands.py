"""A text that is added to a band gets a free position; a replaced band is one band and nothing else."""

import re

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add import Add
from bandsmith.shared.edits.replace_band import ReplaceBand
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.jrxml.dom import report_element
from bandsmith.shared.jrxml.placement import Align

from .reports import ORDERS_ROWS, SLIP_ROWS, band, edited, orders, place, printed, refused, slip, text


def test_a_page_number_gets_a_footer_at_the_side_of_the_table(engine: ReportEngine) -> None:
    edit = Add(key="page", band="pageFooter", expression='"Page " + $V{PAGE_NUMBER}', align="Right")
    editor = edited(slip(), edit)
    x, _, width, _ = place(editor, "page")
    assert x + width == 530
    assert [name for name, _ in editor.bands()] == ["title", "columnHeader", "detail", "pageFooter", "summary"]
    assert printed(engine, editor.bytes(), SLIP_ROWS)[-1] == "Page 1"


def test_a_new_text_stands_beside_existing_ones(engine: ReportEngine) -> None:
    editor = edited(orders(), Add(key="who", band="pageFooter", text="Harbour Supplies"))
    assert place(editor, "who")[0] == 0
    assert _heights(editor) == _heights(Editor(orders()))
    assert printed(engine, editor.bytes(), ORDERS_ROWS)[-2:] == ["Harbour Supplies", "Page 1"]


def test_a_new_text_of_the_summary_stands_below_existing_ones() -> None:
    editor = edited(slip(), Add(key="thanks", band="summary", text="Thank you", align="Center"))
    assert place(editor, "thanks")[1] >= 34
    assert place(editor, "signed") == (30, 20, 100, 14)


def test_a_band_grows_for_a_text_that_has_no_space() -> None:
    editor = edited(slip(), *(Add(key=f"n{n}", band="detail", text="Note", align="Center") for n in range(2)))
    assert place(editor, "n0")[1] >= 20 and place(editor, "n1")[1] > place(editor, "n0")[1]
    assert place(editor, "c0") == (30, 0, 200, 20)


def test_a_new_text_has_the_style_of_the_element_it_names() -> None:
    editor = edited(slip(), Add(key="more", band="title", text="Copy", like="heading", x=400, y=30))
    node = editor.element("more")
    assert node is not None and node.find("{*}textElement/{*}font").attrib == {"size": "18", "isBold": "true"}
    assert place(editor, "more")[:2] == (400, 30)


@pytest.mark.parametrize(("align", "expected"), [("Center", "Center"), ("Right", "Right"), ("Left", None)])
def test_the_words_of_a_new_text_are_aligned_as_it_says_also_like_another(align: Align, expected: str | None) -> None:
    edit = Add(key="more", band="title", text="Copy", like="heading", x=10, y=60, width=300, align=align)
    node = edited(slip(), edit).element("more")
    assert node is not None and node.find("{*}textElement").get("textAlignment") == expected


def test_a_key_in_use_is_made_unique() -> None:
    editor = edited(slip(), Add(key="to", band="title", text="Copy"))
    assert editor.element("to_2") is not None


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (Add(key="k", band="cellar", text="x"), "band"),
        (Add(key="k", band="groupHeader", text="x"), "band"),
        (Add(key="k", band="title"), "value"),
        (Add(key="k", band="title", text="x", like="missing"), "element"),
        (Add(key="k", band="noData", text="x", height=5000), "room"),
    ],
)
def test_an_impossible_text_is_refused_with_a_reason(edit: Add, code: str) -> None:
    assert refused(slip(), edit).code == code


NEW = (
    '<band height="40"><staticText><reportElement key="{}" x="0" y="0" width="200" height="20"/>'
    "<text>New</text></staticText></band>"
)


def test_a_band_is_replaced(engine: ReportEngine) -> None:
    editor = edited(slip(), ReplaceBand(band="title", xml='<?xml version="1.0"?>\n' + NEW.format("new")))
    assert band(editor, "title") == [("New", 0, 200)]
    assert printed(engine, editor.bytes(), SLIP_ROWS)[0] == "New"


def test_the_keys_of_a_new_band_are_made_unique() -> None:
    editor = edited(slip(), ReplaceBand(band="title", xml=NEW.format("signed")))
    assert editor.element("signed_2") is not None and place(editor, "signed") == (30, 20, 100, 14)


def test_a_missing_section_is_added() -> None:
    assert band(edited(slip(), ReplaceBand(band="pageFooter", xml=NEW.format("n"))), "pageFooter") == [("New", 0, 200)]


def test_a_groups_band_is_replaced_by_its_name() -> None:
    editor = edited(orders(), ReplaceBand(band="groupHeader", xml=NEW.format("n")))
    assert band(editor, "groupHeader") == [("New", 0, 200)]


@pytest.mark.parametrize(
    "xml",
    [
        "",
        "New",
        "<title><band height='1'/></title>",
        "<band height='1'/><band height='2'/>",
        "<band height='1'/> and more",
        "<band height='tall'/>",
        "<band/>",
        "<band height='1'>",
        "<band xmlns='urn:else' height='1'/>",
        '<!DOCTYPE x [<!ENTITY e "y">]><band height="1">&e;</band>',
        "</around><band height='1'/><around>",
    ],
)
def test_anything_but_a_band_is_refused(xml: str) -> None:
    assert refused(slip(), ReplaceBand(band="title", xml=xml)).code == "value"


def test_a_band_that_the_page_cannot_hold_is_refused() -> None:
    assert refused(slip(), ReplaceBand(band="title", xml="<band height='900'/>")).code == "room"
    assert refused(slip(), ReplaceBand(band="pageFooter", xml="<band height='900'/>")).code == "room"


def _heights(editor: Editor) -> list[str | None]:
    return [node.get("height") for _, node in editor.bands()] + [
        report_element(node).get("height") for node in editor.elements() if report_element(node).get("key") == "c0"
    ]


def test_a_page_number_on_a_full_page_uses_the_margin() -> None:
    template = slip()
    editor = edited(template, Add(key="page", band="pageFooter", expression='"Page " + $V{PAGE_NUMBER}', align="Right"))
    high = int(dict(editor.bands())["pageFooter"].get("height") or 0)
    margin = int(editor.root.get("bottomMargin") or 0)
    assert 8 <= margin < 20 and abs(margin + high - 20) <= 4


def test_a_new_text_aligns_with_the_end_of_texts_not_of_elements() -> None:
    word = text("staticText", "word", 400, 5, 155, 14, "Invoice no. 2026-0147")
    plain = re.sub(rb"<detail>.*</detail>", b"", slip(), flags=re.DOTALL)
    template = plain.replace(b"</band></title>", word.encode() + b"</band></title>")
    editor = edited(template, Add(key="page", band="pageFooter", expression='"Page " + $V{PAGE_NUMBER}', align="Right"))
    x, _, width, _ = place(editor, "page")
    assert 490 < x + width <= 530


def test_the_number_of_pages_stands_beside_the_page_number_that_was_added_before_it() -> None:
    page = Add(key="page", band="pageFooter", expression='"Page " + $V{PAGE_NUMBER}', x=200, width=60)
    pages = Add(key="pages", band="pageFooter", expression='" of " + $V{PAGE_NUMBER} + " pages"', x=260, width=40)
    editor = edited(slip(), page, pages)
    assert place(editor, "page")[1] == place(editor, "pages")[1]


def test_a_page_number_at_the_side_that_becomes_larger_still_ends_there() -> None:
    page = Add(key="page", band="pageFooter", expression='"Page " + $V{PAGE_NUMBER}', x=498, width=40)
    editor = edited(slip(), page, SetProperty(element="page", name="fontSize", value="16"))
    x, _, width, _ = place(editor, "page")
    assert x + width == 530
