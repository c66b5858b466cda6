"""Prompts of the tests' own."""

from pathlib import Path

import pytest

from bandsmith.shared import prompts


@pytest.fixture
def colour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The prompt "colour", which fills in what a user wrote."""
    (tmp_path / "colour.md").write_text(
        "---\ninput: {text: data, language: text}\noutput: {colours: list, answer: text}\n---\n"
        "Which colours are in it? Answer in {{ language }}.\n{{ text }}\n"
    )
    (tmp_path / "colour.cases.yaml").write_text(
        "- input: {text: red, language: en}\n  output: {colours: [red], answer: Red.}\n"
    )
    load = prompts.load
    monkeypatch.setattr(prompts, "load", lambda name: load(name, tmp_path))
