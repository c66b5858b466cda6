"""A JRXML from outside is imported, or one sentence says why it is refused."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from bandsmith.services.validator.checks import schema
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.import_template import MAX_ELEMENTS, ImportedTemplate, import_template
from bandsmith.services.validator.inert import inert
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import Upload, Validation, validate
from bandsmith.shared import xml
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.jrxml.template import Template
from tests.each_case import each

from .reports import NAMESPACE, chart, field, image, parameter, report, row_field, static

DOCTYPE = (
    '<!DOCTYPE jasperReport PUBLIC "//JasperReports//DTD Report Design//EN"\n'
    ' "http://jasperreports.sourceforge.net/dtds/jasperreport.dtd">'
)
# As iReport wrote it in 2006: no namespace, old names of borders and PDF fonts, unused imports.
OLD = f"""<?xml version="1.0" encoding="UTF-8"  ?>
<!-- Created with iReport - A designer for JasperReports -->
{DOCTYPE}
<jasperReport name="orders" columnCount="1" printOrder="Vertical" orientation="Portrait" pageWidth="595"
 pageHeight="842" columnWidth="535" columnSpacing="0" leftMargin="30" rightMargin="30" topMargin="20"
 bottomMargin="20" whenNoDataType="NoPages" isTitleNewPage="false" isSummaryNewPage="false">
  <property name="ireport.scriptlethandling" value="0" />
  <property name="ireport.jasperserver.url" value="http://127.0.0.1/" />
  <import value="java.util.*" />
  <import value="net.sf.jasperreports.engine.*" />
  <import value="net.sf.jasperreports.engine.data.*" />
  <reportFont name="plain" isDefault="true" fontName="Arial" size="10" pdfFontName="Helvetica"/>
  <parameter name="customerName" isForPrompting="false" class="java.lang.String"/>
  <parameter name="title" isForPrompting="false" class="java.lang.String">
    <defaultValueExpression><![CDATA["Orders"]]></defaultValueExpression>
  </parameter>
  <queryString><![CDATA[select * from orders where customer = $P{{customerName}}]]></queryString>
  <field name="item" class="java.lang.String"/>
  <field name="ordered" class="java.util.Date"/>
  <field name="amount" class="java.math.BigDecimal"/>
  <title><band height="40" isSplitAllowed="true">
    <staticText>
      <reportElement x="0" y="0" width="200" height="20" key="staticText-1" stretchType="NoStretch"/>
      <box topBorder="None" bottomBorder="Thin" bottomBorderColor="#000000"/>
      <textElement textAlignment="Center" lineSpacing="Single">
        <font fontName="宋体" pdfFontName="STSong-Light" size="12" isPdfEmbedded ="true" pdfEncoding ="UniGB-UCS2-H"/>
      </textElement>
      <text><![CDATA[订单 Orders]]></text>
    </staticText>
    <textField isStretchWithOverflow="false" isBlankWhenNull="false" evaluationTime="Now" hyperlinkType="None">
      <reportElement x="210" y="0" width="200" height="20" key="textField"/>
      <textFieldExpression class="java.lang.String"><![CDATA[$P{{customerName}}]]></textFieldExpression>
    </textField>
  </band></title>
  <detail><band height="20">
    <textField><reportElement x="0" y="0" width="150" height="18" key="textField"/>
      <textFieldExpression class="java.lang.String"><![CDATA[$F{{item}}]]></textFieldExpression></textField>
    <textField pattern="yyyy-MM-dd"><reportElement x="160" y="0" width="100" height="18"/>
      <textFieldExpression class="java.util.Date"><![CDATA[$F{{ordered}}]]></textFieldExpression></textField>
    <textField pattern="#,##0.00"><reportElement x="270" y="0" width="40" height="18"/>
      <textFieldExpression class="java.math.BigDecimal"><![CDATA[$F{{amount}}]]></textFieldExpression></textField>
  </band></detail>
