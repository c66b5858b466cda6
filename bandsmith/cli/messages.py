"""How a person is told: in Chinese where the environment asks for it, else in English, and by an exit code."""

from __future__ import annotations

import os
from typing import Protocol

from bandsmith.shared.errors import BandsmithError, MissingPart
from bandsmith.shared.language import Language
from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.settings import LogSettings
from bandsmith.shared.telemetry import log

LONGEST_LINE = 60
"""Characters of a text that is shown in a line of its own."""


class Said(Protocol):
    """An error, a finding or an event that carries one sentence in both languages."""

    @property
    def message(self) -> str: ...
    @property
    def message_zh(self) -> str: ...


def chinese() -> bool:
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return locale.lower().startswith("zh")


def language() -> Language:
    return "zh" if chinese() else "en"


def either(english: str, in_chinese: str) -> str:
    """The one of two sentences that is in the user's language."""
    return in_chinese if chinese() else english


def sentence(said: Said) -> str:
    return said.message_zh if said.message_zh and chinese() else said.message


def quiet_log() -> None:
    """Log errors alone, unless a setting asks for more: a log does not belong between the lines of a talk."""
    settings = LogSettings()
    if "log_level" not in settings.model_fields_set:
        settings = LogSettings(log_level="error")
    log.configure(settings)


def first_line(text: str) -> str:
    """The beginning of what somebody wrote, to be shown in a line of its own."""
    lines = printable(text).split("\n")
    return lines[0][:LONGEST_LINE] + ("…" if len(lines) > 1 or len(lines[0]) > LONGEST_LINE else "")


FAULTS = frozenset(
    ("internal", "retryable", "worker_lost", "unrouted", "answer", "message", "bus", "full", "size", "host", "timeout")
)
"""Codes of errors that are none of the user's making."""


def exit_code(error: BandsmithError) -> int:
    if error.code == MissingPart.code:
        return 3
    return 1 if error.code in FAULTS else 2


UNFORESEEN = BandsmithError(
    "Something went wrong inside Bandsmith; run it again with BANDSMITH_LOG_LEVEL=debug to see where.",
    message_zh="Bandsmith 内部出错；请设置 BANDSMITH_LOG_LEVEL=debug 重新运行以查看位置。",
)
