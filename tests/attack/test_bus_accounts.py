"""Hostile use of what the server does for a user: its responses and deliveries go only where the user may publish.

A user names the subject of a response, and the server checks no permission there.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import nats
import nats.errors
import pytest
from nats.aio.client import Client

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.events import Envelope
from tests.conftest import delete_all_streams
from tests.k8s.nats_users import bus, url

STREAMS = ["CMD", "EVT", "DEAD", "OBJ", "KV_STATE"]
UNTRUSTED = ["web", "reports", "watch", "worker", "engine"]
RESPONSES = {
    "web": ["$JS.API.DIRECT.GET.OBJ.obj.forged.0", "$JS.API.STREAM.MSG.GET.OBJ", "$JS.API.STREAM.INFO.OBJ", "obj.x.0"],
    "reports": ["$JS.API.DIRECT.GET.OBJ.obj.forged.0", "$JS.API.DIRECT.GET.EVT.evt.v1.s.turn.TurnFinished", "obj.x.0"],
    "watch": ["$JS.API.DIRECT.GET.DEAD", "$JS.API.STREAM.INFO.EVT", "$JS.API.CONSUMER.INFO.EVT.gateway"],
    "worker": [
        "$JS.API.DIRECT.GET.OBJ.obj.forged.0",
        "$JS.API.STREAM.MSG.GET.OBJ",
        "$JS.API.CONSUMER.MSG.NEXT.CMD.ocr",
    ],
    "engine": ["$JS.API.DIRECT.GET.OBJ.obj.forged.0", "$JS.API.CONSUMER.MSG.NEXT.CMD.validator", "obj.x.0"],
}
"""Requests that a user may send."""
TARGETS = [
    "cmd.v1.validator.ValidateTemplate",
    "cmd.v1.planner.RunQuery",
    "cmd.v1.gateway.ListRuns",
    "evt.v1.s.turn.TurnFinished",
    "evt.v1.s.work.RunsListed",
    "$KV.STATE.session-s",
    "dead.cmd.v1.gateway.StartTurn",
    "$JS.API.STREAM.PURGE.EVT",
    "$JS.API.STREAM.DELETE.KV_STATE",
    "$JS.API.CONSUMER.DELETE.CMD.ocr",
]
"""Where a response would do harm, and where none of the users may publish."""


@pytest.fixture
async def services(server: str) -> AsyncIterator[NatsBus]:
    """The bus of the services, with something in each stream and the consumers of all services."""
    await delete_all_streams(url("services", server))

    async def ignore(delivery: object) -> None: ...

    async with bus("services", server) as connected:
        await connected.consume_answers("gateway", ignore)
        jetstream = connected._jetstream
        forged = Envelope(id="f", kind="RunQuery", session="s", turn="t", payload={}).model_dump_json().encode()
        for subject in (
            "obj.forged.0",
            "evt.v1.s.turn.TurnFinished",
            "dead.cmd.v1.ocr.ExtractLayout",
            "$KV.STATE.kept",
        ):
            await jetstream.publish(subject, forged)
        for service in ("ocr", "validator"):
            await jetstream.publish(f"cmd.v1.{service}.Forged", forged)
        yield connected


async def contents(services: NatsBus) -> dict[str, object]:
    """What the streams hold, without the files, which some users may store; and the consumers."""
    found: dict[str, object] = {}
    for stream in STREAMS:
        info = await services._jetstream.stream_info(stream, subjects_filter=">")
        found[stream] = None if stream == "OBJ" else info.state.subjects
        found[f"consumers of {stream}"] = sorted(one.name for one in await services._jetstream.consumers_info(stream))
    return found


@pytest.mark.parametrize("user", UNTRUSTED)
async def test_a_response_reaches_no_subject_that_its_user_may_not_publish(server: str, services: NatsBus, user: str):
    before = await contents(services)
    client: Client = await nats.connect(url(user, server), inbox_prefix=f"_INBOX_{user}")
    for request in RESPONSES[user]:
        for target in TARGETS:
            body = b'{"last_by_subj": "obj.forged.0", "batch": 1}' if "DEAD" not in request else b'{"seq": 1}'
            await client.publish(request, body, reply=target)
    await client.flush()
    await services._client.flush()
    await asyncio.sleep(0.3)  # nothing tells that nothing comes
    await client.close()

    assert await contents(services) == before


@pytest.mark.parametrize("user", UNTRUSTED)
@pytest.mark.parametrize("target", ["$KV.STATE.session-s", "cmd.v1.planner.RunQuery", "$JS.API.STREAM.PURGE.KV_STATE"])
async def test_an_untrusted_user_creates_no_consumer(server: str, services: NatsBus, user: str, target: str):
    before = await contents(services)
    client: Client = await nats.connect(url(user, server), inbox_prefix=f"_INBOX_{user}", error_cb=ignored)
    for stream, name, subject in (
        ("EVT", "spy", "evt.v1.*.*.*"),
        ("EVT", user, "evt.v1.*.turn.*"),
        ("CMD", "ocr", "cmd.v1.ocr.*"),
        ("CMD", "validator", "cmd.v1.validator.*"),
    ):
        config = {"name": name, "filter_subject": subject, "deliver_subject": target, "ack_policy": "explicit"}
        for form in (f"{stream}.{name}.{subject}", f"{stream}.{name}", stream):
            wanted = {"stream_name": stream, "config": config}
            await client.publish(
                f"$JS.API.CONSUMER.CREATE.{form}", json.dumps(wanted).encode(), reply=client.new_inbox()
            )
        durable = {"stream_name": stream, "config": config | {"durable_name": name}}
        request = f"$JS.API.CONSUMER.DURABLE.CREATE.{stream}.{name}"
        await client.publish(request, json.dumps(durable).encode(), reply=client.new_inbox())
    await client.flush()
    await asyncio.sleep(0.3)
    await client.close()

    assert await contents(services) == before


async def ignored(error: Exception) -> None:
    """The server says what it refuses."""


async def test_an_untrusted_user_creates_no_stream(server: str):
    """Also where there is none yet: a stream may copy others, and publish what it stores."""
    await delete_all_streams(url("services", server))
    for user in UNTRUSTED:
        client: Client = await nats.connect(url(user, server), inbox_prefix=f"_INBOX_{user}", error_cb=ignored)
        wanted = json.dumps({"name": "CMD", "subjects": ["evt.v1.*.*.*"]}).encode()
        with pytest.raises(nats.errors.Error):
            await client.request("$JS.API.STREAM.CREATE.CMD", wanted, timeout=1)
        await client.close()
    client = await nats.connect(url("services", server))
    assert await client.jetstream().streams_info() == []
    await client.close()


async def test_a_header_of_the_server_s_that_a_user_has_set_moves_no_follower(server: str, services: NatsBus):
    event = Envelope(id="e", kind="TurnFailed", session="s2", turn="t", payload={})
    client: Client = await nats.connect(url("web", server), inbox_prefix="_INBOX_web")
    forged = {"Nats-Sequence": "999999", "Nats-Subject": "evt.v1.other.turn.TurnFinished"}
    for number in range(2):
        data = event.model_copy(update={"id": f"e{number}"}).model_dump_json().encode()
        await client.publish("evt.v1.s2.turn.TurnFailed", data, headers=forged)
    await client.close()
    events = services.follow("s2")
    async with asyncio.timeout(20):
        assert [(await anext(events)).id, (await anext(events)).id] == ["e0", "e1"]
    await events.aclose()
