"""The gateway's own part of an analysis: the check of its plan, the approval, and the way from step to step."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from bandsmith.shared.model.analysis import MAX_STEPS, StepResult
from bandsmith.shared.model.session_parts import Pending
from bandsmith.shared.replies import text

from .facts.analysis import MAX_REJECTIONS
from .state import SessionState, Turn

PLAN_FACTS = {
    *(
        "text",
        "language",
        "intent",
        "asking",
        "source",
        "database",
        "question",
        "evidence",
        "relations",
        "shown_tables",
        "conversation",
    ),
    *("plan", "plan_objections", "rejections", "notes"),
}
"""What the turn that shows the plan knows, and the turn that runs it needs."""

Step = tuple[SessionState, Turn]


def check_plan(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Hold the plan against its rules, and drop the report at its end, which every analysis has."""
    trouble = "; ".join(_troubles(turn))
    plan = [step for step in turn.plan if step.kind != "report"]
    objections = [*turn.plan_objections, trouble] if trouble else turn.plan_objections
    return session, turn.model_copy(update={"plan": plan, "plan_trouble": trouble, "plan_objections": objections})


def _troubles(turn: Turn) -> Iterator[str]:
    """What is wrong with the plan, for a model."""
    if not turn.plan:
        return
    if len(turn.plan) > MAX_STEPS:
        yield f"the plan has {len(turn.plan)} steps, at most {MAX_STEPS} are allowed"
    if all(step.kind != "sql" for step in turn.plan):
        yield "no step has the kind sql"
    if any(step.kind == "report" for step in turn.plan[:-1]):
        yield "only the last step may be a report"
    earlier: set[str] = set()
    for step in turn.plan:
        if step.name in earlier:
            yield f"two steps have the name {step.name}"
        for name in step.uses:
            if name not in earlier:
                yield f"{step.name} uses {name}, which is no earlier step"
        if step.kind == "python" and not step.uses:
            yield f"{step.name} computes in Python, and uses no earlier step"
        earlier.add(step.name)


def await_approval(session: SessionState, turn: Turn, _: datetime) -> Step:
    """End the turn with the plan as a question, and keep what the turn knows for the one that answers it."""
    kinds = {"python": " (Python)"}
    lines = [
        f"{number}. {step.name}: {step.task}{kinds.get(step.kind, '')}" for number, step in enumerate(turn.plan, 1)
    ]
    left = MAX_REJECTIONS - turn.rejections
    code = "data.plan.approve" if left else "data.plan.approve_or_drop"
    card = text(code, turn.language, question=turn.question, steps="\n".join(lines))
    return session, turn.model_copy(
        update={
            "asks": Pending(kind="confirmation", text=card, id=f"{turn.id}-plan"),
            "suspends": turn.model_dump(mode="json", include=PLAN_FACTS),
        }
    )


def take_approval(turn: Turn, said: str) -> Turn:
    """Return the turn that showed the plan as it continues: approved, or with what the user has against the plan."""
    if turn.agrees:
        return turn.model_copy(update={"is_approved": True})
    return turn.model_copy(
        update={"plan_objections": [*turn.plan_objections, said], "rejections": turn.rejections + 1, "plan": []}
    )


def next_step(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Keep what the step at work gave, and go on to the next one."""
    step, results = turn.step, turn.results
    if step is not None:
        problem = turn.problem
        if not problem and turn.result is None and step.kind == "python":
            problem = text("data.python.without", turn.language, name=step.name)
        elif not problem and turn.result is None:
            problem = turn.notes[-1] if turn.notes else text("data.plan.no_answer", turn.language)
        done = StepResult(
            name=step.name,
            task=step.task,
            query=turn.step_code if step.kind == "python" else turn.query,
            kind=step.kind,
            uses=step.uses,
            result=None if problem else turn.result,
            rows_as_csv=None if problem else turn.rows_as_csv,
            row_count=0 if problem else turn.row_count,
            is_cut=turn.is_cut and not problem,
            problem=problem,
            doubt="" if problem else turn.doubt,
            explanation="" if problem else turn.step_explanation,
        )
        results = [*results, done]
    news = {"step_number": turn.step_number + 1, "results": results, "queries_tried": [], "problem": "", "query": "",
            "statement": None, "result": None, "rows_as_csv": None, "step_code": "", "code_tried": [],
            "may_be_tried": True, "doubt": "", "step_explanation": "", "doubted_parts": []}  # fmt: skip
    return session, _without_lost_steps(turn.model_copy(update=news))


def _without_lost_steps(turn: Turn) -> Turn:
    """Pass over steps in Python whose data are missing, since none of the steps that they use was answered."""
    while (step := turn.step) is not None and step.kind == "python" and not turn.frames:
        problem = text("data.python.without", turn.language, name=step.name)
        lost = StepResult(name=step.name, task=step.task, kind=step.kind, uses=step.uses, problem=problem)
        turn = turn.model_copy(update={"step_number": turn.step_number + 1, "results": [*turn.results, lost]})
    return turn
