"""Two reports to edit: one of bordered cells, as our builder writes them; one from outside, of styles and frames."""

from __future__ import annotations

from bandsmith.services.validator.checks import schema, structure
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.validate import parse_template
from bandsmith.shared.editing import Editor, EditOutcome
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.jrxml.dom import content_of, report_element
from bandsmith.shared.model.plan import Data

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="{name}" pageWidth="595" pageHeight="842"
 whenNoDataType="AllSectionsNoDetail" columnWidth="555" leftMargin="20" rightMargin="20" topMargin="20"
 bottomMargin="20">"""
_PENS = '<topPen lineWidth="1"/><leftPen lineWidth="{}"/><bottomPen lineWidth="1"/><rightPen lineWidth="{}"/>'


def text(
    kind: str, key: str, x: int, y: int, width: int, height: int, words: str, look: str = "", more: str = ""
) -> str:
    """An element of a band; `look` is what stands between its place and its words."""
    inner = "text" if kind == "staticText" else "textFieldExpression"
    named = f'key="{key}"' if key else ""
    return (
        f'<{kind} {more}><reportElement {named} x="{x}" y="{y}" width="{width}" height="{height}"/>{look}'
        f"<{inner}><![CDATA[{words}]]></{inner}></{kind}>"
    )


def _cell(
    kind: str, key: str, x: int, width: int, words: str, align: str = "Left", more: str = "", last: str = ""
) -> str:
    left, right = (2 if x == 30 else 1), (2 if last else 1)
    look = f'<box leftPadding="3" rightPadding="3">{_PENS.format(left, right)}</box>'
    look += f'<textElement textAlignment="{align}" verticalAlignment="Middle"/>'
    return text(kind, key, x, 0, width, 20, words, look, more)


def slip() -> bytes:
    """Four bordered columns from 30 to 530: item, quantity, price, amount; words under them, a rule at their side."""
    headers = [
        ("Item", 30, 200, "Left"),
        ("Qty", 230, 80, "Right"),
        ("Price", 310, 100, "Right"),
        ("Amount", 410, 120, "Right"),
    ]
    names = [("item", ""), ("quantity", ""), ("price", 'pattern="#,##0.00"'), ("amount", 'pattern="#,##0.00"')]
    return (
        _HEAD.format(name="slip")
        + '<style name="Base" isDefault="true" fontName="Liberation Sans" fontSize="10"/>'
        + '<parameter name="customer" class="java.lang.String"/>'
        + "".join(
            f'<field name="{name}" class="java.{java_class}"/>'
            for name, java_class in [
                ("item", "lang.String"),
                ("quantity", "lang.Integer"),
                ("price", "math.BigDecimal"),
                ("amount", "math.BigDecimal"),
            ]
        )
        + '<title><band height="60">'
        + text(
            "staticText",
            "heading",
            200,
            5,
            155,
            24,
            "Delivery slip",
            '<textElement><font size="18" isBold="true"/></textElement>',
        )
        + text("textField", "to", 30, 35, 200, 14, '"To: " + $P{customer}')
        + '</band></title><columnHeader><band height="20">'
        + "".join(
            _cell("staticText", f"h{n}", x, w, words, align, last="1" if n == 3 else "")
            for n, (words, x, w, align) in enumerate(headers)
        )
        + '</band></columnHeader><detail><band height="20">'
        + "".join(
            _cell(
                "textField",
                f"c{n}",
                headers[n][1],
                headers[n][2],
                f"$F{{{name}}}",
                headers[n][3],
                more,
                "1" if n == 3 else "",
            )
            for n, (name, more) in enumerate(names)
        )
        + '</band></detail><summary><band height="50">'
        + text("staticText", "signed", 30, 20, 100, 14, "Signed:")
        + '<line><reportElement key="line" x="80" y="34" width="120" height="1"/></line>'
        + "</band></summary></jasperReport>"
    ).encode()


def orders() -> bytes:
    """A report from outside: styles with borders, a header in a frame, a group, totals; most elements have no key."""
    header = [
        ("Customer", 0, 200, "Left"),
        ("Ordered", 200, 115, "Left"),
        ("Quantity", 315, 120, "Right"),
        ("Amount", 435, 120, "Right"),
    ]
    fields = [("customer", ""), ("ordered", 'pattern="yyyy-MM-dd"'), ("quantity", ""), ("amount", 'pattern="#,##0.00"')]
    styled = '<reportElement style="{}" x="{}" y="0" width="{}" height="20"/><textElement textAlignment="{}"/>'
    return (
        _HEAD.format(name="orders")
        + '<style name="Head" forecolor="#FFFFFF" fontSize="11" isBold="true" vTextAlign="Middle">'
        '<box padding="3"/></style>'
        '<style name="Row" vTextAlign="Middle"><box leftPadding="3" rightPadding="3"><bottomPen lineWidth="0.5"/></box>'
        "<conditionalStyle><conditionExpression><![CDATA[$V{REPORT_COUNT} % 2 == 0]]></conditionExpression>"
        '<style mode="Opaque" backcolor="#EEF3F7"/></conditionalStyle></style>'
        '<field name="region" class="java.lang.String"/><field name="customer" class="java.lang.String"/>'
        '<field name="ordered" class="java.util.Date"/><field name="quantity" class="java.lang.Integer"/>'
        '<field name="amount" class="java.math.BigDecimal"/><sortField name="region"/>'
        '<variable name="of_region" class="java.math.BigDecimal" resetType="Group" resetGroup="Region"'
        ' calculation="Sum">'
        "<variableExpression><![CDATA[$F{amount}]]></variableExpression></variable>"
        '<group name="Region"><groupExpression><![CDATA[$F{region}]]></groupExpression><groupHeader><band height="24">'
        + text("textField", "", 0, 4, 555, 18, '"Region " + $F{region}')
        + '</band></groupHeader><groupFooter><band height="24">'
        + text("staticText", "", 200, 2, 150, 18, "Subtotal", '<textElement textAlignment="Right"/>')
        + text(
            "textField",
            "",
            435,
            2,
            120,
            18,
            "$V{of_region}",
            '<textElement textAlignment="Right"/>',
            'pattern="#,##0.00"',
        )
        + '</band></groupFooter></group><title><band height="50">'
        + text("staticText", "", 0, 5, 300, 36, "Orders", '<textElement><font size="24"/></textElement>')
        + text("staticText", "", 455, 15, 100, 20, "Spring", '<textElement textAlignment="Right"/>')
        + '</band></title><columnHeader><band height="22"><frame><reportElement mode="Opaque" x="0" y="0" width="555"'
        ' height="20" backcolor="#355E7E"/>'
        + "".join(
            f"<staticText>{styled.format('Head', x, w, a)}<text><![CDATA[{t}]]></text></staticText>"
            for t, x, w, a in header
        )
        + '</frame></band></columnHeader><detail><band height="20">'
        + "".join(
            f"<textField {more}>{styled.format('Row', x, w, a)}"
            f"<textFieldExpression><![CDATA[$F{{{name}}}]]></textFieldExpression></textField>"
            for (name, more), (_, x, w, a) in zip(fields, header, strict=True)
        )
        + '</band></detail><pageFooter><band height="24">'
        '<line><reportElement x="0" y="2" width="555" height="1"/></line>'
        + text("textField", "", 455, 6, 100, 14, '"Page " + $V{PAGE_NUMBER}', '<textElement textAlignment="Right"/>')
        + "</band></pageFooter></jasperReport>"
    ).encode()


SLIP_ROWS = Data(
    parameters={"customer": "Mill & Co"},
    rows=[
        {"item": "Lamp", "quantity": 4, "price": 12.5, "amount": 50.0},
        {"item": "Board", "quantity": 10, "price": 130.25, "amount": 1302.5},
        {"item": "Paper", "quantity": None, "price": None, "amount": None},
    ],
)
ORDERS_ROWS = Data(
    rows=[
        {"region": "North", "customer": "Mill", "ordered": "2026-05-02", "quantity": 3, "amount": 100.5},
        {"region": "South", "customer": "Quay", "ordered": "2026-05-04", "quantity": 5, "amount": 400.0},
        {"region": "North", "customer": "Alder", "ordered": "2026-05-03", "quantity": 2, "amount": 49.5},
    ]
)


def edited(template: bytes, *edits: AnyEdit) -> Editor:
    """The template after the edits, all of which took effect; it is as sound as it was."""
    editor = Editor(template)
    for outcome in editor.carry_out(edits):
        assert outcome.changed, outcome
    assert complaints(editor.bytes()) == complaints(template)
    return editor


def refused(template: bytes, edit: AnyEdit) -> EditOutcome:
    """What became of an edit that changes nothing at all."""
    editor = Editor(template)
    unchanged = Editor(template).bytes()
    (outcome,) = editor.carry_out([edit])
    assert not outcome.changed
    assert editor.bytes() == unchanged
    assert outcome.reason and outcome.reason.en and outcome.reason.zh
    return outcome


def complaints(template: bytes) -> set[str]:
    """What the validator's checks before the engine say, but for fields that nothing shows any more."""
    found, findings = parse_template(template)
    if found is not None:
        findings = findings + structure.check(found.template) + schema.check(found.template)
    return {finding.message for finding in findings if finding.code != "structure.unused"}


