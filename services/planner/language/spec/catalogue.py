"""The catalogue of standard reports: what a report usually has that is requested by its name alone."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.language import Language
from bandsmith.shared.model.spec import Column, Computed, HeaderField

_FILE: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("catalogue.toml").read_text(encoding="utf-8")
)["kind"]  # fmt: skip


_NAMES = "|".join(
    [rf"(?<![A-Za-z]){re.escape(name)}s?" for kind in _FILE for name in kind["en"]]
    + [re.escape(name) for kind in _FILE for name in kind["zh"]]
)


@dataclass(frozen=True)
class StandardReport:
    """The usual content of one kind of report in one language."""

    title: str
    columns: tuple[Column, ...]
    head: tuple[HeaderField, ...]
    footer: str | None
    signatures: tuple[str, ...]
    """Who signs it."""
    is_document: bool
    """Whether it goes to one receiver: its header fields are always printed."""


def standard_of(text: str, language: Language) -> StandardReport | None:
    """Return the kind of report that a text names. The longest name wins, and of equally long ones the last."""
    best: tuple[int, int, dict[str, Any]] | None = None
    for kind in _FILE:
        for name in (*kind["en"], *kind["zh"]):
            at = _last_position(name, text, kind.get("document", False))
            if at >= 0 and (best is None or (len(name), at) > best[:2]):
                best = len(name), at, kind
    return _standard(best[2], language) if best else None


@cache
def head_names() -> frozenset[str]:
    """Return the field names of what stands above the tables of documents."""
    documents = [kind for kind in _FILE if kind.get("document", False)]
    labels = (label for kind in documents for content in kind["of"].values() for label in content.get("head", []))
    return frozenset(meaning(label).name for label in labels)


def names_standard(text: str, whole: bool = False) -> bool:
    """Whether a text names a kind of report: at its end, or as the whole of it."""
    ends = rf"{'' if whole else '.*'}(?:{_NAMES})"
    return re.fullmatch(ends, text.strip(), re.IGNORECASE | re.DOTALL) is not None


def _last_position(name: str, text: str, singular: bool) -> int:
    """Return where a name occurs last, or -1. A `singular` name has no plural."""
    if not name.isascii():
        return text.rfind(name)
    occurrences = list(re.finditer(rf"\b{re.escape(name)}{'' if singular else 's?'}\b", text, re.IGNORECASE))
    return occurrences[-1].start() if occurrences else -1


def _standard(kind: dict[str, Any], language: Language) -> StandardReport:
    content = kind["of"][language]
    names: dict[str, str] = content.get("names", {})
    target, _, formula = content.get("formula", "").partition(" = ")
    columns = []
    for entry in content["columns"]:
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
        HeaderField(label=label, name=names.get(label), type=meaning(label).kind) for label in content.get("head", [])
    )
    return StandardReport(
        content["title"],
        tuple(columns),
        head,
        content.get("footer"),
        tuple(content.get("signatures", ())),
        kind.get("document", False),
    )
