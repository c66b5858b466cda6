"""Hostile use of the bus, on a server with the users of k8s/: nobody speaks for another, and nothing stops work."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

import nats
import nats.errors
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from bandsmith.client import Client as BandsmithClient
from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.base import DeadLetter, DeliveredMessage
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.errors import BadInput, TerminalError
from bandsmith.shared.events import (
    COMMANDS,
    Envelope,
    ExtractLayout,
    IntentClassified,
    StageFailed,
    StartTurn,
    command_id,
)
from bandsmith.shared.model.base import Ref
from tests.conftest import delete_all_streams
from tests.gateway.scripted import scripted, until_the_end
from tests.k8s.nats_users import bus, refused, url

FORGED = [
    ("web", "cmd.v1.validator.ValidateTemplate"),
    ("web", "cmd.v1.planner.RunQuery"),
    ("web", "evt.v1.s.work.TemplateValidated"),
    ("web", "evt.v1.s.turn.TurnFinished"),
    ("web", "$KV.STATE.session-s"),
    ("web", "$JS.ACK.CMD.validator.1.1.1.1.1"),
    ("reports", "cmd.v1.gateway.CancelTurn"),
    ("reports", "evt.v1.s.turn.TurnFinished"),
    ("reports", "evt.v1.s.work.StageFailed"),
    ("reports", "tok.s"),
    ("watch", "cmd.v1.gateway.StartTurn"),
    ("watch", "dead.cmd.v1.gateway.StartTurn"),
    ("worker", "cmd.v1.validator.ValidateTemplate"),
    ("worker", "cmd.v1.gateway.StartTurn"),
    ("worker", "evt.v1.s.work.TemplateValidated"),
    ("worker", "evt.v1.s.work.QueryChecked"),
    ("worker", "evt.v1.s.turn.TurnFinished"),
    ("worker", "$KV.STATE.session-s"),
    ("worker", "$JS.API.CONSUMER.MSG.NEXT.CMD.validator"),
    ("worker", "$JS.API.STREAM.MSG.GET.KV_STATE"),
    ("worker", "dead.cmd.v1.validator.ValidateTemplate"),
    ("engine", "cmd.v1.generator.CorrectTemplate"),
    ("engine", "evt.v1.s.work.IntentClassified"),
    ("engine", "evt.v1.s.work.QueryWritten"),
    ("engine", "$JS.API.CONSUMER.MSG.NEXT.EVT.gateway"),
    ("engine", "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.CMD.gateway"),
    ("gateway", "evt.v1.s.work.TemplateValidated"),
    ("gateway", "cmd.v1.gateway.CancelTurn"),
    ("gateway", "$JS.API.STREAM.DELETE.EVT"),
]


NODES = (
    "load_session",
    "process_input",
    "manage_context",
    "save_state_snapshot",
    "classify_intent",
    "retrieve",
    "generate",
)
"""Those at which a turn may wait for the planner."""


@pytest.fixture
async def services(server: str) -> AsyncIterator[NatsBus]:
    async with bus("services", server) as connected:
        yield connected
    await delete_all_streams(url("services", server))


@pytest.fixture
async def at_work(services: NatsBus) -> AsyncIterator[NatsBus]:
    """A bus where every service works."""
    await scripted(services)
    gateway = GatewayActor(services)
    await gateway.start()
    yield services
    await gateway.stop()


async def store(address: str, user: str, subject: str, content: bytes, message_id: str = "") -> None:
    """Publish to a stream as another program would."""
    client = await nats.connect(url(user, address), inbox_prefix=f"_INBOX_{user}")
    headers = {"Nats-Msg-Id": message_id} if message_id else None
    await client.jetstream().publish(subject, content, headers=headers)
    await client.close()


def start(turn: str = "t", session: str = "s", **changes: Any) -> Envelope:
    payload = StartTurn(text="a sales report with customer and amount").model_dump(mode="json")
    return Envelope(id=f"{session}-{turn}", kind="StartTurn", session=session, turn=turn, payload=payload).model_copy(
        update=changes
    )


async def until(holds: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(20):
        while not await holds():  # noqa: ASYNC110 - the server sends no event for it
            await asyncio.sleep(0.05)


async def idle(bus: NatsBus) -> bool:
    return not any(queue.waiting or queue.in_flight for queue in await bus.queues())


@pytest.mark.parametrize(("user", "subject"), FORGED)
async def test_a_role_cannot_publish_what_is_another_s(server: str, user: str, subject: str):
    async with refused(user, server) as (client, refusals):
        await client.publish(subject, b"{}")
        await client.flush()
        assert "permissions violation" in (await asyncio.wait_for(refusals.get(), 10)).lower()


@pytest.mark.parametrize("user", ["web", "reports", "watch", "worker", "engine"])
async def test_a_role_cannot_listen_to_sessions(server: str, user: str):
    async with refused(user, server) as (client, refusals):
        for subject in ("evt.v1.s.>", "cmd.v1.>", "$KV.STATE.>", "_INBOX_services.>"):
            await client.subscribe(subject)
            await client.flush()
            assert "permissions violation" in (await asyncio.wait_for(refusals.get(), 10)).lower()


async def test_a_turn_runs_with_the_roles_of_the_cluster(server: str, services: NatsBus):
    """The permissions suffice: gateway, workers and engine as their own users finish a turn that web began."""
    async with bus("gateway", server) as first, bus("worker", server) as worker, bus("engine", server) as engine:
        gateway = GatewayActor(first)
        await gateway.start()
        await scripted(worker, only=("ocr", "planner", "generator"))
        await scripted(engine, only=("validator",))
        async with bus("web", server) as web:
            end = await BandsmithClient(web).say("s", "a sales report with customer and amount")
        await gateway.stop()
    assert end.status == "done"


async def test_a_taken_id_keeps_no_command_from_its_service(server: str, at_work: NatsBus):
    """Given somebody who may begin turns, and who computes the ids of the commands that will follow
    When that program publishes something under each of them
    Then the turn finishes all the same."""
    for kind in COMMANDS:
        for node in ("understand", "retrieve", "spec", "validate", "remember"):
            taken = command_id("s", "t", f"{node}/{kind}", 1)
            await store(server, "reports", "cmd.v1.gateway.StartTurn", b"{}", message_id=taken)
    await at_work.send(start())
    assert (await until_the_end(at_work))[-1].kind == "TurnFinished"


async def test_a_service_cannot_fail_what_another_service_works_on(server: str, services: NatsBus):
    """Given a turn that waits for the planner
    When the engine reports, under every id that it can compute, that the planner failed
    Then the turn goes on when the planner answers."""
    await scripted(services, only=("ocr", "generator", "validator"))
    gateway = GatewayActor(services)
    await gateway.start()
    await services.send(start())
    await until(lambda: waiting(services, "planner"))
    client = await nats.connect(url("engine", server), inbox_prefix="_INBOX_engine")
    for kind, node in itertools.product((kind for kind in COMMANDS if COMMANDS[kind].service == "planner"), NODES):
        forged = StageFailed(command=kind, code="x", message="forged").model_dump()
        cause = command_id("s", "t", f"{node}/{kind}", 1)
        guess = start(id=f"{node}-{kind}", kind="StageFailed", causation=cause, payload=forged)
        await client.jetstream().publish("evt.v1.s.work.StageFailed", guess.model_dump_json().encode())
    await client.close()
    await until(lambda: idle_answers(services))
    await scripted(services, only=("planner",))
    assert (await until_the_end(services))[-1].kind == "TurnFinished"
    await gateway.stop()


async def waiting(bus: NatsBus, service: str) -> bool:
    return any(queue.service == service and queue.waiting for queue in await bus.queues())


async def idle_answers(bus: NatsBus) -> bool:
    return not any(queue.waiting or queue.in_flight for queue in await bus.queues() if queue.holds == "answers")


async def test_a_command_is_stored_though_its_id_was_used_by_another_user(server: str, services: NatsBus):
    command = Envelope(id="a" * 32, kind="ExtractLayout", session="s", turn="t", payload={})
    await store(server, "web", "cmd.v1.gateway.StartTurn", b"{}", message_id=command.id)
    await services.send(command)
    assert {queue.service: queue.waiting for queue in await services.queues()}.get("ocr") == 1


async def test_a_file_is_stored_though_its_id_was_used_by_another_user(server: str, services: NatsBus):
    content = b"the right content"
    key = hashlib.sha256(content).hexdigest()
    await store(server, "reports", "obj.other.0", b"something else", message_id=f"{key}.0")
    ref = await services.put(content, "text/plain")
    async with bus("web", server) as reader:
        assert await reader.get(ref) == content


async def test_a_file_of_other_content_is_not_read_under_its_key(server: str, services: NatsBus):
    ref = Ref(key="b" * 64, media="text/plain", size=3)
    await store(server, "reports", f"obj.{ref.key}.0", b"abc")
    with pytest.raises(KeyError):
        await services.get(ref)


MISPLACED = {
    "an answer in place of a beginning": ("cmd.v1.gateway.StartTurn", {"kind": "TemplateValidated"}),
    "a command of another service": ("cmd.v1.gateway.StartTurn", {"kind": "RunQuery"}),
    "a failure of another session": ("evt.v1.other.work.StageFailed", {"kind": "StageFailed"}),
    "an answer of another kind": ("evt.v1.s.work.StageFailed", {"kind": "TemplateValidated"}),
    "an end of the turn": ("evt.v1.s.work.StageFailed", {"kind": "TurnFinished"}),
}


@pytest.mark.parametrize("name", MISPLACED)
async def test_content_that_its_subject_does_not_name_is_set_aside(server: str, at_work: NatsBus, name: str):
    """Permissions are given by subject, so content that says something else must not be followed."""
    subject, changes = MISPLACED[name]
    user = "engine" if subject.startswith("evt") else "web"
    await store(server, user, subject, start(**changes).model_dump_json().encode())
    await at_work.send(start())
    assert (await until_the_end(at_work))[-1].kind == "TurnFinished"
    await until(at_work.dead_letters)
    letters = await at_work.dead_letters()
    assert [letter.reason for letter in letters] == ["sent to another subject"]


WRONG = {
    "nothing": b"",
    "not text": b"\xff\xfe\x00",
    "a list": b"[]",
    "a number": b"1" * 4000,
    "deep brackets": b"[" * 100_000,
    "deep objects": b'{"payload":' * 5_000 + b"1" + b"}" * 5_000,
    "a payload of another type": start(payload={}).model_dump_json().replace('"payload":{}', '"payload":7').encode(),
    "a turn that is a list": start().model_dump_json().replace('"turn":"t"', '"turn":[]').encode(),
    "an attempt beyond all numbers": start().model_dump_json().replace('"attempt":1', '"attempt":1e999').encode(),
    "a session with wildcards": start(session="s.>").model_dump_json().encode(),
    "a session that is a path": start(session="../../etc").model_dump_json().encode(),
    "an id with line breaks": start("x", id="a\r\nNats-Msg-Id: b").model_dump_json().encode(),
    "a request without text": start("y", payload={"text": None}).model_dump_json().encode(),
    "attachments that are text": start("z", payload={"text": "", "attachments": "x"}).model_dump_json().encode(),
    "a file of a negative size": start(
        "n", payload={"text": "", "attachments": [{"name": "a.png", "content": {"key": "a", "media": "", "size": -1}}]}
    )
    .model_dump_json()
    .encode(),
    "a year that no calendar has": start("w").model_dump_json().replace('"time":"2', '"time":"99992').encode(),
}


@pytest.mark.parametrize("name", WRONG)
async def test_a_wrong_message_stops_no_service(server: str, at_work: NatsBus, name: str):
    for subject in ("cmd.v1.gateway.StartTurn", "cmd.v1.gateway.CancelTurn", "cmd.v1.gateway.RenameSession"):
        user = "web" if "StartTurn" not in subject else "reports"
        await store(server, user, subject, WRONG[name])
    await store(server, "engine", "evt.v1.s.work.TemplateValidated", WRONG[name])
    await at_work.send(start("good", "good"))
    assert (await until_the_end(at_work, "good", "good"))[-1].kind == "TurnFinished"


async def test_an_oversized_message_costs_its_sender_the_connection_only(server: str, at_work: NatsBus):
    with pytest.raises(TerminalError):
        await at_work.send(start(payload={"text": "x" * 9_000_000}))
    host, port = server.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    await reader.readline()
    login = {"user": "reports", "pass": "p-reports", "verbose": False, "headers": True}
    writer.write(b"CONNECT " + json.dumps(login).encode() + b"\r\nPUB cmd.v1.gateway.StartTurn 900000000\r\n")
    with suppress(ConnectionError):
        await writer.drain()
        assert b"Maximum Payload" in await reader.read()
    writer.close()
    await at_work.send(start())
    assert (await until_the_end(at_work))[-1].kind == "TurnFinished"


async def test_an_answer_is_taken_once(at_work: NatsBus):
    """Answers that come twice, after the end of their turn, or to a command that nobody sent change nothing."""
    await at_work.send(start())
    events = await until_the_end(at_work)
    before = await at_work.read_state("session-s")
    for number, cause in enumerate((events[0].id, "made-up", "")):
        answer = IntentClassified(intent="reset_session").model_dump(mode="json")
        kind = IntentClassified.kind()
        await at_work.publish(
            Envelope(id=f"f{number}", kind=kind, session="s", turn="t", causation=cause, payload=answer)
        )
    await at_work.send(start("after", "other"))
    assert (await until_the_end(at_work, "after", "other"))[-1].kind == "TurnFinished"
    await until(lambda: idle(at_work))
    assert await at_work.read_state("session-s") == before


async def test_a_beginning_that_is_sent_again_begins_nothing(server: str, at_work: NatsBus):
    await at_work.send(start())
    await until_the_end(at_work)
    before = await at_work.last_sequence()
    for number in range(3):
        await store(
            server, "reports", "cmd.v1.gateway.StartTurn", start().model_dump_json().encode(), f"again-{number}"
        )
    await until(lambda: idle(at_work))
    assert await at_work.last_sequence() == before


async def test_a_forged_letter_is_not_replayed(server: str, services: NatsBus):
    """A service that may report its own dead letters cannot have another's message published or removed."""
    await services.send(Envelope(id="c1", kind=ExtractLayout.kind(), session="s", turn="t", payload={}))
    forged = DeadLetter(
        name="CMD.1",
        subject="cmd.v1.gateway.StartTurn",
        data=start().model_dump_json().encode(),
        reason="x",
        deliveries=1,
        time=start().time,
    )
    await store(server, "engine", "dead.cmd.v1.validator.ValidateTemplate", forged.model_dump_json().encode())
    assert await services.dead_letters() == []
    with pytest.raises(BadInput):
        await services.replay("CMD.1")

    own = forged.model_copy(update={"subject": "cmd.v1.validator.ValidateTemplate"})
    await store(server, "engine", "dead.cmd.v1.validator.ValidateTemplate", own.model_dump_json().encode())
    await services.replay("CMD.1")
    assert {queue.service: queue.waiting for queue in await services.queues()}.get("ocr") == 1, "it is still there"


