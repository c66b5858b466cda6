"""What a model gets to see of a report's values: all of a small table, its totals, and nothing sensitive."""

from __future__ import annotations

import re

import pytest

from bandsmith.services.planner.language.change.model_context import report_context
from bandsmith.services.planner.language.change.printed_values import MAX_ROWS, MAX_ROWS_CHARS, printed_values
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.base import Row
from bandsmith.shared.edits.compute_column import ComputeColumn
from bandsmith.shared.edits.filter_rows import FilterRows
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.events import ReadChange
from bandsmith.shared.llm import Allowance
from bandsmith.shared.model.plan import Data
from tests.generator.test_actor import MemoryStore

from .templates import ALL


def shown(*edits: AnyEdit, data: Data | None = None) -> list[str]:
    template, own = ALL["sales"]()
    editor = Editor(template)
    assert all(outcome.changed for outcome in editor.carry_out(edits))
    data = data or own
    return printed_values(TemplateView(editor, data), data).splitlines()


def test_every_row_of_a_small_table_is_shown_by_its_number():
    lines = shown()
    assert lines[0] == "3 rows; their fields: order_date | customer | item | quantity | unit_price | amount"
    assert lines[3] == "3: 2026-03-05T00:00:00 | Tamarack | Linen roll | 3 | 64.0 | 192.0"
    assert "$P{period}: March 2026" in lines


def test_of_a_long_table_the_first_rows_are_shown_and_the_others_counted():
    rows: list[Row] = [{"customer": f"C{n}", "amount": n} for n in range(30)]
    lines = shown(data=Data(rows=rows))
    assert lines[MAX_ROWS] == f"{MAX_ROWS}: C{MAX_ROWS - 1} | {MAX_ROWS - 1}"
    assert lines[MAX_ROWS + 1] == f"and {30 - MAX_ROWS} more rows, which are not shown here"


def test_wide_rows_are_shown_up_to_a_number_of_characters():
    row = {f"field_{n}": "word " * 20 for n in range(60)}
    lines = shown(data=Data(rows=[row] * 5))
    assert sum(map(len, lines[1:])) < MAX_ROWS_CHARS + 100 and lines[-1] == "and 4 more rows, which are not shown here"


def test_computed_columns_and_printed_totals_are_shown():
    data = Data(rows=[{**row, "amount": 1} for row in ALL["sales"]()[1].rows])
    lines = shown(
        ComputeColumn(field="amount", formula="quantity * unit_price"),
        AddTotal(field="amount"),
        AddTotal(field="quantity", calculation="Average"),
        AddTotal(field="unit_price", calculation="Average"),
        data=data,
    )
    assert lines[1].endswith("| 4 | 312.5 | 1250.0")
    totals = [line for line in lines if line.startswith("$V")]
    assert [line.partition(": ")[2] for line in totals] == [
        "2408 (Sum of amount)",
        "6.333333 (Average of quantity)",
        "152.333333 (Average of unit_price)",
    ]


def test_a_value_that_only_the_engine_computes_is_not_that_of_the_data():
    lines = shown(ComputeColumn(field="amount", formula="(quantity + 1) * unit_price"), AddTotal(field="amount"))
    assert lines[1].endswith("| 312.5 | (computed)") and not any(line.startswith("$V") for line in lines)


def test_totals_are_not_shown_where_only_some_rows_are_printed():
    lines = shown(AddTotal(field="amount"), FilterRows(field="quantity", comparison=">", value="3"))
    assert not any(line.startswith("$V") for line in lines)


def test_sensitive_values_are_hidden_by_the_name_of_their_field_or_its_heading():
    named = AddColumn(field="customer_email", label="Contact", values=["a@b.org", None, "c@d.org"])
    data = ALL["sales"]()[1]
    rows = [{**row, "customer_email": "ann@quay.example"} for row in data.rows]
    lines = shown(named, SetText(element="h_item", text="手机号"), data=Data(rows=rows, parameters={"phone": "0573"}))
    assert lines[1] == "1: 2026-03-02T00:00:00 | Tamarack | (hidden) | 4 | 312.5 | 1250.0 | (hidden)"
    assert "$P{phone}: (hidden)" in lines


@pytest.mark.asyncio
async def test_the_prompt_of_a_change_holds_them():
    template, data = ALL["slip"]()
    store = MemoryStore()
    command = ReadChange(
        template=await store.put(template, "application/xml"),
        data=await store.put(data.model_dump_json().encode(), "application/json"),
        text="螺栓现在多少钱", language="zh", remarks=[], layout=None, history=[], failure=None,
        allowance=Allowance(calls=1, tokens=1),
    )  # fmt: skip
    values = await report_context(store, command)
    assert all(str(row["product"]) in values["samples"] for row in data.rows)
    widths = re.findall(r"(\w+) (\d+) \(min (\d+)\)", values["template"].splitlines()[-1])
    assert {name for name, _, _ in widths} >= {"product"}
    assert all(0 < int(least) <= int(width) for _, width, least in widths)
