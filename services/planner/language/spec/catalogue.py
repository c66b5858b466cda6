"""Catalogue: what a report usually holds that is asked for by its name alone."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.language import Language
from bandsmith.shared.model.spec import Column, Computed, HeaderField

_FILE: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("catalogue.toml").read_text(encoding="utf-8")
)["kind"]  # fmt: skip


@dataclass(frozen=True)
class StandardReport:
    """One kind of report in one language."""

    title: str
    columns: tuple[Column, ...]
    head: tuple[HeaderField, ...]
    footer: str | None
    is_document: bool
    """It goes to one receiver, and so always has its head."""


def standard_of(text: str, language: Language) -> StandardReport | None:
    """The kind of report that a text names: by the longest of its names, the last of equals."""
    best: tuple[int, int, dict[str, Any]] | None = None
    for kind in _FILE:
        for name in (*kind["en"], *kind["zh"]):
            at = _last(name, text, kind.get("document", False))
            if at >= 0 and (best is None or (len(name), at) > best[:2]):
                best = len(name), at, kind
    return _standard(best[2], language) if best else None


def _last(name: str, text: str, one: bool) -> int:
    """Where a name was said last; that of `one` document is not said of many."""
    if not name.isascii():
        return text.rfind(name)
    found = list(re.finditer(rf"\b{re.escape(name)}{'' if one else 's?'}\b", text, re.IGNORECASE))
    return found[-1].start() if found else -1


def _standard(kind: dict[str, Any], language: Language) -> StandardReport:
    said = kind["of"][language]
    names: dict[str, str] = said.get("names", {})
    target, _, formula = said.get("formula", "").partition(" = ")
    columns = []
    for entry in said["columns"]:
        label = entry.removesuffix("+")
        operands = re.split(r" [-*] ", formula) if label == target else []
        columns.append(
            Column(
                label=label,
                name=names.get(label),
                type=meaning(label).kind,
                total="sum" if entry.endswith("+") else "none",
                computed=Computed(operator="*" if "*" in formula else "-", operands=operands) if operands else None,
            )
        )
    head = tuple(
        HeaderField(label=label, name=names.get(label), type=meaning(label).kind) for label in said.get("head", [])
    )
    return StandardReport(said["title"], tuple(columns), head, said.get("footer"), kind.get("document", False))
