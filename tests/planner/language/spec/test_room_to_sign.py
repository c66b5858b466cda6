"""Room to sign in the rows is no signature line, and a demand for everybody is no title."""

from __future__ import annotations

import pytest

from bandsmith.shared.language import language_of

from .specs import spec_of


@pytest.mark.parametrize(
    ("text", "blank_rows"),
    [
        ("visitor list: name, company, signature, 15 blank rows with enough room to sign", 15),
        ("key list: name, key, signature. 20 empty lines, leaving some space for signatures", 20),
        ("tool list: tool, state, enough space for everyone to sign", 0),
        ("值班表：日期、姓名、签名，先留7行空的", 7),
        ("值班表：日期、姓名、签名，留10行空的就行", 10),
    ],
)
def test_room_to_sign_is_no_signature_line(text: str, blank_rows: int):
    spec = spec_of(text, language_of(text))
    assert spec.signatures == []
    assert spec.blank_rows == blank_rows


def test_room_to_write_is_no_column():
    spec = spec_of("attendance: name, date, 12 empty lines, leave enough space to write", "en")
    assert [column.label for column in spec.columns] == ["Name", "Date"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "We are two brothers with a garage, each of us writes things down in his own way. "
            "One list for everybody please: tyre stock, with size, make, count",
            "Tyre Stock",
        ),
        ("One sheet for all of us please: cake sale, with cake, sold, price", "Cake Sale"),
    ],
)
def test_demand_for_everybody_is_no_title(text: str, title: str):
    spec = spec_of(text, "en")
    assert spec.title == title
    assert title not in [column.label for column in spec.columns]
