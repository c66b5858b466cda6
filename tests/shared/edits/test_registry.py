"""Every edit is whole: CONTRIBUTING says what it needs, and these tests name what was forgotten."""

from __future__ import annotations

import pkgutil
import re
from typing import Any

from pydantic import TypeAdapter

from bandsmith.shared import edits
from bandsmith.shared.edits import EDITS, AnyEdit
from bandsmith.shared.edits.base import Edit
from bandsmith.shared.language import LANGUAGES
from bandsmith.shared.llm import schema_prompt
from bandsmith.shared.replies import catalogue
from tests.each_case import each

BUILT_IN = {"base"}
"""Modules of the folder that are no edits."""


def module_of(edit: type[Edit]) -> str:
    return edit.__module__.rpartition(".")[2]


def forgotten(edit: type[Edit]) -> list[str]:
    """Return what an edit lacks, as sentences."""
    name = re.sub(r"(?<!^)([A-Z])", r"_\1", edit.__name__).lower()
    missing = [] if module_of(edit) == name else [f"{edit.__name__} belongs into shared/edits/{name}.py"]
    if not edit.__doc__:
        missing.append(f"{edit.__name__} has no docstring, which describes it to language models")
    missing += [
        f"{edit.__name__} does not implement {method}"
        for method in ("apply", "describe")
        if getattr(edit, method) is getattr(Edit, method)
    ]
    for language in LANGUAGES:
        if not any(code.startswith(f"edits.{name}.done") for code in catalogue(language)):
            missing.append(f"shared/replies/{language}/edits.toml has no [{name}] done")
    return missing


def test_every_module_is_one_edit():
    modules = {info.name for info in pkgutil.iter_modules(edits.__path__)} - BUILT_IN
    assert sorted(module_of(edit) for edit in EDITS.values()) == sorted(modules)


@each("edit", EDITS.values())
def test_every_edit_is_whole(edit: type[Edit]):
    assert forgotten(edit) == []


def test_what_an_edit_lacks_is_named():
    class FoldPage(Edit):
        do: str = "fold"

    unfinished: Any = FoldPage  # abstract, so that no such edit can be made
    assert forgotten(unfinished) == [
        "FoldPage belongs into shared/edits/fold_page.py",
        "FoldPage has no docstring, which describes it to language models",
        "FoldPage does not implement apply",
        "FoldPage does not implement describe",
        "shared/replies/en/edits.toml has no [fold_page] done",
        "shared/replies/zh/edits.toml has no [fold_page] done",
    ]


def test_prompts_describe_every_edit():
    lines = schema_prompt.edits().splitlines()
    assert [name for name in EDITS if not any(line.startswith(f'{{"do": "{name}"') for line in lines)] == []


def test_an_edit_is_read_by_its_name_on_the_wire():
    edit = TypeAdapter(AnyEdit).validate_python({"do": "move", "element": "title", "x": 5})
    assert type(edit) is EDITS["move"]
    assert edit.model_dump(exclude_none=True) == {"do": "move", "element": "title", "x": 5}
