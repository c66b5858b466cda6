"""Fields that the user has defined: their names in reports from words and from forms."""

from __future__ import annotations

from bandsmith.services.generator.known_fields import name_known_columns, rename_known_fields
from bandsmith.services.generator.spec import build_spec
from bandsmith.shared.editing import Editor
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.knowledge import FieldDefinition
from bandsmith.shared.model.spec import Column, HeaderField, ReportSpec

KNOWN = [
    FieldDefinition(label="单价", name="my_price", pattern="#,##0.000"),
    FieldDefinition(label="Customer", name="client"),
]
SPEC = ReportSpec(
    title="销售表",
    columns=[Column(label="商品"), Column(label="单价", type="money"), Column(label="Customers")],
    header_fields=[HeaderField(label="customer：")],
    language="zh",
)


def test_columns_of_a_description_get_the_names_that_were_defined():
    spec = name_known_columns(SPEC, KNOWN)
    assert [column.name for column in spec.columns] == [None, "my_price", "client"]
    assert spec.columns[1].pattern == "#,##0.000" and spec.header_fields[0].name == "client"
    plan, data = build_spec(spec, "sales")
    assert "my_price" in data.rows[0] and any(field.name == "my_price" for field in plan.fields)


def test_fields_of_a_form_get_the_names_that_were_defined():
    plan, data = build_spec(SPEC, "sales")
    editor = Editor(build_jrxml(plan))
    old = next(field.name for field in plan.fields if field.label == "单价" or "price" in field.name)
    renamed, names = rename_known_fields(editor, data, {old: "单价"}, KNOWN)
    assert names == {old: "my_price"} and "my_price" in renamed.rows[0] and old not in renamed.rows[0]
    assert b'name="my_price"' in editor.bytes() and b"$F{my_price}" in editor.bytes()
