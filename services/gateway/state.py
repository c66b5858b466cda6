"""What the gateway knows of a session: one value, kept under one key, changed only by compare-and-set.

What an answer says is kept in the turn under the name it has in the event, and a command is filled from the fields of
the same names; so a new node needs a field here for each thing it brings, and nothing else.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath
from typing import Any

from bandsmith.shared.events import (
    Command,
    DraftRendered,
    Envelope,
    IntentClassified,
    Message,
    ReportExported,
    StageFailed,
    TemplateCorrected,
    TemplateValidated,
    WindowRefined,
)
from bandsmith.shared.fixes import mended
from bandsmith.shared.language import Language
from bandsmith.shared.llm.base import Allowance, Usage
from bandsmith.shared.model.base import Ref, Value
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.edits import AnyEdit
from bandsmith.shared.model.knowledge import Fix
from bandsmith.shared.model.layout import Remark
from bandsmith.shared.model.session import Failure, Format, HistoryEntry, Intent, Session, Snapshot, Version
from bandsmith.shared.model.verdict import Finding

ROUNDS = 2
"""How often a layout is refined at most; a model is asked in the last of them."""


class Validated(Value):
    """A template that was validated, and what the validator said of it."""

    template: Ref
    data: Ref
    said: TemplateValidated

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.said.findings if finding.severity == "error"]

    @property
    def rank(self) -> tuple[bool, int, float]:
        """Greater is better: it passed, then fewest errors, then likeness."""
        likeness = self.said.likeness
        return self.said.passed, -len(self.errors), likeness.ssim + likeness.texts if likeness else 0.0


class Turn(Value):
    """A turn under way, or the last one."""

    id: str
    text: str
    attachments: list[Document]
    language: Language
    began: datetime
    budget: Allowance
    """What it may spend on a model."""

    # the session when it began
    saved: Version | None
    before: Snapshot
    history: list[HistoryEntry]
    archive: Ref | None
    failure: Failure | None
    """Why the turn before is unfinished."""
    numbered: int
    """How many versions the session had."""

    # where it stands
    node: str
    since: datetime
    """When it came to the node."""
    attempts: dict[str, int] = {}
    """How often it came to each node."""
    spent: dict[str, int] = {}
    """What each cap has been charged."""
    awaiting: dict[str, Envelope] = {}
    """The commands that are not answered yet, by id."""
    lost: Envelope | None = None
    """The command whose failure ended the turn: should it be answered after all, the turn goes on."""
    over: bool = False

    # what the answers brought
    layout: Ref | None = None
    form: Ref | None = None
    overlay: Ref | None = None
    total_rows: int = 0
    remarks: list[Remark] = []
    notes: list[str] = []
    intent: Intent = "unknown"
    format: Format | None = None
    by: str = "rules"
    answer: str = ""
    sources: list[str] = []
    proposed: Ref | None = None
    passages: list[str] = []
    template: Ref | None = None
    data: Ref | None = None
    author: str = ""
    """The node that wrote the template."""
    windows: int = 0
    page: Ref | None = None
    printed: Ref | None = None
    refined: dict[int, Ref] = {}
    """Edits by window, as they come in."""
    changed: int = 0
    """How much the last join, modification or correction changed."""
    summary: str = ""
    exported: list[Ref] = []
    pages: int = 0
    explanation: str = ""
    fixes: list[Fix] = []
    correction: list[AnyEdit] = []
    learned: list[Fix] = []
    """What a model mended in this turn."""
    versions: list[Version] = []
    latest: Validated | None = None
    best: Validated | None = None
    usage: Usage = Usage()
    mishap: StageFailed | None = None

    # what commands are filled from

    @property
    def document(self) -> Document | None:
        """The attachment that is read next: the page first, then the template."""
        kinds = {document.kind: document for document in self.attachments}
        return kinds.get("page") if "page" in kinds and self.layout is None else kinds.get("template")

    @property
    def texts(self) -> list[Document]:
        return [document for document in self.attachments if document.kind == "text"]

    @property
    def has_page(self) -> bool:
        return any(document.kind == "page" for document in self.attachments)

    @property
    def has_template(self) -> bool:
        return self.template is not None

    @property
    def name(self) -> str:
        """The report's name."""
        page = next((document for document in self.attachments if document.kind == "page"), None)
        return (PurePath(page.name).stem if page else "") or "report"

    @property
    def request(self) -> str:
        """What is asked of the report that there is; of a new one, only what is drawn on its picture."""
        return "" if self.intent == "initial_generation" else self.text

    @property
    def edits(self) -> list[Ref]:
        """The refined windows' edits, in the windows' order."""
        return [self.refined[window] for window in sorted(self.refined)]

    @property
    def findings(self) -> list[Finding]:
        return self.latest.said.findings if self.latest else []

    @property
    def corrections(self) -> int:
        return self.attempts.get("correct_jrxml", 0)

    @property
    def original(self) -> Ref | None:
        """The picture that the report has to be like: that of the page it is built from."""
        return self.form if "generate_skeleton" in self.attempts else None

    @property
    def previous(self) -> Ref | None:
        """Page 1 of the report that this turn changes."""
        return self.saved.page if self.saved and self.intent != "initial_generation" else None

    @property
    def is_new(self) -> bool:
        """Whether its template is another than the session had."""
        return self.template is not None and (self.saved is None or self.template != self.saved.template)

    def learn(self, event: Message, **changes: object) -> Turn:
        """The turn, knowing what `event` says, with other `changes`."""
        news: dict[str, Any] = {name: getattr(event, name) for name in type(event).model_fields if name in FACTS}
        if "usage" in news:
            news["usage"] = self.usage + news["usage"]
        if "template" in news:
            news["author"] = self.node
        match event:
            case DraftRendered():
                news["refined"] = {}
            case WindowRefined():
                news = {"refined": {**self.refined, event.window: event.edits}, "usage": news["usage"]}
            case IntentClassified():
                news["format"] = event.format or FORMATS.get(event.intent)
                if self.texts and not self.has_page and not self.has_template and not self.text.strip():
                    # A table alone is a report to make, as a picture alone is.
                    news |= {"intent": "initial_generation", "answer": ""}
            case ReportExported():
                news["exported"] = event.files
            case TemplateCorrected():
                news["correction"] = event.edits
            case TemplateValidated() if self.template and self.data:
                news = self._judged(Validated(template=self.template, data=self.data, said=event))
            case StageFailed():
                chinese = self.language == "zh" and event.message_zh
                note = f"{self.node} 未成功：{event.message_zh}" if chinese else f"{self.node} failed: {event.message}"
                news = {"mishap": event, "notes": [note]}
        if "notes" in news:
            news["notes"] = [*self.notes, *news["notes"]]
        return self.model_copy(update=news | changes)

    @property
    def allowance(self) -> Allowance:
        """What is left to spend on a model; nothing while a layout is refined by rules alone."""
        if self.node == "refine_layout" and self.attempts["refine_layout"] < ROUNDS:
            return Allowance()
        return self.budget.less(self.usage)

    def ask(self, command: type[Command], part: int = 0, parts: int = 1) -> Command:
        """The command of this kind, filled with facts; one of several `parts` gets its share of the allowance."""
        known = {name: RENAMED.get((command.kind(), name), name) for name in command.model_fields}
        given = {"part": part, "allowance": _share(self.allowance, parts, part)}
        return command.model_validate(
            {name: given[fact] if fact in given else getattr(self, fact, None) for name, fact in known.items()}
        )

    def _judged(self, latest: Validated) -> dict[str, Any]:
        """What a verdict changes: the best version so far, its record, and what was learned from a correction."""
        page = latest.said.pages[0] if latest.said.pages else None
        verdict = {"passed": latest.said.passed, "findings": len(latest.said.findings), "page": page}
        versions = [v.model_copy(update=verdict) if v.template == latest.template else v for v in self.versions]
        best = latest if self.best is None else max(self.best, latest, key=lambda version: version.rank)
        return {
            "latest": latest,
            "best": best,
            "versions": versions,
            "learned": [*self.learned, *self._lessons(latest)],
            "correction": [],
        }

    def _lessons(self, latest: Validated) -> list[Fix]:
        """What a model's correction mended; what rules or knowledge mended is known already."""
        if not self.correction or self.by != "model" or self.latest is None or latest.rank <= self.latest.rank:
            return []
        return mended(self.latest.errors, latest.errors, self.correction)


