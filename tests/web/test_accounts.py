"""Who may do what: users with keys, tokens, cookies and links, and what each of them reaches."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.schedule import Schedule, Window
from bandsmith.shared.schedule.store import CalendarStore
from bandsmith.shared.settings import CalendarSettings, OidcSettings, WebSettings
from bandsmith.web import turns
from bandsmith.web.access import SHARE_PREFIX
from bandsmith.web.app import application
from bandsmith.web.authentication import COOKIE, SECURE_COOKIE
from bandsmith.web.keys import Keys
from bandsmith.web.routes import ENDPOINTS, Endpoint

from .conftest import TEMPLATE, Place
from .test_api import build, events

PRIVATE = [one for one in ENDPOINTS if not one.is_public]
SESSIONS = [one for one in PRIVATE if "{session}" in one.path]
[EVENTS] = [one for one in PRIVATE if one.path.endswith("/events")]
[DIFF] = [one for one in PRIVATE if one.path.endswith("/diff")]
WAYS: dict[str, Callable[[Place, str], httpx2.AsyncClient]] = {
    "cookie": lambda place, user: place.client(f"user {user}"),
    "key": lambda place, user: place.with_key(user),
    "token": lambda place, user: place.with_token(place.issuer.token(user)),
}
"""How a user gets in."""
EACH_BY_EACH_WAY = [
    pytest.param(
        one, way, id=f"{one.method} {one.path}-{way}", marks=() if number % len(WAYS) == turn else pytest.mark.slow
    )
    for number, one in enumerate(PRIVATE)
    for turn, way in enumerate(WAYS)
]
"""The fast tests try one way with each route, by turns, and all tests all ways."""
AG_UI: dict[str, Any] = {"state": {}, "tools": [], "context": [], "forwardedProps": {}}


def filled(path: str, session: str = "march") -> str:
    names = {"{calendar}": "main", "{session}": session, "{turn}": "turn1", "{number:int}": "1", "{model}": "bandsmith"}
    for name, value in names.items():
        path = path.replace(name, value)
    return path


def body(endpoint: Endpoint, session: str = "march") -> dict[str, Any]:
    """Return a body that the endpoint accepts, and that names the session where the path does not."""
    call = {"name": "show_session", "arguments": {"session": session}}
    said = {"role": "user", "content": "make the title larger"}
    of_protocols: dict[str, Any] = {
        "/v1/chat/completions": {"model": "bandsmith", "messages": [said], "metadata": {"session": session}},
        "/v1/responses": {"model": "bandsmith", "input": "undo", "metadata": {"session": session}},
        "/ag-ui": {"threadId": session, "runId": "r", "messages": [said | {"id": "m"}], **AG_UI},
        "/mcp": {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": call,
        },
    }
    if endpoint.path in of_protocols:
        return {"json": of_protocols[endpoint.path]}
    if isinstance(endpoint.body, type):
        return {"json": {"Agreement": {"agrees": True}, "NewName": {"name": "Mine"}}.get(endpoint.body.__name__, {})}
    if endpoint.path == "/api/files":
        return {"files": {"file": ("notes.txt", b"text", "text/plain")}}
    return {"data": {"text": "undo"}} if endpoint.body else {}


async def send(client: httpx2.AsyncClient, endpoint: Endpoint, session: str = "march") -> httpx2.Response:
    query = dict.fromkeys(endpoint.query, "1") or None
    headers = {"accept": "application/json, text/event-stream"}
    path, content = filled(endpoint.path, session), body(endpoint, session)
    return await client.request(endpoint.method, path, params=query, headers=headers, **content)


def named(endpoint: Endpoint) -> str:
    return f"{endpoint.method} {endpoint.path}"


def code(response: httpx2.Response) -> str:
    """Return the code of an error, of our own interface or of OpenAI's."""
    found = response.json()
    return found.get("code") or found["error"]["code"]


def changed(token: str) -> str:
    """Return a token with another last digit."""
    return token[:-1] + ("1" if token.endswith("0") else "0")


