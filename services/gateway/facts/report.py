"""What a turn knows of a report: the page it is made from, its template, and what the validator found."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.events import (
    DraftRendered,
    ReportExported,
    TemplateCorrected,
    TemplateValidated,
    WindowRefined,
)
from bandsmith.shared.fixes import find_fixes
from bandsmith.shared.model.base import Ref, Value
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.knowledge import Fix
from bandsmith.shared.model.layout import Remark
from bandsmith.shared.model.session import Format, Intent, Version
from bandsmith.shared.model.verdict import Finding

from .common import CommonFacts
from .learning import INTERNAL, NodeOf, Of, On

MAX_ROUNDS = 2
"""How often a layout is refined; a model is asked in the last round only."""
FORMATS: dict[Intent, Format] = {"preview_report": "png", "export_pdf": "pdf", "export_file": "xlsx"}
"""What is exported if the user names no format."""


class Validated(Value):
    """A template that was validated, and the verdict."""

    template: Ref
    data: Ref
    verdict: TemplateValidated

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.verdict.findings if finding.severity == "error"]

    @property
    def rank(self) -> tuple[bool, int, float]:
        """Greater is better: passed, then fewest errors, then likeness."""
        likeness = self.verdict.likeness
        return self.verdict.passed, -len(self.errors), likeness.ssim + likeness.texts if likeness else 0.0


def _draft(turn: ReportFacts, event: DraftRendered) -> Ref | None:
    return turn.template


# --- what a verdict changes ------------------------------------------------------------------------------------------


def _latest(turn: ReportFacts, event: TemplateValidated) -> Validated:
    assert turn.template and turn.data, "only a template that there is can be validated"
    return Validated(template=turn.template, data=turn.data, verdict=event)


def _best(turn: ReportFacts, event: TemplateValidated) -> Validated:
    latest = _latest(turn, event)
    return latest if turn.best is None else max(turn.best, latest, key=lambda version: version.rank)


def _versions(turn: ReportFacts, event: TemplateValidated) -> list[Version]:
    page = event.pages[0] if event.pages else None
    verdict = {"passed": event.passed, "findings": len(event.findings), "page": page}
    return [v.model_copy(update=verdict) if v.template == turn.template else v for v in turn.versions]


def _learned(turn: ReportFacts, event: TemplateValidated) -> list[Fix]:
    """Add what a model's correction fixed; what rules or knowledge fixed is known already."""
    latest = _latest(turn, event)
    if not turn.correction or turn.by != "model" or turn.latest is None or latest.rank <= turn.latest.rank:
        return turn.learned
    return [*turn.learned, *find_fixes(turn.latest.errors, latest.errors, turn.correction)]


def _no_correction(turn: ReportFacts, event: TemplateValidated) -> list[AnyEdit]:
    return []


class ReportFacts(CommonFacts):
    saved: Annotated[Version | None, INTERNAL]
    """The session's report when the turn began."""

    # the page
    layout: Ref | None = None
    form: Ref | None = None
    overlay: Ref | None = None
    total_rows: int = 0
    remarks: list[Remark] = []

    # the template
    change: Ref | None = None
    spec: Ref | None = None
    passages: list[str] = []
    template: Ref | None = None
    data: Ref | None = None
    author: Annotated[str, NodeOf("template")] = ""
    """The node that wrote the template."""
    draft: Annotated[Ref | None, On(DraftRendered, _draft)] = None
    """The template that was printed last."""
    page: Ref | None = None
    printed: Ref | None = None
    unresolved: list[int] = []
    """The windows that rules leave to a model."""
    refined: Annotated[dict[int, Ref], Of(WindowRefined, "edits", key="window")] = {}
    """A model's edits by window, as they come in."""

    # its files
    format: Format | None = None
    exported: Annotated[list[Ref], Of(ReportExported, "files")] = []
    pages: Annotated[int, INTERNAL, Of(ReportExported, "pages")] = 0

    # its verdict
    latest: Annotated[Validated | None, On(TemplateValidated, _latest)] = None
    best: Annotated[Validated | None, On(TemplateValidated, _best)] = None
    explanation: str = ""
    fixes: list[Fix] = []
    correction: Annotated[list[AnyEdit], Of(TemplateCorrected, "edits"), On(TemplateValidated, _no_correction)] = []
    learned: Annotated[list[Fix], INTERNAL, On(TemplateValidated, _learned)] = []
    """What a model fixed in this turn."""
    versions: Annotated[list[Version], INTERNAL, On(TemplateValidated, _versions)] = []
    """The versions that the turn made."""

    # what commands are filled from

    @property
    def document(self) -> Document | None:
        """The attachment that is read next: the page first, then the template."""
        kinds = {document.kind: document for document in self.attachments}
        return kinds.get("page") if "page" in kinds and self.layout is None else kinds.get("template")

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
        """What is asked of the existing report; of a new one, only what is drawn on its picture."""
        return "" if self.intent == "initial_generation" else self.text

    @property
    def edits(self) -> list[Ref]:
        """A model's edits of the windows, in order."""
        return [self.refined[window] for window in self.unresolved]

    @property
    def export_format(self) -> Format | None:
        return self.format or FORMATS.get(self.intent)

    @property
    def findings(self) -> list[Finding]:
        return self.latest.verdict.findings if self.latest else []

    @property
    def corrections(self) -> int:
        return self.attempts.get("correct_jrxml", 0)

    @property
    def original(self) -> Ref | None:
        """The picture that the report has to resemble: that of the page it is built from."""
        return self.form if "generate_skeleton" in self.attempts else None

    @property
    def previous(self) -> Ref | None:
        """Page 1 of the report that the turn changes."""
        return self.saved.page if self.saved and self.intent != "initial_generation" else None

    @property
    def is_new(self) -> bool:
        """Whether the template is another than the session had."""
        return self.template is not None and (self.saved is None or self.template != self.saved.template)
