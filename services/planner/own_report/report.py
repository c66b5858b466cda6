"""The report that a question is about."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from bandsmith.shared.actor import Store
from bandsmith.shared.editing import Editor
from bandsmith.shared.events import AnswerQuestion, ClassifyIntent
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.sensitive import Reference, sensitive_references
from bandsmith.shared.language import Language
from bandsmith.shared.model.plan import Data
from bandsmith.shared.replies import text
from bandsmith.shared.turns.verdict import Verdict

from ..computed_values import computed_values
from ..language.change.conversation import PastChange, past_changes
from ..language.reference_resolver import ReferenceResolver
from ..language.references import Target
from ..language.template_view import TemplateView
from ..language.view_elements import ViewElement
from ..report_summary import ReportSummary


@dataclass(frozen=True)
class OwnReport:
    """A report, what it is filled with, and how it came about."""

    template: bytes
    data: Data
    past: list[PastChange]
    pages: int
    """0: not known."""
    language: Language
    verdict: Verdict | None = None
    """None: it was not validated."""

    @cached_property
    def view(self) -> TemplateView:
        return TemplateView(Editor(self.template), self.data)

    @property
    def summary(self) -> ReportSummary:
        return ReportSummary(Draft(self.template), self.language)

    @property
    def sensitive(self) -> frozenset[Reference]:
        """The values that no model may see."""
        return sensitive_references(Draft(self.template).root)

    def say(self, code: str, /, **values: object) -> str:
        return text(f"own_report.{code}", self.language, **values)

    def target(self, words: str) -> Target | None:
        """Return the one thing that words name; a value is named by its label as well."""
        found = ReferenceResolver(self.view).find(words.strip(" \"“”'"))
        return found if isinstance(found, Target) else None

    def values(self, field: str) -> list[Decimal]:
        """Return the numbers of a field, or of a column that is computed from fields, in each row.

        None of one that no model may see: the answer is part of the conversation, which models read.
        """
        if {("F", field), ("V", field)} & self.sensitive:
            return []
        for node in self.view.root.iterchildren("{*}variable"):
            if node.get("name") == field and node.get("calculation", "Nothing") == "Nothing":
                return computed_values(node.findtext("{*}variableExpression") or "", self.data)
        numbers = [row.get(field) for row in self.data.rows]
        return [Decimal(str(number)) for number in numbers if isinstance(number, (int, float)) and number is not True]


async def load(store: Store, command: AnswerQuestion | ClassifyIntent) -> OwnReport | None:
    """Return the report that a question is about; None where there is none."""
    if command.template is None or command.data is None:
        return None
    refs = [version.verdict for version in command.earlier if version.template == command.template]
    ref = next((ref for ref in reversed(refs) if ref), None)
    verdict = Verdict.model_validate_json(await store.get(ref)) if ref else None
    return OwnReport(
        template=await store.get(command.template),
        data=Data.model_validate_json(await store.get(command.data)),
        past=await past_changes(store, command.template, command.earlier),
        pages=verdict.pages if verdict else 0,
        language=command.language,
        verdict=verdict,
    )


def name_of(report: OwnReport, piece: ViewElement) -> str:
    """Return what the user is told an element is: its column, its label or its own words."""
    view = report.view
    column = next((column for column in view.columns if piece in column.cells), None)
    if column is not None:
        return report.say("values_of", column=column.label)
    label = view.label_beside(piece)
    return f"“{label.words.strip().rstrip(':：')}”" if label else f"“{ReferenceResolver(view).name_of(piece)}”"


def written(number: Decimal) -> str:
    """Return a number as an answer shows it."""
    return f"{number:,.0f}" if number == int(number) else f"{number:,.2f}"
