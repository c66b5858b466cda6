"""Explain why a template failed its checks, in one paragraph for the person who asked for it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bandsmith.shared.events import ExplainFailure, FailureExplained
from bandsmith.shared.language import Language
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers.report import ExplanationAnswer
from bandsmith.shared.replies import catalogue, listed, message_in, text
from bandsmith.shared.turns.verdict import Finding

MAX_FINDINGS = 5
"""Findings that are named one by one. The rest are counted."""
_TEXTS = "generator.explanation."


async def explain_failure(command: ExplainFailure, model: Model | None) -> FailureExplained:
    """Explain the findings in the turn's language.

    The model is asked where no rule can fix an error, because then the message is often the engine's own.
    """
    explanation, usage = explain(command.findings, command.language), Usage()
    errors = [finding for finding in command.findings if finding.severity == "error"]
    if model and command.allowance.calls > 1 and not any(finding.edits for finding in errors):
        shown = [finding.model_dump(include={"code", "message", "element"}) for finding in errors[:MAX_FINDINGS]]
        values = {"findings": json.dumps(shown, ensure_ascii=False), "language": command.language}
        try:
            answer, usage = await ask(model, "explain_error", values, ExplanationAnswer, allowance=command.allowance)
            explanation = answer.explanation
        except ModelFailed as failure:
            usage = failure.usage
    return FailureExplained(explanation=explanation, usage=usage)


def explain(findings: Sequence[Finding], language: Language) -> str:
    """Say what is wrong, errors before warnings, and how much of it can be fixed automatically."""
    if not findings:
        return text(_TEXTS + "nothing", language)
    ranked = sorted(findings, key=lambda finding: finding.severity != "error")
    errors = sum(finding.severity == "error" for finding in ranked)
    kind, count = ("errors", errors) if errors else ("warnings", len(ranked))
    checks = list(dict.fromkeys(_check_name(finding, language) for finding in ranked))
    sentences = [_sentence(finding, language) for finding in ranked[:MAX_FINDINGS]]
    if more := len(ranked) - len(sentences):
        sentences.append(text(_TEXTS + "more", language, count=more))
    fixable = sum(bool(finding.edits) for finding in ranked)
    sentences.append(text(_TEXTS + ("fixable" if fixable else "unfixable"), language, count=fixable))
    messages = ("" if language == "zh" else " ").join(sentences)
    return text(_TEXTS + kind, language, count=count, checks=listed(checks, language), messages=messages)


def _check_name(finding: Finding, language: Language) -> str:
    """What the first part of a finding's code is called."""
    code = f"findings.checks.{finding.code.split('.')[0]}"
    return text(code if code in catalogue(language) else "findings.checks.other", language)


def _sentence(finding: Finding, language: Language) -> str:
    message = message_in(finding, language).strip()
    return message if message.endswith((".", "。", "!", "?")) else message + ("。" if language == "zh" else ".")