FORMATS: dict[Intent, Format] = {"preview_report": "png", "export_pdf": "pdf", "export_file": "xlsx"}
"""What is exported where no format was named."""
RENAMED = {
    ("ModifyTemplate", "text"): "request",
    ("RefineWindow", "window"): "part",
    ("ValidateTemplate", "form"): "original",
    ("ValidateTemplate", "before"): "previous",
    ("RememberFixes", "fixes"): "learned",
}
"""Fields of commands that are filled from a fact of another name."""
FACTS = frozenset(Turn.model_fields) - {
    *("id", "text", "attachments", "language", "began", "budget", "saved", "before", "failure", "numbered"),
    *("node", "since", "attempts", "spent", "awaiting", "lost", "over", "versions", "learned", "author"),
}
"""The fields that answers fill."""


def _share(left: Allowance, parts: int, part: int) -> Allowance:
    """What one of the parts that ask a model at the same time may spend."""
    calls, remainder = divmod(left.calls, parts)
    return Allowance(calls=calls + (part < remainder), tokens=left.tokens // parts)


class SessionState(Session):
    """A session with the turn that it is at, and those that wait."""

    turn: Turn | None = None
    waiting: list[Envelope] = []
    """The beginnings of the next turns, in their order."""
    past: list[str] = []
    """Ids of the turns before and of those refused, the last few: a late copy of their first command starts nothing."""
    said: list[Envelope] = []
    """The events of the last step."""
