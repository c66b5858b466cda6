"""The gateway's clock: what is due is started once, and what became of it is stored."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.services.gateway.runs import RunScheduler
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.errors import BadInput, RetryableError
from bandsmith.shared.events import DeliverFiles, Envelope, FilesDelivered, NoticeSent, SendNotice, StageFailed
from bandsmith.shared.model.run import RunState
from bandsmith.shared.runs.store import Runs

from ..shared.runs.made import HOUR, START, scheduled
from .scripted import Script, scripted, until_the_end

DELIVERED: Script = {DeliverFiles: [FilesDelivered(delivered_to=["reports/statement.pdf"])]}
REFUSED = StageFailed(command="DeliverFiles", code="delivery", message="The folder cannot be written.", retryable=True)
TURN = "run-statement-20261123T080000Z"


class Place:
    """A gateway with its clock, which stands still; the other services follow a script."""

    def __init__(self) -> None:
        self.bus = MemoryBus()
        self.runs = Runs(self.bus)
        self.now = START

    async def start(self, script: Script) -> None:
        self.gateway = GatewayActor(self.bus)
        await self.gateway.start()
        await scripted(self.bus, script)

    def scheduler(self) -> RunScheduler:
        return RunScheduler(self.bus, self._clock)

    async def tick(self, schedulers: int = 1) -> None:
        await asyncio.gather(*(self.scheduler().tick() for _ in range(schedulers)))

    async def state(self) -> RunState:
        stored = await self.runs.read("statement")
        assert stored is not None
        return stored.state

    def _clock(self) -> datetime:
        return self.now


async def test_what_is_due_is_started_once_by_many_gateways():
    place = Place()
    await place.start(DELIVERED)
    await place.runs.add(scheduled())
    place.now = START + HOUR

    await place.tick(schedulers=8)
    await until_the_end(place.bus, f"{TURN}-1", "run-statement")
    await place.tick(schedulers=8)

    state = await place.state()
    started = [entry for entry in await place.bus.read_turn_events("run-statement", after=0, limit=1000)]
    assert [one.event.kind for one in started].count("TurnStarted") == 1
    assert [one.outcome for one in state.results] == ["done"] and state.current is None


async def test_a_start_that_was_lost_is_made_up_for(monkeypatch: pytest.MonkeyPatch):
    # Given a gateway that died after it had stored the attempt, before it sent the command
    place = Place()
    await place.start(DELIVERED)
    await place.runs.add(scheduled())
    place.now = START + HOUR

    async def die(_: Envelope) -> None:
        raise RetryableError.of("runs.busy")

    with monkeypatch.context() as dead, pytest.raises(RetryableError):
        dead.setattr(place.bus, "send", die)
        await place.tick()
    assert (await place.state()).current is not None

    # When another one looks after the runs
    await place.tick()

    # Then the turn runs
    await until_the_end(place.bus, f"{TURN}-1", "run-statement")


async def test_a_failure_is_told_once_after_the_last_try():
    place = Place()
    await place.start({DeliverFiles: [REFUSED], SendNotice: [NoticeSent(to=["ann@example.com"])]})
    await place.runs.add(scheduled(retries=1, tell=["ann@example.com"]))
    place.now = START + HOUR
    await place.tick()
    await until_the_end(place.bus, f"{TURN}-1", "run-statement")
    await place.tick()

    # When the second try fails too
    place.now = START + 2 * HOUR
    await place.tick()
    await until_the_end(place.bus, f"{TURN}-2", "run-statement")
    for _ in range(3):
        await place.tick(schedulers=3)

    state = await place.state()
    assert [one.outcome for one in state.results] == ["failed"] and not state.owes_notice
    assert REFUSED.message in state.results[-1].told


async def test_a_run_that_cannot_be_advanced_holds_up_no_other(monkeypatch: pytest.MonkeyPatch):
    # Given a run whose time zone this machine no longer knows, and which comes first
    place = Place()
    await place.start(DELIVERED)
    broken = scheduled("a-broken")
    times = broken.run.times.model_copy(update={"zone": "Mars/Base"})
    await place.runs.add(broken.model_copy(update={"run": broken.run.model_copy(update={"times": times})}))
    await place.runs.add(scheduled())
    place.now = START + HOUR
    await place.tick()
    assert (await place.state()).current is not None


async def test_a_clock_that_jumps_ahead_starts_no_attempt_twice():
    # Given an attempt whose turn is still waiting
    place = Place()
    await place.runs.add(scheduled(retries=3))
    place.now = START + HOUR
    scheduler = place.scheduler()
    await scheduler.tick()

    # When the clock jumps by three days, and the turn runs after that
    place.now = START + 72 * HOUR
    for _ in range(3):
        await scheduler.tick()
    await place.start(DELIVERED)
    await until_the_end(place.bus, f"{TURN}-1", "run-statement")
    await scheduler.tick()

    # Then it was delivered once
    state = await place.state()
    assert [(one.outcome, one.attempts) for one in state.results] == [("done", 1)]


async def test_a_retry_does_not_wait_for_the_time_of_a_clock_that_was_ahead():
    # Given a run that failed by a clock that was a day ahead, and has a minute's pause
    place = Place()
    await place.start({DeliverFiles: [REFUSED, FilesDelivered(delivered_to=["reports/statement.pdf"])]})
    await place.runs.add(scheduled(retries=1))
    place.now = START + 25 * HOUR
    await place.tick()
    await until_the_end(place.bus, "run-statement-20261124T080000Z-1", "run-statement")
    await place.tick()
    assert (await place.state()).current.not_before > place.now

    # When the clock is set right
    place.now = START + HOUR
    await place.tick()
    await until_the_end(place.bus, "run-statement-20261124T080000Z-2", "run-statement")
    await place.tick()
    assert [one.outcome for one in (await place.state()).results][-1] == "done"


async def test_an_attempt_whose_end_is_lost_is_given_up_after_a_day():
    place, monotonic = Place(), 0.0
    await place.runs.add(scheduled(retries=0))
    scheduler = RunScheduler(place.bus, place._clock, monotonic=lambda: monotonic)
    place.now = START + HOUR
    await scheduler.tick()
    await scheduler.tick()
    place.now, monotonic = START + 26 * HOUR, 25 * 3600.0
    await scheduler.tick()
    assert [one.outcome for one in (await place.state()).results] == ["failed"]


async def test_a_clock_that_is_set_back_repeats_no_run():
    place = Place()
    await place.start(DELIVERED)
    await place.runs.add(scheduled())
    place.now = START + HOUR
    await place.tick()
    await until_the_end(place.bus, f"{TURN}-1", "run-statement")
    await place.tick()

    for hours in (0.5, 1, 2, 24):
        place.now = START + hours * HOUR
        await place.tick()

    state = await place.state()
    assert len(state.results) == 1 and state.current is None
    assert state.next_due == START + 25 * HOUR


async def test_a_run_of_another_version_hides_no_other():
    place = Place()
    await place.start(DELIVERED)
    await place.bus.write_state("scheduled-older", b'{"run": 1}', None)
    await place.runs.add(scheduled())
    place.now = START + HOUR
    await place.tick()
    assert (await place.state()).current is not None


async def test_a_name_is_taken_once():
    runs = Runs(MemoryBus())
    await runs.add(scheduled())
    with pytest.raises(BadInput, match="statement"):
        await runs.add(scheduled())
    await runs.remove("statement")
    with pytest.raises(BadInput, match="statement"):
        await runs.remove("statement")
