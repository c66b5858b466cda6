"""Which module may import which, and the recipes of CONTRIBUTING: the tests name what was forgotten."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import typing
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bandsmith.local import SERVICES, WIRING
from bandsmith.shared.events import COMMANDS, EVENTS, Command, Service

from .source_trees import ROOT, nodes, parsed, statements, write_modules

OURS = ("shared", "services", "bandsmith")

ONLY: dict[str, tuple[str, ...]] = {
    "nats": ("shared/bus/nats/",),
    "openai": ("shared/llm/openai.py",),
    "ag_ui": ("bandsmith/web/ag_ui.py",),
    "mcp": ("bandsmith/mcp/", "bandsmith/web/mcp*.py", "services/planner/tasks/mcp_client.py"),
    "jpype": ("services/validator/engine/",),
    "milvus_lite": ("services/planner/knowledge/milvus.py",),
    "pymilvus": ("services/planner/knowledge/milvus.py",),
    "ray": ("services/*/app.py", "bandsmith/ray/"),
}
"""Packages that only these folders may import, so that they can be replaced."""

SLOW = {"duckdb", "ortools", "pandas", "pyarrow", "pypinyin", "sqlalchemy", "sqlglot"}
"""Packages that would take most of a service's start, and that few turns need."""


DOORS = (("bandsmith", "web"), ("bandsmith", "mcp"), ("bandsmith", "client.py"))


def modules(folder: Path = ROOT) -> Iterator[Path]:
    for package in OURS:
        yield from sorted((folder / package).rglob("*.py"))


def parts(module: Path, folder: Path = ROOT) -> tuple[str, ...]:
    """Return the parts of a module's dotted name, the last of which may be ``__init__``."""
    found = module.relative_to(folder).with_suffix("").parts
    return ("bandsmith", *found) if found[0] in ("shared", "services") else found  # linked into the package


@cache
def imports(module: Path, folder: Path = ROOT, *, when_loaded: bool = False) -> frozenset[str]:
    """Return the dotted names that a module imports anywhere, or only `when_loaded`; relative imports made absolute."""
    found: set[str] = set()
    package = parts(module, folder)[:-1]
    for node in parsed(module).body if when_loaded else statements(module):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            start = ".".join([*base, *([node.module] if node.module else [])])
            found |= {f"{start}.{name.name}" for name in node.names}
    return frozenset(found)


def breaches(folder: Path = ROOT) -> list[str]:
    """Return every forbidden import as a sentence."""
    found = []
    for module in modules(folder):
        path = module.relative_to(folder)
        for name in sorted(imports(module, folder)):
            top, *rest = name.split(".")
            if top in ("shared", "services"):
                found.append(f"{path} imports {name}; its name is bandsmith.{name}")
            inside = top == "bandsmith" and bool(rest) and rest[0] in ("shared", "services")
            if inside:
                top, *rest = rest
            if top in ONLY and not any(str(path).startswith(place) or path.match(place) for place in ONLY[top]):
                found.append(f"{path} imports {top}, which only {' and '.join(ONLY[top])} may")
            if top == "bandsmith" and path.parts[0] != "bandsmith":
                found.append(f"{path} imports bandsmith, which runs everything and is imported by nothing")
            if top == "services" and path.parts[:2] in DOORS:
                found.append(f"{path} imports {name}; a door is a client of the bus and imports no service")
            if top == "services" and path.parts[0] == "shared":
                found.append(f"{path} imports {name}; shared imports no service")
            if top == "services" and path.parts[0] == "services" and rest and rest[0] != path.parts[1]:
                found.append(f"{path} imports {name}; services import shared, never each other")
    return found


def test_every_import_is_allowed():
    assert breaches() == []


def test_the_web_process_loads_no_service_and_no_protocol_that_is_not_used():
    """Services run elsewhere, and few processes are asked for MCP: their code would only cost memory."""
    unwanted = "[name for name in sys.modules if 'bandsmith.services.' in name or name.startswith('mcp')]"
    loaded = f"import bandsmith.cli.web, sys; print({unwanted})"
    assert subprocess.check_output([sys.executable, "-c", loaded], text=True) == "[]\n"


