"""A call of ``several`` that concerns more than the calendar: its parts are prepared, asked about once, carried out.

Theory of operation
===================

Preparing takes the parts one by one through the nodes of single calls. Where a single call would ask the user, what the
part would do is kept, exactly as it will be carried out (``PreparedCall``). Once all are prepared, one question shows
them. After a yes the parts go through the nodes that carry out, in the order in which they were shown. After one that
is refused, nothing more is tried; the log says of each what became of it.

The changes of the calendar are one part, in the place of the first of them, so they are stored together or not at all.
A part that depends on what another one makes cannot be prepared before it: it is refused, and the model told which.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bandsmith.shared.model.parts import PreparedCall
from bandsmith.shared.replies import text
from bandsmith.shared.tools.schedule.several import parts_of

from .state import SessionState, Turn

Step = tuple[SessionState, Turn]
NOTHING_PREPARED: dict[str, Any] = {
    **{"work_errand": None, "work_change": None, "work_change_id": "", "work_refused": False, "work_outcome": ""},
    **{"work_shown": "", "work_result": "", "work_whole": None, "work_may_repeat": False},
}


def take_part(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Keep the part that was prepared, and take the next one; after the last, show them all as one call."""
    if turn.work_stage == "preparing":
        part = _prepared(turn)
        if problem := _misfit(part, turn):
            refused = turn.with_call("refused", problem)
            return session, turn.model_copy(update={"work_log": refused, "work_stage": "unfit"})
        turn = turn.model_copy(update={"work_parts": [*turn.work_parts, part]})
    else:
        assert turn.work_call is not None, "only a call of several comes here"
        begins = {"work_stage": "preparing", "work_batch": turn.work_call, "work_parts": []}
        turn = turn.model_copy(update=begins | {"work_left": parts_of(turn.work_call)})
    if turn.work_left:
        first, *left = turn.work_left
        return session, turn.model_copy(update=NOTHING_PREPARED | {"work_call": first, "work_left": left})
    shown = "\n\n".join(f"{number}. {part.shown}" for number, part in enumerate(turn.work_parts, 1))
    asks = {"work_stage": "", "work_call": turn.work_batch, "work_shown": shown}
    return session, turn.model_copy(update=NOTHING_PREPARED | asks)


def make_part(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Take the next part that the user agreed to, exactly as it was shown."""
    batch = turn.work_batch if turn.work_stage == "making" else turn.work_call
    part, *left = turn.work_parts
    news: dict[str, Any] = {
        **{"work_stage": "making", "work_batch": batch, "work_parts": left, "work_call": part.call},
        **{"work_errand": part.errand, "work_shown": part.shown, "work_result": part.result, "work_whole": part.whole},
        **{"work_change": part.change, "work_change_id": part.change_id},
    }
    return session, turn.model_copy(update=NOTHING_PREPARED | news)


def _prepared(turn: Turn) -> PreparedCall:
    assert turn.work_call is not None, "a part is prepared"
    return PreparedCall(
        call=turn.work_call,
        shown=turn.work_shown,
        errand=turn.work_errand,
        change=turn.work_change,
        change_id=turn.work_change_id,
        result=turn.work_result,
        whole=turn.work_whole,
    )


def _misfit(part: PreparedCall, turn: Turn) -> str:
    """Return why a part cannot be asked about together with those before it; empty if it can.

    A turn with new queries waits for its answer beside the session: another turn there would take its place.
    """
    made = next((number for number, one in enumerate(turn.work_parts, 1) if one.makes_report), None)
    if made is not None and part.errand is not None:
        return text("schedule.several_needs_report", turn.language, number=made)
    if part.shows_queries and any(one.runs_turn for one in turn.work_parts):
        return text("schedule.several_queries_first", turn.language)
    return ""