async def test_noise_in_the_streamed_reply_and_the_registry_is_left_out(server: str, services: NatsBus):
    async with bus("engine", server) as engine:

        async def lie(message: Msg) -> None:
            await message.respond(b'{"name": 7')

        await engine._client.subscribe("roll.v1", cb=lie)
        await engine._client.flush()
        assert await services.replicas(0.5) == []

    deltas = services.subscribe_deltas("s")
    heard = asyncio.ensure_future(anext(deltas))
    await asyncio.sleep(0)
    client: Client = await nats.connect(url("worker", server), inbox_prefix="_INBOX_worker")
    async with asyncio.timeout(20):
        while not heard.done():
            await client.publish("tok.s", b"\xff")
            await client.publish("tok.s", b'{"session": "s", "turn": "t", "text": "hello"}')
            await asyncio.sleep(0.05)
    assert heard.result().text == "hello"
    await client.close()
    await deltas.aclose()


async def test_the_queue_of_a_service_gives_nothing_to_another_role(server: str, services: NatsBus):
    """A worker that asks for the validator's commands gets none, and the validator gets them all."""
    taken: list[str] = []
    came = asyncio.Event()

    async def take(delivery: DeliveredMessage) -> None:
        taken.append(Envelope.model_validate_json(delivery.data).id)
        await delivery.ack()
        came.set()

    gateway = GatewayActor(services)
    await gateway.start()  # it creates the services' consumers
    async with bus("engine", server) as engine:
        await engine.consume_commands("validator", take)
        async with refused("worker", server) as (client, refusals):
            with pytest.raises(nats.errors.Error):
                await client.request("$JS.API.CONSUMER.MSG.NEXT.CMD.validator", b"1", timeout=1)
            assert "violation" in (await asyncio.wait_for(refusals.get(), 10)).lower()
        await services.send(Envelope(id="c1", kind="ValidateTemplate", session="s", turn="t", payload={}))
        await asyncio.wait_for(came.wait(), 20)
    await gateway.stop()
    assert taken == ["c1"]
