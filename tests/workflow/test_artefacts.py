"""Artefacts by kind: a session holds one of each, and undo works on the kind that the turn changed."""

from __future__ import annotations

from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.events import ClassifyIntent, ModifyTemplate, TurnFinished
from bandsmith.shared.model.session_parts import Snapshot, Version

from .play import Script, end_of, played, with_report
from .service_events import NOW, modified, ref, wants

UNDO: Script = {ClassifyIntent: [wants("undo_modification")]}
REDO: Script = {ClassifyIntent: [wants("redo_modification")]}


def table(number: int) -> Version:
    name = ref(f"table-{number}")
    return Version(kind="table", number=number, template=name, data=name, author="run_query", time=NOW)


def with_table(session: SessionState) -> SessionState:
    """The session after a turn that replaced one table by another."""
    snapshot = Snapshot(kind="table", version=table(3), status=session.status, last_entry=session.history[-1].number)
    artefacts = {**session.artefacts, "table": table(4)}
    return session.model_copy(update={"artefacts": artefacts, "undo": [*session.undo, snapshot]})


def test_a_report_is_what_it_was_when_a_table_is_undone():
    before = with_table(with_report(2))
    after = played("undo", UNDO, before, turn="undo")
    assert after.artefacts == {"report": before.report, "table": table(3)}
    end = end_of(after)
    assert isinstance(end, TurnFinished) and end.reply == "The last change was undone." and end.files == {}


def test_redo_restores_the_table_that_undo_took_away():
    before = with_table(with_report(1))
    after = played("redo", REDO, played("undo", UNDO, before, turn="undo"), turn="redo")
    assert after.artefacts == before.artefacts


def test_a_changed_report_is_undone_and_the_table_stays():
    session = with_table(with_report(1))
    script: Script = {ClassifyIntent: [wants("modify_report")], ModifyTemplate: [modified("later")]}
    changed = played("larger", script, session, turn="change")
    assert changed.report.template == ref("later") and changed.undo[-1].kind == "report"
    after = played("undo", UNDO, changed, turn="undo")
    assert after.report.template == session.report.template and after.artefacts["table"] == session.artefacts["table"]


def test_undoing_the_first_artefact_of_a_kind_leaves_none_of_it():
    session = with_report(1)
    first = Snapshot(kind="table", version=None, status="done", last_entry=2)
    session = session.model_copy(update={"artefacts": {**session.artefacts, "table": table(2)}, "undo": [first]})
    assert played("undo", UNDO, session, turn="undo").artefacts.keys() == {"report"}