@pytest.mark.parametrize(
    ("path", "line", "words"),
    [
        ("services/ocr/actor.py", "import nats.js", "imports nats, which only shared/bus/nats/ may"),
        ("shared/bus/memory.py", "from nats import errors", "imports nats"),
        ("services/validator/checks/fill.py", "    import jpype", "imports jpype"),
        ("services/ocr/actor.py", "from ray import serve", "imports ray, which only services/*/app.py and bandsmith/"),
        ("bandsmith/cli/serve.py", "import ray", "imports ray"),
        (
            "services/ocr/actor.py",
            "from bandsmith.services.generator import plan",
            "services import shared, never each other",
        ),
        ("services/ocr/marks/rules.py", "from ...generator import plan", "services import shared, never each other"),
        ("shared/worker.py", "import bandsmith.services.ocr", "shared imports no service"),
        ("services/gateway/actor.py", "from bandsmith import local", "is imported by nothing"),
        ("bandsmith/web/turns.py", "from bandsmith.services.gateway import state", "a door is a client of the bus"),
        ("services/ocr/actor.py", "from shared.events import Event", "its name is bandsmith.shared.events.Event"),
    ],
)
def test_a_forbidden_import_is_named(tmp_path: Path, path: str, line: str, words: str):
    module = tmp_path / path
    module.parent.mkdir(parents=True)
    module.write_text(f"def late():\n    {line.strip()}\n")
    [found] = breaches(tmp_path)
    assert found.startswith(f"{path} imports") and words in found


def unknown_modules(folder: Path = ROOT) -> list[str]:
    """Every import of a module of ours that does not exist: type checkers take it for an untyped package."""
    paths = {path.relative_to(folder).with_suffix("") for path in modules(folder)}
    dotted = {".".join(path.parts) for path in paths | {path.parent for path in paths}}
    known = {f"bandsmith.{name}" if name.startswith(("shared", "services")) else name for name in dotted}
    return [
        f"{module.relative_to(folder)} imports {name}"
        for module in modules(folder)
        for name in sorted(imports(module, folder))
        if name.startswith("bandsmith.") and name not in known and name.rpartition(".")[0] not in known
    ]


def modules_by_name(folder: Path = ROOT) -> dict[str, Path]:
    return {".".join(parts(module, folder)).removesuffix(".__init__"): module for module in modules(folder)}


def loaded(folder: Path = ROOT) -> dict[str, set[str]]:
    """Return the modules of ours that each of them loads itself, by dotted name."""
    names = modules_by_name(folder)
    return {
        name: {
            known
            for imported in imports(module, folder, when_loaded=True)
            if (known := imported if imported in names else imported.rpartition(".")[0]) in names and known != name
        }
        for name, module in names.items()
    }


def loaded_by(waiting: list[str], folder: Path = ROOT) -> set[str]:
    """Return these modules of ours and all that they load, directly or by way of others, by dotted name."""
    names, loads = modules_by_name(folder), loaded(folder)
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in names and name not in found:
            found.add(name)
            waiting += [*loads[name], name.rpartition(".")[0], *registered(name, names)]
    return found


def registered(package: str, names: dict[str, Path]) -> list[str]:
    """Return the modules below a package that is a registry, which loads all of them: edits, checks, tools."""
    if "iter_modules" not in names[package].read_text(encoding="utf-8"):
        return []
    return [name for name in names if name.startswith(f"{package}.")]


def slow_starts(folder: Path = ROOT) -> list[str]:
    """Return what a service loads at its start although few turns need it, with the module that imports it."""
    names = modules_by_name(folder)
    return [
        f"{name} imports {package}"
        for name in sorted(loaded_by([f"bandsmith.services.{service}.actor" for service in SERVICES], folder))
        for package in sorted({imported.split(".")[0] for imported in imports(names[name], folder, when_loaded=True)})
        if package in SLOW
    ]


def test_no_service_loads_at_its_start_what_few_turns_need():
    assert slow_starts() == []


def test_a_slow_import_is_named_with_its_module(tmp_path: Path):
    (tmp_path / "services" / "planner").mkdir(parents=True)
    (tmp_path / "services" / "planner" / "actor.py").write_text("from .data import rows\n")
    (tmp_path / "services" / "planner" / "data.py").write_text("import pyarrow.csv\n\ndef late():\n    import duckdb\n")
    assert slow_starts(tmp_path) == ["bandsmith.services.planner.data imports pyarrow"]


LAYERS = ("model", "jrxml", "edits", "turns")
"""Packages of `shared`, each of which may use those before it."""


def wrong_layers(folder: Path = ROOT) -> list[str]:
    """Return what a package of `shared` loads of a layer above it, be it by way of other modules."""
    names = modules_by_name(folder)
    found = []
    for number, layer in enumerate(LAYERS):
        inside = [name for name in names if name.startswith(f"bandsmith.shared.{layer}.")]
        above = tuple(f"bandsmith.shared.{other}" for other in LAYERS[number + 1 :])
        found += [f"shared.{layer} loads {name}" for name in sorted(loaded_by(inside, folder)) if name in above]
    return found


