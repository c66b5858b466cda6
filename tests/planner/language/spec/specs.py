"""The labelled specs, and what a reading of one has wrong."""

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
    """What was read otherwise than it was meant; nothing where all is right."""
    try:
        spec = spec_of(meant["text"], language_of(meant["text"]))
    except TerminalError:
        return [] if meant.get("refused") else ["refused"]
    if meant.get("refused"):
        return ["not refused"]
    said = _said(spec)
    if "least" in meant:  # a kind of report by its name: its columns are its own affair
        names = {column.name or meaning(column.label).name for column in spec.columns}
        missing = set(meant["least"]) - names
        said = {name: said[name] for name in ("group", "orientation")}
        return ([f"without {missing}"] if missing else []) + _differences(said, meant)
    return _differences(said, meant)


def _said(spec: ReportSpec) -> dict[str, Any]:
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


_ALWAYS: dict[str, Any] = {"totals": [], "computed": [], "group": [], "sort": [], "orientation": "auto", "count": False}
"""What is held against a spec that says nothing of it."""


def _differences(said: dict[str, Any], meant: dict[str, Any]) -> list[str]:
    expected = {**_ALWAYS, **meant}
    return [f"{name}: {said[name]}" for name in said if name in expected and said[name] != expected[name]]
