"""A slow planner: it takes SECONDS for each command, records what it did in the file NOTES, and hangs on request.

``python -m tests.cluster.slow serve planner`` runs ``bandsmith serve planner`` with it.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

from bandsmith import local
from bandsmith.cli import main
from bandsmith.shared.actor import Store
from bandsmith.shared.events import Command, Envelope, Event, KnowledgeRecalled, RecallKnowledge

HANG = "hang"


class SlowPlanner:
    def __init__(self, store: Store) -> None:
        self._notes = Path(os.environ["NOTES"])

    async def start(self) -> None: ...
    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        assert isinstance(command, RecallKnowledge)
        if command.text == HANG and not self._said(HANG):
            self._note(HANG)
            time.sleep(3600)  # noqa: ASYNC251 - the whole loop stands still
        await asyncio.sleep(float(os.environ["SECONDS"]))
        self._note(command.text)
        return KnowledgeRecalled()

    def _note(self, text: str) -> None:
        with self._notes.open("a") as notes:
            notes.write(f"{text} {os.getpid()}\n")

    def _said(self, text: str) -> bool:
        return self._notes.exists() and any(line.startswith(text) for line in self._notes.read_text().splitlines())


def command(text: str) -> Envelope:
    payload = RecallKnowledge(text=text, layout=None).model_dump(mode="json")
    return Envelope(id=f"c-{text}", kind="RecallKnowledge", session="s1", turn="t1", payload=payload)


if __name__ == "__main__":
    local.WIRING["planner"] = "tests.cluster.slow:SlowPlanner"
    main()
