"""Data on a message server written by an older version or by other programs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any

import nats
import orjson
import pytest
from nats.aio.client import Client
from nats.js import api

from bandsmith.shared.bus.base import DeadLetter
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.errors import BadInput
from bandsmith.shared.settings import BusSettings
from bandsmith.shared.worker import run_actor
from tests.faults.planner import SETTINGS, Planner, command


@pytest.fixture
async def other(nats_server: NatsServer) -> AsyncIterator[Client]:
    """A client that knows nothing of Bandsmith."""
    client = await nats.connect(nats_server.url)
    yield client
    await client.close()


async def answered(bus: NatsBus, name: str) -> None:
    async with asyncio.timeout(20), aclosing(bus.follow("s1")) as events:
        async for event in events:
            if event.causation == name:
                return


async def test_the_previous_version_s_store_is_upgraded(nats_server: NatsServer, other: Client) -> None:
    # Given streams, consumers and states as the version before made them
    jetstream = other.jetstream()
    for stream in await jetstream.streams_info():
        await jetstream.delete_stream(str(stream.config.name))
    queue = api.RetentionPolicy.WORK_QUEUE
    await jetstream.add_stream(name="CMD", subjects=["cmd.*.*"], retention=queue, duplicate_window=120)
    await jetstream.add_stream(name="EVT", subjects=["evt.*.*"], duplicate_window=120, allow_direct=True)
    advisories = [f"$JS.EVENT.ADVISORY.CONSUMER.{what}.CMD.*" for what in ("MAX_DELIVERIES", "MSG_TERMINATED")]
    await jetstream.add_stream(name="DEAD", subjects=["dead.>", *advisories], allow_direct=True)
    explicit: dict[str, Any] = {"ack_policy": api.AckPolicy.EXPLICIT, "max_deliver": 7, "ack_wait": 10}
    await jetstream.add_consumer("CMD", durable_name="planner", filter_subject="cmd.planner.*", **explicit)
    await jetstream.add_consumer("EVT", durable_name="gateway", filter_subject="evt.*.*", **explicit)
    states = await jetstream.create_key_value(bucket="STATE")
    await states.put("session-old", b"kept")
    await jetstream.publish("evt.old.TurnFinished", b"{}")

    # When this version works on it
    bus = await NatsBus.connect(nats_server.url, SETTINGS)
    await run_actor(bus, "planner", Planner(0), settings=SETTINGS)
    heard = asyncio.Event()

    async def hear(delivery) -> None:
        await delivery.ack()
        heard.set()

    await bus.consume_answers("gateway", hear)
    await bus.send(command("c1"))

    # Then its messages flow, and what was kept is there, and can be removed
    await answered(bus, "c1")
    await asyncio.wait_for(heard.wait(), 20)
    assert (await bus.read_state("session-old"))[0] == b"kept"
    await bus.delete_state("session-old")
    assert await bus.read_state("session-old") is None
    await bus.close()


async def test_headers_describe_the_message(bus: NatsBus, other: Client) -> None:
    heard = await other.subscribe("cmd.>")
    await other.flush()

    traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    sent = command("c 1\r\nx: y").model_copy(update={"traceparent": traceparent})
    await bus.send(sent)

    message = await heard.next_msg()
    headers = dict(message.headers)
    assert datetime.fromisoformat(headers.pop("ce-time")) == sent.time
    assert headers == {
        "Nats-Msg-Id": "c%201%0D%0Ax:%20y",
        "ce-specversion": "1.0",
        "ce-id": "c%201%0D%0Ax:%20y",
        "ce-source": "/bandsmith/gateway",
        "ce-type": "bandsmith.v1.RecallKnowledge",
        "ce-subject": "s1",
        "ce-datacontenttype": "application/json",
        "content-type": "application/json",
        "traceparent": traceparent,
    }
    assert orjson.loads(message.data)["payload"] == sent.payload


async def test_a_replayed_message_has_the_same_headers(bus: NatsBus, other: Client) -> None:
    # Given a command that was given up
    await bus.send(command("c1"))
    sent = await other.jetstream().get_msg("CMD", subject="cmd.v1.planner.RecallKnowledge", seq=1, next=True)
    given_up = asyncio.Event()

    async def give_up(delivery) -> None:
        await delivery.term("no hope")
        given_up.set()

    worker = await bus.consume_commands("planner", give_up)
    await asyncio.wait_for(given_up.wait(), 20)
    await worker.stop()

    # When it is replayed
    heard = await other.subscribe("cmd.>")
    await other.flush()
    await bus.replay(*(letter.name for letter in await bus.dead_letters()))

    # Then only the name under which the server takes it is another
    again = await heard.next_msg()
    assert again.data == sent.data
    assert {**again.headers, "Nats-Msg-Id": "c1"} == sent.headers


async def test_an_expired_dead_letter_cannot_be_replayed(bus: NatsBus, other: Client) -> None:
    # Given a message that was delivered too often, and is removed from where it lay
    await bus.send(command("c1"))
    advisory = {"type": "io.nats.jetstream.advisory.v1.max_deliver", "stream": "CMD", "stream_seq": 99}
    about = {"deliveries": 7, "timestamp": "2026-01-01T00:00:00Z"}
    # (through JetStream, whose answer says that the advisory is stored)
    subject = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.CMD.planner"
    await other.jetstream().publish(subject, orjson.dumps(advisory | about))

    (letter,) = await bus.dead_letters()
    assert (letter.name, letter.subject, letter.data) == ("CMD.99", "", b"")
    with pytest.raises(BadInput, match="no longer stored"):
        await bus.replay(letter.name)


async def test_a_state_deleted_by_another_program_is_gone(bus: NatsBus, other: Client) -> None:
    revision = await bus.write_state("s1", b"first", None)
    await (await other.jetstream().key_value("STATE")).delete("s1")

    assert await bus.read_state("s1") is None
    assert revision == 1


async def test_only_an_explicit_setting_changes_the_retention(nats_server: NatsServer, other: Client) -> None:
    # Given services with a longer retention
    months = BusSettings(keep_days=60, keep_files_days=730)
    await (await NatsBus.connect(nats_server.url, months)).close()

    # When a client without an explicit setting connects
    await (await NatsBus.connect(nats_server.url)).close()

    # Then they are still kept as long
    assert await kept(other) == {"EVT": 60, "DEAD": 60, "OBJ": 730}

    # And one who says how long changes that alone
    await (await NatsBus.connect(nats_server.url, BusSettings(keep_days=90))).close()
    assert await kept(other) == {"EVT": 90, "DEAD": 90, "OBJ": 730}


async def kept(client: Client) -> dict[str, float]:
    """Days."""
    ages = {name: (await client.jetstream().stream_info(name)).config.max_age for name in ("EVT", "DEAD", "OBJ")}
    return {name: (age or 0) / 86400 for name, age in ages.items()}


async def test_other_programs_entries_hide_no_dead_letters(bus: NatsBus, other: Client) -> None:
    # Given a command that was given up, between things that are no dead letters of ours
    async def give_up(delivery) -> None:
        await delivery.term("no hope")

    strange = DeadLetter(name="x", subject="a.b", data=b"", reason="", deliveries=1, time=datetime.now(UTC))
    for subject, data in (
        ("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.CMD.planner", b"{}"),
        ("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.CMD.planner", b"["),
        ("dead.letter", b"?"),
        ("dead.letter", strange.model_dump_json().encode()),
    ):
        await other.publish(subject, data)
    await other.flush()
    await bus.send(command("c1"))
    await bus.consume_commands("planner", give_up)

    # Then it is found, counted and replayed
    async with asyncio.timeout(20):
        while not (letters := await bus.dead_letters()):  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.02)
    assert [letter.reason for letter in letters] == ["no hope"]
    assert await bus.dead_letter_counts() == {"planner": 1}
    assert await bus.replay(letters[0].name) == letters
