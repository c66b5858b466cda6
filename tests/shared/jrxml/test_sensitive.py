"""Which values of a report no language model may see: its template says so, and keeps saying so."""

from __future__ import annotations

from lxml import etree

from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.sensitive import prints_sensitive, sensitive_references

TEMPLATE = b"""<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="r" pageWidth="595"
 pageHeight="842" columnWidth="555" leftMargin="20" rightMargin="20" topMargin="20" bottomMargin="20">
<parameter name="phone" class="java.lang.String"/>
<field name="born" class="java.lang.String"><property name="bandsmith.sensitive" value="true"/></field>
<field name="city" class="java.lang.String"/>
<variable name="year" class="java.lang.String">
<variableExpression>$F{born}.substring(0, 4)</variableExpression></variable>
<variable name="decade" class="java.lang.String">
<variableExpression>$V{year}.substring(0, 3)</variableExpression></variable>
<detail><band height="20">
<textField><reportElement key="shown" x="0" y="0" width="100" height="20"/>
<textFieldExpression>"born " + $V{decade}</textFieldExpression></textField>
<textField><reportElement key="open" x="100" y="0" width="100" height="20"/>
<textFieldExpression>$F{city}</textFieldExpression></textField>
</band></detail></jasperReport>"""


def test_a_field_that_is_marked_what_is_called_so_and_what_is_computed_from_them():
    draft = Draft(TEMPLATE)
    hidden = sensitive_references(draft.root)
    assert hidden == {("F", "born"), ("P", "phone"), ("V", "year"), ("V", "decade")}
    assert prints_sensitive(draft.require_element("shown"), hidden)
    assert not prints_sensitive(draft.require_element("open"), hidden)


def test_another_value_of_the_property_marks_nothing():
    root = etree.fromstring(TEMPLATE.replace(b'value="true"', b'value="false"'))
    assert sensitive_references(root) == {("P", "phone")}
