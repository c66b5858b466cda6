"""The type of each prompt's answer."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    model_validator,
)

from ..edits import AnyEdit
from ..model.analysis import AnalysisStep, ChartKind
from ..model.run_request import RunPart
from ..model.session import Format, Intent
from ..model.spec import ReportSpec
from ..model.task import PlanStep, Refining
from .coerce import coerced
from .salvage import read_edits, read_items
from .stream_guard import printable

Identifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=60)]
PrintableText = Annotated[str, AfterValidator(printable)]
"""Text for the user, without control characters."""


MAX_EDITS = 200
"""Edits of one reply; more are refused as a whole."""
MAX_LOOKS = 8
"""Names of bands and elements that a reply may ask to see."""
MAX_QUOTES, MAX_QUOTE_CHARS = 20, 300
"""Limits on the parts of a request that a reply quotes."""
MAX_OBJECTIONS = 20
"""Objections of one review."""
Edits = Annotated[list[AnyEdit], BeforeValidator(read_edits), Field(max_length=MAX_EDITS)]
"""Edits that are read one by one: one that cannot be used does not lose the others."""


Rules = Literal["keep", "replace"]
"""Whether what rules would do is carried out first, or replaced by the answer's edits."""


class ModelAnswer(BaseModel):
    """Base class of all answers; fields that the model adds are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    _truncated: bool = PrivateAttr(default=False)
    _left_out: tuple[str, ...] = PrivateAttr(default=())

    @property
    def truncated(self) -> bool:
        """Whether the reply was cut short: the last entries of lists may be missing."""
        return self._truncated

    @property
    def left_out(self) -> tuple[str, ...]:
        """Why parts of the reply could not be used, in words for the model."""
        return self._left_out

    @model_validator(mode="before")
    @classmethod
    def _coerce(cls, data: Any, info: ValidationInfo) -> Any:
        lenient = isinstance(data, dict) and (info.context or {}).get("left_out") is not None
        return coerced(cls, data) if lenient else data


def _or_none(value: Any) -> Any:
    """Read an empty text or object as None, which is how models write "none"."""
    return None if value in ("", {}, "none", "null") else value


def _spec(value: Any, info: ValidationInfo) -> Any:
    return read_items(_or_none(value), info, ReportSpec)


def _quotes(value: Any, info: ValidationInfo) -> Any:
    """Read a text for a list of one, and leave out what is no text; strict without a context, as for the cases."""
    if (info.context or {}).get("left_out") is None:
        return value
    listed = value if isinstance(value, list) else [value]
    return [item[:MAX_QUOTE_CHARS] for item in listed if isinstance(item, str) and item.strip()][:MAX_QUOTES]


Quotes = Annotated[
    list[Annotated[PrintableText, Field(max_length=MAX_QUOTE_CHARS)]],
    BeforeValidator(_quotes),
    Field(max_length=MAX_QUOTES),
]
"""Parts of the request, as the user wrote them."""


class EditsAnswer(ModelAnswer):
    """The answer to refine_layout and correction."""

    edits: Edits
    note: PrintableText = Field(default="", max_length=2_000)
    """What was wrong, in one sentence."""


class ChangeAnswer(ModelAnswer):
    """The answer to modification.

    A server that enforces the schema writes all its parts in this order; a reply without some of them is read too.
    """

    model_config = ConfigDict(json_schema_extra={"required": ["no_change", "plan", "rules", "look", "edits", "undone"]})
    no_change: PrintableText = Field(default="", max_length=2_000)
    """The reply to a message that asks for no change at all, in the user's language; nothing is changed then."""
    plan: PrintableText = Field(default="", max_length=2_000)
    """How the request is understood, in the user's language; it is shown while the edits are written."""
    rules: Rules = "keep"
    look: list[str] = Field(default=[], max_length=MAX_LOOKS)
    """Bands and elements that have to be seen first; then there are no edits yet."""
    edits: Edits = []
    undone: PrintableText = Field(default="", max_length=2_000)
    """What of the request cannot be done and why, in the user's language."""

    @model_validator(mode="after")
    def _has_edits(self) -> ChangeAnswer:
        if not (self.no_change or {"edits", "look", "undone"} & self.model_fields_set):
            raise ValueError("edits: a change needs them; [] if there is nothing to change")
        return self


