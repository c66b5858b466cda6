"""Every bus that there is, as a function that makes one more client of the same broker."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.settings import BusSettings
from tests.conftest import forget_everything

Connect = Callable[..., Awaitable[Bus]]


@pytest.fixture(params=["memory", "nats"])
async def connect(request: pytest.FixtureRequest) -> AsyncIterator[Connect]:
    clients: list[Bus] = []
    broker = Broker()
    server = request.getfixturevalue("nats_server") if request.param == "nats" else None

    async def one_more(**settings: float) -> Bus:
        """Settings: those of BusSettings."""
        chosen = BusSettings(**({"drain_timeout": 0.05} | settings))
        client = await NatsBus.connect(server.url, chosen) if server else MemoryBus(broker, chosen)
        clients.append(client)
        return client

    yield one_more
    for client in clients:
        await client.close()
    if server:
        await forget_everything(server.url)


@pytest.fixture
async def bus(connect: Connect) -> Bus:
    return await connect()
