"""A text is moved within its band or to another one, where it still prints what it printed."""

from __future__ import annotations

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.edits.add_shape import AddShape
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize

from .reports import SLIP_ROWS, edited, place, printed, refused, slip


def test_a_text_moves_to_another_band_which_grows_for_it(engine: ReportEngine) -> None:
    editor = edited(slip(), Move(element="signed", x=30, y=70, band="title"))
    assert place(editor, "signed") == (30, 70, 100, 14)
    assert printed(engine, editor.bytes(), SLIP_ROWS).index("Signed:") < 3


def test_a_sum_that_moves_above_the_rows_still_prints_their_sum(engine: ReportEngine) -> None:
    with_total = edited(slip(), AddTotal(field="amount"))
    total = next(
        node.find("{*}reportElement").get("key")
        for node in with_total.root.iter("{*}textField")
        if "$V{" in (node.findtext("{*}textFieldExpression") or "")
    )
    before = printed(engine, with_total.bytes(), SLIP_ROWS)
    moved = edited(with_total.bytes(), Move(element=total, x=400, y=35, band="title"))
    assert sorted(printed(engine, moved.bytes(), SLIP_ROWS)) == sorted(before)


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (Move(element="signed", band="detail"), "value"),
        (Move(element="c1", band="title"), "value"),
        (Move(element="gone", band="title"), "element"),
    ],
)
def test_what_belongs_to_the_rows_stays_there(edit: Move, code: str) -> None:
    assert refused(slip(), edit).code == code


def test_without_a_position_a_text_keeps_its_own() -> None:
    assert place(edited(slip(), Move(element="signed", band="title")), "signed") == (30, 20, 100, 14)


def test_a_shape_is_given_its_new_size_before_its_new_place() -> None:
    wide = AddShape(key="area", band="summary", shape="rectangle", x=0, y=0, width=550, height=20)
    edits = [wide, Move(element="area", x=400), Resize(element="area", width=120)]
    assert place(edited(slip(), *edits), "area")[::2] == (400, 120)
