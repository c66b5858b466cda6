"""A run that is shown is corrected in words before it is added or changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bandsmith.shared.llm.scripted import ScriptedModel
from bandsmith.shared.model.task import Answer

from ..workflow.service_events import MODEL
from .run_talk import SENTENCE, own_home, talk_of

__all__ = ["own_home"]


@pytest.mark.usefixtures("own_home")
async def test_a_shown_run_is_paused_by_a_correction():
    talk = await talk_of()
    await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    assert "- it begins paused" in (await talk.say("but don't start it yet")).reply
    await talk.say("yes")
    assert (await talk.stored())["sales-by-month"].paused


@pytest.mark.usefixtures("own_home")
async def test_a_correction_in_place_of_a_yes_changes_the_run_that_is_shown(own_home: Path):
    talk = await talk_of()
    first = await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    shown = await talk.say("at 9 instead")
    assert shown.asks is not None and "09:00" in shown.reply and "08:00" not in shown.reply
    again = await talk.say("no, put it into sales")
    assert "09:00" in again.reply and f"- delivered to: {own_home}/delivered/sales" in again.reply
    assert await talk.stored() == {}
    late = await talk.say(answer=Answer(question=first.asks.id, decision="accept"))
    assert late.asks == again.asks and await talk.stored() == {}
    await talk.say("yes")
    run = (await talk.stored())["sales-by-month"].run
    assert run.times.rule == "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"
    assert (run.delivery.folder, run.tell) == (f"{own_home}/delivered/sales", ["ann@example.com"])


@pytest.mark.usefixtures("own_home")
async def test_another_request_in_place_of_a_yes_forgets_the_run():
    talk = await talk_of()
    await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    assert (await talk.say("which runs are there?")).reply == "There are no scheduled runs."
    await talk.say("yes")
    assert await talk.stored() == {}


@pytest.fixture
def replies(monkeypatch: pytest.MonkeyPatch):
    """Replies of a model to what it is asked of runs, one after another; and the requests."""
    left: list[dict[str, object]] = []
    with ScriptedModel(lambda _: json.dumps(left.pop(0))) as server:
        monkeypatch.setenv("BANDSMITH_MODEL_URL", server.url)
        monkeypatch.setenv("BANDSMITH_MODEL_NAME", "scripted")
        yield left, server.requests


@pytest.mark.usefixtures("own_home")
async def test_a_run_that_is_shown_is_corrected_in_any_words_and_shown_again(own_home: Path, replies):
    left, asked = replies
    talk = await talk_of(budget=MODEL)
    await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    left.append({"action": "change", "rule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=11;BYMINUTE=0"})
    shown = await talk.say("eight is far too early for us, eleven would suit everybody")
    assert shown.asks is not None and "11:00" in shown.reply and "08:00" not in shown.reply
    assert await talk.stored() == {}

    left.append({"action": "add", "mail": ["bob@example.com"], "formats": ["xlsx"]})
    mailed = await talk.say("Bob (bob@example.com) had better get it too, as a spreadsheet")
    assert "bob@example.com" in mailed.reply and "XLSX" in mailed.reply
    left.append({"action": "add", "dropped": ["mail"]})
    without = await talk.say("on second thoughts no mail to him, the folder is enough")
    assert "bob@example.com" not in without.reply and f"{own_home}/delivered/reports" in without.reply
    assert await talk.stored() == {}

    await talk.say("yes")
    run = (await talk.stored())["sales-by-month"].run
    assert run.times.rule == "FREQ=WEEKLY;BYDAY=MO;BYHOUR=11;BYMINUTE=0"
    assert (run.delivery.folder, run.delivery.mail) == (f"{own_home}/delivered/reports", [])
    assert (run.filling.formats, run.tell) == (["xlsx"], ["ann@example.com"])
    assert len(asked) == 3


@pytest.mark.usefixtures("own_home")
async def test_what_is_left_out_of_a_shown_run_and_is_needed_is_asked_for(replies):
    left, _ = replies
    talk = await talk_of(budget=MODEL)
    await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    left.append({"action": "add", "dropped": ["folder"]})
    asked = await talk.say("I would rather not have it in that folder")
    assert asked.asks is not None and asked.asks.kind == "question" and await talk.stored() == {}


@pytest.mark.usefixtures("own_home")
async def test_a_change_of_a_run_that_is_shown_is_corrected_too(own_home: Path, replies):
    left, _ = replies
    talk = await talk_of(budget=MODEL)
    await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    await talk.say("yes")
    await talk.say("move the run sales-by-month to 9")
    by_rules = await talk.say("at 10 instead")
    assert by_rules.asks is not None and "10:00" in by_rules.reply
    left.append({"action": "change", "folder": "sales"})
    shown = await talk.say("that is fine and while you are at it sales would be the better place for it")
    assert "10:00" in shown.reply and f"{own_home}/delivered/sales" in shown.reply
    left.append({"action": "change", "dropped": ["tell"]})
    kept = await talk.say("and the mail about failures is not needed any more")
    assert "What the run has already stays" in kept.reply
    await talk.say("yes")
    run = (await talk.stored())["sales-by-month"].run
    assert run.times.rule == "FREQ=WEEKLY;BYDAY=MO;BYHOUR=10;BYMINUTE=0"
    assert (run.delivery.folder, run.tell) == (f"{own_home}/delivered/sales", ["ann@example.com"])


@pytest.mark.usefixtures("own_home")
async def test_a_model_that_takes_a_message_for_something_else_lets_it_be_a_request_of_its_own(replies):
    left, asked = replies
    talk = await talk_of(budget=MODEL)
    await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    left += [{"action": "none"}]
    listed = await talk.say("which runs are there?")
    assert listed.reply == "There are no scheduled runs." and listed.asks is None
    await talk.say("yes")
    assert await talk.stored() == {} and asked[0].prompt == "run_request"


@pytest.mark.usefixtures("own_home")
async def test_a_run_is_read_with_what_was_said_before_and_the_sources_that_there_are(own_home: Path, replies):
    left, asked = replies
    talk = await talk_of(budget=MODEL)
    await talk.say("which runs are there?")
    await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    left.append({"action": "add", "mail": ["ann@example.com", "eve@example.com"], "folder": "made-up"})
    shown = await talk.say("she is to get the files as well")
    known = [words for request in asked for words in request.fenced]
    assert any("user: which runs are there?" in words for words in known) and "shop, hr" in known
    assert f"- delivered to: {own_home}/delivered/reports and ann@example.com" in shown.reply


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize(
    ("words", "yes"), [("move the run sales-by-month to 9", "yes"), ("把定时任务sales-by-month改到9点", "是")]
)
async def test_a_run_gets_another_time_after_it_was_shown(words: str, yes: str):
    talk = await talk_of()
    await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    await talk.say("yes")
    before = (await talk.stored())["sales-by-month"]
    shown = await talk.say(words)
    assert shown.asks is not None and "09:00" in shown.reply
    assert (await talk.stored())["sales-by-month"] == before
    changed = await talk.say(yes)
    assert changed.complete
    after = (await talk.stored())["sales-by-month"]
    assert after.run.times.rule == "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"
    assert after.run.delivery == before.run.delivery and after.next_due != before.next_due
