"""A bus in this process: what holds on any bus, quickly and many times."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.settings import BusSettings


@pytest.fixture
def broker() -> Broker:
    return Broker()


@pytest.fixture
async def bus(broker: Broker) -> AsyncIterator[MemoryBus]:
    bus = MemoryBus(broker, BusSettings(retry_delay=0.001))
    yield bus
    await bus.close()
