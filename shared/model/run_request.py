"""What a user says about scheduled runs: what is to be done with which, and what a new one is like."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import Field

from .base import Value
from .run import MAX_EXCLUDED, MAX_MAILS, MAX_NAME_CHARS, MailAddress, Run
from .session_parts import Format

MAX_VIEWS = 100
"""Runs that a conversation is shown."""
RunAction = Literal["list", "add", "pause", "resume", "cancel", "now", "change"]
RunPart = Literal["period", "each", "formats", "folder", "excluded", "mail", "tell"]
"""What a correction can take out of a run that is shown."""
RunGap = Literal["", "when", "where", "mail", "tell", "which", "period", "report", "fill"]
"""What has to be asked: when it is due, where the files go, whose address, which run, the rows of which period.
``report``: there is none yet; ``fill``: it has to be filled once before."""


class RunView(Value):
    """A run, as a conversation shows it."""

    name: str
    rule: str
    """Five fields of cron, or an RRULE."""
    zone: str
    next_due: datetime | None = None
    """None: its times are over."""
    paused: bool = False
    running: bool = False
    places: list[str] = []
    """Where its files go."""
    last: Literal["", "done", "failed", "skipped"] = ""
    """How it ended the last time."""


class RunDraft(Value):
    """A new run, as far as it is known."""

    name: str = Field(default="", max_length=MAX_NAME_CHARS)
    rule: str = Field(default="", max_length=500)
    """Five fields of cron, or an RRULE."""
    source: str = Field(default="", max_length=40)
    """Name of the source of the rows; empty for the one of the queries that are kept."""
    period: str = Field(default="", max_length=60)
    """The period of the rows in the user's words: "last month"."""
    each: str = Field(default="", max_length=80)
    """What the rows are divided by: a report for each "customer"."""
    formats: list[Format] = []
    folder: str = Field(default="", max_length=500)
    mail: list[MailAddress] = Field(default=[], max_length=MAX_MAILS)
    excluded: list[date] = Field(default=[], max_length=MAX_EXCLUDED)
    """Days on which nothing is due."""
    mails_user: bool = False
    """Whether the files go to the user by mail, at an address that was not said."""
    tell: list[MailAddress] = Field(default=[], max_length=MAX_MAILS)
    tells_user: bool = False
    """Whether the user gets a mail when it fails, at an address that was not said."""
    paused: bool = False
    """Whether it begins paused."""


class RunEdit(Value):
    """What is to be different in a run that there is; what is empty stays as it is."""

    rule: str = Field(default="", max_length=500)
    """Five fields of cron, or an RRULE."""
    excluded: list[date] = Field(default=[], max_length=MAX_EXCLUDED)
    """Further days on which nothing is due."""
    period: str = Field(default="", max_length=60)
    formats: list[Format] = []
    folder: str = Field(default="", max_length=500)
    mail: list[MailAddress] = Field(default=[], max_length=MAX_MAILS)
    tell: list[MailAddress] = Field(default=[], max_length=MAX_MAILS)

    @classmethod
    def of(cls, draft: RunDraft) -> RunEdit:
        return cls.model_validate(draft.model_dump(include=set(cls.model_fields)))

    def __bool__(self) -> bool:
        return self != RunEdit()

    def applied_to(self, run: Run) -> Run:
        """Return the run as it is then. A folder or address takes the place of those before of its kind."""
        excluded = sorted({*run.times.excluded, *self.excluded})[-MAX_EXCLUDED:]
        times = run.times.model_copy(update={"rule": self.rule or run.times.rule, "excluded": excluded})
        filling = {"period": self.period or run.filling.period, "formats": self.formats or run.filling.formats}
        places = {"folder": self.folder or run.delivery.folder, "mail": self.mail or run.delivery.mail}
        return run.model_copy(
            update={
                "times": times,
                "filling": run.filling.model_copy(update=filling),
                "delivery": run.delivery.model_copy(update=places),
                "tell": self.tell or run.tell,
            }
        )


class RunRequest(Value):
    """What is to be done with scheduled runs."""

    do: RunAction
    names: list[str] = Field(default=[], max_length=MAX_VIEWS)
    """Of the runs that are there. "all" means all of them."""
    draft: RunDraft = RunDraft()
    undone: str = Field(default="", max_length=1_000)
    """What of the request a run cannot do."""
    gap: RunGap = ""
    wording: str = Field(default="", max_length=400)
    """How a run that there is is to be instead, in the user's words."""


class RunChange(Value):
    """A change of scheduled runs, exactly as the user agreed to it."""

    do: RunAction
    names: list[str]
    run: Run | None = None
    """The run that is added."""
    begins_paused: bool = False
    edit: RunEdit = RunEdit()
    """What is to be different in the runs that are named."""
    at: datetime
    """When the user agreed: a run that is started now is due then."""