def test_the_model_knows_no_templates_templates_no_edits_and_edits_no_turns():
    assert wrong_layers() == []


def test_a_layer_that_is_loaded_by_one_below_it_is_named(tmp_path: Path):
    modules = {
        "model/verdict.py": "from .. import fixes",
        "fixes.py": "from .edits.move import Move",
        "edits/__init__.py": "",
        "edits/move.py": "from ..jrxml import draft",
        "jrxml/__init__.py": "",
        "jrxml/draft.py": "",
    }
    write_modules(tmp_path / "shared", modules)
    loads = "shared.model loads bandsmith.shared"
    assert wrong_layers(tmp_path) == [f"{loads}.edits", f"{loads}.jrxml"]


def test_a_slow_import_behind_a_registry_is_named(tmp_path: Path):
    (tmp_path / "services" / "planner").mkdir(parents=True)
    (tmp_path / "shared" / "tools" / "schedule").mkdir(parents=True)
    (tmp_path / "services" / "planner" / "actor.py").write_text("from bandsmith.shared.tools import TOOLS\n")
    (tmp_path / "shared" / "tools" / "__init__.py").write_text(
        "import pkgutil\nTOOLS = pkgutil.iter_modules(__path__)\n"
    )
    (tmp_path / "shared" / "tools" / "schedule" / "place.py").write_text("import ortools\n")
    assert slow_starts(tmp_path) == ["bandsmith.shared.tools.schedule.place imports ortools"]


def test_every_import_names_a_module():
    assert unknown_modules() == []


# --- commands and events ----------------------------------------------------------------------------------------------


def unhandled(commands: dict[str, type[Command]]) -> list[str]:
    """Return the commands that the actor of their service never mentions."""
    found = []
    for kind, command in commands.items():
        actor = Path(importlib.import_module(f"bandsmith.services.{command.service}").__path__[0]) / "actor.py"
        names = {node.id for node in nodes(actor) if isinstance(node, ast.Name)}
        if kind not in names:
            found.append(f"services/{command.service}/actor.py does not handle {kind}")
    return found


def test_each_command_is_handled_by_the_actor_of_its_service():
    assert unhandled(COMMANDS) == []


def test_a_command_without_a_handler_is_named():
    class FoldPage(Command):
        service = "planner"
        answers = ("PageFolded",)

    assert unhandled({"FoldPage": FoldPage}) == ["services/planner/actor.py does not handle FoldPage"]


def test_each_answer_that_a_command_names_is_an_event():
    unknown = {f"{kind}: {answer}" for kind, command in COMMANDS.items() for answer in command.answers} - {
        f"{kind}: {answer}" for kind, command in COMMANDS.items() for answer in command.answers if answer in EVENTS
    }
    assert unknown == set(), "shared/events lacks these answers"


def test_each_service_is_a_folder_and_is_wired_into_both_hosts():
    folders = {path.parent.name for path in (ROOT / "services").glob("*/actor.py")}
    assert folders == set(SERVICES) == set(typing.get_args(Service))
    for service, actor in WIRING.items():
        assert actor.startswith(f"bandsmith.services.{service}.actor:")
    assert {path.parent.name for path in (ROOT / "services").glob("*/app.py")} == set(SERVICES)


# --- an OCR engine is in its registry, in the settings and in the contract suite --------------------------------------

NO_ENGINES = {"__init__", "base", "device", "models"}


def forgotten_engines(files: set[str], registry: set[str], choices: set[str], suite: str) -> list[str]:
    """What is missing for an engine to be one, by its file's name."""
    places = {"ENGINES of services/ocr/engines/__init__.py": registry, "engine in services/ocr/settings.py": choices}
    found = [
        f"{name} is not in {place}" for name in sorted(files) for place, there in places.items() if name not in there
    ]
    if "ENGINES" not in suite:
        found += [f"{name} is not in the contract suite" for name in sorted(files)]
    return found


def test_each_engine_is_registered_can_be_chosen_and_keeps_the_contract():
    from bandsmith.services.ocr.engines import ENGINES
    from bandsmith.services.ocr.settings import OcrSettings

    files = {path.stem for path in (ROOT / "services/ocr/engines").glob("*.py")} - NO_ENGINES
    choices = set(typing.get_args(OcrSettings.model_fields["engine"].annotation))
    suites = (ROOT / "tests").rglob("*engine*.py")
    suite = "".join(path.read_text(encoding="utf-8") for path in suites if "contract" in str(path))
    assert forgotten_engines(files, set(ENGINES), choices, suite) == []


