"""A file's columns find the fields of a report; what does not match is said, never guessed."""

from __future__ import annotations

import json

import pytest

from bandsmith.services.ocr.tables import read_table
from bandsmith.services.planner.filling import bind_data
from bandsmith.services.planner.filling.bind_data import BoundData
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.filling import Filling

COLUMNS = {"item": "品名规格", "quantity": "Qty", "unit_price": "Unit price (EUR)", "ship_date": "Shipped"}
CLASSES = {"quantity": "java.lang.Integer", "unit_price": "java.math.BigDecimal", "ship_date": "java.util.Date"}
HEADS = "".join(
    f'<staticText><reportElement key="h{n}" x="{n * 100}" y="0" width="100" height="20"/>'
    f"<text>{label}</text></staticText>"
    for n, label in enumerate(COLUMNS.values())
)
CELLS = "".join(
    f'<textField><reportElement key="c{n}" x="{n * 100}" y="0" width="100" height="20"/>'
    f"<textFieldExpression>$F{{{name}}}</textFieldExpression></textField>"
    for n, name in enumerate(COLUMNS)
)
FIELDS = "".join(f'<field name="{name}" class="{CLASSES.get(name, "java.lang.String")}"/>' for name in COLUMNS)
TEMPLATE = f"""<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="r" pageWidth="440"
 pageHeight="400" columnWidth="400" leftMargin="20" rightMargin="20" topMargin="20" bottomMargin="20">
<parameter name="customer" class="java.lang.String"/><parameter name="due" class="java.util.Date"/>
<parameter name="copies" class="java.lang.Integer"><defaultValueExpression>1</defaultValueExpression></parameter>
{FIELDS}
<title><band height="40"><textField><reportElement key="t" x="0" y="0" width="300" height="20"/>
<textFieldExpression>"客户名称：" + $P{{customer}} + $P{{copies}}</textFieldExpression></textField></band></title>
<columnHeader><band height="20">{HEADS}</band></columnHeader><detail><band height="20">{CELLS}</band></detail>
</jasperReport>""".replace('"客户名称：" + $P{customer} + $P{copies}', '"客户名称：" + $P{customer}').encode()


def bound(csv: str, **parameters: str) -> BoundData:
    return bind_data(TEMPLATE, read_table("a.csv", csv.encode()).lines, Filling(parameters=parameters))


def rows_of(done: BoundData) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.lines.splitlines()[1:]]


def parameters_of(done: BoundData) -> dict[str, object]:
    return json.loads(done.lines.splitlines()[0])["parameters"]


def said(done: BoundData) -> str:
    return " ".join(note.en for note in done.notes)


@pytest.mark.parametrize(
    "header",
    [
        "item,quantity,unit_price,ship_date",
        "品名规格,Qty,Unit price (EUR),Shipped",
        "Item,QTY,unitPrice,ship date",
        "品名,数量,单价,Shipped:",
    ],
)
def test_columns_are_found_by_field_label_words_and_business_term(header: str):
    done = bound(f"{header}\nSaw,2,7.25,2026-03-01\n")
    row = {"item": "Saw", "quantity": "2", "unit_price": "7.25", "ship_date": "2026-03-01"}
    assert rows_of(done) == [row] and done.left_out == 0


def test_a_field_without_a_column_and_a_spare_column_are_said():
    done = bound("item,quantity,unit_price,colour\nSaw,2,7.25,red\n")
    assert "no column for Shipped (ship_date)" in said(done) and "does not print colour" in said(done)
    assert done.left_out == 1


def test_two_columns_for_one_field_are_left_out_and_said():
    done = bound("item,Qty,数量,unit_price,ship_date\nSaw,2,3,7.25,2026-03-01\n")
    assert rows_of(done)[0]["quantity"] == "2", "the label itself goes before another word for it"
    done = bound("item,quantities,数量,unit_price,ship_date\nSaw,2,3,7.25,2026-03-01\n")
    assert "quantity" not in rows_of(done)[0] and "could be several" in said(done)


def test_a_value_of_another_kind_is_left_empty_and_its_row_is_named():
    done = bound("item,quantity,unit_price,ship_date\nSaw,2,7,2026-03-01\nAxe,many,8,03/04/2026\n")
    assert "quantity" not in rows_of(done)[1]
    assert "quantity: “many” in row 2 is not a whole number" in said(done)
    assert "“03/04/2026” in row 2 could be two different days" in said(done)
    assert done.left_out == 2


