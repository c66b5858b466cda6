"""The templates that the manual shows are what a build makes of their forms today."""

from __future__ import annotations

from pathlib import Path

import pytest

from bandsmith.local import local
from bandsmith.shared import xml
from bandsmith.shared.jrxml.dom import J
from samples.filled import DOCS, FORMS, built


@pytest.mark.parametrize("name", FORMS)
def test_a_shown_template_has_readable_names_and_styles(name: str) -> None:
    root = xml.parse((DOCS / f"filled-{name}.jrxml").read_bytes())
    keys = [node.get("key") or "" for node in root.iter(f"{J}reportElement")]

    assert not [key for key in keys if key.startswith(("b-line", "fill", "rule")) or not key]
    assert not list(root.iter(f"{J}font"))


@pytest.mark.slow  # three pages are read
async def test_the_shown_templates_are_fresh(tmp_path: Path) -> None:
    async with local() as bus:
        for name in FORMS:
            files = await built(bus, name, tmp_path)
            kept = (DOCS / f"filled-{name}.jrxml").read_bytes()
            assert files["report.jrxml"] == kept, f"docs/filled-{name}.jrxml is stale: run `python -m samples.filled`"