class IntentAnswer(ModelAnswer):
    """What the user wants and, for requests that need only one call, the result itself."""

    intent: Intent
    format: Annotated[Format | None, BeforeValidator(_or_none)] = None
    version: Annotated[int | None, BeforeValidator(_or_none)] = None
    """The number of the version to restore."""
    plan: PrintableText = Field(default="", max_length=2_000)
    rules: Rules = "keep"
    edits: Edits = []
    undone: PrintableText = Field(default="", max_length=2_000)
    answer: PrintableText = Field(default="", max_length=20_000)
    spec: Annotated[ReportSpec | None, BeforeValidator(_spec)] = None
    not_held: Quotes = []
    in_other_words: Quotes = []

    @model_validator(mode="after")
    def _has_edits(self) -> IntentAnswer:
        if self.intent == "modify_report" and not {"edits", "rules"} & self.model_fields_set:
            raise ValueError("edits: a change needs them; [] if there is nothing to change")
        return self

    def as_change(self) -> ChangeAnswer:
        """Return its edits as the answer to the question for edits alone."""
        answer = ChangeAnswer(plan=self.plan, rules=self.rules, edits=self.edits, undone=self.undone)
        answer._left_out, answer._truncated = self.left_out, self.truncated
        return answer


class SpecAnswer(ModelAnswer):
    """The answer to initial_generation."""

    no_report: PrintableText = Field(default="", max_length=2_000)
    """The reply to a message that describes no report, in the user's language; nothing is built then."""
    spec: Annotated[ReportSpec | None, BeforeValidator(_spec)] = None
    not_held: Quotes = []
    """What of the request the spec does not say, word for word: it is done as a change of the finished report."""
    in_other_words: Quotes = []
    """What of the request asks for nothing, or stands in the spec in other words, word for word."""
    undone: PrintableText = Field(default="", max_length=2_000)
    """What of the request neither a spec nor a change can do and why, in the user's language."""

    @model_validator(mode="after")
    def _has_spec(self) -> SpecAnswer:
        if self.spec is None and not self.no_report:
            raise ValueError("spec: a report needs one; where the request describes none, say so in no_report")
        return self


class SkeletonAnswer(ModelAnswer):
    """Decisions about a form; the rules decide whatever is left out."""

    names: dict[str, Identifier] = Field(default={}, max_length=500)
    """The name of the field or parameter, by placeholder."""
    totals: dict[str, str] = Field(default={}, max_length=100)
    """The placeholder of the column that is summed, by the total's placeholder."""


class ExplanationAnswer(ModelAnswer):
    explanation: PrintableText = Field(min_length=1, max_length=4_000)


class ConsultAnswer(ModelAnswer):
    answer: PrintableText = Field(min_length=1, max_length=20_000)


class QueryAnswer(ModelAnswer):
    query: str = Field(min_length=1, max_length=20_000)
    question: PrintableText = Field(default="", max_length=4_000)
    """The whole question, where it goes on with the one before."""


class EnhancedAnswer(ModelAnswer):
    """The answer to enhance_question: the question as it stands alone, or what the user is to be asked."""

    question: PrintableText = Field(default="", max_length=4_000)
    words: list[Annotated[PrintableText, Field(max_length=100)]] = Field(default=[], max_length=20)
    """Other words for what is asked for, which the tables may use."""
    clarify: PrintableText = Field(default="", max_length=1_000)

    @model_validator(mode="after")
    def _has_either(self) -> EnhancedAnswer:
        if not self.question.strip() and not self.clarify.strip():
            raise ValueError("question: without the whole question, the user is asked what is meant")
        return self


class AssessmentAnswer(ModelAnswer):
    """The answer to assess_question."""

    assessment: Literal["analysis", "clarify", "chat"]
    reply: PrintableText = Field(default="", max_length=2_000)

    @model_validator(mode="after")
    def _has_reply(self) -> AssessmentAnswer:
        if self.assessment != "analysis" and not self.reply.strip():
            raise ValueError("reply: where no query can answer, the user is told why or asked")
        return self


