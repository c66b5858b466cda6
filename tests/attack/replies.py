"""Hostile edits, as an obedient model would reply them. ``{secret}`` is a file to read, ``{made}`` must not appear."""

from __future__ import annotations

from typing import Any

RUN = 'Runtime.getRuntime().exec(new String[]{"touch", "{made}"})'
READ = 'new java.util.Scanner(new java.io.File("{secret}")).next()'
LOCALE = "java.util.Locale.setDefault(java.util.Locale.FRANCE)"
EXPRESSIONS = [
    RUN,
    READ,
    LOCALE,
    '"a"; ' + LOCALE + "; //",
    '"\\u0022+' + READ + '+\\u0022"',
    'new java.io.FileWriter("{made}").toString()',
    "$P{REPORT_PARAMETERS_MAP}.toString()",
    "new Object(){{ " + LOCALE + "; }}.toString()",
]
BOX = '<reportElement x="0" y="0" width="90" height="14"/>'
MARKUP = '<style pdfFontName="{secret}" isPdfEmbedded="true">x</style><img src="file:{secret}"/>'


def _texts(expression: str) -> list[dict[str, Any]]:
    return [
        {"do": "expression", "element": "d_customer", "expression": expression},
        {"do": "set", "element": "note", "name": "printWhenExpression", "value": expression},
        {"do": "add", "key": "n", "band": "summary", "expression": expression},
        {"do": "declare", "scope": "variable", "name": "v", "java_class": "java.lang.String", "expression": expression},
    ]


def _band(xml: str, band: str = "summary") -> dict[str, Any]:
    return {"do": "replace_band", "band": band, "xml": xml}


def _summary(element: str) -> dict[str, Any]:
    return _band(f'<band height="60">{element.replace("BOX", BOX)}</band>')


def _text_of(expression: str) -> str:
    return f"<textField>{BOX}<textFieldExpression><![CDATA[{expression}]]></textFieldExpression></textField>"


