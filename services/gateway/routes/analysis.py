"""The part of the table that analyses data: plan the steps, have the plan approved, run it, and write the report.

Each step is a question of its own: the rows of ``query.py`` write, check and run its query and come back to
``next_step``, also without an answer, so one step that fails does not lose the others.
"""

from __future__ import annotations

from bandsmith.shared.events import (
    AnalysePython,
    AnalysisPlanned,
    AnalysisRendered,
    AnalysisWritten,
    PlanAnalysis,
    PythonAnalysed,
    PythonRun,
    PythonWritten,
    QuestionAssessed,
    RenderAnalysis,
    RunPython,
    StageFailed,
    TurnFailed,
    WriteAnalysis,
    WritePython,
    WriteQuery,
)
from bandsmith.shared.model.analysis import MAX_STEPS

from ..state import Turn
from ..workflow import AtOnce, Cap, Row
from .query import QUERY

# --- conditions ------------------------------------------------------------------------------------------------------


def an_analysis_is_wanted(turn: Turn) -> bool:
    return turn.asking is not None and turn.asking.analyse and not turn.is_own_query


def nothing_is_to_be_analysed(turn: Turn) -> bool:
    return not turn.plan


def the_plan_is_wrong(turn: Turn) -> bool:
    return bool(turn.plan_trouble)


def approval_is_wanted(turn: Turn) -> bool:
    return turn.asking is not None and turn.asking.review and not turn.is_approved


def the_plan_is_approved(turn: Turn) -> bool:
    return turn.intent == "ask_data" and turn.is_approved


def the_plan_is_to_change(turn: Turn) -> bool:
    return turn.intent == "ask_data"


def a_step_is_left(turn: Turn) -> bool:
    return turn.step is not None


def the_step_is_python(turn: Turn) -> bool:
    return turn.step is not None and turn.step.kind == "python"


def the_code_may_be_corrected(turn: Turn) -> bool:
    return bool(turn.problem) and turn.may_be_tried and turn.allowance.calls > 0


def its_result_is_to_be_read(turn: Turn) -> bool:
    return turn.result is not None and turn.allowance.calls > 0


def other_code_may_compute_it(turn: Turn) -> bool:
    return bool(turn.doubt) and turn.allowance.calls > 0


def nothing_was_answered(turn: Turn) -> bool:
    return all(result.problem for result in turn.results)


# --- rows ------------------------------------------------------------------------------------------------------------

REPAIR = Cap("plan_repairs", 2)
STEP = Cap("steps", MAX_STEPS)
PYTHON = Cap("python_corrections", 2)
"""Three attempts in all; after that, the report is written without the step."""

ROWS: tuple[Row, ...] = (
    Row("assess", QuestionAssessed, "plan_analysis", PlanAnalysis, an_analysis_is_wanted),
    Row("plan_analysis", AnalysisPlanned, "finalize", when=nothing_is_to_be_analysed),
    Row("plan_analysis", AnalysisPlanned, "check_plan"),
    Row("plan_analysis", StageFailed, TurnFailed),
    Row("check_plan", AtOnce, "plan_analysis", PlanAnalysis, the_plan_is_wrong, REPAIR),
    Row("check_plan", AtOnce, "finalize", when=the_plan_is_wrong),
    Row("check_plan", AtOnce, "await_approval", when=approval_is_wanted),
    Row("check_plan", AtOnce, "next_step"),
    Row("await_approval", AtOnce, "finalize"),
    Row("resume_turn", AtOnce, "next_step", when=the_plan_is_approved),
    Row("resume_turn", AtOnce, "plan_analysis", PlanAnalysis, the_plan_is_to_change),
    Row("next_step", AtOnce, "write_python", WritePython, the_step_is_python, STEP, renews=(PYTHON.name,)),
    Row("next_step", AtOnce, "write_sql", WriteQuery, a_step_is_left, STEP, renews=(QUERY.name,)),
    Row("write_python", PythonWritten, "run_python", RunPython),
    Row("write_python", StageFailed, "next_step"),
    Row("run_python", PythonRun, "write_python", WritePython, the_code_may_be_corrected, PYTHON),
    Row("run_python", PythonRun, "analyse_python", AnalysePython, its_result_is_to_be_read),
    Row("run_python", PythonRun, "next_step"),
    Row("run_python", StageFailed, "next_step"),
    Row("analyse_python", PythonAnalysed, "write_python", WritePython, other_code_may_compute_it, PYTHON),
    Row("analyse_python", PythonAnalysed, "next_step"),
    Row("analyse_python", StageFailed, "next_step"),
    Row("next_step", AtOnce, "finalize", when=nothing_was_answered),
    Row("next_step", AtOnce, "write_report", WriteAnalysis),
    Row("write_report", AnalysisWritten, "render_report", RenderAnalysis),
    Row("write_report", StageFailed, TurnFailed),
    Row("render_report", AnalysisRendered, "finalize"),
    Row("render_report", StageFailed, TurnFailed),
)