class JudgementAnswer(ModelAnswer):
    """The answer to judge_query."""

    verdict: Literal["answers", "differs", "cannot_tell"]
    part: PrintableText = Field(default="", max_length=MAX_QUOTE_CHARS)
    """The part of the question that the query does not answer, word for word."""
    reason: PrintableText = Field(default="", max_length=600)
    """What the query does instead, or what cannot be told, in the user's language."""

    @model_validator(mode="after")
    def _has_reason(self) -> JudgementAnswer:
        if self.verdict == "differs" and not (self.part.strip() and self.reason.strip()):
            raise ValueError("part, reason: a query that differs does so in a part of the question, and in some way")
        return self


class CodeAnswer(ModelAnswer):
    """The answer to write_python."""

    code: str = Field(min_length=1, max_length=20_000)


class ReadingAnswer(ModelAnswer):
    """The answer to analyse_python. Figures stand as references between double braces."""

    verdict: Literal["answers", "differs", "cannot_tell"]
    reason: PrintableText = Field(default="", max_length=600)
    text: PrintableText = Field(default="", max_length=2_000)

    @model_validator(mode="after")
    def _has_reason(self) -> ReadingAnswer:
        if self.verdict == "differs" and not self.reason.strip():
            raise ValueError("reason: a result that is not what the step is to give differs in something")
        return self


class BindingAnswer(ModelAnswer):
    """The answer to write_binding: a query, or why there is none."""

    query: str = Field(default="", max_length=20_000)
    reason: PrintableText = Field(default="", max_length=600)

    @model_validator(mode="after")
    def _has_either(self) -> BindingAnswer:
        if not self.query.strip() and not self.reason:
            raise ValueError("reason: without a query, the user is told what is missing")
        return self


class PlanAnswer(ModelAnswer):
    """The answer to plan_analysis."""

    assessment: Literal["analysis", "clarify", "chat"]
    question: PrintableText = Field(default="", max_length=4_000)
    reply: PrintableText = Field(default="", max_length=4_000)
    steps: list[AnalysisStep] = Field(default=[], max_length=20)

    @model_validator(mode="after")
    def _has_steps(self) -> PlanAnswer:
        if self.assessment == "analysis" and not self.steps:
            raise ValueError("steps: an analysis needs at least one")
        if self.assessment != "analysis" and not self.reply:
            raise ValueError("reply: without an analysis, the user is told why or asked")
        return self


class ChartAnswer(ModelAnswer):
    """A chart of a result: its kind and the columns."""

    kind: ChartKind
    x: str = Field(max_length=200)
    """The column that names the bars, points or slices."""
    y: list[str] = Field(min_length=1, max_length=6)
    """The columns with their values."""


class SectionAnswer(ModelAnswer):
    heading: PrintableText = Field(min_length=1, max_length=200)
    text: PrintableText = Field(default="", max_length=6_000)
    result: str = ""
    """The step whose rows the section shows; empty for none."""
    chart: Annotated[ChartAnswer | None, BeforeValidator(_or_none)] = None


class AnalysisAnswer(ModelAnswer):
    """The answer to write_analysis. Figures stand as references between double braces."""

    title: PrintableText = Field(min_length=1, max_length=200)
    sections: list[SectionAnswer] = Field(min_length=1, max_length=20)


class TaskPlanAnswer(ModelAnswer):
    """The answer to task_plan."""

    action: Literal["continue", "ask_user", "plan_done", "no_task"]
    speak: PrintableText = Field(default="", max_length=4_000)
    """The words to the user: a statement or a question."""
    reason: str = Field(default="", max_length=1_000)
    complexity: Literal["simple", "moderate", "complex"] = "simple"
    need_thinking: bool = False
    refining: Refining = ""
    plan_steps: list[PlanStep] = Field(default=[], max_length=20)

    @model_validator(mode="after")
    def _is_whole(self) -> TaskPlanAnswer:
        if self.action == "plan_done" and not self.plan_steps:
            raise ValueError("plan_steps: a plan has at least one step")
        if self.action in ("ask_user", "no_task") and not self.speak:
            raise ValueError("speak: it is what the user is asked or told")
        return self


