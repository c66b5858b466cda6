"""The errors that cross a boundary, and what each one makes happen.

BandsmithError
├── RetryableError     the bus delivers the message again, after a delay
│   └── ServerFull     who works waits with the message in hand until there is room; who sends is told
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


class ServerFull(RetryableError):
    """The message server stores nothing more; what it has acknowledged, it keeps."""

    code = "full"

    def __init__(self) -> None:
        super().__init__(
            "The message server has no room left: delete sessions that are done with, or give it more space and start "
            "it again.",
            message_zh="消息服务器的存储空间已满：请删除不再需要的会话，或扩大空间后重启它。",
        )


class TerminalError(BandsmithError):
    """It will never work with this message."""

    code = "failed"


class BadInput(TerminalError):
    """What came in cannot be read; the sentence says what to do."""

    code = "input"


class MissingPart(BandsmithError):
    """Something that has to be installed is not."""

    code = "missing"
