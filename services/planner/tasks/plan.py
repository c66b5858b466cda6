"""Plan a task: quickly, and for a complex one again in finer steps, with reasoning."""

from __future__ import annotations

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import PlanWork, WorkPlanned
from bandsmith.shared.language import ENGLISH_NAMES
from bandsmith.shared.llm import Model, model_required
from bandsmith.shared.llm.answers.work import TaskPlanAnswer
from bandsmith.shared.llm.decide import Manner, decide
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.schedule.wording import overview
from bandsmith.shared.settings import ToolServerSettings
from bandsmith.shared.tool_servers import servers_of

from .context import before_words, domain_words, foreign_domain_words, messages, window_words

QUICK = Manner(max_tokens=1_600, temperature=0.2)
THOROUGH = Manner(max_tokens=3_200, temperature=0.2, reasons=True)
MAX_CALENDAR_CHARS = 12_000
FINER = "\n- The task is complex: work out finer steps, in the order in which they depend on each other."
INSTRUCTION = "Plan the task now."


async def plan(store: Store, command: PlanWork, draft: Ref, model: Model | None) -> WorkPlanned:
    """Return a plan, a question, or why the reply is neither.

    Raises ``BadInput`` without a model, ``TerminalError`` if the model gives no answer.
    """
    if model is None or not command.allowance.calls:
        raise BadInput.of("schedule.task.no_model", code="model")
    schedule = Schedule.model_validate_json(await store.get(draft))
    servers = list(servers_of(command.owner, ToolServerSettings().file))
    before = command.work_before or before_words(command.history, command.run_title)
    values: dict[str, object] = {
        "before": before,
        "window": window_words(schedule),
        "calendar": overview(schedule, "en")[:MAX_CALENDAR_CHARS],
        "request": command.text,
        "tools": "\n".join([domain_words(), *foreign_domain_words(servers)]),
        "finer": FINER if command.work_thinks else "",
        "language": ENGLISH_NAMES[command.language],
    }
    manner = THOROUGH if command.work_thinks else QUICK
    asked = messages("task_plan", values, command.work_log, INSTRUCTION)
    with model_required():
        answer, raw, problem, usage = await decide(model, "task_plan", asked, TaskPlanAnswer, manner, command.allowance)
    planned = WorkPlanned(
        work_action="unusable", work_draft=draft, work_servers=servers, work_thinks=command.work_thinks, work_reply=raw,
        work_problem=problem, work_before=before, usage=usage,
    )  # fmt: skip
    return planned if answer is None else _decided(planned, answer)


def _decided(planned: WorkPlanned, answer: TaskPlanAnswer) -> WorkPlanned:
    """Return what the reply decided: a plan, a question, no task, or to think about it once more."""
    news = {"work_words": answer.speak, "work_steps": answer.plan_steps, "work_refining": answer.refining}
    match answer.action:
        case "plan_done" if _is_hard(answer) and not planned.work_thinks:
            return planned.model_copy(update=news | {"work_action": "think", "work_thinks": True})
        case "plan_done":
            return planned.model_copy(update=news | {"work_action": "plan"})
        case "ask_user":
            return planned.model_copy(update=news | {"work_action": "ask"})
        case "no_task":
            return planned.model_copy(update=news | {"work_action": "nothing"})
    thinks = planned.work_thinks or _is_hard(answer)
    return planned.model_copy(update=news | {"work_action": "continue", "work_thinks": thinks})


def _is_hard(answer: TaskPlanAnswer) -> bool:
    return answer.need_thinking or answer.complexity == "complex"
