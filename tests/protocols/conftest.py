"""The protocols of other programs: their real clients, on scripted services."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.bus.memory import Broker, MemoryBus
from tests.gateway.scripted import Script, scripted
from tests.web.conftest import OBJECTS, actor, issuer, place, script
from tools.node import find_node

__all__ = ["actor", "issuer", "place", "script"]
SAMPLE = Path(__file__).parents[2] / "samples" / "sales-slip.jpg"
StartServices = Callable[[Script], Awaitable[Bus]]


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the packages of clients for Node.js, as they are locked."""
    folder = tmp_path_factory.mktemp("npm") / "node"
    shutil.copytree(Path(__file__).parent / "node", folder, ignore=shutil.ignore_patterns("node_modules"))
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error", "--fetch-retries=5"]
    done = subprocess.run([*find_node().npm, "ci", *quiet], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
async def start_services() -> AsyncIterator[StartServices]:
    """Start the gateway and scripted services on a bus in memory."""
    buses = []

    async def start(script: Script) -> Bus:
        broker = Broker()
        broker.objects |= {key: key.encode() for key in OBJECTS}
        broker.objects |= {f"verdict-{errors}": b'{"passed": true}' for errors in range(2)}
        bus = MemoryBus(broker)
        buses.append(bus)
        await scripted(bus, script)
        await GatewayActor(bus).start()
        return bus

    yield start
    for bus in buses:
        await bus.close()
