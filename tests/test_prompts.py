"""A prompt is a file with typed inputs and outputs and with cases beside it; what was forgotten is named."""

from pathlib import Path

import pytest

from bandsmith.shared import prompts

PROMPT = """---
input:
  findings: list
  language: text
output:
  explanation: text
---
Explain these findings in {{ language }}: {{ findings }}
"""
CASES = """
- input: {findings: [the total is cut], language: English}
  output: {explanation: The total does not fit its place.}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "explain.md").write_text(PROMPT)
    (tmp_path / "explain.cases.yaml").write_text(CASES)
    return tmp_path


def test_every_prompt_of_the_project_is_whole():
    names = {path.name.split(".")[0] for path in prompts.FOLDER.glob("*") if path.suffix in {".md", ".yaml"}}
    for name in sorted(names):
        prompts.load(name)


def test_a_prompt_is_filled_with_its_inputs(folder):
    prompt = prompts.load("explain", folder)
    assert prompt.fill(findings=["合计 is cut"], language="English") == (
        'Explain these findings in English: ["合计 is cut"]'
    )


def test_what_is_filled_in_cannot_name_another_variable(folder):
    prompt = prompts.load("explain", folder)
    assert prompt.fill(findings=[], language="{{ findings }}").startswith("Explain these findings in {{ findings }}:")


@pytest.mark.parametrize(
    ("forgotten", "said"),
    [
        (lambda f: (f / "explain.cases.yaml").unlink(), "explain.cases.yaml is missing"),
        (lambda f: (f / "explain.md").unlink(), "explain.md is missing"),
        (lambda f: _change(f, "explain.md", "in {{ language }}", ""), "declares language, which the text does not use"),
        (lambda f: _change(f, "explain.md", "  language: text\n", ""), "uses language, which input does not declare"),
        (
            lambda f: _change(f, "explain.md", "language: text", "language: word"),
            "input language has the unknown type word",
        ),
        (lambda f: _change(f, "explain.cases.yaml", ", language: English", ""), "case 1: input lacks language"),
        (
            lambda f: _change(f, "explain.cases.yaml", "[the total is cut]", "cut"),
            "findings is not a list",
        ),
        (lambda f: _change(f, "explain.cases.yaml", "explanation:", "reason:"), "case 1: output lacks explanation"),
        (lambda f: (f / "explain.cases.yaml").write_text("[]"), "has no case"),
        (
            lambda f: _change(f, "explain.md", "output:\n  explanation: text\n", ""),
            "must contain exactly input and output",
        ),
    ],
)
def test_what_was_forgotten_is_named(folder, forgotten, said):
    forgotten(folder)
    with pytest.raises(prompts.PromptError, match=said):
        prompts.load("explain", folder)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"findings": []}, "input lacks language"),
        ({"findings": "cut", "language": "English"}, "findings is not a list"),
        ({"findings": [], "language": "English", "tone": "kind"}, "input does not know tone"),
    ],
)
def test_a_prompt_refuses_what_it_did_not_declare(folder, values, said):
    with pytest.raises(prompts.PromptError, match=said):
        prompts.load("explain", folder).fill(**values)


def _change(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
