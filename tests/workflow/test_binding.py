"""A turn that fills a report from a source: steps for all placeholders at once, review, and what is left."""

from __future__ import annotations

from datetime import datetime

from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.events import AnswerRead as Said
from bandsmith.shared.events import (
    BindingChecked,
    BindingTried,
    BindingWritten,
    CheckBinding,
    PlaceholdersRead,
    ReadAnswer,
    ReadPlaceholders,
    TryBinding,
    WriteBinding,
)
from bandsmith.shared.model.binding import BindingTrial, BindingWork, CheckedBinding, WrittenBinding
from bandsmith.shared.model.filling import Filling

from .play import answer, finished, nodes, play, start, with_report
from .service_events import MODEL, ROWS_KNOWN, ROWS_OPEN, RULES, TITLE_OPEN, ref

UNREADABLE = "It cannot be read."
REFUSED = CheckedBinding(query="SELEC", reason=UNREADABLE, problem=UNREADABLE, error_class="syntax")
OF_SHOP, REVIEWED = Filling(source="shop"), Filling(source="shop", review=True)


def read(*works: BindingWork, filling: Filling = OF_SHOP) -> PlaceholdersRead:
    return PlaceholdersRead(source="shop", database=ref("database"), works=list(works), filling=filling)


def fill(filling: Filling = OF_SHOP, script: dict | None = None, budget=MODEL) -> list[SessionState]:
    return list(play(script, start("", (), with_report(), "filling", budget, filling)))


def steps(sessions: list[SessionState]) -> list[str]:
    own = {"write_binding", "check_binding", "try_binding", "get_columns", "store_bindings", "fetch_rows", "fill"}
    return [node for node in nodes(sessions) if node in own]


def test_a_query_is_written_checked_tried_and_kept_before_the_report_is_filled():
    sessions = fill(script={ReadPlaceholders: [read(ROWS_OPEN)]})
    assert steps(sessions) == ["write_binding", "check_binding", "try_binding", "store_bindings", "fetch_rows", "fill"]
    end = finished(sessions[-1])
    assert end.complete and {"filled.pdf", "bindings.yaml"} <= set(end.files)


def test_placeholders_are_worked_on_at_the_same_time():
    sessions = fill(script={ReadPlaceholders: [read(ROWS_OPEN, TITLE_OPEN)]})
    at_once = {session.turn.node: len(session.turn.awaiting) for session in reversed(sessions) if session.turn.awaiting}
    assert {at_once[node] for node in ("write_binding", "check_binding", "try_binding")} == {2}
    assert steps(sessions).count("write_binding") == 1


def test_a_query_of_the_binding_file_is_checked_again_and_asks_no_model():
    sessions = fill(script={ReadPlaceholders: [read(ROWS_KNOWN)]}, budget=RULES)
    assert steps(sessions) == ["check_binding", "store_bindings", "fetch_rows", "fill"]
    assert "no language model was asked" in finished(sessions[-1]).reply


def test_without_a_model_a_missing_query_is_said():
    end = finished(fill(script={ReadPlaceholders: [read(ROWS_OPEN)]}, budget=RULES)[-1])
    assert not end.complete and "language model" in end.notes[0]


def test_a_refused_query_is_repaired_with_the_reason_and_the_pool_keeps_it():
    checks = [BindingChecked(name="(rows)", checked=one) for one in (REFUSED, CheckedBinding(query="q", permitted="q"))]
    sessions = fill(script={ReadPlaceholders: [read(ROWS_OPEN)], CheckBinding: checks})
    (work,) = sessions[-1].turn.works
    assert work.state == "bound" and work.memory.repairs == 1
    assert [one.reason for one in work.tried] == ["It cannot be read."]


def test_three_refusals_end_the_work_and_the_reason_is_said():
    script = {ReadPlaceholders: [read(ROWS_OPEN)], CheckBinding: [BindingChecked(name="(rows)", checked=REFUSED)]}
    end = finished(fill(script=script)[-1])
    assert not end.complete and "It cannot be read." in end.notes[0]


def test_a_column_that_the_database_does_not_know_has_the_columns_read_again():
    unknown = BindingTrial(reason="no such column", problem="no such column", error_class="unknown_name")
    trials = [
        BindingTried(name="(rows)", trial=unknown),
        BindingTried(name="(rows)", trial=BindingTrial(time=datetime(2026, 11, 22))),
    ]
    sessions = fill(script={ReadPlaceholders: [read(ROWS_OPEN)], TryBinding: trials})
    assert steps(sessions)[:6] == [
        "write_binding", "check_binding", "try_binding", "get_columns", "write_binding", "check_binding",
    ]  # fmt: skip


