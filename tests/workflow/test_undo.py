"""Changes that are undone and redone, and earlier versions that are restored."""

from __future__ import annotations

import pytest

from bandsmith.shared.events import ModifyTemplate

from .play import BROKEN, finished, played, undone, wanting, with_report
from .service_events import modified, ref


def test_undo_brings_back_template_and_history_and_validates_again():
    before, after = with_report(2), undone(with_report(3))
    assert after.report.template == before.report.template
    assert after.versions[-1].author == "handle_undo" and after.versions[-1].passed
    assert [said.text for said in after.history[:-2]] == [said.text for said in before.history]
    assert finished(after).reply.startswith("The last change was undone: “change 2”.")


def test_at_most_five_changes_can_be_undone():
    session = undone(with_report(8), 5)
    assert session.report.template == ref("modified-2")
    again = undone(session)
    assert finished(again).reply == "There is nothing to undo." and again.report == session.report


def test_undo_never_takes_the_report_itself_away():
    before = with_report(1)
    session = undone(before)
    assert session.report == before.report and session.status == "done"
    assert finished(session).reply == "There is nothing to undo."


def test_redo_takes_an_undo_back_until_something_else_is_changed():
    redo = wanting("redo_modification")
    session = played("redo", redo, undone(with_report(2)), turn="redo")
    assert session.report.template == ref("modified-1")

    changed = played("again", wanting("modify_report"), undone(with_report(2)), turn="changed-again")
    assert finished(played("redo", redo, changed, turn="redo")).reply == "There is nothing to redo."


def test_undo_and_redo_can_be_repeated():
    session = undone(with_report(4), 3)
    for number in range(3):
        session = played("redo", wanting("redo_modification"), session, turn=f"redo-{number}")
    assert session.report.template == ref("modified-3")
    assert undone(session, 2).report.template == ref("modified-1")


def test_undo_restores_the_status():
    unfinished = played("a sales report", wanting("initial_generation", BROKEN), turn="broken")
    changed = played("fix it", wanting("modify_report", {ModifyTemplate: [modified("fixed")]}), unfinished, turn="fix")
    before = played("undo", wanting("undo_modification", BROKEN), changed, turn="undone")
    assert (unfinished.status, changed.status, before.status) == ("unfinished", "done", "unfinished")


def test_undo_takes_back_as_many_changes_as_are_named():
    session = played("undo the last two", wanting("undo_modification", steps=2), with_report(4), turn="u")
    assert session.report.template == ref("modified-1")
    assert (
        finished(session).reply.startswith("The last 2 changes were undone: “change 3”, “change 2”.")
        and finished(session).complete
    )
    redone = played("redo two", wanting("redo_modification", steps=2), session, turn="r")
    assert redone.report.template == ref("modified-3")


def test_the_reply_names_the_request_that_is_undone_and_not_one_that_changed_nothing():
    asked = played("what is a band?", wanting("consult_question"), with_report(3), turn="asked")
    back = undone(asked)
    assert finished(back).reply.startswith("The last change was undone: “change 2”.")
    again = played("undo", wanting("undo_modification"), back, turn="undo-again")
    assert finished(again).reply.startswith("The last change was undone: “change 1”.")
    redone = played("redo", wanting("redo_modification"), again, turn="redo")
    assert finished(redone).reply.startswith("The change was redone: “change 1”.")


def test_undo_of_more_than_there_is_says_so():
    session = played("undo 9", wanting("undo_modification", steps=9), with_report(3), turn="u")
    assert (
        session.report.template == with_report(1).report.template and "nothing more to undo" in finished(session).reply
    )
    assert not finished(session).complete


# --- an earlier version ---------------------------------------------------------------------------------------------


def test_a_restored_version_is_a_new_version_that_undo_takes_back():
    session = played("version 2", wanting("restore_version", version=2), with_report(4), turn="r")
    assert session.report.template == ref("modified-1") and session.report.number == 5
    assert session.report.author == "handle_restore" and "version 2 again" in finished(session).reply
    assert undone(session).report.template == ref("modified-3")


@pytest.mark.parametrize(("number", "reply"), [(9, "There is no version 9."), (3, "The report is version 3 already.")])
def test_a_version_that_cannot_be_restored_changes_nothing(number: int, reply: str):
    before = with_report(3)
    session = played("version", wanting("restore_version", version=number), before, turn="r")
    assert session.report == before.report and finished(session).reply.startswith(reply)
    assert finished(session).complete == (number == 3)


@pytest.mark.parametrize("number", [2, 3])
def test_what_is_asked_for_besides_an_earlier_version_is_said(number: int):
    missing = "The Excel file is not made yet."
    script = wanting("restore_version", version=number, undone=[missing])
    end = finished(played("version and a file", script, with_report(4) if number == 2 else with_report(3), turn="r"))
    assert end.reply.startswith(missing) and f"version {number}" in end.reply and not end.complete
