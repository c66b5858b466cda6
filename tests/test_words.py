"""Texts and words: both catalogues agree, every text is used, and no source uses a banned word."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from bandsmith.shared.language import LANGUAGES
from bandsmith.shared.replies import catalogue, listed, text
from tests.each_case import each

from .source_trees import SOURCES, nodes

ROOT = Path(__file__).resolve().parent.parent
FACTORIES = {"of", "text"}
"""Calls whose first argument is a code of the catalogue."""


def entries(entry: object) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())  # type: ignore[attr-defined]


def placeholders(entry: object) -> set[str]:
    return {name for one in entries(entry) for _, name, _, _ in string.Formatter().parse(one) if name}


def literals(path: Path) -> Iterator[str]:
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_both_languages_have_the_same_codes():
    english, chinese = (set(catalogue(language)) for language in LANGUAGES)
    assert english == chinese


def test_both_languages_fill_the_same_placeholders():
    for code, entry in catalogue("en").items():
        # A plural form that names its number in words needs no {count}.
        assert placeholders(entry) - {"count"} == placeholders(catalogue("zh")[code]) - {"count"}, code


def test_every_text_is_used():
    used = {literal for path in SOURCES for literal in literals(path)}
    # A code may be put together from a prefix and a variable part, and a finding's code leaves out its file's name.
    prefixes = tuple(literal for literal in used if literal.endswith(".") and literal.count(" ") == 0)
    unused = [
        code
        for code in catalogue("en")
        if code not in used and code.removeprefix("findings.") not in used and not code.startswith(prefixes)
    ]
    assert unused == []


def test_chinese_texts_use_chinese_punctuation():
    mixed = re.compile(r"[\u4e00-\u9fff][,;:?!]|[,;:?!][\u4e00-\u9fff]")
    wrong = [code for code, entry in catalogue("zh").items() if any(mixed.search(one) for one in entries(entry))]
    assert wrong == []


def test_a_list_ends_with_a_conjunction():
    assert listed(["a", "b", "c"], "en") == "a, b and c"
    assert listed(["甲", "乙", "丙"], "zh") == "甲、乙和丙"
    assert listed(["a"], "en") == "a"


def test_an_unknown_code_is_an_error():
    with pytest.raises(KeyError):
        text("errors.no_such_text", "en")


# --- banned words ---------------------------------------------------------------------------------------------------

BANNED = [
    r"whoever", r"whomever", r"somebody('s)?", r"nobody", r"reckon(s|ed|ing)?", r"in hand", r"anew", r"mendings?",
    r"those that", r"who is (asked|told|busy|away|there)", r"who (asks|waits|works|speaks|listens)", r"is to be had",
    r"beforehand", r"afresh", r"beneath", r"telling", r"patience", r"mend(s|ed|ing)?", r"wish(es)?", r"whom",
    r"lest", r"at hand", r"on its way", r"is no matter of", r"has room for", r"let through", r"anyone's", r"\(s\)",
    r"as it was meant", r"(?-i:MOST|LONGEST|LARGEST|LEAST)(_[A-Z_]+)?(?= *[=:(\])])",
]  # fmt: skip
"""Patterns of words to avoid. Write the standard term of the field instead; docs/glossary.md lists our own terms."""
CLEAN: list[str] = [
    ".ci/run",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Dockerfile",
    "Makefile",
    "README.md",
    "bandsmith",
    "benchmarks",
    "compose.yaml",
    "docs/architecture.md",
    "docs/benchmarks.md",
    "docs/dependencies.md",
    "docs/getting-started.md",
    "docs/glossary.md",
    "docs/index.md",
    "docs/integration.md",
    "docs/knowledge.md",
    "docs/kubernetes.md",
    "docs/limitations.md",
    "docs/models.md",
    "docs/observability.md",
    "docs/scale.md",
    "docs/serving.md",
    "docs/talking.md",
    "docs/which-model.md",
    "examples",
    "k8s",
    "samples",
    "serve.yaml",
    "services/gateway",
    "services/generator/README.md",
    "services/generator/actor.py",
    "services/generator/app.py",
    "services/generator/correct.py",
    "services/generator/failure_explanation.py",
    "services/generator/mapping/field_mapping.py",
    "services/generator/refinement/join.py",
    "services/generator/mapping/llm_field_mapping.py",
    "services/generator/refinement/llm_refinement.py",
    "services/generator/planning",
    "services/generator/refinement/refine.py",
    "services/generator/refinement/refine_layout.py",
    "services/generator/refinement/windows.py",
    "services/ocr",
    "services/generator/mapping/detect_totals.py",
    "services/planner/language/spec/bounds.py",
    "services/planner/language/spec/catalogue.py",
    "services/planner/language/spec/catalogue.toml",
    "services/planner/language/spec/change_requests.py",
    "services/planner/language/spec/clauses",
    "services/planner/language/spec/columns.py",
    "services/planner/language/spec/labels.py",
    "services/planner/language/spec/tables.py",
    "services/planner/language/text_files.py",
    "services/planner/language/spec/titles.py",
    "services/planner/report_summary.py",
    "services/validator",
    "shared/actor.py",
    "shared/bus",
    "shared/editing",
    "shared/edits",
    "shared/events",
    "shared/fields",
    "shared/fonts.py",
    "shared/handler_timeout.py",
    "shared/jrxml",
    "shared/llm",
    "shared/model/base.py",
    "shared/model/document.py",
    "shared/model/geometry.py",
    "shared/model/layout.py",
    "shared/model/plan.py",
    "shared/model/session_parts.py",
    "shared/orphan_threads.py",
    "shared/prompts.py",
    "shared/replies",
    "shared/reply_stream.py",
    "shared/serving",
    "shared/settings.py",
    "shared/telemetry",
    "shared/turns/fixes.py",
    "shared/turns/session.py",
    "shared/turns/verdict.py",
    "shared/worker.py",
    "shared/xml.py",
    "tests/cli",
    "tests/cluster",
    "tests/contracts/test_ocr_engine.py",
    "tests/gateway",
    "tests/generator/conftest.py",
    "tests/generator/forms.py",
    "tests/generator/test_actor.py",
    "tests/generator/test_correct.py",
    "tests/generator/test_detect_totals.py",
    "tests/generator/test_edits.py",
    "tests/generator/test_failure_explanation.py",
    "tests/generator/test_llm_refinement.py",
    "tests/generator/test_planning.py",
    "tests/generator/test_refine.py",
    "tests/generator/test_value_types.py",
    "tests/integration",
    "tests/ocr",
    "tests/planner/language/spec/specs.py",
    "tests/planner/language/spec/specs.toml",
    "tests/samples",
    "tests/shared/editing",
    "tests/shared/edits",
    "tests/shared/jrxml",
    "tests/test_docs.py",
    "tests/test_package.py",
    "tests/test_setup.py",
    "tests/test_walls.py",
    "tests/validator",
    "tests/workflow",
    "tools",
    "tests/conftest.py",
    "tests/containers.py",
    "tests/contracts",
    "tests/faults",
    "tests/k8s",
    "tests/shared/llm",
    "tests/shared/test_log.py",
    "tests/shared/test_metrics.py",
    "tests/shared/test_pools.py",
    "tests/shared/test_scaling.py",
    "tests/shared/test_server.py",
    "tests/shared/test_settings.py",
    "tests/shared/test_traces.py",
    "tests/shared/test_worker.py",
    "tests/virtual_clock.py",
    "services/generator/spec",
    "services/planner/README.md",
    "services/planner/__init__.py",
    "services/planner/actor.py",
    "services/planner/answer_question.py",
    "services/planner/app.py",
    "services/planner/history.py",
    "services/planner/settings.py",
    "services/planner/articles",
    "shared/model/spec.py",
    "prompts",
    "tests/generator/spec",
    "tests/planner/conftest.py",
    "tests/planner/test_articles.py",
    "tests/planner/test_consult.py",
    "tests/planner/test_history.py",
    "tests/planner/test_knowledge.py",
    "services/planner/knowledge/__init__.py",
    "services/planner/knowledge/articles.py",
    "services/planner/knowledge/base.py",
    "services/planner/knowledge/fields.py",
    "services/planner/knowledge/milvus.py",
    "services/planner/knowledge/page_fingerprint.py",
    "services/planner/knowledge/records.py",
    "services/planner/knowledge/stop.py",
    "services/planner/knowledge/templates.py",
]
"""Folders and files that have been rewritten."""


def stumbles(path: Path) -> list[str]:
    pattern = re.compile(rf"(?<![\w-])({'|'.join(BANNED)})(?![\w-])", re.IGNORECASE)
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        f"{path.relative_to(ROOT)}:{number}: {hit[0]}"
        for number, line in enumerate(lines, 1)
        for hit in pattern.finditer(line)
    ]


@each("place", CLEAN)
def test_no_banned_words(place: str):
    paths = [ROOT / place] if (ROOT / place).is_file() else sorted((ROOT / place).rglob("*"))
    paths = [path for path in paths if path.suffix in {".py", ".md", ".toml", ".yaml"} and path != Path(__file__)]
    assert [stumble for path in paths for stumble in stumbles(path)] == []
