"""Errors made of findings: a template must not be printed, exported or imported."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.errors import TerminalError
from bandsmith.shared.language import LANGUAGES, Language
from bandsmith.shared.replies import message_in, text
from bandsmith.shared.turns.verdict import Finding

MAX_SENTENCES = 5


def refusal(findings: Sequence[Finding]) -> TerminalError:
    """Return one error for at least one finding, with the first one's code and each different message once."""
    english, chinese = (_message(findings, language) for language in LANGUAGES)
    return TerminalError(english, message_zh=chinese, code=findings[0].code)


def _message(findings: Sequence[Finding], language: Language) -> str:
    messages = dict.fromkeys(message_in(finding, language) for finding in findings)
    sentences = list(messages)[:MAX_SENTENCES]
    if more := len(messages) - len(sentences):
        sentences.append(text("validator.refusal.more", language, count=more))
    return ("" if language == "zh" else " ").join(sentences)