def test_a_checked_query_that_finds_no_database_counts_as_written():
    away = BindingTried(name="(rows)", trial=BindingTrial(reason="away", problem="away", error_class="connection"))
    sessions = fill(script={ReadPlaceholders: [read(ROWS_OPEN)], TryBinding: [away]})
    end = finished(sessions[-1])
    assert steps(sessions) == ["write_binding", "check_binding", *["try_binding"] * 3, "store_bindings"]
    assert not end.complete and list(end.files) == ["bindings.yaml"]


def test_a_value_that_the_source_does_not_have_leaves_the_others():
    def written(name: str, **values: str) -> BindingWritten:
        return BindingWritten(name=name, written=WrittenBinding(**values))

    begun = start("", (), with_report(), "filling", MODEL, OF_SHOP)
    *_, at = (one for one in play({ReadPlaceholders: [read(ROWS_OPEN, TITLE_OPEN)]}, begun) if at_writing(one))
    rows, title = at.turn.awaiting.values()
    at = answer(at, title, written("seller", reason="There are no sellers."))
    at = answer(at, rows, written("(rows)", query="SELECT 1"))
    *_, last = play(None, at)
    end = finished(last)
    assert "filled.pdf" in end.files and any("There are no sellers." in note for note in end.notes)


def at_writing(session: SessionState) -> bool:
    return len([one for one in session.turn.awaiting.values() if one.kind == WriteBinding.kind()]) == 2


# --- review -----------------------------------------------------------------------------------------------------------


def shown() -> SessionState:
    last = fill(REVIEWED, {ReadPlaceholders: [read(ROWS_OPEN, filling=REVIEWED)]})[-1]
    assert finished(last).asks is not None and "SELECT 1" in finished(last).reply
    return SessionState.model_validate_json(last.model_dump_json())  # everything was killed meanwhile


def said(text: str, agrees: bool | None) -> list[SessionState]:
    return list(play({ReadAnswer: [Said(agrees=agrees)]}, start(text, (), shown(), "answer", MODEL)))


def test_new_queries_are_shown_and_a_yes_fills_the_report_without_another_call():
    sessions = said("yes", agrees=True)
    assert steps(sessions) == ["store_bindings", "fetch_rows", "fill"]
    assert sessions[-1].turn.is_reviewed and sessions[-1].bindings == ref("bindings")


def test_a_no_drops_them():
    sessions = said("no", agrees=False)
    assert steps(sessions) == [] and finished(sessions[-1]).files.get("filled.pdf") is None


def test_words_have_them_written_again_and_shown_again():
    sessions = said("only paid orders", agrees=None)
    assert steps(sessions) == ["write_binding", "check_binding", "try_binding", "store_bindings"]
    written = [one for session in sessions for one in session.turn.awaiting.values() if one.kind == WriteBinding.kind()]
    assert written[0].payload["objections"] == ["only paid orders"] and finished(sessions[-1]).asks is not None


def test_queries_that_were_reviewed_are_not_shown_again():
    known = read(ROWS_KNOWN, filling=REVIEWED).model_copy(update={"is_reviewed": True})
    sessions = fill(REVIEWED, {ReadPlaceholders: [known]})
    assert finished(sessions[-1]).asks is None and steps(sessions)[-1] == "fill"


def test_a_query_that_is_added_to_reviewed_ones_is_shown_and_is_not_kept_as_reviewed():
    known = read(ROWS_KNOWN, TITLE_OPEN, filling=REVIEWED).model_copy(update={"is_reviewed": True})
    assert finished(fill(REVIEWED, {ReadPlaceholders: [known]})[-1]).asks is not None
    unasked = known.model_copy(update={"filling": OF_SHOP})
    assert not fill(OF_SHOP, {ReadPlaceholders: [unasked]})[-1].turn.is_reviewed


def test_queries_of_a_file_that_is_not_reviewed_are_shown():
    known = read(ROWS_KNOWN, filling=REVIEWED)
    assert finished(fill(REVIEWED, {ReadPlaceholders: [known]})[-1]).asks is not None
