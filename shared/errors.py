"""The errors that cross a boundary, and what each one makes happen.

BandsmithError
├── RetryableError     the bus delivers the message again, after a delay
│   ├── ServerFull     a worker keeps the message until there is space; a sender gets the error
│   └── UnknownMessage another version may know it: it is left to other workers, then fails
├── TerminalError      a StageFailed event, which has its rows in the routing table
│   └── BadInput       the user's file or words: one sentence, exit code 2
└── MissingPart        a required component is not installed: one sentence that says how to get it, exit code 3
"""

from typing import Self

from .replies import Text

INTERNAL_CODES = frozenset(
    ("internal", "retryable", "worker_lost", "unrouted", "answer", "message", "bus", "full", "size", "host", "timeout")
)
"""Codes of errors that the user's input did not cause."""


class BandsmithError(Exception):
    """An error with one sentence for the user; never a secret, a document's content or a machine's path."""

    code = "internal"

    def __init__(self, message: str, *, message_zh: str = "", code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.message_zh = message_zh or message
        if code is not None:
            self.code = code

    @classmethod
    def of(cls, text_code: str, *, code: str | None = None, **values: object) -> Self:
        """Build the error from the catalogue's text of that code.

        The error's own `code` is the last part of the text's code where none is given: ``errors.full`` gives ``full``.
        """
        text = Text.of(text_code, **values)
        return cls(text.en, message_zh=text.zh, code=code or text_code.rpartition(".")[2])


class RetryableError(BandsmithError):
    """A failure that may not happen the next time: a worker was killed, a server was unreachable."""

    code = "retryable"


class ServerFull(RetryableError):
    """The message server cannot store anything more; what it has acknowledged, it keeps."""

    code = "full"

    def __init__(self) -> None:
        text = Text.of("errors.full")
        super().__init__(text.en, message_zh=text.zh)


class UnknownMessage(RetryableError):
    """A message that this version cannot read. While services are upgraded, another worker may be able to."""

    code = "message"


class TerminalError(BandsmithError):
    """A message that can never be handled."""

    code = "failed"


class BadInput(TerminalError):
    """Input that cannot be read; the sentence says what to do."""

    code = "input"


class MissingPart(BandsmithError):
    """A component that has to be installed is missing."""

    code = "missing"

    @classmethod
    def of(cls, text_code: str, *, code: str | None = None, **values: object) -> Self:
        """Build the error from the catalogue; its code stays ``missing``, which decides the exit code."""
        return super().of(text_code, code=code or cls.code, **values)
