"""Sample rows leave room for what stands below the table."""

from bandsmith.services.generator.spec.build import build_spec
from bandsmith.shared.model.spec import Column, Paper, ReportSpec


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
