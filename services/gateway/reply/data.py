"""What is said at the end of a turn that filled a report, and the files that come with it."""

from __future__ import annotations

from bandsmith.shared.model.base import Ref
from bandsmith.shared.replies import listed, text

from ..state import Turn

BINDINGS, QUERY_TEMPLATE = "bindings.yaml", "report-query.jrxml"


def reply(turn: Turn) -> str | None:
    """The reply of a turn that filled a report; None for any other turn."""
    if not turn.filled:
        return _not_filled(turn)
    said = [text("turn.filling.filled", turn.language, count=turn.row_count)]
    if "pdf" in turn.filled or "png" in turn.filled:
        said.append(text("turn.filling.pages", turn.language, count=turn.filled_pages))
    names = [name for name in turn.filled_files if not name.endswith(".png") or name == "filled-1.png"]
    said.append(text("turn.reply.exported", turn.language, names=listed(names, turn.language)))
    if turn.works and not any(work.is_new for work in turn.works):
        said.append(text("data.binding.filled_by_file", turn.language))
    if turn.left_out:
        said.append(text("turn.filling.incomplete", turn.language))
    if turn.delivery and turn.left_out:
        said.append(text("runs.not_delivered", turn.language))
    if turn.delivered_to:
        said.append(text("runs.delivered", turn.language, places=listed(turn.delivered_to, turn.language)))
    return ("" if turn.language == "zh" else " ").join(said)


def _not_filled(turn: Turn) -> str | None:
    """The reply of a turn that was to fill a report from a source, and did not."""
    if not turn.works:
        return None
    is_written = any(work.state == "written" for work in turn.works)
    return text("data.binding.written_only" if is_written else "data.binding.not_filled", turn.language)


def files(turn: Turn) -> dict[str, Ref]:
    """The files of the filled report, and the queries that filled it."""
    made = {BINDINGS: turn.bindings, QUERY_TEMPLATE: turn.query_template}
    return turn.filled_files | {name: ref for name, ref in made.items() if ref}


def notes(turn: Turn) -> list[str]:
    """Notes about an attached file that was not used."""
    unused = any(document.kind == "data" for document in turn.attachments) and not turn.filled
    return [text("turn.filling.unused", turn.language)] if unused else []
