"""Write the Python of a step, with a model that sees the columns and first rows of the results it computes with."""

from __future__ import annotations

import json

import pyarrow

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import PythonWritten, WritePython
from bandsmith.shared.llm import Model, ask, model_required
from bandsmith.shared.llm.answers.data import CodeAnswer
from bandsmith.shared.model.analysis import StepResult
from bandsmith.shared.model.source import SourceSchema

from .figures import shown
from .sensitive import hides_rows

MAX_SHOWN_ROWS, MAX_TRIED = 5, 3


async def write_python(store: Store, command: WritePython, model: Model | None) -> PythonWritten:
    """Return the code. Raises ``BadInput`` without a model, ``TerminalError`` if the model gives none."""
    if model is None or not command.allowance.calls:
        raise BadInput.of("data.no_model_for_analysis", code="model")
    schema = SourceSchema.model_validate_json(await store.get(command.database))
    frames = [await _described(store, frame, command, schema) for frame in command.frames]
    tried = [{"code": one.query, "refused because": one.reason} for one in command.code_tried[-MAX_TRIED:]]
    values = {
        "frames": "\n".join(frames),
        "question": command.question,
        "task": command.task,
        "tried": json.dumps(tried, ensure_ascii=False, indent=1),
    }
    with model_required():
        answer, usage = await ask(model, "write_python", values, CodeAnswer, allowance=command.allowance)
    return PythonWritten(step_code=answer.code, usage=usage)


async def _described(store: Store, frame: StepResult, command: WritePython, schema: SourceSchema) -> str:
    """Return what a model sees of a data frame: no row of one that comes from a sensitive column."""
    assert frame.result is not None
    table = pyarrow.ipc.open_stream(await store.get(frame.result)).read_all()
    first = table.slice(0, 0 if hides_rows(frame, command.results, schema) else MAX_SHOWN_ROWS)
    described = {
        "data frame": frame.name,
        "task": frame.task,
        "columns": {field.name: str(field.type) for field in table.schema},
        "row count": table.num_rows,
        "first rows": [[shown(value) for value in row.values()] for row in first.to_pylist()],
    }
    return json.dumps(described, ensure_ascii=False)
