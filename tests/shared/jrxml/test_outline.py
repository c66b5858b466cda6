"""An outline names every element once, in few words, within its budget."""

import pytest

from bandsmith.shared.errors import BadInput
from bandsmith.shared.jrxml.bands import named_elements
from bandsmith.shared.jrxml.outline import outline
from bandsmith.shared.tokens import estimate as tokens
from bandsmith.shared.xml import parse

NAMESPACE = "http://jasperreports.sourceforge.net/jasperreports"


def report(count: int = 3, looks: str = "") -> bytes:
    texts = "".join(
        f'<staticText><reportElement key="t{n}" x="{n % 20 * 25}" y="{n // 20 * 12}" width="24" height="12"/>{looks}'
        f"<text><![CDATA[Word {n}]]></text></staticText>"
        for n in range(count)
    )
    return f"""<jasperReport xmlns="{NAMESPACE}" name="r" pageWidth="595" pageHeight="842" columnWidth="555">
<style name="Base" isDefault="true" fontName="Liberation Sans" fontSize="9"/>
<parameter name="customer" class="java.lang.String"/><field name="amount" class="java.math.BigDecimal"/>
<variable name="all" class="java.math.BigDecimal" calculation="Sum" resetType="Group" resetGroup="city">
<variableExpression><![CDATA[$F{{amount}}]]></variableExpression></variable>
<group name="city"><groupExpression><![CDATA[$F{{city}}]]></groupExpression></group>
<title><band height="40">{texts}</band></title>
<detail><band height="20"><line><reportElement x="0" y="0" width="9" height="1"/></line>
<textField pattern="#,##0.00"><reportElement x="0" y="0" width="90" height="20" forecolor="#FF0000"/>
<textElement textAlignment="Right"><font size="12" isBold="true"/></textElement>
<textFieldExpression><![CDATA[$F{{amount}}]]></textFieldExpression></textField></band></detail>
<summary><band height="20"><textField><reportElement key="sum" x="0" y="0" width="90" height="20"/>
<textFieldExpression><![CDATA["合计 " + $V{{all}}]]></textFieldExpression></textField></band></summary>
</jasperReport>""".encode()


def test_it_lists_page_declarations_and_elements() -> None:
    assert outline(report()).splitlines() == [
        "page 595x842 margins 20,20,20,20 columnWidth 555 font Liberation Sans 9",
        "parameters: customer",
        "fields: amount:BigDecimal",
        "variables: all:BigDecimal=Sum($F{amount}) by city",
        "groups: city=$F{city}",
        "title h40",
        '  t0 text 0,0 24x12 "Word 0"',
        '  t1 text 25,0 24x12 "Word 1"',
        '  t2 text 50,0 24x12 "Word 2"',
        "detail h20",
        "  detail.1 line 0,0 9x1",
        "  detail.2 field 0,0 90x20 $F{amount} 12 bold right #FF0000 pattern=#,##0.00",
        "summary h20",
        '  sum field 0,0 90x20 "合计 " + $V{all}',
    ]


def test_names_are_unique_keys_or_numbers() -> None:
    twice = report().replace(b'key="t1"', b'key="t0"')
    names = [name for name, _ in named_elements(parse(twice))]
    assert names == ["t0", "title.2", "t2", "detail.1", "detail.2", "sum"]


def test_it_takes_a_quarter_of_a_long_template_at_most() -> None:
    looks = '<box><topPen lineWidth="1"/></box><textElement verticalAlignment="Middle"><font size="9"/></textElement>'
    template = report(330, looks)
    assert len(template) > 73_000
    for budget in (1000, 2000, 4000):
        assert tokens(outline(template, budget=budget)) <= min(budget, tokens(template.decode()) / 4)


@pytest.mark.parametrize("words", ["delete word 4321", "remove “Word 4321” please"])
def test_elements_that_the_request_mentions_come_first(words: str) -> None:
    said = outline(report(5000), words, budget=500)
    assert '"Word 4321"' in said
    assert tokens(said) <= 500
    assert "detail.2" in said  # the rows are always worth knowing
    shown = said.count(" text ")
    assert f"… {5000 - shown} more" in said


@pytest.mark.parametrize(
    ("words", "shown"),
    [("make the total larger", "sum field 0,0"), ("合计加粗", "sum field 0,0"), ("把明细行改成蓝色", "detail.2 field")],
)
def test_a_band_that_the_request_mentions_comes_first(words: str, shown: str) -> None:
    assert shown in outline(report(400), words, budget=200)


def test_a_line_is_written_alike_with_its_colour_whether_the_request_mentions_lines_or_not() -> None:
    pen = b'height="1"/><graphicElement><pen lineColor="#0000FF"/></graphicElement></line>'
    template = report().replace(b'height="1"/></line>', pen)
    assert all("  detail.1 line 0,0 9x1 #0000FF" in outline(template, words).splitlines() for words in ("", "lines"))


def test_lines_are_shown_when_the_request_mentions_them() -> None:
    assert "detail.1 line 0,0 9x1" in outline(report(), "make the lines thicker")


def test_very_many_declarations_are_counted() -> None:
    fields = "".join(f'<field name="f{n}" class="java.lang.String"/>' for n in range(3000))
    said = outline(report().replace(b"<variable ", fields.encode() + b"<variable ", 1), "sort by f2345", budget=600)
    assert "f2345" in said and "more" in said and tokens(said) <= 600


def test_anything_but_xml_is_refused() -> None:
    with pytest.raises(BadInput):
        outline(b"no xml")


def test_how_thick_a_line_is_can_be_read() -> None:
    pen = b'height="1"/><graphicElement><pen lineWidth="1.5"/></graphicElement></line>'
    assert "detail.1 line 0,0 9x1 pen 1.5" in outline(report().replace(b'height="1"/></line>', pen), "lines")