def test_a_file_without_any_column_of_the_report_is_refused():
    with pytest.raises(BadInput) as refused:
        bound("a,b\n1,2\n")
    assert "The file has a and b" in refused.value.message and "品名规格 (item)" in refused.value.message


def test_no_rows_are_filled_as_no_rows():
    done = bound("item,quantity,unit_price,ship_date\n")
    assert json.loads(done.lines)["rows"] == 0


# --- parameters -------------------------------------------------------------------------------------------------------


def test_parameters_have_the_class_that_the_report_declares():
    done = bound("item\nSaw\n", customer="Eastgate", due="2026-03-31", copies="2")
    assert parameters_of(done) == {"customer": "Eastgate", "due": "2026-03-31", "copies": "2"}


def test_a_parameter_that_the_report_does_not_have_is_refused_with_those_it_has():
    with pytest.raises(BadInput) as refused:
        bound("item\nSaw\n", month="3")
    assert "no parameter month" in refused.value.message and "customer, due and copies" in refused.value.message


def test_a_parameters_value_of_another_kind_is_refused():
    with pytest.raises(BadInput) as refused:
        bound("item\nSaw\n", due="soon")
    assert refused.value.message == "The value of the parameter due is not a date."


def test_a_column_with_one_value_fills_the_parameter_of_its_label():
    done = bound("item,客户名称\nSaw,Eastgate\nAxe,Eastgate\n")
    assert parameters_of(done) == {"customer": "Eastgate"}


def test_a_column_with_several_values_fills_no_parameter():
    done = bound("item,customer\nSaw,Eastgate\nAxe,Westgate\n")
    assert parameters_of(done) == {} and "different values" in said(done)


def test_values_beside_the_rows_of_a_json_file_fill_parameters():
    content = json.dumps({"customer": "Eastgate", "fax": "7", "items": [{"item": "Saw"}]}).encode()
    done = bind_data(TEMPLATE, read_table("a.json", content).lines, Filling())
    assert parameters_of(done) == {"customer": "Eastgate"} and "does not print fax" in said(done)


def test_the_logo_comes_from_the_samples_and_nothing_else_does():
    image = b'<image><reportElement key="i" x="0" y="20" width="9" height="9"/>'
    image += b"<imageExpression>$P{logo}</imageExpression></image>"
    template = TEMPLATE.replace(b"</band></title>", image + b"</band></title>")
    declared = b'<parameter name="logo" class="java.lang.String"/>'
    template = template.replace(b'<parameter name="due"', declared + b'<parameter name="due"')
    sample = b'{"parameters": {"logo": "iVBO", "customer": "Mrs Ashdown"}, "rows": []}'
    done = bind_data(template, read_table("a.csv", b"item\nSaw\n").lines, Filling(), sample)
    assert parameters_of(done) == {"logo": "iVBO"}


def test_a_parameter_without_a_value_is_said():
    assert "客户名称 (customer) has no value" in said(bound("item\nSaw\n"))


# --- hostile values ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["1" * 30_000 + "x", "1." * 15_000 + "x", "(" + "1" * 30_000, "-" * 30_000])
def test_a_number_without_an_end_is_left_empty_and_shown_in_part(value: str):
    done = bound("item,quantity\n" + f"Saw,{value}\n" * 50)
    assert [row.get("quantity") for row in rows_of(done)] == [None] * 50
    assert len(said(done)) < 400


def test_a_word_that_no_line_can_hold_is_left_empty():
    done = bound(f"item,quantity\n{'1' * 30_000},1\n{'一' * 30_000},2\n{'word ' * 6_000},3\n")
    assert [bool(row.get("item")) for row in rows_of(done)] == [False, True, True]
    assert "item: the value in row 1 is a word of more than 2,000 letters" in said(done)


def test_a_picture_is_no_long_word():
    image = "<image><reportElement key='i' x='0' y='0' width='9' height='9'/>"
    picture = f"{image}<imageExpression>$F{{item}}</imageExpression></image></band></detail>".encode()
    template = TEMPLATE.replace(b"</band></detail>", picture)
    done = bind_data(template, read_table("a.csv", b"item,Qty\n" + b"iVBORw0K" * 1_000 + b",1\n").lines, Filling())
    assert rows_of(done)[0]["item"] == "iVBORw0K" * 1_000


def test_the_heading_of_a_column_is_shown_in_part():
    assert len(said(bound(f"item,{'1' * 30_000}\nSaw,2\n"))) < 400