def test_an_engine_that_was_forgotten_somewhere_is_named():
    assert forgotten_engines({"tesseract"}, {"paddle"}, {"paddle"}, "") == [
        "tesseract is not in ENGINES of services/ocr/engines/__init__.py",
        "tesseract is not in engine in services/ocr/settings.py",
        "tesseract is not in the contract suite",
    ]


# --- a document format is registered, has a media type and a sample in the tests --------------------------------------


def forgotten_formats(
    modules: dict[str, tuple[str, ...]], registry: set[str], media: set[str], samples: set[str]
) -> list[str]:
    """What is missing for each format, by its module's name and suffixes."""
    places = {
        "FORMATS of services/ocr/documents/__init__.py": registry,
        "MEDIA of shared/model/document.py": media,
        "SAMPLES of tests/ocr/sample_forms.py": samples,
    }
    return [
        f"{suffix} of services/ocr/documents/{name}.py is not in {place}"
        for name, suffixes in sorted(modules.items())
        for suffix in suffixes
        for place, known in places.items()
        if suffix not in known
    ]


def test_each_document_format_is_registered_and_has_a_sample():
    from bandsmith.services.ocr.documents import FORMATS
    from bandsmith.shared.model.document import MEDIA
    from tests.ocr.sample_forms import SAMPLES

    names = [path.stem for path in (ROOT / "services/ocr/documents").glob("[a-z]*.py")]
    modules = {name: importlib.import_module(f"bandsmith.services.ocr.documents.{name}") for name in names}
    formats = {name: module.SUFFIXES for name, module in modules.items() if hasattr(module, "SUFFIXES")}
    registry = {suffix for known in FORMATS for suffix in known.suffixes}
    assert forgotten_formats(formats, registry, set(MEDIA), set(SAMPLES)) == []
    assert set(MEDIA) == registry, "shared/model/document.py accepts a suffix that no format reads"


def test_a_forgotten_document_format_is_named():
    assert forgotten_formats({"odt": (".odt",)}, {".pdf"}, {".pdf"}, {".pdf"}) == [
        ".odt of services/ocr/documents/odt.py is not in FORMATS of services/ocr/documents/__init__.py",
        ".odt of services/ocr/documents/odt.py is not in MEDIA of shared/model/document.py",
        ".odt of services/ocr/documents/odt.py is not in SAMPLES of tests/ocr/sample_forms.py",
    ]


def patterns_of_references(folder: Path = ROOT) -> list[str]:
    """Return the lines outside `shared/jrxml` with a pattern of ``$F{}``, ``$V{}`` or ``$P{}`` of their own."""
    return lines_with(re.compile(r"\\\$(?:\[[FPVR]+\]|[FPVR])\\?\{"), ("shared/jrxml/",), folder)


def normalizations(folder: Path = ROOT) -> list[str]:
    """Return the lines outside `shared/language.py` that give characters one form."""
    return lines_with(re.compile(r"""normalize\(["']NFKC"""), ("shared/language.py",), folder)


def lines_with(pattern: re.Pattern[str], owners: tuple[str, ...], folder: Path) -> list[str]:
    found = []
    for module in modules(folder):
        if not (name := module.relative_to(folder).as_posix()).startswith(owners):
            lines = enumerate(module.read_text(encoding="utf-8").splitlines(), 1)
            found += [f"{name}:{number}" for number, line in lines if pattern.search(line)]
    return found


def test_patterns_of_references_are_made_in_one_place():
    assert patterns_of_references() == [], "use reference_pattern of shared/jrxml/expressions.py"


def test_characters_are_normalized_in_one_place():
    assert normalizations() == [], "use normalized_characters of shared/language.py"


@pytest.mark.parametrize("code", [r're.compile(r"\$F\{(\w+)\}")', r'rf"\$[FV]\{{{name}\}}"', r'rf"\$P{{x}}"'])
def test_a_pattern_of_a_reference_is_named(tmp_path: Path, code: str):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "a.py").write_text(f"import re\n{code}\n")
    assert patterns_of_references(tmp_path) == ["shared/a.py:2"]


def test_a_normalization_is_named(tmp_path: Path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "a.py").write_text('unicodedata.normalize("NFKC", text)\n')
    assert normalizations(tmp_path) == ["shared/a.py:1"]
