"""Messages about scheduled runs in a conversation: which there are, what is wanted of them, and their change.

The runs belong to the gateway, which carries out its own commands only while a turn of its awaits them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ..language import Language
from ..model.allowance import Allowance, Usage
from ..model.base import Ref
from ..model.errand import Errand
from ..model.run_request import RunChange, RunRequest, RunView
from ..model.session_parts import HistoryEntry, Version
from .base import Command, Event

# --- list_runs -------------------------------------------------------------------------------------------------------


class ListRuns(Command):
    """List the runs of the owner of the session."""

    service = "gateway"
    answers = ("RunsListed",)


class RunsListed(Event):
    known_runs: list[RunView]


# --- read_run --------------------------------------------------------------------------------------------------------


class ReadRunRequest(Command):
    """Read what a message wants of scheduled runs, and hold it against what is there."""

    service = "planner"
    answers = ("RunRequestRead",)
    text: str
    language: Language
    known_runs: list[RunView]
    owner: str
    """Whose runs and sources they are, as ``owner_of_session`` returns it."""
    run_request: RunRequest | None
    """What the turn before read, if the message answers its question."""
    run_title: str
    """Title of the report; empty if there is none."""
    bindings: Ref | None
    """The queries that filled the report, a ``BindingFile`` as YAML."""
    has_rows: bool
    """Whether a file of rows came with the message."""
    history: list[HistoryEntry] = []
    """What was said before."""
    agrees: bool | None = None
    """Whether the user says yes or no to the question before."""
    saved: Version | None = None
    """The session's report."""
    allowance: Allowance


class RunRequestRead(Event):
    run_step: Literal["tell", "ask", "confirm", "fill", "other"]
    """Whether the user is told something, asked for what is missing, or asked to agree to a change.

    ``fill``: the user has agreed that the report is filled once before, which ``work_errand`` does.
    ``other``: instead of an answer to the question before, the message is another request.
    """
    run_words: str
    """What the user is told or asked."""
    run_request: RunRequest | None
    """None: it could not be read."""
    run_zone: str = ""
    work_errand: Errand | None = None
    run_begins: datetime | None = None
    """Local time of the zone: nothing of a new run is due before."""
    usage: Usage = Usage()


# --- change_runs -----------------------------------------------------------------------------------------------------


class ChangeRuns(Command):
    """Add, pause, resume, start or remove runs exactly as the user agreed to it. Repeated, it changes nothing more."""

    service = "gateway"
    answers = ("RunsChanged",)
    run_change: RunChange
    language: Language


class RunsChanged(Event):
    changed_runs: list[RunView]
    """The runs as they are now; a removed one as it was."""
    run_refusal: str = ""
    """Why nothing was changed."""
