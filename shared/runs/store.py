"""The stored runs: one state of the bus for each, replaced by compare-and-set."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import structlog
from pydantic import ValidationError

from ..bus.base import Bus, Conflict
from ..errors import BadInput, RetryableError
from ..model.run import RunState
from ..model.run_request import RunView

log = structlog.get_logger(__name__)

PREFIX = "scheduled-"
MAX_RUNS = 1000
MAX_TRIES = 20


class StoredRun(NamedTuple):
    state: RunState
    revision: int


class Runs:
    """The runs that are stored on a bus."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    async def names(self) -> list[str]:
        return [key.removeprefix(PREFIX) for key in await self._bus.state_keys(PREFIX)]

    async def read(self, name: str) -> StoredRun | None:
        """Return a run; None: there is none, or another version wrote it."""
        stored = await self._bus.read_state(PREFIX + name)
        if stored is None:
            return None
        try:
            return StoredRun(RunState.model_validate_json(stored[0]), stored[1])
        except ValidationError:
            log.warning("run.unreadable", run=name)
            return None

    async def of_owner(self, prefix: str, limit: int) -> list[RunState]:
        """Return the runs of an owner, by name and at most so many. An empty prefix means those of all owners."""
        names = sorted(name for name in await self.names() if name.startswith(prefix))
        stored = [await self.read(name) for name in names[:limit]]
        return [one.state for one in stored if one is not None]

    async def add(self, state: RunState) -> None:
        """Store a new run. Raises ``BadInput`` for a name that is taken, or for too many."""
        if len(await self.names()) >= MAX_RUNS:
            raise BadInput.of("runs.many", code="run", limit=MAX_RUNS)
        try:
            await self._write(state, None)
        except Conflict:
            raise BadInput.of("runs.taken", code="run", name=state.run.name) from None

    async def replace(self, state: RunState, revision: int) -> None:
        """Replace a run. Raises ``Conflict`` if it has changed since."""
        await self._write(state, revision)

    async def change(self, name: str, change: Callable[[RunState], RunState]) -> RunState:
        """Change a run; a conflicting change by another process is retried. Raises ``BadInput`` for an unknown name."""
        for _ in range(MAX_TRIES):
            stored = await self.read(name)
            if stored is None:
                raise unknown(name)
            changed = change(stored.state)
            try:
                await self._write(changed, stored.revision)
            except Conflict:
                continue
            return changed
        raise RetryableError.of("runs.busy")

    async def remove(self, name: str) -> None:
        """Delete a run. Raises ``BadInput`` if there is none of that name."""
        if await self._bus.delete_state(PREFIX + name) is None:
            raise unknown(name)

    async def _write(self, state: RunState, revision: int | None) -> None:
        await self._bus.write_state(PREFIX + state.run.name, state.model_dump_json().encode(), revision)


def view_of(state: RunState, prefix: str) -> RunView:
    """Return a run as its owner sees it: without the owner's prefix in its name."""
    run = state.run
    return RunView(
        name=run.name.removeprefix(prefix),
        rule=run.times.rule,
        zone=run.times.zone,
        next_due=state.next_due,
        paused=state.paused,
        running=state.current is not None,
        places=run.delivery.places,
        last=state.results[-1].outcome if state.results else "",
    )


def unknown(name: str) -> BadInput:
    return BadInput.of("runs.unknown", code="run", name=name)
