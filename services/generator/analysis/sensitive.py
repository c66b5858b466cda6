"""Whether a step of an analysis may reveal values that no language model may see."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.model.analysis import StepResult
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.sensitive_queries import names_sensitive_column


def hides_rows(step: StepResult, steps: Sequence[StepResult], schema: SourceSchema) -> bool:
    """Return whether no model may see rows of a step. What Python computed is as sensitive as what it computed from."""
    if step.kind != "python":
        return names_sensitive_column(step.query, schema)
    before = steps[: next((number for number, one in enumerate(steps) if one.name == step.name), len(steps))]
    return any(hides_rows(one, before, schema) for one in before if one.name in step.uses)
