"""What a turn knows of a report: the page it is made from, its template, and what the validator found."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.events import (
    DraftRendered,
    ReportExported,
    ReportGenerated,
    SkeletonGenerated,
    TemplateCorrected,
    TemplateModified,
    TemplateValidated,
    WindowRefined,
)
from bandsmith.shared.model.base import Ref, Value
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.knowledge import FieldDefinition
from bandsmith.shared.model.layout import Remark
from bandsmith.shared.model.session_parts import ExportFormat, Intent, Version
from bandsmith.shared.turns.fixes import Fix, find_fixes
from bandsmith.shared.turns.verdict import Attempt, Finding

from .common import CommonFacts
from .learning import INTERNAL, NodeOf, Of, On

MAX_REMAINING = 5
"""Errors that are kept of each correction."""
MAX_ROUNDS = 2
"""How often a layout is refined; a model is asked in the last round only."""
FORMATS: dict[Intent, ExportFormat] = {"preview_report": "png", "export_pdf": "pdf", "export_file": "xlsx"}
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
    verdict = {
        "passed": event.passed,
        "findings": len(event.findings),
        "page": page,
        "pages": event.pages,
        "elements": event.elements,
        "pdf": event.pdf,
        "compare": event.compare,
        "verdict": event.verdict,
        "page_count": event.page_count,
        "look": event.look,
        "seen": event.seen,
    }
    return [v.model_copy(update=verdict) if v.template == turn.template else v for v in turn.versions]


def _learned(turn: ReportFacts, event: TemplateValidated) -> list[Fix]:
    """Add what a model's correction fixed; what rules or knowledge fixed is known already."""
    latest = _latest(turn, event)
    if not turn.correction or turn.by != "model" or turn.latest is None or latest.rank <= turn.latest.rank:
        return turn.learned
    return [*turn.learned, *find_fixes(turn.latest.errors, latest.errors, turn.correction)]


def _no_upload(turn: ReportFacts, event: ReportGenerated | SkeletonGenerated) -> None:
    return None


def _no_correction(turn: ReportFacts, event: TemplateValidated) -> list[AnyEdit]:
    return []


def _tried(turn: ReportFacts, event: TemplateValidated) -> list[Attempt]:
    """Add the correction that was just checked."""
    if not turn.correction:
        return turn.tried
    remaining = [finding.message for finding in event.findings if finding.severity == "error"]
    return [*turn.tried, Attempt(edits=turn.correction, findings=remaining[:MAX_REMAINING])]


