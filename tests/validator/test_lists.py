"""The rows of further tables: a list prints as many as the data has, and what stands below it moves down."""

from __future__ import annotations

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import Validation, validate
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.filling import FilledData, encode_lines
from bandsmith.shared.model.plan import Band, Data, DataField, Font, ListElement, Plan, StaticText, TextField

FONT = Font(family="Liberation Sans", size=10)
MATERIALS = ListElement(
    key="materials", x=0, y=0, width=360, height=20, name="materials",
    fields=[DataField(name="item"), DataField(name="price", java_class="java.math.BigDecimal")],
    contents=[
        TextField(key="item", x=0, y=0, width=180, height=20, font=FONT, expression="$F{item}"),
        TextField(key="price", x=180, y=0, width=180, height=20, font=FONT, expression="$F{price}"),
    ],
)  # fmt: skip
THANKS = StaticText(key="thanks", x=0, y=30, width=200, height=20, font=FONT, text="Thank you.", floats=True)
TEMPLATE = build_jrxml(
    Plan(
        name="list",
        page_width=400,
        page_height=300,
        bands=[Band(name="title", height=60, elements=[MATERIALS, THANKS])],
        parameters=[DataField(name="materials", java_class="java.util.Collection")],
    )
)


def rows(count: int) -> list[dict[str, str | int | float | bool | None]]:
    return [{"item": f"Paint {n}", "price": n} for n in range(1, count + 1)]


def printed(engine: ReportEngine, count: int) -> Validation:
    return validate(engine, ValidatorSettings(), TEMPLATE, Data(lists={"materials": rows(count)}))


def tops(done: Validation, key: str) -> list[float]:
    assert done.verdict.findings == [] and done.printout is not None
    return [element.box.y for element in done.printout.elements if element.key == key]


@pytest.mark.parametrize("count", [0, 1, 4])
def test_a_list_prints_each_of_its_rows_below_the_other(engine: ReportEngine, count: int):
    done = printed(engine, count)

    assert tops(done, "item") == [20.0 * row for row in range(count)]
    assert tops(done, "thanks") == [30.0 + 20.0 * max(0, count - 1)]


def test_a_long_list_goes_on_over_the_next_pages(engine: ReportEngine):
    assert printed(engine, 40).verdict.pages == 3


def test_a_list_is_filled_with_a_persons_own_rows(engine: ReportEngine):
    data = encode_lines(FilledData(lists={"materials": [{"item": "Brush", "price": "3.20"}]}), ())

    printout = engine.print(TEMPLATE, data, pages=1)

    assert [e.text for e in printout.elements if e.key in ("item", "price")] == ["Brush", "3.20"]
