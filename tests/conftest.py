"""Fixtures for all tests: a real NATS server, an empty bus on it, the report engine, and a scripted model."""

import gc
import os
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from unittest import mock

import nats
import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.llm import Model, model_from
from bandsmith.shared.llm.scripted import Script, ScriptedModel

from .containers import nats_server_for_tests

Start = Callable[..., tuple[Model, ScriptedModel]]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what is imported for all tests away from the garbage collector: to walk it takes each process seconds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the tests away from the sessions and the knowledge of the user who runs them."""
    folder = tmp_path_factory.mktemp("home")
    # One thread for each inference: more of them spend a quarter of their time waiting for each other.
    with mock.patch.dict(os.environ, {"BANDSMITH_HOME": str(folder), "BANDSMITH_OCR_THREADS": "1"}):
        yield folder


@pytest.fixture(scope="session", autouse=True)
def monday_of_the_calendars() -> Iterator[None]:
    """Let it be the morning of the first day of the tests' calendars: work is placed from now on only."""
    with mock.patch("bandsmith.shared.schedule.past.local_now", return_value=datetime(2026, 11, 23, 7, 0)):
        yield


@pytest.fixture(scope="session")
def nats_server() -> Iterator[NatsServer]:
    """The NATS server of this test session: a container if there is an engine, otherwise a child process."""
    with nats_server_for_tests() as server:
        yield server


@pytest.fixture
async def bus(nats_server: NatsServer) -> AsyncIterator[NatsBus]:
    """A connected bus without messages, objects or states."""
    bus = await NatsBus.connect(nats_server.url)
    yield bus
    await bus.close()
    await delete_all_streams(nats_server.url)


async def delete_all_streams(url: str) -> None:
    client = await nats.connect(url)
    jetstream = client.jetstream()
    for stream in await jetstream.streams_info():
        await jetstream.delete_stream(str(stream.config.name))
    await client.close()


@pytest.fixture(scope="session")
def engine() -> Iterator[ReportEngine]:
    """The engine of all tests, hostile templates among them: to start one takes seconds."""
    engine = ReportEngine(limit=20)
    engine.start()
    yield engine
    engine.stop()


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Start a scripted model and a client for it, with settings for the client."""
    models: list[Model] = []
    with ExitStack() as servers:

        def start_one(script: Script, **settings: object) -> tuple[Model, ScriptedModel]:
            server = servers.enter_context(ScriptedModel(script))
            model = model_from(server.settings(**({"read_timeout": 5, "retries": 0} | settings)))
            assert model
            models.append(model)
            return model, server

        yield start_one
        for model in models:
            await model.close()
