"""What the page shows of a template: the parameters of its data by what stands with them on the page."""

from __future__ import annotations

import pytest

from bandsmith.shared.model.plan import Data
from bandsmith.web.template_views import data_table
from tests.validator.reports import field, parameter, report, row_field, static


@pytest.mark.parametrize(
    ("elements", "label"),
    [
        ([field('"客户名称：" + ($P{customer} == null ? "" : $P{customer})')], "客户名称"),
        ([static("Customer:", x=10, width=60), field("$P{customer}", x=70)], "Customer"),
        ([static("No.", "a", x=10, width=40), static("Customer", "b", x=60, width=60), field("$P{customer}", x=120)],
         "Customer"),
        ([static("No.", x=10, width=40), field("$P{city}", "c", x=60, width=60), field("$P{customer}", x=120)],
         "Customer name"),
        ([static("Customer number", "a", x=5, width=35), static("Customer", "b", x=-200, width=270),
          field("$P{customer}", x=70)], "Customer"),
        ([static("Customer", y=60), field("$P{customer}", x=170)], "Customer name"),
        ([field("$P{customer} + $P{city}", x=170), static("Both", x=10)], "Customer name"),
    ],
    ids=[
        "within its text", "to its left", "the nearest", "of another value", "that ends next", "on another line",
        "of two",
    ],
)  # fmt: skip
def test_a_parameter_is_called_by_what_stands_with_it(elements: list[str], label: str):
    named = [one.replace("{customer}", "{customer_name}") for one in elements]
    template = report(*named, declared=parameter("customer_name") + parameter("city"))
    table = data_table(template, Data(parameters={"customer_name": "Ann", "city": "Bern"}), "en")
    assert next(one.label for one in table.parameters if one.name == "customer_name") == label


def test_a_time_is_shown_as_it_is_printed():
    printed = field("$F{start}", more='pattern="HH:mm"')
    template = report(detail=printed, declared=row_field("start", "java.util.Date"))
    table = data_table(template, Data(rows=[{"start": "1970-01-01T08:30:00"}]), "en")
    assert table.columns[0].kind == "time" and table.rows == [{"start": "08:30"}]
