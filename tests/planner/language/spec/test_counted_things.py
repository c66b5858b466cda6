"""Only words of money make a column of amounts: what is counted is a whole number, and what is unknown is a number
without forced decimals."""

from __future__ import annotations

import pytest

from bandsmith.services.generator.spec.table import build_table
from bandsmith.shared.language import language_of

from .specs import spec_of


def kinds_of(text: str) -> dict[str, str]:
    return {column.label: column.type for column in spec_of(text, language_of(text)).columns}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "bottling log with date, pallets, bottles per pallet, bottled (pallets x bottles per pallet)",
            {"Pallets": "integer", "Bottles per pallet": "integer", "Bottled": "integer"},
        ),
        ("seed list: bed, trays, seedlings, total of seedlings", {"Trays": "integer", "Seedlings": "number"}),
        ("raffle sheet: seller, tickets, price, amount = tickets x price", {"Tickets": "number", "Amount": "money"}),
        ("种苗清单：苗床、盘数、每盘株、共株(盘数×每盘株)", {"盘数": "integer", "每盘株": "number", "共株": "number"}),
        ("摸奖券登记：经手人、券、单价、金额(券×单价)", {"券": "number", "单价": "money", "金额": "money"}),
    ],
)
def test_counted_things_are_no_amounts(text, expected):
    assert expected.items() <= kinds_of(text).items()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("trip budget with stop, bus, hotel, total = bus + hotel", {"Bus": "money", "Hotel": "money"}),
        ("pay sheet: name, shifts, EUR per shift, due = shifts x EUR per shift", {"Shifts": "number", "Due": "money"}),
        ("差旅预算：地点、车票、住宿、费用(车票+住宿)", {"车票": "money", "住宿": "money", "费用": "money"}),
        ("折扣表：品名、原价、折后(原价×0.9)", {"原价": "money", "折后": "money"}),
    ],
)
def test_what_amounts_are_computed_from_are_amounts(text, expected):
    assert expected.items() <= kinds_of(text).items()


def test_a_total_of_things_prints_no_decimals_of_its_own():
    spec = spec_of("seed list: bed, trays, seedlings, total of seedlings", "en")
    table = {item.label: item for item in build_table(spec).columns}
    assert spec.columns[2].total == "sum"
    assert table["Seedlings"].pattern == "#,##0.##"
    assert all(value == int(value) for value in table["Seedlings"].values)


def test_a_price_in_a_currency_is_still_a_price_which_is_not_added_up():
    columns = spec_of("shop list: item, size, price in euros, grouped by size", "en").columns
    assert [(column.type, column.total) for column in columns if column.label == "Price in euros"] == [
        ("money", "none")
    ]
