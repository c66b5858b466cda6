"""Follow a turn to its end on the command line."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from bandsmith.shared.bus.base import Delta
from bandsmith.shared.events import Message, TurnFinished

from ..turn_result import until_finished


async def end_of(
    turn: AsyncGenerator[Message | Delta],
    show: Callable[[Message], None],
    stream: Callable[[str], None] | None = None,
) -> TurnFinished:
    """Show the events of a turn, and the parts of its reply as they come, and return how it ended.

    Raises ``BadInput`` or ``TerminalError`` when it fails.
    """
    async with aclosing(until_finished(turn)) as events:
        async for event in events:
            if isinstance(event, Delta):
                if stream:
                    stream(event.text)
                continue
            show(event)
            if isinstance(event, TurnFinished):
                return event
    raise AssertionError("a turn ends with an event or an error")
