"""What a turn of any flow knows: what was asked, where the turn is, what was answered."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.events import (
    DeliverFiles,
    Envelope,
    FillingRead,
    QuestionRemembered,
    ReadingApplied,
    StageFailed,
)
from bandsmith.shared.language import Language
from bandsmith.shared.model.allowance import Allowance, Usage
from bandsmith.shared.model.base import Ref, Value
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.session_parts import HistoryEntry, Intent, Pending, Version
from bandsmith.shared.replies import message_in, text
from bandsmith.shared.turns.session import Failure

from .learning import Merged, On, add, append


class TurnProgress(Value):
    """What a turn began with and where it is. Only the reducer changes this; no answer does."""

    model_config = ConfigDict(frozen=True, extra="ignore")  # a stored turn may have facts of an earlier version

    id: str
    text: str
    attachments: list[Document]
    language: Language
    began: datetime
    budget: Allowance
    """What the turn may spend on a model."""
    owner: str = ""
    """Whose session it is, as ``owner_of_session`` returns it."""
    failure: Failure | None
    """Why the previous turn is unfinished."""
    numbered: int
    """Number of the session's last version when the turn began."""
    pending: Pending | None = None
    """What the previous turn asked."""
    selection: list[str] = []
    """Keys of the elements that the user selected on the page."""
    given_edits: list[AnyEdit] = []
    """The edits that the turn was started with."""
    earlier: list[Version] = []
    """The session's last versions when the turn began, the newest last."""
    suspended: dict[str, Any] | None = None
    """What the previous turn knew, if it asked for a confirmation."""
    suspends: dict[str, Any] | None = None
    """What the next turn will know, if this one asks for a confirmation."""
    said: str = ""
    """What the user said in this turn, if it continues the previous one."""

    node: str
    since: datetime
    """When the turn came to the node."""
    attempts: dict[str, int] = {}
    """How often the turn came to each node."""
    spent: dict[str, int] = {}
    """What each cap has been charged."""
    awaiting: dict[str, Envelope] = {}
    """The commands that are not answered yet, by id."""
    secret: str = ""
    """Part of the ids of the turn's commands, so that only the service that gets a command can answer it or fail it."""
    lost: Envelope | None = None
    """The command whose failure ended the turn. If it is answered after all, the turn continues."""
    over: bool = False


def _notes(turn: CommonFacts, event: StageFailed) -> list[str]:
    if event.command == DeliverFiles.kind():  # the reply tells why
        return turn.notes
    message = message_in(event, turn.language)
    return [*turn.notes, text("turn.stage_failed", turn.language, node=turn.node, message=message)]


def _without_outdated(turn: CommonFacts, event: ReadingApplied) -> list[str]:
    return [*(note for note in turn.notes if note not in event.outdated), *event.notes]


def _mishap(turn: CommonFacts, event: StageFailed) -> StageFailed:
    return event


def _intent(turn: CommonFacts, event: FillingRead) -> Intent:
    return "fill_report" if event.filling is not None else turn.intent


def _consulted(turn: CommonFacts, event: QuestionRemembered) -> Intent:
    return "consult_question"


class CommonFacts(TurnProgress):
    history: list[HistoryEntry]
    archive: Ref | None
    agrees: bool | None = None
    says_right: bool = False
    """The answer to the question of the previous turn, if this turn gives one."""
    filling: Filling | None = None
    """What the report is to be filled with besides the attached file, if the turn fills a report."""
    intent: Annotated[Intent, On(FillingRead, _intent), On(QuestionRemembered, _consulted)] = "unknown"
    steps: int = 1
    """How many changes are to be undone or redone."""
    stepped: list[str] = []
    """The requests whose changes were undone or redone, in this order."""
    version: int | None = None
    """Number of the version that is to be restored."""
    wording: str = ""
    """What the words beside a page ask for besides building a report from it."""
    replaces: bool = False
    """Whether the user agreed that a new report replaces the current one."""
    by: str = "rules"
    """What made the last decision: rules, knowledge or a model."""
    answer: str = ""
    sources: list[str] = []
    """Titles of the passages that the answer is based on."""
    summary: str = ""
    """What was done and what was not, in the turn's language."""
    left_out: int = 0
    """How many parts of the request could not be done."""
    changed: int = 0
    """How much the last step changed."""
    asks: Pending | None = None
    """A question that the turn ends with."""
    notes: Annotated[list[str], Merged(append), On(StageFailed, _notes), On(ReadingApplied, _without_outdated)] = []
    usage: Annotated[Usage, Merged(add)] = Usage()
    mishap: Annotated[StageFailed | None, On(StageFailed, _mishap)] = None
    """The last stage that failed."""

    @property
    def texts(self) -> list[Document]:
        return [document for document in self.attachments if document.kind == "text"]

    @property
    def pictures(self) -> list[Document]:
        return [document for document in self.attachments if document.is_picture]

    @property
    def has_page(self) -> bool:
        pages = [document for document in self.attachments if document.kind == "page"]
        return any(document != self.data_file for document in pages) if self.intent == "fill_report" else bool(pages)

    @property
    def data_file(self) -> Document | None:
        """The attachment that a report can be filled with."""
        return next((document for document in self.attachments if document.is_table), None)
