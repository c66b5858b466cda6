"""Commands outside of any turn, and the events that answer them."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import aclosing, suppress

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import RetryableError, TerminalError
from bandsmith.shared.events import Command, Envelope, Event, StageFailed

ANSWER_TIMEOUT_S = 60.0


async def ask(bus: Bus, command: Command) -> Event:
    """Send a command outside any turn, and return the event that answers it.

    Raises ``TerminalError`` with the service's reason for a failure, ``RetryableError`` when it does not answer.
    """
    session = f"kb-{uuid.uuid4().hex}"
    envelope = Envelope(
        id=uuid.uuid4().hex, kind=command.kind(), session=session, turn=session, payload=command.model_dump(mode="json")
    )
    await bus.send(envelope)
    with suppress(TimeoutError):  # a timeout and a closed bus end in the same error below
        async with asyncio.timeout(ANSWER_TIMEOUT_S), aclosing(bus.follow(session)) as events:
            async for event in events:
                if event.causation == envelope.id:
                    return _event(event)
    raise RetryableError.of("cli.kb.no_answer", code=RetryableError.code)


def _event(envelope: Envelope) -> Event:
    event = envelope.message()
    if isinstance(event, StageFailed):
        raise TerminalError(event.message, message_zh=event.message_zh, code=event.code)
    assert isinstance(event, Event)
    return event
