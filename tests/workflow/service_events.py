"""Events as the services send them, with made up references: the parts of `service_answers`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from bandsmith.shared.edits.base import Edit
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.events import (
    IntentClassified,
    LayoutExtracted,
    LayoutRefined,
    StageFailed,
    TemplateCorrected,
    TemplateModified,
    TemplateValidated,
    WorkPlanned,
)
from bandsmith.shared.model.allowance import Allowance, Usage
from bandsmith.shared.model.analysis import AnalysisStep, StepKind
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.binding import (
    ROWS,
    BindingWork,
    LightMemory,
    Placeholder,
    PlaceholderField,
)
from bandsmith.shared.model.errand import Errand, ErrandTurn
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Remark
from bandsmith.shared.model.run_request import RunView
from bandsmith.shared.model.session_parts import Intent, Version
from bandsmith.shared.model.task import Answer, ToolCall
from bandsmith.shared.turns.verdict import Finding, Likeness

MODEL = Allowance(calls=20, tokens=100_000)
"""What a turn may spend where there is a model."""
RULES = Allowance()
"""Where there is none."""
NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


def ref(key: str) -> Ref:
    return Ref(key=key, media="application/octet-stream", size=1)


def refined(changed: int = 0, unresolved: int = 2) -> LayoutRefined:
    windows = list(range(unresolved))
    return LayoutRefined(
        template=ref("refined"), changed=changed, unresolved=windows, questions=ref("questions") if windows else None
    )


def validated(errors: int = 0, likeness: float = 0.9, page_count: int = 1) -> TemplateValidated:
    findings = [Finding(code="structure.overlap", message=f"Overlap {n}.") for n in range(errors)]
    return TemplateValidated(
        passed=errors == 0,
        findings=findings,
        likeness=Likeness(ssim=likeness, texts=likeness),
        pdf=ref("pdf"),
        pages=[ref("page")],
        page_count=page_count,
        compare=ref("compare"),
        verdict=ref(f"verdict-{errors}"),
    )


CorrectedBy = Literal["rules", "knowledge", "model"]


def corrected(name: str = "corrected", changed: bool = True, by: CorrectedBy = "rules") -> TemplateCorrected:
    edits: list[Edit] = [SetText(element="e1", text="x")] if changed else []
    return TemplateCorrected(template=ref(name), changed=int(changed), edits=edits, by=by)


def extracted(remarks: int = 0) -> LayoutExtracted:
    drawn = [Remark(text="bigger", box=Box(x=0, y=0, width=9, height=9))] * remarks
    return LayoutExtracted(layout=ref("layout"), form=ref("form"), overlay=ref("overlay"), total_rows=3, remarks=drawn)


def wants(intent: Intent, **more: Any) -> IntentClassified:
    return IntentClassified(intent=intent, **more)


def modified(name: str = "modified") -> TemplateModified:
    return TemplateModified(
        template=ref(name), data=ref("data"), changed=1, edits=ref("edits"), summary="Made the title larger."
    )


def unread(template: dict) -> TemplateModified:
    """Nothing of the request was understood, and nothing changed."""
    return TemplateModified(
        template=Ref.model_validate(template), data=ref("data"), changed=0, edits=ref("edits"), summary="I am not sure."
    )


VERSION = Version(number=1, template=ref("built"), data=ref("data"), author="generate", time=NOW)
REVIEWED = Errand(turn=ErrandTurn(answer=Answer(question="queries", decision="accept")))
BUILDS = Errand(turn=ErrandTurn(makes_report=True))
RUN = RunView(name="sales", rule="0 8 * * 1", zone="Europe/Berlin", next_due=NOW, places=["reports"])
CALL = ToolCall(id="c1", name="place_all")
ERRAND_CALL = ToolCall(id="c1", name="fill_report")
FOREIGN_CALL = ToolCall(id="c1", name="mcp.post.send")
EVENT = {"title": "Dentist", "day": 3, "slot_start": 1}
MADE_AND_FILLED = [
    {"name": "build_report", "arguments": {"description": "a sales report"}},
    {"name": "fill_report", "arguments": {}},
]
OF_EACH_KIND = [
    {"name": "fill_report", "arguments": {}},
    {"name": "mcp.post.send", "arguments": {}},
    {"name": "add_event", "arguments": EVENT},
]
SEVERAL_CALLS, TURNED_CALLS, DEPENDENT_CALLS = (
    ToolCall(id="c1", name="several", arguments={"calls": calls})
    for calls in (OF_EACH_KIND, OF_EACH_KIND[::-1], MADE_AND_FILLED)
)


def planned(action: str, **more: object) -> WorkPlanned:
    return WorkPlanned.model_validate({"work_action": action, "work_draft": ref("draft"), "work_words": "So."} | more)


def failed(command: str) -> StageFailed:
    return StageFailed(command=command, code="failed", message=f"{command} cannot be done.")


def step(name: str, uses: Sequence[str] = (), kind: StepKind = "sql") -> AnalysisStep:
    return AnalysisStep(name=name, kind=kind, task=f"What is {name}?", uses=list(uses))


ROWS_PLACEHOLDER = Placeholder(name=ROWS, fields=[PlaceholderField(name="customer", java_class="java.lang.String")])
ROWS_OPEN = BindingWork(placeholder=ROWS_PLACEHOLDER)
"""Rows for which a query is to be written."""
TITLE_OPEN = BindingWork(
    placeholder=Placeholder(name="seller", fields=[PlaceholderField(name="seller", java_class="java.lang.String")])
)
"""A value for which a query is to be written."""
ROWS_KNOWN = BindingWork(
    placeholder=ROWS_PLACEHOLDER, query="SELECT 1", memory=LightMemory(has_sql=True, database_validated=True)
)
"""Rows whose query a binding file has."""
ROWS_OUTDATED = BindingWork(placeholder=ROWS_PLACEHOLDER, memory=LightMemory(schema_available=False))
"""Rows for which the columns are to be read again."""

ANSWERED = Usage(calls=1, tokens_in=900, tokens_out=90)
"""What a question costs that a model answered."""
