"""A second table of a form becomes a list with rows of its own, in the template and in its data."""

from __future__ import annotations

import pytest

from bandsmith.services.generator.mapping.llm_field_mapping import map_form
from bandsmith.services.generator.planning import plan
from bandsmith.shared.jrxml.dom import COMPONENTS, J
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.llm import Allowance
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, Repeat, Slot
from bandsmith.shared.model.plan import Data, ListElement, Plan
from bandsmith.shared.xml import parse

from .forms import PAGE, Form, blank

PITCH = 20


def table(form: Form, top: float, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> Repeat:
    """Draw a table and return its rows."""
    header = [form.text(head, 30 + 110 * n, top) for n, head in enumerate(heads)]
    tops = [top + 10 + PITCH * row for row in range(len(rows))]
    blocks = [
        [form.text(row[n], 30 + 110 * n, tops[at] + 14, value=True) for at, row in enumerate(rows)]
        for n in range(len(heads))
    ]
    slots = [Slot(label=head, blocks=list(column)) for head, column in zip(heads, blocks, strict=True)]
    box = Box.between(30, tops[0], 360, tops[-1] + PITCH)
    return Repeat(box=box, tops=tops, pitch=PITCH, slots=slots, header=header)


@pytest.fixture
def layout() -> Layout:
    form = Form()
    form.text("Services", 30, 20)
    main = table(form, 40, ("Description", "Qty", "Amount"), [(f"Service {n}", f"{n}", f"{n}.50") for n in (1, 2, 3)])
    form.text("Materials", 30, 135)
    second = table(form, 155, ("Item", "Quantity", "Price"), [("Paint", "2", "12.50"), ("Brush", "1", "3.20")])
    form.text("Thank you.", 30, 230)
    return form.layout().model_copy(update={"repeat": main, "further": [second]})


def planned(layout: Layout) -> tuple[Plan, Data]:
    return plan(layout, blank(), "invoice")


def test_the_second_table_is_printed_by_a_list_as_high_as_one_row(layout: Layout):
    report, data = planned(layout)
    summary = next(band for band in report.bands if band.name == "summary")
    (found,) = [element for element in summary.elements if isinstance(element, ListElement)]

    assert found.height == PITCH
    assert found.width == PAGE.width - report.margins.left - report.margins.right
    assert [element.kind for element in found.contents] == ["textField"] * 3
    assert [len(rows) for rows in data.lists.values()] == [2]
    assert len(data.rows) == 3


def test_what_stands_below_a_list_moves_down_as_it_grows(layout: Layout):
    report, _ = planned(layout)
    summary = next(band for band in report.bands if band.name == "summary")
    (thanks,) = [e for e in summary.elements if e.kind == "staticText" and e.text == "Thank you."]
    (title,) = [e for e in summary.elements if e.kind == "staticText" and e.text == "Materials"]

    assert thanks.floats
    assert not title.floats


def test_a_sum_that_begins_within_the_last_row_of_a_list_is_printed_below_it(layout: Layout):
    form = Form()
    form.lines, form.blocks = [*layout.lines], [*layout.blocks]
    end = layout.further[0].box.bottom
    form.text("Sum 28.20", 30, end + 12, room=Box.between(30, end - 1, 140, end + 18))

    report, _ = planned(layout.model_copy(update={"lines": form.lines, "blocks": form.blocks}))
    summary = next(band for band in report.bands if band.name == "summary")
    (found,) = [element for element in summary.elements if isinstance(element, ListElement)]
    (total,) = [e for e in summary.elements if e.kind == "staticText" and e.text == "Sum 28.20"]

    assert total.floats
    assert total.y >= found.y + found.height


async def test_a_list_and_its_fields_are_named_by_the_form(layout: Layout):
    report, data = planned(layout)
    template, data, *_ = await map_form(build_jrxml(report), data, layout, None, Allowance())
    root = parse(template)

    assert data.lists == {"materials": [
        {"product": "Paint", "quantity_2": 2, "price": 12.5}, {"product": "Brush", "quantity_2": 1, "price": 3.2},
    ]}  # fmt: skip
    (dataset,) = root.findall(f"{J}subDataset")
    assert dataset.get("name") == "materials"
    assert {node.get("name"): node.get("class") for node in dataset} == {
        "product": "java.lang.String", "quantity_2": "java.lang.Integer", "price": "java.math.BigDecimal",
    }  # fmt: skip
    (source,) = root.iter(f"{J}dataSourceExpression")
    assert "$P{materials}" in (source.text or "")
    (contents,) = root.iter(f"{{{COMPONENTS}}}listContents")
    styles = {node.get("style") for node in contents.iter(f"{J}reportElement")}
    assert len(styles) == 1, "its cells look like those of the main table"


async def test_a_list_keeps_its_title_below_a_table_that_gets_none(layout: Layout):
    form = Form()
    form.lines, form.blocks = [*layout.lines], [*layout.blocks]
    form.text("Hours", 250, 30)
    beside = table(form, 50, ("Day", "Hours", "Rate"), [("Monday", "2", "12.50"), ("Friday", "1", "3.20")])
    layout = layout.model_copy(update={"lines": form.lines, "blocks": form.blocks})
    layout = layout.model_copy(update={"further": [beside, *layout.further]})

    report, data = planned(layout)
    _, data, *_ = await map_form(build_jrxml(report), data, layout, None, Allowance())

    assert list(data.lists) == ["materials"]
    assert [row["product"] for row in data.lists["materials"]] == ["Paint", "Brush"]
