"""Assess a question about data, and plan the steps of its answer, with a model that sees the source's tables."""

from __future__ import annotations

import json

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import AnalysisPlanned, PlanAnalysis
from bandsmith.shared.language import ENGLISH_NAMES
from bandsmith.shared.llm import Model, ask, model_required
from bandsmith.shared.llm.answers.data import PlanAnswer
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.model.source_text import prompt_tables, shown_schema


async def plan_analysis(store: Store, command: PlanAnalysis, model: Model | None) -> AnalysisPlanned:
    """Return a plan, or what to say instead of one.

    Raises ``BadInput`` without a model, ``TerminalError`` if the model gives no plan.
    """
    if model is None or not command.allowance.calls:
        raise BadInput.of("data.no_model_for_analysis", code="model")
    schema = SourceSchema.model_validate_json(await store.get(command.database))
    tables = prompt_tables(shown_schema(schema, command.shown_tables))
    before = [{"question": one.question, "query": one.query} for one in command.conversation]
    values = {
        "tables": tables,
        "evidence": "\n".join(command.evidence),
        "before": json.dumps(before, ensure_ascii=False),
        "objections": "\n".join(command.plan_objections),
        "question": command.question,
        "language": ENGLISH_NAMES[command.language],
    }
    with model_required():
        answer, usage = await ask(model, "plan_analysis", values, PlanAnswer, allowance=command.allowance)
    steps = answer.steps if answer.assessment == "analysis" else []
    return AnalysisPlanned(
        question=answer.question or command.question,
        plan=steps,
        answer="" if steps else answer.reply,
        usage=usage,
    )