def band(editor: Editor, section: str) -> list[tuple[str, int, int]]:
    """(words, left, right) of the texts of a section, from left to right, frames seen through."""
    found = []
    for name, node in editor.bands():
        if name == section:
            for one in editor.elements():
                if node in one.iterancestors() and content_of(one):
                    x = sum(int(report_element(up).get("x")) for up in one.iterancestors("{*}frame"))
                    left = x + int(report_element(one).get("x"))
                    found.append((content_of(one), left, left + int(report_element(one).get("width"))))
    return sorted(found, key=lambda item: item[1])


def place(editor: Editor, name: str) -> tuple[int, int, int, int]:
    """x, y, width, height of an element."""
    node = editor.element(name)
    assert node is not None
    report = report_element(node)
    x, y, width, height = (int(report.get(key)) for key in ("x", "y", "width", "height"))
    return x, y, width, height


def printed(engine: ReportEngine, template: bytes, data: Data) -> list[str]:
    """The texts that the engine prints, from the top of the page down, none of them cut."""
    printout = engine.print(template, data, pages=0)
    assert not [one.text for one in printout.elements if one.cut]
    texts = [one for one in printout.elements if one.text and one.text.strip()]
    return [one.text or "" for one in sorted(texts, key=lambda one: (round(one.box.y), one.box.x))]
