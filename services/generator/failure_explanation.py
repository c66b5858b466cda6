"""Explanations: what is wrong with a template, in words for a person, in English and in Chinese."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bandsmith.shared.events import ExplainFailure, FailureExplained
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask
from bandsmith.shared.llm.answers import ExplanationAnswer
from bandsmith.shared.model.verdict import Finding

MOST = 5
"""So many findings are told one by one."""

_CHECKS = {
    "xml": ("the XML", "XML"),
    "structure": ("the structure", "结构"),
    "xsd": ("the schema", "模式"),
    "expression": ("the expressions", "表达式"),
    "expressions": ("the expressions", "表达式"),
    "compile": ("the compilation", "编译"),
    "fill": ("the filling", "填充"),
    "picture": ("the likeness to the form", "与原表单的相似度"),
}


async def explained(command: ExplainFailure, model: Model | None) -> FailureExplained:
    """The explanation in the turn's language: a model's of what rules can say nothing about but the engine's words."""
    english, chinese = explain(command.findings)
    words, usage = chinese if command.language == "zh" else english, Usage()
    errors = [finding for finding in command.findings if finding.severity == "error"]
    if model and command.allowance.calls > 1 and not any(finding.edits for finding in errors):
        told = [finding.model_dump(include={"code", "message", "element"}) for finding in errors[:MOST]]
        values = {"findings": json.dumps(told, ensure_ascii=False), "language": command.language}
        try:
            answer, usage = await ask(model, "explain_error", values, ExplanationAnswer, allowance=command.allowance)
            words = answer.explanation
        except ModelFailed as failure:
            usage = failure.usage
    return FailureExplained(explanation=words, usage=usage)


def explain(findings: Sequence[Finding]) -> tuple[str, str]:
    """What went wrong and what happens next, in English and in Chinese: errors first, each check named once."""
    ranked = sorted(findings, key=lambda finding: finding.severity != "error")
    if not ranked:
        return "Nothing is wrong with the template.", "模板没有问题。"
    errors = sum(finding.severity == "error" for finding in ranked)
    mendable = sum(bool(finding.edits) for finding in ranked)
    checks = list(dict.fromkeys(_CHECKS.get(f.code.split(".")[0], ("the template", "模板")) for f in ranked))
    english = f"{_count(errors, 'error')} in {_and([name for name, _ in checks])}:"
    chinese = f"{'、'.join(name for _, name in checks)}有 {errors} 处错误:"
    if not errors:
        english = f"{_count(len(ranked), 'warning')} about {_and([name for name, _ in checks])}:"
        chinese = f"{'、'.join(name for _, name in checks)}有 {len(ranked)} 条警告:"
    told = ranked[:MOST]
    english += "".join(f" {_sentence(finding.message, '.')}" for finding in told)
    chinese += "".join(_sentence(finding.message_zh or finding.message, "。") for finding in told)
    if rest := len(ranked) - len(told):
        english += f" And {rest} more."
        chinese += f"另有 {rest} 条。"
    english += f" {_count(mendable, 'of them can', 'of them can')} be mended by a rule."
    chinese += f"其中 {mendable} 条可按规则修正。"
    return english, chinese


def _sentence(text: str, stop: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "。", "!", "?")) else text + stop


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
