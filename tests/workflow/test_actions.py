"""A turn that begins with an action in place of words: undo, redo, restore, export. No sentence is read."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from bandsmith.services.gateway.admission import refusal
from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.events import StartTurn
from bandsmith.shared.model.action import Action

from .play import PICTURE, finished, nodes, play, start, starting, with_report
from .service_events import ref


def acted(session: SessionState | None, **action: object) -> list[SessionState]:
    begun = start("", (), session, "acted", action=Action.model_validate(action))
    return list(play(None, begun))


def test_undo_and_redo_need_no_sentence():
    *_, undone = back = acted(with_report(3), do="undo")
    assert undone.report.template == ref("modified-1") and "classify_intent" not in nodes(back)
    begun = start("", (), undone, "redone", action=Action(do="redo"))
    *_, redone = play(None, begun)
    assert redone.report.template == ref("modified-2")


def test_a_version_is_restored_by_its_number():
    *_, session = acted(with_report(4), do="restore", version=2)
    assert session.report.template == ref("modified-1") and "version 2 again" in finished(session).reply


@pytest.mark.parametrize(
    ("form", "name"), [("pdf", "report.pdf"), ("jrxml7", "report-7.jrxml"), ("java", "report-java.zip")]
)
def test_a_report_is_exported_in_the_chosen_format(form: str, name: str):
    *_, session = acted(with_report(), do="export", format=form)
    assert list(finished(session).files) == [name] and finished(session).complete
    assert session.report.number == 1


@pytest.mark.parametrize("action", [{"do": "export", "format": "pdf"}, {"do": "undo"}, {"do": "restore", "version": 1}])
def test_an_action_without_a_report_says_what_is_missing(action: dict[str, object]):
    *_, session = acted(None, **action)
    assert not finished(session).complete and finished(session).reply


@pytest.mark.parametrize(
    "more", [{"attachments": (PICTURE,)}, {"attachments": (), "edits": (Delete(element="line"),)}], ids=["file", "edit"]
)
def test_an_action_goes_alone(more: dict[str, Any]):
    envelope = starting("", turn="acted", action=Action(do="undo"), **more)
    error = refusal(with_report(), StartTurn.model_validate(envelope.payload))
    assert error is not None and "take no file" in error.message


@pytest.mark.parametrize("action", [{"do": "restore"}, {"do": "export"}, {"do": "undo", "version": 1}, {"do": "reset"}])
def test_an_action_names_what_it_needs_and_nothing_else(action: dict[str, object]):
    with pytest.raises(ValidationError):
        Action.model_validate(action)
