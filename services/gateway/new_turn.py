"""What a turn begins with: what its command asks for, and what the session knows."""

from __future__ import annotations

import secrets
from typing import Any

from bandsmith.shared.events import Envelope, StartTurn
from bandsmith.shared.language import language_of
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.session_parts import Intent
from bandsmith.shared.model.source import AskedQuestion
from bandsmith.shared.owners import owner_of_session

from .state import SessionState, Turn
from .workflow import Workflow

MAX_EARLIER_VERSIONS = 20
"""How many versions a turn can refer to."""
ACTIONS: dict[str, Intent] = {
    "undo": "undo_modification",
    "redo": "redo_modification",
    "restore": "restore_version",
    "export": "export_file",
}
"""What a turn is for by the action that it begins with."""


def new_turn(
    session: SessionState, envelope: Envelope, start: StartTurn, budget: Allowance, workflow: Workflow
) -> Turn:
    """Return the turn that a command starts, with what the session knows at its beginning."""
    saved = start.workpiece.version(envelope.time) if start.workpiece else session.report
    return Turn(
        id=envelope.turn,
        began=envelope.time,
        owner=owner_of_session(session.id),
        budget=budget,
        session_name=session.name or start.name,
        conversation=session.asked,
        numbered=session.versions[-1].number if session.versions else 0,
        after_runs=session.turn is not None and session.turn.intent == "manage_runs",
        saved=saved,
        template=saved.template if saved else None,
        data=saved.data if saved else None,
        upload=saved.upload if saved else None,
        node=workflow.first,
        since=envelope.time,
        attempts={workflow.first: 1},
        secret=secrets.token_hex(16),
        **_asked_for(start),
        **_left_open(session, start),
        **_report_before(session, start),
    )


def _asked_for(start: StartTurn) -> dict[str, Any]:
    """Return the facts that the command itself gives."""
    return {
        "text": start.text,
        "attachments": start.attachments,
        "language": start.language or language_of(start.text),
        "selection": start.selection,
        "filling": start.filling,
        "delivery": start.delivery,
        "given_edits": start.edits,
        "asking": start.asking,
        "planning": start.planning,
        "given_answer": start.answer,
        "agrees": _decision(start),
        "source": start.asking.source if start.asking else "",
        "intent": _intent(start),
        "version": start.action.version if start.action else None,
        "format": start.action.format if start.action else None,
        "formats": start.action.all_formats if start.action else [],
    }


def _left_open(session: SessionState, start: StartTurn) -> dict[str, Any]:
    """Return what an earlier turn waits for; a turn about another workpiece takes it up only with an answer to it."""
    if start.workpiece and start.answer is None:
        return {}
    return {"pending": session.pending, "suspended": session.suspended}


def _report_before(session: SessionState, start: StartTurn) -> dict[str, Any]:
    """Return what earlier turns leave to one about the session's own report, and nothing to one about another."""
    if start.workpiece:
        return {"history": [], "archive": None, "failure": None}
    return {
        "history": session.history,
        "archive": session.archive,
        "failure": session.pending_failure_context,
        "session_bindings": session.bindings,
        "answered": _is_answer(session.turn),
        "earlier": session.versions[-MAX_EARLIER_VERSIONS:],
        **_last_answer(session.turn),
    }


def _intent(start: StartTurn) -> Intent:
    """Return what a turn is for, where that does not depend on its words."""
    if start.action:
        return ACTIONS[start.action.do]
    if start.edits:
        return "modify_report"
    if start.planning:
        return "plan_work"
    return "fill_report" if start.filling else "ask_data" if start.asking else "unknown"


def _decision(start: StartTurn) -> bool | None:
    """Return whether the turn begins with a yes or a no that needs no reading."""
    decision = start.answer.decision if start.answer else None
    return None if decision is None else decision == "accept"


def _is_answer(turn: Turn | None) -> bool:
    """Whether a turn answered a question about data with a query that a model wrote."""
    return turn is not None and turn.intent == "ask_data" and turn.result is not None and not turn.is_own_query


def _last_answer(turn: Turn | None) -> dict[str, Any]:
    """Return the rows and the question of a turn that answered one about data: "make that a report" means them."""
    if turn is None or turn.intent != "ask_data" or turn.result is None:
        return {}
    question = "" if turn.is_own_query else turn.whole_question or turn.question or turn.text
    asked = AskedQuestion(source=turn.source, question=question, query=turn.query)
    return {
        "answered_rows": turn.result,
        "answered_question": question,
        "answered_query": asked,
        "answered_database": turn.database,
    }
