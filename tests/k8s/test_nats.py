"""NATS with the configuration in k8s/: each user can do its work and nothing else."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, aclosing
from datetime import UTC, datetime
from pathlib import Path

import nats
import nats.errors
import pytest
from nats.js import api

from bandsmith import metrics
from bandsmith.attachments import Attachment
from bandsmith.client import Client as BandsmithClient
from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.actor import Store
from bandsmith.shared.bus.base import DeliveredMessage, LoggedEvent, Replica
from bandsmith.shared.bus.server import find_server
from bandsmith.shared.events import Command, Envelope, Event
from bandsmith.shared.runs.store import Runs
from bandsmith.shared.serving.replica import ServiceReplica, actor_work
from bandsmith.shared.settings import BusSettings
from bandsmith.web.hub import Cursor, Hub
from tests.gateway.scripted import scripted
from tests.shared.processes import free_ports
from tests.shared.runs.made import scheduled
from tools import docs

from .nats_users import CLOUD, ENVIRONMENT, SMALL, bus, configured, refused, running, url


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(configured(tmp_path_factory.mktemp("nats"), SMALL), ENVIRONMENT) as address:
        yield address


@pytest.fixture
def refusing_nothing(tmp_path: Path) -> Iterator[str]:
    """A server that in the end has not refused anything to anybody."""
    with running(configured(tmp_path / "nats", SMALL), ENVIRONMENT) as address:
        yield address
    assert "Violation" not in (tmp_path / "nats" / "log").read_text()


class Idle:
    """A service's actor that has nothing to do."""

    def __init__(self, store: Store) -> None: ...
    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    async def handle(self, command: Command) -> Event: ...


def present(service: str) -> Replica:
    return Replica(
        name=f"{service}-1",
        service=service,
        host="here",
        process="here-1",
        version="0.1.0",
        began=datetime.now(UTC),
        in_flight=0,
        handled=0,
        failed=0,
    )


def validate(name: str) -> Envelope:
    return Envelope(id=name, kind="ValidateTemplate", session="s1", turn="t1", payload={})


