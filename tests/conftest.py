"""Parts that tests of every room share: a real nats-server, a bus on it that starts empty, and a scripted model."""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

import nats
import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.llm import Model, model_from
from bandsmith.shared.llm.scripted import Script, ScriptedModel
from bandsmith.shared.settings import BusSettings

Start = Callable[..., tuple[Model, ScriptedModel]]


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test meets the sessions and the knowledge of whoever runs it."""
    folder = tmp_path_factory.mktemp("home")
    with mock.patch.dict(os.environ, {"BANDSMITH_HOME": str(folder)}):
        yield folder


@pytest.fixture(scope="session")
def nats_server() -> Iterator[NatsServer]:
    """A server of this test session; its address is ``nats_server.url``."""
    with NatsServer(program=BusSettings().nats_server) as server:
        yield server


@pytest.fixture
async def bus(nats_server: NatsServer) -> AsyncIterator[NatsBus]:
    """A connected bus without messages, objects or states."""
    bus = await NatsBus.connect(nats_server.url)
    yield bus
    await bus.close()
    await forget_everything(nats_server.url)


async def forget_everything(url: str) -> None:
    client = await nats.connect(url)
    jetstream = client.jetstream()
    for stream in await jetstream.streams_info():
        await jetstream.delete_stream(str(stream.config.name))
    await client.close()


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Start a model that follows a script, with settings of its own."""
    models: list[Model] = []
    with ExitStack() as servers:

        def one(script: Script, **settings: object) -> tuple[Model, ScriptedModel]:
            server = servers.enter_context(ScriptedModel(script))
            model = model_from(server.settings(**({"pause": 5, "retries": 0} | settings)))
            assert model
            models.append(model)
            return model, server

        yield one
        for model in models:
            await model.close()
