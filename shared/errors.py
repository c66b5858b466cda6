"""The errors that cross a boundary, and what each one makes happen.

BandsmithError
├── RetryableError     the bus delivers the message again, after a delay
├── TerminalError      a StageFailed event, which has its rows in the routing table
│   └── BadInput       the user's file or words: one sentence, exit code 2
└── MissingPart        a real part is not installed: one sentence that says how to get it, exit code 3
"""


class BandsmithError(Exception):
    """An error with one sentence for the user; never a secret, a document's content or a machine's path."""

    code = "internal"

    def __init__(self, message: str, *, message_zh: str = "", code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.message_zh = message_zh or message
        if code is not None:
            self.code = code


class RetryableError(BandsmithError):
    """It may work the next time: a worker was killed, a server was away."""

    code = "retryable"


class TerminalError(BandsmithError):
    """It will never work with this message."""

    code = "failed"


class BadInput(TerminalError):
    """What came in cannot be read; the sentence says what to do."""

    code = "input"


class MissingPart(BandsmithError):
    """Something that has to be installed is not."""

    code = "missing"
