"""Edits change what they name, and nothing else."""

import pytest
from lxml import etree

from bandsmith.services.generator.planning import plan
from bandsmith.services.generator.refinement.windows import MAX_WINDOW_CHARS, windows, xml_of
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.rename_field import RenameField
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_property import PROPERTIES, SetProperty
from bandsmith.shared.edits.set_report import SetReport
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.errors import BadInput
from bandsmith.shared.jrxml.dom import report_element
from bandsmith.shared.jrxml.writer import build_jrxml

from .forms import Form, blank, complaints, invoice


@pytest.fixture
def template() -> bytes:
    return build_jrxml(plan(invoice().layout(), blank(), "invoice")[0])


def changed_lines(before: bytes, after: bytes) -> list[str]:
    old = before.decode().splitlines()
    return [line.strip() for line in after.decode().splitlines() if line not in old]


@pytest.mark.parametrize(
    ("edit", "seen"),
    [
        (Move(element="block1", x=7), 'x="7"'),
        (Resize(element="block1", height=33), 'height="33"'),
        (SetText(element="block1", text="Bill & <more>"), "<text><![CDATA[Bill & <more>]]></text>"),
        (SetExpression(element="block3", expression="$P{value_1}.trim()"), "$P{value_1}.trim()"),
        (SetReport(name="topMargin", value="9"), 'topMargin="9"'),
        (ResizeBand(band="summary", height=77), 'height="77"'),
        (Declare(scope="parameter", name="more"), '<parameter name="more"'),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_an_edit_changes_one_line(template: bytes, edit: AnyEdit, seen: str) -> None:
    editor = Editor(template)
    assert editor.apply([edit]) == 1
    lines = changed_lines(template, editor.bytes())
    assert len(lines) == 1 and seen in lines[0]


def test_every_property_can_be_set_and_follows_the_schema(template: bytes) -> None:
    editor = Editor(template)
    values = {
        "forecolor": "#112233", "backcolor": "#FFFFFF", "mode": "Opaque", "positionType": "Float",
        "stretchType": "NoStretch", "isRemoveLineWhenBlank": "true", "printWhenExpression": "$V{REPORT_COUNT} > 1",
        "textAlignment": "Center", "verticalAlignment": "Bottom", "fontName": "DejaVu Sans", "fontSize": "9.5",
        "isBold": "true", "isItalic": "true", "isUnderline": "true", "pattern": "#,##0", "isBlankWhenNull": "false",
        "textAdjust": "StretchHeight",
        "evaluationTime": "Report",
    }  # fmt: skip
    values |= {name: "2" for name in PROPERTIES if name.endswith("Padding") or name.endswith("Pen.lineWidth")}
    values |= {name: "#445566" for name in PROPERTIES if name.endswith("Pen.lineColor")}
    for name, value in values.items():
        assert editor.apply([SetProperty(element="block3", name=name, value=value)]) == 1, name
    assert complaints(editor.bytes()) == []
    assert set(PROPERTIES) - set(values) == {"radius", "scaleImage", "lineWidth", "lineColor", "lineStyle"}


@pytest.mark.parametrize(
    "edit",
    [
        Move(element="unknown", x=1),
        Move(element="block1", x=-4),
        SetProperty(element="block1", name="onErrorType", value="Blank"),
        SetProperty(element="block1", name="forecolor", value='red" evil="1'),
        SetProperty(element="block1", name="radius", value="3"),
        SetText(element="block3", text="a field is no static text"),
        SetReport(name="language", value="groovy"),
        RenameField(scope="parameter", name="value_1", to="value_2"),
        Declare(scope="field", name="column_1"),
        Delete(element="unknown"),
    ],
    ids=lambda edit: f"{type(edit).__name__}",
)
def test_an_impossible_edit_changes_nothing(template: bytes, edit: AnyEdit) -> None:
    editor = Editor(template)
    assert editor.apply([edit]) == 0
    assert editor.bytes() == template


def test_a_field_is_renamed_wherever_it_is_used(template: bytes) -> None:
    editor = Editor(template)
    rename = RenameField(
        scope="field", name="column_3", to="amount", java_class="java.math.BigDecimal", pattern="#,##0.00"
    )
    assert editor.apply([rename]) == 1
    text = editor.bytes().decode()
    assert "column_3" not in text
    assert '<field name="amount" class="java.math.BigDecimal"/>' in text
    assert 'pattern="#,##0.00"' in text and "<![CDATA[$F{amount}]]>" in text


def test_deleting_an_element_leaves_the_others(template: bytes) -> None:
    editor = Editor(template)
    before = [report_element(node).get("key") for node in editor.elements()]
    editor.apply([Delete(element="block2")])
    after = [report_element(node).get("key") for node in editor.elements()]
    assert after == [key for key in before if key != "block2"]


def test_a_template_with_an_entity_is_refused() -> None:
    with pytest.raises(BadInput):
        Editor(b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><x>&e;</x>')


def test_windows_hold_every_element_once_within_their_size() -> None:
    form = Form()
    for n in range(40):
        form.text(f"Line {n}", 30 + 150 * (n % 2), 20 + 6 * n)
    editor = Editor(build_jrxml(plan(form.layout(), blank(), "long")[0]))
    parts = windows(editor)
    keys = [key for part in parts for key in part.keys]
    assert keys == [report_element(node).get("key") for node in editor.elements()]
    assert len(parts) > 1
    for part in parts:
        nodes = [editor.element(key) for key in part.keys]
        assert sum(len(xml_of(node)) for node in nodes if isinstance(node, etree._Element)) <= MAX_WINDOW_CHARS
