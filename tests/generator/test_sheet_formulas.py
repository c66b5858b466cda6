"""What a workbook computes, its template computes: if that gives what the form prints, and not otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from lxml import etree

from bandsmith.services.generator.mapping.llm_field_mapping import MappedForm, map_form
from bandsmith.services.generator.planning import plan
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.jrxml.dom import J, content_of
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.llm import Allowance
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Slot, TextStyle
from bandsmith.shared.model.sheet import CellArea, CellFormula, Rounding, SheetCell

from .forms import Form, blank

HEADINGS = ("Item", "Quantity", "Price", "Amount")
EDGES = (80, 160, 240, 320)
ROWS = [("Lamp", "4", "12.50", "50.00"), ("Board", "3", "20.00", "60.00")]
Formulas = Mapping[str, tuple[str, str] | tuple[str, str, Rounding]]
"""Text and operands, such as ``D2:D3 B4``, by the name of the cell."""


def area(text: str) -> CellArea:
    corners = [(int(row), ord(column) - 64) for column, row in re.findall(r"([A-Z])(\d+)", text)]
    (top, left), (bottom, right) = corners[0], corners[-1]
    return CellArea(top=top, left=left, bottom=bottom, right=right, is_summed=":" in text)


def cells_of(places: Mapping[str, Box], formulas: Formulas, whole: str) -> list[SheetCell]:
    found = []
    for name, box in places.items():
        formula = None
        if name in formulas:
            text, operands, *rounding = formulas[name]
            formula = CellFormula(
                text=text, operands=[area(one) for one in operands.split()], rounding=rounding[0] if rounding else None
            )
        row, column, decimals = int(name[1:]), ord(name[0]) - 64, 0 if name in whole else None
        found.append(SheetCell(row=row, column=column, box=box, formula=formula, decimals=decimals))
    return found


async def mapped(formulas: Formulas, *below: tuple[str, str], rows=ROWS, whole: str = "") -> MappedForm:
    """A sheet with a table from A1 on and, a row lower, labels in column C with their values in column D."""
    form = Form()
    header = [form.text(label, x, 60, align="Right") for label, x in zip(HEADINGS, EDGES, strict=True)]
    tops = [70.0 + 20 * number for number in range(len(rows))]
    slots, names, blanks = [], dict[str, str](), list[Blank]()
    empty = {f"D{n}": Box(x=270, y=top, width=50, height=20) for n, top in enumerate(tops, 2) if not rows[n - 2][3]}
    for n, (label, x) in enumerate(zip(HEADINGS, EDGES, strict=True)):
        blocks = [
            form.text(row[n], x, top + 13, value=True, align="Right") if row[n] else None
            for row, top in zip(rows, tops, strict=True)
        ]
        names |= {f"{'ABCD'[n]}{row}": block for row, block in enumerate(blocks, 2) if block}
        slots.append(Slot(label=label, blocks=blocks))
    form.repeats(tops, 20, slots, header)
    for n, (label, value) in enumerate(below):
        y = tops[-1] + 40 + 16 * n
        form.text(label, 240, y, align="Right")
        name = f"D{len(rows) + 3 + n}"
        if value:
            names[name] = form.text(value, 320, y, value=True, label=label, align="Right")
        else:
            box, style = Box(x=280, y=y - 8, width=40, height=10), TextStyle(family="Liberation Sans", size=10)
            blanks.append(Blank(id=f"blank{n}", label=label, box=box, style=style))
            empty[name] = box
    layout = form.layout()
    boxes = {block.id: block.box for block in layout.blocks}
    cells = cells_of({name: boxes[block] for name, block in names.items()} | empty, formulas, whole)
    layout = layout.model_copy(update={"sheet_cells": cells, "blanks": blanks})
    report, data = plan(layout, blank(), "form")
    return await map_form(build_jrxml(report), data, layout, None, Allowance())


def printed(engine: ReportEngine, form: MappedForm, **changed: float) -> list[str]:
    data = form.data.model_copy(update={"parameters": {**form.data.parameters, **changed}})
    return [element.text for element in engine.print(form.template, data, pages=0).elements if element.text]


async def test_a_total_whose_name_says_nothing_is_the_sum_that_the_sheet_has():
    form = await mapped({"D5": ("{1}", "D2:D3")}, ("Zusammen", "110.00"))

    assert list(form.data.parameters) == ["REPORT_LOCALE"]
    assert b'calculation="Sum"' in form.template


async def test_a_tax_at_a_rate_that_no_label_states_is_computed():
    formulas: Formulas = {"D5": ("{1}", "D2:D3"), "D6": ("{1} * 0.13", "D5"), "D7": ("{1} + {2}", "D5 D6")}
    form = await mapped(formulas, ("Net", "110.00"), ("Duty", "14.30"), ("To pay", "124.30"))

    assert list(form.data.parameters) == ["REPORT_LOCALE"]
    [note] = [note.en for note in form.notes]
    assert note.startswith("3 values and columns are computed, as the workbook computes them:")


@pytest.mark.slow
async def test_a_computed_tax_prints_what_the_sheet_has(engine: ReportEngine):
    formulas: Formulas = {"D5": ("{1}", "D2:D3"), "D6": ("{1} * 0.13", "D5"), "D7": ("{1} + {2}", "D5 D6")}
    form = await mapped(formulas, ("Net", "110.00"), ("Duty", "14.30"), ("To pay", "124.30"))

    assert printed(engine, form)[-6:] == ["Net", "110.00", "Duty", "14.30", "To pay", "124.30"]


async def test_a_stale_value_is_not_computed():
    form = await mapped({"D5": ("{1} * 0.13", "D2:D3")}, ("Duty", "12.00"))

    assert form.data.parameters["duty"] == 12.0


async def test_a_settlement_keeps_the_amounts_that_are_zero_on_the_form():
    formulas: Formulas = {"D5": ("{1}", "D2:D3"), "D8": ("{1} - {2} + {3}", "D5 D6 D7")}
    below = [("Sum", "110.00"), ("Deposit", "10.00"), ("Freight", "0.00"), ("Due", "100.00")]
    form = await mapped(formulas, *below)

    assert {"deposit", "freight"} <= set(form.data.parameters)
    assert "due" not in form.data.parameters
    assert b"$P{freight}" in form.template.split(b"variableExpression>")[-2]


async def test_a_tax_that_the_sheet_rounds_down_is_rounded_down():
    down = Rounding(decimals=0, mode="FLOOR")
    form = await mapped({"D5": ("{1} * 0.015", "D2:D3", down)}, ("Duty", "1.00"))

    assert "duty" not in form.data.parameters
    assert b"setScale(0, RoundingMode.FLOOR)" in form.template


async def test_the_column_that_every_row_computes_is_computed_also_of_one_row():
    formulas: Formulas = {"D2": ("{1} * {2}", "B2 C2")}
    form = await mapped(formulas, rows=ROWS[:1])

    assert "amount" not in form.data.rows[0]


async def test_a_column_that_the_rows_compute_in_different_ways_stays_a_value():
    formulas: Formulas = {"D2": ("{1} * {2}", "B2 C2"), "D3": ("{1} * 20", "B3")}
    form = await mapped(formulas, rows=[("Lamp", "1", "50.00", "50.00"), ("Board", "3", "20.00", "60.00")])

    assert "amount" in form.data.rows[0]


async def test_a_single_row_that_a_formula_names_is_not_the_sum_of_its_column():
    form = await mapped({"D4": ("{1}", "D2")}, ("First amount", "50.00"), rows=ROWS[:1])

    assert form.data.parameters["first_amount"] == 50.0


THREE_ROWS = [("Lamp", "4", "12.50", "50.00"), ("Board", "3", "20.00", "60.00"), ("Hook", "2", "0.00", "0.00")]


async def test_a_sum_of_some_rows_is_not_that_of_the_column_though_the_others_are_zero():
    form = await mapped({"D6": ("{1}", "D2:D3")}, ("Zusammen", "110.00"), rows=THREE_ROWS)

    assert form.data.parameters["zusammen"] == 110.0


async def test_two_sums_of_parts_of_the_rows_stay_values_where_the_form_leaves_them_empty():
    formulas: Formulas = {"D6": ("{1}", "D2:D3"), "D7": ("{1}", "D4:D4"), "D8": ("{1} + {2}", "D2:D3 D4:D4")}
    below = [("First part", ""), ("Other part", ""), ("Both", "110.00")]
    form = await mapped(formulas, *below, rows=THREE_ROWS)

    assert {"first_part", "other_part"} <= set(form.data.parameters)
    assert "both" not in form.data.parameters


async def test_a_share_of_the_sum_of_some_rows_is_not_computed():
    form = await mapped({"D6": ("{1} * 0.1", "D2:D3")}, ("Duty", "11.00"), rows=THREE_ROWS)

    assert form.data.parameters["duty"] == 11.0


async def test_an_empty_row_that_the_sheet_adds_up_elsewhere_belongs_to_the_column():
    rows = [*ROWS, ("", "", "", "")]
    form = await mapped({"D6": ("{1}", "D2:D3"), "D7": ("{1}", "D4:D4")}, ("First", "110.00"), ("Last", ""), rows=rows)

    assert {"first", "last"} <= set(form.data.parameters)


async def test_rows_that_a_formula_adds_one_by_one_are_the_sum_of_their_column():
    form = await mapped({"D5": ("{1} + {2}", "D2 D3")}, ("Zusammen", "110.00"))

    assert "zusammen" not in form.data.parameters


async def test_a_value_that_repeats_another_one_prints_that_one():
    form = await mapped({"D6": ("{1}", "D5")}, ("Ordered", "3"), ("Counted", "3"))

    assert form.data.parameters["ordered"] == 3
    assert "counted" not in form.data.parameters


@pytest.mark.parametrize(("whole", "pattern"), [("D2 D3", "#,##0"), ("", "#,##0.##")])
async def test_a_computed_column_keeps_a_number_format_without_decimals(whole: str, pattern: str):
    formulas: Formulas = {"D2": ("{1} * {2}", "B2 C2"), "D3": ("{1} * {2}", "B3 C3")}
    rows = [("Lamp", "40", "125", "5,000"), ("Board", "30", "200", "6,000")]
    form = await mapped(formulas, rows=rows, whole=whole)
    texts = [node for node in etree.fromstring(form.template).iter(f"{J}textField") if "V{amount}" in content_of(node)]

    assert [node.get("pattern") for node in texts] == [pattern]
