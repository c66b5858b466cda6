"""The HTTP interface: what clients can do, and what only the owner can."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import httpx2
import pytest

from bandsmith.shared.events import Envelope, NodeStarted
from bandsmith.web import limits
from bandsmith.web.hub import WINDOW
from bandsmith.web.identity import Identity
from bandsmith.web.limits import MAX_BODY_BYTES
from bandsmith.web.openapi import document
from bandsmith.web.routes import ENDPOINTS

from .conftest import TEMPLATE, Place

PHOTO = {"file": ("form.jpg", b"photo", "image/jpeg")}


async def events(client: httpx2.AsyncClient, session: str, after: str = "") -> AsyncGenerator[dict[str, Any]]:
    """Yield the events of a session with their ids."""
    headers = {"last-event-id": after} if after else {}
    async with client.stream("GET", f"/api/sessions/{session}/events", headers=headers) as response:
        entry: dict[str, Any] = {}
        async for line in response.aiter_lines():
            name, _, value = line.partition(": ")
            if name in ("id", "event", "data"):
                entry[name] = json.loads(value) if name == "data" else value
            elif not line and "event" in entry:
                yield entry
                entry = {}


async def until_the_end(client: httpx2.AsyncClient, session: str, after: str = "") -> list[dict[str, Any]]:
    found = []
    async for entry in events(client, session, after):
        found.append(entry)
        if entry["event"] in ("TurnFinished", "TurnFailed"):
            return found
    return found


async def build(client: httpx2.AsyncClient, session: str = "march", turn: str = "turn-1") -> dict[str, Any]:
    """Build a report from a photo, and return its last event."""
    stream = events(client, session)
    assert (await anext(stream))["event"] == "ready"
    sent = await client.post(f"/api/sessions/{session}/turns", files=PHOTO, headers={"idempotency-key": turn})
    assert sent.status_code == 202
    async for entry in stream:
        if entry["event"] in ("TurnFinished", "TurnFailed"):
            await stream.aclose()
            return entry
    raise AssertionError("the stream ended")


# --- sessions, turns, versions, files ---------------------------------------------------------------------------------


async def test_a_report_is_built_listed_shown_and_downloaded(place: Place):
    async with place.client() as client:
        end = await build(client)
        [listed] = (await client.get("/api/sessions")).json()
        shown = (await client.get("/api/sessions/march")).json()
        version = (await client.get("/api/sessions/march/versions/1")).json()
        template = await client.get(version["files"]["report.jrxml"])

    assert end["data"]["status"] == "done" and end["data"]["files"]["report.jrxml"].startswith("/api/files/")
    assert (listed["id"], listed["name"], listed["version"]) == ("march", "form", 1)
    assert [(turn["files"], turn["version"]) for turn in shown["turns"]] == [(["form.jpg"], 1)]
    assert template.content == TEMPLATE and "attachment" in template.headers["content-disposition"]


async def test_a_request_that_is_sent_twice_starts_one_turn(place: Place):
    async with place.client() as client:
        await build(client)
        again = await client.post("/api/sessions/march/turns", files=PHOTO, headers={"idempotency-key": "turn-1"})
        shown = (await client.get("/api/sessions/march")).json()
    assert again.json()["turn"] == "turn1" and len(shown["turns"]) == 1 and shown["pending"] == []


async def test_a_stream_continues_after_the_last_event_that_was_read(place: Place):
    """Given a client that read some events of a turn
    When it connects again after the turn, with the id of the last one
    Then it gets all others, each once and in order
    """
    async with place.client() as client:
        stream = events(client, "march")
        await anext(stream)
        await client.post("/api/sessions/march/turns", files=PHOTO)
        read = [await anext(stream) for _ in range(3)]
        await stream.aclose()
        rest = await until_the_end(client, "march", after=read[-1]["id"])

    whole = [entry for entry in [*read, *rest] if entry["event"] != "ready"]
    numbers = [int(entry["id"].partition(".")[2]) for entry in whole]
    assert numbers == sorted(set(numbers))
    assert whole[0]["event"] == "TurnStarted" and whole[-1]["event"] == "TurnFinished"
    nodes = {
        kind: [one["data"]["node"] for one in whole if one["event"] == kind] for kind in ("NodeStarted", "NodeFinished")
    }
    assert nodes["NodeStarted"] == nodes["NodeFinished"]


async def test_a_stream_of_another_log_starts_over(place: Place):
    async with place.client() as client:
        stream = events(client, "march", after="abcdef01.7")
        assert [(await anext(stream))["event"] for _ in range(2)] == ["reset", "ready"]
        await stream.aclose()


async def test_a_reader_that_is_too_far_behind_starts_over_and_goes_on(place: Place):
    """Given a reader that missed more events than the server keeps at hand
    When it connects again
    Then it is told to load the session again, once, and gets what comes after that
    """
    key = Identity("ann", "editor").key("march")
    behind = f"{await place.bus.log_name()}.0"
    for number in range(WINDOW + 2):
        await place.bus.publish(progress(key, f"node-{number}"))
    async with place.client() as client:
        stream = events(client, "march", after=behind)
        assert [(await anext(stream))["event"] for _ in range(2)] == ["ready", "reset"]
        await place.bus.publish(progress(key, "the-next"))
        assert (await anext(stream))["data"]["node"] == "the-next"
        await stream.aclose()


def progress(session: str, node: str) -> Envelope:
    event = NodeStarted(node=node)
    return Envelope(id=node, kind=event.kind(), session=session, turn="turn", payload=event.model_dump(mode="json"))


async def test_two_versions_are_compared_in_words(place: Place):
    template = "<jasperReport name='{name}' pageWidth='595' pageHeight='842' columnWidth='555'/>"
    place.bus._broker.objects["mapped"] = template.format(name="sales").encode()
    place.bus._broker.objects["modified"] = template.format(name="march").encode()
    async with place.client() as client:
        await build(client)
        await client.post("/api/sessions/march/turns", data={"text": "undo"}, headers={"idempotency-key": "turn-2"})
        path = "/api/sessions/march/versions/1/diff"
        same = await client.get(path, params={"to": 1})
        wrong = [(await client.get(path, params=one)).status_code for one in ({}, {"to": "x"}, {"to": "9"})]
    assert same.json() == [] and wrong == [400, 400, 404]


async def test_errors_have_a_code_and_a_sentence_in_the_language_asked_for(place: Place):
    async with place.client() as client:
        english = await client.get("/api/sessions/none", headers={"accept-language": "en-GB,en;q=0.9"})
        chinese = await client.get("/api/sessions/none", headers={"accept-language": "zh-CN,zh;q=0.9"})
    assert english.status_code == chinese.status_code == 404
    assert english.headers["content-type"] == "application/problem+json"
    assert english.json()["code"] == chinese.json()["code"] and english.json()["detail"] != chinese.json()["detail"]


def test_the_openapi_document_has_every_route():
    paths = document()["paths"]
    described = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert described == {(one.method, one.path.replace(":int", "")) for one in ENDPOINTS}
    assert all(operation["summary"] for methods in paths.values() for operation in methods.values())


# --- files, limits, headers ----------------------------------------------------------------------------------------


async def test_a_link_to_a_file_cannot_be_changed_and_expires(place: Place, monkeypatch: pytest.MonkeyPatch):
    async with place.client() as client, place.client(None) as anyone:
        await build(client)
        link = (await client.get("/api/sessions/march/versions/1")).json()["files"]["report.jrxml"]
        file = await anyone.get(link)
        assert file.content == TEMPLATE
        assert (file.headers["content-security-policy"], file.headers["x-content-type-options"]) == (
            "sandbox",
            "nosniff",
        )
        for changed in (link[:-6] + ".html", link.replace("/api/files/", "/api/files/x"), link + "/../../etc/passwd"):
            assert (await anyone.get(changed)).status_code == 404
        now = place.access._now()
        monkeypatch.setattr(place.access, "_now", lambda: now + 3 * 3600)
        assert (await anyone.get(link)).status_code == 410


async def test_an_upload_that_announces_too_much_is_refused_before_it_is_sent(place: Place):
    host, _, port = place.address.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    headers = f"Host: {host}:{port}\r\nContent-Length: {MAX_BODY_BYTES + 1}\r\n\r\n"
    writer.write(f"POST /api/sessions/march/turns HTTP/1.1\r\n{headers}".encode())
    assert b" 413 " in await asyncio.wait_for(reader.readline(), 20)
    writer.close()


async def test_an_upload_of_unknown_length_is_refused_once_it_is_too_long(
    place: Place, monkeypatch: pytest.MonkeyPatch
):
    async def parts() -> AsyncIterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="form.jpg"\r\n\r\n'
        for _ in range(10):
            yield b"0" * 1000

    monkeypatch.setattr(limits, "MAX_BODY_BYTES", 5000)
    async with place.client() as client:
        headers = {"content-type": "multipart/form-data; boundary=x"}
        refused = await client.post("/api/sessions/march/turns", content=parts(), headers=headers)
    assert refused.status_code == 413 and refused.json()["code"] == "large"


async def test_probes_are_answered_under_any_name(place: Place):
    async with place.client(None) as probe:
        for path in ("/livez", "/healthz"):
            assert (await probe.get(path, headers={"host": "10.1.2.3"})).status_code == 200
        place.door.hub.is_following = False
        assert (await probe.get("/healthz")).status_code == 503


async def test_a_request_for_another_host_is_refused(place: Place):
    async with place.client() as client:
        refused = await client.get("/api/sessions", headers={"host": "rebound.example"})
    assert refused.status_code == 403 and refused.json()["code"] == "host"


async def test_the_page_s_icon_is_at_the_address_where_browsers_look_for_it(place: Place):
    async with place.client(None) as stranger:
        icon = await stranger.get("/favicon.ico")
        page = await stranger.get("/")
        linked = await stranger.get("/static/icon.svg")
    assert icon.headers["content-type"].startswith("image/svg+xml") and icon.content.startswith(b"<svg")
    assert 'rel="icon" href="/static/icon.svg"' in page.text and linked.content == icon.content


@pytest.mark.parametrize(
    "path", ["/", "/favicon.ico", "/static/main.js", "/api/sessions", "/api/none", "/static/../server.py"]
)
async def test_every_response_has_the_headers_that_protect_the_page(place: Place, path: str):
    async with place.client() as client:
        response = await client.get(path)
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.status_code in (200, 404)


@pytest.mark.parametrize("session", ["..", "a.b", "a/b", "x" * 65, "%2e%2e", "a%00b"])
async def test_a_name_that_is_no_id_of_a_session_is_not_found(place: Place, session: str):
    async with place.client() as client:
        assert (await client.get(f"/api/sessions/{session}/versions")).status_code == 404
