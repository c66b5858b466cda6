"""Each check is complete: its codes are reported, have texts in both languages, and are tested."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from bandsmith.services.validator import checks
from bandsmith.services.validator.checks import Check, all_checks, all_codes
from bandsmith.services.validator.checks.wellformed import XML_ERRORS
from bandsmith.shared.language import LANGUAGES
from bandsmith.shared.replies import catalogue

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(checks.__file__).parent
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in ("__init__", "base"))
PREFIXES = {code.split(".")[0] for code in all_codes()}


def strings(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def codes_with_texts() -> set[str]:
    """The findings of the catalogue. A text below a code is one of its variants."""
    texts = (code.removeprefix("findings.") for code in catalogue("en") if code.startswith("findings."))
    return {".".join(text.split(".")[:2]) for text in texts if not text.startswith("checks.")}


def module(name: str) -> ModuleType:
    return __import__(f"{checks.__name__}.{name}", fromlist=["CHECK"])


@pytest.mark.parametrize("name", MODULES)
def test_each_check_is_found_by_its_file(name: str):
    assert isinstance(getattr(module(name), "CHECK", None), Check), f"checks/{name}.py defines no CHECK"
    assert all_checks()[name] is module(name).CHECK
    assert module(name).__doc__, f"checks/{name}.py does not say what it checks"


@pytest.mark.parametrize("name", MODULES)
def test_each_code_of_a_check_is_reported(name: str):
    names = [code.name for code in all_checks()[name].codes]
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert [code for code in names if f"Code.{code}" not in source] == [], f"checks/{name}.py never reports these"


def test_each_code_belongs_to_one_check():
    codes = [code for check in all_checks().values() for code in check.codes]
    assert len(codes) == len(set(codes)) == len(all_codes())


def test_each_code_has_a_text_in_both_languages():
    missing = {str(code) for code in all_codes()} - codes_with_texts() - set(XML_ERRORS.values())
    assert missing == set(), "these need a text in shared/replies/*/findings.toml"


def test_each_text_of_a_finding_belongs_to_a_code():
    assert codes_with_texts() - all_codes() == set()


def test_each_code_is_tested():
    tested = {string for path in Path(__file__).parent.glob("test_*.py") for string in strings(path)}
    assert {str(code) for code in all_codes()} - tested == set(), "these need a test in tests/validator"


def test_every_reference_is_to_a_code_that_exists():
    code = rf"(?:{'|'.join(sorted(PREFIXES))})\.(?!json\b)[a-z]+"  # but no name of a file
    paths = [path for folder in ("bandsmith", "services", "shared", "tests") for path in (ROOT / folder).rglob("*.py")]
    mentions = re.compile(rf"""["']{code}["']""")  # to parse all files takes seconds
    paths = [path for path in paths if mentions.search(path.read_text(encoding="utf-8"))]
    referenced = {string for path in paths for string in strings(path) if re.fullmatch(code, string)}
    assert referenced - all_codes() == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_each_code_is_about_has_a_name(language):
    start = "findings.checks."
    named = {code.removeprefix(start) for code in catalogue(language) if code.startswith(start)}
    assert named == PREFIXES | {"other"}, "the first part of each code needs a name in [checks] of findings.toml"