# --- the sessions of others -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("endpoint", "way"), EACH_BY_EACH_WAY)
async def test_no_route_leads_to_the_session_of_another_user(place: Place, endpoint: Endpoint, way: str):
    """Given a session of one user
    When another user, who knows its name and its key, sends any request
    Then the answer holds nothing of it, and it stays as it is
    """
    async with WAYS[way](place, "ann") as ann, WAYS[way](place, "ben") as ben:
        await build(ann)
        [key] = [name.removeprefix("session-") for name in await place.bus.state_keys("session-")]
        before = (await ann.get("/api/sessions/march")).json()
        for session in ("march", key):
            if endpoint.path.endswith("/events"):
                stream = events(ben, session, after=f"{await place.bus.log_name()}.0")
                assert (await anext(stream))["data"] == {"exists": False}
                await stream.aclose()
            else:
                sent = await send(ben, endpoint, session)
                assert "mapped" not in sent.text and "form.jpg" not in sent.text and "shared-" not in sent.text
        assert (await ann.get("/api/sessions/march")).json() == before


@pytest.mark.parametrize("endpoint", [one for one in PRIVATE if one not in (EVENTS, DIFF)], ids=named)
async def test_the_same_request_of_the_session_s_own_user_is_accepted(place: Place, endpoint: Endpoint):
    """So that the other tests are refused for who they are, and not for what they send."""
    CalendarStore(CalendarSettings().url).put("main", Schedule(window=Window(start=date(2026, 11, 23), days=7)))
    async with place.with_key("ann") as ann, place.with_key("eve", "admin") as eve:
        await build(ann)
        assert (await send(eve if endpoint.needs == "admin" else ann, endpoint)).status_code == endpoint.status


@pytest.mark.parametrize("endpoint", SESSIONS, ids=named)
async def test_no_route_leads_out_of_a_shared_session(place: Place, endpoint: Endpoint):
    """Given a link to one of two sessions
    When someone who has nothing else names the other one, or wants to change the shared one
    Then both stay as they are, and the other one is not shown
    """
    async with place.with_key("ann") as ann, place.client(None) as guest:
        await build(ann)
        await build(ann, session="april", turn="turn-2")
        token = (await ann.post("/api/sessions/april/share", json={})).json()["link"].partition("#")[2]
        before = (await ann.get("/api/sessions/april")).json()
        assert (await send(guest, endpoint, "march")).status_code == 401
        if endpoint.method != "GET":
            guest.headers["origin"] = place.address
            refused = await send(guest, endpoint, token)
            assert (refused.status_code, code(refused)) == (403, "role")
        assert (await ann.get("/api/sessions/april")).json() == before


async def test_each_user_lists_only_their_own_sessions_and_an_admin_all(place: Place):
    async with place.with_key("ann") as ann, place.with_key("ben") as ben, place.with_key("eve", "admin") as eve:
        await build(ann)
        assert [one["id"] for one in (await ann.get("/api/sessions")).json()] == ["march"]
        assert (await ben.get("/api/sessions")).json() == []
        [listed] = (await eve.get("/api/sessions")).json()
        assert (await eve.get(f"/api/sessions/{listed['id']}")).json()["name"] == "form"


@pytest.mark.parametrize("endpoint", PRIVATE, ids=named)
async def test_no_route_answers_a_stranger_or_another_site(place: Place, endpoint: Endpoint):
    async with place.client(None) as stranger, place.client() as ann:
        refused = await send(stranger, endpoint)
        assert refused.status_code == 401 and code(refused) == "login"
        assert refused.headers["www-authenticate"] == "Bearer"
        if endpoint.method != "GET":
            for headers in ({"origin": "https://elsewhere.example"}, {"origin": "null"}):
                ann.headers.update(headers)
                forged = await send(ann, endpoint)
                assert forged.status_code == 403 and code(forged) == "origin"


