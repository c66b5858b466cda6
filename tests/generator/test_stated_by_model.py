"""A model says what is a number in spite of its unit, and what is computed; the form's numbers have to agree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from bandsmith.services.generator.mapping.computed_parts import ComputedParts, depends_on_rows
from bandsmith.services.generator.mapping.llm_field_mapping import MappedForm
from bandsmith.services.generator.mapping.named_parts import NamedPart
from bandsmith.services.generator.mapping.stated_formulas import proven_formulas
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.fields.notation import ENGLISH, Notation
from bandsmith.shared.fields.stated_types import stated_type
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Layout
from bandsmith.shared.model.plan import Data

from .forms import Form
from .test_lists import table
from .test_named_by_model import named

GERMAN = Notation("de_DE", ".", ",")
HOURS = [("Interface design", "2", "450.00", "900.00 pts"), ("API", "3", "600.00", "1,800.00 pts")]


def quote(rows: Sequence[tuple[str, ...]], *below: tuple[str, str]) -> Layout:
    """A table of hours, rates and amounts, with pairs of (label, value) below it.

    The values have the numbers 1 and up, the columns those after them: description, hours, rate, total.
    """
    form = Form()
    main = table(form, 40, ("Description", "Hours", "Rate", "Line total"), list(rows))
    for place, (label, value) in enumerate(below):
        form.text(label, 200, 140 + 20 * place)
        form.text(value, 300, 140 + 20 * place, value=True, label=label, align="Right")
    return form.layout().model_copy(update={"repeat": main})


async def read(layout: Layout, **reply: Any) -> MappedForm:
    return (await named(layout, reply)).form


def printed(engine: ReportEngine, form: MappedForm, rows: int | None = None) -> list[str]:
    data = form.data if rows is None else form.data.model_copy(update={"rows": form.data.rows[:rows]})
    return [element.text for element in engine.print(form.template, data, pages=0).elements if element.text]


async def test_amounts_with_a_unit_are_numbers_and_summed(engine: ReportEngine):
    layout = quote(HOURS, ("Subtotal", "2,700.00 pts"), ("Contact", "5 people"))
    assert (await read(layout)).data.parameters["subtotal"] == "2,700.00 pts"

    form = await read(layout, totals={"1": "6"})

    assert "subtotal" not in form.data.parameters and "amount" not in form.data.rows[0]
    assert "2,700.00 pts" in printed(engine, form) and "900.00 pts" in printed(engine, form, rows=1)
    assert form.notes[0].en == (
        "2 values and columns have other types than their print proves, as the language model states: subtotal, "
        "amount. Numbers are printed as others of the page."
    )


async def test_a_value_is_computed_of_others_and_follows_the_rows(engine: ReportEngine):
    layout = quote(HOURS, ("Subtotal", "2,700.00 pts"), ("VAT", "540.00"), ("Grand total", "3,240.00 pts"))

    form = await read(layout, totals={"1": "7", "2": "{1} * 0.2", "3": "{1} + {2}"})

    assert set(form.data.parameters) == {"REPORT_LOCALE"}
    assert {"2,700.00 pts", "540.00", "3,240.00 pts"} <= set(printed(engine, form))
    assert {"900.00 pts", "180.00", "1,080.00 pts"} <= set(printed(engine, form, rows=1))
    assert "tax = subtotal * 0.2; grand_total = subtotal + tax" in form.notes[-1].en


async def test_a_value_that_its_formula_contradicts_stays_a_value_and_the_reply_shows_both():
    layout = quote(HOURS, ("Subtotal", "2,700.00 pts"), ("Grand total", "3,000.00 pts"))

    form = await read(layout, totals={"1": "6", "2": "{1} * 1.2"})

    assert form.data.parameters["grand_total"] == 3000
    assert form.notes[-1].en == (
        "One formula that the language model states is not used, as the form has another value, or a text where a "
        "number is needed: grand_total = subtotal * 1.2 (3240.00 ≠ 3000.00)."
    )


async def test_the_reply_shows_the_text_for_which_a_column_is_not_summed():
    rows = [*HOURS, ("Extra work", "1", "90.00", "on request")]
    layout = quote(rows, ("Subtotal", "2,700.00"))

    form = await read(layout, kinds={"5": "number"}, totals={"1": "5"})

    assert form.data.rows[2]["amount"] == "on request" and form.data.parameters["subtotal"] == 2700
    [untyped, unused] = form.notes
    assert untyped.en == (
        "One value or column stays a text, as what is printed is not of the kind that the language model states: "
        "amount (“on request”)."
    )
    assert "subtotal = amount (amount: “on request”)" in unused.en


async def test_a_value_that_the_form_leaves_empty_is_computed_as_the_model_says(engine: ReportEngine):
    layout = quote(HOURS, ("Subtotal", "2,700.00 pts"), ("Deposit", "700.00"))
    style = layout.blocks[0].style
    place = Blank(id="blank1", label="Balance", box=Box(x=300, y=180, width=80, height=14), style=style)

    form = await read(layout.model_copy(update={"blanks": [place]}), totals={"1": "7", "3": "{1} - {2}"})

    assert "2,000.00" in printed(engine, form)


@pytest.mark.parametrize("formula", ["{1} {2}", "{1} ** {2}", "({1} - {2}", "{1} // {2}"])
async def test_a_value_that_the_form_leaves_empty_stays_empty_where_its_formula_cannot_be_read(formula: str):
    layout = quote(HOURS, ("Subtotal", "2,700.00 pts"), ("Deposit", "700.00"))
    style = layout.blocks[0].style
    place = Blank(id="blank1", label="Balance", box=Box(x=300, y=180, width=80, height=14), style=style)

    form = await read(layout.model_copy(update={"blanks": [place]}), totals={"3": formula})

    assert "balance" in form.data.parameters and form.data.parameters["balance"] is None


def test_a_formula_of_a_column_that_the_form_leaves_empty_is_believed_if_it_can_be_read():
    rows: list[dict[str, Any]] = [
        {"quantity": 2, "price": 3, "amount": None},
        {"quantity": 4, "price": 5, "amount": ""},
    ]
    parts = {str(n): NamedPart("field", name, []) for n, name in enumerate(("quantity", "price", "amount"), 1)}
    data = Data(rows=rows)

    assert proven_formulas(data, parts, {"3": "{1} * {2}"}) == {"3": "{1} * {2}"}
    assert proven_formulas(data, parts, {"3": "{1} * * {2}"}) == {}


async def test_a_value_that_cannot_be_computed_leaves_nothing_behind():
    layout = quote(HOURS, ("Subtotal", "2,700.00 pts"), ("Contact", "Ann Lee"))
    style = layout.blocks[0].style
    place = Blank(id="blank1", label="Balance", box=Box(x=300, y=180, width=80, height=14), style=style)

    form = await read(layout.model_copy(update={"blanks": [place]}), totals={"3": "{5} - {2}"})

    assert b"<variable " not in form.template


def test_a_variable_of_itself_and_a_row_count_are_told_from_what_is_there_before_the_rows():
    template = (
        b'<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="r">'
        b'<variable name="itself"><variableExpression>$V{itself}</variableExpression></variable></jasperReport>'
    )
    editor = Editor(template)

    assert not depends_on_rows(editor, "$V{itself}.add($P{rate})")
    assert depends_on_rows(editor, "$V{REPORT_COUNT}") and depends_on_rows(editor, "$F{amount}")


def test_a_value_that_an_element_without_a_key_stands_before_is_computed():
    text = "<textField>{}<textFieldExpression><![CDATA[{}]]></textFieldExpression></textField>"
    place = '<reportElement {} x="0" y="0" width="50" height="14"/>'
    texts = text.format(place.format(""), '"Paid"') + text.format(place.format('key="due"'), "$P{due}")
    template = (
        '<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="r">'
        '<parameter name="net" class="java.lang.Integer"/><parameter name="due" class="java.lang.Integer"/>'
        '<variable name="half"><variableExpression><![CDATA[$P{due}]]></variableExpression></variable>'
        f'<title><band height="20">{texts}</band></title></jasperReport>'
    )
    editor = Editor(template.encode())
    parts = {"1": NamedPart("parameter", "net", [5]), "2": NamedPart("parameter", "due", [10])}

    assert ComputedParts(editor, Data(parameters={"net": 5, "due": 10}), parts).compute({"2": "{1} * 2"}) == ["2"]
    assert b"$V{due}" in editor.bytes()


async def test_a_second_value_may_be_the_sum_of_the_same_column(engine: ReportEngine):
    layout = quote(HOURS, ("Net total", "2,700.00 pts"), ("Tax base", "2,700.00 pts"))

    form = await read(layout, totals={"1": "6", "2": "6"})

    assert printed(engine, form, rows=1).count("900.00 pts") == 3


async def test_a_column_of_one_row_is_computed_of_others(engine: ReportEngine):
    form = await read(quote(HOURS[:1], ("Contact", "Ann Lee")), totals={"5": "{3} * {4}"})

    assert "amount" not in form.data.rows[0] and "900.00 pts" in printed(engine, form)


async def test_a_column_that_the_numbers_prove_too_is_rounded_as_the_form_is(engine: ReportEngine):
    rows = [("Cloth", "7", "53.335", "373.35"), ("Cord", "3", "41.115", "123.35"), ("Felt", "5", "132.885", "664.43")]

    form = await read(quote(rows, ("Subtotal", "1,161.13")), totals={"1": "5", "5": "{3} * {4}"})

    assert "amount" not in form.data.rows[0]
    assert {"373.35", "123.35", "664.43", "1,161.13"} <= set(printed(engine, form))


async def test_a_column_with_three_decimals_is_computed_with_three(engine: ReportEngine):
    rows = [("Cloth", "3", "1.125", "3.375"), ("Cord", "2", "1.700", "3.400")]

    form = await read(quote(rows, ("Sum", "6.775")), totals={"1": "5", "5": "{3} * {4}"})

    assert "amount" not in form.data.rows[0]
    assert {"3.375", "3.400", "6.775"} <= set(printed(engine, form))


async def test_a_column_with_three_decimals_is_contradicted_by_the_third_one():
    rows = [("Cloth", "3", "1.125", "3.375"), ("Cord", "3", "1.501", "4.500")]

    form = await read(quote(rows, ("Contact", "Ann Lee")), totals={"5": "{3} * {4}"})

    assert form.data.rows[1]["amount"] == 4.5


async def test_a_column_that_is_no_product_in_one_row_keeps_its_values():
    rows = [*HOURS, ("Review", "1", "100.00", "90.00 pts")]

    form = await read(quote(rows, ("Contact", "Ann Lee")), totals={"5": "{3} * {4}"})

    assert form.data.rows[2]["amount"] == 90
    assert "amount = duration * unit_price (100.00 ≠ 90.00)" in form.notes[-1].en


@pytest.mark.parametrize("formula", ["{1} + {2} + {3}", "{9} + {77}", "{1} ** {2}", "__import__('os')", "{1} / 0", ""])
async def test_what_is_no_formula_of_others_changes_nothing(formula: str):
    form = await read(
        quote(HOURS, ("Subtotal", "50.00"), ("VAT", "10.00"), ("Grand total", "60.00")), totals={"3": formula}
    )

    assert form.data.parameters["grand_total"] == 60


async def test_two_values_of_each_other_are_not_computed():
    layout = quote(HOURS, ("Subtotal", "50.00"), ("VAT", "10.00"), ("Grand total", "60.00"))

    form = await read(layout, totals={"1": "{3} - {2}", "3": "{1} + {2}"})

    assert form.data.parameters["subtotal"] == 50 and form.data.parameters["grand_total"] == 60


async def test_a_place_to_fill_in_is_a_number_where_the_model_says_so(engine: ReportEngine):
    layout = quote(HOURS, ("Contact", "Ann Lee"))
    place = Blank(
        id="blank1", label="Kilometres", box=Box(x=300, y=180, width=80, height=14), style=layout.blocks[0].style
    )

    form = await read(layout.model_copy(update={"blanks": [place]}), kinds={"2": "number"})

    name = next(name for name, value in form.data.parameters.items() if value is None)
    assert "null" not in printed(engine, form)
    filled = form.data.model_copy(update={"parameters": {**form.data.parameters, name: 1204.5}})
    assert "1,204.50" in [one.text for one in engine.print(form.template, filled, pages=0).elements]


async def test_a_postcode_is_a_text_where_the_model_says_so(engine: ReportEngine):
    layout = quote(HOURS, ("PLZ", "20457"))
    assert (await read(layout)).data.parameters["plz"] == 20457

    form = await read(layout, kinds={"1": "text"})

    assert form.data.parameters["plz"] == "20457" and "20457" in printed(engine, form)


async def test_a_date_whose_order_the_page_leaves_open_is_as_the_model_says(engine: ReportEngine):
    layout = quote([(*row[:3], "1.00") for row in HOURS], ("Checked", "03/04/2026"))
    assert (await read(layout)).data.parameters["checked"] == "03/04/2026"

    form = await read(layout, kinds={"1": "dd/MM/yyyy"})

    assert form.data.parameters["checked"] == "2026-04-03T00:00:00" and "03/04/2026" in printed(engine, form)


async def test_a_tax_that_the_form_rounds_to_whole_numbers_is_computed_and_rounded_so(engine: ReportEngine):
    rows = [("Paper", "2", "130", "260"), ("Ribbon", "5", "75", "375"), ("Printer", "1", "7800", "7800")]
    layout = quote(rows, ("Tax", "422"), ("Total", "8857"))

    form = await read(layout, totals={"1": "{6} * 0.05", "2": "{6} + {1}"})

    assert not {"tax", "total"} & set(form.data.parameters)
    assert {"422", "8857"} <= set(printed(engine, form)) and {"13", "273"} <= set(printed(engine, form, rows=1))


async def test_the_columns_and_totals_that_a_form_leaves_empty_are_printed_as_those_they_are_added_to():
    rows = [("Regular", "8", "", "8"), ("Overtime", "", "", "")]
    layout = quote(rows, ("Monday", "8"), ("Contact", "Ann Lee"))
    style = layout.blocks[0].style
    place = Blank(id="blank1", label="Tuesday", box=Box(x=300, y=180, width=80, height=14), style=style)

    form = await read(
        layout.model_copy(update={"blanks": [place]}), kinds={"6": "number"}, totals={"3": "6", "7": "{5} + {6}"}
    )

    assert b"java.math.BigDecimal" not in form.template
    classes = re.findall(rb'<field name="\w+" class="[a-z.]+(\w+)"', form.template)
    assert classes == [b"String", b"Integer", b"Integer"]


async def test_the_sum_of_the_rows_of_one_kind_is_computed(engine: ReportEngine):
    rows = [("Regular", "8", "1.00", "8.00"), ("Overtime", "2", "1.00", "2.00"), ("Regular", "7", "1.00", "7.00")]
    layout = quote(rows, ("Regular hours", "15"), ("Overtime hours", "3"))

    form = await read(layout, totals={"1": '{4} where {3} = "Regular"', "2": '{4} where {3} = "Overtime"'})

    assert "regular_hours" not in form.data.parameters and form.data.parameters["overtime_hours"] == 3
    assert "15" in printed(engine, form) and "15" not in printed(engine, form, rows=2)
    assert 'overtime_hours = duration where description = "Overtime" (2.00 ≠ 3.00)' in form.notes[-1].en


async def test_the_column_of_a_second_list_is_summed_and_computed_with(engine: ReportEngine):
    form = Form()
    main = table(form, 40, ("Earnings", "Amount"), [("Basic", "200.00"), ("Bonus", "50.00")])
    second = table(form, 105, ("Deductions", "Deducted"), [("Tax", "40.00"), ("Meals", "12.50")])
    for place, (label, value) in enumerate((("Total deductions", "52.50"), ("Net pay", "197.50"))):
        form.text(label, 40, 190 + 20 * place)
        form.text(value, 300, 190 + 20 * place, value=True, label=label, align="Right")
    layout = form.layout().model_copy(update={"repeat": main, "further": [second]})

    read_form = await read(layout, totals={"1": "7", "2": "{4} - {1}"})

    assert "52.50" in printed(engine, read_form) and "197.50" in printed(engine, read_form)
    assert not {"total_deductions", "net_pay"} & set(read_form.data.parameters)
    longer = {name: [*rows, rows[0]] for name, rows in read_form.data.lists.items()}
    more = read_form._replace(data=read_form.data.model_copy(update={"lists": longer}))
    assert {"92.50", "157.50"} <= set(printed(engine, more))


async def test_a_number_behind_its_label_is_a_number_and_the_label_a_text_of_its_own(engine: ReportEngine):
    layout = quote([(*row[:3], "1.00") for row in HOURS], ("Contact", "Ann Lee"))
    form = Form()
    form.text("Pallets loaded: 12", 200, 20, value=True, label="Pallets loaded")
    glued = form.blocks[0].model_copy(update={"id": "glued", "lines": ["glued"]})
    line = form.lines[0].model_copy(update={"id": "glued"})
    layout = layout.model_copy(update={"blocks": [*layout.blocks, glued], "lines": [*layout.lines, line]})

    named_form = await read(layout, kinds={"2": "number"})

    assert named_form.data.parameters["pallets_loaded"] == 12
    elements = {one.text: one for one in engine.print(named_form.template, named_form.data, pages=0).elements}
    label, value = elements["Pallets loaded:"].box, elements["12"].box
    assert abs(label.x - glued.box.x) < 2 and label.y == value.y
    assert label.right == value.x and value.x > glued.box.x + 40


async def test_a_text_that_the_model_calls_a_label_is_wording_of_the_form():
    layout = quote(HOURS, ("Name", "Designation"), ("Class", "Engineer"))

    stated = await read(layout, wording=[1])
    called = await read(layout, names={"1": "designation_label", "2": "designation"})

    for form in (stated, called):
        assert "Designation" not in form.data.parameters.values() and b"[Designation]" in form.template
        assert form.notes[0].en == (
            "One text is wording of the form, not a value, as the language model states: “Designation”."
        )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("shelf_label", "B-12"),
        ("record_label", "Blue Note"),
        ("whisky_label", "Lagavulin"),
        ("shipping_label", "Fragile"),
    ],
)
async def test_a_value_whose_name_ends_in_label_stays_a_value(name: str, text: str):
    form = await read(quote(HOURS, ("Name", text), ("Class", "Engineer")), names={"1": name})
    assert form.data.parameters[name] == text


async def test_a_text_that_the_vocabulary_knows_is_wording_where_the_model_calls_it_a_label():
    form = await read(quote(HOURS, ("Name", "Invoice number:")), names={"1": "number_label"})
    assert "Invoice number:" not in form.data.parameters.values()


async def test_a_formula_whose_result_is_too_long_to_compute_with_is_not_used():
    layout = quote(HOURS, ("One", "999,999,999,999,999"), ("Other", "999,999,999,999,999"), ("Third", "5"))
    form = await read(layout, totals={"3": "{1} * {2}"})
    assert 5 in form.data.parameters.values()
    assert "(1.00000e+30 ≠ 5.00)" in form.notes[-1].en


def test_a_text_is_a_number_where_its_unit_is_the_same_everywhere():
    def numbers(notation: Notation, *texts: str | None) -> tuple[str | None, list[object]] | None:
        typed = stated_type(texts, "number", notation)
        return (typed.pattern, [value and Decimal(str(value)) for value in typed.values]) if typed else None

    assert numbers(ENGLISH, "22CBM", None, "7CBM") == ("0'CBM'", [22, None, 7])
    assert numbers(ENGLISH, "100,000KGS") == ("#,##0'KGS'", [100000])
    assert numbers(ENGLISH, "- 692,49", "1.408,00") == ("#,##0.00", [Decimal("-692.49"), 1408])
    assert numbers(GERMAN, "x 4,50") == ("'x '#,##0.00", [Decimal("4.5")])
    assert numbers(ENGLISH, "22CBM", "7KGS") is None
    assert numbers(ENGLISH, "12-14 days") is None
    assert numbers(ENGLISH, "007") is None
    assert numbers(ENGLISH, "(692,49)") is None and numbers(ENGLISH, "692,49-") is None
    assert numbers(GERMAN, "12.345,50", "1.5") is None
    assert numbers(GERMAN, "1", "4,00", "2,5") == ("#,##0.00", [1, 4, Decimal("2.5")])
    assert numbers(ENGLISH, "007", "1.50") is None
