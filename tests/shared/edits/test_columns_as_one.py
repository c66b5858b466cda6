"""A column is aligned as one, changes places with another, leaves its total; totals get a background."""

from __future__ import annotations

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_running_total import AddRunningTotal
from bandsmith.shared.edits.add_share import AddShare
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.align_column import AlignColumn
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.fill_total_row import FillTotalRow
from bandsmith.shared.edits.move_column import MoveColumn
from bandsmith.shared.edits.swap_places import SwapPlaces
from bandsmith.shared.jrxml.dom import content_of

from .reports import ORDERS_ROWS, SLIP_ROWS, band, edited, orders, place, printed, refused, slip

TOTAL = AddTotal(field="amount", calculation="Sum")


def aligned(editor: Editor, *names: str) -> list[str]:
    nodes = [editor.element(name) for name in names]
    return [node.find("{*}textElement").get("textAlignment") for node in nodes if node is not None]


def test_heading_values_and_total_are_aligned_together() -> None:
    editor = edited(slip(), TOTAL, AlignColumn(field="amount", align="Center"))
    assert aligned(editor, "h3", "c3") == ["Center"] * 2
    [total] = [node for node in editor.elements() if "amount_sum" in content_of(node)]
    assert total.find("{*}textElement").get("textAlignment") == "Center"
    assert aligned(editor, "h2", "c2") == ["Right"] * 2


@pytest.mark.parametrize(("part", "expected"), [("heading", ["Center", "Right"]), ("values", ["Right", "Center"])])
def test_the_heading_or_the_values_may_be_aligned_alone(part: str, expected: list[str]) -> None:
    edit = AlignColumn.model_validate({"field": "amount", "align": "Center", "part": part})
    assert aligned(edited(slip(), edit), "h3", "c3") == expected


def test_a_column_that_is_aligned_so_already_is_not_changed() -> None:
    assert refused(slip(), AlignColumn(field="amount", align="Right")).code == "already"


def test_two_columns_change_places_with_their_headings() -> None:
    editor = edited(slip(), SwapPlaces(one="quantity", other="amount"))
    assert [words for words, _, _ in band(editor, "columnHeader")] == ["Item", "Amount", "Price", "Qty"]
    assert [words for words, _, _ in band(editor, "detail")] == [
        "$F{item}", "$F{amount}", "$F{price}", "$F{quantity}",
    ]  # fmt: skip


def test_two_texts_below_each_other_change_places() -> None:
    editor = edited(slip(), SwapPlaces(one="heading", other="to"))
    assert place(editor, "to")[1] < place(editor, "heading")[1]


def test_two_texts_of_different_sections_do_not_change_places() -> None:
    assert "sections" in refused(slip(), SwapPlaces(one="heading", other="signed")).reason.en
    assert refused(slip(), SwapPlaces(one="heading", other="heading")).code == "value"


def test_a_hidden_column_may_leave_its_total(engine: ReportEngine) -> None:
    template = edited(slip(), TOTAL, DeleteColumn(field="amount", keep_totals=True)).bytes()
    words = printed(engine, template, SLIP_ROWS)
    assert "1,352.50" in words and "1,302.50" not in words
    gone = edited(slip(), TOTAL, DeleteColumn(field="amount")).bytes()
    assert "1,352.50" not in printed(engine, gone, SLIP_ROWS)


@pytest.mark.parametrize("template", [slip(), orders()], ids=["slip", "orders"])
def test_the_row_of_totals_gets_one_background_that_takes_another_colour(template: bytes) -> None:
    once = edited(template, TOTAL, FillTotalRow(colour="#EEEEEE"))
    twice = edited(once.bytes(), FillTotalRow(colour="#FFFF99"))
    assert b'backcolor="#FFFF99"' in twice.bytes() and b"#EEEEEE" not in twice.bytes()
    left, _, width, _ = place(twice, "total_background")
    assert (left, left + width) in [(30, 530), (0, 555)]


def test_letters_that_would_be_lost_on_the_background_change_colour() -> None:
    assert b'forecolor="#FFFFFF"' in edited(slip(), TOTAL, FillTotalRow(colour="#112233")).bytes()


def test_a_report_without_totals_has_no_row_of_them() -> None:
    assert refused(slip(), FillTotalRow(colour="#EEEEEE")).code == "kind"


def test_the_total_of_a_group_is_kept_where_it_stands(engine: ReportEngine) -> None:
    template = edited(orders(), DeleteColumn(field="amount", keep_totals=True)).bytes()
    assert "150.00" in printed(engine, template, ORDERS_ROWS)


def test_a_share_and_a_running_total_are_named_for_the_edits_after_them() -> None:
    share, running = AddShare(field="amount", key="part"), AddRunningTotal(field="amount", key="so_far")
    editor = edited(
        slip(), share, MoveColumn(field="part", after="item"), running, AlignColumn(field="so_far", align="Left")
    )
    assert [words for words, _, _ in band(editor, "columnHeader")][:3] == ["Item", "Share", "Qty"]
    assert aligned(editor, "so_far") == ["Left"]
