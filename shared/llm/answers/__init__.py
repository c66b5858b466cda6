"""The type of each prompt's answer."""

from __future__ import annotations

from .base import ModelAnswer
from .data import (
    AnalysisAnswer,
    AssessmentAnswer,
    BindingAnswer,
    CodeAnswer,
    EnhancedAnswer,
    JudgementAnswer,
    PlanAnswer,
    QueryAnswer,
    ReadingAnswer,
)
from .report import (
    ChangeAnswer,
    ConsultAnswer,
    EditsAnswer,
    ExplanationAnswer,
    FormAnswer,
    IntentAnswer,
    ReviewAnswer,
    SkeletonAnswer,
    SpecAnswer,
    SummaryAnswer,
)
from .work import RunAnswer, TaskPlanAnswer, TaskStepAnswer, TaskSummaryAnswer

ANSWERS: dict[str, type[ModelAnswer]] = {
    "intent_classify": IntentAnswer,
    "run_request": RunAnswer,
    "initial_generation": SpecAnswer,
    "read_form": FormAnswer,
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
