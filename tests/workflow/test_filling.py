"""A turn that fills a report: what leads to it, what it prints, and what it leaves as it is."""

from __future__ import annotations

from typing import Any

import pytest

from bandsmith.shared.events import (
    BindData,
    ClassifyIntent,
    DataBound,
    DeliverFiles,
    FilesDelivered,
    ReadFilling,
    StageFailed,
    TurnFinished,
)
from bandsmith.shared.events import FillingRead as Read
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.run import Delivery

from .play import PICTURE, ROWS_FILE, TEMPLATE, WORKBOOK, Script, end_of, nodes, play, played, start, with_report
from .service_events import ref, wants

JSON = Document(name="rows.json", content=ref("json"))
FILLED: Script = {ReadFilling: [Read(filling=Filling(formats=["pdf", "xlsx"]))]}


@pytest.mark.parametrize("file", [ROWS_FILE, WORKBOOK, JSON])
def test_a_file_and_the_words_for_it_fill_the_sessions_report(file: Document):
    before = with_report()
    after = played("fill it with this file", FILLED, before, (file,), turn="filling")
    end = end_of(after)
    assert isinstance(end, TurnFinished) and end.intent == "fill_report" and end.complete
    assert list(end.files) == ["filled.pdf", "filled.xlsx"]
    assert after.artefacts == before.artefacts and after.undo == before.undo


def test_a_workbook_is_not_read_as_a_form_when_it_holds_the_rows():
    session = start("fill it", (WORKBOOK,), with_report(), "filling")
    assert nodes(list(play(FILLED, session)))[-4:] == ["save_state_snapshot", "read_data", "fill", "finalize"]


def test_a_workbook_with_other_words_is_read_as_a_form():
    script: Script = {ReadFilling: [Read(filling=None)], ClassifyIntent: [wants("initial_generation", replaces=True)]}
    assert "generate_skeleton" in nodes(list(play(script, start("a report", (WORKBOOK,), with_report(), "new"))))


def test_a_client_that_asks_for_a_filling_needs_no_words():
    session = start("", (TEMPLATE, ROWS_FILE), None, "filling", filling=Filling(parameters={"month": "3"}))
    *_, last = play(None, session)
    end = end_of(last)
    assert isinstance(end, TurnFinished) and list(end.files) == ["filled.pdf"] and last.report is None


def test_filled_files_are_delivered_before_the_turn_ends():
    delivery = Delivery(folder="reports", mail=["ann@example.com"])
    session = start("", (TEMPLATE, ROWS_FILE), None, "filling", filling=Filling(), delivery=delivery)
    *_, last = steps = list(play({DeliverFiles: [FilesDelivered(delivered_to=["reports/a.pdf"])]}, session))
    end = end_of(last)
    assert nodes(steps)[-3:] == ["fill", "deliver_files", "finalize"]
    assert isinstance(end, TurnFinished) and end.complete and "reports/a.pdf" in end.reply


def test_files_that_cannot_be_delivered_stay_with_the_turn_which_says_why():
    message = "The folder cannot be written."
    refused = StageFailed(command="DeliverFiles", code="delivery", message=message, retryable=True)
    session = start("", (TEMPLATE, ROWS_FILE), None, "filling", filling=Filling(), delivery=Delivery(folder="reports"))
    *_, last = play({DeliverFiles: [refused]}, session)
    end = end_of(last)
    assert isinstance(end, TurnFinished) and not end.complete and end.retryable
    assert list(end.files) == ["filled.pdf"] and message in end.reply and not end.notes


@pytest.mark.parametrize("blank", [{"left_out": 1}, {"without_value": 1}])
def test_a_report_that_lacks_values_is_not_delivered(blank: dict[str, Any]):
    bound = DataBound(rows=ref("rows"), row_count=1, notes=["Nothing fills Customer."], **blank)
    session = start("", (TEMPLATE, ROWS_FILE), None, "filling", filling=Filling(), delivery=Delivery(folder="reports"))
    steps = list(play({**FILLED, BindData: [bound]}, session))
    end = end_of(steps[-1])
    assert "deliver_files" not in nodes(steps)
    assert isinstance(end, TurnFinished) and not end.complete and "not delivered" in end.reply
    assert end.notes == ["Nothing fills Customer."]


def test_a_value_without_a_filling_leaves_a_report_that_is_not_sent_complete():
    bound = DataBound(rows=ref("rows"), row_count=1, without_value=1, notes=["Nothing fills Customer."])
    end = end_of(played("fill it", {**FILLED, BindData: [bound]}, with_report(), (ROWS_FILE,), turn="filling"))
    assert isinstance(end, TurnFinished) and end.complete


def test_a_place_that_refused_the_files_is_named_beside_the_others():
    told = FilesDelivered(
        delivered_to=["reports/a.pdf"], left_out=1, notes=["The mail server refused ann@example.com."]
    )
    delivery = Delivery(folder="reports", mail=["ann@example.com"])
    session = start("", (TEMPLATE, ROWS_FILE), None, "filling", filling=Filling(), delivery=delivery)
    *_, last = play({DeliverFiles: [told]}, session)
    end = end_of(last)
    assert isinstance(end, TurnFinished) and not end.complete and end.notes == told.notes
    assert "reports/a.pdf" in end.reply and "not delivered" not in end.reply


def test_a_filling_without_a_report_says_that_there_is_none():
    *_, last = play(None, start("", (ROWS_FILE,), None, "filling", filling=Filling()))
    end = end_of(last)
    assert isinstance(end, TurnFinished) and not end.complete and "no report yet" in end.reply


def test_what_could_not_be_filled_makes_the_turn_incomplete():
    bound = DataBound(rows=ref("rows"), row_count=1, left_out=2, notes=["No column for Qty."])
    script: Script = {**FILLED, BindData: [bound]}
    end = end_of(played("fill it", script, with_report(), (ROWS_FILE,), turn="filling"))
    assert isinstance(end, TurnFinished) and not end.complete and end.notes == ["No column for Qty."]
    assert "filled with one row" in end.reply


def test_a_json_file_that_is_not_used_is_said():
    script: Script = {ReadFilling: [Read(filling=None)], ClassifyIntent: [wants("preview_report")]}
    end = end_of(played("show me", script, with_report(), (JSON,), turn="shown"))
    assert isinstance(end, TurnFinished) and any("was not used" in note for note in end.notes)


def test_a_picture_beside_the_file_is_a_form_to_build():
    assert ReadFilling.kind() not in [
        command.kind
        for session in play(None, start("build this", (PICTURE, ROWS_FILE), with_report(), "pictured"))
        for command in session.turn.awaiting.values()
    ]
