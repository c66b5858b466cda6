"""Scheduled runs in a conversation: nothing is added or changed before the user agreed to what was shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from bandsmith.services.gateway.run_commands import RunCommands
from bandsmith.shared.events import ChangeRuns, Envelope
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.run import Run
from bandsmith.shared.model.run_request import RunChange
from bandsmith.shared.model.task import Answer
from bandsmith.shared.owners import digest_of_owner, owner_of_session
from bandsmith.shared.runs.steps import session_of

from ..shared.runs.made import START, scheduled
from .run_talk import CHINESE, SENTENCE, own_home, talk_of

__all__ = ["own_home"]


def prefix_of(user: str) -> str:
    return f"{digest_of_owner(user)}-"


@pytest.mark.usefixtures("own_home")
async def test_a_run_is_asked_for_shown_and_added_after_a_yes(own_home: Path):
    talk = await talk_of()
    asked = await talk.say(SENTENCE)
    assert asked.asks is not None and asked.reply == "Which address gets a mail if it fails?"
    shown = await talk.say("ann@example.com")
    assert shown.asks is not None and shown.asks.kind == "confirmation"
    for words in ("the source “shop” for “last month”", "- name: sales-by-month", "08:00", "(time zone Europe/Berlin)",
                  f"- delivered to: {own_home}/delivered/reports", "ann@example.com", "Answer yes or no"):  # fmt: skip
        assert words in shown.reply
    assert await talk.stored() == {}

    added = await talk.say("yes")

    assert added.complete and added.reply.startswith("Added the run “sales-by-month”. It is due on ")
    run = (await talk.stored())["sales-by-month"].run
    assert (run.filling.source, run.filling.period, run.filling.formats) == ("shop", "last month", ["pdf"])
    assert run.filling.bindings is not None and run.filling.sample is not None
    assert (run.times.rule, run.times.zone) == ("FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0", "Europe/Berlin")
    assert (run.delivery.folder, run.tell) == (f"{own_home}/delivered/reports", ["ann@example.com"])


@pytest.mark.usefixtures("own_home")
async def test_a_run_is_added_in_chinese_after_the_period_was_said():
    talk = await talk_of()
    asked = await talk.say(CHINESE)
    assert asked.reply == "每次取哪段时间的数据？例如：上个月。"
    shown = await talk.say("上个月")
    assert "“上个月”" in shown.reply and "07:30" in shown.reply
    added = await talk.say("是")
    assert added.reply.startswith("已添加定时任务“sales-by-month”")
    assert [state.run.language for state in (await talk.stored()).values()] == ["zh"]


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize(
    ("text", "shown_words", "yes", "resume"),
    [
        (f"{SENTENCE}, but don't start it yet", "- it begins paused", "yes", "resume the run sales-by-month"),
        (f"{CHINESE}，先不要启动", "- 添加后先暂停", "是", "恢复任务sales-by-month"),
    ],
)
async def test_a_run_begins_paused_if_it_is_not_to_start_yet(text: str, shown_words: str, yes: str, resume: str):
    talk = await talk_of()
    await talk.say(text.replace("mail me", "mail ann@example.com"))
    shown = await talk.say("上个月") if text.startswith(CHINESE) else await talk.say("at 9 instead")
    assert shown_words in shown.reply
    added = await talk.say(yes)
    assert (await talk.stored())["sales-by-month"].paused and "sales-by-month" in added.reply
    await talk.say(resume)
    await talk.say(yes)
    assert not (await talk.stored())["sales-by-month"].paused


@pytest.mark.usefixtures("own_home")
async def test_a_no_adds_nothing():
    talk = await talk_of()
    await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    declined = await talk.say("no")
    assert declined.asks is None and await talk.stored() == {}


@pytest.mark.usefixtures("own_home")
async def test_a_click_accepts_or_rejects_exactly_the_question_that_waits():
    talk = await talk_of()
    shown = await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    assert shown.asks is not None
    late = await talk.say(answer=Answer(question="another", decision="accept"))
    assert late.asks == shown.asks and await talk.stored() == {}
    await talk.say(answer=Answer(question=shown.asks.id, decision="reject"))
    assert await talk.stored() == {}
    again = await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    assert again.asks is not None
    await talk.say(answer=Answer(question=again.asks.id, decision="accept"))
    assert list(await talk.stored()) == ["sales-by-month"]


@pytest.mark.usefixtures("own_home")
async def test_runs_are_listed_paused_resumed_started_and_removed_by_words():
    talk = await talk_of()
    assert (await talk.say("which runs are there?")).reply == "There are no scheduled runs."
    await talk.runs.add(scheduled("statement"))
    listed = await talk.say("which runs are there?")
    assert listed.complete and listed.reply.startswith("- statement: due on ") and "→ reports" in listed.reply

    paused = await talk.say("pause it")
    assert "Pause this run?" in paused.reply and not (await talk.stored())["statement"].paused
    assert (await talk.say("yes")).reply == "Paused the run “statement”."
    assert (await talk.stored())["statement"].paused

    await talk.say("恢复任务statement")
    assert (await talk.say("是")).reply.startswith("已恢复定时任务“statement”")
    await talk.say("start the run statement now")
    assert (await talk.say("yes")).complete and (await talk.stored())["statement"].current is not None
    await talk.say("cancel the run statement")
    await talk.say("yes")
    assert await talk.stored() == {}


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        ("when does the statement run next?", "- statement: due on ", ""),
        ("statement下次什么时候运行？", "- statement：", ""),
        ("when is the invoice due next?", "There is no run called “invoice”. These are all:", "- stock: due on "),
    ],
)
async def test_when_a_run_is_due_is_told_at_once(question: str, told: str, other: str):
    talk = await talk_of()
    for name in ("statement", "stock"):
        await talk.runs.add(scheduled(name))
    reply = await talk.say(question)
    assert reply.complete and reply.asks is None and reply.reply.startswith(told)
    assert other in reply.reply and ("stock" in reply.reply) == bool(other)


@pytest.mark.usefixtures("own_home")
async def test_a_run_that_is_not_clear_is_asked_for():
    talk = await talk_of()
    for name in ("sales", "stock"):
        await talk.runs.add(scheduled(name))
    asked = await talk.say("pause the run")
    assert asked.reply == "Which run do you mean? There are: sales and stock."
    await talk.say("stock")
    await talk.say("yes")
    assert {name: state.paused for name, state in (await talk.stored()).items()} == {"sales": False, "stock": True}


@pytest.mark.usefixtures("own_home")
async def test_a_run_that_could_not_be_carried_out_is_refused_at_once():
    talk = await talk_of()
    refused = await talk.say(SENTENCE.replace("reports, mail me", "../../etc, mail ann@example.com"))
    assert refused.asks is None and not refused.complete and "cannot be delivered" in refused.reply


@pytest.mark.usefixtures("own_home")
async def test_a_source_that_is_not_there_is_asked_for_and_the_request_goes_on():
    talk = await talk_of()
    asked = await talk.say(SENTENCE.replace("from shop", "from crm").replace("mail me", "mail ann@example.com"))
    assert asked.asks is not None and "There is no source crm. The sources are: shop, hr." in asked.reply
    assert "- name: sales-by-month" in (await talk.say("shop")).reply


@pytest.mark.usefixtures("own_home")
async def test_a_file_of_rows_that_is_attached_fills_the_report_each_time():
    talk = await talk_of(bindings=b"")
    rows = Document(name="rows.csv", content=await talk.bus.put(b"a,b\n1,2\n", "text/csv"))
    shown = await talk.say("every day at 7 fill it and put it into reports", rows)
    assert "the rows of the attached file" in shown.reply
    await talk.say("yes")
    assert [state.run.data for state in (await talk.stored()).values()] == [rows]


@pytest.mark.usefixtures("own_home")
async def test_a_user_of_the_web_sees_and_changes_only_their_own_runs():
    ann, bob = (f"{prefix_of(name)}talk" for name in ("ann", "bob"))
    talk = await talk_of(ann)
    for owner in ("ann", "bob"):
        await talk.runs.add(scheduled(f"{prefix_of(owner)}statement"))
    await talk.runs.add(scheduled("of-this-machine"))
    listed = await talk.say("which runs are there?")
    assert listed.reply.count("\n") == 0 and listed.reply.startswith("- statement: ")
    await talk.say("cancel all runs")
    await talk.say("yes")
    assert sorted(await talk.stored()) == sorted([f"{prefix_of('bob')}statement", "of-this-machine"])
    assert ann != bob


@pytest.mark.usefixtures("own_home")
async def test_a_user_of_the_web_names_a_folder_only_where_the_settings_allow_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("BANDSMITH_DELIVERY_FOLDER")
    talk = await talk_of(f"{prefix_of('ann')}talk")
    refused = await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    assert refused.asks is None and "BANDSMITH_DELIVERY_FOLDER is not set" in refused.reply


@pytest.mark.usefixtures("own_home")
async def test_a_run_of_a_user_of_the_web_reads_only_what_that_user_may_read():
    ann = f"{prefix_of('ann')}talk"
    talk = await talk_of(ann)
    refused = await talk.say(SENTENCE.replace("from shop", "from hr"))
    assert "There is no source hr. The sources are: shop" in refused.reply
    await talk.say("no")
    await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    await talk.say("yes")
    [state] = (await talk.stored()).values()
    assert owner_of_session(session_of(state.run)) == owner_of_session(ann) != ""


@pytest.mark.usefixtures("own_home")
async def test_a_command_that_no_turn_awaits_changes_nothing():
    talk = await talk_of()
    run: Run = scheduled("forged").run
    change = ChangeRuns(run_change=RunChange(do="add", names=[], run=run, at=START), language="en")
    forged = Envelope(id="forged", kind="ChangeRuns", session="s", turn="t", payload=change.model_dump(mode="json"))
    await talk.bus.send(forged)
    await talk.say("which runs are there?")
    assert await talk.stored() == {}


@pytest.mark.usefixtures("own_home")
async def test_a_change_that_is_delivered_twice_is_made_once():
    talk = await talk_of()
    await talk.say(SENTENCE.replace("mail me", "mail ann@example.com"))
    await talk.say("yes")
    [state] = (await talk.stored()).values()
    commands = RunCommands(talk.bus)
    add = ChangeRuns(run_change=RunChange(do="add", names=[], run=state.run, at=START), language="en")
    again = await commands.change(add, "")
    assert [view.name for view in again.changed_runs] == ["sales-by-month"] and again.run_refusal == ""
    remove = ChangeRuns(run_change=RunChange(do="cancel", names=["sales-by-month"], at=START), language="en")
    for _ in range(2):
        assert (await commands.change(remove, "")).run_refusal == ""
    assert await talk.stored() == {}