</jasperReport>
""".encode()
NEW = b"""<jasperReport name="x" pageWidth="595" pageHeight="842" columnWidth="555">
<query language="sql"><![CDATA[select 1]]></query>
<title height="40"><element kind="staticText" x="0" y="0" width="100" height="20"><text>x</text></element></title>
</jasperReport>"""


def parsed(reading: ImportedTemplate) -> Template:
    return Template(xml.parse(reading.template))


def filled(engine: ReportEngine, reading: ImportedTemplate) -> Validation:
    return validate(engine, ValidatorSettings(), reading.template, reading.data, upload=Upload(reading.template))


def kept(done: Validation) -> list[str]:
    """The codes of what is kept in the file and not run."""
    return [finding.code for finding in done.verdict.findings if finding.code.startswith("inert")]


# --- what is read ---------------------------------------------------------------------------------------------------


def test_an_old_template_is_converted_and_prints(engine: ReportEngine):
    reading = import_template(OLD, "orders.jrxml")
    template = parsed(reading)
    assert template.root.tag == f"{{{NAMESPACE}}}jasperReport" and b"DOCTYPE" not in reading.template
    assert schema.check(template) == []
    done = filled(engine, reading)
    assert done.verdict.passed, done.verdict.findings
    assert done.printout is not None
    assert [e.text for e in done.printout.elements][:5] == [
        "订单 Orders", "Customer name", "Item 1", "2026-01-16", "1,234.50",
    ]  # fmt: skip
    assert any("document type" in note.en for note in reading.notes)


def test_of_an_old_template_only_its_head_changes():
    template = import_template(OLD, "orders.jrxml").template
    assert template == OLD.replace(DOCTYPE.encode(), b"\n").replace(
        b"<jasperReport name", f'<jasperReport xmlns="{NAMESPACE}" name'.encode()
    )


def test_a_current_template_keeps_every_byte():
    content = b"\xef\xbb\xbf" + report(static("x", "k"), static("y", "k"), declared=parameter("p")).replace(
        b"<title>", b"<!-- mine -->\r\n  <title>"
    )
    reading = import_template(content, "x.jrxml")
    assert reading.template == content
    assert reading.notes == []


def test_the_query_is_kept_but_never_reaches_the_engine(engine: ReportEngine):
    reading = import_template(OLD, "orders.jrxml")
    assert b"select * from orders" in reading.template
    assert b"select" not in inert(parsed(reading)).content
    assert filled(engine, reading).verdict.passed


@pytest.mark.parametrize(
    ("expression", "attributes"),
    [('"logo.png"', 'class="java.lang.String"'), ('$P{folder} + "/logo.png"', "")],
)
def test_a_picture_in_a_missing_file_is_left_blank(engine: ReportEngine, expression: str, attributes: str):
    picture = image(expression).replace("<imageExpression>", f"<imageExpression {attributes}>")
    reading = import_template(report(static("Orders"), picture, declared=parameter("folder")), "orders.jrxml")
    done = filled(engine, reading)
    assert done.verdict.passed and kept(done) == ["inert.picture"]
    assert expression.encode() in reading.template


def test_groovy_is_read_as_java(engine: ReportEngine):
    content = report(field("'it ' + \"works\""), attributes='language="groovy"')
    reading = import_template(content, "x.jrxml")
    done = filled(engine, reading)
    assert reading.template == content and kept(done) == ["inert.language"]
    assert done.printout is not None and done.printout.elements[0].text == "it works"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gbk"])
def test_every_encoding_of_xml_is_read(encoding: str):
    text = OLD.decode().replace('encoding="UTF-8"', f'encoding="{encoding.removesuffix("-sig").upper()}"')
    reading = import_template(text.encode(encoding), "orders.jrxml")
    assert parsed(reading).elements[0].node.findtext(f"{{{NAMESPACE}}}text") == "订单 Orders"


def test_a_chart_with_an_unknown_theme_gets_ours(engine: ReportEngine):
    dataset = "<pieDataset><keyExpression>$F{a}</keyExpression><valueExpression>$F{n}</valueExpression></pieDataset>"
    pie = chart("pieChart", dataset, "<piePlot><plot/></piePlot>", more='theme="aegean" renderType="svg"')
    content = report(pie, declared=row_field("a") + row_field("n", "java.lang.Integer"))
    assert filled(engine, import_template(content, "x.jrxml")).verdict.passed


def test_a_report_without_a_name_is_named_after_its_file():
    content = report(static("x"), name="")
    assert xml.parse(import_template(content, "Monthly sales.jrxml").template).get("name") == "Monthly sales"


# --- sample data ----------------------------------------------------------------------------------------------------


def test_sample_data_have_three_rows_of_every_class():
    declared = row_field("customerName") + row_field("客户") + row_field("count", "java.lang.Integer")
    declared += row_field("paid", "java.lang.Boolean") + row_field("when", "java.sql.Timestamp")
    declared += row_field("price", "java.math.BigDecimal") + row_field("list", "java.util.List")
    rows = import_template(report(declared=declared), "x.jrxml").data.rows
    assert len(rows) == 3
    assert rows[0] == {
        "customerName": "Customer name 1", "客户": "客户 1", "count": 1, "paid": True, "when": "2026-01-16T09:30:00",
        "price": 1234.5, "list": None,
    }  # fmt: skip
    assert rows[2]["customerName"] == "Customer name 3"


def test_sample_values_fit_their_elements(engine: ReportEngine):
    content = report(
        field("$P{customerName}", "a", width=62),
        field("$P{customerCode}", "b", y=40, width=30),
        field("$P{amount}", "c", y=80, width=30),
        declared=parameter("customerName") + parameter("customerCode") + parameter("amount", "java.lang.Double"),
    )
    reading = import_template(content, "x.jrxml")
    assert reading.data.parameters == {"customerName": "Name", "customerCode": "Code", "amount": 12.5}
    assert filled(engine, reading).verdict.passed


def test_sample_rows_form_groups_of_two_and_one():
    group = '<group name="g"><groupExpression><![CDATA[$F{city}]]></groupExpression></group>'
    rows = import_template(report(declared=row_field("city") + row_field("n") + group), "x.jrxml").data.rows
    assert [row["city"] for row in rows] == ["City 1", "City 1", "City 2"]
    assert len({row["n"] for row in rows}) == 3


def test_a_text_that_is_parsed_gets_a_parsable_sample(engine: ReportEngine):
    picture = "new java.io.ByteArrayInputStream(java.util.Base64.getDecoder().decode($P{logo}))"
    content = report(
        field("Double.parseDouble($P{sum}) + new BigDecimal($P{tax}).doubleValue()", "a"),
        field("java.time.LocalDate.parse($P{issued})", "b", y=40),
        f'<image><reportElement key="i" x="0" y="80" width="9" height="9"/><imageExpression>{picture}</imageExpression>'
        "</image>",
        declared=parameter("sum") + parameter("tax") + parameter("issued") + parameter("logo"),
    )
    assert filled(engine, import_template(content, "x.jrxml")).verdict.passed


# --- what is refused ------------------------------------------------------------------------------------------------

PNG = bytes(cv2.imencode(".png", np.zeros((9, 9, 3), np.uint8))[1])
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
SUBSET = DOCTYPE.replace(">", ' [<!ENTITY x SYSTEM "file:///etc/passwd">]>')


@each(
    "content, code, says",
    [
        (b" \n", "template.empty", "is empty"),
        (PNG, "template.kind", "a PNG picture"),
        (b"%PDF-1.7 ...", "template.kind", "a PDF"),
        (b"PK\x03\x04...", "template.kind", "Excel"),
        (b'{"name": "x"}', "template.kind", "JSON"),
        (b"<!DOCTYPE html><html><body>x</body></html>", "template.kind", "a web page"),
        (b"\xac\xed\x00\x05sr\x00", "template.compiled", "compiled report"),
        (b"Dear Sir", "xml.syntax", "not well-formed"),
        (report(static("x"))[:-40], "xml.syntax", "not well-formed"),
        (b"<invoice/>", "template.root", "<invoice>"),
        (b'<jasperPrint name="x"/>', "template.root", "<jasperPrint>"),
        (NEW, "template.version", "JasperReports 7"),
        (report(doctype=LAUGHS), "xml.dtd", "document type"),
        (report(doctype=SUBSET), "xml.dtd", "document type"),
        (report(doctype='<!DOCTYPE jasperReport SYSTEM "http://127.0.0.1:9/x.dtd">'), "xml.dtd", "document type"),
        (b"x" * 5_000_000, "xml.size", "4,000,000"),
        (report("<staticText><text>no place</text></staticText>"), "schema.invalid", "schema"),
        (b"\xff\xfex", "template.encoding", "UTF-16"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_template_is_refused(content: bytes, code: str, says: str):
    with pytest.raises(TerminalError, match=says) as refused:
        import_template(content, "x.jrxml")
    assert refused.value.code == code
    assert refused.value.message_zh and refused.value.message_zh != refused.value.message
    assert "passwd" not in refused.value.message


# --- large ----------------------------------------------------------------------------------------------------------


def large(count: int) -> bytes:
    """Texts in rows of twenty, without keys."""
    texts = (static("x", x=20 * (n % 20), y=20 * (n // 20), width=20).replace('key="s" ', "") for n in range(count))
    return report(*texts, page=(400, 14_000), height=20 * (count // 20))


@pytest.mark.slow
def test_five_thousand_elements_are_imported_and_printed(engine: ReportEngine):
    reading = import_template(large(5000), "x.jrxml")
    done = filled(engine, reading)
    assert done.verdict.passed, done.verdict.findings[:3]


def test_too_many_elements_are_refused():
    with pytest.raises(TerminalError, match="10,020 elements"):
        import_template(large(MAX_ELEMENTS + 20), "x.jrxml")


def test_no_external_file_is_opened_for_a_document_type(tmp_path: Path):
    (tmp_path / "x.dtd").write_text("<!ELEMENT x ANY>")
    doctype = f'<!DOCTYPE jasperReport SYSTEM "file://{tmp_path}/x.dtd">'
    with pytest.raises(TerminalError):
        import_template(report(doctype=doctype), "x.jrxml")
