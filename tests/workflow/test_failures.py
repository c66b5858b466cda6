"""What is left of a turn that fails, and how the next one begins."""

from __future__ import annotations

from datetime import timedelta

from bandsmith.services.gateway.reducer import abandon, begin
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.events import AnswerQuestion, ModifyTemplate, TurnFailed

from .play import BROKEN, end_of, finished, played, start, starting, wanting, with_report
from .service_events import failed, modified, ref


def test_a_change_with_errors_leaves_the_report_that_passed():
    before = with_report(1)
    session = played("break it", wanting("modify_report", BROKEN), before, turn="broken")
    end = finished(session)
    assert session.report == before.report and end.version == 1 and end.files == {}
    assert end.status == "unfinished" and not end.complete and session.versions[-1].template == ref("modified")
    assert "stays version 1" in end.reply and "kept as version 2" in end.reply and "Overlap 0." in end.reply


def test_the_next_turn_knows_why_a_change_was_not_made():
    session = played("break it", wanting("modify_report", BROKEN), with_report(1), turn="broken")
    end, failure = finished(session), session.pending_failure_context
    assert end.status == "unfinished" and "Overlap 0." in end.reply and "Two elements overlap." in end.reply
    assert failure.attempts == 3 and len(failure.findings) == 2 and failure.error == "Two elements overlap."

    following = start("why?", (), session, "why")
    [command] = following.turn.awaiting.values()
    assert command.payload["failure"]["error"] == "Two elements overlap."


def test_a_change_that_passes_ends_the_failure():
    session = played("break it", wanting("modify_report", BROKEN), with_report(1), turn="broken")
    session = played("fix it", wanting("modify_report", {ModifyTemplate: [modified("fixed")]}), session, turn="fixed")
    assert session.pending_failure_context is None and session.status == "done"


def test_a_failed_turn_leaves_the_report_and_adds_to_the_history():
    report = with_report(2)
    session = played(
        "preview", wanting("consult_question", {AnswerQuestion: [failed("AnswerQuestion")]}), report, turn="f"
    )
    assert isinstance(end_of(session), TurnFailed)
    assert session.report == report.report and session.history[-1].text == "AnswerQuestion cannot be done."


def test_a_reply_is_in_the_language_of_the_words():
    script = wanting("undo_modification")
    assert finished(played("撤销", script)).reply == "没有可以撤销的修改。"
    assert finished(played("undo", script)).reply == "There is nothing to undo."


def test_the_next_turn_begins_after_an_abandoned_one():
    session = start()
    waiting = begin(session, starting("later", (), "later"))
    [command] = session.turn.awaiting.values()
    gone = abandon(waiting, command, BandsmithError("It broke."))
    assert [event.kind for event in gone.events if event.turn == "t"][-1] == "TurnFailed"
    assert gone.turn.id == "later" and not gone.turn.over and gone.waiting == []


def test_time_in_the_queue_is_not_counted_as_work():
    session = start()
    waiting = begin(session, starting("later", (), "later"))
    [command] = session.turn.awaiting.values()
    an_hour_later = command.time + timedelta(hours=1)
    gone = abandon(waiting, command.model_copy(update={"time": an_hour_later}), BandsmithError("It broke."))
    assert gone.turn.began == gone.turn.since == an_hour_later
