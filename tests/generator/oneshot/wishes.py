"""The labelled wishes, and what a reading of one has wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from services.generator.oneshot.kinds import meaning
from services.generator.oneshot.read import read_wish
from shared.errors import TerminalError
from shared.fonts import is_cjk
from shared.model.wish import Wish

WISHES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("wishes.toml").read_text(encoding="utf-8")
)


def language_of(text: str) -> str:
    return "zh" if any(map(is_cjk, text)) else "en"


def wrong(meant: dict[str, Any]) -> list[str]:
    """What was read otherwise than it was meant; nothing where all is right."""
    try:
        wish = read_wish(meant["text"], language_of(meant["text"]))  # type: ignore[arg-type]
    except TerminalError:
        return [] if meant.get("refused") else ["refused"]
    if meant.get("refused"):
        return ["not refused"]
    said = _said(wish)
    if "least" in meant:  # a kind of report by its name: its columns are its own affair
        names = {column.name or meaning(column.label).name for column in wish.columns}
        missing = set(meant["least"]) - names
        said = {name: said[name] for name in ("group", "orientation")}
        return ([f"without {missing}"] if missing else []) + _differences(said, meant)
    return _differences(said, meant)


def _said(wish: Wish) -> dict[str, Any]:
    return {
        "columns": [column.label.casefold() for column in wish.columns],
        "totals": [column.label.casefold() for column in wish.columns if column.total in ("sum", "average")],
        "computed": [column.label.casefold() for column in wish.columns if column.computed],
        "group": [label.casefold() for label in wish.group_by],
        "sort": [sort.column.casefold() for sort in wish.sort],
        "orientation": wish.page.orientation,
        "header": [field.label.casefold() for field in wish.header_fields],
        "title": wish.title,
        "footer": wish.footer,
        "count": any(column.total == "count" for column in wish.columns),
    }


_ALWAYS: dict[str, Any] = {"totals": [], "computed": [], "group": [], "sort": [], "orientation": "auto", "count": False}
"""What is held against a wish that says nothing of it."""


def _differences(said: dict[str, Any], meant: dict[str, Any]) -> list[str]:
    expected = {**_ALWAYS, **meant}
    return [f"{name}: {said[name]}" for name in said if name in expected and said[name] != expected[name]]
