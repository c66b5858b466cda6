"""Answers about work: tasks in a calendar, and scheduled runs."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ...model.run_request import RunPart
from ...model.session_parts import Format
from ...model.task import PlanStep, Refining
from .base import ModelAnswer, PrintableText, or_none


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
    tool_call: Annotated[WantedCall | None, BeforeValidator(or_none)] = None

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
    paused: bool = False
    """Whether a new run begins paused."""
    dropped: list[RunPart] = Field(default=[], max_length=10)
    """What of the run that is known already is to go."""
    undone: PrintableText = Field(default="", max_length=1_000)
    """What of the request a run cannot do, in the user's language."""
