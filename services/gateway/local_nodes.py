"""The gateway's own work at a node and at the end of a turn: versions, reset, the history."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.session_parts import HistoryEntry, Version
from bandsmith.shared.model.source import AskedQuestion
from bandsmith.shared.replies import text
from bandsmith.shared.tools.reports.build_report import BuildReport
from bandsmith.shared.turns.session import Failure

from .analysis import await_approval, check_plan, next_step
from .binding import confirm_bindings, plan_step
from .confirmation import ask_user, resume_turn
from .run_questions import ask_about_run, forget_run
from .several_calls import make_part, take_part
from .state import SessionState, Turn
from .task import ask_question, confirm_call, confirm_plan, end_task, refuse_answer
from .undo import MAX_REQUEST_CHARS, MAX_SNAPSHOTS, restore, take_snapshot, undo_or_redo, with_version

MAX_VERSIONS = 50
MAX_REPLY_CHARS = 2000
"""Longer replies are cut in the history."""
"""Longer requests are cut in the list of versions."""
MAX_ASKED = 3
"""How many questions about data a session remembers."""
MAX_FINDINGS = 10
"""How many findings of a failed turn the next turn's prompts contain."""

Step = tuple[SessionState, Turn]


def record(session: SessionState, turn: Turn, now: datetime) -> Step:
    """Add the turn's template and data to its versions, unless they are the last one."""
    last = turn.versions[-1] if turn.versions else turn.saved
    if turn.template is None or turn.data is None:
        return session, turn
    if last and (turn.template, turn.data) == (last.template, last.data):
        return session, turn
    before = None if turn.makes_report else turn.restored or turn.saved
    version = Version(
        number=turn.numbered + len(turn.versions) + 1,
        template=turn.template,
        data=turn.data,
        layout=before.layout if before else turn.layout,
        form=before.form if before else turn.form,
        author=turn.author,
        request=turn.text[:MAX_REQUEST_CHARS],
        time=now,
        edits=turn.applied,
        edited=turn.edited,
        upload=turn.upload,
    )
    return session, turn.model_copy(update={"versions": [*turn.versions, version]})