class WantedCall(BaseModel):
    """A tool that a reply calls."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    name: str = Field(min_length=1, max_length=80)
    arguments: dict[str, Any] = {}


class TaskStepAnswer(ModelAnswer):
    """The answer to task_step."""

    action: Literal["continue", "ask_user", "confirm", "next_plan", "done", "abort"]
    speak: PrintableText = Field(default="", max_length=4_000)
    reason: PrintableText = Field(default="", max_length=1_000)
    goal_check: str = Field(default="", max_length=1_000)
    """What shows that the step, or the task, is done."""
    tool_call: Annotated[WantedCall | None, BeforeValidator(_or_none)] = None

    @model_validator(mode="after")
    def _is_whole(self) -> TaskStepAnswer:
        if self.action == "confirm" and self.tool_call is None:
            raise ValueError("tool_call: confirm asks the user about a call of a tool that writes")
        if self.action in ("next_plan", "done") and not self.goal_check.strip():
            raise ValueError("goal_check: it says what shows that done_when holds")
        if self.action == "ask_user" and not self.speak:
            raise ValueError("speak: it is what the user is asked")
        if self.action == "abort" and not self.reason:
            raise ValueError("reason: the user is told why the task ends")
        return self


class TaskSummaryAnswer(ModelAnswer):
    """The answer to task_summary."""

    summary: PrintableText = Field(min_length=1, max_length=4_000)


class RunAnswer(ModelAnswer):
    """The answer to run_request."""

    action: Literal["list", "add", "pause", "resume", "cancel", "now", "change", "none"]
    runs: list[str] = Field(default=[], max_length=100)
    """Names of the runs that are meant, as they are listed."""
    name: str = Field(default="", max_length=48)
    rule: str = Field(default="", max_length=500)
    source: str = Field(default="", max_length=40)
    period: str = Field(default="", max_length=60)
    each: str = Field(default="", max_length=80)
    formats: list[Format] = Field(default=[], max_length=6)
    folder: str = Field(default="", max_length=500)
    excluded: list[date] = Field(default=[], max_length=100)
    """Days on which nothing is due."""
    mail: list[str] = Field(default=[], max_length=20)
    mails_user: bool = False
    tell: list[str] = Field(default=[], max_length=20)
    tells_user: bool = False
    dropped: list[RunPart] = Field(default=[], max_length=10)
    """What of the run that is known already is to go."""
    undone: PrintableText = Field(default="", max_length=1_000)
    """What of the request a run cannot do, in the user's language."""


class Objection(ModelAnswer):
    """A part of a request that the printed report does not meet."""

    quote: PrintableText = Field(min_length=1, max_length=MAX_QUOTE_CHARS)
    """The part of the request, word for word."""
    facts: list[int] = Field(max_length=20)
    """Numbers of the facts that show it."""
    shown: PrintableText = Field(min_length=1, max_length=300)
    """What the page has instead, in the user's language."""


def _objections(value: Any, info: ValidationInfo) -> Any:
    """Leave out objections that cannot be used; strict without a context, as for the cases."""
    if (info.context or {}).get("left_out") is None:
        return value
    found = []
    for item in value if isinstance(value, list) else [value]:
        with suppress(ValidationError):
            found.append(Objection.model_validate(item, context=info.context))
    return found[:MAX_OBJECTIONS]


class ReviewAnswer(ModelAnswer):
    """The answer to review_outcome."""

    objections: Annotated[list[Objection], BeforeValidator(_objections)] = Field(max_length=MAX_OBJECTIONS)


class SummaryAnswer(ModelAnswer):
    summary: PrintableText = Field(min_length=1, max_length=20_000)


ANSWERS: dict[str, type[ModelAnswer]] = {
    "intent_classify": IntentAnswer,
    "run_request": RunAnswer,
    "initial_generation": SpecAnswer,
    "skeleton_generation": SkeletonAnswer,
    "refine_layout": EditsAnswer,
    "modification": ChangeAnswer,
    "explain_error": ExplanationAnswer,
    "correction": EditsAnswer,
    "review_outcome": ReviewAnswer,
    "consult": ConsultAnswer,
    "write_query": QueryAnswer,
    "enhance_question": EnhancedAnswer,
    "assess_question": AssessmentAnswer,
    "judge_query": JudgementAnswer,
    "write_binding": BindingAnswer,
    "plan_analysis": PlanAnswer,
    "write_python": CodeAnswer,
    "analyse_python": ReadingAnswer,
    "write_analysis": AnalysisAnswer,
    "task_plan": TaskPlanAnswer,
    "task_step": TaskStepAnswer,
    "task_summary": TaskSummaryAnswer,
    "compress_history": SummaryAnswer,
}
"""Answer types by prompt name."""