async def test_another_site_cannot_use_the_token_that_a_proxy_adds(place: Place):
    async with place.with_token(place.issuer.token("ann"), origin="https://elsewhere.example") as browser:
        assert (await browser.post("/api/sessions")).json()["code"] == "origin"


@pytest.mark.parametrize("endpoint", [one for one in PRIVATE if one.method != "GET"], ids=named)
async def test_a_reader_changes_nothing(place: Place, endpoint: Endpoint):
    async with place.with_key("ann") as ann, place.with_key("dashboard", "reader", user="ann") as dashboard:
        await build(ann)
        before = (await ann.get("/api/sessions/march")).json()
        assert (await dashboard.get("/api/sessions/march")).json()["id"] == before["id"]
        refused = await send(dashboard, endpoint)
        assert (refused.status_code, code(refused)) == (403, "role")
        assert (await ann.get("/api/sessions/march")).json()["turns"] == before["turns"]


# --- keys ------------------------------------------------------------------------------------------------------------


async def test_a_removed_key_lets_no_one_in_nor_does_its_cookie(place: Place):
    key = place.keys.add("ann", "editor")
    async with place.with_token(key) as program, place.client(None) as browser:
        entered = await browser.post("/enter", data={"key": key})
        assert entered.status_code == 303 and "HttpOnly" in entered.headers["set-cookie"]
        assert (await program.get("/api/sessions")).status_code == 200
        assert (await browser.get("/api/sessions")).status_code == 200
        place.keys.remove("ann")
        assert (await program.get("/api/sessions")).json()["code"] == "key"
        assert (await browser.get("/api/sessions")).json()["code"] == "login"


async def test_a_file_of_keys_that_cannot_be_read_lets_no_one_in(place: Place):
    async with place.with_key("ann") as ann:
        assert (await ann.get("/api/sessions")).status_code == 200
        WebSettings().keys_file.write_text("{")
        assert (await ann.get("/api/sessions")).status_code == 401


def test_a_key_is_stored_as_a_hash_that_only_its_owner_can_read(tmp_path: Path):
    keys = Keys(tmp_path / "keys.json")
    key = keys.add("ann", "editor")
    assert key not in (tmp_path / "keys.json").read_text() and (tmp_path / "keys.json").stat().st_mode & 0o077 == 0
    assert keys.find(key).user == "ann" and keys.find(key + "x") is None
    with pytest.raises(BadInput, match="already"):
        keys.add("ann", "reader")


async def test_a_wrong_key_counts_for_more_than_a_cookie_beside_it(place: Place):
    async with place.client() as client:
        refused = await client.get("/api/sessions", headers={"authorization": "Bearer bsk_wrong"})
    assert (refused.status_code, refused.json()["code"]) == (401, "key")


# --- tokens of an issuer --------------------------------------------------------------------------------------------


async def test_a_token_of_the_issuer_lets_its_user_in(place: Place):
    async with place.with_token(place.issuer.token("ann")) as ann:
        await build(ann)
    async with place.with_token(place.issuer.token("ann", bandsmith_role="reader")) as again:
        assert [one["id"] for one in (await again.get("/api/sessions")).json()] == ["march"]
        assert (await again.post("/api/sessions")).json()["code"] == "role"


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://elsewhere.example"},
        {"aud": "another"},
        {"exp": 1_000_000_000},
        {"exp": None},
        {"nbf": 4_000_000_000},
        {"sub": None},
        {"sub": 7},
        {"bandsmith_role": "owner"},
    ],
    ids=str,
)
async def test_a_token_with_other_claims_is_refused(place: Place, claims: dict[str, Any]):
    async with place.with_token(place.issuer.token("ann", **claims)) as ann:
        refused = await ann.get("/api/sessions")
    assert (refused.status_code, refused.json()["code"]) == (401, "token")


