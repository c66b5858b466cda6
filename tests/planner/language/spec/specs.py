"""Labelled requests for reports, and the differences of a reading from its labels."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bandsmith.services.planner.language.spec.rule_reader import read
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.language import Language, language_of
from bandsmith.shared.model.spec import ReportSpec

CASES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("specs.toml").read_text(encoding="utf-8")
)


def spec_of(text: str, language: Language, texts: Sequence[str] = ()) -> ReportSpec:
    return read(text, language, texts).spec


def wrong(meant: dict[str, Any]) -> list[str]:
    """Return what was read differently from its labels; an empty list where all is right."""
    try:
        spec = spec_of(meant["text"], language_of(meant["text"]))
    except TerminalError:
        return [] if meant.get("refused") else ["refused"]
    if meant.get("refused"):
        return ["not refused"]
    actual = _properties(spec)
    if "least" in meant:  # a standard report: only some of its columns are labelled
        names = {column.name or meaning(column.label).name for column in spec.columns}
        missing = set(meant["least"]) - names
        actual = {name: actual[name] for name in ("group", "orientation")}
        return ([f"without {missing}"] if missing else []) + _differences(actual, meant)
    return _differences(actual, meant)


def _properties(spec: ReportSpec) -> dict[str, Any]:
    return {
        "columns": [column.label.casefold() for column in spec.columns],
        "totals": [column.label.casefold() for column in spec.columns if column.total in ("sum", "average")],
        "computed": [column.label.casefold() for column in spec.columns if column.computed],
        "group": [label.casefold() for label in spec.group_by],
        "sort": [sort.column.casefold() for sort in spec.sort],
        "orientation": spec.page.orientation,
        "header": [field.label.casefold() for field in spec.header_fields],
        "title": spec.title,
        "footer": spec.footer,
        "count": any(column.total == "count" for column in spec.columns),
    }


_DEFAULTS: dict[str, Any] = {
    "totals": [],
    "computed": [],
    "group": [],
    "sort": [],
    "orientation": "auto",
    "count": False,
}
"""Expected where a label is missing."""


def _differences(actual: dict[str, Any], meant: dict[str, Any]) -> list[str]:
    expected = {**_DEFAULTS, **meant}
    return [f"{name}: {actual[name]}" for name in actual if name in expected and actual[name] != expected[name]]
