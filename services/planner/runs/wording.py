"""What a user is told and asked about scheduled runs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import ReadRunRequest
from bandsmith.shared.language import Language
from bandsmith.shared.model.run_request import RunRequest, RunView
from bandsmith.shared.replies import listed, text
from bandsmith.shared.runs.wording import excluded_words, local_time, run_line, shown_place

from .checks import ALL, NotPossible


def list_words(runs: Sequence[RunView], asked: Sequence[str], language: Language) -> str:
    """Return the runs that were asked for, a line each; all of them where none has such a name, or none was named."""
    if not runs:
        return text("runs.talk.none", language)
    found = [run for run in runs if any(_is_meant(run, name) for name in asked)]
    unknown = [text("runs.talk.no_such_run", language, name=listed(asked, language))] if asked and not found else []
    return "\n".join([*unknown, *(run_line(run, language) for run in found or runs)])


def _is_meant(run: RunView, name: str) -> bool:
    """Whether a name is that of the run, or a part of it: “the statement” may be “statement-2”."""
    return name == ALL or name.casefold() in (run.name.casefold(), *run.name.casefold().split("-"))


def new_run_words(command: ReadRunRequest, request: RunRequest, due: Sequence[datetime], zone: str) -> str:
    """Return a new run as it would be added: what, when, where the files go, and who is notified."""
    language, draft = command.language, request.draft
    code = "file" if not draft.source else "period" if draft.period else "source"
    formats = listed([form.upper() for form in draft.formats or ["pdf"]], language)
    what = text(f"runs.talk.fills.{code}", language, source=draft.source, period=draft.period, formats=formats)
    times = listed([local_time(moment, zone) for moment in due], language)
    places = listed([one for one in (shown_place(draft.folder), *draft.mail) if one], language)
    lines = [
        text("runs.talk.named", language, name=draft.name),
        text("runs.talk.due", language, times=times, zone=zone),
        text("runs.talk.delivers", language, places=places),
    ]
    if draft.each:
        lines.insert(0, text("runs.talk.divides", language, each=draft.each))
    if draft.excluded:
        lines.append(excluded_words(draft.excluded, language))
    if draft.tell:
        lines.append(text("runs.talk.tells", language, addresses=listed(draft.tell, language)))
    if draft.paused:
        lines.append(text("runs.talk.begins_paused", language, name=draft.name))
    if request.undone:
        lines.append(text("runs.talk.undone", language, undone=request.undone))
    return "\n".join([what, *lines, "", text("runs.talk.confirm.add", language)])


def change_words(command: ReadRunRequest, request: RunRequest) -> str:
    """Return what would be done with which runs."""
    views = [run for run in command.known_runs if run.name in request.names]
    lines = [run_line(run, command.language) for run in views]
    return "\n".join([*lines, "", text(f"runs.talk.confirm.{request.do}", command.language, count=len(views))])


def edit_words(run: RunView, lines: Sequence[str], undone: str, language: Language) -> str:
    """Return what would be different in a run, as a question."""
    more = [text("runs.talk.undone", language, undone=undone)] if undone else []
    question = text("runs.talk.confirm.change", language, name=run.name)
    return "\n".join([run_line(run, language), text("runs.talk.then", language), *lines, *more, "", question])


def gap_words(command: ReadRunRequest, request: RunRequest) -> str:
    """Return the question for what is missing."""
    names = listed([run.name for run in command.known_runs], command.language)
    return text(f"runs.talk.ask.{request.gap}", command.language, names=names)


def refused_words(refused: NotPossible | BadInput, language: Language) -> str:
    if isinstance(refused, NotPossible):
        return text(refused.code, language, **refused.values)
    return refused.message_zh if language == "zh" and refused.message_zh else refused.message


def unread_words(command: ReadRunRequest) -> str:
    return text("runs.talk.unread", command.language)
