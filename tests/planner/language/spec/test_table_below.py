"""A list "below" the lines on top is the table, where no other list is one; a dash ends a list of columns."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.spec.rule_reader import read
from bandsmith.shared.language import language_of
from bandsmith.shared.model.spec import ReportSpec


def spec_of(text: str) -> ReportSpec:
    return read(text, language_of(text)).spec


def labels(spec: ReportSpec) -> list[str]:
    return [column.label for column in spec.columns]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("签到表，上面写会议名称、时间，下面序号、姓名、电话、签名", ["序号", "姓名", "电话", "签名"]),
        ("领用单，上面部门、日期，下方是品名、规格、数量、签名", ["品名", "规格", "数量", "签名"]),
        ("attendance, at the top meeting and place, below name, group, signature", ["Name", "Group", "Signature"]),
        ("order form: customer on top, below it: article, quantity, weight", ["Article", "Quantity", "Weight"]),
    ],
)  # fmt: skip
def test_several_names_below_the_lines_on_top_are_the_columns(text: str, columns: list[str]):
    spec = spec_of(text)
    assert labels(spec) == columns
    assert not spec.signatures and not spec.closing and spec.header_fields


@pytest.mark.parametrize(
    "text",
    [
        "invoice, at the top customer and date, columns item, qty, price, below bank, IBAN, signature",
        "送货单，上面客户、日期，表格有品名、数量、单价，下面送货人、收货人、备注",
    ],
)
def test_names_below_a_table_stay_below_it(text: str):
    spec = spec_of(text)
    assert len(spec.columns) == 3
    assert len(spec.signatures) + len(spec.closing) == 3


def test_a_dash_behind_the_last_column_opens_no_section():
    reading = read("key register. key number, room, signature - make the signature wide", "en")
    assert labels(reading.spec) == ["Key number", "Room", "Signature"]
    assert reading.unread == ["make the signature wide"]