def reset(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Empty the session, except for its id and name and for what identifies its turns."""
    kept = {name: getattr(session, name) for name in ("id", "name", "unshared", "turn", "waiting", "past", "events")}
    return SessionState.model_validate(kept), turn.model_copy(
        update={"template": None, "data": None, "upload": None, "history": [], "archive": None}
    )


def keep_best(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Make the best version that was validated the session's report, in a way that can be undone.

    A version with errors does not take the place of one that passed: it only joins the versions.
    """
    if turn.best is None:
        return session, turn
    best = turn.best
    if turn.is_rejected:
        kept = {name: getattr(turn.saved, name) for name in ("template", "data", "upload")} if turn.saved else {}
        return session.model_copy(update={"pending_failure_context": _failure(turn)}), turn.model_copy(update=kept)
    saved = next((version for version in turn.versions if version.template == best.template), turn.saved)
    passed = best.verdict.passed
    changes: dict[str, object] = {
        "artefacts": with_version(session.artefacts, "report", saved),
        "status": "done" if passed else "unfinished",
        "pending_failure_context": None if passed else _failure(turn),
    }
    if turn.intent not in ("undo_modification", "redo_modification") and turn.is_new:
        # The building of the first report is no change: "never mind" must not take the report away. A reset does.
        before = [take_snapshot(session, turn, "report")] if "report" in session.artefacts else []
        changes |= {"undo": [*session.undo, *before][-MAX_SNAPSHOTS:], "redo": []}
    return session.model_copy(update=changes), turn.model_copy(update={"template": best.template, "data": best.data})


def adopt(session: SessionState, turn: Turn, now: datetime) -> Step:
    """Make the report that an errand of a task made the session's, in a way that can be undone.

    The queries that filled another report before are forgotten with it.
    """
    made = turn.work_report
    assert made is not None and turn.work_call is not None, "only an errand that made a report comes here"
    words = next((value for value in turn.work_call.arguments.values() if isinstance(value, str)), "")
    number = turn.numbered + len(turn.versions) + 1
    version = made.model_copy(update={"number": number, "request": words[:MAX_REQUEST_CHARS], "time": now})
    before = [take_snapshot(session, turn, "report")] if "report" in session.artefacts else []
    news: dict[str, object] = {
        "artefacts": with_version(session.artefacts, "report", version),
        "status": "done",
        "pending_failure_context": None,
        "undo": [*session.undo, *before][-MAX_SNAPSHOTS:],
        "redo": [],
    }
    facts: dict[str, object] = {
        **{name: getattr(version, name) for name in ("template", "data", "upload")},
        **{"saved": version, "versions": [*turn.versions, version], "work_report": None},
    }
    if turn.work_call.name == BuildReport.name:
        news["bindings"] = None
        facts |= {"session_bindings": None, "work_bindings": None}
    return session.model_copy(update=news), turn.model_copy(update=facts)


LOCAL_NODES: dict[str, Callable[[SessionState, Turn, datetime], Step]] = {
    "adopt_report": adopt,
    "ask_user": ask_user,
    "ask_question": ask_question,
    "ask_about_run": ask_about_run,
    "forget_run": forget_run,
    "confirm_call": confirm_call,
    "confirm_plan": confirm_plan,
    "deliver": end_task,
    "make_part": make_part,
    "take_part": take_part,
    "refuse_answer": refuse_answer,
    "plan_step": plan_step,
    "confirm_bindings": confirm_bindings,
    "check_plan": check_plan,
    "await_approval": await_approval,
    "next_step": next_step,
    "resume_turn": resume_turn,
    "handle_undo": undo_or_redo,
    "handle_restore": restore,
    "handle_reset": reset,
    "save_session": record,
    "validate": record,
    "finalize": keep_best,
}


def seen_by_models(turn: Turn, reply: str) -> str:
    """Return a reply as language models may see it later: without the rows of a query that names sensitive columns."""
    return text("data.reply.withheld", turn.language) if turn.is_sensitive else reply


def close(session: SessionState, turn: Turn, reply: str, now: datetime) -> SessionState:
    """Add the turn's request, reply and versions to the session."""
    history = turn.history
    words: list[tuple[Literal["user", "assistant"], str]] = [
        ("user", turn.said or turn.text),
        ("assistant", seen_by_models(turn, reply)[:MAX_REPLY_CHARS]),
    ]
    number = history[-1].number if history else 0
    for role, said in words:
        if said:
            number += 1
            history = [*history, HistoryEntry(number=number, role=role, text=said, time=now)]
    return session.model_copy(
        update={
            "history": history,
            "archive": turn.archive,
            "versions": [*session.versions, *turn.versions][-MAX_VERSIONS:],
            "changed": now,
            "asked": _asked(session, turn),
            "work": turn.work or session.work,
            "bindings": turn.bindings or turn.work_bindings or _bindings(session, turn),
        }
    )


def _bindings(session: SessionState, turn: Turn) -> Ref | None:
    """Return the queries that fill the session's report; a new report forgets those of the one before."""
    is_new = turn.intent == "initial_generation" and bool(turn.versions)
    return turn.answer_bindings if is_new else session.bindings


def _asked(session: SessionState, turn: Turn) -> list[AskedQuestion]:
    """The questions about data that the next one may refer to."""
    is_answered = bool(turn.query) and not turn.problem
    if turn.intent != "ask_data" or not (is_answered or turn.answer):
        return session.asked
    asked = AskedQuestion(
        source=turn.source,
        question=turn.whole_question or turn.question or turn.text,
        query=turn.query if is_answered else "",
        answer="" if is_answered else turn.answer,
    )
    return [*session.asked, asked][-MAX_ASKED:]


def _failure(turn: Turn) -> Failure:
    assert turn.best is not None, "only a version that was validated can be unfinished"
    return Failure(
        error=turn.explanation,
        findings=[finding.model_copy(update={"edits": []}) for finding in turn.best.errors[:MAX_FINDINGS]],
        template=turn.best.template,
        attempts=turn.corrections,
        time=turn.since,
    )
