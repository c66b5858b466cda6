"""Writes what in the documents comes from the code: `python -m tools.docs`. A test fails when it is stale.

That is docs/asyncapi.yaml, and in Markdown each part between ``<!-- name -->`` and ``<!-- /name -->``.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from pydantic_core import PydanticUndefined
from pydantic_settings import BaseSettings

import bandsmith.shared.settings  # noqa: F401 - its settings are found by being loaded
from bandsmith import asyncapi
from bandsmith.services.gateway import workflow_docs

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
GUIDE = ROOT / "docs" / "integration.md"
ASYNCAPI = ROOT / "docs" / "asyncapi.yaml"


def put(text: str, name: str, content: str) -> str:
    """`text` with its part `name` replaced. Raises ``KeyError`` when it has no such part."""
    part = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    if not part.search(text):
        raise KeyError(name)
    return part.sub(lambda found: f"{found[1]}\n{content}\n\n{found[2]}", text)


def settings() -> str:
    """Every setting there is, as a table. Raises ``ValueError`` for one that says nothing of itself."""
    lines = ["| variable | default | meaning |", "|---|---|---|"]
    for group in _groups():
        for name, field in group.model_fields.items():
            if not field.description:
                raise ValueError(f"{group.__name__}.{name} has no docstring (or its class no use_attribute_docstrings)")
            plain = f"{group.model_config['env_prefix']}{name}".upper()
            variable = "` or `".join(getattr(field.validation_alias, "choices", [plain]))
            default = f"`{field.default}`" if field.default not in {None, PydanticUndefined} else ""
            lines.append(f"| `{variable}` | {default} | {' '.join(field.description.split())} |")
    return "\n".join(lines)


def _groups() -> list[type[BaseSettings]]:
    for file in sorted((README.parent / "services").rglob("settings.py")):
        importlib.import_module(".".join(("bandsmith", *file.relative_to(README.parent).with_suffix("").parts)))
    found, ahead = [], [BaseSettings]
    while ahead:
        ahead += (below := ahead.pop().__subclasses__())
        found += [group for group in below if group.__module__.startswith("bandsmith.")]
    return sorted(found, key=lambda group: (group.__module__, group.__name__))


def fresh(text: str) -> str:
    """The README as it should be."""
    for name, content in (
        ("flow", workflow_docs.diagram()),
        ("routes", workflow_docs.table()),
        ("settings", settings()),
    ):
        text = put(text, name, content)
    return text


def guide(text: str) -> str:
    """The guide to integration as it should be: its examples are those that are run."""
    for name in re.findall(r"<!-- (examples/\S+) -->", text):
        suffix, code = Path(name).suffix[1:], (ROOT / name).read_text(encoding="utf-8").strip()
        text = put(text, name, f"```{suffix}\n{code}\n```")
    return text


if __name__ == "__main__":
    README.write_text(fresh(README.read_text(encoding="utf-8")), encoding="utf-8")
    GUIDE.write_text(guide(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
    ASYNCAPI.write_text(asyncapi.as_yaml(), encoding="utf-8")
