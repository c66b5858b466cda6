"""Correction: a finding's own edits first; then those that mended its like before; then a model's."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bandsmith.shared.actor import Store
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.events import CorrectTemplate, TemplateCorrected
from bandsmith.shared.jrxml.outline import outline
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers import EditsAnswer
from bandsmith.shared.llm.schema_prompt import edits as described
from bandsmith.shared.model.knowledge import Fix
from bandsmith.shared.model.verdict import Finding

XML = "application/xml"
MOST = 10
"""So many findings go into a prompt."""
OUTLINE = 3_000
"""Tokens of the template that go with them."""


async def correct(store: Store, command: CorrectTemplate, model: Model | None) -> TemplateCorrected:
    """The template after the first of the three that changes it; the same where none does.

    Raises ``BadInput`` when the template cannot be read.
    """
    template = await store.get(command.template)
    ranked = sorted(command.findings, key=lambda finding: finding.severity != "error")
    usage = Usage()
    if corrected := carried_out(template, [edit for finding in ranked for edit in finding.edits]):
        by = "rules"
    elif corrected := carried_out(template, [edit for mending in command.fixes for edit in mending.edits]):
        by = "knowledge"
    elif model and command.allowance.calls:
        by = "model"
        thought, usage = await _thought(model, template, command, ranked)
        corrected = carried_out(template, thought)
    if not corrected:
        return TemplateCorrected(template=command.template, changed=0, usage=usage)
    content, edits = corrected
    ref = await store.put(content, XML)
    return TemplateCorrected.model_validate(
        {"template": ref, "changed": len(edits), "edits": edits[:MOST], "by": by, "usage": usage}
    )


def carried_out(template: bytes, edits: Sequence[AnyEdit]) -> tuple[bytes, list[AnyEdit]] | None:
    """The template and the edits that took effect; None where none did."""
    if not edits:
        return None
    editor = Editor(template)
    done = [outcome.edit for outcome in editor.carry_out(edits) if outcome.changed]
    return (editor.bytes(), done) if done else None


async def _thought(
    model: Model, template: bytes, command: CorrectTemplate, findings: Sequence[Finding]
) -> tuple[Sequence[AnyEdit], Usage]:
    """A model's edits, and what they cost; none where it fails."""
    values = {
        "findings": _json([finding.model_dump(include={"code", "message", "element"}) for finding in findings[:MOST]]),
        "explanation": command.explanation,
        "fixes": _json([_brief(mending) for mending in command.fixes[:MOST]]),
        "elements": outline(template, " ".join(f"{f.element or ''} {f.message}" for f in findings[:MOST]), OUTLINE),
        "edits": described(),
    }
    try:
        answer, usage = await ask(model, "correction", values, EditsAnswer, allowance=command.allowance)
    except ModelFailed as failure:
        return [], failure.usage
    return answer.edits, usage


def _brief(mending: Fix) -> dict[str, object]:
    return {"code": mending.code, "edits": [edit.model_dump(exclude_none=True) for edit in mending.edits]}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
