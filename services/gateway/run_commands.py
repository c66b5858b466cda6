"""The gateway's own commands about scheduled runs: list those of an owner, and change them as their owner agreed.

A command may be delivered again after it was carried out. A run that was added as it is, removed or started then counts
as done.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import ChangeRuns, Event, ListRuns, RunsChanged, RunsListed
from bandsmith.shared.language import Language
from bandsmith.shared.model.run import Run, RunState
from bandsmith.shared.model.run_request import MAX_VIEWS, RunChange
from bandsmith.shared.owners import prefix_in
from bandsmith.shared.runs.steps import edited, started_now
from bandsmith.shared.runs.store import Runs, view_of
from bandsmith.shared.runs.times import next_due


def _utc_now() -> datetime:
    return datetime.now(UTC)


class RunCommands:
    """Carries out ``ListRuns`` and ``ChangeRuns``. Users see no owner's prefix in the names of their runs."""

    def __init__(self, bus: Bus, now: Callable[[], datetime] = _utc_now) -> None:
        self._bus = bus
        self._runs = Runs(bus)
        self._now = now

    async def handle(self, command: ListRuns | ChangeRuns, session: str) -> Event:
        """Return what there is, or what was changed. Raises ``RetryableError``."""
        owner = prefix_in(session)
        if isinstance(command, ListRuns):
            states = await self._runs.of_owner(owner, MAX_VIEWS)
            return RunsListed(known_runs=[view_of(state, owner) for state in states])
        return await self.change(command, owner)

    async def change(self, command: ChangeRuns, owner: str) -> RunsChanged:
        """Change runs of an owner, and return what was changed, or why nothing was. Raises ``RetryableError``."""
        return await self.change_for(command.run_change, owner, command.language)

    async def change_for(self, change: RunChange, owner: str, language: Language) -> RunsChanged:
        """Change runs of an owner, told in a language. Raises ``RetryableError``."""
        try:
            changed = await self._change(change, owner)
        except BadInput as refused:
            return RunsChanged(changed_runs=[], run_refusal=_told(refused, language))
        return RunsChanged(changed_runs=[view_of(state, owner) for state in changed])

    async def _change(self, change: RunChange, owner: str) -> list[RunState]:
        """Return the runs as they are now. Raises ``BadInput``."""
        if change.run is not None:
            named = change.run.model_copy(update={"name": owner + change.run.name})
            return [await self._add(named, begins_paused=change.begins_paused)]
        changed = [await self._change_one(owner + name, change) for name in change.names]
        return [state for state in changed if state is not None]

    async def _add(self, run: Run, *, begins_paused: bool) -> RunState:
        stored = await self._runs.read(run.name)
        if stored is not None and stored.state.run == run:
            return stored.state
        state = RunState(run=run, next_due=next_due(run.times, self._now()), paused=begins_paused)
        await self._runs.add(state)
        return state

    async def _change_one(self, name: str, change: RunChange) -> RunState | None:
        """Return the run as it is now; as it was, if it was removed; None if it is gone already."""
        if change.do == "cancel":
            stored = await self._runs.read(name)
            if stored is not None:
                await self._runs.remove(name)
            return stored.state if stored else None
        log_end = await self._bus.last_sequence()

        def changed(state: RunState) -> RunState:
            if change.do == "change":
                return edited(state, change.edit, self._now())
            if change.do == "pause":
                return state.model_copy(update={"paused": True})
            if change.do == "resume":
                return state.model_copy(update={"paused": False, "next_due": next_due(state.run.times, self._now())})
            is_known = any(result.due == change.at.replace(microsecond=0) for result in state.results)
            return state if state.current or is_known else started_now(state, change.at, log_end)

        return await self._runs.change(name, changed)


def _told(refused: BadInput, language: Language) -> str:
    return refused.message_zh if language == "zh" and refused.message_zh else refused.message
