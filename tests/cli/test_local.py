"""A program on a message server that others share does what nobody else does there, and leaves the rest to them."""

from __future__ import annotations

import asyncio

import pytest

from bandsmith import local as ours
from bandsmith.local import Host, local
from bandsmith.shared.bus.base import Replica
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer


async def at_work(bus: NatsBus) -> list[str]:
    return sorted(replica.service for replica in await bus.replicas(1.0))


async def test_what_others_do_is_left_to_them_until_they_are_gone(
    bus: NatsBus, nats_server: NatsServer, monkeypatch: pytest.MonkeyPatch
):
    # Given a server where a generator is at work
    monkeypatch.setenv("NATS_URL", nats_server.url)
    monkeypatch.setattr(ours, "REPLICA_CHECK_S", 0.05)
    async with Host(bus, ["generator"]) as others:
        # When a program comes that needs a gateway too, then there is still one generator
        async with local(["generator", "gateway"]) as mine:
            assert await at_work(mine) == ["gateway", "generator"]

            # When that ends, then the program has one of its own
            await others.stop()
            async with asyncio.timeout(20):
                while await at_work(mine) != ["gateway", "generator"]:
                    pass
        assert await at_work(bus) == []


async def test_who_is_busy_and_says_late_that_he_is_at_work_is_not_helped(
    bus: NatsBus, nats_server: NatsServer, monkeypatch: pytest.MonkeyPatch
):
    # Given a generator that is heard only by who waits for its answer
    monkeypatch.setenv("NATS_URL", nats_server.url)

    async def heard(bus: NatsBus, wait: float = 0.3) -> list[Replica]:
        return await called(bus) if wait > 1 else []

    async with Host(bus, ["generator"]):
        called = NatsBus.replicas
        with monkeypatch.context() as patched:
            patched.setattr(NatsBus, "replicas", heard)
            # When a program comes that needs one
            async with local(["generator"]) as mine:
                patched.undo()
                # Then there is still one
                assert await at_work(mine) == ["generator"]


async def test_what_a_program_does_itself_it_does_once_though_it_is_too_busy_to_hear_itself(
    nats_server: NatsServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NATS_URL", nats_server.url)
    monkeypatch.setattr(ours, "REPLICA_CHECK_S", 0.01)

    async def deaf(bus: NatsBus, wait: float = 0.3) -> list[Replica]:
        return []

    # Given a program that does all itself, and hears nobody
    with monkeypatch.context() as patched:
        patched.setattr(NatsBus, "replicas", deaf)
        async with local(["generator", "gateway"]) as mine:
            # When it has looked a few times whether it has to help
            await asyncio.sleep(0.2)
            patched.undo()
            # Then there is still one of each
            assert await at_work(mine) == ["gateway", "generator"]
