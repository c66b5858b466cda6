"""A scripted service in a separate process that kills itself (SIGKILL) once for each kind of command:
``python -m tests.faults.service <server's address> <service> <folder> <asked|answered>``.

- ``asked``: while it handles the command;
- ``answered``: after it published the answer, before it acknowledges the command.

A file in the folder marks each kind at which it died, so that the next process goes on to the next kind.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import get_args

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.events import EVENTS, Command, Envelope, Event, Service
from bandsmith.shared.worker import run_actor

from ..gateway.scripted import ScriptedActor
from .scripts import SCRIPT


def die_once(folder: Path, kind: str) -> None:
    mark = folder / kind
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


class DiesWhenAsked(ScriptedActor):
    folder: Path

    async def handle(self, command: Command) -> Event:
        die_once(self.folder, command.kind())
        return await super().handle(command)


class DiesWhenAnswered(NatsBus):
    folder: Path

    async def publish(self, *messages: Envelope) -> None:
        await super().publish(*messages)
        for message in messages:
            if message.kind in EVENTS:
                die_once(self.folder, message.kind)


async def main(url: str, service: Service, folder: Path, how: str) -> None:
    DiesWhenAsked.folder = DiesWhenAnswered.folder = folder
    actor = (DiesWhenAsked if how == "asked" else ScriptedActor)(SCRIPT)
    bus = await (DiesWhenAnswered if how == "answered" else NatsBus).connect(url)
    await run_actor(bus, service, actor, concurrency=4)
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    address, given, place, mode = sys.argv[1:]
    [name] = [service for service in get_args(Service) if service == given]
    asyncio.run(main(address, name, Path(place), mode))
