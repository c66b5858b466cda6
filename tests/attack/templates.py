"""Hostile parts of templates other than expressions. Each is made with the paths and the address that it is after."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.validator.reports import field, image, report, row_field, static

Values = Mapping[str, str]
PROPERTIES = [
    "net.sf.jasperreports.export.pdf.javascript",
    "net.sf.jasperreports.export.pdf.font.mapping",
    "net.sf.jasperreports.export.xls.workbook.template",
    "net.sf.jasperreports.export.xlsx.formula",
    "net.sf.jasperreports.export.html.converter.factory",
    "net.sf.jasperreports.text.measurer.factory",
    "net.sf.jasperreports.text.line.break.factory",
    "net.sf.jasperreports.compiler.class",
    "net.sf.jasperreports.compiler.temp.dir",
    "net.sf.jasperreports.compiler.keep.java.file",
    "net.sf.jasperreports.compiler.java",
    "net.sf.jasperreports.query.executer.factory.x",
    "net.sf.jasperreports.data.adapter",
    "net.sf.jasperreports.swap.directory",
    "net.sf.jasperreports.image.dpi.factory",
    "net.sf.jasperreports.markup.processor.factory.styled",
    "net.sf.jasperreports.style.provider.factory.x",
    "net.sf.jasperreports.virtualizer.files.directory",
    "net.sf.jasperreports.json.source",
    "net.sf.jasperreports.xpath.executer.factory",
    "net.sf.jasperreports.extension.registry.factory.x",
    "net.sf.jasperreports.report.class.filter.enabled",
    "net.sf.jasperreports.governor.timeout.enabled",
    "net.sf.jasperreports.legacy.expression.parser",
    "net.sf.jasperreports.components.barcode4j.image.producer.svg",
]
MARKUPS = [
    '<link rel="stylesheet" href="file:{secret}"/>',
    "<style>@import 'file:{secret}';</style>",
    '<base href="file:{secret}"/>',
    '<img src="file:{secret}"/>',
    '<img src="{address}"/>',
    '<a href="file:{secret}">x</a>',
    '<style pdfFontName="{secret}" isPdfEmbedded="true">x</style>',
    '<font face="{secret}">x</font>',
    '<object data="file:{secret}"/>',
    '<iframe src="{address}"/>',
    "<script>new Image().src='{address}'</script>",
    '<svg><image href="{address}"/></svg>',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:{secret}">]>&e;',
    '<a type="Reference" href="javascript:alert(1)">x</a>',
    '<table background="{address}"><tr><td>x</td></tr></table>',
]
ATTRIBUTES = [
    'language="groovy"',
    'language="javascript"',
    'language="bsh"',
    'scriptletClass="java.lang.Runtime"',
    'resourceBundle="{secret}"',
    'formatFactoryClass="java.lang.Runtime"',
    'whenResourceMissingType="Error"',
    'language="java; { System.exit(1); }"',
]
DECLARATIONS = [
    '<import value="java.io.*"/>',
    '<import value="static java.lang.Runtime.*"/>',
    '<import value="x; class Y { }"/>',
    '<template><![CDATA["{secret}"]]></template>',
    '<scriptlet name="s" class="java.lang.Runtime"/>',
    '<parameter name="p" class="java.lang.Runtime"/>',
    '<parameter name="p" class="java.lang.String)(Object"/>',
    '<parameter name="p" class="java.lang.String/**/"/>',
    '<parameter name="p&quot;+x+&quot;" class="java.lang.String"/>',
    '<parameter name="p\\" class="java.lang.String"/>',
    '<parameter name="p&#10;x" class="java.lang.String"/>',
    '<parameter name="p\\u0022" class="java.lang.String"/>',
    '<parameter name="*/ x /*" class="java.lang.String"/>',
    '<variable name="v" class="java.lang.String" incrementerFactoryClass="java.lang.Runtime"/>',
    '<variable name="v" class="java.io.File">'
    '<variableExpression>new java.io.File("{secret}")</variableExpression></variable>',
    '<queryString language="csv"/>',
    '<queryString language="sql">select 1</queryString>',
    '<queryString language="xPath">/x</queryString>',
    '<queryString language="json">x</queryString>',
    '<subDataset name="d"><scriptlet name="s" class="java.lang.Runtime"/></subDataset>',
    '<style name="s" markup="html"/>',
    '<style name="s" pdfFontName="{secret}" isPdfEmbedded="true" isDefault="true"/>',
    '<style name="s" fontName="{secret}" isDefault="true"/>',
]
ELEMENTS = [
    '<subreport>BOX<subreportExpression><![CDATA["{secret}"]]></subreportExpression></subreport>',
    '<subreport>BOX<subreportExpression><![CDATA["{address}"]]></subreportExpression></subreport>',
    '<genericElement>BOX<genericElementType namespace="x" name="y"/></genericElement>',
    '<frame>BOX<subreport>BOX<subreportExpression>"{secret}"</subreportExpression></subreport></frame>',
    '<xyLineChart><chart customizerClass="java.lang.Runtime">BOX</chart></xyLineChart>',
    '<componentElement>BOX<x:map xmlns:x="urn:x"/></componentElement>',
    '<staticText>BOX<textElement markup="html"/><text>x</text></staticText>',
    '<staticText>BOX<textElement markup="rtf"/><text>x</text></staticText>',
    '<staticText>BOX<textElement markup="java.lang.Runtime"/><text>x</text></staticText>',
    '<textField formatFactoryClass="java.lang.Runtime">BOX<textFieldExpression>"x"</textFieldExpression></textField>',
]
DOCTYPES = [
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]>',
    '<!DOCTYPE x SYSTEM "{address}">',
    '<!DOCTYPE x [<!ENTITY % e SYSTEM "{address}"> %e;]>',
    '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>',
]
_BOX = '<reportElement x="0" y="0" width="90" height="20"/>'


def with_values(part: str, values: Values) -> str:
    """Put the paths and the address into a part."""
    for name, value in values.items():
        part = part.replace(f"{{{name}}}", value)
    return part


def _property(name: str) -> Callable[[Values], bytes]:
    return lambda v: report(static("x"), declared=f'<property name="{name}" value="{v["made"]}"/>' + row_field("a"))


def _markup(text: str, markup: str) -> Callable[[Values], bytes]:
    def made(values: Values) -> bytes:
        styled = with_values(text, values).replace("&", "&amp;").replace("<", "&lt;")
        element = f'<staticText>{_BOX}<textElement markup="{markup}"/><text>{styled}</text></staticText>'
        return report(element, declared=row_field("a"))

    return made


def _declared(part: str) -> Callable[[Values], bytes]:
    return lambda values: report(static("x"), declared=with_values(part, values) + row_field("a"))


def _attribute(text: str) -> Callable[[Values], bytes]:
    return lambda values: report(static("x"), attributes=with_values(text, values), declared=row_field("a"))


def _element(xml: str) -> Callable[[Values], bytes]:
    return lambda values: report(with_values(xml, values).replace("BOX", _BOX), declared=row_field("a"))


def _doctype(text: str) -> Callable[[Values], bytes]:
    return lambda values: report(field("$F{a}"), doctype=with_values(text, values), declared=row_field("a"))


PARTS: dict[str, Callable[[Values], bytes]] = {
    **{f"property {name}": _property(name) for name in PROPERTIES},
    **{f"{kind} markup {n}": _markup(t, kind) for kind in ("styled", "html", "rtf") for n, t in enumerate(MARKUPS)},
    **{f"attribute {n}": _attribute(text) for n, text in enumerate(ATTRIBUTES)},
    **{f"declaration {n}": _declared(part) for n, part in enumerate(DECLARATIONS)},
    **{f"element {n}": _element(xml) for n, xml in enumerate(ELEMENTS)},
    **{f"doctype {n}": _doctype(text) for n, text in enumerate(DOCTYPES)},
    "image at an address": lambda values: report(image(f'"{values["address"]}"'), declared=row_field("a")),
    "image of a device": lambda values: report(image('"/dev/zero"'), declared=row_field("a")),
}
