"""A turn as other programs see it: how it begins, how it progresses, how it ends."""

from __future__ import annotations

from typing import Literal

from ..language import Language
from ..llm.base import Usage
from ..model.base import Ref
from ..model.document import Document
from ..model.session import Intent, Pending
from ..model.verdict import Finding, Likeness
from .base import Command, Event, TurnEvent

# --- a turn begins -------------------------------------------------------------------------------------------------


class StartTurn(Command):
    """A user says something, with or without files."""

    service = "gateway"
    answers = ("TurnQueued", "TurnFinished", "TurnFailed")
    text: str = ""
    attachments: list[Document] = []
    language: Language | None = None
    """Of the replies; None is that of the text."""
    name: str = ""
    """The session's, where this begins one."""


class TurnQueued(TurnEvent):
    """Another turn of the session is under way, and this one waits for it."""

    before: int
    """How many turns come first."""


class NodeStarted(TurnEvent):
    """Progress: the turn came to a node of the workflow."""

    node: str
    windows: int = 1
    """How many parts of the node's work run at the same time, as far as is known when it starts."""


class NodeFinished(TurnEvent):
    """Progress: the turn left a node, after so many seconds."""

    node: str
    seconds: float
    outcome: str = ""


# --- what goes wrong, and the end ----------------------------------------------------------------------------------


class StageFailed(Event):
    """A command cannot be carried out, ever."""

    command: str
    """The command's kind."""
    code: str
    message: str
    message_zh: str = ""


class TurnFinished(TurnEvent):
    """The turn is over, and this is what came of it."""

    status: Literal["done", "unfinished"]
    """Unfinished: corrections ran out; the files are the best version so far."""
    intent: Intent
    reply: str
    """What is said to the user, in the turn's language."""
    files: dict[str, Ref] = {}
    """By the name they have in the output folder."""
    version: int | None = None
    """The report's, where there is one."""
    passed: bool | None = None
    """None: nothing was validated."""
    likeness: Likeness | None = None
    corrections: int = 0
    findings: list[Finding] = []
    notes: list[str] = []
    asks: Pending | None = None
    """What the user is asked; the next turn of the session answers it."""
    usage: Usage = Usage()


class TurnFailed(TurnEvent):
    """The turn is over without a result: it could not begin, or a part of it failed for good."""

    code: str
    message: str
    message_zh: str = ""
