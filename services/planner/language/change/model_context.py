"""What a model gets to know of a report before it is asked about a sentence."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any

from bandsmith.shared.actor import Store
from bandsmith.shared.editing import Editor
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import ClassifyIntent, ReadChange
from bandsmith.shared.jrxml.column_widths import cell_classes, min_width
from bandsmith.shared.jrxml.declarations import STRING_CLASS
from bandsmith.shared.jrxml.dom import content_of, local_name
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.expressions import sole_reference
from bandsmith.shared.jrxml.outline import outline
from bandsmith.shared.jrxml.refusals import EditRefused
from bandsmith.shared.jrxml.sensitive import prints_sensitive, sensitive_references
from bandsmith.shared.jrxml.tables import RowColumn, main_table
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.session_parts import HistoryEntry, Version
from bandsmith.shared.sources import is_sensitive

from ..template_view import TemplateView
from .printed_values import printed_values

MAX_OUTLINE_TOKENS = 3_000
"""Size of the template's outline in a prompt."""
MAX_COLUMNS, MAX_MEASURED_ROWS = 30, 100
"""Columns whose widths are in a prompt, and rows whose values are measured for them."""
MAX_HISTORY_ENTRIES, MAX_ENTRY_CHARS = 8, 600
"""Entries of the history in a prompt, besides its summary, and characters of each."""
MAX_SUMMARY_CHARS = 4_000
MAX_REQUEST_CHARS = 100
"""Characters of what was asked of a version."""
MAX_CHANGE_CHARS = 3_000
"""Characters of the last change's edits."""


async def report_context(store: Store, command: ClassifyIntent | ReadChange) -> dict[str, Any]:
    """Return the values of a prompt that say how things stand: the report, its data, and what was said and done."""
    template, samples = await _report(store, command)
    return {
        "template": template,
        "samples": samples,
        "history": recent(command.history),
        "last_change": await _last_change(store, command.earlier),
        "failure": command.failure.error if command.failure else "",
    }


def versions(earlier: Sequence[Version]) -> list[str]:
    """Return the last versions that can be restored: their numbers, and what was asked for."""
    return [f"{one.number}: {one.request[:MAX_REQUEST_CHARS] or one.author}" for one in earlier if one.kind == "report"]


def recent(history: Sequence[HistoryEntry]) -> list[dict[str, str]]:
    """Return the summary of the history, if it has one, and its last entries."""
    summaries = [entry for entry in history[:-MAX_HISTORY_ENTRIES] if entry.role == "summary"][-1:]
    return [
        {"role": entry.role, "text": entry.text[: MAX_SUMMARY_CHARS if entry.role == "summary" else MAX_ENTRY_CHARS]}
        for entry in [*summaries, *history[-MAX_HISTORY_ENTRIES:]]
    ]


async def _report(store: Store, command: ClassifyIntent | ReadChange) -> tuple[str, str]:
    """Return the template's outline and its sample values; nothing where there is none, or none that can be read."""
    if command.template is None:
        return "", ""
    words = " ".join([command.text, *(remark.text for remark in command.remarks)])
    try:
        content = await store.get(command.template)
        data = Data.model_validate_json(await store.get(command.data)) if command.data else Data()
        return await asyncio.to_thread(_shown, content, data, words[:2_000])
    except BadInput:
        return "", ""


def _shown(template: bytes, data: Data, words: str) -> tuple[str, str]:
    values = printed_values(TemplateView(Editor(template), data), data)
    shown = [outline(template, words, MAX_OUTLINE_TOKENS), *_widths(Draft(template), data)]
    return "\n".join(shown), values


def _widths(draft: Draft, data: Data) -> Iterator[str]:
    """Yield the width of each column and the smallest one that its heading and its values fit on one line."""
    try:
        columns = main_table(draft).columns
    except EditRefused:
        return
    named = [(sorted(one.fields or one.names), one) for one in columns[:MAX_COLUMNS]]
    said = [f"{names[0]} {one.width} (min {_fitting(draft, one, data)})" for names, one in named if names]
    if said:
        yield f"columns, widths in points: {', '.join(said)}"


def _fitting(draft: Draft, column: RowColumn, data: Data) -> int:
    """Return the smallest width of a column; values that no model may see are not measured."""
    cell = column.cell
    alone = sole_reference(content_of(cell), "F") if local_name(cell) == "textField" else None
    width = min_width(draft, column)
    is_hidden = prints_sensitive(cell, sensitive_references(draft.root))
    if alone is None or is_hidden or is_sensitive("", alone[1], frozenset()):
        return width
    style = draft.style_of(cell)
    values = [row.get(alone[1]) for row in data.rows[:MAX_MEASURED_ROWS]]
    widest = max((style.width_of(value) for value in values if isinstance(value, str)), default=0)
    is_text = cell_classes(draft, cell) == {STRING_CLASS}
    return min(column.width, max(width, widest)) if is_text else width


async def _last_change(store: Store, earlier: Sequence[Version]) -> str:
    """Return what the last change was asked to do, and its edits."""
    last = earlier[-1] if earlier else None
    if last is None or last.edits is None:
        return ""
    edits = compact(json.loads(await store.get(last.edits)))
    shown = json.dumps(edits, ensure_ascii=False)[:MAX_CHANGE_CHARS]
    return f"version {last.number}, {last.request!r}: {shown}"


def compact(edits: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return edits as a model writes them: without empty fields, and those of several elements in one."""
    shown: list[dict[str, Any]] = []
    for edit in edits:
        said = {name: value for name, value in edit.items() if value is not None}
        element, others = said.get("element"), {name: value for name, value in said.items() if name != "element"}
        same = next((one for one in shown if element and others == _but_element(one)), None)
        if same is None:
            shown.append(said)
        else:
            known = same["element"]
            same["element"] = [*(known if isinstance(known, list) else [known]), element]
    return shown


def _but_element(edit: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in edit.items() if name != "element"} if "element" in edit else {}
