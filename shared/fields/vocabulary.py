"""Vocabulary: common business wording in both languages, and the field name that each stands for."""

from __future__ import annotations

import tomllib
from pathlib import Path

_FILE = tomllib.loads(Path(__file__).with_name("terms.toml").read_text(encoding="utf-8"))
_COLUMN = _FILE.pop("column")


def _by_wording(names: dict[str, list[str]]) -> dict[str, str]:
    return {wording: name for name, wordings in names.items() for wording in wordings}


TERMS = _by_wording(_FILE)
"""Field names by wording, in lower case."""
COLUMN_TERMS = TERMS | _by_wording(_COLUMN)
"""The same for column headers, where some wording means something else."""
