"""Small templates for the validator's tests."""

from __future__ import annotations

NAMESPACE = "http://jasperreports.sourceforge.net/jasperreports"


def report(
    *elements: str,
    detail: str = "",
    declared: str = "",
    name: str = "test",
    page: tuple[object, object] = (400, 300),
    height: object = 200,
    attributes: str = "",
    doctype: str = "",
) -> bytes:
    """A report without margins: `elements` in its title band, `declared` before its bands."""
    width, high = page
    body = f'<detail><band height="20">{detail}</band></detail>' if detail else ""
    return f"""<?xml version="1.0" encoding="UTF-8"?>{doctype}
<jasperReport xmlns="{NAMESPACE}" name="{name}" pageWidth="{width}" pageHeight="{high}" columnWidth="400"
 leftMargin="0" rightMargin="0" topMargin="0" bottomMargin="0" whenNoDataType="AllSectionsNoDetail" {attributes}>
{declared}
<title><band height="{height}">{"".join(elements)}</band></title>{body}
</jasperReport>""".encode()


def static(text: str, key: str = "s", x: object = 10, y: object = 10, width: object = 150, height: object = 20) -> str:
    return (
        f'<staticText><reportElement key="{key}" x="{x}" y="{y}" width="{width}" height="{height}"/>'
        f"<text><![CDATA[{text}]]></text></staticText>"
    )


def field(
    expression: str, key: str = "f", x: int = 10, y: int = 10, width: int = 150, height: int = 20, more: str = ""
) -> str:
    return (
        f'<textField {more}><reportElement key="{key}" x="{x}" y="{y}" width="{width}" height="{height}"/>'
        f"<textFieldExpression><![CDATA[{expression}]]></textFieldExpression></textField>"
    )


def image(expression: str, key: str = "i") -> str:
    return (
        f'<image><reportElement key="{key}" x="200" y="10" width="80" height="40"/>'
        f"<imageExpression><![CDATA[{expression}]]></imageExpression></image>"
    )


def parameter(name: str, java_class: str = "java.lang.String") -> str:
    return f'<parameter name="{name}" class="{java_class}"/>'


def row_field(name: str, java_class: str = "java.lang.String") -> str:
    return f'<field name="{name}" class="{java_class}"/>'


def chart(kind: str, dataset: str, plot: str, key: str = "chart", more: str = "") -> str:
    """A chart of `kind` with a title in Chinese."""
    return (
        f'<{kind}><chart evaluationTime="Report" {more}>'
        f'<reportElement key="{key}" x="0" y="0" width="240" height="150"/>'
        '<chartTitle><titleExpression><![CDATA["销售额 Sales"]]></titleExpression></chartTitle><chartSubtitle/>'
        f"<chartLegend/></chart>{dataset}{plot}</{kind}>"
    )


def categories(value: str = "$F{amount}") -> str:
    return (
        "<categoryDataset><categorySeries><seriesExpression><![CDATA[$F{kind}]]></seriesExpression>"
        "<categoryExpression><![CDATA[$F{city}]]></categoryExpression>"
        f"<valueExpression><![CDATA[{value}]]></valueExpression></categorySeries></categoryDataset>"
    )


PIECES = (
    "<pieDataset><keyExpression><![CDATA[$F{city} + $F{kind}]]></keyExpression>"
    "<valueExpression><![CDATA[$F{amount}]]></valueExpression></pieDataset>"
)


def crosstab(measure: str = "$F{amount}") -> str:
    """Cities in rows, kinds in columns, sums in the cells."""

    def cell(key: str, content: str) -> str:
        return f"<cellContents>{content.replace('KEY', key)}</cellContents>"

    def shown(expression: str) -> str:
        return field(expression, "KEY", x=0, y=0, width=60, height=20)

    return (
        '<crosstab><reportElement key="crosstab" x="0" y="0" width="380" height="120"/>'
        '<rowGroup name="city" width="60" totalPosition="End"><bucket class="java.lang.String">'
        "<bucketExpression><![CDATA[$F{city}]]></bucketExpression></bucket>"
        f"<crosstabRowHeader>{cell('row', shown('$V{city}'))}</crosstabRowHeader>"
        f"<crosstabTotalRowHeader>{cell('rows', static('合计', 'KEY', 0, 0, 60))}</crosstabTotalRowHeader></rowGroup>"
        '<columnGroup name="kind" height="20"><bucket class="java.lang.String">'
        "<bucketExpression><![CDATA[$F{kind}]]></bucketExpression></bucket>"
        f"<crosstabColumnHeader>{cell('column', shown('$V{kind}'))}</crosstabColumnHeader></columnGroup>"
        '<measure name="sum" class="java.math.BigDecimal" calculation="Sum">'
        f"<measureExpression><![CDATA[{measure}]]></measureExpression></measure>"
        f'<crosstabCell width="60" height="20">{cell("cell", shown("$V{sum}"))}</crosstabCell>'
        f'<crosstabCell width="60" height="20" rowTotalGroup="city">{cell("total", shown("$V{sum}"))}</crosstabCell>'
        "</crosstab>"
    )
