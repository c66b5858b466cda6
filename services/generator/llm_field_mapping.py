"""Field mapping by a model: better names for a form's fields, and totals that are sums of a column."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.rename_field import RenameField
from bandsmith.shared.fields.identifiers import unique_name
from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.finishing import finish
from bandsmith.shared.llm import Allowance, Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers.report import SkeletonAnswer
from bandsmith.shared.model.knowledge import FieldDefinition
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data

from .detect_totals import replace_totals
from .field_mapping import LOCALE, name_and_type_fields
from .group_totals import finish_groups
from .known_fields import rename_known_fields
from .proven_formulas import compute_what_is_proven

MAX_FIELDS = 150
"""Fields that a model is shown,"""
MAX_VALUES, MAX_VALUE_CHARS = 3, 60
"""values of each, and characters of each value."""
PNG_IN_BASE64 = "iVBORw0KGgo"
"""How the value of a picture begins."""
MAX_WORDING_CHARS = 6_000
"""Characters of the form's wording that a model is shown."""


async def map_form(
    template: bytes,
    data: Data,
    layout: Layout,
    model: Model | None,
    allowance: Allowance,
    known_fields: Sequence[FieldDefinition] = (),
) -> tuple[bytes, Data, Usage]:
    """Return the template and data with names, types and totals, by rules and by one call of the model if there is one.

    Names that the user has defined before win. A name of no field and a total that the form's numbers do not prove are
    ignored.
    """
    editor, data, labels, unlabelled = name_and_type_fields(template, data, layout)
    usage, totals = Usage(), {}
    if model is not None and allowance.calls and (data.parameters or data.rows):
        try:
            answer, usage = await ask(
                model, "skeleton_generation", _prompt_values(data, labels, layout), SkeletonAnswer, allowance=allowance
            )
        except ModelFailed as failed:
            usage = failed.usage
        else:
            data, renamed = _rename_fields(editor, data, answer.names)
            labels = {renamed.get(name, name): label for name, label in labels.items()}
            totals = {
                renamed.get(name, name): renamed.get(column, column) for name, column in answer.totals.items()
            }  # fmt: skip
    data, known = rename_known_fields(editor, data, labels, known_fields)
    totals = {known.get(name, name): known.get(column, column) for name, column in totals.items()}
    unlabelled = {known.get(name, name) for name in unlabelled}
    data = finish_groups(editor, data)
    data = replace_totals(editor, data, totals, unlabelled)
    data = compute_what_is_proven(editor, data, {known.get(name, name): label for name, label in labels.items()})
    # A remark on the form is about what was made from its mark.
    return finish(editor.root, layout.blocks, keep_sources=bool(layout.remarks)), data, usage


def _prompt_values(data: Data, labels: dict[str, str], layout: Layout) -> dict[str, object]:
    """The fields with their labels and a few values, and the form's fixed wording."""
    fields: list[dict[str, Any]] = [
        {"placeholder": name, "label": labels.get(name, ""), "values": [_shortened(value)], "row": False}
        for name, value in data.parameters.items()
        if name != LOCALE
    ]
    for name in data.rows[0] if data.rows else {}:
        values = [_shortened(row.get(name)) for row in data.rows[:MAX_VALUES]]
        fields.append({"placeholder": name, "label": labels.get(name, ""), "values": values, "row": True})
    wording = sorted((block.box.y, block.text) for block in layout.blocks if block.role == "fixed")
    return {
        "fields": json.dumps(fields[:MAX_FIELDS], ensure_ascii=False),
        "texts": json.dumps([text for _, text in wording], ensure_ascii=False)[:MAX_WORDING_CHARS],
    }


def _shortened(value: object) -> str:
    if str(value).startswith(PNG_IN_BASE64):
        return "(picture)"
    return str("" if value is None else value)[:MAX_VALUE_CHARS]


def _rename_fields(editor: Editor, data: Data, names: dict[str, str]) -> tuple[Data, dict[str, str]]:
    """Apply a model's names to the fields that exist. Returns the data by the new names, and new names by old."""
    declared = {
        scope: {node.get("name") or "" for node in editor.root.findall(f"{J}{scope}")}
        for scope in ("parameter", "field")
    }
    renamed: dict[str, str] = {}
    edits: list[AnyEdit] = []
    for name, wanted in names.items():
        scopes = [scope for scope, known in declared.items() if name in known]
        if len(scopes) != 1 or name == LOCALE:  # unknown or ambiguous
            continue
        (scope,) = scopes
        new = unique_name(wanted.lower(), declared[scope] - {name})
        if new == name:
            continue
        declared[scope] = declared[scope] - {name} | {new}
        renamed[name] = new
        edits.append(RenameField.model_validate({"scope": scope, "name": name, "to": new}))
    editor.apply(edits)
    parameters = {renamed.get(name, name): value for name, value in data.parameters.items()}
    rows = [{renamed.get(name, name): value for name, value in row.items()} for row in data.rows]
    return data.model_copy(update={"parameters": parameters, "rows": rows}), renamed
