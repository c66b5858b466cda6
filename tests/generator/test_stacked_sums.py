"""Totals that follow from the amounts above them are computed, also where a text prints its label and its value."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from lxml import etree

from bandsmith.services.generator.mapping.element_lines import lines_of, top_of
from bandsmith.services.generator.mapping.llm_field_mapping import MappedForm, map_form
from bandsmith.services.generator.planning import plan
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.jrxml.dom import new_node
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.llm import Allowance
from bandsmith.shared.model.layout import Slot
from bandsmith.shared.model.plan import Data

from .forms import Form, blank

EDGES = (80, 200, 300)
HEADINGS = ("Item", "Tax", "Amount")
ROWS = [("Lamp", "10.00", "50.00"), ("Board", "12.00", "60.00")]
Below = Sequence[tuple[str, str]]


async def made(below: Below, rows: Sequence[tuple[str, ...]] = ROWS, on_line: Below = ()) -> tuple[bytes, Data]:
    form = await mapped(below, rows, on_line)
    return form.template, form.data


async def mapped(below: Below, rows: Sequence[tuple[str, ...]] = ROWS, on_line: Below = ()) -> MappedForm:
    """A form with rows, a line of totals, and (label, value) below each other; without a value, a label is all."""
    form = Form()
    header = [form.text(label, x, 90, align="Right") for label, x in zip(HEADINGS, EDGES, strict=True)]
    tops = [100.0 + 20 * number for number in range(len(rows))]
    slots = [
        Slot(
            label=label,
            blocks=[
                form.text(row[n], x, top + 13, value=True, align="Right") for row, top in zip(rows, tops, strict=True)
            ],
        )
        for n, (label, x) in enumerate(zip(HEADINGS, EDGES, strict=True))
    ]
    form.repeats(tops, 20, slots, header)
    bottom = tops[-1] + 40
    for (label, value), x in zip(on_line, EDGES[1:], strict=False):
        form.text(value, x, bottom, value=True, label=label, align="Right")
    for n, (label, value) in enumerate(below, 1):
        if label != value:
            form.text(label, 200, bottom + 16 * n, align="Right")
        form.text(value, 300, bottom + 16 * n, value=True, label=label.partition(":")[0], align="Right")
    layout = form.layout()
    report, data = plan(layout, blank(), "form")
    return await map_form(build_jrxml(report), data, layout, None, Allowance())


def printed(engine: ReportEngine, template: bytes, data: Data) -> list[str]:
    return [element.text for element in engine.print(template, data, pages=0).elements if element.text]


def with_row(data: Data, **row: float) -> Data:
    return data.model_copy(update={"rows": [*data.rows, {"item": "Ink", **row}]})


def values(data: Data) -> set[str]:
    return set(data.parameters) - {"REPORT_LOCALE"}


async def test_what_is_to_pay_follows_from_the_subtotal_and_what_is_added_and_taken_off(engine: ReportEngine) -> None:
    template, data = await made(
        [("Subtotal", "110.00"), ("Freight", "8.50"), ("Discount", "10.00"), ("Grand total", "108.50")]
    )
    assert values(data) == {"freight", "discount"}
    assert "108.50" in printed(engine, template, data)
    assert "208.50" in printed(engine, template, with_row(data, tax=1, amount=100))


async def test_the_reply_says_of_what_a_total_is_computed() -> None:
    form = await mapped([("Freight", "8.50"), ("Total", "58.50")], ROWS[:1])
    assert [note.en for note in form.notes] == [
        "One total is computed, as the amounts above it add up to it: total = amount + freight."
    ]


async def test_the_amount_to_pay_is_that_of_one_row_and_what_is_added_to_it(engine: ReportEngine) -> None:
    template, data = await made([("Freight", "8.50"), ("Total", "58.50")], ROWS[:1])
    assert values(data) == {"freight"}
    assert "158.50" in printed(engine, template, with_row(data, tax=1, amount=100))


async def test_the_totals_of_two_columns_give_the_amount_with_its_tax(engine: ReportEngine) -> None:
    on_line = [("Total", "22.00"), ("Total", "110.00")]
    template, data = await made([("Total due: $ 132.00", "Total due: $ 132.00")], on_line=on_line)
    assert values(data) == set()
    assert "Total due: $ 132.00" in printed(engine, template, data)
    assert "Total due: $ 233.00" in printed(engine, template, with_row(data, tax=1, amount=100))


@pytest.mark.parametrize(
    "below",
    [
        [("Subtotal", "110.00"), ("Freight", "8.50"), ("Grand total", "118.51")],
        [("Subtotal", "110.00"), ("Freight", "8.50"), ("Weight", "118.50")],
        [("Subtotal", "110.00"), ("Fee", "4.00"), ("Rebate", "4.00"), ("Grand total", "110.00")],
        [("Subtotal", "110.00"), ("Freight", "10.00"), ("Grand total", "100.00")],
        [("Subtotal", "110.00"), ("VAT rate", "10.00"), ("Grand total", "120.00")],
    ],
    ids=["another-number", "no-total", "in-two-ways", "not-called-a-discount", "a-rate"],
)
async def test_what_amounts_do_not_prove_in_one_way_stays_a_value(below: Below) -> None:
    _, data = await made(below)
    assert len(values(data)) == len(below) - 1


@pytest.mark.parametrize(
    "below",
    [
        [("Quantity", "3"), ("Unit price", "1.50"), ("Total", "4.50")],
        [("Deposit", "3"), ("Freight", "4"), ("Total", "7")],
    ],
    ids=["a-price", "whole-numbers"],
)
async def test_numbers_that_are_no_amounts_prove_no_total(below: Below) -> None:
    _, data = await made(below, [("Lamp", "1.00", "2.00"), ("Board", "3.00", "4.00")])
    assert len(values(data)) == 3


async def test_a_rate_between_a_subtotal_and_its_tax_is_no_part_of_the_total(engine: ReportEngine) -> None:
    below = [("Subtotal", "110.00"), ("VAT rate", "10"), ("VAT", "11.00"), ("Total due", "121.00")]
    template, data = await made(below)
    assert "121.00" in printed(engine, template, data)
    assert "221.00" in printed(engine, template, with_row(data, tax=1, amount=100))


async def test_two_amounts_on_a_line_that_are_no_totals_prove_none() -> None:
    on_line = [("Insurance", "22.50"), ("Freight", "110.50")]
    _, data = await made([("Total due: $ 133.00", "Total due: $ 133.00")], on_line=on_line)
    assert len(values(data)) == 3


def test_elements_that_begin_a_point_apart_stand_on_one_line() -> None:
    def at(top: int) -> etree._Element:
        node = new_node("textField")
        node.append(new_node("reportElement", y=str(top)))
        return node

    lines = lines_of([at(30), at(5), at(4), at(8)])
    assert [[top_of(element) for element in line] for line in lines] == [[4, 5, 8], [30]]


async def test_a_date_behind_its_label_in_one_text_is_a_date(engine: ReportEngine) -> None:
    template, data = await made([("Due date: 25/12/2026", "Due date: 25/12/2026")])
    assert data.parameters["due_date"] == "2026-12-25T00:00:00"
    later = data.model_copy(update={"parameters": {**data.parameters, "due_date": "2027-01-03T00:00:00"}})
    assert "Due date: 03/01/2027" in printed(engine, template, later)
    none = data.model_copy(update={"parameters": {**data.parameters, "due_date": None}})
    assert "Due date:" in [text.strip() for text in printed(engine, template, none)]


async def test_a_line_of_totals_proves_itself_whatever_its_rows() -> None:
    _, data = await made([], ROWS[:1], on_line=[("Total", "10.00"), ("Total", "50.00")])
    assert values(data) == set()


async def test_a_line_of_totals_of_which_one_is_none_proves_nothing_of_one_row() -> None:
    _, data = await made([], ROWS[:1], on_line=[("Total", "10.00"), ("Total", "50.01")])
    assert len(values(data)) == 2
