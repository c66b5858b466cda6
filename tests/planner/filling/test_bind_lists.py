"""The lists of a JSON file find the further tables of a report, and their values its fields."""

from __future__ import annotations

import json

from bandsmith.services.ocr.tables import read_table
from bandsmith.services.planner.filling import bind_data
from bandsmith.services.planner.filling.bind_data import BoundData
from bandsmith.shared.model.filling import Filling

TEMPLATE = b"""<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="r" pageWidth="440"
 pageHeight="400" columnWidth="400" leftMargin="20" rightMargin="20" topMargin="20" bottomMargin="20">
<subDataset name="materials"><field name="product" class="java.lang.String"/>
<field name="unit_price" class="java.math.BigDecimal"/></subDataset>
<parameter name="materials" class="java.util.Collection"/><field name="service" class="java.lang.String"/>
<detail><band height="20"><textField><reportElement key="c" x="0" y="0" width="100" height="20"/>
<textFieldExpression>$F{service}</textFieldExpression></textField></band></detail></jasperReport>"""


def bound(**data: object) -> BoundData:
    table = read_table("a.json", json.dumps({"rows": [{"service": "Cutting"}], **data}).encode())
    return bind_data(TEMPLATE, table.lines, Filling())


def lists_of(done: BoundData) -> object:
    return json.loads(done.lines.splitlines()[0])["lists"]


def said(done: BoundData) -> str:
    return " ".join(note.en for note in done.notes)


def test_a_list_is_found_by_its_name_and_its_values_by_those_of_the_fields():
    done = bound(Materials=[{"Product": "Paint", "unitPrice": "1,234.50"}, {"Product": "Brush"}])

    assert lists_of(done) == {"materials": [
        {"product": "Paint", "unit_price": "1234.50"}, {"product": "Brush", "unit_price": None},
    ]}  # fmt: skip
    assert done.left_out == 0


def test_what_a_list_lacks_and_what_the_report_does_not_print_is_named():
    done = bound(materials=[{"product": "Paint", "colour": "red"}], staff=[{"name": "Ann"}])

    assert "materials.unit_price" in said(done)
    assert "materials.colour" in said(done) and "staff" in said(done)


def test_a_missing_list_is_named_and_prints_no_rows():
    done = bound()

    assert lists_of(done) == {}
    assert "materials" in said(done)


def test_a_value_that_its_field_cannot_have_is_left_empty_and_named():
    done = bound(materials=[{"product": "Paint", "unit_price": "many"}])

    assert lists_of(done) == {"materials": [{"product": "Paint"}]}
    assert "materials.unit_price" in said(done) and done.left_out == 1


def test_the_rows_of_lists_are_counted():
    assert bound(materials=[{"product": "Paint"}, {"product": "Brush"}]).row_count == 3
