"""Pages of other sites are refused, unless they are configured and have a key; paths that lead nowhere."""

from __future__ import annotations

import asyncio

import pytest

from bandsmith.shared.errors import BadInput
from bandsmith.shared.settings import WebSettings

from .conftest import Place

APP = "https://app.example.com"
ASKED = {"origin": APP, "access-control-request-method": "POST", "access-control-request-headers": "authorization"}


@pytest.fixture
def cors() -> str:
    return ""


@pytest.fixture(autouse=True)
def configured(cors: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.web.conftest.WebSettings", lambda **more: WebSettings(web_cors=cors, **more))


async def test_no_other_site_is_let_in_by_default(place: Place):
    async with place.with_key("ann") as ann:
        asked = await ann.options("/api/sessions", headers=ASKED)
        sent = await ann.post("/api/sessions", headers={"origin": APP})
        read = await ann.get("/api/sessions", headers={"origin": APP})
    assert asked.status_code == 405 and sent.status_code == 403
    assert not any(name.startswith("access-control") for one in (asked, sent, read) for name in one.headers)


@pytest.mark.parametrize("cors", [f"https://first.example, {APP}"])
async def test_a_configured_site_uses_a_key_and_never_the_cookie(place: Place):
    """Given a site that is configured
    When its page asks whether it may send a request, sends one with a key, and one with the cookie of the browser
    Then it may, it gets the answer, and the last one is refused
    """
    async with place.with_key("ann") as program, place.client("user ann") as browser:
        asked = await program.options("/api/sessions", headers=ASKED)
        with_key = await program.post("/api/sessions", headers={"origin": APP})
        with_cookie = await browser.post("/api/sessions", headers={"origin": APP})
        elsewhere = await program.post("/api/sessions", headers={"origin": "https://elsewhere.example"})
    assert asked.status_code == 204 and "authorization" in asked.headers["access-control-allow-headers"]
    assert with_key.status_code == 201
    assert asked.headers["access-control-allow-origin"] == with_key.headers["access-control-allow-origin"] == APP
    assert "access-control-allow-credentials" not in asked.headers
    assert (with_cookie.status_code, with_cookie.json()["code"]) == (403, "origin")
    assert elsewhere.status_code == 403 and "access-control-allow-origin" not in elsewhere.headers


@pytest.mark.parametrize("origins", ["*", "app.example.com", "https://app.example.com/", "https://", "null"])
def test_a_site_that_is_no_origin_is_refused(origins: str):
    with pytest.raises(BadInput, match="WEB_CORS"):
        WebSettings(web_cors=origins)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/..%2fserver.py",
        "/static/%2e%2e/server.py",
        "/static/%2e%2e%2f%2e%2e%2fcli/web.py",
        "/static/..\\server.py",
        "/static//etc/passwd",
        "/static/vendor/../../keys.py",
        "/static/main.js%00.png",
        "/api/files/../../etc/passwd",
        "/api/sessions/../files/x/y",
        "//etc/passwd",
        "/enter/../api/sessions",
    ],
)
async def test_a_path_that_leaves_its_folder_leads_nowhere(place: Place, path: str):
    """Sent as it is: a client's library would have taken the dots out."""
    host, _, port = place.address.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    head = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode())
    answer = await asyncio.wait_for(reader.read(), 20)
    writer.close()
    assert answer.split(b" ")[1] in (b"400", b"401", b"404"), answer[:200]
    for leaked in (b"import ", b"root:", b"def "):
        assert leaked not in answer
