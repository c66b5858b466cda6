"""Correct a template by the findings' own edits, else by fixes known from similar findings, else by a model's edits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from bandsmith.shared.actor import Store
from bandsmith.shared.editing import Editor
from bandsmith.shared.editing.content_guard import carry_out_within_limit
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.events import CorrectTemplate, TemplateCorrected
from bandsmith.shared.jrxml.dom import content_of
from bandsmith.shared.jrxml.outline import outline
from bandsmith.shared.jrxml.refusals import ALREADY_DONE
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers.report import EditsAnswer
from bandsmith.shared.llm.ask import Review
from bandsmith.shared.llm.schema_prompt import edits as described
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.turns.fixes import Fix
from bandsmith.shared.turns.verdict import Finding

XML = "application/xml"
MAX_FINDINGS = 10
"""Findings, fixes and edits that a prompt or an event contains at most."""
MAX_REQUEST_CHARS, MAX_EXPRESSION_CHARS = 2_000, 2_000
MAX_BLOCKS, MAX_TEXT_CHARS = 80, 40
"""Texts of the form in a prompt, and characters of each."""
MAX_OUTLINE_TOKENS = 3_000
"""Tokens of the template's outline in a prompt."""


async def correct(store: Store, command: CorrectTemplate, model: Model | None) -> TemplateCorrected:
    """Return the template after the first of the three that changes it, or unchanged where none does.

    Raises ``BadInput`` when the template cannot be read.
    """
    template = await store.get(command.template)
    ranked = sorted(command.findings, key=lambda finding: finding.severity != "error")
    usage, notes = Usage(), list[str]()
    reference = await store.get(command.uncorrected) if command.uncorrected else template
    if corrected := _apply(template, [edit for finding in ranked for edit in finding.edits]):
        by = "rules"
    elif corrected := _apply_within_limit(template, [edit for fix in command.fixes for edit in fix.edits], reference):
        by = "knowledge"
    elif model and command.allowance.calls and not _changed_nothing(command):
        by = "model"
        proposed, usage, notes = await _ask_model(store, model, template, command, ranked)
        corrected = await asyncio.to_thread(_apply_within_limit, template, proposed, reference)
    if not corrected:
        return TemplateCorrected(template=command.template, changed=0, notes=notes, usage=usage)
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


def _apply_within_limit(
    template: bytes, edits: Sequence[AnyEdit], reference: bytes
) -> tuple[bytes, list[AnyEdit]] | None:
    """Apply edits that a model thought of, as far as they leave what can be seen of `reference`.

    That is the template before all corrections, so that several of them lose no more than one.
    """
    if not edits:
        return None
    after, outcomes = carry_out_within_limit(template, edits, reference=reference)
    done = [outcome.edit for outcome in outcomes if outcome.changed]
    return (after, done) if done else None


def _changed_nothing(command: CorrectTemplate) -> bool:
    """Whether the previous correction changed nothing: a model would repeat its answer to the same question."""
    return command.corrections > len(command.tried) + 1


async def _ask_model(
    store: Store, model: Model, template: bytes, command: CorrectTemplate, findings: Sequence[Finding]
) -> tuple[Sequence[AnyEdit], Usage, list[str]]:
    """Return a model's edits and the cost; where it fails, no edits, and why."""
    values = {
        "findings": _json(
            [finding.model_dump(include={"code", "message", "element"}) for finding in findings[:MAX_FINDINGS]]
        ),
        "expressions": _json(_expressions(template, findings)),
        "form": _json(await _form(store, command.layout)),
        "tried": _json([{"edits": [_edit(edit) for edit in one.edits], "then": one.findings} for one in command.tried]),
        "request": command.request[:MAX_REQUEST_CHARS],
        "fixes": _json([_brief(fix) for fix in command.fixes[:MAX_FINDINGS]]),
        "elements": outline(
            template, " ".join(f"{f.element or ''} {f.message}" for f in findings[:MAX_FINDINGS]), MAX_OUTLINE_TOKENS
        ),
        "edits": described(),
    }
    try:
        answer, usage = await ask(
            model, "correction", values, EditsAnswer, allowance=command.allowance,
            review=lambda answer: _review(template, answer),
        )  # fmt: skip
    except ModelFailed as failure:
        return [], failure.usage, [failure.in_language(command.language)]
    return answer.edits, usage, []


def _review(template: bytes, answer: EditsAnswer) -> Review:
    """Return why edits of an answer cannot be carried out."""
    outcomes = Editor(template).carry_out(answer.edits)
    refused = [
        f"{_json(_edit(outcome.edit))}: {outcome.reason.en}"
        for outcome in outcomes
        if outcome.reason is not None and outcome.code != ALREADY_DONE
    ]
    return Review([*answer.left_out, *refused])


def _expressions(template: bytes, findings: Sequence[Finding]) -> dict[str, str]:
    """Return the whole expressions of the elements that findings are about; the outline shortens them."""
    editor = Editor(template)
    nodes = {finding.element: editor.element(finding.element) for finding in findings if finding.element}
    contents = {name: content_of(node)[:MAX_EXPRESSION_CHARS] for name, node in nodes.items() if node is not None}
    return {name: content for name, content in list(contents.items())[:MAX_FINDINGS] if content}


async def _form(store: Store, ref: Ref | None) -> list[dict[str, object]]:
    """Return the texts of the form that the report is built from, with their places."""
    if ref is None:
        return []
    layout = Layout.model_validate_json(await store.get(ref))
    return [
        {"text": block.text[:MAX_TEXT_CHARS], "x": round(block.box.x), "y": round(block.box.y),
         "width": round(block.box.width), "height": round(block.box.height)}
        for block in layout.blocks[:MAX_BLOCKS]
    ]  # fmt: skip


def _edit(edit: AnyEdit) -> dict[str, object]:
    return edit.model_dump(exclude_none=True)


def _brief(fix: Fix) -> dict[str, object]:
    return {"code": fix.code, "edits": [edit.model_dump(exclude_none=True) for edit in fix.edits]}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
