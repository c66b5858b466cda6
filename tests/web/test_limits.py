"""What one client may take of the server: requests, streams, and time to send and to read."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bandsmith.shared.model.base import Ref
from bandsmith.web import limits
from bandsmith.web.problems import TooMany
from bandsmith.web.rates import Rates, Streams

from .conftest import Place

# --- how often -------------------------------------------------------------------------------------------------------


def test_a_user_who_asks_too_often_waits_and_others_do_not():
    now = [0.0]
    rates = Rates(60, lambda: now[0])
    for _ in range(60):
        rates.take("ann")
    with pytest.raises(TooMany) as refused:
        rates.take("ann")
    assert refused.value.seconds == 1
    rates.take("ben")
    now[0] += 1
    rates.take("ann")


async def test_too_many_requests_are_refused_with_the_time_to_wait(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(place.door.rates, "_per_minute", 2)
    async with place.with_key("ann") as ann:
        answers = [await ann.get("/api/sessions") for _ in range(3)]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert answers[-1].json()["code"] == "many" and int(answers[-1].headers["retry-after"]) <= 30


def test_a_user_with_too_many_streams_opens_no_more(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bandsmith.web.rates.MAX_STREAMS", 1)
    streams = Streams()
    with streams.counted("ann"):
        with pytest.raises(TooMany):
            streams.check("ann")
        streams.check("ben")
    streams.check("ann")


# --- slow clients ---------------------------------------------------------------------------------------------------


async def connect(place: Place) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = place.address.removeprefix("http://").partition(":")
    return await asyncio.open_connection(host, int(port))


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", None], ids=["none", "half", "second"])
async def test_a_client_that_sends_no_whole_request_is_disconnected(
    place: Place, monkeypatch: pytest.MonkeyPatch, sent: bytes | None
):
    monkeypatch.setattr(limits, "HEADERS_S", 0.1)
    reader, writer = await connect(place)
    if sent is None:
        host = place.address.removeprefix("http://")
        writer.write(f"GET /shared HTTP/1.1\r\nHost: {host}\r\n\r\nGET / HTTP/1.1\r\n".encode())
    else:
        writer.write(sent)
    with suppress(ConnectionResetError):
        await asyncio.wait_for(reader.read(), 20)
    writer.close()


async def test_a_body_that_does_not_arrive_is_refused(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "BODY_PART_S", 0.1)
    key = place.keys.add("ann", "editor")
    reader, writer = await connect(place)
    host = place.address.removeprefix("http://")
    head = f"Host: {host}\r\nAuthorization: Bearer {key}\r\nContent-Length: 100\r\n\r\n"
    writer.write(f"POST /api/sessions/march/answer HTTP/1.1\r\n{head}".encode())
    assert b" 408 " in await asyncio.wait_for(reader.readline(), 20)
    writer.close()


async def test_a_client_that_reads_nothing_is_disconnected(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "STALLED_S", 0.1)
    closed = asyncio.Event()
    lost = limits.ClientConnection.connection_lost

    def note(self: limits.ClientConnection, error: Exception | None) -> None:
        lost(self, error)
        closed.set()

    monkeypatch.setattr(limits.ClientConnection, "connection_lost", note)
    place.bus._broker.objects["large"] = b"0" * 32_000_000
    path = place.access.file_path("report.pdf", Ref(key="large", media="application/pdf", size=32_000_000))
    _, writer = await connect(place)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {place.address.removeprefix('http://')}\r\n\r\n".encode())
    await asyncio.wait_for(closed.wait(), 20)
    writer.close()
