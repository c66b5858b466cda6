"""Fixtures that run a test on every bus."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import nullcontext

import pytest

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.settings import BusSettings
from tests.conftest import delete_all_streams
from tests.virtual_clock import virtual_clock

Connect = Callable[..., Awaitable[Bus]]


@pytest.fixture(params=["memory", "nats"])
async def connect(request: pytest.FixtureRequest) -> AsyncIterator[Connect]:
    """Connect another client to the same broker, with fields of ``BusSettings``."""
    clients: list[Bus] = []
    broker = Broker()
    server = request.getfixturevalue("nats_server") if request.param == "nats" else None

    async def connect_client(**settings: float) -> Bus:
        chosen = BusSettings.model_validate({"drain_timeout": 0.05} | settings)
        client = await NatsBus.connect(server.url, chosen) if server else MemoryBus(broker, chosen)
        clients.append(client)
        return client

    with nullcontext() if server else virtual_clock():
        yield connect_client
        for client in clients:
            await client.close()
    if server:
        await delete_all_streams(server.url)


@pytest.fixture
async def bus(connect: Connect) -> Bus:
    return await connect()
