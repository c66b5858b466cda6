"""A model names everything that a form's template holds, and says which values are totals; each change is told."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from bandsmith.services.generator.mapping.llm_field_mapping import MappedForm, map_form
from bandsmith.services.generator.planning import plan
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.llm import Allowance, model_from
from bandsmith.shared.llm.scripted import ScriptedModel
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Layout

from .forms import Form, blank, invoice
from .test_lists import table


class Named(NamedTuple):
    prompt: str
    form: MappedForm


async def named(layout: Layout, reply: dict[str, Any]) -> Named:
    report, data = plan(layout, blank(), "invoice")
    with ScriptedModel([json.dumps(reply)]) as server:
        model = model_from(server.settings())
        assert model is not None
        form = await map_form(build_jrxml(report), data, layout, model, Allowance(calls=1, tokens=30_000))
        await model.close()
    return Named(server.requests[0].text, form)


def services() -> Layout:
    """Two tables: their columns of the same heading, and a value above them, are called alike."""
    form = Form()
    form.text("Qty", 300, 20)
    form.text("6", 340, 20, value=True, label="Qty")
    main = table(form, 40, ("Description", "Qty", "Amount"), [(f"Service {n}", f"{n}", f"{n}.50") for n in (1, 2, 3)])
    second = table(form, 155, ("", "Qty", "Price"), [("Paint", "2", "12.50"), ("Brush", "1", "3.20")])
    return form.layout().model_copy(update={"repeat": main, "further": [second]})


async def test_it_is_shown_the_page_with_numbers_where_names_belong():
    prompt = (await named(services(), {})).prompt
    assert "\nQty   {1}\n" in prompt and "\nDescription   Qty   Amount\n{2}   {3}   {4}\n" in prompt
    assert "\n1 quantity (Qty): 6\n" in prompt
    assert "\ncolumn 3 quantity (Qty): 1, 2, 3\n" in prompt and '"Service 1"' in prompt
    assert "\n5 table_2: a list of 2 rows, with these columns\n" in prompt
    assert "Service 2" not in prompt.partition("What has a name")[0]


async def test_a_list_and_its_columns_are_named_by_number():
    reply = {"names": {"5": "materials", "6": "Material", "7": "pieces", "99": "nothing"}}
    form = (await named(services(), reply)).form
    assert [list(row) for row in form.data.lists["materials"]] == [["material", "pieces", "price"]] * 2
    for used in (b'<subDataset name="materials"', b"$P{materials}", b"$F{material}", b'<field name="pieces"'):
        assert used in form.template
    assert b"table_2" not in form.template
    named_so = "table_2 → materials, value → material, quantity_2 → pieces"
    assert [note.en for note in form.notes] == [f"The language model named 3 values, columns and lists: {named_so}."]


async def test_a_value_and_a_column_of_one_name_are_named_apart():
    form = (await named(services(), {"names": {"1": "pieces", "3": "hours"}})).form
    assert form.data.parameters["pieces"] == 6
    assert list(form.data.rows[0]) == ["description", "hours", "amount"]


async def test_two_names_are_exchanged():
    form = (await named(services(), {"names": {"2": "amount", "4": "description"}})).form
    assert form.data.rows[0] == {"amount": "Service 1", "quantity": 1, "description": 1.5}


def with_empty_total(rows: int) -> Layout:
    """The invoice without its total: there is room for it."""
    layout = invoice(rows=rows).layout()
    total = next(block for block in layout.blocks if block.text == "1,340.40")
    kept = [block for block in layout.blocks if block is not total]
    empty = Blank(
        id="blank1", label="Total", box=Box.between(250, total.box.y, 300, total.box.bottom), style=total.style
    )
    return layout.model_copy(update={"blocks": kept, "blanks": [empty]})


async def test_a_total_that_the_form_leaves_empty_is_computed_where_the_model_says_so():
    layout = with_empty_total(rows=3)
    assert "total" in (await named(layout, {})).form.data.parameters
    form = (await named(layout, {"totals": {"total": "amount"}})).form
    assert "total" not in form.data.parameters and b'<variable name="amount_total"' in form.template
    [note] = form.notes
    assert note.en == "One total that the form leaves empty is computed, as the language model says: total."


async def test_the_sum_of_one_row_is_a_total_where_the_model_says_so():
    layout = invoice(rows=1).layout()
    total = next(line for line in layout.lines if line.text == "1,340.40")
    layout.lines[layout.lines.index(total)] = total.model_copy(update={"text": "1,250.00"})
    assert b"amount_total" not in (await named(layout, {})).form.template
    assert b"amount_total" in (await named(layout, {"totals": {"total": "amount"}})).form.template


async def test_a_total_that_the_numbers_contradict_stays_a_value():
    layout = invoice(rows=2).layout()
    assert "total" in (await named(layout, {"totals": {"total": "amount"}})).form.data.parameters
