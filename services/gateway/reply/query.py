"""The reply to a question about data at the end of a turn, and the files that come with it."""

from __future__ import annotations

from bandsmith.shared.markdown_text import unlinked
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.source import MAX_SHOWN_ROWS
from bandsmith.shared.replies import text

from ..state import Turn
from . import analysis


def reply(turn: Turn) -> str | None:
    """The reply of a turn that asked a question about data; None for any other turn."""
    if turn.intent != "ask_data":
        return None
    if turn.asking and turn.asking.analyse and not turn.is_own_query:
        return analysis.reply(turn)
    if turn.answer and not turn.query:
        return turn.answer
    if turn.problem:
        return text("data.reply.refused", turn.language, problem=unlinked(turn.problem))
    if turn.result is None:
        return "\n\n".join([f"```sql\n{turn.query}\n```", *_doubt(turn)])
    code = "data.reply.cut" if turn.is_cut else "data.reply.rows" if turn.row_count else "data.reply.no_rows"
    said = text(code, turn.language, count=turn.row_count)
    parts = [turn.preview, said] if turn.row_count else [said]
    if turn.row_count > MAX_SHOWN_ROWS:
        parts.append(text("data.reply.shown", turn.language, count=MAX_SHOWN_ROWS))
    parts += analysis.from_sources(turn)
    if turn.verified and "write_sql" not in turn.attempts:
        parts.append(text("data.reply.verified", turn.language, question=turn.verified))
    elif turn.follows and "write_sql" not in turn.attempts:
        parts.append(text("data.reply.followed", turn.language, question=turn.question))
    elif turn.is_rewritten:
        parts.append(text("data.reply.understood", turn.language, question=turn.question))
    return "\n\n".join([*parts, *_doubt(turn)])


def _doubt(turn: Turn) -> list[str]:
    return [text("data.reply.doubted", turn.language, doubt=turn.doubt)] if turn.doubt else []


def files(turn: Turn) -> dict[str, Ref]:
    """The rows and the query, by the name that each gets in the output folder."""
    if turn.analysis:
        return analysis.files(turn)
    made = {"result.csv": turn.rows_as_csv, "query.sql": turn.statement}
    return {name: ref for name, ref in made.items() if ref and not turn.problem}


def is_complete(turn: Turn) -> bool:
    if turn.asking and turn.asking.analyse and not turn.is_own_query:
        return analysis.is_complete(turn)
    return not turn.problem and not turn.doubt and not (turn.answer and not turn.query)
