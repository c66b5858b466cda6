"""Totals stand below their column, groups above their rows, highlights in the values, and the engine prints them so."""

import re

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_group import AddGroup
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.highlight import Highlight
from bandsmith.shared.edits.sort_by import SortBy
from bandsmith.shared.jrxml.dom import report_element

from .reports import ORDERS_ROWS, SLIP_ROWS, band, edited, orders, place, printed, refused, slip, text


def test_a_total_gets_a_new_row_of_cells_below_its_column(engine: ReportEngine) -> None:
    editor = edited(slip(), AddTotal(field="amount"))
    assert band(editor, "summary")[-1] == ("$V{amount_sum}", 410, 530)
    assert place(editor, "amount_sum") == (410, 0, 120, 20)
    assert place(editor, "signed") == (30, 40, 100, 14)  # what stood there moved down
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    assert texts[texts.index("Total") + 1] == "1,352.50"


def test_a_second_total_joins_the_row_of_the_first(engine: ReportEngine) -> None:
    editor = edited(slip(), AddTotal(field="amount"), AddTotal(field="quantity"))
    assert ("$V{quantity_sum}", 230, 310) in band(editor, "summary")
    assert place(editor, "signed")[1] == 40  # one row was opened, not two
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    assert texts[texts.index("Total") + 1 :][:2] == ["14", "1,352.50"]


def test_a_total_without_borders_ends_where_the_values_above_it_end() -> None:
    bordered = edited(slip(), AddTotal(field="amount")).bytes()
    rows, below = bordered.split(b"<summary>")
    plain = rows + b"<summary>" + re.sub(rb"<box.*?</box>", b"", below, flags=re.DOTALL)
    assert ("$V{quantity_sum}", 230 + 3, 310 - 3) in band(edited(plain, AddTotal(field="quantity")), "summary")


def test_a_new_row_of_totals_goes_below_the_closing_rule(engine: ReportEngine) -> None:
    own = text("staticText", "words", 40, 6, 100, 17, "In words:")
    own += text("textField", "sum", 410, 6, 110, 14, "$V{REPORT_COUNT}")
    own += '<line><reportElement key="closing" x="30" y="32" width="500" height="1"/></line>'
    template = slip().replace(b'<summary><band height="50">', b'<summary><band height="50">' + own.encode())
    template = template.replace(b'key="signed" x="30" y="20"', b'key="signed" x="30" y="35"')
    editor = edited(template, AddTotal(field="amount", calculation="Average"))
    assert place(editor, "words") == (40, 6, 100, 17)
    assert place(editor, "amount_average") == (410, 32, 120, 20)
    assert place(editor, "closing")[1] == 52


def test_another_kind_of_total_gets_its_own_row_and_label(engine: ReportEngine) -> None:
    editor = edited(
        slip(),
        AddTotal(field="amount"),
        AddTotal(field="amount", calculation="Average"),
        AddTotal(field="price", calculation="Highest", label="Dearest"),
        AddTotal(field="quantity", calculation="Count"),
    )
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    assert texts[texts.index("Total") :] == [
        "Total", "1,352.50", "Average", "676.25", "Dearest", "130.25", "Count", "2", "Signed:",
    ]  # fmt: skip


def test_a_total_per_group_stands_in_the_group_footer(engine: ReportEngine) -> None:
    editor = edited(orders(), AddTotal(field="quantity", group="region"), AddTotal(field="quantity"))
    texts = printed(engine, editor.bytes(), ORDERS_ROWS)
    north = texts.index("Region North")
    assert texts[north + 9 : north + 12] == ["Subtotal", "5", "150.00"]
    assert texts[-3:] == ["Total", "10", "Page 1"]


def test_a_chinese_report_has_chinese_labels() -> None:
    chinese = slip().decode().replace("Item", "品名").replace("Qty", "数量").replace("Price", "单价")
    chinese = chinese.replace("Amount", "金额").replace("Delivery slip", "送货单").replace("Signed:", "签收:")
    editor = edited(chinese.encode(), AddTotal(field="amount"))
    assert "合计" in [words for words, _, _ in band(editor, "summary")]


def test_an_empty_label_adds_none() -> None:
    editor = edited(slip(), AddTotal(field="amount", label=""))
    assert [words for words, _, _ in band(editor, "summary")] == ["Signed:", "$V{amount_sum}"]


@pytest.mark.parametrize(
    ("template", "edit", "code"),
    [
        (slip(), AddTotal(field="item"), "class"),
        (slip(), AddTotal(field="colour"), "column"),
        (slip(), AddTotal(field="amount", group="item"), "group"),
        (orders(), AddTotal(field="amount", group="Region"), "already"),
        (slip(), AddGroup(field="colour"), "field"),
        (orders(), AddGroup(field="region"), "already"),
        (slip(), SortBy(field="colour"), "field"),
        (slip(), Highlight(field="item", comparison=">", value="1000"), "class"),
        (slip(), Highlight(field="amount", comparison=">", value="many"), "class"),
        (slip(), Highlight(field="amount", comparison=">", value="1", colour="red"), "value"),
        (orders(), Highlight(field="region", comparison="==", value="North"), "column"),
    ],
)
def test_an_impossible_edit_is_refused_with_a_reason(template: bytes, edit: AnyEdit, code: str) -> None:
    assert refused(template, edit).code == code


