"""Judging: what a model makes of a form's fields; names that are better, totals that are sums."""

from __future__ import annotations

import json
from typing import Any

from bandsmith.shared.editing import Editor
from bandsmith.shared.fields.identifiers import unused
from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.llm import Allowance, Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers import SkeletonAnswer
from bandsmith.shared.model.edits import AnyEdit, RenameField
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data

from .detect_totals import summed
from .field_mapping import LOCALE, mapped

MOST_FIELDS, MOST_VALUES, LONGEST_VALUE = 150, 3, 60
LONGEST_TEXTS = 6_000
"""Characters of the form's wording that a model is shown."""


async def map_form(
    template: bytes, data: Data, layout: Layout, model: Model | None, allowance: Allowance
) -> tuple[bytes, Data, Usage]:
    """The template and data with names, types and sums, by rules; and by one call, where a model is there.

    A name or a total that the reply makes up, or that the form's numbers do not prove, is left out.
    """
    editor, data, labels = mapped(template, data, layout)
    usage, totals = Usage(), {}
    if model is not None and allowance.calls and (data.parameters or data.rows):
        try:
            judged, usage = await ask(
                model, "skeleton_generation", _shown(data, labels, layout), SkeletonAnswer, allowance=allowance
            )
        except ModelFailed as failed:
            usage = failed.usage
        else:
            data, renamed = _renamed(editor, data, judged.names)
            totals = {
                renamed.get(name, name): renamed.get(column, column) for name, column in judged.totals.items()
            }  # fmt: skip
    data = summed(editor, data, totals)
    return editor.bytes(), data, usage


def _shown(data: Data, labels: dict[str, str], layout: Layout) -> dict[str, object]:
    """The fields with their labels and a few values, and the form's own wording, as data for a prompt."""
    fields: list[dict[str, Any]] = [
        {"placeholder": name, "label": labels.get(name, ""), "values": [_cut(value)], "row": False}
        for name, value in data.parameters.items()
        if name != LOCALE
    ]
    for name in data.rows[0] if data.rows else {}:
        values = [_cut(row.get(name)) for row in data.rows[:MOST_VALUES]]
        fields.append({"placeholder": name, "label": labels.get(name, ""), "values": values, "row": True})
    fixed = sorted((block.box.y, block.text) for block in layout.blocks if block.role == "fixed")
    return {
        "fields": json.dumps(fields[:MOST_FIELDS], ensure_ascii=False),
        "texts": json.dumps([text for _, text in fixed], ensure_ascii=False)[:LONGEST_TEXTS],
    }


def _cut(value: object) -> str:
    return str("" if value is None else value)[:LONGEST_VALUE]


def _renamed(editor: Editor, data: Data, names: dict[str, str]) -> tuple[Data, dict[str, str]]:
    """The data with the names that a model found, as far as they are real, and what became of each."""
    scopes = {
        scope: {node.get("name") or "" for node in editor.root.findall(f"{J}{scope}")}
        for scope in ("parameter", "field")
    }
    renamed: dict[str, str] = {}
    edits: list[AnyEdit] = []
    for name, wanted in names.items():
        having = [scope for scope, known in scopes.items() if name in known]
        if len(having) != 1 or name == LOCALE:  # made up, or of two things
            continue
        (scope,) = having
        to = unused(wanted.lower(), scopes[scope] - {name})
        if to == name:
            continue
        scopes[scope] = scopes[scope] - {name} | {to}
        renamed[name] = to
        edits.append(RenameField.model_validate({"scope": scope, "name": name, "to": to}))
    editor.apply(edits)
    parameters = {renamed.get(name, name): value for name, value in data.parameters.items()}
    rows = [{renamed.get(name, name): value for name, value in row.items()} for row in data.rows]
    return Data(parameters=parameters, rows=rows), renamed
