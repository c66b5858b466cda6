"""Scheduled runs: what is printed when, with which data, and where the files go."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field, NaiveDatetime

from ..language import Language
from .base import Value
from .document import Document
from .filling import Filling

MAX_NAME_CHARS = 48
RUN_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,47}"
MAX_RETRIES = 5
MAX_RESULTS = 20
"""How many results of a run are kept."""
MAX_MAILS = 20
MAX_EXCLUDED = 400

MailAddress = Annotated[str, Field(pattern=r"^[^@\s,;<>\"]{1,64}@[^@\s,;<>\"]{1,190}$")]
Missed = Literal["latest", "all", "skip"]
"""What happens with times at which nothing was running: the last one is made up for, each of them, or none."""


class Delivery(Value):
    """Where the files of a turn go. Each place that is named gets all of them."""

    title: str = Field(default="", max_length=200)
    """What the files begin with, and what a mail is about."""
    key: str = Field(default="", max_length=200)
    """The same for a delivery that another turn repeats; empty: that of the turn."""
    folder: str = Field(default="", max_length=500)
    """A folder below the one of ``BANDSMITH_DELIVERY_FOLDER``."""
    mail: list[MailAddress] = Field(default=[], max_length=MAX_MAILS)
    webhook: str = Field(default="", max_length=2000)
    """An address whose host is one of ``BANDSMITH_WEBHOOK_HOSTS``."""

    @property
    def places(self) -> list[str]:
        return [place for place in (self.folder, *self.mail, self.webhook) if place]


class Times(Value):
    """When something is due, in local time of a zone."""

    rule: str = Field(min_length=1, max_length=500)
    """Five fields of cron, or an RRULE of iCalendar."""
    zone: str = Field(max_length=64)
    """Name of an IANA time zone."""
    begins: NaiveDatetime
    """Local time, without a zone: nothing is due before. An RRULE without BYHOUR takes the time of day from it."""
    excluded: list[date] = Field(default=[], max_length=MAX_EXCLUDED)
    """Days on which nothing is due."""


class Run(Value):
    """A report that is filled and delivered at given times."""

    name: str = Field(pattern=f"^{RUN_NAME}$")
    template: Document
    data: Document | None = None
    """The file of rows; None: the filling names a source."""
    filling: Filling = Filling()
    """The values of parameters may contain {date}, {month}, {last_month}, {year} and {last_year}."""
    times: Times
    delivery: Delivery
    language: Language = "en"
    missed: Missed = "latest"
    retries: int = Field(default=2, ge=0, le=MAX_RETRIES)
    tell: list[MailAddress] = Field(default=[], max_length=MAX_MAILS)
    """Who gets a mail when a run fails for good."""


class RunAttempt(Value):
    """A turn that a run started."""

    due: datetime
    turn: str
    number: int = Field(ge=1)
    """1 for the first try at this time."""
    after: int
    """Its events come after this place of the log."""
    not_before: datetime
    """When the turn is to begin: a retry waits."""


class RunResult(Value):
    """How a run ended at one of its times."""

    due: datetime
    ended: datetime
    outcome: Literal["done", "failed", "skipped"]
    attempts: int
    told: str
    """The reply of the turn, or why it failed."""


class RunState(Value):
    """A run and where it stands, as it is stored."""

    run: Run
    next_due: datetime | None
    """None: its times are over."""
    paused: bool = False
    current: RunAttempt | None = None
    owes_notice: bool = False
    """Whether those who are to be told of a failure have not been told yet."""
    results: list[RunResult] = []
    """The newest last."""