class ReportFacts(CommonFacts):
    saved: Annotated[Version | None, INTERNAL]
    """The session's report when the turn began."""

    restored: Annotated[Version | None, INTERNAL] = None
    """The earlier version that the turn makes the report again."""

    # the page
    layout: Ref | None = None
    form: Ref | None = None
    overlay: Ref | None = None
    total_rows: int = 0
    remarks: list[Remark] = []
    reading: Ref | None = None
    """How a model reads the page, where that differs from the rules."""

    # the template
    change: Ref | None = None
    spec: Ref | None = None
    passages: list[str] = []
    remainder: str = ""
    """What the new report does not have of its description: it is read as changes of it."""
    undone: list[str] = []
    """What of the request is not done besides what the change says, in the turn's language."""
    declined: list[str] = []
    """What the summary of a change says was not done, in the turn's language."""
    known_fields: list[FieldDefinition] = []
    """Fields that the user has defined before."""
    template: Ref | None = None
    data: Ref | None = None
    upload: Annotated[Ref | None, On(ReportGenerated, _no_upload), On(SkeletonGenerated, _no_upload)] = None
    """The user's own template that the report comes from."""
    author: Annotated[str, NodeOf("template")] = ""
    """The node that wrote the template."""
    applied: Annotated[Ref | None, Of(TemplateModified, "edits")] = None
    """The edits of the turn's change."""
    edited: Ref | None = None
    """The template that they were applied to."""
    unseen: str = ""
    """What to tell the user if the change cannot be seen."""
    must_show: bool = False
    """Whether a change that cannot be seen has no effect."""
    draft: Annotated[Ref | None, On(DraftRendered, _draft)] = None
    """The template that was printed last."""
    page: Ref | None = None
    printed: Ref | None = None
    unresolved: list[int] = []
    """The windows that rules leave to a model."""
    questions: Ref | None = None
    """What a model is asked about them."""
    refined: Annotated[dict[int, Ref], Of(WindowRefined, "edits", key="window")] = {}
    """A model's edits by window, as they come in."""

    # its files
    format: ExportFormat | None = None
    formats: list[ExportFormat] = []
    with_jrxml: bool = False
    exports: Annotated[dict[ExportFormat, list[Ref]], Of(ReportExported, "files", key="format")] = {}
    """The files of each format, as they come in."""
    pages: Annotated[int, INTERNAL, Of(ReportExported, "pages")] = 0
    not_in_export: Annotated[dict[ExportFormat, list[str]], Of(ReportExported, "missing_texts", key="format")] = {}
    """The texts that the files of each format lack."""
    shapes_not_in_export: Annotated[dict[ExportFormat, int], Of(ReportExported, "missing_shapes", key="format")] = {}
    """How many pictures, lines and areas the files of each format lack."""

    # its verdict
    latest: Annotated[Validated | None, On(TemplateValidated, _latest)] = None
    best: Annotated[Validated | None, On(TemplateValidated, _best)] = None
    explanation: str = ""
    fixes: list[Fix] = []
    correction: Annotated[list[AnyEdit], Of(TemplateCorrected, "edits"), On(TemplateValidated, _no_correction)] = []
    tried: Annotated[list[Attempt], On(TemplateValidated, _tried)] = []
    """The corrections of the turn, and what was still wrong after each."""
    learned: Annotated[list[Fix], INTERNAL, On(TemplateValidated, _learned)] = []
    """What a model fixed in this turn."""
    versions: Annotated[list[Version], INTERNAL, On(TemplateValidated, _versions)] = []
    """The versions that the turn made."""

    # its outcome
    not_as_asked: list[str] = []
    """Parts of the request that the printed report does not meet, in the turn's language."""

    # what commands are filled from

    @property
    def document(self) -> Document | None:
        """The attachment that is read next: the page first, then the template."""
        kinds = {document.kind: document for document in self.attachments}
        return kinds.get("page") if self.has_page and self.layout is None else kinds.get("template")

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
        """The request about the existing report; for a new one, what its description or its picture leaves to do."""
        return self.remainder or (self.wording if self.intent == "initial_generation" else self.text)

    @property
    def description(self) -> str:
        """The whole description of a new report of which a part is left to do."""
        return self.text if self.remainder else ""

    @property
    def not_done(self) -> list[str]:
        """All that the reply says was not done."""
        return [*self.undone, *self.declined]

    @property
    def edits(self) -> list[Ref]:
        """A model's edits of the windows, in order."""
        return [self.refined[window] for window in self.unresolved]

    @property
    def export_formats(self) -> list[ExportFormat]:
        if self.formats:
            return self.formats
        wanted = self.format or FORMATS.get(self.intent)
        return [wanted] if wanted else []

    @property
    def formats_besides(self) -> list[ExportFormat]:
        """The formats that are wanted beside a change of the report, apart from the PDF that comes with each."""
        if self.intent in FORMATS or self.intent == "export_jrxml":
            return []
        return [one for one in self.export_formats if one != "pdf"]

    @property
    def findings(self) -> list[Finding]:
        return self.latest.verdict.findings if self.latest else []

    @property
    def corrections(self) -> int:
        return self.attempts.get("correct_jrxml", 0)

    @property
    def uncorrected(self) -> Ref | None:
        """The first template that the turn had validated."""
        return self.versions[0].template if self.versions else None

    @property
    def original(self) -> Ref | None:
        """The picture that the report has to resemble: that of the page it is built from, unless words changed it."""
        changed = bool(self.wording) and "modify_jrxml" in self.attempts
        return self.form if "generate_skeleton" in self.attempts and not changed else None

    @property
    def strict(self) -> bool:
        """Whether the user asked for the template's findings to be fixed."""
        return self.intent == "fix_report"

    @property
    def example(self) -> Ref | None:
        """The template that came with the turn, whose look a new report gets."""
        return self.upload if any(document.kind == "template" for document in self.attachments) else None

    @property
    def is_as_it_came(self) -> bool:
        """Whether the template is the user's own, unchanged, and no fix was requested."""
        return self.template is not None and self.template == self.upload and not self.strict

    @property
    def previous(self) -> Ref | None:
        """Page 1 of the report that the turn changes."""
        return self.saved.page if self.saved and self.intent != "initial_generation" else None

    @property
    def is_change(self) -> bool:
        """Whether the turn changes the session's report by edits that the user asked for."""
        return self.saved is not None and not self.makes_report and "modify_jrxml" in self.attempts

    @property
    def seen_before(self) -> Ref | None:
        """The texts that could be seen on the report that the turn changes."""
        return self.saved.seen if self.saved and self.is_change else None

    @property
    def changed_version(self) -> Version | None:
        """The report that the turn changes; None for a new one."""
        return self.saved if self.is_change else None

    @property
    def template_before(self) -> Ref | None:
        return self.changed_version.template if self.changed_version else None

    @property
    def elements_before(self) -> Ref | None:
        return self.changed_version.elements if self.changed_version else None

    @property
    def shown(self) -> Ref | None:
        """The elements of page 1 of the version that was validated last."""
        return self.latest.verdict.elements if self.latest else None

    @property
    def page_count(self) -> int:
        return self.latest.verdict.page_count if self.latest else 0

    @property
    def is_by_a_model(self) -> bool:
        """Whether the turn made or changed a report as words ask for it, and a model answered about these."""
        is_made = "modify_jrxml" in self.attempts or "generate" in self.attempts
        return is_made and bool(self.text.strip()) and self.usage.tokens_out > 0

    @property
    def looks_the_same(self) -> bool:
        """Whether the report that the turn changed prints the same pages as before, pixel by pixel."""
        before, after = self.saved.look if self.saved else "", self.best.verdict.look if self.best else ""
        return self.is_change and before == after != ""

    @property
    def page_counts(self) -> tuple[int, int] | None:
        """How many pages the report had before the change, and has now, if it has more and both are known."""
        before, after = self.saved.page_count if self.saved else 0, self.best.verdict.page_count if self.best else 0
        return (before, after) if self.is_change and 0 < before < after else None

    @property
    def makes_report(self) -> bool:
        """Whether the turn makes a report instead of changing the session's."""
        came = any(document.kind == "template" for document in self.attachments)
        return came or "generate_skeleton" in self.attempts or "generate" in self.attempts

    @property
    def is_rejected(self) -> bool:
        """Whether what the turn made has errors, and the session has a report that passed every check."""
        kept = self.saved is not None and self.saved.passed is True and self.restored is None
        return kept and self.best is not None and not self.best.verdict.passed

    @property
    def is_new(self) -> bool:
        """Whether the template or the data differs from the session's."""
        if self.template is None or self.saved is None:
            return self.template is not None
        return (self.template, self.data) != (self.saved.template, self.saved.data)
