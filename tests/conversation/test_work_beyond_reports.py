"""With a model, work beyond the report reaches it as such, also where rules are sure of something else."""

from __future__ import annotations

import pytest

from .conftest import Talk

pytestmark = [
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="package"),
    pytest.mark.parametrize("host", ["model"], indirect=True),
]

SLOTS = "the yearly stocktaking takes 6 sessions of two hours, all before 11 December, never on weekends"
REPORT = "generate a sales report with customer and amount"


@pytest.mark.parametrize(
    ("words", "intent"),
    [
        (SLOTS, "plan_work"),
        ("年终盘点要做6次，每次2小时，12月11号之前弄完，周六周日别排", "plan_work"),
        ("what have you got coming up till tuesday night?", "manage_runs"),
    ],
)
@pytest.mark.parametrize("before", ["", REPORT])
async def test_a_message_about_a_calendar_or_runs_is_no_report_and_no_change(
    talk: Talk, words: str, intent: str, before: str
):
    if before:
        await talk.say(before)
    talk.mind.asked.clear()
    talk.mind.says |= {"intent_classify": {"intent": intent}, "run_request": {"action": "list"}}
    end = await talk.say(words)
    assert end.intent == intent and talk.mind.calls[0] == "intent_classify"


async def test_a_report_that_rules_read_as_a_whole_asks_no_model_what_is_meant(talk: Talk):
    end = await talk.say(REPORT)
    assert end.intent == "initial_generation" and "intent_classify" not in talk.mind.calls


async def test_a_report_that_is_named_is_described_with_what_is_known_of_such(talk: Talk):
    await talk.say("an invoice with items and, somehow, the frobnicated gizmo of each")
    assert "intent_classify" not in talk.mind.calls and "initial_generation" in talk.mind.calls
