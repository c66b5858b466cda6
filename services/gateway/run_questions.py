"""The gateway's questions about scheduled runs, and the turn that goes on after the answer."""

from __future__ import annotations

from datetime import datetime

from bandsmith.shared.language import language_of
from bandsmith.shared.model.session_parts import Pending
from bandsmith.shared.replies import text

from .state import SessionState, Turn
from .task import with_objection

RUN_FACTS = {
    *("text", "attachments", "language", "intent"),
    *("known_runs", "run_request", "run_step", "run_zone", "run_begins", "saved", "session_bindings", "work_errand"),
}
"""What the turn that asks knows, and the turn that goes on needs: also the report as it was shown."""
OWN_FACTS = {"text", "attachments", "language", "saved", "session_bindings"}
"""What a turn that goes on to something else has from its own beginning."""
KEPT_GAPS = ("report", "fill")
"""What is missing of a run while its request is kept through other turns."""


def forget_run(session: SessionState, turn: Turn, _: datetime) -> tuple[SessionState, Turn]:
    """Go on with what was said as a request of its own, without the run that it could have corrected."""
    facts = {name: Turn.model_fields[name].get_default(call_default_factory=True) for name in RUN_FACTS - OWN_FACTS}
    said = {"text": turn.said, "said": "", "attachments": [], "language": language_of(turn.said)}
    now = {"saved": session.report, "session_bindings": session.bindings}
    return session, turn.model_copy(update=facts | said | now)


def ask_about_run(session: SessionState, turn: Turn, now: datetime) -> tuple[SessionState, Turn]:
    """End the turn with a question: what is missing, or whether the change is right."""
    turn = turn.model_copy(update={"session_bindings": turn.filled_by})
    is_refused = turn.run_step == "fill" and turn.work_outcome != "shown"
    if is_refused:
        turn = turn.model_copy(update={"run_step": "ask", "work_errand": None})
    pending = Pending(
        kind="confirmation" if _is_yes_or_no(turn) else "question",
        text=_question(turn, is_refused=is_refused),
        id=f"{turn.id}-run",
        asked=now,
    )
    return session, turn.model_copy(
        update={"asks": pending, "suspends": turn.model_dump(mode="json", include=RUN_FACTS)}
    )


def _is_yes_or_no(turn: Turn) -> bool:
    request = turn.run_request
    offers = request is not None and request.gap == "fill" and bool(request.draft.source)
    return turn.run_step in ("confirm", "fill") or offers


def _question(turn: Turn, *, is_refused: bool) -> str:
    """Return the question, after what came of a filling in this turn."""
    if turn.run_step == "fill":
        return text("runs.first_filling.queries", turn.language, shown=turn.work_shown)
    question = text("runs.first_filling.again", turn.language) if is_refused else turn.run_words
    return "\n\n".join(filter(None, [turn.work_result, question]))


def take_run_answer(turn: Turn, answer: Turn) -> Turn:
    """Return the turn that asked as it goes on after the turn that answers it.

    Where it showed queries, it goes on with what the user says of them; where the run was kept through other turns,
    with the report as it is now. A file of rows may come with the answer.
    """
    rows = [document for document in answer.attachments if document.is_table]
    news: dict[str, object] = {"attachments": rows} if rows else {}
    if turn.run_request is not None and turn.run_request.gap in KEPT_GAPS and turn.run_step == "ask":
        news |= {"saved": answer.saved, "session_bindings": answer.session_bindings}
    turn = turn.model_copy(update=news)
    objects = turn.run_step == "fill" and turn.agrees is None and bool(turn.said.strip())
    return with_objection(turn) if objects else turn


def keeps_run_waiting(turn: Turn) -> Turn:
    """Return a turn that did something else while a run waits for its report: the run's question stays open.

    The run is given up where the turn asks a question of its own, and goes on where the turn is about a run itself.
    """
    suspended = turn.suspended or {}
    request = suspended.get("run_request") or {}
    is_kept = suspended.get("run_step") == "ask" and request.get("gap") in KEPT_GAPS and turn.pending is not None
    is_about_it = turn.run_request is not None and turn.run_request.do == "add"
    if not is_kept or is_about_it or turn.agrees is False or turn.is_refused:
        return turn
    if turn.asks:
        return turn.model_copy(update={"notes": [*turn.notes, text("runs.first_filling.given_up", turn.language)]})
    note = text("runs.first_filling.waits", turn.language)
    return turn.model_copy(update={"notes": [*turn.notes, note], "suspends": turn.suspended, "leaves": turn.pending})
