"""Summarize a task that is over."""

from __future__ import annotations

from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import DeliverWork, WorkDelivered
from bandsmith.shared.language import ENGLISH_NAMES
from bandsmith.shared.llm import Model, model_required
from bandsmith.shared.llm.answers.work import TaskSummaryAnswer
from bandsmith.shared.llm.decide import Manner, decide

from .context import happened_words, messages, state_words

MANNER = Manner(max_tokens=800, temperature=0.5)


async def deliver(command: DeliverWork, model: Model | None) -> WorkDelivered:
    """Return the model's summary. Raises ``TerminalError`` without one: the program then writes the summary."""
    if model is None:
        raise TerminalError.of("schedule.task.no_model", code="model")
    values: dict[str, object] = {
        "before": command.work_before,
        "request": command.text,
        "happened": happened_words(command.work_log),
        "language": ENGLISH_NAMES[command.language],
    }
    instruction = "\n".join(filter(None, [command.work.reason, "Sum up the task now."]))
    asked = messages("task_summary", values, [], state_words(command.work, instruction))
    with model_required():
        answer, _, _, usage = await decide(model, "task_summary", asked, TaskSummaryAnswer, MANNER, command.allowance)
    return WorkDelivered(work_summary=answer.summary if answer else "", usage=usage)
