"""What the page shows of a template: the parameters of its data by what stands with them on the page."""

from __future__ import annotations

import pytest

from bandsmith.shared.model.plan import Data
from bandsmith.web.template_views import data_table
from tests.validator.reports import field, parameter, report, static


@pytest.mark.parametrize(
    ("elements", "label"),
    [
        ([field('"客户名称：" + ($P{customer} == null ? "" : $P{customer})')], "客户名称"),
        ([static("Customer:", x=10, width=60), field("$P{customer}", x=70)], "Customer"),
        ([static("No.", "a", x=10, width=40), static("Customer", "b", x=60, width=60), field("$P{customer}", x=120)],
         "Customer"),
        ([static("Customer", y=60), field("$P{customer}", x=170)], "Customer name"),
        ([field("$P{customer} + $P{city}", x=170), static("Both", x=10)], "Customer name"),
    ],
    ids=["within its text", "to its left", "the nearest", "on another line", "of two"],
)  # fmt: skip
def test_a_parameter_is_called_by_what_stands_with_it(elements: list[str], label: str):
    named = [one.replace("{customer}", "{customer_name}") for one in elements]
    template = report(*named, declared=parameter("customer_name") + parameter("city"))
    table = data_table(template, Data(parameters={"customer_name": "Ann", "city": "Bern"}), "en")
    assert next(one.label for one in table.parameters if one.name == "customer_name") == label
