"""On an external NATS server, a program starts only the services that have no replica."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bandsmith import local as ours
from bandsmith.local import Host, local
from bandsmith.shared.actor import Store
from bandsmith.shared.bus.base import Replica
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer

from .scripted import ScriptedActor


async def at_work(bus: NatsBus) -> list[str]:
    return sorted(replica.service for replica in await bus.replicas(1.0))


async def test_services_with_external_replicas_are_started_only_when_those_end(
    bus: NatsBus, nats_server: NatsServer, monkeypatch: pytest.MonkeyPatch
):
    # Given a server with a replica of the generator
    monkeypatch.setenv("NATS_URL", nats_server.url)
    monkeypatch.setattr(ours, "REPLICA_CHECK_S", 0.05)
    async with Host(bus, ["generator"]) as others:
        # When a program needs a gateway too, then there is still one generator
        async with local(["generator", "gateway"]) as mine:
            assert await at_work(mine) == ["gateway", "generator"]

            # When that replica ends, then the program starts one
            await others.stop()
            async with asyncio.timeout(20):
                while await at_work(mine) != ["gateway", "generator"]:
                    pass
        assert await at_work(bus) == []


async def test_a_busy_replica_that_answers_late_is_found(
    bus: NatsBus, nats_server: NatsServer, monkeypatch: pytest.MonkeyPatch
):
    # Given a generator that answers late
    monkeypatch.setenv("NATS_URL", nats_server.url)

    async def heard(bus: NatsBus, wait: float = 0.3) -> list[Replica]:
        return await called(bus) if wait > 1 else []

    async with Host(bus, ["generator"]):
        called = NatsBus.replicas
        with monkeypatch.context() as patched:
            patched.setattr(NatsBus, "replicas", heard)
            # When a program needs one
            async with local(["generator"]) as mine:
                patched.undo()
                # Then there is still one
                assert await at_work(mine) == ["generator"]


async def test_a_busy_program_starts_its_own_services_once(nats_server: NatsServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NATS_URL", nats_server.url)
    monkeypatch.setattr(ours, "REPLICA_CHECK_S", 0.01)

    async def deaf(bus: NatsBus, wait: float = 0.3) -> list[Replica]:
        return []

    # Given a program that runs every service and receives no answers
    with monkeypatch.context() as patched:
        patched.setattr(NatsBus, "replicas", deaf)
        async with local(["generator", "gateway"]) as mine:
            # When it has checked for missing services a few times
            await asyncio.sleep(0.2)
            patched.undo()
            # Then each of its services still runs once
            assert await at_work(mine) == ["gateway", "generator"]


async def test_what_services_load_late_is_loaded_in_the_background(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    warmed = asyncio.Event()

    class Planner(ScriptedActor):
        def __init__(self, store: Store) -> None:
            super().__init__({})

        async def warm_up(self) -> None:
            warmed.set()

    monkeypatch.setattr(ours, "WARM_UP_DELAY_S", 0.0)
    monkeypatch.setattr(ours, "_load", lambda path: Planner)
    async with local(["planner"], store=tmp_path):
        assert not warmed.is_set()
    async with local(["planner"], store=tmp_path, warm_up=True):
        await asyncio.wait_for(warmed.wait(), 5)
