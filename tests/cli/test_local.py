"""A program on a message server that others share does what nobody else does there, and leaves the rest to them."""

from __future__ import annotations

import asyncio

import pytest

from bandsmith import local as ours
from bandsmith.local import Host, local
from shared.bus.nats import NatsBus
from shared.bus.server import Server


async def at_work(bus: NatsBus) -> list[str]:
    return sorted(replica.service for replica in await bus.roll())


async def test_what_others_do_is_left_to_them_until_they_are_gone(
    bus: NatsBus, nats_server: Server, monkeypatch: pytest.MonkeyPatch
):
    # Given a server where a generator is at work
    monkeypatch.setenv("NATS_URL", nats_server.url)
    monkeypatch.setattr(ours, "ROLL_SECONDS", 0.05)
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