def encoded(part: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")


async def test_a_token_that_was_made_up_is_refused(place: Place):
    real = place.issuer.token("ann")
    claims = real.split(".")[1]
    signed_by_the_public_key = f"{encoded({'alg': 'HS256'})}.{claims}"
    mac = hmac.new(place.issuer.public_key(), signed_by_the_public_key.encode(), hashlib.sha256).digest()
    hmac_token = f"{signed_by_the_public_key}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"
    unsigned = f"{encoded({'alg': 'none'})}.{claims}."
    for token in (real[:-4] + "AAAA", hmac_token, unsigned, "x", "a.b.c", real * 100):
        async with place.with_token(token) as client:
            assert (await client.get("/api/sessions")).status_code == 401


async def test_the_issuer_may_change_its_keys(place: Place, monkeypatch: pytest.MonkeyPatch):
    """Given an issuer that changes its key
    When tokens of the new key arrive, and made up ones many times
    Then the new ones count, and the keys were loaded again only once
    """
    monkeypatch.setattr("bandsmith.web.oidc.MIN_RELOAD_S", 0.0)
    async with place.with_token(place.issuer.token("ann")) as ann:
        assert (await ann.get("/api/sessions")).status_code == 200
    place.issuer.change_key()
    async with place.with_token(place.issuer.token("ann")) as ann:
        assert (await ann.get("/api/sessions")).status_code == 200
    monkeypatch.setattr("bandsmith.web.oidc.MIN_RELOAD_S", 3600.0)
    for _ in range(5):
        async with place.with_token("a.b.c") as client:
            await client.get("/api/sessions")
    assert place.issuer.loads == 2


def test_an_issuer_without_tls_is_refused():
    assert OidcSettings(oidc_issuer="https://login.example").oidc_issuer
    with pytest.raises(BadInput, match="OIDC_ISSUER"):
        OidcSettings(oidc_issuer="http://login.example")


# --- links and cookies ------------------------------------------------------------------------------------------------


async def test_a_shared_link_shows_the_session_and_follows_it_until_it_expires(
    place: Place, monkeypatch: pytest.MonkeyPatch
):
    async with place.with_key("ann") as ann, place.client(None) as guest:
        await build(ann)
        link = (await ann.post("/api/sessions/march/share", json={"days": 2})).json()["link"]
        token = link.partition("#")[2]
        assert link.startswith("/shared#shared-") and (await guest.get("/shared")).status_code == 200
        assert (await guest.get(f"/api/sessions/{token}")).json()["name"] == "form"
        version = (await guest.get(f"/api/sessions/{token}/versions/1")).json()
        assert (await guest.get(version["files"]["report.jrxml"])).content == TEMPLATE
        stream = events(guest, token)
        assert (await anext(stream))["data"] == {"exists": True}
        await stream.aclose()
        assert (await guest.get("/api/sessions")).status_code == 401
        for made_up in (changed(token), SHARE_PREFIX, f"{SHARE_PREFIX}x"):
            assert (await guest.get(f"/api/sessions/{made_up}")).status_code == 404
        now = place.access._now()
        monkeypatch.setattr(place.access, "_now", lambda: now + 3 * 24 * 3600)
        assert (await guest.get(f"/api/sessions/{token}")).status_code == 410


async def test_revoked_links_show_nothing_and_later_ones_do(place: Place):
    """Given two links to a session
    When its user revokes the links, and makes another one
    Then only that one shows the session, also after the conversation was started over
    """
    async with place.with_key("ann") as ann, place.client(None) as guest:
        await build(ann)
        shared = [(await ann.post("/api/sessions/march/share", json={})).json()["link"] for _ in range(2)]
        assert (await ann.delete("/api/sessions/march/share")).status_code == 202
        for link in shared:
            refused = await gone(guest, link)
            assert (refused.status_code, refused.json()["code"]) == (410, "share")
        later = (await ann.post("/api/sessions/march/share", json={})).json()["link"].partition("#")[2]
        assert (await guest.get(f"/api/sessions/{later}")).json()["name"] == "form"


async def test_an_open_stream_ends_soon_after_its_link_is_revoked(place: Place, monkeypatch: pytest.MonkeyPatch):
    """Given two readers who follow a session by links, and its user, who follows it too
    When the user revokes the links
    Then the readers' streams end by themselves, and the user's goes on
    """
    monkeypatch.setattr(turns, "ADMITTED_S", 0.05)
    async with place.with_key("ann") as ann, place.client(None) as guest:
        await build(ann)
        links = [(await ann.post("/api/sessions/march/share", json={})).json()["link"] for _ in range(2)]
        streams = [events(guest, link.partition("#")[2]) for link in links]
        own = events(ann, "march")
        for stream in (*streams, own):
            assert (await anext(stream))["event"] == "ready"
        await ann.delete("/api/sessions/march/share")
        async with asyncio.timeout(20):
            assert [[one async for one in stream] for stream in streams] == [[], []]
        await ann.post("/api/sessions/march/turns", data={"text": "make the title larger"})
        assert (await anext(own))["event"] == "TurnStarted"
        await own.aclose()


async def test_an_open_stream_ends_soon_after_its_key_is_removed(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(turns, "ADMITTED_S", 0.05)
    async with place.with_key("ann") as ann:
        stream = events(ann, "march")
        assert (await anext(stream))["event"] == "ready"
        place.keys.remove("ann")
        async with asyncio.timeout(20):
            assert [one async for one in stream] == []


async def gone(guest: httpx2.AsyncClient, link: str) -> httpx2.Response:
    """Return what a link shows once the gateway has taken the links back."""
    while True:
        answer = await guest.get(f"/api/sessions/{link.partition('#')[2]}")
        if answer.status_code == 410:
            return answer
        await asyncio.sleep(0.01)


async def test_a_one_time_link_lets_one_browser_in(place: Place):
    token = place.access.invite("ann")
    async with place.client(None) as first, place.client(None) as second:
        entered = await first.get(f"/enter?key={token}")
        assert entered.status_code == 303 and "HttpOnly" in entered.headers["set-cookie"]
        assert (await first.get("/api/sessions")).status_code == 200
        assert (await second.get(f"/enter?key={token}")).status_code == 403


async def test_a_cookie_that_was_made_up_lets_no_browser_in(place: Place):
    link = place.access.share("march", 1).removeprefix(SHARE_PREFIX)
    for made_up in ("", "x", "e30.", "e30.0000", changed(place.access.cookie("ann")), "é.é", link):
        assert place.access.identity(made_up) is None


async def test_entering_never_keeps_the_cookie_that_was_there(place: Place):
    """A cookie that someone else put into the browser does not become the user's."""
    planted = place.access.cookie("mallory")
    async with place.client(None) as browser:
        browser.cookies.set(COOKIE, planted)
        entered = await browser.post("/enter", data={"key": place.keys.add("ann", "editor")})
        assert place.access.identity(entered.cookies[COOKIE]).owner == "user ann"
        left = await browser.post("/leave")
        assert 'bandsmith=""' in left.headers["set-cookie"]
        foreign = await browser.post("/enter", data={"key": "x"}, headers={"origin": "https://elsewhere.example"})
        assert foreign.json()["code"] == "origin"


async def test_with_tls_only_this_host_can_set_the_cookie(place: Place):
    origin = "https://reports.example"
    door = replace(place.door, origin=origin)
    browser = TestClient(application(door), base_url=origin)
    key = place.keys.add("ann", "editor")
    entered = browser.post("/enter", data={"key": key}, headers={"origin": origin}, follow_redirects=False)
    cookie = entered.headers["set-cookie"]
    assert (
        cookie.startswith(f"{SECURE_COOKIE}=") and "Secure" in cookie and "Path=/" in cookie and "Domain" not in cookie
    )


async def test_a_stranger_gets_a_form_for_a_key_in_their_language(place: Place):
    async with place.client(None) as stranger:
        page = await stranger.get("/", headers={"accept-language": "zh"})
    assert page.status_code == 401 and "密钥" in page.text and 'action="/enter"' in page.text
