"""Write the generated parts of the documentation: ``python -m tools.docs``. A test fails when they are stale.

Generated are docs/asyncapi.yaml, in Markdown each part between ``<!-- name -->`` and ``<!-- /name -->``, and in the
configuration of NATS the answers that each user may publish.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path

from pydantic_core import PydanticUndefined
from pydantic_settings import BaseSettings

import bandsmith.shared.settings  # noqa: F401 - its groups of settings are found once they are imported
from bandsmith import asyncapi
from bandsmith.services.gateway import workflow_docs
from bandsmith.shared.events import COMMANDS, StageFailed

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
FOLDER = ROOT / "docs"
ASYNCAPI = FOLDER / "asyncapi.yaml"
GUIDE = FOLDER / "integration.md"
BENCHMARKS = FOLDER / "benchmarks.md"
"""Its parts are measurements, which the benchmarks write."""
SETTINGS = FOLDER / "settings.md"
WORKFLOW = FOLDER / "workflow.md"
USERS = ROOT / "k8s" / "base" / "users.conf"
ANSWERING: dict[str, set[str]] = {"worker": {"ocr", "planner", "generator"}, "engine": {"validator"}}
"""The services whose commands a NATS user answers."""
NOT_OFFERED = ("$JS.API.STREAM.CREATE.", "$JS.API.CONSUMER.DURABLE.CREATE.")
"""Requests that a user may send and that only the gateway and operators have answered: so it learns it at once."""


def put(text: str, name: str, content: str) -> str:
    """Return `text` with the part `name` replaced. Raises ``KeyError`` when there is no such part."""
    part = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    if not part.search(text):
        raise KeyError(name)
    return part.sub(lambda match: f"{match[1]}\n{content}\n\n{match[2]}", text)


def settings() -> str:
    """Return the table of all settings. Raises ``ValueError`` for a setting without a description."""
    lines = ["| variable | default | meaning |", "|---|---|---|"]
    for group in _groups():
        for name, field in group.model_fields.items():
            if not field.description:
                raise ValueError(f"{group.__name__}.{name} has no docstring (or its class no use_attribute_docstrings)")
            plain = f"{group.model_config['env_prefix']}{name}".upper()
            variable = "` or `".join(getattr(field.validation_alias, "choices", [plain]))
            default = f"`{field.default}`" if field.default not in {None, "", PydanticUndefined} else ""
            lines.append(f"| `{variable}` | {default} | {' '.join(field.description.split())} |")
    return "\n".join(lines)


def _groups() -> list[type[BaseSettings]]:
    """Return every class of settings in the project; those of the services are imported first."""
    for file in sorted((ROOT / "services").rglob("settings.py")):
        importlib.import_module(".".join(("bandsmith", *file.relative_to(ROOT).with_suffix("").parts)))
    groups, ahead = [], [BaseSettings]
    while ahead:
        ahead += (subclasses := ahead.pop().__subclasses__())
        groups += [group for group in subclasses if group.__module__.startswith("bandsmith.")]
    return sorted(groups, key=lambda group: (group.__module__, group.__name__))


PARTS: dict[Path, dict[str, Callable[[], str]]] = {
    SETTINGS: {"settings": settings},
    WORKFLOW: {"flow": workflow_docs.diagram, "routes": workflow_docs.table},
}
"""The generated parts of each page, by name."""


def fresh(page: Path) -> str:
    """Return a page with all its generated parts up to date."""
    text = page.read_text(encoding="utf-8")
    for name, make in PARTS[page].items():
        text = put(text, name, make())
    return text


def guide(text: str) -> str:
    """Return the guide to integration with its examples up to date: they are the files that the tests run."""
    for name in re.findall(r"<!-- (examples/\S+) -->", text):
        suffix, code = Path(name).suffix[1:], (ROOT / name).read_text(encoding="utf-8").strip()
        text = put(text, name, f"```{suffix}\n{code}\n```")
    return text


def users(text: str) -> str:
    """Return the configuration of NATS's users in which each may publish the answers of its own services only.

    What a user may publish and subscribe to, its account imports, except for its inboxes and what it only asks for.
    """
    for user, services in ANSWERING.items():
        kinds = {kind for command in COMMANDS.values() if command.service in services for kind in command.answers}
        lines = "".join(f'          "evt.v1.*.work.{kind}"\n' for kind in sorted({*kinds, StageFailed.kind()}))
        part = re.compile(rf"( +# answers of {user}\n).*?( +# end of answers\n)", re.DOTALL)
        text = part.sub(rf"\g<1>{lines}\g<2>", text)
    return re.sub(
        r"( +)# imports of (\w+)\n.*?( +# end of imports\n)", lambda found: _imports(text, found), text, flags=re.S
    )


def _imports(text: str, found: re.Match[str]) -> str:
    """Return the imports of the account of one user, as its permissions say."""
    indent, user, end = found.groups()
    granted = re.sub(r"\s# .*", "", text.partition(f"user: {user},")[2].partition("imports: [")[0])
    published, _, subscribed = granted.partition("subscribe: [")
    lines = [f"{indent}# imports of {user}\n"]
    for kind, subjects in ("service", published), ("stream", subscribed):
        for subject in re.findall(r'"([^"]+)"', subjects):
            if not subject.startswith(("_INBOX", *NOT_OFFERED)):
                lines.append(f'{indent}{{ {kind}: {{ account: BANDSMITH, subject: "{subject}" }} }}\n')
    return "".join([*lines, end])


if __name__ == "__main__":
    USERS.write_text(users(USERS.read_text(encoding="utf-8")), encoding="utf-8")
    for path in PARTS:
        path.write_text(fresh(path), encoding="utf-8")
    GUIDE.write_text(guide(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
    ASYNCAPI.write_text(asyncapi.as_yaml(), encoding="utf-8")
