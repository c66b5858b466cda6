"""Pictures, codes, charts and crosstabs, each seen on the page that is printed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.edits.add_barcode import AddBarcode
from bandsmith.shared.edits.add_chart import AddChart
from bandsmith.shared.edits.add_crosstab import AddCrosstab
from bandsmith.shared.edits.add_picture import AddPicture
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.model.plan import Data

from .printed import BOTH, REPORTS, boxes, colours, inside, logo, page, shown, words
from .reports import edited, orders, place, refused, slip


@BOTH
def test_a_logo_is_printed_beside_or_above_the_title(engine: ReportEngine, name: str) -> None:
    build, rows = REPORTS[name]
    data = rows.model_copy(update={"parameters": {**rows.parameters, "logo": logo()}})
    printout = shown(engine, name, AddPicture(file="logo.png", key="logo", content=logo()), data=data, pages=1)
    (box,) = boxes(printout, "logo")
    pixels = inside(colours(printout), box)
    assert np.mean(np.all(pixels == (0x60, 0x20, 0x10), axis=-1)) > 0.9
    assert words(printout) == words(engine.print(build(), rows, pages=0))


def test_without_its_value_a_logo_prints_nothing(engine: ReportEngine) -> None:
    printout = shown(engine, "slip", AddPicture(file="logo.png", key="logo", content=logo()))
    assert not boxes(printout, "logo")


def test_a_picture_that_is_not_attached_is_refused() -> None:
    assert refused(slip(), AddPicture(file="logo.png")).code == "value"
    assert refused(slip(), AddPicture(file="logo.png", content="R0lGODlhAQABAAAAACw=")).code == "value"


@pytest.mark.parametrize("kind", ["QRCode", "DataMatrix", "PDF417", "Code128"])
def test_a_code_of_every_row_is_printed_above_its_value(engine: ReportEngine, kind: str) -> None:
    printout = shown(engine, "slip", AddBarcode.model_validate({"kind": kind, "field": "item"}), pages=1)
    assert len(boxes(printout, "barcode")) == 3
    code, value = boxes(printout, "barcode")[0], next(one.box for one in printout.elements if one.text == "Lamp")
    assert value.y <= code.y and code.bottom < value.bottom
    assert (inside(page(printout), code) < 100).mean() > 0.05


def test_a_qr_code_can_be_read_again(engine: ReportEngine) -> None:
    printout = shown(engine, "orders", AddBarcode(kind="QRCode", text="https://example.com/北"), pages=1)
    found, _, _ = cv2.QRCodeDetector().detectAndDecode(page(printout))
    assert found == "https://example.com/北"


@pytest.mark.parametrize(("kind", "good", "bad"), [
    ("EAN13", "4006381333931", "4006381333932"), ("EAN8", "96385074", "96385075"),
    ("UPCA", "036000291452", "036000291453"), ("Code128", "AB-12", "编号"), ("Code39", "AB 12", "ab"),
    ("Interleaved2Of5", "1234", "12a4"),
])  # fmt: skip
def test_values_that_a_code_cannot_hold_print_no_code(engine: ReportEngine, kind: str, good: str, bad: str) -> None:
    data = Data(rows=[{"item": good, "quantity": 1, "price": 1, "amount": 1}, {"item": bad}, {"item": None}])
    printout = shown(engine, "slip", AddBarcode.model_validate({"kind": kind, "field": "item"}), data=data)
    assert len(boxes(printout, "barcode")) == 1
    fixed = AddBarcode.model_validate({"kind": kind, "text": bad})
    assert refused(slip(), fixed).code == "value"
    assert boxes(shown(engine, "slip", AddBarcode.model_validate({"kind": kind, "text": good})), "barcode")


def test_a_code_of_a_value_above_the_rows(engine: ReportEngine) -> None:
    assert len(boxes(shown(engine, "slip", AddBarcode(element="to")), "barcode")) == 1
    assert refused(slip(), AddBarcode(element="heading")).code == "kind"


@BOTH
@pytest.mark.parametrize("kind", ["bar", "horizontal_bar", "pie", "line", "area"])
def test_a_chart_is_drawn_below_the_rows(engine: ReportEngine, name: str, kind: str) -> None:
    by = {"slip": "item", "orders": "customer"}[name]
    printout = shown(engine, name, AddChart.model_validate({"kind": kind, "by": by, "field": "amount"}))
    (box,) = boxes(printout, "chart")
    assert box.height == 200
    assert box.y >= max(one.box.bottom for one in printout.elements if one.text == "Amount")
    assert "chart" in {one.key for one in printout.elements}


def test_a_chart_shows_totals_whatever_the_order_of_the_rows(engine: ReportEngine) -> None:
    """Bars of 10 + 20 and of 30 are equally high."""
    data = Data(rows=[{"item": "A", "amount": 10}, {"item": "B", "amount": 30}, {"item": "A", "amount": 20}])
    printout = shown(engine, "slip", AddChart(by="item", field="amount"), data=data, pages=1)
    (box,) = boxes(printout, "chart")
    pixels = inside(colours(printout), box)
    red = np.all(np.abs(pixels.astype(int) - (85, 85, 255)) < 30, axis=-1)
    heights = {int(column.sum()) for column in red.T if column.sum() > 20}
    assert heights and max(heights) - min(heights) <= 2


def test_a_chart_needs_numbers() -> None:
    assert refused(slip(), AddChart(by="amount", field="item")).code == "class"
    assert refused(slip(), AddChart(by="colour")).code == "field"


def test_a_crosstab_totals_by_two_fields(engine: ReportEngine) -> None:
    printout = shown(engine, "orders", AddCrosstab(rows="region", columns="customer", field="amount"))
    found = words(printout)
    assert {"Total", "North", "South", "550.00"} <= set(found) or {"Total", "550"} <= set(found)
    assert refused(orders(), AddCrosstab(rows="region", columns="customer", field="region")).code == "class"


def test_a_chart_can_be_deleted_and_makes_way_for_what_is_added() -> None:
    charted = edited(slip(), AddChart(by="item", field="amount"))
    below = place(edited(charted.bytes(), AddTotal(field="amount", calculation="Sum")), "chart")[1]
    assert below > place(charted, "chart")[1]
    assert edited(charted.bytes(), Delete(element="chart")).element("chart") is None
