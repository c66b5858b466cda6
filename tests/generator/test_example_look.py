"""A new report gets the look of a template that came along."""

from __future__ import annotations

from bandsmith.services.generator.example_look import adopt
from bandsmith.services.generator.spec import build_spec
from bandsmith.shared.jrxml.template_look import look_of
from bandsmith.shared.model.plan import Band, StaticText, TextField
from bandsmith.shared.model.spec import Column, ReportSpec

EXAMPLE = b"""<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="x" pageWidth="595"
 pageHeight="842" columnWidth="555">
<style name="head" mode="Opaque" backcolor="#224466" forecolor="#FFFFFF"><box><pen lineWidth="2.0"/></box></style>
<title><band height="40"><staticText><reportElement x="0" y="0" width="555" height="30" forecolor="#AA0000"/>
<textElement textAlignment="Right"><font size="18"/></textElement><text>Stock</text></staticText></band></title>
<columnHeader><band height="20"><staticText><reportElement style="head" x="0" y="0" width="90" height="20"/>
<text>Item</text></staticText></band></columnHeader>
<detail><band height="20"><textField><reportElement x="0" y="0" width="90" height="20"/>
<textFieldExpression>$F{item}</textFieldExpression></textField></band></detail></jasperReport>"""
SPEC = ReportSpec(title="Sales", columns=[Column(label="Customer"), Column(label="Amount", type="money", total="sum")])


def bands() -> dict[str, Band]:
    look = look_of(EXAMPLE)
    assert look is not None
    return {band.name: band for band in adopt(build_spec(SPEC)[0], look).bands}


def test_the_title_has_the_colour_and_the_side_of_the_example():
    title = bands()["title"].elements[0]
    assert isinstance(title, StaticText) and title.text == "Sales"
    assert (title.forecolour, title.align, title.font.size) == ("#AA0000", "Right", 18.0)


def test_headings_have_its_background_its_ink_and_its_lines():
    for heading in bands()["columnHeader"].elements:
        assert isinstance(heading, StaticText)
        assert (heading.backcolour, heading.forecolour, heading.borders.left.width) == ("#224466", "#FFFFFF", 2.0)


def test_rows_have_no_stripes_where_the_example_has_none():
    for cell in bands()["detail"].elements:
        assert isinstance(cell, TextField)
        assert cell.style is None and cell.backcolour is None


def test_what_cannot_be_read_gives_no_look():
    assert look_of(b"<jasperReport") is None
