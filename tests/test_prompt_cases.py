"""The cases of the prompts, run against replies written by hand: all can be used and do what the cases say."""

from __future__ import annotations

from pathlib import Path

import pytest

from bandsmith.shared import prompts
from bandsmith.shared.llm import model_from
from bandsmith.shared.llm.answers import ANSWERS
from bandsmith.shared.llm.scripted import ScriptedModel
from tests.yaml_files import read_yaml
from tools.prompt_cases import comes_to, run_cases, table

REPLIES: dict[str, list[str]] = read_yaml(Path(__file__).with_name("prompt_replies.yaml"))


@pytest.mark.parametrize("name", ANSWERS)
async def test_recorded_replies_come_to_what_the_cases_say(name: str):
    with ScriptedModel(REPLIES[name]) as server:
        model = model_from(server.settings())
        results = await run_cases(model, [name])
        await model.close()
    assert len(results) == len(REPLIES[name]) == len(prompts.load(name).cases)
    assert [(one.usable, one.expected, one.usage.calls) for one in results] == [(True, True, 1)] * len(results)
    assert table(results).row_count == len(results) + 1


async def test_a_model_that_cannot_do_it_is_shown_as_such():
    with ScriptedModel(["I cannot do that.", "No."]) as server:
        model = model_from(server.settings())
        results = await run_cases(model, ["modification"])
        await model.close()
    assert [(one.usable, one.expected, one.trouble) for one in results] == [(False, False, "model-unusable")] * len(
        prompts.load("modification").cases
    )


def test_other_edits_are_not_what_a_case_says():
    case = prompts.load("modification").cases[0]
    assert comes_to(case.output) == comes_to(case.output | {"plan": "Something else.", "undone": "Nothing."})
    assert comes_to(case.output) != comes_to(case.output | {"edits": case.output["edits"][:1]})
