"""What a turn begins with: what its command asks for, and what the session knows."""

from __future__ import annotations

import secrets
from typing import Any

from bandsmith.shared.events import Envelope, StartTurn
from bandsmith.shared.language import language_of
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.session import Intent
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
    beside = start.workpiece is not None
    saved = start.workpiece.version(envelope.time) if start.workpiece else session.report
    goes_on = not beside or start.answer is not None
    return Turn(
        id=envelope.turn,
        text=start.text,
        attachments=start.attachments,
        language=start.language or language_of(start.text),
        began=envelope.time,
        owner=owner_of_session(session.id),
        selection=start.selection,
        budget=budget,
        filling=start.filling,
        delivery=start.delivery,
        given_edits=start.edits,
        asking=start.asking,
        planning=start.planning,
        given_answer=start.answer,
        agrees=_decision(start),
        source=start.asking.source if start.asking else "",
        intent=_intent(start),
        version=start.action.version if start.action else None,
        format=start.action.format if start.action else None,
        formats=start.action.all_formats if start.action else [],
        saved=saved,
        history=[] if beside else session.history,
        archive=None if beside else session.archive,
        failure=None if beside else session.pending_failure_context,
        pending=session.pending if goes_on else None,
        conversation=session.asked,
        session_bindings=None if beside else session.bindings,
        session_name=session.name or start.name,
        after_runs=session.turn is not None and session.turn.intent == "manage_runs",
        answered=not beside and _is_answer(session.turn),
        **({} if beside else _last_answer(session.turn)),
        earlier=[] if beside else session.versions[-MAX_EARLIER_VERSIONS:],
        suspended=session.suspended if goes_on else None,
        numbered=session.versions[-1].number if session.versions else 0,
        template=saved.template if saved else None,
        data=saved.data if saved else None,
        upload=saved.upload if saved else None,
        node=workflow.first,
        since=envelope.time,
        attempts={workflow.first: 1},
        secret=secrets.token_hex(16),
    )


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
