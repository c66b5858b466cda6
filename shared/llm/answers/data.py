"""Answers about data: questions, queries, steps in Python, analyses and fillings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from ...model.analysis import AnalysisStep, ChartKind
from .base import MAX_QUOTE_CHARS, ModelAnswer, PrintableText, or_none


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
    chart: Annotated[ChartAnswer | None, BeforeValidator(or_none)] = None


class AnalysisAnswer(ModelAnswer):
    """The answer to write_analysis. Figures stand as references between double braces."""

    title: PrintableText = Field(min_length=1, max_length=200)
    sections: list[SectionAnswer] = Field(min_length=1, max_length=20)
