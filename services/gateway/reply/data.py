"""The reply at the end of a turn that filled a report, and the files that come with it."""

from __future__ import annotations

from bandsmith.shared.events import DeliverFiles
from bandsmith.shared.model.base import Ref
from bandsmith.shared.replies import listed, message_in, text

from ..state import Turn

MAX_NAMES = 8
"""More files are not named one by one."""
BINDINGS, QUERY_TEMPLATE = "bindings.yaml", "report-query.jrxml"


def reply(turn: Turn) -> str | None:
    """The reply of a turn that filled a report; None for any other turn."""
    if not turn.filled:
        return _not_filled(turn)
    said = [_filled(turn)]
    if set(turn.fill_formats) & {"pdf", "png"}:
        code = "pages_in_all" if turn.parts else "pages"
        said.append(text(f"turn.filling.{code}", turn.language, count=turn.filled_pages))
    names = [name for name in turn.filled_files if not name.endswith(".png") or name.endswith("-1.png")]
    if len(names) <= MAX_NAMES:
        said.append(text("turn.reply.exported", turn.language, names=listed(names, turn.language)))
    if turn.works and not any(work.is_new for work in turn.works):
        said.append(text("data.binding.filled_by_file", turn.language))
    if (turn.left_out or (turn.delivery and turn.without_value)) and not turn.delivered_to:
        said.append(text("turn.filling.incomplete", turn.language))
        if turn.delivery:
            said.append(text("runs.not_delivered", turn.language))
    if turn.mishap and turn.mishap.command == DeliverFiles.kind():
        said.append(text("runs.undelivered", turn.language, reason=message_in(turn.mishap, turn.language)))
    if turn.delivered_to:
        said.append(text("runs.delivered", turn.language, places=_places(turn)))
    return ("" if turn.language == "zh" else " ").join(said)


def _filled(turn: Turn) -> str:
    if not turn.parts:
        return text("turn.filling.filled", turn.language, count=turn.row_count)
    values = {"count": len(turn.parts), "rows": turn.row_count, "each": turn.fill_request.each}
    return text("turn.filling.filled_parts", turn.language, **values)


def _not_filled(turn: Turn) -> str | None:
    """The reply of a turn that was to fill a report from a source, and did not."""
    if not turn.works:
        return None
    is_written = any(work.state == "written" for work in turn.works)
    return text("data.binding.written_only" if is_written else "data.binding.not_filled", turn.language)


def _places(turn: Turn) -> str:
    """Return where the files are; of many in one folder, only the folder."""
    places = turn.delivered_to
    if len(places) > MAX_NAMES and turn.delivery is not None:
        folder = f"{turn.delivery.folder.rstrip('/')}/"
        rest = [place for place in places if not place.startswith(folder)]
        places = [folder, *rest] if len(rest) < len(places) else places
    return listed(places, turn.language)


def files(turn: Turn) -> dict[str, Ref]:
    """The files of the filled report, and the queries that filled it."""
    made = {BINDINGS: turn.bindings, QUERY_TEMPLATE: turn.query_template}
    return turn.filled_files | {name: ref for name, ref in made.items() if ref}


def notes(turn: Turn) -> list[str]:
    """Notes about an attached file that was not used."""
    unused = any(document.kind == "data" for document in turn.attachments) and not turn.filled
    return [text("turn.filling.unused", turn.language)] if unused else []
