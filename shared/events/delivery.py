"""Messages about where the files of a turn go, and about the failure of a scheduled run."""

from __future__ import annotations

from datetime import datetime

from ..language import Language
from ..model.base import Ref
from ..model.run import Delivery, MailAddress
from .base import Command, Event

# --- deliver_files ---------------------------------------------------------------------------------------------------


class DeliverFiles(Command):
    """Bring files to a folder, to mailboxes, or to a webhook. Delivered again, they replace what came before."""

    service = "planner"
    answers = ("FilesDelivered",)
    delivery: Delivery
    files: dict[str, Ref]
    """By name."""
    key: str
    """The same for a delivery that is repeated: receivers tell by it."""
    language: Language = "en"


class FilesDelivered(Event):
    delivered_to: list[str]
    """The folder with the names of its files, the mailboxes and the webhook's host."""
    left_out: int = 0
    """How many of the places refused the files."""
    notes: list[str] = []
    """Which and why, in the turn's language."""


# --- of the gateway's clock ------------------------------------------------------------------------------------------


class SendNotice(Command):
    """Tell by mail that a scheduled run failed."""

    service = "planner"
    answers = ("NoticeSent",)
    of_turns = False
    to: list[MailAddress]
    run: str
    due: datetime
    zone: str = "UTC"
    """The time zone that `due` is shown in."""
    reason: str
    language: Language = "en"


class NoticeSent(Event):
    to: list[str]
