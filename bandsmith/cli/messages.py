"""Messages of the command line: texts in the user's language, and exit codes."""

from __future__ import annotations

import json

from bandsmith.shared.errors import INTERNAL_CODES, BandsmithError, MissingPart
from bandsmith.shared.language import language_of
from bandsmith.shared.replies import Bilingual, message_in, text
from bandsmith.shared.settings import LogSettings
from bandsmith.shared.telemetry import log

from ..locale import user_language

MAX_LINE_CHARS = 60
"""Length of a text that is shown in a separate line."""


def message(code: str, **values: object) -> str:
    """The catalogue's text of this code in the user's language."""
    return text(code, user_language(), **values)


def sentence(bilingual: Bilingual, request: str = "") -> str:
    """The sentence in the language of a request, else in the user's; English where there is no Chinese."""
    return message_in(bilingual, language_of(request) if request.strip() else user_language())


def print_json(result: object) -> None:
    """Print the result of a command for machines."""
    print(json.dumps(result, ensure_ascii=False, indent=2))


def quiet_log() -> None:
    """Log errors only, unless a setting asks for more: log lines do not belong between the lines of a conversation."""
    settings = LogSettings()
    if "log_level" not in settings.model_fields_set:
        settings = LogSettings(log_level="error")
    log.configure(settings)


def first_line(text: str) -> str:
    """The first line of a user's text, shortened to fit a line of output."""
    from bandsmith.shared.llm.stream_guard import printable  # noqa: PLC0415 - slow; `doctor` does not need it

    lines = printable(text).split("\n")
    shortened = len(lines) > 1 or len(lines[0]) > MAX_LINE_CHARS
    return lines[0][:MAX_LINE_CHARS] + ("…" if shortened else "")


def exit_code(error: BandsmithError) -> int:
    """The process's exit code: 3 for a missing component, 2 for wrong input, 1 for anything else."""
    if error.code == MissingPart.code:
        return 3
    return 1 if error.code in INTERNAL_CODES else 2


def unexpected() -> BandsmithError:
    """The error shown for an unexpected exception; its details are in the log."""
    return BandsmithError.of("cli.unexpected", code=BandsmithError.code)
