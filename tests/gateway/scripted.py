"""All services but the gateway, following a script; and the events of a turn."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import aclosing

from bandsmith.local import WIRING
from bandsmith.shared.actor import Actor
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.events import Command, Envelope, Event, Service
from bandsmith.shared.worker import run_actor

from ..workflow.service_answers import successes

Script = dict[type, list[Event]]


class ScriptedActor:
    """Answers each command with what the script has for it, the last for ever, else with the usual."""

    def __init__(self, script: Script) -> None:
        self._script = script

    async def start(self) -> None: ...
    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        if queue := self._script.get(type(command)):
            return queue.pop(0) if len(queue) > 1 else queue[0]
        return successes(type(command), command.model_dump())[0]


async def scripted(
    bus: Bus, script: Script | None = None, actor: Actor | None = None, only: Iterable[Service] = WIRING
) -> None:
    """All services but the gateway, or `only` some, at work on `bus`."""
    for service in only:
        await run_actor(bus, service, actor or ScriptedActor(script or {}), concurrency=4)


async def until_the_end(bus: Bus, turn: str = "t", session: str = "s", seconds: float = 60) -> list[Envelope]:
    """Everything that was said of a turn, from its beginning to its end."""
    said = []
    async with asyncio.timeout(seconds), aclosing(bus.follow(session)) as events:
        async for event in events:
            if event.turn == turn:
                said.append(event)
                if event.kind in ("TurnFinished", "TurnFailed"):
                    break
    return said


def read(entry: tuple[str, bytes]) -> Envelope:
    """Of the log of a bus in memory."""
    return Envelope.model_validate_json(entry[1])
