"""Give fields the names that the user has defined for their labels, in reports from words and from forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.rename_field import RenameField
from bandsmith.shared.fields.identifiers import unique_name
from bandsmith.shared.fields.known_fields import definition_of
from bandsmith.shared.fields.value_types import STRING
from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.model.knowledge import FieldDefinition
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.spec import Column, ReportSpec


def name_known_columns(spec: ReportSpec, definitions: Sequence[FieldDefinition]) -> ReportSpec:
    """Return the spec with the defined names and patterns of its columns and of the fields above the table."""
    columns = [_named(column, definition_of(column.label, definitions)) for column in spec.columns]
    fields = [
        field.model_copy(update={"name": known.name}) if (known := definition_of(field.label, definitions)) else field
        for field in spec.header_fields
    ]
    return spec.model_copy(update={"columns": columns, "header_fields": fields})


def _named(column: Column, known: FieldDefinition | None) -> Column:
    if known is None or column.computed is not None:
        return column
    pattern = known.pattern if column.type != "text" else None
    return column.model_copy(update={"name": known.name, "pattern": pattern or column.pattern})


def rename_known_fields(
    editor: Editor, data: Data, labels: Mapping[str, str], definitions: Sequence[FieldDefinition]
) -> tuple[Data, dict[str, str]]:
    """Rename the fields of a form; `labels` has their labels by name. Returns the data, and new names by old."""
    renamed: dict[str, dict[str, str]] = {"parameter": {}, "field": {}}
    edits: list[AnyEdit] = []
    for scope, new_names in renamed.items():
        classes = {node.get("name") or "": node.get("class") or STRING for node in editor.root.findall(f"{J}{scope}")}
        taken = set(classes)
        for name, java_class in classes.items():
            known = definition_of(labels.get(name, ""), definitions) if labels.get(name) else None
            new = unique_name(known.name, taken - {name}) if known else name
            if known is None or new == name:
                continue
            taken = taken - {name} | {new}
            new_names[name] = new
            pattern = known.pattern if java_class != STRING else None
            edits.append(RenameField.model_validate({"scope": scope, "name": name, "to": new, "pattern": pattern}))
    editor.apply(edits)
    parameters = {renamed["parameter"].get(name, name): value for name, value in data.parameters.items()}
    rows = [{renamed["field"].get(name, name): value for name, value in row.items()} for row in data.rows]
    return data.model_copy(update={"parameters": parameters, "rows": rows}), renamed["parameter"] | renamed["field"]