def test_rows_are_grouped_sorted_and_headed(engine: ReportEngine) -> None:
    editor = edited(slip(), AddGroup(field="item"), AddTotal(field="amount", group="item"))
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    start = texts.index("Item: Board")
    assert texts[start:][:11] == [
        "Item: Board", "Board", "10", "130.25", "1,302.50", "Subtotal", "1,302.50", "Item: Lamp", "Lamp", "4", "12.50",
    ]  # fmt: skip


def test_a_new_group_lies_within_existing_groups(engine: ReportEngine) -> None:
    editor = edited(orders(), AddGroup(field="ordered", label="Day"), SortBy(field="customer", descending=True))
    names = [node.get("name") for node in editor.root.findall("{*}sortField")]
    assert names == ["region", "ordered", "customer"]
    texts = printed(engine, editor.bytes(), ORDERS_ROWS)
    assert [text for text in texts if text.startswith(("Region", "Day"))] == [
        "Region North", "Day: 2026-05-02", "Day: 2026-05-03", "Region South", "Day: 2026-05-04",
    ]  # fmt: skip


def test_sorting_comes_before_other_sorting(engine: ReportEngine) -> None:
    editor = edited(slip(), SortBy(field="item"), SortBy(field="quantity", descending=True))
    texts = printed(engine, editor.bytes(), SLIP_ROWS)
    assert [text for text in texts if text in ("Lamp", "Board", "Paper")] == ["Board", "Lamp", "Paper"]
    assert Editor(editor.bytes()).carry_out([SortBy(field="quantity", descending=True)])[0].code == "already"


@pytest.mark.parametrize(
    ("edit", "coloured"),
    [
        (Highlight(field="amount", comparison=">", value="1,000"), ["1,302.50"]),
        (Highlight(field="quantity", comparison="<=", value="4", row=True), ["Lamp", "4", "12.50", "50.00"]),
        (Highlight(field="item", comparison="==", value='La"m\\p', row=True), []),
        (Highlight(field="item", comparison="!=", value="Lamp"), ["Board", "Paper"]),
    ],
    ids=lambda value: value.comparison if isinstance(value, Highlight) else "",
)
def test_values_are_highlighted_where_the_comparison_holds(
    engine: ReportEngine, edit: Highlight, coloured: list[str]
) -> None:
    editor = edited(slip(), edit)
    pages = engine.print(editor.bytes(), SLIP_ROWS)
    plain = engine.print(slip(), SLIP_ROWS)
    assert [one.text for one in pages.elements] == [one.text for one in plain.elements]
    assert _red(pages.pictures[0], [one.box for one in pages.elements if one.text in coloured]) == len(coloured)
    assert _red(pages.pictures[0], [one.box for one in pages.elements if one.text not in coloured]) == 0


def test_dates_are_compared_by_day_and_a_second_highlight_joins_the_first(engine: ReportEngine) -> None:
    editor = edited(
        orders(),
        Highlight(field="ordered", comparison=">=", value="2026-05-04"),
        Highlight(field="ordered", comparison="<", value="2026-05-03", colour="#FF0000", bold=True),
    )
    pages = engine.print(editor.bytes(), ORDERS_ROWS)
    boxes = {one.text: one.box for one in pages.elements}
    assert _red(pages.pictures[0], [boxes["2026-05-02"]]) == _red(pages.pictures[0], [boxes["2026-05-04"]]) == 1
    assert _red(pages.pictures[0], [boxes["2026-05-03"]]) == 0
    assert len(editor.root.findall("{*}style")) == 3


def test_a_highlight_overrides_an_elements_own_colour() -> None:
    own = slip().replace(b'key="c3"', b'key="c3" forecolor="#00AA00"')
    editor = edited(own, Highlight(field="amount", comparison=">", value="1000"))
    node = editor.element("c3")
    assert node is not None and report_element(node).get("forecolor") is None
    assert 'forecolor="#00AA00"' in editor.bytes().decode()


def _red(picture: bytes, boxes: list) -> int:
    """How many of the boxes hold red ink."""
    import cv2
    import numpy as np

    pixels = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR).astype(int)
    found = 0
    for box in boxes:
        scale = 150 / 72
        part = pixels[int(box.y * scale) : int(box.bottom * scale), int(box.x * scale) : int(box.right * scale)]
        found += bool(((part[..., 2] > 200) & (part[..., 1] < 90) & (part[..., 0] < 90)).any())
    return found
