"""What programs are given when a turn is over, the same in every protocol."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from pydantic import Field

from bandsmith.shared.bus.base import Delta
from bandsmith.shared.errors import INTERNAL_CODES, BadInput, TerminalError
from bandsmith.shared.events import Message, NodeStarted, TurnFailed, TurnFinished
from bandsmith.shared.language import Language
from bandsmith.shared.model.base import Ref, Value
from bandsmith.shared.model.session_parts import Pending
from bandsmith.shared.replies import catalogue, message_in

STEP_TEXTS = "web.page.step."
"""Prefix of the codes of what is shown while a turn is at a node."""


class TurnResult(Value):
    """How a turn ended."""

    session: str
    """Name the session in the next request to go on with this report."""
    version: int | None = None
    """Number of the report's version, if there is a report."""
    status: str
    """Unfinished: errors remain in the report."""
    complete: bool
    """Whether everything that was asked was done; if not, the reply says what was not."""
    passed: bool | None = None
    """Whether the report engine printed the report without errors; null: it was not printed."""
    reply: str
    notes: list[str] = []
    findings: list[str] = []
    question: Pending | None = Field(default=None)
    """What the user is asked; the next request of the session answers it."""
    files: dict[str, str] = {}
    """Links to the files of this turn, by name."""


def turn_result(end: TurnFinished, session: str, link: Callable[[str, Ref], str], language: Language) -> TurnResult:
    """Return a turn's end as programs see it; `link` makes a link of a file's name and reference."""
    findings = [message_in(one, language) for one in end.findings]
    return TurnResult(
        session=session,
        version=end.version,
        status=end.status,
        complete=end.complete,
        passed=end.passed,
        reply=end.reply,
        notes=end.notes,
        findings=findings,
        question=end.asks,
        files={name: link(name, ref) for name, ref in end.files.items()},
    )


def step_text(event: NodeStarted, language: Language) -> str:
    """Return what is shown while a turn is at a node; empty for a node that is not shown."""
    found = catalogue(language).get(STEP_TEXTS + event.node, "")
    return found if isinstance(found, str) else ""


async def until_finished(turn: AsyncGenerator[Message | Delta]) -> AsyncGenerator[Message | Delta]:
    """Yield the events of a turn up to ``TurnFinished``.

    Raises ``BadInput`` when it fails because of what the user sent, and ``TerminalError`` when it fails otherwise.
    """
    async with aclosing(turn) as events:
        async for event in events:
            if isinstance(event, TurnFailed):
                kind = TerminalError if event.code in INTERNAL_CODES else BadInput
                raise kind(event.message, message_zh=event.message_zh, code=event.code)
            yield event
            if isinstance(event, TurnFinished):
                return
    raise TerminalError.of("cli.bus_closed", code=TerminalError.code)
