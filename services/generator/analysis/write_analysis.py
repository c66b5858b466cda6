"""Write the document about the results of an analysis. Without a model's text, it is the rows of each step."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pyarrow

from bandsmith.shared.actor import Store
from bandsmith.shared.events import AnalysisWritten, WriteAnalysis
from bandsmith.shared.language import ENGLISH_NAMES
from bandsmith.shared.llm import Model, ModelFailed, ask
from bandsmith.shared.llm.answers.data import AnalysisAnswer
from bandsmith.shared.llm.ask import Review
from bandsmith.shared.model.allowance import Usage
from bandsmith.shared.model.analysis import AnalysisDocument, StepResult
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.replies import text

from .document import DocumentWriter
from .figures import Results, shown
from .sensitive import hides_rows

MAX_MODEL_ROWS = 20
"""Rows of a result that a model sees: it writes about them, and the program puts the figures in."""


async def write_analysis(store: Store, command: WriteAnalysis, model: Model | None) -> AnalysisWritten:
    answered = [step for step in command.results if step.result is not None]
    contents = await asyncio.gather(*(store.get(step.result) for step in answered if step.result is not None))
    results = {
        step.name: pyarrow.ipc.open_stream(content).read_all() for step, content in zip(answered, contents, strict=True)
    }
    schema = SourceSchema.model_validate_json(await store.get(command.database))
    writer = DocumentWriter(command.question, command.source, command.results, results)
    document, notes, usage = await _written(writer, command, schema, results, model)
    ref = await store.put(document.model_dump_json().encode(), "application/json")
    return AnalysisWritten(analysis=ref, notes=notes, usage=usage)


async def _written(
    writer: DocumentWriter, command: WriteAnalysis, schema: SourceSchema, results: Results, model: Model | None
) -> tuple[AnalysisDocument, list[str], Usage]:
    if model is None or not command.allowance.calls:
        return writer.plain(), [text("data.analysis.plain", command.language)], Usage()
    values = {
        "question": command.question,
        "results": _described(command.results, results, schema),
        "language": ENGLISH_NAMES[command.language],
    }
    try:
        answer, usage = await ask(
            model, "write_analysis", values, AnalysisAnswer, allowance=command.allowance,
            review=lambda answer: Review(writer.objections(answer)),
        )  # fmt: skip
    except ModelFailed as failed:
        return writer.plain(), [text("data.analysis.plain", command.language)], failed.usage
    document, notes = writer.written(answer)
    return document, [note.in_language(command.language) for note in notes], usage


def _described(steps: Sequence[StepResult], results: Results, schema: SourceSchema) -> str:
    """Return the results as a model sees them: the task, the columns and the first rows of each.

    Of a query that names a sensitive column, a model sees no row: it refers to figures that the program puts in.
    """
    described = []
    for step in steps:
        table = results.get(step.name)
        if table is None:
            described.append({"step": step.name, "task": step.task, "not answered": True})
            continue
        first = table.slice(0, 0 if hides_rows(step, steps, schema) else MAX_MODEL_ROWS)
        rows = [[shown(value) for value in row.values()] for row in first.to_pylist()]
        described.append({
            "step": step.name, "task": step.task, "columns": table.column_names, "row count": table.num_rows,
            "first rows": rows, **({"says": step.explanation} if step.explanation else {}),
        })  # fmt: skip
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in described)
