"""Read the result of a step in Python, with a model that sees its task, its code and its first rows.

What the result says refers to figures by name, so that none is invented. A reading that fails is none: the result of
code that ran is kept.
"""

from __future__ import annotations

import json

import pyarrow

from bandsmith.shared.actor import Store
from bandsmith.shared.events import AnalysePython, PythonAnalysed
from bandsmith.shared.language import ENGLISH_NAMES
from bandsmith.shared.llm import Model, ModelFailed, ask
from bandsmith.shared.llm.answers.data import ReadingAnswer
from bandsmith.shared.llm.ask import Review
from bandsmith.shared.model.analysis import StepResult
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.replies import Text

from .figures import faults, shown
from .sensitive import hides_rows

MAX_SHOWN_ROWS = 20


async def analyse_python(store: Store, command: AnalysePython, model: Model | None) -> PythonAnalysed:
    """Return what the result says, and what speaks against it; nothing where no model is to be asked."""
    if model is None or not command.allowance.calls:
        return PythonAnalysed()
    schema = SourceSchema.model_validate_json(await store.get(command.database))
    table = pyarrow.ipc.open_stream(await store.get(command.result)).read_all()
    step = command.step
    values = {
        "question": command.question,
        "task": step.task,
        "code": command.step_code,
        "result": _described(table, command, schema),
        "language": ENGLISH_NAMES[command.language],
    }
    allowed = f"{command.question} {step.task}"

    def review(answer: ReadingAnswer) -> Review:
        return Review([f"text: {fault}" for fault in faults(answer.text, {step.name: table}, allowed)])

    try:
        answer, usage = await ask(
            model, "analyse_python", values, ReadingAnswer, allowance=command.allowance, review=review
        )
    except ModelFailed as failed:
        return PythonAnalysed(usage=failed.usage)
    if answer.verdict == "differs":
        doubt = Text.of("data.python.differs", reason=answer.reason.strip().rstrip(".。"))
        return PythonAnalysed(doubt=doubt.in_language(command.language), reason=doubt.en, usage=usage)
    said = "" if review(answer).objections else answer.text.strip()
    return PythonAnalysed(step_explanation=said, usage=usage)


def _described(table: pyarrow.Table, command: AnalysePython, schema: SourceSchema) -> str:
    """Return what a model sees of the result: no row of one that was computed from a sensitive column."""
    step = StepResult(name=command.step.name, task=command.step.task, kind="python", uses=command.step.uses)
    first = table.slice(0, 0 if hides_rows(step, command.results, schema) else MAX_SHOWN_ROWS)
    described = {
        "step": step.name,
        "columns": {field.name: str(field.type) for field in table.schema},
        "row count": table.num_rows,
        "first rows": [[shown(value) for value in row.values()] for row in first.to_pylist()],
    }
    return json.dumps(described, ensure_ascii=False)
