"""Correct a template by the findings' own edits, else by fixes known from similar findings, else by a model's edits."""

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
MAX_FINDINGS = 10
"""Findings, fixes and edits that a prompt or an event contains at most."""
MAX_OUTLINE_TOKENS = 3_000
"""Tokens of the template's outline in a prompt."""


async def correct(store: Store, command: CorrectTemplate, model: Model | None) -> TemplateCorrected:
    """Return the template after the first of the three that changes it, or unchanged where none does.

    Raises ``BadInput`` when the template cannot be read.
    """
    template = await store.get(command.template)
    ranked = sorted(command.findings, key=lambda finding: finding.severity != "error")
    usage = Usage()
    if corrected := _apply(template, [edit for finding in ranked for edit in finding.edits]):
        by = "rules"
    elif corrected := _apply(template, [edit for fix in command.fixes for edit in fix.edits]):
        by = "knowledge"
    elif model and command.allowance.calls:
        by = "model"
        proposed, usage = await _ask_model(model, template, command, ranked)
        corrected = _apply(template, proposed)
    if not corrected:
        return TemplateCorrected(template=command.template, changed=0, usage=usage)
    content, edits = corrected
    ref = await store.put(content, XML)
    return TemplateCorrected.model_validate(
        {"template": ref, "changed": len(edits), "edits": edits[:MAX_FINDINGS], "by": by, "usage": usage}
    )


def _apply(template: bytes, edits: Sequence[AnyEdit]) -> tuple[bytes, list[AnyEdit]] | None:
    """Return the template and the edits that took effect; None where none did."""
    if not edits:
        return None
    editor = Editor(template)
    done = [outcome.edit for outcome in editor.carry_out(edits) if outcome.changed]
    return (editor.bytes(), done) if done else None


async def _ask_model(
    model: Model, template: bytes, command: CorrectTemplate, findings: Sequence[Finding]
) -> tuple[Sequence[AnyEdit], Usage]:
    """Return a model's edits and the cost; no edits where it fails."""
    values = {
        "findings": _json(
            [finding.model_dump(include={"code", "message", "element"}) for finding in findings[:MAX_FINDINGS]]
        ),
        "explanation": command.explanation,
        "fixes": _json([_brief(fix) for fix in command.fixes[:MAX_FINDINGS]]),
        "elements": outline(
            template, " ".join(f"{f.element or ''} {f.message}" for f in findings[:MAX_FINDINGS]), MAX_OUTLINE_TOKENS
        ),
        "edits": described(),
    }
    try:
        answer, usage = await ask(model, "correction", values, EditsAnswer, allowance=command.allowance)
    except ModelFailed as failure:
        return [], failure.usage
    return answer.edits, usage


def _brief(fix: Fix) -> dict[str, object]:
    return {"code": fix.code, "edits": [edit.model_dump(exclude_none=True) for edit in fix.edits]}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
