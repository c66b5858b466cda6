"""A scripted model, its client, and prompts of the tests' own."""

from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from shared import prompts
from shared.llm import model_from
from shared.llm.base import Model
from shared.llm.scripted import Script, ScriptedModel

Start = Callable[..., tuple[Model, ScriptedModel]]


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Start a model that follows a script, with settings of its own."""
    models: list[Model] = []
    with ExitStack() as servers:

        def one(script: Script, **settings: object) -> tuple[Model, ScriptedModel]:
            server = servers.enter_context(ScriptedModel(script))
            model = model_from(server.settings(**({"pause": 5, "retries": 0} | settings)))
            assert model
            models.append(model)
            return model, server

        yield one
        for model in models:
            await model.close()


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
