"""Edits that come without words are checked like any others, and values get the types of their fields."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.given_edits import checked_edits
from bandsmith.shared.edits.add_rows import AddRows
from bandsmith.shared.edits.base import Row
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.set_parameters import SetParameters
from bandsmith.shared.xml import parse

TEMPLATE = parse(
    b"""<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="slip">
    <parameter name="customer"/><parameter name="day" class="java.util.Date"/>
    <field name="item"/><field name="quantity" class="java.lang.Integer"/>
    <field name="amount" class="java.math.BigDecimal"/></jasperReport>"""
)


def test_values_get_the_types_of_their_fields():
    rows = AddRows(
        rows=[{"item": 7, "quantity": "3", "amount": "1,234.50"}, {"item": "Nut", "amount": ""}], replace=True
    )
    values = SetParameters(values={"customer": "Ann", "day": "2026-05-31"})
    request = checked_edits([rows, values], TEMPLATE)
    kept: list[Row] = [{"item": "7", "quantity": 3, "amount": 1234.5}, {"item": "Nut", "amount": None}]
    assert request.edits == [AddRows(rows=kept, replace=True), values]
    assert request.refusals == []


@pytest.mark.parametrize(
    ("edit", "named"),
    [
        (AddRows(rows=[{"amount": 1}, {"amount": "much"}], replace=True), "“much” in row 2"),
        (SetParameters(values={"day": "someday"}), "“someday” is not a date"),
    ],
)
def test_a_value_that_its_field_cannot_have_is_named_and_nothing_is_changed(edit: AddRows | SetParameters, named: str):
    request = checked_edits([edit], TEMPLATE)
    assert request.edits == [] and named in request.refusals[0].en


def test_a_deletion_names_the_element_whose_removal_is_asked_for():
    assert checked_edits([Delete(element="total")], TEMPLATE).asked == ["total"]


def test_a_time_is_typed_as_it_is_printed():
    cell = b"""<detail><band height="20"><textField pattern="HH:mm"><reportElement x="0" y="0" width="80" height="20"/>
        <textFieldExpression><![CDATA[$F{start}]]></textFieldExpression></textField></band></detail></jasperReport>"""
    declared = b"""<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="t">
        <field name="start" class="java.util.Date"/>"""
    request = checked_edits([AddRows(rows=[{"start": "07:00"}], replace=True)], parse(declared + cell))
    assert request.edits == [AddRows(rows=[{"start": "1970-01-01T07:00:00"}], replace=True)]
    refused = checked_edits([AddRows(rows=[{"start": "early"}], replace=True)], parse(declared + cell))
    assert "“early” in row 1 is not a time" in refused.refusals[0].en