BANDS = [
    _summary(_text_of(RUN)),
    _summary(_text_of(READ)),
    _summary('<image onErrorType="Blank">BOX<imageExpression>"{secret}"</imageExpression></image>'),
    _summary('<image>BOX<imageExpression>"{address}"</imageExpression></image>'),
    _summary('<image>BOX<imageExpression>new java.io.File("{secret}")</imageExpression></image>'),
    _summary('<subreport>BOX<subreportExpression>"{secret}"</subreportExpression></subreport>'),
    _summary('<genericElement>BOX<genericElementType namespace="x" name="y"/></genericElement>'),
    _summary('<staticText>BOX<textElement markup="html"/><text><![CDATA[' + MARKUP + "]]></text></staticText>"),
    _summary('<staticText>BOX<textElement markup="styled"/><text><![CDATA[' + MARKUP + "]]></text></staticText>"),
    _summary('<textField hyperlinkType="Reference">BOX<textFieldExpression>"x"</textFieldExpression>'
             '<hyperlinkReferenceExpression>"javascript:alert(1)"</hyperlinkReferenceExpression></textField>'),
    _summary('<textField formatFactoryClass="java.lang.Runtime">BOX'
             '<textFieldExpression>"x"</textFieldExpression></textField>'),
    _summary('<frame>BOX<property name="net.sf.jasperreports.export.pdf.javascript" value="app.alert(1)"/></frame>'),
    _band('<!DOCTYPE band [<!ENTITY e SYSTEM "file:{secret}">]><band height="60"><staticText>&e;</staticText></band>'),
    _band('<!DOCTYPE b [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><band height="60">&b;&b;&b;&b;</band>'),
    _band('<band xmlns:xi="http://www.w3.org/2001/XInclude" height="60"><xi:include href="{secret}"/></band>'),
    _band('<?xml-stylesheet href="{address}"?><band height="60"/>'),
    _band("<band height='60'>" + "<frame>" * 3000 + "</frame>" * 3000 + "</band>"),
    _band('<band height="2147483647"/>'),
    _band('<band height="60"/></summary><queryString>x</queryString><summary>'),
    _band('<band height="1"/>', "detail"),
]  # fmt: skip
NUMBERS = [
    {"do": "resize", "element": "title", "width": 2**31, "height": 2**31},
    {"do": "move", "element": "title", "x": -(2**31), "y": 10**30},
    {"do": "band", "band": "title", "height": 10**9},
    {"do": "set", "element": "title", "name": "fontSize", "value": "1e308"},
    {"do": "set", "element": "title", "name": "topPadding", "value": "999999999"},
    {"do": "page", "width_mm": 10**12, "height_mm": 10**12},
    {"do": "fill_rows", "count": 10**9},
    {"do": "limit_rows", "count": -(10**18)},
    {"do": "columns", "count": 10**9},
    {"do": "report", "name": "pageWidth", "value": "99999999999"},
]
NAMES = [
    {"do": "declare", "scope": "parameter", "name": 'p"+' + LOCALE + '+"', "java_class": "java.lang.String"},
    {"do": "declare", "scope": "field", "name": "f", "java_class": "java.lang.Runtime"},
    {"do": "declare", "scope": "field", "name": "f", "java_class": "java.lang.String)(Object"},
    {"do": "rename", "scope": "field", "name": "item", "to": 'x"/><queryString/>', "java_class": "java.lang.Runtime"},
    {"do": "rename", "scope": "field", "name": "item", "to": "../../{made}"},
    {"do": "report", "name": "language", "value": "groovy"},
    {"do": "report", "name": "scriptletClass", "value": "java.lang.Runtime"},
    {"do": "report", "name": "resourceBundle", "value": "{secret}"},
    {"do": "set", "element": "title", "name": "fontName", "value": "{secret}"},
    {"do": "set", "element": "title", "name": "pdfFontName", "value": "{secret}"},
    {"do": "set", "element": "d_amount", "name": "pattern", "value": "#" * 100_000},
    {"do": "set", "element": "d_amount", "name": "pattern", "value": '"; ' + LOCALE + '; "'},
    {"do": "text", "element": "title", "text": "]]></text></staticText><image/>"},
    {"do": "text", "element": "title", "text": "\u0000\u001b[2J\u202e"},
    {"do": "text", "element": "title", "text": "a" * 2_000_000},
    {"do": "link", "element": "title", "address": "javascript:alert(1)"},
    {"do": "link", "element": "title", "address": "file://{secret}"},
    {"do": "link", "element": "title", "field": 'x} + ' + READ + ' + $F{x'},
    {"do": "picture", "file": "{secret}"},
    {"do": "picture", "file": "../../../{secret}", "content": "not a picture"},
    {"do": "picture", "file": "a.png", "content": "iVBORw0KGgo" + "A" * 400_000},
    {"do": "filter_rows", "field": "customer", "comparison": "=", "value": '") || ' + LOCALE + '.equals("'},
    {"do": "highlight", "field": "amount", "comparison": ">", "value": "0) || (" + LOCALE + " == null"},
    {"do": "highlight", "field": "amount", "comparison": ">", "value": "1", "colour": 'red"/><image/>'},
    {"do": "compute_column", "field": "amount", "formula": "quantity * " + LOCALE + ".hashCode()"},
    {"do": "compute_column", "field": "amount", "formula": "(" * 5_000 + "quantity" + ")" * 5_000},
    {"do": "group", "field": 'customer} + ' + READ + ' + $F{customer'},
    {"do": "group", "field": "customer", "label": '" + ' + READ + ' + "'},
    {"do": "barcode", "text": '" + ' + READ + ' + "'},
    {"do": "watermark", "text": '" + ' + READ + ' + "'},
    {"do": "set_parameters", "values": {"REPORT_LOCALE": "fr", "REPORT_CLASS_LOADER": "x", "REPORT_MAX_COUNT": -1}},
    {"do": "sort", "field": "customer; " + LOCALE},
]  # fmt: skip
DELETIONS = [
    [{"do": "delete", "element": key} for key in ("title", "d_date", "d_customer", "d_item", "d_quantity", "d_amount")],
    [{"do": "delete_column", "field": name} for name in ("order_date", "customer", "item", "quantity", "amount")],
    [_band('<band height="0"/>', band) for band in ("title", "columnHeader", "detail", "summary")],
    [{"do": "text", "element": key, "text": " "} for key in ("title", "h_date", "h_customer", "h_item", "h_amount")],
    [{"do": "set", "element": key, "name": "forecolor", "value": "#FFFFFF"} for key in ("title", "d_item", "d_amount")],
    [{"do": "filter_rows", "field": "customer", "comparison": "=", "value": "nobody at all"}],
]  # fmt: skip
EDITS: list[list[dict[str, Any]]] = [
    *([edit] for expression in EXPRESSIONS for edit in _texts(expression)),
    *([edit] for edit in (*BANDS, *NUMBERS, *NAMES)),
    *DELETIONS,
]
QUERIES = [
    "DROP TABLE orders",
    "SELECT 1; DELETE FROM orders",
    "WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x",
    "ATTACH DATABASE '{made}' AS other",
    "PRAGMA writable_schema = 1",
    "SELECT load_extension('{made}')",
    "SELECT readfile('{secret}')",
    "SELECT writefile('{made}', 'x')",
    "VACUUM INTO '{made}'",
    "COPY orders TO '{made}'",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM secrets",
    "SELECT pg_read_file('{secret}')",
    "SELECT * FROM read_csv('{secret}')",
    "SELECT name FROM orders /* */ ; /* */ DELETE FROM orders",
    "INSERT INTO orders SELECT * FROM orders",
    "SELECT zeroblob(9000000000) FROM orders",
    "EXPLAIN DELETE FROM orders",
]
