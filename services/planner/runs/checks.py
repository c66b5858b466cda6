"""What a run needs before it can be added, and which runs a message means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import count

from bandsmith.shared.events import ReadRunRequest
from bandsmith.shared.model.binding import BindingFile
from bandsmith.shared.model.run_request import RunGap, RunRequest, RunView

from ..data.asked_sources import named_source
from ..language.periods import read_period

ALL = "all"
MAX_SLUG_CHARS = 24


class NotPossible(Exception):
    """A request that cannot be fulfilled; the code is that of the text which says why."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values


class NotFilled(NotPossible):
    """The report is not there, or was never filled as the run is to fill it."""

    def __init__(self, code: str, source: str = "", **values: object) -> None:
        super().__init__(f"runs.first_filling.{code}", **values)
        self.source = source
        """The source that the report was filled from, if any."""


def completed(command: ReadRunRequest, request: RunRequest, bindings: BindingFile | None) -> RunRequest:
    """Return the request with a name that is free and the source of its rows.

    Raises ``NotFilled`` where the report has to be filled first, ``BadInput`` and ``NotPossible`` for other requests.
    """
    if not command.run_title:
        raise NotFilled("missing_report")
    draft = request.draft
    taken = {run.name for run in command.known_runs}
    if draft.name and draft.name in taken:
        raise NotPossible("runs.talk.taken", name=draft.name)
    name = draft.name or _free_name(command.run_title, taken)
    if command.has_rows and not draft.source:
        return request.model_copy(update={"draft": draft.model_copy(update={"name": name, "period": ""})})
    if bindings is None:
        raise NotFilled("unknown_queries")
    if draft.source and draft.source != bindings.source:
        raise NotFilled("other_source", bindings.source, wanted=draft.source, known=bindings.source)
    source = named_source(bindings.source, command.owner).name
    if draft.each and not bindings.each:
        raise NotFilled("each_unknown", source, each=draft.each)
    if bindings.each and not draft.each:
        raise NotPossible("runs.talk.only_each", each=bindings.each)
    # A run divides the rows as its queries do, whatever words the user said; the confirmation shows by what.
    new = {"name": name, "source": source, "each": bindings.each}
    return request.model_copy(update={"draft": draft.model_copy(update=new)})


def gap_in(command: ReadRunRequest, request: RunRequest, bindings: BindingFile | None) -> RunGap:
    """Return what has to be asked before a run can be added."""
    draft = request.draft
    if not draft.rule:
        return "when"
    if draft.mails_user:
        return "mail"
    if not (draft.folder or draft.mail):
        return "where"
    if draft.tells_user:
        return "tell"
    needs_period = bool(draft.source) and bindings is not None and bool(bindings.periods)
    return "period" if needs_period and read_period(draft.period, date.today()) is None else ""


def named_runs(known: Sequence[RunView], said: Sequence[str]) -> list[str]:
    """Return the runs that are meant; none where that is not clear."""
    names = [run.name for run in known]
    if ALL in said and ALL not in names:
        return names
    found = [name for one in said for name in names if name.casefold() == one.casefold()]
    if found or said:
        return found if len(found) == len(said) else []
    return names if len(names) == 1 else []


def _free_name(title: str, taken: set[str]) -> str:
    slug = re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-").lower()[:MAX_SLUG_CHARS].strip("-") or "report"
    return next(name for number in count(1) if (name := slug if number == 1 else f"{slug}-{number}") not in taken)
