"""Sample rows leave room for what stands below the table."""

import pytest

from bandsmith.services.generator.spec.build import build_spec
from bandsmith.shared.model.spec import Column, Kind, Paper, ReportSpec


def test_sample_rows_leave_room_for_the_signatures() -> None:
    spec = ReportSpec(
        title="Issue slip", columns=[Column(label="Item"), Column(label="Qty", type="integer")],
        page=Paper(size="A5", orientation="landscape"), signatures=["Storekeeper"],
    )  # fmt: skip
    plan, data = build_spec(spec)
    taken = sum(band.height for band in plan.bands if band.name != "detail")
    row = next(band.height for band in plan.bands if band.name == "detail")
    assert len(data.rows) >= 2
    assert taken + row * len(data.rows) <= plan.page_height - plan.margins.top - plan.margins.bottom


@pytest.mark.parametrize(
    "columns",
    [
        [("Qty", "qty"), ("Price", "p"), ("Amount", "line_amt")],
        [("数量", "sl"), ("单价", "dj"), ("小计", "xj")],
        [("Pieces", "q"), ("Price each", "each"), ("Total", "t")],
    ],
)
def test_made_up_amounts_are_quantity_times_price_whatever_the_fields_are_called(
    columns: list[tuple[str, str]],
) -> None:
    kinds: tuple[Kind, ...] = ("integer", "money", "money")
    described = [Column(label=label, name=name, type=kind) for (label, name), kind in zip(columns, kinds, strict=True)]
    _, data = build_spec(ReportSpec(title="Order", columns=described))
    names = [name for _, name in columns]
    assert data.rows
    for row in data.rows:
        quantity, price, amount = (float(row[name] or 0) for name in names)
        assert quantity * price == pytest.approx(amount) and amount > 0


@pytest.mark.parametrize("label", ["Rate", "Price", "Discount", "税率", "单价"])
def test_made_up_percentages_are_shares_of_one_whatever_their_column_is_called(label: str) -> None:
    _, data = build_spec(ReportSpec(title="Statement", columns=[Column(label=label, name="rate", type="percent")]))
    assert data.rows and all(0 <= float(row["rate"] or 0) <= 1 for row in data.rows)


@pytest.mark.parametrize("label", ["Volume", "Weight", "体积", "工时"])
def test_made_up_measures_have_no_more_decimals_than_are_printed(label: str) -> None:
    _, data = build_spec(ReportSpec(title="List", columns=[Column(label=label, name="volume", type="number")]))
    assert data.rows and all(float(row["volume"] or 0) == round(float(row["volume"] or 0), 1) for row in data.rows)
