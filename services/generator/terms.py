"""Terms: common business wording, and the field name that each stands for."""

from __future__ import annotations

import tomllib
from pathlib import Path

TERMS: dict[str, str] = {
    wording: name
    for name, wordings in tomllib.loads(Path(__file__).with_name("terms.toml").read_text(encoding="utf-8")).items()
    for wording in wordings
}
"""The field name of each wording, which is in lower case."""