@pytest.mark.parametrize("files", [SMALL, CLOUD], ids=["small", "cloud"])
def test_a_real_server_reads_the_configuration(tmp_path: Path, files: list[Path]) -> None:
    for file in files:
        (tmp_path / file.name).write_bytes(file.read_bytes())
    program = find_server(BusSettings().nats_server)
    routes = {f"ROUTE_{n}": f"nats://server:p-servers@nats-{n}.nats-servers:6222" for n in range(3)}

    done = subprocess.run(
        [program, "-t", "-c", str(tmp_path / "nats.conf")],
        env=ENVIRONMENT | routes,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr


def test_each_user_may_publish_the_answers_of_its_own_services() -> None:
    text = docs.USERS.read_text(encoding="utf-8")
    assert docs.users(text) == text, "k8s/base/users.conf lacks an answer: run `make docs`"


async def test_access_requires_a_password(server: str) -> None:
    with pytest.raises(nats.errors.Error):
        await nats.connect(f"nats://{server}", allow_reconnect=False)


async def test_the_engine_user_can_do_its_work(refusing_nothing: str) -> None:
    server = refusing_nothing
    done = asyncio.Event()
    async with bus("services", server) as services, bus("engine", server) as engine:
        page = await services.put(b"<jasperReport/>", "text/xml")

        async def handle(delivery: DeliveredMessage) -> None:
            if delivery.count == 1 and b"poison" in delivery.data:
                await delivery.term("cannot be read")
                return
            await delivery.in_progress()
            assert await engine.get(page) == b"<jasperReport/>"
            await engine.put(b"%PDF", "application/pdf")
            await engine.publish(Envelope(id="e1", kind="TemplateValidated", session="s1", turn="t1", payload={}))
            await delivery.ack()
            done.set()

        await services.consume_answers("gateway", handle)  # the reader of the answers creates the services' consumers
        attendance = await engine.register(lambda: present("validator"))
        work = await engine.consume_commands("validator", handle)
        await services.send(validate("poison"))
        await services.send(validate("c1"))
        await asyncio.wait_for(done.wait(), 20)

        assert [replica.name for replica in await services.replicas(1.0)] == ["validator-1"]
        letters = await services.dead_letters()
        assert [letter.reason for letter in letters] == ["cannot be read"]
        await work.stop()
        await attendance.stop()


ENGINE = [
    ("publish", "cmd.v1.generator.GenerateReport"),
    ("publish", "cmd.v1.gateway.StartTurn"),
    ("publish", "evt.v1.s1.turn.TurnFinished"),
    ("publish", "$KV.STATE.s1"),
    ("publish", "$JS.API.STREAM.DELETE.EVT"),
    ("publish", "$JS.API.STREAM.PURGE.CMD"),
    ("publish", "$JS.API.STREAM.UPDATE.OBJ"),
    ("publish", "$JS.API.CONSUMER.MSG.NEXT.CMD.planner"),
    ("publish", "$JS.API.CONSUMER.CREATE.EVT.spy.evt.v1.>"),
    ("publish", "$JS.API.DIRECT.GET.KV_STATE.$KV.STATE.s1"),
    ("subscribe", "evt.v1.>"),
    ("publish", "$JS.API.STREAM.CREATE.COPY"),
    ("publish", "_INBOX_services.a.1"),
    ("subscribe", "cmd.v1.>"),
    ("subscribe", "_INBOX.>"),
    ("subscribe", "_INBOX_services.>"),
]
WATCH = [
    ("publish", "cmd.v1.gateway.StartTurn"),
    ("publish", "obj.a.0"),
    ("publish", "$JS.API.STREAM.PURGE.DEAD"),
    ("publish", "$JS.API.STREAM.MSG.DELETE.DEAD"),
    ("publish", "$JS.API.DIRECT.GET.OBJ.obj.a.0"),
    ("publish", "$JS.API.STREAM.CREATE.COPY"),
    ("subscribe", "evt.v1.>"),
    ("subscribe", "_INBOX.>"),
    ("subscribe", "_INBOX_services.>"),
]
WEB = [
    ("publish", "cmd.v1.validator.ValidateTemplate"),
    ("publish", "cmd.v1.planner.ClassifyIntent"),
    ("publish", "cmd.v1.planner.AddKnowledge"),
    ("publish", "cmd.v1.planner.RemoveKnowledge"),
    ("publish", "evt.v1.s1.turn.TurnFinished"),
    ("publish", "evt.v1.s1.work.TemplateValidated"),
    ("publish", "$KV.STATE.session-s1"),
    ("publish", "$JS.API.STREAM.PURGE.EVT"),
    ("publish", "$JS.API.STREAM.DELETE.CMD"),
    ("publish", "$JS.API.STREAM.PURGE.OBJ"),
    ("publish", "$JS.API.CONSUMER.CREATE.CMD.spy.cmd.v1.validator.*"),
    ("publish", "$JS.API.CONSUMER.MSG.NEXT.CMD.validator"),
    ("publish", "roll.v1"),
    ("subscribe", "evt.v1.>"),
    ("subscribe", "_INBOX.>"),
    ("subscribe", "_INBOX_services.>"),
]
REPORTS = [
    ("publish", "cmd.v1.validator.ValidateTemplate"),
    ("publish", "evt.v1.s1.turn.TurnFinished"),
    ("publish", "$JS.API.CONSUMER.CREATE.EVT.reports.evt.v1.*.work.*"),
    ("publish", "$JS.API.STREAM.DELETE.CMD"),
    ("subscribe", "_INBOX.>"),
    ("subscribe", "_INBOX_services.>"),
    ("subscribe", "evt.v1.>"),
]


@pytest.mark.parametrize(
    ("user", "act", "subject"),
    [
        (user, *one)
        for user, acts in (("engine", ENGINE), ("watch", WATCH), ("web", WEB), ("reports", REPORTS))
        for one in acts
    ],
)
async def test_the_engine_user_can_do_nothing_else(server: str, user: str, act: str, subject: str) -> None:
    async with refused(user, server) as (client, refusals):
        if act == "publish":
            await client.publish(subject, b"{}")
        else:
            await client.subscribe(subject)
        await client.flush()

        assert "permissions violation" in (await asyncio.wait_for(refusals.get(), 10)).lower()


async def test_the_monitoring_user_can_read_everything(refusing_nothing: str) -> None:
    server = refusing_nothing
    async with bus("services", server) as services, bus("watch", server) as watch:
        attendance = await services.register(lambda: present("planner"))

        assert [replica.name for replica in await watch.replicas(3.0)] == ["planner-1"]
        assert await watch.queues() == await services.queues()
        assert await watch.dead_letter_counts() == await services.dead_letter_counts()
        assert await metrics.collect(watch)
        await attendance.stop()


async def test_the_web_user_can_do_what_its_users_ask(refusing_nothing: str) -> None:
    """A session is begun with a file, followed, renamed, read, cancelled and deleted through the web process's user."""
    async with bus("services", refusing_nothing) as services, bus("web", refusing_nothing) as web:
        await scripted(services)
        gateway = GatewayActor(services)
        await gateway.start()
        client = BandsmithClient(web)
        form = Attachment(name="form.jpg", content=b"photo")
        async with Hub(web) as hub:
            await client.start("march", attachments=[form], turn="t1")
            kinds: list[str] = []
            async with asyncio.timeout(30), aclosing(hub.follow("march", Cursor(await web.log_name(), 0))) as events:
                async for _, entry in events:
                    kinds += [entry.event.kind] if isinstance(entry, LoggedEvent) else []
                    if kinds[-1:] == ["TurnFinished"]:
                        break
        assert [session.id for session in await client.sessions()] == ["march"]
        await Runs(services).add(scheduled())
        assert [state.run.name for state in await client.runs()] == ["statement"]
        assert [entry.id for entry in await client.knowledge("sales")] == [
            entry.id for entry in await BandsmithClient(services).knowledge("sales")
        ]
        await client.rename("march", "Sales")
        await client.unshare("march")
        await client.cancel("march", "t1")
        finished = await client.say("march", "make the title larger")
        assert (await client.session("march")).name == "Sales" and finished.status == "done"
        assert await client.fetch(await web.put(b"upload", "text/plain")) == b"upload"
        await client.delete("march")
        assert not await client.exists("march")
        await gateway.stop()


@pytest.mark.slow
async def test_three_servers_form_a_cluster_with_three_copies(tmp_path: Path) -> None:
    ports = free_ports(3)
    routes = {f"ROUTE_{n}": f"nats://server:p-servers@127.0.0.1:{port}" for n, port in enumerate(ports)}
    with ExitStack() as stack:
        addresses = [
            stack.enter_context(
                running(
                    configured(tmp_path / f"nats-{n}", CLOUD, port), ENVIRONMENT | routes | {"POD_NAME": f"nats-{n}"}
                )
            )
            for n, port in enumerate(ports)
        ]
        client = await nats.connect(url("services", addresses[0]))
        jetstream = client.jetstream()

        async def kept() -> api.StreamInfo:
            while True:  # until they have elected one to lead
                try:
                    return await jetstream.add_stream(name="TRIAL", subjects=["trial"], num_replicas=3)
                except nats.errors.Error:
                    await asyncio.sleep(0.1)

        info = await asyncio.wait_for(kept(), 60)
        assert info.cluster and {peer.name for peer in info.cluster.replicas or []} | {info.cluster.leader} == {
            "nats-0",
            "nats-1",
            "nats-2",
        }
        await client.close()


async def test_a_replica_uses_its_pod_s_credentials(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NATS_URL", url("engine", server))
    described_elsewhere = {"NATS_URL": "nats://services:p-services@127.0.0.1:1"}
    replica = ServiceReplica(actor_work("validator", Idle), 1, described_elsewhere)

    async def ignore(delivery: DeliveredMessage) -> None: ...

    async with bus("gateway", server) as gateway:
        await gateway.consume_answers("gateway", ignore)  # it creates the streams and the services' consumers

    await replica.start()  # which connects

    assert "engine" in os.environ["NATS_URL"]
    await replica.stop()
