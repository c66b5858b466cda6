"""Messages about a turn that external programs see: its beginning, its progress and its end."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..edits import AnyEdit
from ..errors import BandsmithError, RetryableError
from ..language import Language
from ..model.action import Action
from ..model.allowance import Usage
from ..model.base import Ref
from ..model.document import Document
from ..model.errand import Workpiece
from ..model.filling import Filling
from ..model.run import Delivery
from ..model.session_parts import Intent, Pending
from ..model.source import Asking
from ..model.task import Answer, Planning
from ..turns.verdict import Finding, Grade, Likeness
from .base import Command, Event, TurnEvent

MAX_TEXT_CHARS = 8000
"""Maximum length of what a user says in one turn."""
MAX_NAME_CHARS = 64
"""Maximum length of a session's name."""
MAX_SELECTED = 200
"""Maximum number of elements that a user may select for one turn."""
MAX_EDITS = 400
"""Maximum number of edits that one turn may ask for."""

# --- a turn begins -------------------------------------------------------------------------------------------------


class StartTurn(Command):
    """A user's message, with or without files, begins a turn."""

    service = "gateway"
    answers = ("TurnQueued", "TurnFinished", "TurnFailed")
    text: str = ""
    attachments: list[Document] = []
    language: Language | None = None
    """Language of the replies; None means that of the text."""
    name: str = ""
    """Name of the session, if the turn begins one."""
    filling: Filling | None = None
    """Fill a report with the attached CSV, XLSX or JSON file, whatever the text says; the report is that of the session
    unless a template is attached too."""
    selection: list[str] = Field(default=[], max_length=MAX_SELECTED)
    """Keys of the elements that the user selected on the page; "this" in the text refers to them."""
    edits: list[AnyEdit] = Field(default=[], max_length=MAX_EDITS)
    """Changes of the session's report, whatever the text says; the text may be empty, and no file may be attached."""
    action: Action | None = None
    """Undo, redo, restore or export, whatever the text says; the text may be empty, and no file may be attached."""
    asking: Asking | None = None
    """The text is a question about data, in words or SQL, whatever else it could mean."""
    planning: Planning | None = None
    """The text asks for work to be planned in a calendar, whatever else it could mean."""
    answer: Answer | None = None
    """The turn answers the question of the last one; with a decision, the text may be empty."""
    delivery: Delivery | None = None
    """Where the files of a filling go, besides being kept."""
    workpiece: Workpiece | None = None
    """What the turn works on instead of the session's report; it knows nothing of what was said in the session."""


class CancelTurn(Command):
    """Cancel the turn that the envelope names, whether it runs or waits. It ends with ``TurnFailed``."""

    service = "gateway"
    answers = ("TurnFailed",)
    of_turns = False


class RenameSession(Command):
    """Give the session that the envelope names another name. A session that has not begun stays unknown."""

    service = "gateway"
    answers = ()
    of_turns = False
    name: str = Field(min_length=1, max_length=MAX_NAME_CHARS)


class UnshareSession(Command):
    """Make every link that showed the session until now worth nothing."""

    service = "gateway"
    answers = ()
    of_turns = False


class TurnStarted(TurnEvent):
    """The turn began; its first node follows."""

    text: str
    """What the user asked for."""
    files: list[str] = []
    """Names of the attached files."""


class TurnQueued(TurnEvent):
    """The turn waits, since another turn of the session is under way."""

    before: int
    """How many turns come before it."""


class NodeStarted(TurnEvent):
    """Progress: the turn came to a node of the workflow."""

    node: str
    windows: int = 1
    """How many parts of the node's work run at the same time, as far as is known when it starts."""


class NodeFinished(TurnEvent):
    """Progress: the turn left a node."""

    node: str
    seconds: float
    outcome: str = ""


# --- failure and end ----------------------------------------------------------------------------------


class StageFailed(Event):
    """A command failed for good."""

    command: str
    """Kind of the command."""
    code: str
    message: str
    message_zh: str = ""
    retryable: bool = False
    """Whether another turn may succeed with the same input, since a server or a worker was away."""

    @classmethod
    def of(cls, command: str, error: BandsmithError) -> StageFailed:
        return cls(
            command=command,
            code=error.code,
            message=error.message,
            message_zh=error.message_zh,
            retryable=isinstance(error, RetryableError),
        )


class TurnFinished(TurnEvent):
    """The turn is over, with a result."""

    status: Literal["done", "unfinished"]
    """Unfinished: errors remain after the last correction. The files are the best version so far."""
    complete: bool = True
    """Whether everything that was asked was done. If not, the reply says what was not, or asks for what is missing."""
    retryable: bool = False
    """Whether another turn may do what was not done, with the same input."""
    intent: Intent
    reply: str
    """The reply to the user, in the turn's language."""
    files: dict[str, Ref] = {}
    """Files by their name in the output folder."""
    version: int | None = None
    """Number of the report's version, if there is a report."""
    passed: bool | None = None
    """Whether there are no errors, and a person would not rather start over. None: nothing was validated."""
    likeness: Likeness | None = None
    grade: Grade | None = None
    """What a person would do with a template made from a form: keep it, edit a little, or rather start over."""
    corrections: int = 0
    findings: list[Finding] = []
    notes: list[str] = []
    asks: Pending | None = None
    """What the user is asked; the next turn of the session answers it."""
    usage: Usage = Usage()


class TurnFailed(TurnEvent):
    """The turn is over without a result: it could not begin, it was cancelled, or a stage failed for good."""

    code: str
    message: str
    message_zh: str = ""
    retryable: bool = False
    """Whether another turn may succeed with the same input."""

    @classmethod
    def of(cls, failure: StageFailed) -> TurnFailed:
        return cls(**failure.model_dump(exclude={"command"}))
