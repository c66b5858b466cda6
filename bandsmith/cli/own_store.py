"""The user's own store, for commands that read or change it without a conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from bandsmith.shared.settings import HomeSettings

from .messages import quiet_log

if TYPE_CHECKING:
    from bandsmith.shared.bus.base import Bus
    from bandsmith.shared.events import Service

T = TypeVar("T")


def with_bus(ask: Callable[[Bus], Awaitable[T]], services: Sequence[Service] = ()) -> T:
    """Return what `ask` returns on the bus of the user's store, with these services running."""
    from ..local import local  # noqa: PLC0415 - slow; the help must not wait for it

    async def run() -> T:
        async with local(services, store=HomeSettings().bus) as bus:
            return await ask(bus)

    quiet_log()
    return asyncio.run(run())
